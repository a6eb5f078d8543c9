//! Stores that add to what their memory holds, `y[i] += v`.
//!
//! The adjoint takes the shadow of `y[i]`, clears it, and adds the same number to it again, for the load. Where nothing between reads or clears
//! shadows, the shadow is only read. Reverse loops then write nothing to it and can be vectorised.

use crate::primal::{Op, Primal, ValueId};
use crate::revprog::{Act, Factor, Node, NodeId, Place, RevProg, Term};
use crate::rules;
use indexmap::{IndexMap, IndexSet};

/// Leaves shadows as they are where they would be cleared and filled again.
pub fn leave(prog: &mut RevProg, sweep: NodeId, primal: &Primal) {
    let mut contributions: IndexMap<ValueId, usize> = IndexMap::new();
    let mut sequences = vec![];
    prog.walk(sweep, &mut |_, node| match node {
        Node::Stmt(Act::Add(Place::Register(v), _) | Act::Seed(v)) => *contributions.entry(*v).or_default() += 1,
        Node::Stmt(Act::CallBack(_, outs)) => outs.iter().for_each(|v| *contributions.entry(*v).or_default() += 2),
        _ => {}
    });
    let mut inside = IndexSet::new();
    prog.walk(sweep, &mut |n, node| {
        if let Node::Seq(parts) = node {
            inside.extend(parts.iter().copied().filter(|p| matches!(prog.nodes[p.index()], Node::Seq(_))));
            if !inside.contains(&n) {
                sequences.push(n);
            }
        }
    });
    for n in sequences {
        let mut statements = vec![];
        flatten(prog, n, &mut statements);
        for start in 0..statements.len() {
            if let Node::Stmt(Act::TakeShadow(store)) = prog.nodes[statements[start].index()]
                && let Some(gone) = round_trip(prog, primal, &contributions, &statements[start + 1..], store)
            {
                prog.nodes[statements[start].index()] = Node::Stmt(Act::ReadShadow(store));
                gone.into_iter().for_each(|g| prog.nodes[g.index()] = Node::Seq(vec![]));
            }
        }
    }
}

/// The nodes of a sequence and of sequences in it.
fn flatten(prog: &RevProg, n: NodeId, into: &mut Vec<NodeId>) {
    match &prog.nodes[n.index()] {
        Node::Seq(parts) => parts.iter().for_each(|&p| flatten(prog, p, into)),
        _ => into.push(n),
    }
}

/// The statements that bring what was taken for a store back to its place: the addition to the register of the load that the
/// store adds to, its taking, and the addition to the shadow.
fn round_trip(
    prog: &RevProg,
    primal: &Primal,
    contributions: &IndexMap<ValueId, usize>,
    after: &[NodeId],
    store: ValueId,
) -> Option<[NodeId; 3]> {
    let &[stored, place] = primal.inst(store)?.operands.as_slice() else { return None };
    // Adjoints that equal what was taken, with the statement that made them so.
    let mut equal: IndexMap<ValueId, NodeId> = IndexMap::from([(store, after.first().copied()?)]);
    let mut taken: IndexMap<ValueId, NodeId> = IndexMap::new();
    for &n in after {
        match &prog.nodes[n.index()] {
            Node::Stmt(Act::Take(v)) => drop(taken.insert(*v, n)),
            Node::Stmt(Act::Add(Place::Register(v), term)) => {
                let whole = equal.contains_key(&term.from) && is_one(&term.factor);
                if whole && contributions.get(v) == Some(&1) {
                    equal.insert(*v, n);
                }
            }
            Node::Stmt(Act::Add(Place::Shadow(p), Term { from, factor: Factor::One })) if *p == place => {
                // The shadow of a number of another type is not the same bytes.
                let is_load = primal.op(*from) == Some(&Op::Load) && primal.ty(*from) == primal.ty(stored);
                return if is_load { Some([*equal.get(from)?, *taken.get(from)?, n]) } else { None };
            }
            Node::Stmt(Act::Add(Place::Shadow(_), _)) => {}
            _ => return None,
        }
    }
    None
}

fn is_one(factor: &Factor) -> bool {
    match factor {
        Factor::One => true,
        Factor::Partial { rule, operand, .. } => rules::row(*rule).partials[*operand].is_one(),
        Factor::Chosen(..) => false,
    }
}

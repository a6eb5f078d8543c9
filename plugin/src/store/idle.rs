//! Reverse loops that have nothing to pass on are skipped.
//!
//! What was chosen by a condition (a minimum, the larger of two, a branch that few iterations take) passes its adjoint on to few of the
//! values that it was chosen from; that of the others is exactly zero, and so is all that follows from it. A loop that takes adjoints
//! from registers alone does nothing if all of these are zero when it starts, which is tested where they are likely to be: where
//! everything that was added to them came through a choice. Loops that are short for all that is known are left as they are, since they
//! become straight code. Cost: statements of the reverse sweep times the depth of chains of copies.

use super::estimate::Estimate;
use crate::primal::ValueId;
use crate::revprog::{Act, Condition, Factor, LoopNode, Node, NodeId, Place, RevProg};
use indexmap::{IndexMap, IndexSet};

/// Iterations from which on a loop is worth a test.
const LONG: u64 = 64;
/// Registers that are tested at most.
const MOST_TESTED: usize = 2;

/// An addition to a register: the node, the branches around it, the adjoint that is passed on, and whether that is chosen.
struct Addition {
    node: NodeId,
    branches: Vec<NodeId>,
    from: Option<ValueId>,
    chosen: bool,
}

/// Puts loops of the reverse sweep under the condition that they have something to pass on.
pub fn skip(prog: &mut RevProg, estimate: &Estimate) {
    let Some(reverse) = prog.reverse else { return };
    let mut search = Search { prog, additions: IndexMap::new(), loops: vec![] };
    search.look(reverse, &mut vec![]);
    let found: Vec<(NodeId, LoopNode, Vec<ValueId>)> = search
        .loops
        .iter()
        .filter_map(|(n, branches)| {
            let Node::Loop(l) = &search.prog.nodes[n.index()] else { return None };
            let inside = search.inside(*n);
            let taken = search.tested(&inside, l).filter(|_| search.length(*n, estimate) >= LONG)?;
            let sparse = |v: &ValueId| search.is_sparse(*v, &inside, branches, &mut IndexSet::new());
            taken.iter().all(sparse).then(|| (*n, l.clone(), taken))
        })
        .collect();
    for (n, l, taken) in found {
        let [looped, nothing] = [Node::Loop(l), Node::Seq(vec![])].map(|node| prog.node(node));
        prog.nodes[n.index()] = Node::If(Condition::PassesOn(taken), looped, nothing);
    }
}

struct Search<'a> {
    prog: &'a RevProg,
    additions: IndexMap<ValueId, Vec<Addition>>,
    /// Loops, with the branches around them.
    loops: Vec<(NodeId, Vec<NodeId>)>,
}

impl Search<'_> {
    fn look(&mut self, n: NodeId, branches: &mut Vec<NodeId>) {
        let prog = self.prog;
        let mut add = |v: ValueId, from: Option<ValueId>, chosen: bool| {
            let addition = Addition { node: n, branches: branches.clone(), from, chosen };
            self.additions.entry(v).or_default().push(addition);
        };
        match &prog.nodes[n.index()] {
            Node::Stmt(Act::Add(Place::Register(v), term)) => {
                add(*v, Some(term.from), matches!(term.factor, Factor::Chosen(..)));
            }
            Node::Stmt(Act::Seed(v)) => add(*v, None, false),
            Node::Stmt(Act::CallBack(_, outs)) => outs.iter().for_each(|v| add(*v, None, false)),
            Node::Loop(_) => self.loops.push((n, branches.clone())),
            _ => {}
        }
        if matches!(prog.nodes[n.index()], Node::Replay(..)) {
            return;
        }
        let branch = matches!(prog.nodes[n.index()], Node::If(..) | Node::Region(_));
        if branch {
            branches.push(n);
        }
        for child in prog.children(n) {
            self.look(child, branches);
        }
        if branch {
            branches.pop();
        }
    }

    /// The registers that a loop takes from as they are when it starts; none if it does more than passing them on.
    fn tested(&self, inside: &IndexSet<NodeId>, l: &LoopNode) -> Option<Vec<ValueId>> {
        let outside =
            |v: &ValueId| self.additions.get(v).is_some_and(|all| all.iter().any(|a| !inside.contains(&a.node)));
        let (mut added, mut taken, mut only) = (IndexSet::new(), IndexSet::new(), true);
        for part in [l.body, l.between] {
            self.prog.walk(part, &mut |_, node| {
                let Node::Stmt(act) = node else { return };
                let crosses = |v: &ValueId| !added.contains(v) || outside(v);
                match act {
                    Act::Take(v) => taken.extend(Some(*v).filter(crosses)),
                    Act::TakeAll(vs) => taken.extend(vs.iter().copied().filter(crosses)),
                    Act::Add(Place::Register(v), _) => drop(added.insert(*v)),
                    Act::Add(Place::Shadow(_), _) | Act::Find(_) => {}
                    _ => only = false,
                }
            });
        }
        let some = (1..=MOST_TESTED).contains(&taken.len());
        (only && some).then(|| taken.into_iter().collect())
    }

    /// The nodes of a loop.
    fn inside(&self, l: NodeId) -> IndexSet<NodeId> {
        let mut inside = IndexSet::new();
        self.prog.walk(l, &mut |n, _| {
            inside.insert(n);
        });
        inside
    }

    /// How many iterations a loop is taken to have, with those of loops in it.
    fn length(&self, n: NodeId, estimate: &Estimate) -> u64 {
        let mut all = 1u64;
        self.prog.walk(n, &mut |_, node| {
            if let Node::Loop(l) = node {
                all = all.saturating_mul(estimate.trip(Some(l.of)));
            }
        });
        all
    }

    /// Whether all that is added to a register outside of a loop is zero most of the time.
    fn is_sparse(
        &self,
        v: ValueId,
        inside: &IndexSet<NodeId>,
        branches: &[NodeId],
        seen: &mut IndexSet<ValueId>,
    ) -> bool {
        if !seen.insert(v) {
            return true;
        }
        let Some(all) = self.additions.get(&v) else { return false };
        let mut outside = all.iter().filter(|a| !inside.contains(&a.node)).peekable();
        outside.peek().is_some()
            && outside.all(|a| {
                let conditional = a.branches.iter().any(|b| !branches.contains(b));
                let passed = |from: ValueId| self.is_sparse(from, inside, branches, seen);
                a.chosen || conditional || a.from.is_some_and(passed)
            })
    }
}

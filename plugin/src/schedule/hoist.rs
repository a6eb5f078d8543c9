//! Sums over the iterations of a loop.
//!
//! A load from one address in all iterations adds to one shadow in all iterations. It is added up in the register of
//! its adjoint instead, and added to the shadow once, after the loop: the statements that take the adjoint and add it move out. Nothing in the loop may
//! read or clear that shadow; other additions to it, from wherever, change nothing. The load must be executed in every iteration, or under
//! conditions that are the same in all of them and move along, so that its shadow exists.

use crate::facts::Facts;
use crate::primal::{LoopId, Primal, ValueId};
use crate::revprog::{Act, Condition, Factor, Node, NodeId, Place, RevProg, Term};

/// Moves additions out of the loops of a sweep, inner loops first.
pub fn sums(prog: &mut RevProg, sweep: NodeId, primal: &Primal, facts: &Facts) {
    for child in prog.children(sweep) {
        sums(prog, child, primal, facts);
    }
    let Node::Loop(l) = &prog.nodes[sweep.index()] else { return };
    let (of, body) = (l.of, l.body);
    let search = Search { primal, facts, of };
    let mut found = vec![];
    search.additions(prog, body, &mut found);
    let mut read = vec![];
    prog.walk(sweep, &mut |_, node| read.extend(search.reads(node)));
    found.retain(|a: &Addition| read.iter().all(|r| search.apart(*r, a.place)));
    if found.is_empty() {
        return;
    }
    let looped = prog.nodes[sweep.index()].clone();
    let mut parts = vec![prog.node(looped)];
    for a in found {
        let statements = a.nodes.map(|n| std::mem::replace(&mut prog.nodes[n.index()], Node::Seq(vec![])));
        let moved = statements.map(|s| prog.node(s)).to_vec();
        let mut moved = prog.seq(moved);
        for c in a.conditions.into_iter().rev() {
            let nothing = prog.seq(vec![]);
            moved = prog.node(Node::If(c, moved, nothing));
        }
        parts.push(moved);
    }
    prog.nodes[sweep.index()] = Node::Seq(parts);
}

/// The taking of a load's adjoint and its addition to a shadow, with the conditions they are under.
struct Addition {
    nodes: [NodeId; 2],
    place: ValueId,
    conditions: Vec<Condition>,
}

/// Memory whose shadow is read or cleared.
#[derive(Clone, Copy)]
enum Read {
    At(ValueId),
    Anywhere,
}

struct Search<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    of: LoopId,
}

impl Search<'_> {
    fn is_outside(&self, v: ValueId) -> bool {
        !self.primal.is_value_in(v, self.of)
    }

    /// Finds additions that every iteration executes, or every one under conditions that are the same in all.
    fn additions(&self, prog: &RevProg, n: NodeId, found: &mut Vec<Addition>) {
        match &prog.nodes[n.index()] {
            Node::Seq(parts) => {
                for pair in parts.windows(2) {
                    let [Node::Stmt(Act::Take(load)), Node::Stmt(Act::Add(Place::Shadow(place), term))] =
                        [&prog.nodes[pair[0].index()], &prog.nodes[pair[1].index()]]
                    else {
                        continue;
                    };
                    if *term == (Term { from: *load, factor: Factor::One }) && self.is_outside(*place) {
                        found.push(Addition { nodes: [pair[0], pair[1]], place: *place, conditions: vec![] });
                    }
                }
                parts.iter().for_each(|&p| self.additions(prog, p, found));
            }
            Node::If(c @ Condition::Value(v, _), then, other) if self.is_outside(*v) => {
                let Condition::Value(v, sense) = *c else { return };
                for (side, sense) in [(*then, sense), (*other, !sense)] {
                    let before = found.len();
                    self.additions(prog, side, found);
                    found[before..].iter_mut().for_each(|a| a.conditions.insert(0, Condition::Value(v, sense)));
                }
            }
            _ => {}
        }
    }

    fn reads(&self, node: &Node) -> Vec<Read> {
        let Node::Stmt(act) = node else { return vec![] };
        let inst = |v: &ValueId| self.primal.inst(*v).expect("a store, fill or copy");
        match act {
            Act::TakeShadow(s) | Act::ReadShadow(s) | Act::Clear(s) => {
                inst(s).written().into_iter().map(Read::At).collect()
            }
            Act::AddBlock(s) => inst(s).operands[..2].iter().copied().map(Read::At).collect(),
            Act::CallBack(..) => vec![Read::Anywhere],
            _ => vec![],
        }
    }

    fn apart(&self, read: Read, place: ValueId) -> bool {
        match read {
            Read::At(p) => self.facts.are_apart(p, place),
            Read::Anywhere => false,
        }
    }
}

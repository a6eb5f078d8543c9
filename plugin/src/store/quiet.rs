//! Since which point of an iteration has nothing written what a load reads?
//!
//! The parts of an iteration follow one another; a branch has two ways, which are sequences of their own, and so is each item of a
//! region. Writers in earlier parts of a sequence come before the load, those in other sequences inside the load's part are not on its way.
//! Cost: writers times the depth of branches.

use crate::facts::Facts;
use crate::facts::overlap::Affine;
use crate::primal::{Inst, LoopId, Op, Primal, ValueId};
use crate::revprog::{Act, Condition, Node, NodeId, RevProg};
use std::collections::BTreeMap;

/// The parts of iterations, as they are asked for.
pub struct Quiet<'a> {
    prog: &'a RevProg,
    primal: &'a Primal,
    facts: &'a Facts,
    iterations: BTreeMap<LoopId, Iteration>,
}

/// The parts of an iteration: sequences, the first of which is all of it; others are the ways of a branch, and the items of a region.
#[derive(Default)]
struct Iteration {
    sequences: Vec<Vec<NodeId>>,
    /// For each instruction the sequences that it is in, outermost first, each with its place there. Loops are not entered.
    places: BTreeMap<ValueId, Vec<(usize, usize)>>,
    /// By the place of a branch: the sequences of its two ways.
    ways: BTreeMap<(usize, usize), [usize; 2]>,
}

impl Iteration {
    fn add(&mut self, prog: &RevProg, n: NodeId, around: &[(usize, usize)]) {
        let mut parts = vec![];
        flatten(prog, n, &mut parts);
        let sequence = self.sequences.len();
        self.sequences.push(parts.clone());
        for (k, part) in parts.into_iter().enumerate() {
            let path = [around, &[(sequence, k)]].concat();
            match &prog.nodes[part.index()] {
                Node::If(_, then, other) => {
                    let ways = [*then, *other].map(|n| {
                        let way = self.sequences.len();
                        self.add(prog, n, &path);
                        way
                    });
                    self.ways.insert((sequence, k), ways);
                }
                Node::Region(items) => items.iter().for_each(|i| self.add(prog, i.body, &path)),
                _ => prog.walk(part, &mut |_, node| {
                    if let Node::Stmt(Act::Primal(v) | Act::CallForward(v)) = node {
                        self.places.insert(*v, path.clone());
                    }
                }),
            }
        }
    }
}

impl<'a> Quiet<'a> {
    /// Of the forward sweep of a program.
    pub fn new(prog: &'a RevProg, primal: &'a Primal, facts: &'a Facts) -> Self {
        Quiet { prog, primal, facts, iterations: BTreeMap::new() }
    }

    /// The first node of an iteration from which on nothing writes what a load reads, up to the load.
    pub fn since(
        &mut self,
        of: LoopId,
        (load, inst): (ValueId, &Inst),
        writers: &[(ValueId, &Inst)],
    ) -> Option<NodeId> {
        self.look_at(of);
        let iteration = &self.iterations[&of];
        let places: Vec<_> = writers.iter().map(|(w, _)| iteration.places.get(w)).collect::<Option<_>>()?;
        let path = iteration.places.get(&load)?;
        for (level, &(sequence, at)) in path.iter().enumerate() {
            // What is not in a sequence is not executed between its parts.
            let within = |n: usize| places[n].iter().find(|(s, _)| *s == sequence).map(|(_, k)| *k);
            let before = (0..writers.len()).filter_map(within).filter(|k| *k < at).max();
            let mut same = writers.iter().enumerate().filter(|(n, _)| within(*n) == Some(at));
            if same.all(|(_, (w, i))| self.comes_later(of, (load, inst), (*w, i))) {
                let Some(last) = before else { return Some(iteration.sequences[sequence][0]) };
                let last: Vec<_> = places.iter().filter(|p| p.contains(&(sequence, last))).copied().collect();
                let earlier = self.on_same_way(of, &path[level..], &last);
                return Some(earlier.unwrap_or(iteration.sequences[sequence][last[0][level].1 + 1]));
            }
        }
        None
    }

    /// The node after what was written last, if that was in an earlier branch on the condition under which a load is executed.
    fn on_same_way(&self, of: LoopId, load: &[(usize, usize)], written: &[&Vec<(usize, usize)>]) -> Option<NodeId> {
        let iteration = &self.iterations[&of];
        let &[branch, (way, _), ..] = load else { return None };
        let earlier = *written[0].iter().find(|p| p.0 == branch.0)?;
        let condition = |(sequence, k): (usize, usize)| match &self.prog.nodes[iteration.sequences[sequence][k].index()]
        {
            Node::If(Condition::Value(c, sense), ..) if !self.primal.is_value_in(*c, of) => Some((*c, *sense)),
            _ => None,
        };
        if condition(branch).is_none() || condition(branch) != condition(earlier) {
            return None;
        }
        let side = iteration.ways[&branch].iter().position(|w| *w == way)?;
        let way = iteration.ways[&earlier][side];
        let last = written.iter().map(|p| p.iter().find(|p| p.0 == way).map(|p| p.1)).collect::<Option<Vec<_>>>()?;
        iteration.sequences[way].get(last.into_iter().max()? + 1).copied()
    }

    fn look_at(&mut self, of: LoopId) {
        let prog = self.prog;
        self.iterations.entry(of).or_insert_with(|| {
            let mut iteration = Iteration::default();
            if let Some((_, node)) = prog.loop_node(prog.forward, of) {
                iteration.add(prog, node.body, &[]);
            }
            iteration
        });
    }

    /// Whether a store goes to what a load has read before in the same iteration of a loop directly in `of`, and to nothing that
    /// another iteration reads.
    fn comes_later(&self, of: LoopId, load: (ValueId, &Inst), store: (ValueId, &Inst)) -> bool {
        let ((v, reads), (w, writes)) = (load, store);
        if writes.op != Op::Store || reads.block != writes.block {
            return false;
        }
        let position = |v: ValueId| self.primal.blocks[reads.block.index()].insts.iter().position(|i| *i == v);
        let innermost = self.primal.loop_of[reads.block.index()];
        let directly = innermost.is_some_and(|l| self.primal.loops[l.index()].parent == Some(of));
        let Some(place) = self.facts.closed_form(reads.operands[0]) else { return false };
        let same = reads.operands[0] == writes.operands[1] || self.facts.closed_form(writes.operands[1]) == Some(place);
        let width = self.primal.ty(v).bytes().max(self.primal.ty(writes.operands[0]).bytes());
        let step = |l: LoopId| match Affine::of(place)?.steps.get(&l)?.as_slice() {
            [step] => step.as_const(),
            _ => None,
        };
        // What is computed in the loop may make up for its steps.
        let fixed = |v: ValueId| innermost.is_some_and(|l| !self.primal.is_value_in(v, l));
        if !place.values().into_iter().all(fixed) {
            return false;
        }
        let strides = innermost.and_then(step).is_some_and(|s| s.unsigned_abs() >= width);
        directly && same && strides && position(v) < position(w)
    }
}

/// The parts of nested sequences.
fn flatten(prog: &RevProg, n: NodeId, parts: &mut Vec<NodeId>) {
    match &prog.nodes[n.index()] {
        Node::Seq(all) => all.iter().for_each(|p| flatten(prog, *p, parts)),
        _ => parts.push(n),
    }
}

//! What is run again of an iteration that the reverse sweep replays: the statements that compute what is wanted, and nothing else.
//!
//! Wanted are the values that the segment keeps; with them the stores that private loads read (`runs` adds the rest). Cost: that of
//! `runs` for each round in which new slots turn up.

use super::runs::{Closure, Needs, Runs, Within};
use super::segments::Segments;
use super::sources::Sources;
use crate::facts::Facts;
use crate::primal::{Inst, LoopId, Op, Primal, ValueId, cfg};
use crate::revprog::{LoopNode, Node, RevProg};

/// Finds what has to be run of an iteration of `l`. New wants of what is outside go to `sources`.
pub fn close(
    prog: &RevProg,
    primal: &Primal,
    facts: &Facts,
    segments: &Segments,
    sources: &mut Sources,
    l: LoopId,
) -> Runs {
    let Some((_, &LoopNode { body, .. })) = prog.loop_node(prog.forward, l) else {
        unreachable!("the forward sweep has every loop")
    };
    let iteration = Iteration { of: l, primal, facts, segments, sources, live: cfg::live_blocks(primal) };
    let mut closure = Closure::new(prog, primal, Some(l), iteration, false);
    loop {
        let before = closure.size();
        for v in closure.within.sources.kept_in(Some(l)) {
            closure.run(v);
        }
        for v in closure.within.sources.replayed_in(l) {
            let run = closure.within.stores(v);
            closure.meet(Needs { run, ..Needs::default() });
        }
        for v in closure.within.sources.early_in(Some(l)) {
            closure.want(v);
        }
        closure.round(body);
        if closure.size() == before {
            return closure.runs;
        }
    }
}

/// A replayed iteration.
struct Iteration<'r, 's, 'a> {
    of: LoopId,
    primal: &'r Primal,
    facts: &'r Facts,
    segments: &'r Segments<'r>,
    sources: &'r mut Sources<'a, 's>,
    live: Vec<bool>,
}

impl Within for Iteration<'_, '_, '_> {
    fn computes(&mut self, v: ValueId) -> bool {
        let computes = self.segments.can_run(v, self.of);
        if !computes {
            self.sources.value(v);
        }
        computes
    }

    fn needs(&mut self, v: ValueId, runs: &mut Runs) -> Needs {
        let mut needs = Needs::default();
        if self.segments.is_private(v, self.of) {
            needs.run = self.stores(v);
        } else if let Some(n) = self.segments.snapshot(v) {
            runs.copied.insert(v, n);
            needs.want = self.sources.take(n);
        } else if matches!(self.primal.op(v), Some(Op::Load | Op::Copy)) {
            runs.readers.insert(v);
        }
        needs
    }

    fn met(&self) -> usize {
        self.sources.decided()
    }
}

impl Iteration<'_, '_, '_> {
    /// Everything in the iteration that writes the memory that a private load reads.
    fn stores(&self, load: ValueId) -> Vec<ValueId> {
        let address = self.primal.inst(load).expect("a load").operands[0];
        let read: Vec<_> = self.facts.objects.of(address).collect();
        let runs = |i: &Inst| self.primal.is_block_in(i.block, self.of) && self.live[i.block.index()];
        let writes = |i: &Inst| i.written().is_some_and(|p| self.facts.objects.of(p).any(|o| read.contains(&o)));
        self.primal.insts().filter(|(_, i)| runs(i) && writes(i)).map(|(v, _)| v).collect()
    }
}

/// Puts the replay of an iteration before each reverse iteration.
pub fn insert(prog: &mut RevProg, runs: &Runs) {
    let Some((of, reverse)) = runs.of.zip(prog.reverse) else { return };
    let Some((_, &LoopNode { body, .. })) = prog.loop_node(prog.forward, of) else { return };
    let mut found = vec![];
    prog.walk(reverse, &mut |n, node| {
        if let Node::Loop(l) = node
            && l.of == of
        {
            found.push((n, l.clone()));
        }
    });
    for (n, mut l) in found {
        let Some(copy) = runs.copy(prog, body) else { continue };
        let replay = prog.node(Node::Replay(of, copy));
        l.body = prog.node(Node::Seq(vec![replay, l.body]));
        prog.nodes[n.index()] = Node::Loop(l);
    }
}

//! Which values the program may compute and then not use.
//!
//! The adjoint of such a value is exactly zero while its partials may be infinite (`x > 0 ? a * (1 / x) : 0`), so its
//! products must not turn zero into NaN. A use counts as certain if it is executed whenever the value is computed; a
//! choice of a select, or a use on a path that is not always taken, may discard. A backward fixpoint from such uses,
//! through values and memory, by a worklist. Cost: linear in uses and in the writers of each object.

use crate::facts::Facts;
use crate::facts::activity::value_operands;
use crate::primal::cfg::Dominators;
use crate::primal::{BlockId, Inst, Op, Primal, ValueId};

/// For each value, whether it may be discarded.
pub fn analyse(primal: &Primal, facts: &Facts) -> Vec<bool> {
    let mut search = Search {
        primal,
        facts,
        post: Dominators::post(primal),
        masked: vec![false; primal.values.len()],
        objects: vec![false; facts.objects.all.len()],
        writers: vec![vec![]; facts.objects.all.len()],
        work: primal.insts().map(|(v, _)| v).collect(),
    };
    for (v, inst) in primal.insts().filter(|(_, i)| matches!(i.op, Op::Store | Op::Copy)) {
        let to = if inst.op == Op::Store { inst.operands[1] } else { inst.operands[0] };
        facts.objects.of(to).for_each(|o| search.writers[o.index()].push(v));
    }
    while let Some(v) = search.work.pop() {
        search.visit(v);
    }
    search.masked
}

struct Search<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    post: Option<Dominators>,
    masked: Vec<bool>,
    objects: Vec<bool>,
    /// Per object: the instructions that store numbers to it or copy to it.
    writers: Vec<Vec<ValueId>>,
    /// Instructions to look at, again where what they make or write was marked.
    work: Vec<ValueId>,
}

impl Search<'_> {
    fn visit(&mut self, v: ValueId) {
        let primal = self.primal;
        let Some(inst) = primal.inst(v) else { return };
        match &inst.op {
            Op::Load if !self.facts.is_active(v) => {}
            Op::Load if self.masked[v.index()] || self.skipped(inst.block) => self.mark_objects(inst.operands[0]),
            Op::Load => {}
            Op::Copy if self.reaches_masked(inst.operands[0]) => self.mark_objects(inst.operands[1]),
            Op::Store => {
                let memory = self.reaches_masked(inst.operands[1]);
                self.mark_use(inst.operands[0], inst.block, memory);
            }
            Op::Phi(blocks) if self.facts.is_active(v) => {
                for (&o, &from) in inst.operands.iter().zip(blocks) {
                    self.mark_use(o, from, self.masked[v.index()]);
                }
            }
            _ if self.facts.is_active(v) => {
                let discards = inst.op == Op::Select || self.masked[v.index()];
                for o in value_operands(primal, inst) {
                    self.mark_use(o, inst.block, discards);
                }
            }
            _ => {}
        }
    }

    fn reaches_masked(&self, pointer: ValueId) -> bool {
        self.facts.objects.of(pointer).any(|o| self.objects[o.index()])
    }

    fn mark_objects(&mut self, pointer: ValueId) {
        let facts = self.facts;
        for o in facts.objects.of(pointer) {
            if !std::mem::replace(&mut self.objects[o.index()], true) {
                self.work.extend(&self.writers[o.index()]);
            }
        }
    }

    /// Marks a value that is used in a block, if that use may discard it or may not happen.
    fn mark_use(&mut self, v: ValueId, at: BlockId, discards: bool) {
        let Some(Inst { block, .. }) = self.primal.inst(v) else { return };
        if (discards || !self.always(at, *block)) && !std::mem::replace(&mut self.masked[v.index()], true) {
            self.work.push(v);
        }
    }

    /// Whether the first block is executed whenever the second one is.
    fn always(&self, at: BlockId, when: BlockId) -> bool {
        at == when || self.post.as_ref().is_some_and(|p| p.dominates(at, when))
    }

    /// Whether some iterations of the loop around a block leave it out.
    fn skipped(&self, block: BlockId) -> bool {
        let start = self.primal.loop_of[block.index()].map_or(BlockId(0), |l| self.primal.loops[l.index()].header);
        !self.always(block, start)
    }
}

//! Parts of the primal that are run forward at once: the function as a whole, or one iteration of a loop that the
//! reverse sweep replays.
//!
//! A replayed iteration computes again what the reverse sweep wants of it, right before the reverse sweep goes back through
//! it, so that nothing of it is on the tape. What it cannot compute (values from earlier iterations, loads of memory that has changed) it gets
//! as the reverse sweep does. It writes only to memory of the function's own, of which nothing else is wanted (`private`).

use super::private::Private;
use super::snapshots::Snapshots;
use crate::facts::Facts;
use crate::primal::{Def, LoopId, Op, Primal, ValueId};
use crate::revprog::Segment;
use crate::rules;
use std::collections::{BTreeMap, BTreeSet};

/// What is private to the iterations of each loop that may be replayed.
pub type Privates = BTreeMap<LoopId, Private>;

/// The replayed loops, and what can be run in them.
pub struct Segments<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    snapshots: &'a Snapshots,
    /// Per replayed loop.
    private: Privates,
}

impl<'a> Segments<'a> {
    /// With these loops replayed, of which `known` has the private loads.
    pub fn new(
        primal: &'a Primal,
        facts: &'a Facts,
        snapshots: &'a Snapshots,
        replayed: &[LoopId],
        known: &Privates,
    ) -> Self {
        let mut private = Privates::new();
        // The replay of an outer loop goes through the inner ones, and does not have what is kept in their replays. Outer
        // loops have lower numbers.
        for &l in replayed.iter().collect::<BTreeSet<_>>() {
            let mut own = known[&l].clone();
            for outer in primal.nest(primal.loops[l.index()].parent) {
                if let Some(outer) = private.get_mut(&outer) {
                    own.loads.retain(|v| outer.loads.contains(v));
                    // The replays of an inner loop write to memory while the outer iteration is gone back through.
                    let read = |v: &ValueId| facts.objects.of(primal.inst(*v).expect("a load").operands[0]);
                    outer.lasting.retain(|v| !read(v).any(|o| own.written.contains(&o)));
                }
            }
            own.lasting.retain(|v| own.loads.contains(v));
            private.insert(l, own);
        }
        Segments { primal, facts, snapshots, private }
    }

    /// The replayed loops, inner ones first.
    pub fn replayed(&self) -> impl Iterator<Item = LoopId> + '_ {
        self.private.keys().copied().rev()
    }

    /// The innermost segment that computes a value.
    pub fn of(&self, v: ValueId) -> Segment {
        if self.private.is_empty() {
            return None;
        }
        let nest = self.primal.nest(self.primal.loop_of_value(v));
        nest.into_iter().rev().find(|&l| self.private.contains_key(&l) && self.can_run(v, l))
    }

    /// Whether a value is computed in a replayed iteration as it was in the forward sweep, given its operands.
    pub fn can_run(&self, v: ValueId, l: LoopId) -> bool {
        if !self.primal.is_value_in(v, l) {
            return false;
        }
        let inst = match &self.primal.value(v).def {
            Def::Inst(inst) => inst,
            Def::Which(_) | Def::Trip(_) => return true,
            _ => return false,
        };
        let defined = || self.primal.is_defined(inst);
        match inst.op {
            Op::Phi(_) => inst.block != self.primal.loops[l.index()].header && defined(),
            Op::Pure | Op::Trapping | Op::Gep(_) | Op::Select | Op::Bits => defined(),
            Op::Rule(rule) => rules::row(rule).out.is_none() && defined(),
            Op::Load => {
                self.facts.overwriters[v.index()].is_none() || self.is_private(v, l) || self.snapshot(v).is_some()
            }
            _ => false,
        }
    }

    /// The copy that a load of memory that is overwritten can be repeated on. What a replayed iteration fills itself needs none.
    pub fn snapshot(&self, load: ValueId) -> Option<u32> {
        let private = self.private.values().any(|p| p.loads.contains(&load));
        self.snapshots.of.get(&load).filter(|_| !private).copied()
    }

    /// Whether the replay of the iteration that a load is in leaves in memory what the load read.
    pub fn lasts(&self, load: ValueId) -> bool {
        self.of(load).is_some_and(|l| self.private[&l].lasting.contains(&load))
    }

    /// Whether a load reads what the same iteration of a replayed loop stored.
    pub fn is_private(&self, load: ValueId, l: LoopId) -> bool {
        self.private.get(&l).is_some_and(|p| p.loads.contains(&load))
    }
}

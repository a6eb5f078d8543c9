//! The source of each wanted value.
//!
//! A value that is not at hand is had again, by its closed form, by a repeated load or by its operation, or kept. Which values
//! are kept is decided for all wanted values together (`cut`), by estimates of what each way costs (`estimate`). Wants that turn up
//! while replays are closed are decided one by one, after these. What is outside of the
//! loops of its segment is kept in a register.

use super::Missing;
use super::address::Address;
use super::cut::{self, Thing, Ways};
use super::estimate::Estimate;
use super::reasons;
use super::segments::Segments;
use super::shapes::Shapes;
use super::snapshots::Snapshots;
use super::wants::Wants;
use crate::facts::Facts;
use crate::primal::{Def, Expr, LoopId, Op, Primal, Ty, ValueId};
use crate::problem::Code;
use crate::revprog::{Content, Decision, Segment, Slot, SlotId, Snapshot, Source};
use crate::rules;
use indexmap::IndexSet;

/// The decisions.
pub struct Plan<'a> {
    /// Source by value.
    pub sources: Vec<Option<Source>>,
    /// Slots, homes not yet assigned where they need a tape.
    pub slots: Vec<Slot>,
    /// How their points are numbered.
    pub shapes: Shapes<'a>,
    /// Copies of memory that are taken, and those that are not.
    pub snapshots: Vec<Snapshot>,
    /// Reasons.
    pub why: Vec<Decision>,
}

/// Makes the decisions.
pub struct Sources<'a, 's> {
    primal: &'a Primal,
    facts: &'a Facts,
    segments: &'s Segments<'s>,
    snapshots: &'s Snapshots,
    estimate: Estimate<'a>,
    plan: Plan<'a>,
    missing: Vec<Missing>,
}

impl<'a, 's> Sources<'a, 's> {
    /// No decisions yet.
    pub fn new(primal: &'a Primal, facts: &'a Facts, segments: &'s Segments<'s>, snapshots: &'s Snapshots) -> Self {
        let sources = vec![None; primal.values.len()];
        let (slots, why, shapes) = (vec![], vec![], Shapes::new(primal, facts));
        Sources {
            primal,
            facts,
            segments,
            snapshots,
            estimate: Estimate { primal, facts },
            plan: Plan { sources, slots, shapes, snapshots: snapshots.all.clone(), why },
            missing: vec![],
        }
    }

    /// The decisions, or what cannot be had.
    pub fn finish(self) -> Result<Plan<'a>, Vec<Missing>> {
        if self.missing.is_empty() { Ok(self.plan) } else { Err(self.missing) }
    }

    /// Decides about all wants of the reverse sweep.
    pub fn wants(&mut self, wants: &Wants) {
        let mut all = wants.values.clone();
        for &pointer in &wants.addresses {
            self.address(pointer, &mut all);
        }
        all.sort_unstable();
        all.dedup();
        self.values(&all);
    }

    /// Adds what the shadow address of a pointer is formed from.
    fn address(&mut self, pointer: ValueId, wanted: &mut Vec<ValueId>) {
        let mut parts = Address::default();
        match parts.add(self.primal, self.facts, pointer) {
            Ok(()) => wanted.append(&mut parts.values),
            Err(unknown) => self.lacks(
                unknown,
                Code::ActivePointer,
                "a pointer to active memory is chosen at run time in a way that is not supported yet".to_string(),
            ),
        }
    }

    /// Decides about values, and about what they are computed from.
    pub fn values(&mut self, wanted: &[ValueId]) {
        let kept = cut::cheapest(wanted, |thing| match thing {
            Thing::Value(v) => self.ways(v),
            Thing::Snapshot(n) => {
                let taken = self.plan.snapshots[n as usize].slot.is_some();
                (!taken).then(|| Ways { keep: Some(self.snapshots.costs[n as usize]), again: None })
            }
        });
        wanted.iter().for_each(|&v| self.decide(v, &kept));
    }

    /// Decides about a value, and about what it is computed from.
    pub fn value(&mut self, v: ValueId) {
        self.values(&[v]);
    }

    /// How a value can be had; none if it is at hand or decided about.
    fn ways(&self, v: ValueId) -> Option<Ways> {
        if self.plan.sources[v.index()].is_some() || self.is_at_hand(v) || self.at_top(v) {
            return None;
        }
        let segment = self.segments.of(v);
        let keep = (self.primal.ty(v).bytes() > 0).then(|| self.estimate.keep(v, segment));
        let again = self.source_of(v).map(|source| {
            let mut inputs: Vec<Thing> = self.inputs(v, &source).into_iter().map(Thing::Value).collect();
            if let Source::Snapshot(n) = source {
                inputs.push(Thing::Snapshot(n));
            }
            (self.estimate.again(v), inputs)
        });
        Some(Ways { keep, again })
    }

    fn is_at_hand(&self, v: ValueId) -> bool {
        match &self.primal.value(v).def {
            Def::Arg(_) | Def::Const | Def::Global(_) => true,
            Def::Inst(inst) => inst.op == Op::Alloca,
            _ => false,
        }
    }

    /// What a value is computed from.
    fn inputs(&self, v: ValueId, source: &Source) -> Vec<ValueId> {
        match source {
            Source::Reload if let Some((of, _)) = self.loaded_shadow(v) => vec![of],
            Source::Closed(e) => e.values(),
            Source::Snapshot(n) => {
                let Snapshot { base, from, .. } = &self.snapshots.all[*n as usize];
                let address = self.primal.inst(v).map_or(&[][..], |i| &i.operands);
                address.iter().copied().chain([*base]).chain(from.values()).collect()
            }
            Source::Again | Source::Reload | Source::Replayed => {
                self.primal.inst(v).map_or(vec![], |i| i.operands.clone())
            }
            Source::AtHand | Source::Kept(_) => vec![],
        }
    }

    fn decide(&mut self, v: ValueId, kept: &IndexSet<ValueId>) {
        if self.plan.sources[v.index()].is_some() {
            return;
        }
        if self.is_at_hand(v) {
            self.plan.sources[v.index()] = Some(Source::AtHand);
            return;
        }
        match self.source_of(v) {
            Some(source) if !kept.contains(&v) => self.have_again(v, source, kept),
            _ => match self.slot(v) {
                Ok(slot) => self.keep(v, slot),
                Err(missing) => self.missing.push(missing),
            },
        }
    }

    /// The values that a segment keeps.
    pub fn kept_in(&self, segment: Segment) -> Vec<ValueId> {
        let slots = self.plan.slots.iter().filter(|s| s.segment == segment);
        let value = |s: &Slot| match s.of {
            Content::Value(v) => Some(v),
            Content::Start(_) | Content::Snapshot(_) => None,
        };
        slots.filter_map(value).collect()
    }

    /// The loads of memory that a replay fills.
    pub fn replayed_in(&self, l: LoopId) -> Vec<ValueId> {
        let sources = self.plan.sources.iter().zip(0..).filter(|(s, _)| **s == Some(Source::Replayed));
        sources.map(|(_, v)| ValueId(v)).filter(|v| self.segments.of(*v) == Some(l)).collect()
    }

    /// The values that the extents of a segment's slots are computed from.
    pub fn early_in(&self, segment: Segment) -> Vec<ValueId> {
        let shapes = self.plan.slots.iter().filter(|s| s.segment == segment).filter_map(|s| s.shape);
        let shapes: IndexSet<u32> = shapes.collect();
        let shapes = shapes.into_iter().map(|s| &self.plan.shapes.all[s as usize]);
        shapes.flat_map(|s| s.numbers.iter().flat_map(Expr::values).chain(s.guards.iter().map(|g| g.0))).collect()
    }

    /// How many values have a source.
    pub fn decided(&self) -> usize {
        self.plan.sources.iter().flatten().count()
    }

    fn have_again(&mut self, v: ValueId, source: Source, kept: &IndexSet<ValueId>) {
        let (chose, because) = match &source {
            Source::Closed(_) => ("computed from iteration numbers", "it depends on iteration numbers only"),
            Source::Reload if self.facts.undone.contains_key(&v) => {
                ("loaded again", "what overwrites its memory is undone before")
            }
            Source::Reload => ("loaded again", "its memory is not overwritten before the reverse sweep"),
            Source::Replayed => ("loaded again", "the replay of its iteration has stored it"),
            Source::Snapshot(_) => {
                ("loaded again from a copy of its memory", "one copy serves several loads before that is overwritten")
            }
            _ => ("computed again", "that costs less than keeping it"),
        };
        self.plan.why.push(Decision { of: v, chose: chose.to_string(), because: because.to_string() });
        let inputs = self.inputs(v, &source);
        if let Source::Snapshot(n) = source {
            self.take(n);
        }
        self.plan.sources[v.index()] = Some(source);
        if let Some((_, address)) = self.loaded_shadow(v) {
            // It may be the primal's own address, which says that there is no shadow.
            let mut wanted = vec![];
            self.address(address, &mut wanted);
            self.values(&wanted);
        }
        inputs.into_iter().for_each(|i| self.decide(i, kept));
    }

    /// A copy of memory is taken. Gives what its place is computed from.
    pub fn take(&mut self, n: u32) -> Vec<ValueId> {
        let snapshot = &mut self.plan.snapshots[n as usize];
        if snapshot.slot.is_none() {
            snapshot.slot = Some(SlotId(self.plan.slots.len() as u32));
            let slot = self.plan.shapes.slot(Content::Snapshot(n), Ty::Int(8), None, Some(snapshot.of));
            self.plan.slots.push(slot);
        }
        let Snapshot { base, from, .. } = &self.snapshots.all[n as usize];
        from.values().into_iter().chain([*base]).collect()
    }

    fn keep(&mut self, v: ValueId, slot: Slot) {
        let because = match self.at_top(v) {
            true if self.segments.of(v).is_none() => "it is computed once".to_string(),
            true => "its iteration is replayed".to_string(),
            false => reasons::kept(self.primal, self.facts, v, self.source_of(v).is_some()),
        };
        self.plan.sources[v.index()] = Some(Source::Kept(SlotId(self.plan.slots.len() as u32)));
        self.plan.slots.push(slot);
        self.plan.why.push(Decision { of: v, chose: "kept".to_string(), because });
    }

    /// For the shadow of a pointer that is loaded: the pointer, and the address that it is loaded from.
    fn loaded_shadow(&self, v: ValueId) -> Option<(ValueId, ValueId)> {
        match self.primal.value(v).def {
            Def::Shadow(of) => self.primal.inst(of).filter(|i| i.op == Op::Load).map(|i| (of, i.operands[0])),
            _ => None,
        }
    }

    /// How a value would be had again, whatever that costs.
    fn source_of(&self, v: ValueId) -> Option<Source> {
        if self.at_top(v) {
            return None;
        }
        if let Some((of, _)) = self.loaded_shadow(v) {
            return self.facts.overwriters[of.index()].is_none().then_some(Source::Reload);
        }
        if let Some(e) = self.facts.closed_form(v) {
            return Some(Source::Closed(e.clone()));
        }
        match self.primal.op(v)? {
            Op::Load if self.facts.overwriters[v.index()].is_none() => Some(Source::Reload),
            Op::Load if self.segments.lasts(v) => Some(Source::Replayed),
            Op::Load => self.segments.snapshot(v).map(Source::Snapshot),
            Op::Pure | Op::Trapping | Op::Gep(_) | Op::Select | Op::Rule(_) | Op::Bits if self.repeatable(v) => {
                Some(Source::Again)
            }
            _ => None,
        }
    }

    /// Rules that write through a pointer are executed once; undefined operands may differ from time to time.
    fn repeatable(&self, v: ValueId) -> bool {
        let Some(inst) = self.primal.inst(v) else { return false };
        self.primal.is_defined(inst) && !matches!(inst.op, Op::Rule(rule) if rules::row(rule).out.is_some())
    }

    /// Whether a value is outside the loops of its segment: keeping it costs a register.
    fn at_top(&self, v: ValueId) -> bool {
        self.primal.loop_of_value(v) == self.segments.of(v)
    }

    /// A slot for a value.
    fn slot(&mut self, v: ValueId) -> Result<Slot, Missing> {
        let ty = self.primal.ty(v);
        if ty.bytes() == 0 {
            return Err(Missing {
                of: v,
                code: Code::UnknownType,
                text: "a value of a type that is not supported yet would have to be kept for the reverse sweep"
                    .to_string(),
            });
        }
        Ok(self.plan.shapes.slot(Content::Value(v), ty, self.segments.of(v), self.primal.loop_of_value(v)))
    }

    fn lacks(&mut self, of: ValueId, code: Code, text: String) {
        self.missing.push(Missing { of, code, text });
    }
}

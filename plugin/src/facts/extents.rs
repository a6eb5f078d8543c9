//! Which bytes behind its arguments does a step of a loop write whenever it is run, and which does it access at most?
//!
//! For copies of what a step changes: everything in a copied range is surely accessed by the step, so that it may be read and written, and
//! nothing that is written is outside of the ranges. Accesses are affine in iteration numbers, in loops whose trip counts are known on entry, under
//! conditions known on entry. One that is executed under other conditions has to be where a sure one is. Cost: accesses times
//! accesses of one argument, and the depth of the control flow.

use super::Facts;
use super::import::written;
use super::objects::{Object, ObjectId};
use super::overlap::{Affine, Search, several};
use crate::primal::expr::Nary;
use crate::primal::order::Order;
use crate::primal::{BlockId, Expr, Inst, LoopId, Op, Primal, Term, ValueId, cfg};
use std::collections::{BTreeMap, BTreeSet};

/// A range of bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// The argument from which on bytes are counted.
    pub of: ValueId,
    /// The first byte.
    pub from: Expr,
    /// One after the last byte.
    pub to: Expr,
    /// Conditions without which nothing there is accessed: value and sense.
    pub guards: Guards,
}

/// Conditions that are known on entry.
pub type Guards = Vec<(ValueId, bool)>;

/// The ranges of one argument, or an access whose place is not known.
pub type Found = Result<Vec<Extent>, ValueId>;

/// What a step accesses.
#[derive(Default)]
pub struct Extents {
    /// What is written, by argument.
    pub written: BTreeMap<ValueId, Found>,
    /// All that is accessed, by argument.
    pub accessed: BTreeMap<ValueId, Found>,
    /// Arguments through which a step reads only what it has written itself before.
    pub fresh: BTreeSet<ValueId>,
    /// A write to memory that no argument leads to directly.
    pub elsewhere: Option<ValueId>,
    /// Expressions whose magnitude has to be below a bound.
    pub limits: Vec<(Expr, i64)>,
}

/// Finds the ranges of all arguments of a step.
pub fn extents(primal: &Primal, facts: &Facts) -> Extents {
    let search = Search::new(primal, facts);
    let dominators = [Some(cfg::Dominators::new(primal)), cfg::Dominators::post(primal)];
    let [Some(before), Some(after)] = dominators else { return Extents::default() };
    let predecessors = cfg::predecessors(primal);
    let mut reader = Reader { primal, facts, search, before, after, predecessors, all: vec![], elsewhere: None };
    for (v, inst) in primal.insts() {
        reader.instruction(v, inst);
    }
    let fresh = reader.fresh();
    let Reader { search, all, elsewhere, .. } = reader;
    let mut found = Extents { elsewhere, fresh, limits: search.limits(), ..Extents::default() };
    for access in &all {
        for (wanted, map) in [(access.writes, &mut found.written), (true, &mut found.accessed)] {
            let known = wanted.then(|| map.entry(access.of).or_insert(Ok(vec![])));
            if let Some(Ok(list)) = known {
                match range(access, &all) {
                    Some(extent) => join(list, extent),
                    None => drop(map.insert(access.of, Err(access.by))),
                }
            }
        }
    }
    found
}

struct Access {
    by: ValueId,
    of: ValueId,
    pointer: ValueId,
    block: BlockId,
    bounds: Option<(Expr, Expr)>,
    /// Conditions that hold when it is executed; the only ones if it is sure.
    guards: Guards,
    sure: bool,
    writes: bool,
}

/// The range of an access, under conditions that hold when it is executed and under which all of the range is accessed.
fn range(access: &Access, all: &[Access]) -> Option<Extent> {
    let bounds = access.bounds.as_ref()?;
    let covers = |other: &&Access| {
        let same = other.sure && other.of == access.of && other.bounds.as_ref() == Some(bounds);
        same && other.guards.iter().all(|g| access.guards.contains(g))
    };
    let sure = if access.sure { access } else { all.iter().find(covers)? };
    let (from, to) = bounds.clone();
    Some(Extent { of: access.of, from, to, guards: sure.guards.clone() })
}

/// Adds a range to others. What is between two ranges of one object is in that object.
fn join(list: &mut Vec<Extent>, new: Extent) {
    let Some(known) = list.iter_mut().find(|e| e.guards == new.guards) else { return list.push(new) };
    for (kind, end, other) in [(Nary::SignedMin, &mut known.from, new.from), (Nary::SignedMax, &mut known.to, new.to)] {
        match end {
            end if *end == other => {}
            Expr::Nary(k, parts) if *k == kind => {
                if !parts.contains(&other) {
                    parts.push(other);
                }
            }
            end => *end = several(kind, vec![end.clone(), other]),
        }
    }
}

struct Reader<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    search: Search<'a>,
    before: cfg::Dominators,
    after: cfg::Dominators,
    predecessors: Vec<Vec<BlockId>>,
    all: Vec<Access>,
    elsewhere: Option<ValueId>,
}

impl Reader<'_> {
    fn instruction(&mut self, v: ValueId, inst: &Inst) {
        let bytes = |v: ValueId| Some(Expr::Const(64, self.primal.ty(v).bytes() as i64));
        match inst.op {
            Op::Load => self.access(v, inst, inst.operands[0], bytes(v), false),
            Op::Store => self.access(v, inst, inst.operands[1], bytes(inst.operands[0]), true),
            Op::Fill => self.access(v, inst, inst.operands[0], Some(self.search.length(inst)), true),
            Op::Copy => {
                self.access(v, inst, inst.operands[0], Some(self.search.length(inst)), true);
                self.access(v, inst, inst.operands[1], Some(self.search.length(inst)), false);
            }
            Op::Rule(_) => {
                let pointers: Vec<ValueId> = written(self.primal, inst).collect();
                pointers.into_iter().for_each(|p| self.access(v, inst, p, None, true));
            }
            _ => {}
        }
    }

    fn access(&mut self, by: ValueId, inst: &Inst, pointer: ValueId, bytes: Option<Expr>, writes: bool) {
        let objects: Vec<ObjectId> = self.facts.objects.of(pointer).collect();
        for &o in &objects {
            match self.facts.objects.all[o.index()] {
                Object::Arg(of) => {
                    let one = objects.len() == 1;
                    let bounds = bytes.clone().filter(|_| one);
                    let bounds = bounds.and_then(|bytes| self.search.bounds_of(o, pointer, bytes, inst));
                    let (guards, sure) = self.conditions(inst.block);
                    let sure = sure && bounds.is_some() && self.is_whole(inst.block);
                    self.all.push(Access { by, of, pointer, block: inst.block, bounds, guards, sure, writes });
                }
                Object::Content(..) | Object::Unknown if writes => {
                    self.elsewhere.get_or_insert(by);
                }
                _ => {}
            }
        }
    }

    /// The arguments of which each read is behind a write of the same step that covers it.
    fn fresh(&self) -> BTreeSet<ValueId> {
        let order = Order::new(self.primal);
        let mut fresh: BTreeSet<ValueId> = self.all.iter().map(|a| a.of).collect();
        for read in self.all.iter().filter(|a| !a.writes || matches!(self.primal.op(a.by), Some(Op::Rule(_)))) {
            let mut writes = self.all.iter().filter(|w| w.writes && w.of == read.of);
            if !writes.any(|w| self.is_just_written(w, read) || self.is_filled(&order, w, read)) {
                fresh.remove(&read.of);
            }
        }
        fresh
    }

    /// Whether a write goes to the same place before in the same iteration of all loops.
    fn is_just_written(&self, write: &Access, read: &Access) -> bool {
        let place = |a: &Access| self.facts.closed_form(a.pointer);
        let same = write.pointer == read.pointer || place(write).is_some() && place(write) == place(read);
        let bytes = |a: &Access| match self.primal.inst(a.by) {
            Some(Inst { op: Op::Store, operands, .. }) => self.primal.ty(operands[0]).bytes(),
            Some(Inst { op: Op::Load, .. }) => self.primal.ty(a.by).bytes(),
            _ => 0,
        };
        let position = |a: &Access| self.primal.blocks[a.block.index()].insts.iter().position(|i| *i == a.by);
        let before = match write.block == read.block {
            true => position(write) < position(read),
            false => self.before.dominates(write.block, read.block),
        };
        let around = |a: &Access| self.primal.loop_of[a.block.index()];
        same && before && around(write) == around(read) && bytes(write) > 0 && bytes(write) == bytes(read)
    }

    /// Whether a write in a loop that is over fills all that is read.
    fn is_filled(&self, order: &Order, write: &Access, read: &Access) -> bool {
        let outermost = |a: &Access| self.primal.nest(self.primal.loop_of[a.block.index()]).first().copied();
        let apart = outermost(write).is_none() || outermost(write) != outermost(read);
        let same = write.sure && write.bounds.is_some() && write.bounds == read.bounds;
        let entered = write.guards.iter().all(|g| read.guards.contains(g));
        let earlier = order.after((write.by, write.block), (read.by, read.block));
        apart && same && entered && earlier && self.is_without_gaps(write)
    }

    /// Whether a write leaves nothing out between its ends: one element after the other, in one loop.
    fn is_without_gaps(&self, write: &Access) -> bool {
        let Some(Inst { op, operands, .. }) = self.primal.inst(write.by) else { return false };
        let itself = Expr::Value(write.pointer);
        let place = self.facts.closed_form(write.pointer).unwrap_or(&itself);
        let Some(Affine { steps, .. }) = Affine::of(place) else { return false };
        let steps: Vec<&Vec<Expr>> = steps.values().collect();
        match (op, steps.as_slice()) {
            (_, []) => true,
            (Op::Store, [step]) => match step.as_slice() {
                [Expr::Const(_, c)] => c.unsigned_abs() == self.primal.ty(operands[0]).bytes(),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a block is executed in all iterations of its loops, but for conditions known on entry; there are as many iterations as
    /// known on entry.
    fn is_whole(&self, block: BlockId) -> bool {
        let nest = self.primal.nest(self.primal.loop_of[block.index()]);
        let mut at = block;
        nest.into_iter().rev().all(|l: LoopId| {
            let shape = &self.primal.loops[l.index()];
            let trip = self.facts.loops[l.index()].trip.as_ref();
            let counted = trip.is_some_and(|e| self.search.is_known(e));
            let always = self.always_in(at, l);
            at = shape.preheader;
            counted && shape.exiting == [shape.latch] && always
        })
    }

    /// Whether every iteration of a loop comes through a block, but for conditions known on entry.
    fn always_in(&self, mut at: BlockId, l: LoopId) -> bool {
        let latch = self.primal.loops[l.index()].latch;
        while !self.before.dominates(at, latch) {
            let Some(above) = self.before.parent(at) else { return false };
            let ended = |l: &&cfg::Loop| l.latch == above && l.exit == at && l.exiting == [above];
            at = match self.primal.loops.iter().find(ended) {
                Some(inner) => inner.preheader,
                None if self.primal.successors(above) == [at] || self.decided(above, at).is_some() => above,
                None => return false,
            };
        }
        true
    }

    /// Conditions known on entry that hold when a block is executed, and whether it is surely executed if they do.
    fn conditions(&self, block: BlockId) -> (Guards, bool) {
        let (mut guards, mut sure, mut at) = (vec![], true, block);
        while let Some(above) = self.before.parent(at) {
            if !self.after.dominates(at, above) {
                match self.decided(above, at) {
                    Some(c) => guards.push(c),
                    None => sure = false,
                }
            }
            at = above;
        }
        guards.sort_unstable();
        guards.dedup();
        (guards, sure)
    }

    /// The condition under which one block is entered from another, if it is entered from nowhere else.
    fn decided(&self, from: BlockId, to: BlockId) -> Option<(ValueId, bool)> {
        let Term::Branch(c, then, other) = self.primal.blocks[from.index()].term else { return None };
        let only = self.predecessors[to.index()] == [from] && then != other;
        (only && self.search.is_known(&Expr::Value(c))).then_some((c, then == to))
    }
}

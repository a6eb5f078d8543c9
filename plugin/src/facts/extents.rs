//! Which bytes behind its arguments does a step of a loop write whenever it is run, and which does it access at most?
//!
//! For copies of what a step changes: everything in a copied range is surely accessed by the step, so that it may be read and written, and
//! nothing that is written is outside of the ranges. Accesses are affine in iteration numbers, in loops whose trip counts are known on entry, under
//! conditions known on entry. One that is executed under other conditions has to be where a sure one is. Cost: accesses times
//! accesses of one argument, and the depth of the control flow.

use super::Facts;
use super::import::written;
use super::objects::{Object, ObjectId};
use super::overlap::{Search, several};
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Inst, LoopId, Op, Primal, Term, ValueId, cfg};
use std::collections::BTreeMap;

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
    let Reader { search, all, elsewhere, .. } = reader;
    let mut found = Extents { elsewhere, limits: search.limits(), ..Extents::default() };
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
                    self.all.push(Access { by, of, bounds, guards, sure, writes });
                }
                Object::Content(..) | Object::Unknown if writes => {
                    self.elsewhere.get_or_insert(by);
                }
                _ => {}
            }
        }
    }

    /// Whether a block is executed in all iterations of its loops, of which there are as many as known on entry.
    fn is_whole(&self, block: BlockId) -> bool {
        let nest = self.primal.nest(self.primal.loop_of[block.index()]);
        nest.into_iter().all(|l: LoopId| {
            let shape = &self.primal.loops[l.index()];
            let trip = self.facts.loops[l.index()].trip.as_ref();
            let counted = trip.is_some_and(|e| self.search.is_known(e));
            counted && shape.exiting == [shape.latch] && self.before.dominates(block, shape.latch)
        })
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

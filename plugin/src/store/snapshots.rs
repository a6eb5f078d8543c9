//! Which loads can be repeated on a copy of the memory that they read, taken before something overwrites it.
//!
//! What a time step reads of its state, the step or a later one overwrites. Kept value by value, the tape has an element for each execution of
//! each load. But in the course of one iteration the state changes at few places, and what is read between two of them is had from one
//! copy, as large as the state. Memory of the function's own is copied whole, right after the part of the iteration that wrote
//! it last; of other memory that part is copied which a loop surely reads: the interval between the ends of affine accesses that
//! are executed in every iteration. A copy is not much larger than what is read (`dense`). Cost: loads x writers, and the size of the loops around them.

use super::dense::Extent;
use super::estimate::Estimate;
use super::quiet::Quiet;
use super::shapes::Shapes;
use crate::facts::Facts;
use crate::facts::objects::{Object, ObjectId};
use crate::facts::overlap::{Affine, several};
use crate::facts::stability;
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Inst, LoopId, Op, Primal, Ty, ValueId, cfg};
use crate::revprog::{Act, NodeId, RevProg, Snapshot};
use std::collections::BTreeMap;

/// Loads times writers that are compared at most.
const MOST_WORK: usize = 1_000_000;

/// Numbers that may be between the places of two loads of one copy.
const CLOSE: u64 = 64;

/// The copies that could be taken.
#[derive(Default)]
pub struct Snapshots {
    /// All of them; none is taken yet.
    pub all: Vec<Snapshot>,
    /// Which one serves a load.
    pub of: BTreeMap<ValueId, u32>,
    /// What each costs.
    pub costs: Vec<u64>,
}

/// Finds the copies that would serve loads whose memory is overwritten.
pub fn find(prog: &RevProg, primal: &Primal, facts: &Facts) -> Snapshots {
    let overwritten = |(v, i): &(ValueId, &Inst)| {
        let number = !matches!(primal.ty(*v), Ty::Ptr | Ty::Other);
        i.op == Op::Load && number && facts.overwriters[v.index()].is_some_and(|w| w != *v)
    };
    let in_loop = |(_, i): &(ValueId, &Inst)| primal.loop_of[i.block.index()].is_some();
    let loads: Vec<(ValueId, &Inst)> = primal.insts().filter(overwritten).filter(in_loop).collect();
    let writers: Vec<(ValueId, &Inst)> = primal.insts().filter(|(_, i)| stability::is_writer(i)).collect();
    if loads.is_empty() || loads.len() * writers.len() > MOST_WORK {
        return Snapshots::default();
    }
    let shapes = Shapes::new(primal, facts);
    let dominators = cfg::Dominators::new(primal);
    let quiet = Quiet::new(prog, primal, facts);
    let mut search = Search { prog, primal, facts, writers, shapes, dominators, quiet };
    let mut found: Vec<(Key, Found)> = vec![];
    for (load, inst) in loads {
        let Some((key, place)) = search.place(load, inst) else { continue };
        let known = found.iter().position(|(k, _)| *k == key);
        let n = known.unwrap_or_else(|| {
            found.push((key, Found { elements: 0, ..place.clone() }));
            found.len() - 1
        });
        found[n].1.add(load, place);
    }
    found.retain(|(_, found)| found.dense && found.is_close());
    let estimate = Estimate { primal, facts };
    let mut snapshots = Snapshots::default();
    for (n, (key, found)) in found.into_iter().enumerate() {
        snapshots.of.extend(found.loads.iter().map(|l| (*l, n as u32)));
        snapshots.costs.push(estimate.snapshot(key.of, found.elements));
        snapshots.all.push(found.snapshot(key));
    }
    snapshots
}

/// Puts the statements that take copies into the forward sweep.
pub fn insert(prog: &mut RevProg) {
    for n in 0..prog.snapshots.len() {
        if prog.snapshots[n].slot.is_some() {
            let before = prog.snapshots[n].before;
            prog.surround(before, &[Act::Snapshot(n as u32)], &[]);
        }
    }
}

/// What is one copy: taken before this node, of what lies at these numbers of bytes from a pointer.
#[derive(PartialEq)]
struct Key {
    before: NodeId,
    of: LoopId,
    base: ValueId,
    from: Vec<Expr>,
}

/// What a copy has to hold.
#[derive(Clone, Default)]
struct Found {
    loads: Vec<ValueId>,
    /// Ends of accesses in bytes: what varies, and a constant.
    first: Vec<(Vec<Expr>, i64)>,
    last: Vec<(Vec<Expr>, i64)>,
    guards: Vec<(ValueId, bool)>,
    /// The size, where that is known from elsewhere.
    whole: Option<Expr>,
    elements: u64,
    /// Whether some load reads about as much as the copy has.
    dense: bool,
    /// How much a load reads, in bytes.
    reads: Extent,
}

impl Found {
    fn add(&mut self, load: ValueId, other: Found) {
        self.loads.push(load);
        let mut end = |least: bool, new: Vec<(Vec<Expr>, i64)>| {
            let list = if least { &mut self.first } else { &mut self.last };
            for (parts, c) in new {
                match list.iter_mut().find(|(known, _)| *known == parts) {
                    Some((_, known)) => *known = if least { c.min(*known) } else { c.max(*known) },
                    None => list.push((parts, c)),
                }
            }
        };
        end(true, other.first);
        end(false, other.last);
        // Where the copy is taken all of them hold, and elsewhere the size may be anything.
        self.guards.extend(other.guards.into_iter().filter(|g| !self.guards.contains(g)).collect::<Vec<_>>());
        self.elements = self.elements.max(other.elements);
        self.dense |= other.dense;
    }

    /// Whether no constant is between the places of its loads that is much more than what they read.
    fn is_close(&self) -> bool {
        let first = self.first.iter().map(|(_, c)| *c).min();
        let last = self.last.iter().map(|(_, c)| *c).max();
        first.zip(last).is_none_or(|(first, last)| Extent::bytes(last.abs_diff(first)).suits(&self.reads, 1))
    }

    fn snapshot(self, key: Key) -> Snapshot {
        let sum = |(parts, c): &(Vec<Expr>, i64)| {
            let mut parts = parts.clone();
            if *c != 0 || parts.is_empty() {
                parts.push(Expr::Const(64, *c));
            }
            several(Nary::Sum, parts)
        };
        let ends = |kind, list: &[(Vec<Expr>, i64)]| several(kind, list.iter().map(sum).collect());
        let (first, bytes) = match self.whole {
            Some(size) => (Expr::Const(64, 0), size),
            None => {
                let first = ends(Nary::SignedMin, &self.first);
                let minus = match &first {
                    Expr::Const(bits, c) => Expr::Const(*bits, -c),
                    other => Expr::Nary(Nary::Product, vec![Expr::Const(64, -1), other.clone()]),
                };
                (first, several(Nary::Sum, vec![ends(Nary::SignedMax, &self.last), minus]))
            }
        };
        let mut from = key.from;
        from.push(first);
        let from = several(Nary::Sum, from);
        let Key { before, of, base, .. } = key;
        Snapshot { base, from, bytes, guards: self.guards, before, of, loads: self.loads, slot: None }
    }
}

struct Search<'a> {
    prog: &'a RevProg,
    primal: &'a Primal,
    facts: &'a Facts,
    writers: Vec<(ValueId, &'a Inst)>,
    shapes: Shapes<'a>,
    dominators: cfg::Dominators,
    quiet: Quiet<'a>,
}

impl Search<'_> {
    /// The copy that would serve a load, taken in the outermost loop in which that is possible.
    fn place(&mut self, load: ValueId, inst: &Inst) -> Option<(Key, Found)> {
        let objects: Vec<ObjectId> = self.facts.objects.of(inst.operands[0]).collect();
        let writes = |i: &Inst| stability::may_write(self.primal, self.facts, i, &objects);
        let writers: Vec<(ValueId, &Inst)> = self.writers.iter().copied().filter(|(_, i)| writes(i)).collect();
        for of in self.primal.nest(self.primal.loop_of[inst.block.index()]) {
            let inside: Vec<_> =
                writers.iter().copied().filter(|(_, i)| self.primal.is_block_in(i.block, of)).collect();
            if inside.is_empty() {
                return None;
            }
            if let Some(before) = self.quiet.since(of, (load, inst), &inside) {
                let whole = self.whole(of, before, (load, inst), &objects);
                return whole.or_else(|| self.interval(of, load, inst));
            }
        }
        None
    }

    /// A copy of all of an object that the function made before its loops.
    fn whole(
        &mut self,
        of: LoopId,
        before: NodeId,
        (load, inst): (ValueId, &Inst),
        objects: &[ObjectId],
    ) -> Option<(Key, Found)> {
        let &[object] = objects else { return None };
        let base = match self.facts.objects.all[object.index()] {
            Object::Stack(v) | Object::Heap(v) => v,
            _ => return None,
        };
        let size = self.facts.sizes.get(&base)?;
        // The pointer that is read may have been chosen, and the object not always be made.
        let made = self.primal.inst(base)?.block;
        let header = self.primal.loops[of.index()].header;
        let always = self.primal.loop_of_value(base).is_none() && self.dominators.dominates(made, header);
        if !always || !self.shapes.is_early(size) {
            return None;
        }
        let elements = match size.as_const() {
            Some(bytes) => (bytes as u64).div_ceil(8),
            None => self.elements(of, inst.operands[0]),
        };
        let bytes = self.primal.ty(load).bytes();
        let dense = Extent::of(size).is_some_and(|size| size.suits(&self.reads(of, inst), bytes));
        let key = Key { before, of, base, from: vec![] };
        Some((key, Found { whole: Some(size.clone()), elements, dense, ..Found::default() }))
    }

    /// How often a load is executed in an iteration of a loop.
    fn reads(&self, of: LoopId, inst: &Inst) -> Extent {
        let nest = self.primal.nest(self.primal.loop_of[inst.block.index()]);
        let inner = nest.into_iter().skip_while(|l| *l != of).skip(1);
        let trips = inner.filter_map(|l| Extent::of(self.facts.loops[l.index()].trip.as_ref()?));
        trips.fold(Extent::one(), |all, trip| all.times(&trip))
    }

    /// How many elements a pointer passes in an iteration of a loop, as far as that is known.
    fn elements(&self, of: LoopId, pointer: ValueId) -> u64 {
        let estimate = Estimate { primal: self.primal, facts: self.facts };
        let Some(place) = self.facts.closed_form(pointer) else { return estimate.trip(None) };
        let mut loops = place.loops();
        loops.sort_unstable();
        loops.dedup();
        let inner = loops.into_iter().filter(|l| *l != of && self.primal.nest(Some(*l)).contains(&of));
        inner.map(|l| estimate.trip(Some(l))).fold(1, u64::saturating_mul)
    }

    /// A copy of what the loop around a load, directly in `of`, reads from one pointer on.
    fn interval(&mut self, of: LoopId, load: ValueId, inst: &Inst) -> Option<(Key, Found)> {
        let nest = self.primal.nest(self.primal.loop_of[inst.block.index()]);
        let within = nest.iter().position(|l| *l == of)? + 1;
        let (&outer, inner) = (nest.get(within)?, &nest[within..]);
        let outside = |v: ValueId| !self.primal.is_value_in(v, outer);
        let place = self.facts.closed_form(inst.operands[0])?;
        let base = place.base(self.primal).filter(|b| outside(*b))?;
        let Affine { mut rest, steps } = Affine::of(place)?;
        rest.retain(|e| *e != Expr::Value(base));
        // Other pointers would be used as numbers.
        if rest.iter().any(|e| e.base(self.primal).is_some()) || !place.values().into_iter().all(outside) {
            return None;
        }
        if !inner.iter().all(|l| self.always_executes(*l, inst.block)) || !self.goes_through(outer) {
            return None;
        }
        let constant = rest.iter().filter_map(Expr::as_const).try_fold(0i64, i64::checked_add)?;
        rest.retain(|e| e.as_const().is_none());
        let (reads, size) = (self.reads(of, inst), self.primal.ty(load).bytes());
        // What is known early and no more than what is read may differ between the loads of one copy.
        let mut near = |e: &Expr| self.shapes.is_early(e) && Extent::of(e).is_some_and(|e| e.suits(&reads, size));
        let (known, mut rest): (Vec<Expr>, Vec<Expr>) = rest.into_iter().partition(|e| near(e));
        let (mut first, mut last) = (known.clone(), known);
        let mut dense = true;
        for (l, step) in steps {
            let step = several(Nary::Sum, step);
            if !inner.contains(&l) {
                rest.push(Expr::Nary(Nary::Product, vec![step, Expr::Iter(64, l)]));
                continue;
            }
            let trip = self.facts.loops[l.index()].trip.clone()?;
            if !self.shapes.is_early(&step) || !self.shapes.is_early(&trip) {
                return None;
            }
            let extent = Extent::of(&step).zip(Extent::of(&trip)).map(|(step, trip)| step.times(&trip));
            dense &= extent.is_some_and(|e| e.suits(&reads, size));
            let sign = step.as_const().map(i64::signum);
            let end = Expr::Nary(Nary::Product, vec![step, Expr::Nary(Nary::Sum, vec![trip, Expr::Const(64, -1)])]);
            let extreme = |kind| Expr::Nary(kind, vec![Expr::Const(64, 0), end.clone()]);
            match sign {
                Some(1) => last.push(end),
                Some(_) => first.push(end),
                None => {
                    first.push(extreme(Nary::SignedMin));
                    last.push(extreme(Nary::SignedMax));
                }
            }
        }
        let innermost = *inner.last()?;
        let shape = self.shapes.of(None, innermost);
        let shape = &self.shapes.all[shape as usize];
        let guards = shape.guards.clone();
        let ragged = shape.dims[0].of != nest[0] && shape.dims[0].of == innermost;
        let (first, last) = (vec![(first, constant)], vec![(last, constant.checked_add(size as i64)?)]);
        let elements = self.elements(of, inst.operands[0]);
        let (before, _) = self.prog.loop_node(self.prog.forward, outer)?;
        let reads = reads.times(&Extent::bytes(size * CLOSE));
        let found = Found { first, last, guards, elements, dense, reads, ..Found::default() };
        (!ragged).then_some((Key { before, of, base, from: rest }, found))
    }

    /// Whether a block is executed in every iteration of a loop, of which there are as many as its trip count says.
    fn always_executes(&self, l: LoopId, block: BlockId) -> bool {
        let facts = &self.primal.loops[l.index()];
        let leaves = |b: &BlockId| self.primal.successors(*b).iter().any(|s| !self.primal.is_block_in(*s, l));
        let blocks =
            (0..self.primal.blocks.len()).map(|b| BlockId(b as u32)).filter(|b| self.primal.is_block_in(*b, l));
        blocks.filter(leaves).all(|b| b == facts.latch) && self.dominators.dominates(block, facts.latch)
    }

    /// Whether what is in a loop surely ends and goes on.
    fn goes_through(&self, l: LoopId) -> bool {
        let inside = |m: LoopId| self.primal.nest(Some(m)).contains(&l);
        let all = (0..self.primal.loops.len()).map(|m| LoopId(m as u32));
        let counted = all.filter(|m| inside(*m)).all(|m| self.facts.loops[m.index()].trip.is_some());
        let calls = |(_, i): (ValueId, &Inst)| self.primal.is_block_in(i.block, l) && stability::acts_like_call(i);
        counted && !self.primal.insts().any(calls)
    }
}

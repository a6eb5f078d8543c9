//! Loads of memory that is private to an iteration of a loop: everything they read was stored earlier in the same
//! iteration, by plain stores that the iteration always executes before.
//!
//! Such memory (temporary arrays, mostly) can be written and read again when the iteration is replayed, if it is the function's own and nobody
//! outside of the loop wants what it holds in the end. That a load is covered is shown on byte ranges that are affine in iteration
//! numbers and known numbers. What nothing overwrites in the rest of the iteration needs not be kept: the reverse sweep finds it in
//! memory after the replay. Cost: loads times stores to one object, each a few polynomials.

use super::shapes::Shapes;
use crate::facts::Facts;
use crate::facts::objects::ObjectId;
use crate::facts::stability;
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Inst, LoopId, Offset, Op, Primal, Term, Ty, ValueId, cfg};
use crate::revprog::poly::{Poly, Var};
use crate::revprog::{Dim, Shape};
use crate::rules;
use std::collections::BTreeSet;

/// What is private to the iterations of a loop.
#[derive(Clone, Default)]
pub struct Private {
    /// Loads that read only what their iteration stored.
    pub loads: BTreeSet<ValueId>,
    /// Those of them whose memory nothing overwrites in the rest of the iteration: it still holds what they read when the iteration
    /// has been replayed.
    pub lasting: BTreeSet<ValueId>,
    /// What is written in the loop.
    pub written: BTreeSet<ObjectId>,
}

/// Finds what is private to the iterations of a loop.
pub fn find(primal: &Primal, facts: &Facts, l: LoopId) -> Private {
    let loads = loads(primal, facts, l);
    let inside = |(_, i): &(ValueId, &Inst)| primal.is_block_in(i.block, l);
    let writers: Vec<(ValueId, &Inst)> =
        primal.insts().filter(inside).filter(|(_, i)| stability::is_writer(i)).collect();
    let lasts = |&&v: &&ValueId| {
        let load = primal.inst(v).expect("a load");
        let objects: Vec<ObjectId> = facts.objects.of(load.operands[0]).collect();
        let rest = rest_of_iteration(primal, l, load.block);
        let place = |v: ValueId, b: BlockId| primal.blocks[b.index()].insts.iter().position(|i| *i == v);
        !writers.iter().any(|(w, i)| {
            let later = rest.contains(&i.block) || i.block == load.block && place(*w, i.block) > place(v, i.block);
            later && stability::may_write(primal, facts, i, &objects)
        })
    };
    let lasting = loads.iter().filter(lasts).copied().collect();
    let written = writers.iter().filter_map(|(_, i)| i.written()).flat_map(|p| facts.objects.of(p)).collect();
    Private { loads, lasting, written }
}

/// The blocks that may be executed after a block in the same iteration of a loop.
fn rest_of_iteration(primal: &Primal, l: LoopId, block: BlockId) -> BTreeSet<BlockId> {
    let header = primal.loops[l.index()].header;
    let (mut found, mut work) = (BTreeSet::new(), vec![block]);
    while let Some(b) = work.pop() {
        let next = primal.successors(b).into_iter().filter(|s| *s != header && primal.is_block_in(*s, l));
        work.extend(next.filter(|s| found.insert(*s)));
    }
    found
}

/// The loads of a loop that read only what their iteration stored.
fn loads(primal: &Primal, facts: &Facts, l: LoopId) -> BTreeSet<ValueId> {
    let insts: Vec<(ValueId, &Inst)> = primal.insts().filter(|(_, i)| primal.is_block_in(i.block, l)).collect();
    let overwritten = |v: ValueId| facts.overwriters[v.index()].is_some();
    let own = |p: ValueId| facts.objects.of(p).all(|o| facts.objects.is_own(o));
    let mut candidates: Vec<(ValueId, &Inst)> =
        insts.iter().copied().filter(|(v, i)| i.op == Op::Load && overwritten(*v) && own(i.operands[0])).collect();
    if candidates.is_empty() {
        return BTreeSet::new();
    }
    let usable = usable(primal, facts, l, &insts);
    candidates.retain(|(_, i)| facts.objects.of(i.operands[0]).all(|o| usable.contains(&o)));
    let mut cover = Cover {
        primal,
        facts,
        of: l,
        shapes: Shapes::new(primal, facts),
        dominators: cfg::Dominators::new(primal),
        predecessors: cfg::predecessors(primal),
        insts,
        numbers: vec![],
    };
    // What is stored in the same iteration of a loop further in is stored in the same iteration of this one.
    let mut covered = |v: ValueId, inst: &Inst| {
        let nest = primal.nest(primal.loop_of[inst.block.index()]);
        let inner = nest.into_iter().rev().take_while(|m| *m != l);
        inner.chain([l]).any(|m| {
            (cover.of, cover.numbers) = (m, vec![]);
            cover.covers(v, inst)
        })
    };
    candidates.into_iter().filter(|(v, i)| covered(*v, i)).map(|(v, _)| v).collect()
}

/// Objects of the function's own that a replay may write: in the loop they are written by plain stores and by copies of what stays
/// as it is; and what is in them after the loop is wanted neither by the reverse sweep nor by the caller.
fn usable(primal: &Primal, facts: &Facts, l: LoopId, insts: &[(ValueId, &Inst)]) -> BTreeSet<ObjectId> {
    let all = (0..facts.objects.all.len()).map(|i| ObjectId(i as u32));
    let mut usable: BTreeSet<ObjectId> = all.filter(|&o| facts.objects.is_own(o)).collect();
    let stores = || insts.iter().filter(|(_, i)| i.op == Op::Store);
    // What is loaded again in the loop was stored before, perhaps in it: a replay of some of its stores would leave another value.
    let stored_in = |v: ValueId, load: &Inst| {
        let bytes = |v: ValueId| primal.ty(v).bytes();
        let places = facts.objects.targets(load.operands[0]);
        stores().any(|(_, i)| {
            let at = facts.objects.targets(i.operands[1]);
            let meets = |(o, place): (&ObjectId, &Offset)| {
                at.get(o).is_some_and(|other| place.overlaps(bytes(v), *other, bytes(i.operands[0])))
            };
            places.iter().any(meets)
        })
    };
    for (v, inst) in primal.insts() {
        let again = inst.op == Op::Load && facts.overwriters[v.index()].is_none();
        if again && (!primal.is_value_in(v, l) || stored_in(v, inst)) {
            let read: Vec<ObjectId> = facts.objects.of(inst.operands[0]).collect();
            usable.retain(|o| !read.contains(o));
        }
    }
    let leaving = facts.objects.leaving(primal);
    usable.retain(|o| !leaving.contains(o));
    for (v, inst) in insts {
        // A copy that is repeated has to find what it copied.
        if inst.op == Op::Copy && facts.overwriters[v.index()].is_some() {
            let copied: Vec<ObjectId> = facts.objects.of(inst.operands[0]).collect();
            usable.retain(|o| !copied.contains(o));
        }
        let writes = match &inst.op {
            Op::Callee(_) | Op::Call(_) | Op::Unsupported(_) | Op::Inactive(_) | Op::Free => true,
            Op::Rule(rule) => rules::row(*rule).out.is_some(),
            _ => false,
        };
        if writes {
            let seen = inst.operands.iter().flat_map(|o| facts.objects.of(*o)).collect();
            let seen = facts.objects.reach(seen);
            usable.retain(|o| !seen.contains(o));
        }
    }
    let written =
        |inst: &Inst| -> Vec<ObjectId> { inst.written().into_iter().flat_map(|p| facts.objects.of(p)).collect() };
    // A store that may also write something else cannot be repeated.
    loop {
        let before = usable.len();
        for (_, inst) in insts {
            let written = written(inst);
            if !written.iter().all(|o| usable.contains(o)) {
                usable.retain(|o| !written.contains(o));
            }
        }
        if usable.len() == before {
            return usable;
        }
    }
}

struct Cover<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    of: LoopId,
    shapes: Shapes<'a>,
    dominators: cfg::Dominators,
    predecessors: Vec<Vec<BlockId>>,
    insts: Vec<(ValueId, &'a Inst)>,
    /// What `Var::Number` stands for in all polynomials here.
    numbers: Vec<Expr>,
}

/// Bytes from a base on.
struct Range {
    from: Poly,
    to: Poly,
}

impl Cover<'_> {
    fn covers(&mut self, load: ValueId, inst: &Inst) -> bool {
        let bytes = self.primal.ty(load).bytes() as i64;
        let Some(dims) = self.dims(inst.block) else { return false };
        let Some((base, offset)) = self.place(inst.operands[0], &dims) else { return false };
        let ends = (self.extreme(&offset, &dims, false), self.extreme(&offset, &dims, true));
        let (Some(mut at), Some(last)) = ends else { return false };
        let Some(to) = last.plus(&Poly::constant(bytes)) else { return false };
        let mut ranges = self.stored_before(base, inst);
        // From the start of what is read, one store takes over from the other.
        while !self.is_at_most(&to, &at) {
            let Some(n) = ranges.iter().position(|r| self.is_at_most(&r.from, &at)) else { return false };
            at = ranges.swap_remove(n).to;
        }
        bytes > 0
    }

    fn is_at_most(&mut self, a: &Poly, b: &Poly) -> bool {
        let difference = a.scaled(-1, 1).and_then(|minus| b.plus(&minus));
        difference.is_some_and(|d| self.shapes.is_natural(Some(self.of), &d, &mut self.numbers))
    }

    fn extreme(&mut self, p: &Poly, dims: &[Dim], most: bool) -> Option<Poly> {
        self.shapes.extreme(Some(self.of), dims, p, &mut self.numbers, most)
    }

    /// The loops around a block in an iteration, if all extents are known, and affine. That a loop has at most so many
    /// iterations is not enough: it stores less then.
    fn dims(&mut self, block: BlockId) -> Option<Vec<Dim>> {
        let nest = self.shapes.nest(Some(self.of), self.primal.loop_of[block.index()]);
        let numbers = std::mem::take(&mut self.numbers);
        let mut shape = Shape { dims: vec![], numbers, points: Poly::constant(1), guards: vec![] };
        let complete = nest.into_iter().try_for_each(|l| {
            self.facts.loops[l.index()].trip.as_ref()?;
            let extent = Some(self.shapes.extent(Some(self.of), &mut shape, l)?);
            shape.dims.push(Dim { of: l, extent, most: Poly::constant(0), before: Poly::constant(0) });
            Some(())
        });
        self.numbers = shape.numbers;
        complete.map(|()| shape.dims)
    }

    /// A pointer as a base that stays in the iteration and an affine offset.
    fn place(&mut self, pointer: ValueId, dims: &[Dim]) -> Option<(ValueId, Poly)> {
        let itself = Expr::Value(pointer);
        let mut terms = vec![];
        flatten(self.facts.closed_form(pointer).unwrap_or(&itself), &mut terms);
        let pointer = |e: &Expr| match e {
            Expr::Value(v) if self.primal.ty(*v) == Ty::Ptr => Some(*v),
            _ => None,
        };
        let n = terms.iter().position(|e| pointer(e).is_some())?;
        let base = pointer(terms.swap_remove(n))?;
        let around = self.primal.nest(Some(self.of));
        if self.primal.loop_of_value(base).is_some_and(|l| !around.contains(&l)) {
            return None;
        }
        let offset = terms.iter().try_fold(Poly::constant(0), |sum, e| {
            sum.plus(&self.shapes.linear(Some(self.of), dims, e, &mut self.numbers)?)
        });
        Some((base, offset?))
    }

    /// What is surely stored, from a base on, before an instruction is reached in an iteration.
    fn stored_before(&mut self, base: ValueId, reader: &Inst) -> Vec<Range> {
        let insts = self.insts.clone();
        let mut ranges = vec![];
        for (v, inst) in insts {
            if self.primal.is_block_in(inst.block, self.of)
                && let Some(pointer) = inst.written()
                && let Some(dims) = self.dims(inst.block)
                && self.always_before(v, inst, &dims, reader)
                && let Some((of, offset)) = self.place(pointer, &dims)
                && of == base
                && let Some(range) = self.range(inst, &offset, &dims)
            {
                ranges.push(range);
            }
        }
        ranges
    }

    /// The bytes that a store writes in all iterations of the loops around it, if it leaves no gap.
    fn range(&mut self, inst: &Inst, offset: &Poly, dims: &[Dim]) -> Option<Range> {
        let mut length = match inst.op {
            Op::Store => Poly::constant(self.primal.ty(inst.operands[0]).bytes() as i64),
            _ => {
                let bytes = inst.operands[2];
                let constant = self.primal.int_constant(bytes).map(|c| Expr::Const(64, c));
                let closed = constant.or_else(|| self.facts.closed_form(bytes).cloned());
                let e = closed.unwrap_or(Expr::Value(bytes));
                self.shapes.linear(Some(self.of), dims, &e, &mut self.numbers)?
            }
        };
        let mut strides: Vec<(i64, &Dim)> = dims.iter().map(|d| (offset.coefficient(Var::Iter(d.of)), d)).collect();
        strides.sort_by_key(|(stride, _)| *stride);
        let mut from = offset.clone();
        for (stride, dim) in strides {
            if stride == 0 {
                continue;
            }
            if length.as_const() != Some(stride) {
                return None;
            }
            length = dim.extent.as_ref()?.scaled(stride, 1)?;
            from = from.with(Var::Iter(dim.of), &Poly::constant(0))?;
        }
        if from.has_iterations() || length.has_iterations() {
            return None;
        }
        let to = from.plus(&length)?;
        Some(Range { from, to })
    }

    /// Whether an instruction and all iterations of the loops around it are executed before `reader` whenever that is reached.
    fn always_before(&mut self, v: ValueId, inst: &Inst, dims: &[Dim], reader: &Inst) -> bool {
        let loops = &self.primal.loops;
        let mut at = inst.block;
        for dim in dims.iter().rev() {
            let l = &loops[dim.of.index()];
            if l.exiting.as_slice() != [l.latch] || !self.dominators.dominates(at, l.latch) {
                return false;
            }
            at = l.preheader;
        }
        let Some(outermost) = dims.first().map(|d| d.of) else { return self.comes_before(v, inst, reader) };
        // What is in the block in front of the loop comes before it, too.
        let inside = self.primal.is_block_in(reader.block, outermost);
        if inside || at == reader.block {
            return false;
        }
        self.dominators.dominates(at, reader.block) || self.is_under_condition(at, reader.block)
    }

    fn comes_before(&mut self, v: ValueId, inst: &Inst, reader: &Inst) -> bool {
        if inst.block != reader.block {
            let passes = self.dominators.dominates(inst.block, reader.block);
            return passes || self.is_under_condition(inst.block, reader.block);
        }
        let block = &self.primal.blocks[inst.block.index()].insts;
        let position = |x: &dyn Fn(ValueId) -> bool| block.iter().position(|&i| x(i));
        let reads = |i: ValueId| self.primal.inst(i).is_some_and(|i| std::ptr::eq(i, reader));
        position(&|i| i == v) < position(&reads)
    }

    /// Whether a block is entered from one that always comes before `reader`, on a condition that holds at `reader`.
    fn is_under_condition(&mut self, block: BlockId, reader: BlockId) -> bool {
        let &[before] = self.predecessors[block.index()].as_slice() else { return false };
        let Term::Branch(c, then, other) = self.primal.blocks[before.index()].term else { return false };
        before != reader
            && then != other
            && self.dominators.dominates(before, reader)
            && self.shapes.conditions(self.of, reader).contains(&(c, then == block))
    }
}

/// The operands of nested sums.
fn flatten<'e>(e: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match e {
        Expr::Nary(Nary::Sum, parts) => parts.iter().for_each(|p| flatten(p, terms)),
        e => terms.push(e),
    }
}

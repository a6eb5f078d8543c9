//! Which loads and copies read memory that is not overwritten before the reverse sweep.
//!
//! A forward query: from the load to the end of the function, back edges included, with aliasing that holds across
//! iterations. (In `s += a[i+1]*a[i+1]; a[i] = 0;` one iteration's accesses never alias, the next iteration overwrites.)
//! Each load or copy is compared with the writers of the objects that it may read, in program order, up to the first that may
//! overwrite it. Cost at worst: loads x writers of one object, and blocks x blocks bits.

use super::Facts;
use super::activity::called;
use super::affine::Affine;
use super::import::{Imported, written};
use super::objects::{Object, ObjectId, Objects};
use crate::llvm::analyses::Analyses;
use crate::llvm::ir;
use crate::primal::order::Order;
use crate::primal::{Def, Effect, Holding, Inst, Op, Primal, Ty, ValueId};
use crate::request::{Mode, Variant};
use crate::rules;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// For each load and copy, the instruction that may overwrite what it read before the reverse sweep, if any does.
pub type Overwriters = Vec<Option<ValueId>>;

/// What the query finds.
#[derive(Default)]
pub struct Stability {
    /// What overwrites loaded memory and stays.
    pub overwriters: Overwriters,
    /// Per load, the stores that overwrite what it read, and can be undone for the time of its reverse: they are outside of all loops,
    /// the load is in one, so that whatever the reverse sweep does with the load comes after it has passed the store.
    pub undone: BTreeMap<ValueId, Vec<ValueId>>,
}

/// Answers the query for every load and copy.
pub fn analyse(
    imported: &Imported,
    objects: &Objects,
    analyses: Analyses,
    affine: &mut Affine,
    variant: &Variant,
    apart: &BTreeSet<ObjectId>,
    left_out: &BTreeSet<ValueId>,
) -> Stability {
    let primal = &imported.primal;
    let whole = variant.mode == Mode::Reverse;
    let can_undo = |w: ValueId| whole && can_be_undone(primal, w);
    let mut undone: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    let split = variant.mode == Mode::AugmentedForward;
    let mut search = Search { imported, objects, apart, analyses, order: Order::new(primal), aliases: IndexMap::new() };
    let writers: Vec<(ValueId, &Inst)> =
        primal.insts().filter(|(v, i)| is_writer(i) && !left_out.contains(v)).collect();
    let groups = group(primal, objects, &writers);
    let mut overwriters = vec![None; primal.values.len()];
    for (reader, inst) in primal.insts() {
        let (address, is_load) = match inst.op {
            Op::Load => (inst.operands[0], true),
            Op::Copy => (inst.operands[1], false),
            _ => continue,
        };
        let mut first: Option<usize> = None;
        let may_undo = is_load && primal.loop_of_value(reader).is_some() && primal.ty(reader) != Ty::Ptr;
        for group in groups_read(objects, address) {
            for &w in &groups[group] {
                if first.is_some_and(|f| f <= w) {
                    break;
                }
                let (writer, i) = writers[w];
                if search.order.after((reader, inst.block), (writer, i.block))
                    && search.may_write((writer, i), (reader, address))
                    && !affine.never_overwrites(writer, reader)
                {
                    if may_undo && can_undo(writers[w].0) {
                        undone.entry(reader).or_default().push(writer);
                    } else {
                        first = Some(w);
                    }
                }
            }
        }
        overwriters[reader.index()] = first.map(|w| writers[w].0);
        if split && objects.of(address).any(|o| is_elsewhere(primal, objects, o)) {
            // Between the two sweeps of a split derivative the caller may write to it.
            overwriters[reader.index()] = Some(reader);
        }
    }
    undone.retain(|load, _| overwriters[load.index()].is_none());
    Stability { overwriters, undone }
}

/// Writes to memory of arguments whose contents are not wanted, which nothing may read afterwards: the forward sweep leaves them out.
pub fn left_out(primal: &Primal, facts: &Facts) -> BTreeSet<ValueId> {
    let unneeded = &facts.results.unneeded;
    let looks_around = primal.insts().any(|(_, i)| acts_like_call(i) || matches!(i.op, Op::Allocate(_) | Op::Free));
    if unneeded.is_empty() || !facts.results.at_once || looks_around {
        return BTreeSet::new();
    }
    let read = |i: &Inst| match i.op {
        Op::Load => Some(i.operands[0]),
        Op::Copy => Some(i.operands[1]),
        _ => None,
    };
    let readers: Vec<(ValueId, &Inst, ValueId)> = primal.insts().filter_map(|(v, i)| Some((v, i, read(i)?))).collect();
    let order = Order::new(primal);
    let is_left_out = |(w, i): &(ValueId, &Inst)| {
        let Some(to) = i.written() else { return false };
        let all = facts.objects.of(to).count() > 0 && facts.objects.of(to).all(|o| unneeded.contains(&o));
        let seen = |(r, reader, from): &(ValueId, &Inst, ValueId)| {
            order.after((*w, i.block), (*r, reader.block)) && !facts.are_apart(to, *from)
        };
        all && !readers.iter().any(seen)
    };
    primal.insts().filter(is_left_out).map(|(w, _)| w).collect()
}

/// Whether an instruction is a store of a number outside of all loops, which the reverse sweep can undo when it passes it.
pub fn can_be_undone(primal: &Primal, v: ValueId) -> bool {
    let number = |i: &Inst| i.op == Op::Store && !matches!(primal.ty(i.operands[0]), Ty::Ptr | Ty::Other);
    primal.inst(v).is_some_and(number) && primal.loop_of_value(v).is_none()
}

/// Whether memory is known outside the function, and not constant.
fn is_elsewhere(primal: &Primal, objects: &Objects, o: ObjectId) -> bool {
    match objects.all[o.index()] {
        Object::Stack(_) => false,
        Object::Global(v) => primal.value(v).def != Def::Global(Holding::Constants),
        Object::Arg(_) | Object::Heap(_) | Object::Content(..) | Object::Unknown => true,
    }
}

/// Whether an instruction does something to memory, or beside it, that is more than a load, store, fill or copy.
pub fn acts_like_call(inst: &Inst) -> bool {
    match inst.op {
        Op::Inactive(effect) => effect != Effect::None,
        Op::Rule(rule) => rules::row(rule).out.is_some(),
        Op::Callee(_) | Op::Call(_) | Op::Unsupported(_) => true,
        _ => false,
    }
}

/// Whether an instruction may write to memory that it did not make.
pub fn is_writer(inst: &Inst) -> bool {
    match inst.op {
        Op::Store | Op::Fill | Op::Copy | Op::Callee(_) | Op::Call(_) => true,
        // The library's own memory is written by all that have effects, the error number by rules.
        Op::Inactive(effect) => effect != Effect::None,
        Op::Rule(rule) => rules::row(rule).origin != rules::Origin::Instruction,
        Op::Unsupported(_) => true,
        Op::Allocate(allocation) => allocation.own,
        // Memory that is given back is given back after the reverse sweep.
        _ => false,
    }
}

/// The pointers that an instruction writes through; none where it may write anything.
fn written_pointers(primal: &Primal, inst: &Inst) -> Option<Vec<ValueId>> {
    if let Some(pointer) = inst.written() {
        return Some(vec![pointer]);
    }
    match inst.op {
        Op::Inactive(Effect::Anything) => None,
        Op::Rule(_) | Op::Inactive(_) => Some(written(primal, inst).collect()),
        _ => None,
    }
}

/// Writers by what they may overwrite, each list in program order: one list per object, those of memory that the
/// function made; then all that write memory from outside, which may be the same under several names; then those that
/// may write anything; then all, for loads from anywhere.
fn group(primal: &Primal, objects: &Objects, writers: &[(ValueId, &Inst)]) -> Vec<Vec<usize>> {
    let count = objects.all.len();
    let mut groups = vec![vec![]; count + 3];
    for (w, (_, inst)) in writers.iter().enumerate() {
        let mut add = |group: usize| {
            let list: &mut Vec<usize> = &mut groups[group];
            if list.last() != Some(&w) {
                list.push(w);
            }
        };
        add(count + 2);
        let Some(pointers) = written_pointers(primal, inst) else {
            add(count + 1);
            continue;
        };
        for o in pointers.iter().flat_map(|p| objects.of(*p)) {
            add(match objects.all[o.index()] {
                Object::Unknown => count + 1,
                _ if objects.is_own(o) => o.index(),
                _ => count,
            });
        }
    }
    groups
}

/// The lists of `group` that hold all that may overwrite what a pointer leads to.
fn groups_read(objects: &Objects, address: ValueId) -> Vec<usize> {
    let count = objects.all.len();
    if objects.of(address).any(|o| objects.all[o.index()] == Object::Unknown) {
        return vec![count + 2];
    }
    let mut groups: Vec<usize> =
        objects.of(address).map(|o| if objects.is_own(o) { o.index() } else { count }).collect();
    groups.push(count + 1);
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Whether a writer may write to one of these objects, as far as pointers tell.
pub fn may_write(primal: &Primal, facts: &Facts, writer: &Inst, objects: &[ObjectId]) -> bool {
    let written: Vec<ObjectId> = match (&writer.op, written_pointers(primal, writer)) {
        (Op::Callee(_), _) => called(&facts.objects, writer, |t| t.modifies).into_iter().collect(),
        (_, Some(pointers)) => pointers.iter().flat_map(|p| facts.objects.of(*p)).collect(),
        (_, None) => return true,
    };
    let library = |r: &ObjectId| writer.written().is_none() && facts.objects.all[r.index()] == Object::Unknown;
    objects.iter().any(|r| library(r) || written.iter().any(|w| !facts.objects_apart(*w, *r, true)))
}

/// How many loads in loops read what is overwritten before the reverse sweep, and how many of these what may be overwritten in
/// their own loop.
pub fn disturbed_loads(primal: &Primal, facts: &Facts) -> (usize, usize) {
    let overwritten = |(v, i): &(ValueId, &Inst)| {
        i.op == Op::Load && primal.loop_of[i.block.index()].is_some() && facts.overwriters[v.index()].is_some()
    };
    let loads: Vec<(ValueId, &Inst)> = primal.insts().filter(overwritten).collect();
    let writers: Vec<&Inst> = primal.insts().map(|(_, i)| i).filter(|i| is_writer(i)).collect();
    let near = |(_, load): &&(ValueId, &Inst)| {
        let objects: Vec<ObjectId> = facts.objects.of(load.operands[0]).collect();
        let innermost = primal.loop_of[load.block.index()].expect("in a loop");
        let inside = writers.iter().filter(|w| primal.is_block_in(w.block, innermost));
        inside.into_iter().any(|w| may_write(primal, facts, w, &objects))
    };
    (loads.len(), loads.iter().filter(near).count())
}

struct Search<'a> {
    imported: &'a Imported,
    objects: &'a Objects,
    /// Objects that are different memory.
    apart: &'a BTreeSet<ObjectId>,
    analyses: Analyses,
    order: Order,
    /// What is known of two base pointers, by them and the type tags of the accesses.
    aliases: IndexMap<[(ir::Value, Option<ir::Value>); 2], bool>,
}

impl Search<'_> {
    fn may_write(&mut self, (writer, inst): (ValueId, &Inst), (load, address): (ValueId, ValueId)) -> bool {
        if let Op::Callee(_) = inst.op {
            let written = called(self.objects, inst, |t| t.modifies);
            let outside = |o: &ObjectId| !self.objects.is_own(*o);
            // Memory from outside may be the same under two names.
            return self
                .objects
                .of(address)
                .any(|r| written.contains(&r) || outside(&r) && written.iter().any(outside));
        }
        let Some(pointers) = written_pointers(&self.imported.primal, inst) else { return true };
        let is_call = matches!(inst.op, Op::Rule(_) | Op::Inactive(_));
        let objects = self.objects;
        if is_call && objects.of(address).any(|r| objects.all[r.index()] == Object::Unknown) {
            return true;
        }
        pointers.iter().any(|&p| self.overlap((writer, p), (load, address)))
    }

    fn overlap(&mut self, (writer, to): (ValueId, ValueId), (load, from): (ValueId, ValueId)) -> bool {
        let objects = self.objects;
        let named = |o: ObjectId| match objects.all[o.index()] {
            Object::Arg(v) | Object::Stack(v) | Object::Heap(v) | Object::Global(v) => Some(v),
            Object::Content(..) | Object::Unknown => None,
        };
        // The tags of a call speak of no single access.
        let typed = self.imported.primal.op(writer) == Some(&Op::Store);
        let bytes = |v: ValueId| self.imported.primal.ty(v).bytes();
        let sized = typed && self.imported.primal.op(load) == Some(&Op::Load);
        let value = self.imported.primal.inst(writer).filter(|_| sized).map(|i| i.operands[0]);
        for (&w, &place) in objects.targets(to) {
            for (&r, &at) in objects.targets(from) {
                // Memory that the function made is reached by pointers that were made from it only.
                let known = |o: ObjectId| objects.all[o.index()] != Object::Unknown;
                if w != r && known(w) && known(r) && (objects.is_own(w) || objects.is_own(r)) {
                    continue;
                }
                if w != r && self.apart.contains(&w) && self.apart.contains(&r) {
                    continue;
                }
                // One place of one object at a time.
                if let Some(value) = value
                    && w == r
                    && named(w).is_some()
                    && !place.overlaps(bytes(value), at, bytes(load))
                {
                    continue;
                }
                let overlap = match (named(w), named(r)) {
                    _ if w == r && !typed => true,
                    (Some(a), Some(b)) => self.may_alias((a, writer), (b, load)),
                    _ => true,
                };
                if overlap {
                    return true;
                }
            }
        }
        false
    }

    /// Whether accesses through two base pointers may meet; the same for all accesses with the same tags.
    fn may_alias(&mut self, (a, writer): (ValueId, ValueId), (b, load): (ValueId, ValueId)) -> bool {
        let origin = |v: ValueId| self.imported.origin[v.index()];
        let is_store = self.imported.primal.op(writer) == Some(&Op::Store);
        let ask = || self.analyses.may_alias((origin(a), origin(writer)), (origin(b), origin(load)));
        if !is_store {
            return ask();
        }
        let key = [(origin(a), origin(writer).type_tag()), (origin(b), origin(load).type_tag())];
        *self.aliases.entry(key).or_insert_with(ask)
    }
}

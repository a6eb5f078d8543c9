//! Which loads read memory that is not overwritten before the reverse sweep.
//!
//! A forward query: from the load to the end of the function, back edges included, with aliasing that holds across
//! iterations. (In `s += a[i+1]*a[i+1]; a[i] = 0;` one iteration's accesses never alias, the next iteration overwrites.)
//! Cost: loads x writes.

use super::activity::called;
use super::import::{Imported, written};
use super::objects::{Object, ObjectId, Objects};
use crate::llvm::analyses::Analyses;
use crate::llvm::ir;
use crate::primal::{BlockId, Def, Effect, Inst, Op, Primal, ValueId};
use crate::request::{Mode, Variant};
use crate::rules;

/// For each load, the instruction that may overwrite what it read before the reverse sweep, if any does.
pub type Overwriters = Vec<Option<ValueId>>;

/// Answers the query for every load.
pub fn analyse(imported: &Imported, objects: &Objects, analyses: Analyses, variant: &Variant) -> Overwriters {
    let primal = &imported.primal;
    let reach = Reachability::new(primal);
    let writers: Vec<(ValueId, &Inst)> = primal
        .insts()
        .filter(|(_, i)| match i.op {
            Op::Store | Op::Fill | Op::Copy | Op::Callee(_) | Op::Call(_) => true,
            // The library's own memory is written by all that have effects, the error number by rules.
            Op::Inactive(effect) => effect != Effect::None,
            Op::Rule(rule) => rules::row(rule).origin != rules::Origin::Instruction,
            Op::Unsupported(_) => true,
            // Memory that is given back is given back after the reverse sweep.
            _ => false,
        })
        .collect();
    let split = variant.mode == Mode::AugmentedForward;
    let mut overwriters = vec![None; primal.values.len()];
    for (load, inst) in primal.insts().filter(|(_, i)| i.op == Op::Load) {
        overwriters[load.index()] = writers
            .iter()
            .find(|(w, i)| {
                reach.after(primal, load, inst.block, *w, i.block)
                    && may_write(imported, objects, analyses, (*w, i), (load, inst.operands[0]))
            })
            .map(|(w, _)| *w);
        if split && objects.of(inst.operands[0]).any(|o| is_elsewhere(primal, objects, o)) {
            // Between the two sweeps of a split derivative the caller may write to it.
            overwriters[load.index()] = Some(load);
        }
    }
    overwriters
}

/// Whether memory is known outside the function, and not constant.
fn is_elsewhere(primal: &Primal, objects: &Objects, o: ObjectId) -> bool {
    match objects.all[o.index()] {
        Object::Stack(_) => false,
        Object::Global(v) => primal.value(v).def == Def::Global(false),
        Object::Arg(_) | Object::Heap(_) | Object::Content(..) | Object::Unknown => true,
    }
}

fn may_write(
    imported: &Imported,
    objects: &Objects,
    analyses: Analyses,
    (writer, inst): (ValueId, &Inst),
    (load, address): (ValueId, ValueId),
) -> bool {
    let primal = &imported.primal;
    let pointers: Vec<ValueId> = match inst.op {
        Op::Store => vec![inst.operands[1]],
        Op::Fill | Op::Copy => vec![inst.operands[0]],
        Op::Inactive(Effect::Anything) => return true,
        Op::Callee(_) => {
            let written = called(objects, inst, |t| t.modifies);
            let read: Vec<ObjectId> = objects.of(address).collect();
            // Memory from outside may be the same under two names.
            let outside = |o: &ObjectId| !objects.is_own(*o);
            return read.iter().any(|r| written.contains(r) || outside(r) && written.iter().any(outside));
        }
        Op::Rule(_) | Op::Inactive(_) => written(primal, inst).collect(),
        _ => return true,
    };
    let is_call = matches!(inst.op, Op::Rule(_) | Op::Inactive(_));
    if is_call && objects.of(address).any(|r| objects.all[r.index()] == Object::Unknown) {
        return true;
    }
    pointers.iter().any(|&p| overlap(imported, objects, analyses, (writer, p), (load, address)))
}

fn overlap(
    imported: &Imported,
    objects: &Objects,
    analyses: Analyses,
    (writer, to): (ValueId, ValueId),
    (load, from): (ValueId, ValueId),
) -> bool {
    let named = |o: ObjectId| match objects.all[o.index()] {
        Object::Arg(v) | Object::Stack(v) | Object::Heap(v) | Object::Global(v) => Some(v),
        Object::Content(..) | Object::Unknown => None,
    };
    let origin = |v: ValueId| -> ir::Value { imported.origin[v.index()] };
    // The tags of a call speak of no single access.
    let typed = imported.primal.op(writer) == Some(&Op::Store);
    let bytes = |v: ValueId| imported.primal.ty(v).bytes();
    objects.targets(to).iter().any(|(&w, &place)| {
        objects.targets(from).iter().any(|(&r, &at)| {
            // Memory that the function made is reached by pointers that were made from it only.
            let known = |o: ObjectId| objects.all[o.index()] != Object::Unknown;
            if w != r && known(w) && known(r) && (objects.is_own(w) || objects.is_own(r)) {
                return false;
            }
            // One place of one object at a time.
            let value = imported.primal.inst(writer).filter(|_| typed).map(|i| i.operands[0]);
            if let Some(value) = value
                && w == r
                && named(w).is_some()
                && !place.overlaps(bytes(value), at, bytes(load))
            {
                return false;
            }
            match (named(w), named(r)) {
                _ if w == r && !typed => true,
                (Some(a), Some(b)) => analyses.may_alias((origin(a), origin(writer)), (origin(b), origin(load))),
                _ => true,
            }
        })
    })
}

/// Which block may be executed after which.
struct Reachability {
    from: Vec<Vec<bool>>,
}

impl Reachability {
    fn new(primal: &Primal) -> Self {
        let from = (0..primal.blocks.len())
            .map(|start| {
                let mut seen = vec![false; primal.blocks.len()];
                let mut stack = primal.successors(BlockId(start as u32));
                while let Some(b) = stack.pop() {
                    if !std::mem::replace(&mut seen[b.index()], true) {
                        stack.extend(primal.successors(b));
                    }
                }
                seen
            })
            .collect();
        Reachability { from }
    }

    /// Whether `w` may be executed after `load` was.
    fn after(&self, primal: &Primal, load: ValueId, in_load: BlockId, w: ValueId, in_w: BlockId) -> bool {
        if self.from[in_load.index()][in_w.index()] {
            return true;
        }
        let position = |v: ValueId| primal.blocks[in_load.index()].insts.iter().position(|&i| i == v);
        in_load == in_w && position(w) > position(load)
    }
}

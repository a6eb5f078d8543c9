//! Which pointers in global variables did the function put there itself, on every way to where they are read?
//!
//! What a global variable holds on entry has no shadow that is known; what the function has stored there has one. A
//! forward data-flow problem over the places of constant offset that pointers are stored to or loaded from: a place is
//! assigned where all ways from the entry pass a store to it, a fill or a copy over it. Cost: blocks x places.

use crate::primal::{BlockId, Def, Effect, Holding, Inst, Kind, Offset, Op, Primal, Ty, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// A global variable and the byte offset of a pointer in it.
type Slot = (ValueId, i64);
type Slots = BTreeSet<Slot>;

/// The answer for every instruction that reads pointers from global variables.
#[derive(Default)]
pub struct Assigned {
    /// By load, copy or call: the places that are assigned before it.
    before: BTreeMap<ValueId, Slots>,
    /// Places that are assigned before every copy.
    copied: Slots,
}

impl Assigned {
    /// Looks at a whole function.
    pub fn new(primal: &Primal) -> Self {
        let all = slots(primal);
        if all.is_empty() {
            return Assigned::default();
        }
        let mut entry: Vec<Option<Slots>> = vec![None; primal.blocks.len()];
        let mut work = vec![BlockId(0)];
        entry[0] = Some(Slots::new());
        while let Some(b) = work.pop() {
            let end = through(primal, &all, b, entry[b.index()].clone().unwrap_or_default(), |_, _| {});
            for s in primal.successors(b) {
                let known = &mut entry[s.index()];
                let joined = known.as_ref().map_or(end.clone(), |known| known & &end);
                if known.as_ref() != Some(&joined) {
                    *known = Some(joined);
                    work.push(s);
                }
            }
        }
        let mut assigned = Assigned { copied: all.clone(), ..Assigned::default() };
        for (b, known) in (0..).map(BlockId).zip(entry) {
            through(primal, &all, b, known.unwrap_or_default(), |v, known| {
                match primal.op(v) {
                    Some(Op::Copy) => assigned.copied = &assigned.copied & known,
                    Some(Op::Load | Op::Callee(_)) => drop(assigned.before.insert(v, known.clone())),
                    _ => {}
                };
            });
        }
        assigned
    }

    /// Whether what a load or call finds at a place of a global variable was put there by the function.
    pub fn before(&self, v: ValueId, global: ValueId, at: Offset) -> bool {
        at.step == 0 && self.before.get(&v).is_some_and(|known| known.contains(&(global, at.at)))
    }

    /// Whether what any copy finds there was.
    pub fn before_copies(&self, global: ValueId, at: Offset) -> bool {
        at.step == 0 && self.copied.contains(&(global, at.at))
    }
}

/// The place in a global variable that a pointer leads to, if it is one and constant.
fn place(primal: &Primal, mut pointer: ValueId) -> Option<Slot> {
    let mut at = 0i64;
    loop {
        match &primal.value(pointer).def {
            Def::Global(Holding::Variables) => return Some((pointer, at)),
            Def::Inst(Inst { op: Op::Gep(by), operands, .. }) if by.step == 0 => {
                at = at.checked_add(by.at)?;
                pointer = operands[0];
            }
            Def::Inst(Inst { op: Op::Freeze, operands, .. }) => pointer = operands[0],
            _ => return None,
        }
    }
}

/// The places that pointers are stored to.
fn slots(primal: &Primal) -> Slots {
    let mut all = Slots::new();
    for (v, inst) in primal.insts() {
        match &inst.op {
            Op::Store if primal.ty(inst.operands[0]) == Ty::Ptr => all.extend(place(primal, inst.operands[1])),
            Op::Load if primal.ty(v) == Ty::Ptr => all.extend(place(primal, inst.operands[0])),
            Op::Callee(callee) => {
                for accessed in &callee.accesses {
                    if let (Some(k), Some(Offset { at, step: 0 })) = (accessed.operand, accessed.slots.first())
                        && let Some((global, start)) = place(primal, inst.operands[k])
                    {
                        all.insert((global, start + at));
                    }
                }
            }
            _ => {}
        }
    }
    all
}

/// What is assigned at the end of a block; `see` gets what is before each instruction.
fn through(primal: &Primal, all: &Slots, b: BlockId, mut known: Slots, mut see: impl FnMut(ValueId, &Slots)) -> Slots {
    for &v in &primal.blocks[b.index()].insts {
        see(v, &known);
        let Some(inst) = primal.inst(v) else { continue };
        match &inst.op {
            Op::Store if primal.ty(inst.operands[0]) == Ty::Ptr => known.extend(place(primal, inst.operands[1])),
            Op::Fill | Op::Copy => {
                let size = primal.int_constant(inst.operands[2]);
                if let (Some((global, start)), Some(size)) = (place(primal, inst.operands[0]), size) {
                    let end = start.saturating_add(size).saturating_sub(Kind::Pointer.bytes() as i64);
                    known.extend(all.iter().filter(|(g, at)| *g == global && (start..=end).contains(at)));
                }
            }
            // It may run code of the program that stores other pointers.
            Op::Inactive(Effect::Anything) | Op::Call(_) => known.clear(),
            _ => {}
        }
    }
    known
}

//! Slots: where an element is, and the memory of tapes.
//!
//! An element's address is computed from iteration numbers in Horner form. A tape with known extents holds its slots one
//! after the other; a growable one holds a block per iteration of its outermost loop. Sizes are computed by saturating
//! arithmetic of the runtime, so that an overflow is an error message and never a short block.

use super::Emit;
use crate::llvm::ir::{self, Type};
use crate::llvm::transform;
use crate::primal::{LoopId, ValueId};
use crate::revprog::{Extent, Home, SlotId};
use indexmap::IndexMap;

/// Where a slot is.
pub(super) enum SlotHome {
    /// The value itself, where it is always computed; none before that.
    Direct(Option<ir::Value>),
    /// A variable or an array on the stack.
    Stack(ir::Value),
    /// Byte offset in its tape, kept in a variable.
    Tape(ir::Value),
}

/// The variables of a tape.
pub(super) struct TapeHome {
    pointer: ir::Value,
    capacity: ir::Value,
    /// Bytes per iteration of the outermost loop, where the tape grows.
    stride: ir::Value,
    extents: IndexMap<LoopId, ir::Value>,
}

impl Emit<'_> {
    /// Makes the variables of all slots and tapes.
    pub(super) fn homes(&mut self) {
        let prog = self.input.prog;
        let module = self.input.module;
        let long = module.int(64);
        let variable = |name: &str| {
            let v = self.top.alloca(long, name);
            self.top.store(long.zero(), v);
            v
        };
        for tape in &prog.tapes {
            let pointer = self.top.alloca(module.pointer(), "tape");
            self.top.store(module.pointer().zero(), pointer);
            let mut extents = IndexMap::new();
            for s in &tape.slots {
                for (l, _) in &prog.slots[s.index()].dims {
                    extents.entry(*l).or_insert_with(|| variable("extent"));
                }
            }
            let (capacity, stride) = (variable("capacity"), variable("stride"));
            self.tapes.push(TapeHome { pointer, capacity, stride, extents });
        }
        for (s, slot) in prog.slots.iter().enumerate() {
            let element = self.element(slot.of);
            let home = match slot.home {
                Home::Register if self.direct.slots.contains(&SlotId(s as u32)) => SlotHome::Direct(None),
                Home::Register => SlotHome::Stack(self.top.alloca(element, "kept")),
                Home::Stack => {
                    let count = slot.dims.iter().map(|(_, e)| constant(e)).product::<i64>();
                    SlotHome::Stack(self.top.alloca(element.array(count as u64), "kept"))
                }
                Home::Tape(_) => SlotHome::Tape(variable("offset")),
            };
            self.slots.push(Some(home));
        }
    }

    /// The type of an element: integers fill whole bytes.
    fn element(&self, v: ValueId) -> Type {
        match self.primal.ty(v) {
            crate::primal::Ty::Int(_) => self.input.module.int(self.primal.ty(v).bytes() as u32 * 8),
            crate::primal::Ty::Ptr => self.input.module.pointer(),
            _ => self.real(v),
        }
    }

    pub(super) fn keep(&mut self, s: SlotId, v: ValueId) {
        let element = self.element(v);
        let value = self.value(v);
        if let Some(SlotHome::Direct(direct)) = &mut self.slots[s.index()] {
            *direct = Some(value);
            return;
        }
        let place = self.place_of(s);
        let value =
            if matches!(value.ty().kind(), ir::Kind::Int(_)) { self.b.int_cast(value, element, false) } else { value };
        self.b.store(value, place);
    }

    pub(super) fn fetch(&mut self, s: SlotId) -> ir::Value {
        let v = self.input.prog.slots[s.index()].of;
        if let Some(SlotHome::Direct(direct)) = &self.slots[s.index()] {
            return direct.expect("values are kept before they are fetched");
        }
        let place = self.place_of(s);
        let value = self.b.load(self.element(v), place);
        match self.primal.ty(v) {
            crate::primal::Ty::Int(bits) => self.b.int_cast(value, self.input.module.int(bits), false),
            _ => value,
        }
    }

    fn place_of(&mut self, s: SlotId) -> ir::Value {
        let prog = self.input.prog;
        let slot = &prog.slots[s.index()];
        let element = self.element(slot.of);
        let long = self.input.module.int(64);
        let home = self.slots[s.index()].as_ref().expect("slots have homes");
        let (base, skip) = match (home, slot.home) {
            (SlotHome::Stack(p), _) => (*p, 0),
            (SlotHome::Tape(offset), Home::Tape(t)) => {
                let tape = &self.tapes[t as usize];
                let pointer = self.b.load(self.input.module.pointer(), tape.pointer);
                let mut bytes = self.b.load(long, *offset);
                let growable = prog.tapes[t as usize].growable;
                if growable {
                    let stride = self.b.load(long, tape.stride);
                    let at = self.b.mul(self.iterations[&slot.dims[0].0], stride);
                    bytes = self.b.add(at, bytes);
                }
                (self.b.offset(self.input.module.int(8), pointer, bytes), usize::from(growable))
            }
            _ => unreachable!("homes are made from the slots"),
        };
        let mut index: Option<ir::Value> = None;
        for (l, extent) in &slot.dims[skip..] {
            let it = self.iterations[l];
            index = Some(match index {
                None => it,
                Some(outer) => {
                    let extent = match slot.home {
                        Home::Tape(t) => self.b.load(long, self.tapes[t as usize].extents[l]),
                        _ => long.int(constant(extent)),
                    };
                    let row = self.b.mul(outer, extent);
                    self.b.add(row, it)
                }
            });
        }
        index.map_or(base, |i| self.b.offset(element, base, i))
    }

    /// Computes extents and offsets, and gets the memory where its size is known.
    pub(super) fn allocate(&mut self, t: u32) {
        let prog = self.input.prog;
        let tape = &prog.tapes[t as usize];
        let long = self.input.module.int(64);
        let mut done: Vec<LoopId> = vec![];
        for s in &tape.slots {
            for (l, extent) in &prog.slots[s.index()].dims {
                if let Some(extent) = extent
                    && !done.contains(l)
                {
                    done.push(*l);
                    let count = self.extent(extent);
                    self.b.store(count, self.tapes[t as usize].extents[l]);
                }
            }
        }
        let mut total = long.zero();
        for s in &tape.slots {
            let slot = &prog.slots[s.index()];
            if let Some(SlotHome::Tape(offset)) = &self.slots[s.index()] {
                self.b.store(total, *offset);
            }
            let mut bytes = long.int(self.primal.ty(slot.of).bytes() as i64);
            for (l, _) in slot.dims.iter().skip(usize::from(tape.growable)) {
                let extent = self.b.load(long, self.tapes[t as usize].extents[l]);
                bytes = self.runtime("__pardiff_size_multiply", long, &[bytes, extent]);
            }
            // The next slot starts on a cache line of its own, or close by in the block of one iteration.
            let alignment = long.int(if tape.growable { 16 } else { 64 });
            let bytes = self.runtime("__pardiff_size_round", long, &[bytes, alignment]);
            total = self.runtime("__pardiff_size_add", long, &[total, bytes]);
        }
        let home = &self.tapes[t as usize];
        let (pointer, stride, capacity) = (home.pointer, home.stride, home.capacity);
        if tape.growable {
            self.b.store(total, stride);
            self.b.store(long.zero(), capacity);
            self.b.store(self.input.module.pointer().zero(), pointer);
        } else {
            let what = self.what(t);
            let memory = self.runtime("__pardiff_tape_allocate", self.input.module.pointer(), &[total, what]);
            self.b.store(memory, pointer);
        }
    }

    fn extent(&mut self, extent: &Extent) -> ir::Value {
        for v in extent.count.values() {
            self.compute_early(v);
        }
        let mut count = self.expression(&extent.count);
        for (condition, sense) in &extent.guards {
            self.compute_early(*condition);
            let condition = self.value(*condition);
            let entered = self.sense(condition, *sense);
            count = self.b.select(entered, count, count.ty().zero());
        }
        count
    }

    /// Makes a value that the loops leave alone available before they start.
    fn compute_early(&mut self, v: ValueId) {
        if self.forward[v.index()].is_some() || self.primal.loop_of_value(v).is_none() {
            return;
        }
        let operands = self.primal.inst(v).map_or(vec![], |i| i.operands.clone());
        operands.into_iter().for_each(|o| self.compute_early(o));
        let copy = self.copy(v);
        transform::drop_claims(copy);
        self.forward[v.index()] = Some(copy);
    }

    pub(super) fn grow(&mut self, t: u32) {
        let module = self.input.module;
        let long = module.int(64);
        let tape = &self.input.prog.tapes[t as usize];
        let home = &self.tapes[t as usize];
        let (pointer, stride, capacity) = (home.pointer, home.stride, home.capacity);
        let started = self.b.add(self.iterations[&tape.outermost], long.int(1));
        let stride = self.b.load(long, stride);
        let wanted = self.runtime("__pardiff_size_multiply", long, &[started, stride]);
        let old = self.b.load(module.pointer(), pointer);
        let what = self.what(t);
        let memory = self.runtime("__pardiff_tape_grow", module.pointer(), &[old, capacity, wanted, what]);
        self.b.store(memory, pointer);
    }

    pub(super) fn release(&mut self, t: u32) {
        let module = self.input.module;
        let pointer = self.b.load(module.pointer(), self.tapes[t as usize].pointer);
        self.runtime("__pardiff_tape_release", module.void(), &[pointer]);
    }

    /// What an out-of-memory message calls a tape.
    fn what(&mut self, t: u32) -> ir::Value {
        let line = self.primal.loops[self.input.prog.tapes[t as usize].outermost.index()].line;
        let place = if line == 0 { String::new() } else { format!(" in line {line}") };
        self.input.module.c_string(&format!("the loop{place} of '{}'", self.primal.name))
    }

    fn runtime(&mut self, name: &str, result: Type, arguments: &[ir::Value]) -> ir::Value {
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let function = self.input.module.declare(name, result.function(&types));
        self.b.call(function, arguments)
    }
}

fn constant(extent: &Option<Extent>) -> i64 {
    extent.as_ref().and_then(|e| e.count.as_const()).expect("stack slots have constant extents")
}

//! Slots: where an element is, and the memory of tapes.
//!
//! An element's address is the start of its slot's array plus what its shape says about the iteration numbers. On a tape
//! that grows, arrays start at multiples of the capacity. Sizes are computed by saturating arithmetic of the runtime, so
//! that an overflow is an error message and never a short block.
//!
//! What the reverse sweep needs of the forward sweep beside the tape's memory is in variables made by `crossing`.

use super::scopes::Class;
use super::{Emit, Part};
use crate::allocation;
use crate::llvm::ir::{self, Type};
use crate::llvm::transform;
use crate::primal::{Expr, Ty, ValueId};
use crate::revprog::poly::{Poly, Var};
use crate::revprog::{Content, Growth, Home, Shape, Slot, SlotId};
use indexmap::IndexMap;
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMOpcode::*;

/// Where a slot is.
pub(super) enum SlotHome {
    /// The value itself, where it is always computed; none before that.
    Direct(Option<ir::Value>),
    /// A variable or an array on the stack.
    Stack(ir::Value),
    /// In the function's block, so many bytes from its start.
    Block(u64),
    /// Where its array starts in its tape: a byte offset, for each point of the capacity where the tape grows. A variable
    /// that crosses.
    Tape(ir::Value),
}

/// The variables of a shape: its numbers, which cross.
pub(super) struct ShapeHome {
    numbers: Vec<ir::Value>,
}

/// The variables of a tape.
pub(super) struct TapeHome {
    /// Its memory; crosses. The first word of the record where the tape grows.
    block: ir::Value,
    /// For a tape that grows, a record that the runtime enlarges: `WORDS` words, the bytes that each slot takes for one
    /// iteration of the root, and the sums of these before each slot. It crosses and stays in memory: variables would
    /// have to be carried through all loops around the root.
    record: Option<ir::Value>,
    /// The number of the first iteration of the root in its present entry; none for an outermost root, which starts at 0.
    start: Option<ir::Value>,
}

/// Words of a record before those of the slots: block, capacity in iterations of the root, iterations used up.
const WORDS: usize = 3;
const CAPACITY: usize = 1;
const USED: usize = 2;

/// What a slot has for each point.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Element {
    /// A bit.
    Bit,
    /// So many bytes.
    Bytes(u64),
    /// A copy of memory.
    Snapshot(u32),
}

impl Emit<'_> {
    /// Makes the variables of all slots, shapes and tapes.
    pub(super) fn homes(&mut self) {
        let prog = self.input.prog;
        let long = self.input.module.int(64);
        for shape in &prog.shapes {
            let numbers = shape.numbers.iter().map(|_| self.crossing(long, "extent")).collect();
            self.shapes.push(ShapeHome { numbers });
        }
        for tape in &prog.tapes {
            let words = WORDS + 2 * tape.slots.len();
            let record = (tape.growth != Growth::Fixed).then(|| self.crossing(long.array(words as u64), "tape"));
            let block = record.unwrap_or_else(|| self.crossing(self.input.module.pointer(), "tape"));
            let home = TapeHome { block, record, start: None };
            self.tapes.push(home);
        }
        self.snapshot_homes();
        for (s, slot) in prog.slots.iter().enumerate() {
            let element = self.element(slot.ty);
            let home = match slot.home {
                Home::Register if self.direct.slots.contains(&SlotId(s as u32)) => SlotHome::Direct(None),
                Home::Register => SlotHome::Stack(self.crossing(element, "kept")),
                Home::Block(at) if self.part == Part::Whole => SlotHome::Block(at),
                // The record of a split derivative is such a block.
                Home::Block(_) => SlotHome::Stack(self.crossing(element, "kept")),
                Home::Stack => {
                    let points = slot.shape.and_then(|s| prog.shapes[s as usize].points.as_const());
                    let count = points.expect("slots on the stack have constant extents");
                    SlotHome::Stack(self.crossing(element.array(count as u64), "kept"))
                }
                Home::Tape(t) => match self.tapes[t as usize].record {
                    // Set below, by the order on the tape.
                    Some(record) => SlotHome::Tape(record),
                    None => SlotHome::Tape(self.crossing(long, "offset")),
                },
            };
            self.slots.push(home);
        }
        self.allocate_block();
        for (tape, home) in prog.tapes.iter().zip(&self.tapes) {
            let Some(record) = home.record else { continue };
            for (k, s) in tape.slots.iter().enumerate() {
                let word = long.int((WORDS + tape.slots.len() + k) as i64);
                self.slots[s.index()] = SlotHome::Tape(self.top.offset(long, record, word));
            }
        }
    }

    /// Gets the memory of the slots that are in one block.
    fn allocate_block(&mut self) {
        if self.part != Part::Whole {
            return;
        }
        let end = |slot: &Slot| match slot.home {
            Home::Block(at) => Some(at + slot.ty.bytes() * u64::from(slot.lanes)),
            _ => None,
        };
        let Some(bytes) = self.input.prog.slots.iter().filter_map(end).max() else { return };
        let module = self.input.module;
        let what = module.c_string(&format!("values of '{}'", self.primal.name));
        let size = module.int(64).int(bytes as i64);
        self.block = Some(self.runtime(allocation::TAPE, module.pointer(), &[size, what]));
    }

    /// Gives it back.
    pub(super) fn release_block(&mut self) {
        if let Some(block) = self.block {
            self.runtime(allocation::TAPE_RELEASE, self.input.module.void(), &[block]);
        }
    }

    /// A word of a tape's record.
    fn word(&self, record: ir::Value, n: usize) -> ir::Value {
        let long = self.input.module.int(64);
        self.b.offset(long, record, long.int(n as i64))
    }

    /// The type of an element: integers fill whole bytes.
    fn element(&self, ty: Ty) -> Type {
        let module = self.input.module;
        match ty {
            Ty::Int(_) => module.int(ty.bytes() as u32 * 8),
            Ty::Ptr => module.pointer(),
            Ty::Float => module.float(),
            Ty::Extended => module.extended(),
            _ => module.double(),
        }
    }

    pub(super) fn keep(&mut self, s: SlotId, v: ValueId) {
        let value = self.value(v);
        if let SlotHome::Direct(direct) = &mut self.slots[s.index()] {
            *direct = Some(value);
            return;
        }
        if self.is_packed(s) {
            return self.keep_bit(s, value);
        }
        let element = self.element(self.primal.ty(v));
        let place = self.place_of(s);
        let value =
            if matches!(value.ty().kind(), ir::Kind::Int(_)) { self.b.int_cast(value, element, false) } else { value };
        let store = self.b.store(value, place);
        self.note_slot(s, store);
        self.leave_alone(s, store);
    }

    /// What is in the function's block is not to become variables again.
    fn leave_alone(&self, s: SlotId, access: ir::Value) {
        if matches!(self.slots[s.index()], SlotHome::Block(_)) {
            transform::keep_in_memory(access);
        }
    }

    pub(super) fn fetch(&mut self, s: SlotId) -> ir::Value {
        if let SlotHome::Direct(direct) = &self.slots[s.index()] {
            return direct.expect("values are kept before they are fetched");
        }
        if self.is_packed(s) {
            return self.fetch_bit(s);
        }
        let ty = self.input.prog.slots[s.index()].ty;
        let place = self.place_of(s);
        let value = self.b.load(self.element(ty), place);
        self.note_slot(s, value);
        self.leave_alone(s, value);
        match ty {
            Ty::Int(bits) => self.b.int_cast(value, self.input.module.int(bits), false),
            _ => value,
        }
    }

    fn note_slot(&mut self, s: SlotId, access: ir::Value) {
        if matches!(self.slots[s.index()], SlotHome::Tape(_)) {
            self.note_access(access, Class::Tape);
        }
    }

    /// The address of a slot's element at the present iteration point.
    pub(super) fn place_of(&mut self, s: SlotId) -> ir::Value {
        let prog = self.input.prog;
        let slot = &prog.slots[s.index()];
        let long = self.input.module.int(64);
        let base = match (&self.slots[s.index()], slot.home) {
            (SlotHome::Stack(p), _) => *p,
            (SlotHome::Block(at), _) => {
                let block = self.block.expect("a block is made for the slots in it");
                self.b.offset(self.input.module.int(8), block, long.int(*at as i64))
            }
            (SlotHome::Tape(offset), Home::Tape(t)) => {
                let tape = &self.tapes[t as usize];
                let (block, record) = (tape.block, tape.record);
                let block = self.b.load(self.input.module.pointer(), block);
                let mut bytes = self.b.load(long, *offset);
                let mut known = vec![block, bytes];
                if let Some(record) = record {
                    let capacity = self.b.load(long, self.word(record, CAPACITY));
                    known.push(capacity);
                    bytes = self.b.mul(capacity, bytes);
                }
                for access in known {
                    self.note_access(access, Class::Record);
                }
                self.b.offset(self.input.module.int(8), block, bytes)
            }
            _ => unreachable!("homes are made from the slots"),
        };
        let Some(shape) = slot.shape else { return base };
        let mut point = self.point(shape, slot.home);
        if self.is_packed(s) {
            point = self.b.binary(LLVMLShr, point, long.int(3));
        }
        if let Content::Snapshot(n) = slot.of {
            let size = self.b.load(long, self.snapshots[&n]);
            self.note_access(size, Class::Record);
            point = self.b.mul(point, size);
        }
        self.b.offset(self.element(slot.ty), base, point)
    }

    fn is_packed(&self, s: SlotId) -> bool {
        self.input.prog.slots[s.index()].packed
    }

    fn keep_bit(&mut self, s: SlotId, value: ir::Value) {
        let byte = self.input.module.int(8);
        let (place, bit) = (self.place_of(s), self.bit(s));
        let old = self.b.load(byte, place);
        let mask = self.b.binary(LLVMShl, byte.int(1), bit);
        let others = self.b.binary(LLVMXor, mask, byte.int(-1));
        let value = self.b.int_cast(value, byte, false);
        let new = self.b.binary(LLVMShl, value, bit);
        let kept = self.b.binary(LLVMAnd, old, others);
        let kept = self.b.binary(LLVMOr, kept, new);
        let store = self.b.store(kept, place);
        self.note_slot(s, old);
        self.note_slot(s, store);
    }

    fn fetch_bit(&mut self, s: SlotId) -> ir::Value {
        let byte = self.input.module.int(8);
        let (place, bit) = (self.place_of(s), self.bit(s));
        let all = self.b.load(byte, place);
        self.note_slot(s, all);
        let shifted = self.b.binary(LLVMLShr, all, bit);
        self.b.int_cast(shifted, self.input.module.int(1), false)
    }

    /// Which bit of its byte the present point of a packed slot is.
    fn bit(&mut self, s: SlotId) -> ir::Value {
        let slot = &self.input.prog.slots[s.index()];
        let point = self.point(slot.shape.expect("packed slots are on tapes"), slot.home);
        let low = self.b.binary(LLVMAnd, point, self.input.module.int(64).int(7));
        self.b.int_cast(low, self.input.module.int(8), false)
    }

    /// The number of the present iteration point in a shape.
    fn point(&mut self, shape: u32, home: Home) -> ir::Value {
        let prog = self.input.prog;
        let dims = &prog.shapes[shape as usize].dims;
        let grows = prog.shapes[shape as usize].grows();
        let mut point = None;
        for (k, dim) in dims.iter().enumerate() {
            let mut part = self.polynomial(&dim.before, shape);
            if grows && k == 0 {
                if let Home::Tape(t) = home
                    && let Some(start) = self.tapes[t as usize].start
                {
                    part = self.b.add(start, part);
                }
                let row = self.polynomial(&prog.shapes[shape as usize].points, shape);
                part = self.b.mul(part, row);
            }
            point = Some(point.map_or(part, |sum| self.b.add(sum, part)));
        }
        point.expect("shapes have a root")
    }

    /// A polynomial at the present iteration point.
    fn polynomial(&mut self, p: &Poly, shape: u32) -> ir::Value {
        let long = self.input.module.int(64);
        let mut sum = long.zero();
        for (vars, c) in &p.terms {
            let mut product = long.int(*c);
            for v in vars {
                let factor = self.variable(*v, shape);
                product = self.b.mul(product, factor);
            }
            sum = self.b.add(sum, product);
        }
        if p.over == 1 { sum } else { self.b.binary(LLVMUDiv, sum, long.int(p.over)) }
    }

    fn variable(&self, v: Var, shape: u32) -> ir::Value {
        match v {
            Var::Iter(l) => self.iterations[&l],
            Var::Number(n) => self.b.load(self.input.module.int(64), self.shapes[shape as usize].numbers[n as usize]),
        }
    }

    /// Computes extents and offsets, and gets the memory where its size is known.
    pub(super) fn allocate(&mut self, t: u32) {
        let prog = self.input.prog;
        let tape = &prog.tapes[t as usize];
        let long = self.input.module.int(64);
        // Slots of one size follow each other at one distance: there is arithmetic that saturates for each size only.
        let mut alike: IndexMap<(u32, Element), Vec<SlotId>> = IndexMap::new();
        for &s in &tape.slots {
            let slot = &prog.slots[s.index()];
            let shape = slot.shape.expect("slots on tapes are in loops");
            let element = match slot.of {
                Content::Snapshot(n) => Element::Snapshot(n),
                _ if self.is_packed(s) => Element::Bit,
                _ => Element::Bytes(slot.ty.bytes() * u64::from(slot.lanes)),
            };
            alike.entry((shape, element)).or_default().push(s);
        }
        let mut points: IndexMap<u32, ir::Value> = IndexMap::new();
        let mut total = long.zero();
        let mut words = WORDS..;
        for ((shape, element), slots) in alike {
            let known = points.get(&shape).copied();
            let count = known.unwrap_or_else(|| self.points(shape));
            points.insert(shape, count);
            let mut bytes = match element {
                Element::Bit => {
                    let full = self.b.binary(LLVMLShr, count, long.int(3));
                    self.b.add(full, long.int(1))
                }
                Element::Bytes(bytes) => {
                    self.runtime("__pardiff_size_multiply", long, &[count, long.int(bytes as i64)])
                }
                Element::Snapshot(n) => {
                    let size = self.snapshot_size(n);
                    self.runtime("__pardiff_size_multiply", long, &[count, size])
                }
            };
            if self.tapes[t as usize].record.is_none() {
                // Each slot starts on a cache line of its own.
                bytes = self.runtime("__pardiff_size_round", long, &[bytes, long.int(64)]);
            }
            for (k, s) in slots.iter().enumerate() {
                if let SlotHome::Tape(offset) = self.slots[s.index()] {
                    let before = self.b.mul(bytes, long.int(k as i64));
                    let at = self.b.add(total, before);
                    self.b.store(at, offset);
                }
                if let Some(record) = self.tapes[t as usize].record {
                    let word = words.next().expect("there is no end");
                    self.b.store(bytes, self.word(record, word));
                }
            }
            let all = self.runtime("__pardiff_size_multiply", long, &[bytes, long.int(slots.len() as i64)]);
            total = self.runtime("__pardiff_size_add", long, &[total, all]);
        }
        let home = &self.tapes[t as usize];
        match home.record {
            Some(record) => {
                for n in 0..WORDS {
                    self.b.store(long.zero(), self.word(record, n));
                }
            }
            None => {
                let block = home.block;
                let what = self.what(t);
                let memory = self.runtime(allocation::TAPE, self.input.module.pointer(), &[total, what]);
                self.b.store(memory, block);
            }
        }
    }

    /// Computes the numbers of a shape, and how many points it has (in one iteration of a growing root). Saturates.
    fn points(&mut self, id: u32) -> ir::Value {
        let shape = &self.input.prog.shapes[id as usize];
        let long = self.input.module.int(64);
        for (n, number) in shape.numbers.iter().enumerate() {
            let value = self.early(number);
            self.b.store(value, self.shapes[id as usize].numbers[n]);
        }
        let mut count = self.most_points(shape, id);
        if !shape.is_rectangular() {
            // What is divided by `over` must fit as well.
            let over = shape.dims.iter().map(|d| d.before.over).fold(shape.points.over, i64::max);
            let most = self.runtime("__pardiff_size_multiply", long, &[count, long.int(over)]);
            let exact = self.polynomial(&shape.points, id);
            count = self.runtime("__pardiff_size_check", long, &[exact, most]);
        }
        for (condition, sense) in &shape.guards {
            let entered = self.early_condition(*condition, *sense);
            count = self.b.select(entered, count, long.zero());
        }
        count
    }

    /// Whether a condition that is known before the loops holds.
    pub(super) fn early_condition(&mut self, condition: ValueId, sense: bool) -> ir::Value {
        self.compute_early(condition);
        let condition = self.value(condition);
        self.sense(condition, sense)
    }

    /// The product of the most that extents can be.
    fn most_points(&mut self, shape: &Shape, id: u32) -> ir::Value {
        let long = self.input.module.int(64);
        let mut product = long.int(1);
        for dim in shape.dims.iter().filter(|d| d.extent.is_some()) {
            let mut sum = long.zero();
            for (vars, c) in &dim.most.terms {
                let mut part = long.int(*c);
                for v in vars {
                    let factor = self.variable(*v, id);
                    part = self.runtime("__pardiff_size_multiply", long, &[part, factor]);
                }
                sum = self.runtime("__pardiff_size_add", long, &[sum, part]);
            }
            product = self.runtime("__pardiff_size_multiply", long, &[product, sum]);
        }
        product
    }

    /// An expression that the loops leave alone, before they start, or on entry.
    pub(super) fn early(&mut self, e: &Expr) -> ir::Value {
        for v in e.values() {
            self.compute_early(v);
        }
        self.expression(e)
    }

    /// Makes a value that the loops leave alone available where nothing has computed it yet.
    fn compute_early(&mut self, v: ValueId) {
        // A replay has sources for what its extents are computed from.
        let wanted = !self.reverse && self.forward[v.index()].is_none();
        let Some(inst) = self.primal.inst(v).filter(|_| wanted) else { return };
        let operands = inst.operands.clone();
        operands.into_iter().for_each(|o| self.compute_early(o));
        let copy = self.copy(v);
        transform::drop_claims(copy);
        self.forward[v.index()] = Some(copy);
    }

    /// An entry of an inner root: its iterations start where those of the entry before ended.
    pub(super) fn start_tape(&mut self, t: u32) {
        let tape = &self.input.prog.tapes[t as usize];
        let long = self.input.module.int(64);
        let record = self.record(t);
        let start = self.b.load(long, self.word(record, USED));
        let place = self.place_of(tape.starts.expect("only inner roots start"));
        self.b.store(start, place);
        self.tapes[t as usize].start = Some(start);
        if let Growth::ByEntry(count) = &tape.growth {
            let long = self.input.module.int(64);
            let count = self.expression(count);
            let used = self.runtime("__pardiff_size_add", long, &[start, count]);
            self.make_room(t, used);
        }
    }

    /// What `start_tape` noted.
    pub(super) fn find(&mut self, t: u32) {
        let starts = self.input.prog.tapes[t as usize].starts.expect("only inner roots start");
        let start = self.fetch(starts);
        self.tapes[t as usize].start = Some(start);
    }

    pub(super) fn grow(&mut self, t: u32) {
        let long = self.input.module.int(64);
        let it = self.iterations[&self.input.prog.tapes[t as usize].root];
        let point = self.tapes[t as usize].start.map_or(it, |start| self.b.add(start, it));
        let used = self.b.add(point, long.int(1));
        self.make_room(t, used);
    }

    fn record(&self, t: u32) -> ir::Value {
        self.tapes[t as usize].record.expect("tapes that grow have a record")
    }

    /// Makes room for `wanted` iterations of the root, all entries together.
    fn make_room(&mut self, t: u32, wanted: ir::Value) {
        let long = self.input.module.int(64);
        let record = self.record(t);
        self.b.store(wanted, self.word(record, USED));
        let room = self.b.load(long, self.word(record, CAPACITY));
        let full = self.b.icmp(LLVMIntUGT, wanted, room);
        let [larger, on] = ["larger", "room"].map(|n| self.b.new_block(self.function, n));
        self.b.branch(full, larger, on);
        self.b.at_end(larger);
        let slots = long.int(self.input.prog.tapes[t as usize].slots.len() as i64);
        let what = self.what(t);
        self.runtime("__pardiff_tape_grow", self.input.module.void(), &[record, slots, what]);
        self.b.jump(on);
        self.b.at_end(on);
    }

    pub(super) fn release(&mut self, t: u32) {
        let module = self.input.module;
        let block = self.b.load(module.pointer(), self.tapes[t as usize].block);
        self.runtime(allocation::TAPE_RELEASE, module.void(), &[block]);
    }

    /// What an out-of-memory message calls a tape: its largest slot, and how many more there are.
    fn what(&mut self, t: u32) -> ir::Value {
        let prog = self.input.prog;
        let tape = &prog.tapes[t as usize];
        let depth = |s: &&SlotId| prog.slots[s.index()].nest.len() as u64 * 16 + prog.slots[s.index()].ty.bytes();
        // The first of several.
        let largest = tape.slots.iter().rev().max_by_key(depth).expect("tapes have slots");
        let (value, mut line) = match prog.slots[largest.index()].of {
            Content::Value(v) => ("a value", self.primal.inst(v).map_or(0, |i| i.loc.0)),
            Content::Start(_) => ("the starts of an inner loop", 0),
            Content::Snapshot(n) => {
                let first = prog.snapshots[n as usize].loads.first();
                ("copies of memory that is read", first.and_then(|v| self.primal.inst(*v)).map_or(0, |i| i.loc.0))
            }
        };
        if line == 0 {
            line = self.primal.loops[tape.root.index()].line;
        }
        let place = if line == 0 { String::new() } else { format!(" in line {line}") };
        let others = match tape.slots.len() - 1 {
            0 => String::new(),
            1 => " and another value".to_string(),
            n => format!(" and {n} other values"),
        };
        let text = format!("{value}{place}{others} of '{}'", self.primal.name);
        self.input.module.c_string(&text)
    }

    pub(super) fn runtime(&mut self, name: &str, result: Type, arguments: &[ir::Value]) -> ir::Value {
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let function = self.input.module.declare(name, result.function(&types));
        self.b.call(function, arguments)
    }
}

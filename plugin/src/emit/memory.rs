//! Memory with shadows: stack objects, allocations, globals; pointers kept in memory; blocks.
//!
//! The shadow of a pointer that leads to memory without a shadow is null at its root (where it was loaded, allocated or
//! chosen). An access through a pointer that may lead to either kind is made where the root's shadow is not null.

use super::scopes::Class;
use super::{Emit, Part};
use crate::allocation;
use crate::facts::blocks::{self, Field};
use crate::facts::objects::Object;
use crate::llvm::ir::{self, Type};
use crate::primal::{Allocation, Def, Kind, Op, Ty, ValueId};
use indexmap::IndexMap;
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};

/// Whether the shadow that a pointer leads to exists.
#[derive(Clone, Copy)]
pub(super) enum Exists {
    Always,
    Never,
    /// While running, if this holds.
    If(ir::Value),
}

impl Emit<'_> {
    /// Shadows of the variables that live as long as the function or longer.
    pub(super) fn lasting_shadows(&mut self) {
        for object in &self.input.facts.objects.all {
            let Object::Global(v) = object else { continue };
            let shadowed =
                self.input.facts.objects.named(object).is_some_and(|o| self.input.facts.active.is_shadowed(o));
            if shadowed && self.input.facts.has_shadow(*v) {
                self.global_shadow(*v);
            }
        }
    }

    /// The shadow of a global variable is one itself; what it held of an earlier derivative is cleared.
    fn global_shadow(&mut self, v: ValueId) {
        let module = self.input.module;
        let origin = self.origin(v);
        let shadow = module.shadow_global(origin);
        self.shadows.insert(v, shadow);
        let size = module.size_of(origin.global_type());
        // Between calls of one derivative the shadow keeps what it holds. Before a reverse sweep that the program
        // calls others may have left something there, unless the shadow was returned for the seed.
        let seeded = self.part == Part::Reverse && self.input.variant.shadow_return;
        if self.input.variant.inner || seeded {
            return;
        }
        let bytes = module.int(64).int(size as i64);
        self.clear_fields(None, shadow, bytes);
    }

    pub(super) fn stack_object(&mut self, v: ValueId) {
        let origin = self.origin(v);
        let module = self.input.module;
        let count = origin.operand(0).and_then(|n| n.as_int()).unwrap_or(1) as u64;
        let size = module.size_of(origin.allocated_type()) * count;
        let make = |e: &mut Self, name: &str| {
            let object = match e.part {
                Part::Whole => e.top.insert(origin.clone_instruction()),
                _ => e.crossing(module.int(8).array(size), name),
            };
            object.set_name(name);
            object
        };
        let copy = make(self, &origin.name());
        self.forward[v.index()] = Some(copy);
        let facts = self.input.facts;
        if facts.objects.named(&Object::Stack(v)).is_some_and(|o| facts.active.is_shadowed(o)) {
            let shadow = make(self, &format!("{}'", origin.name()));
            self.shadows.insert(v, shadow);
            if self.part == Part::Reverse {
                return;
            }
            let bytes = module.int(64).int(size as i64);
            let no = module.int(1).zero();
            let arguments = [shadow, module.int(8).zero(), bytes, no];
            self.top.intrinsic("llvm.memset", &[shadow.ty(), bytes.ty()], &arguments);
        }
    }

    /// The shadow of a pointer that no other shadow address leads to, as it is made in the forward sweep.
    pub(super) fn root_shadow(&mut self, of: ValueId) -> ir::Value {
        match self.primal.op(of) {
            Some(Op::Load) => self.loaded_shadow(of),
            Some(Op::Callee(_)) => self.given[&of].shadow.unwrap_or(self.input.module.pointer().zero()),
            Some(Op::Allocate(allocation)) => self.allocated_shadow(of, *allocation),
            _ => self.b.load(self.input.module.pointer(), self.chosen[&of]),
        }
    }

    /// The shadow of a loaded pointer. Memory from outside may hold the pointer itself there: it has no shadow then.
    pub(super) fn loaded_shadow(&mut self, of: ValueId) -> ir::Value {
        let address = self.primal.inst(of).expect("a load").operands[0];
        let pointer = self.input.module.pointer();
        let exists = self.exists(address);
        let place = self.shadow(address);
        let shadow = self.guarded_value(exists, pointer, |e| {
            let shadow = e.b.load(pointer, place);
            e.note_access(shadow, Class::Shadow(None, false))
        });
        if !self.input.facts.is_maybe(of) {
            return shadow;
        }
        let primal = self.value(of);
        let same = self.b.icmp(LLVMIntEQ, shadow, primal);
        let shadow = self.b.select(same, pointer.zero(), shadow);
        if !self.reverse && self.input.facts.may_be_as_on_entry(of) {
            let (name, line) = (&self.primal.name, self.primal.inst(of).expect("a load").loc.0);
            let place = self.input.module.c_string(&format!("'{name}', line {line},"));
            self.runtime("__pardiff_check_shadow", self.input.module.void(), &[primal, shadow, place]);
        }
        shadow
    }

    /// Memory of the same kind and size, with zeros.
    fn allocated_shadow(&mut self, of: ValueId, allocation: Allocation) -> ir::Value {
        let shadow = self.allocate_memory(of, allocation);
        if !allocation.zeroed {
            let size = self.allocated_size(of);
            self.runtime("__pardiff_clear_shadow", self.input.module.void(), &[shadow, size]);
        }
        shadow
    }

    fn allocated_size(&mut self, of: ValueId) -> ir::Value {
        let long = self.input.module.int(64);
        let (known, _) = allocation::of_call(self.origin(of)).expect("allocations are known");
        let operands = &self.primal.inst(of).expect("a call").operands;
        let factors: Vec<ValueId> = known.size.iter().map(|&n| operands[n]).collect();
        let sizes: Vec<_> = factors
            .into_iter()
            .map(|v| {
                let v = self.value(v);
                self.b.int_cast(v, long, false)
            })
            .collect();
        sizes.into_iter().reduce(|a, b| self.b.mul(a, b)).expect("allocations have a size")
    }

    /// Executes an allocation of the primal.
    pub(super) fn allocate_memory(&mut self, v: ValueId, allocation: Allocation) -> ir::Value {
        let memory = self.copy(v);
        if allocation.local {
            let module = self.input.module;
            let deferred = module.declare(allocation::DEFERRED_ARRAY, memory.call_type());
            memory.set_operand(memory.operand_count() - 1, deferred);
            self.defer("free", memory);
        }
        memory
    }

    /// Memory that the primal gives back is still read by the reverse sweep.
    pub(super) fn free(&mut self, v: ValueId) {
        let operands = &self.primal.inst(v).expect("a call").operands;
        let pointer = operands[0];
        // Derived code has a list of its own: its reverse sweep is still to come, also where this is forward mode.
        let list = operands.get(1).map(|list| self.value(*list));
        let Some(plain) = allocation::of_call(self.origin(v)).and_then(|(known, _)| known.takes) else { return };
        let memory = self.value(pointer);
        let shadow = self.input.facts.has_shadow(pointer).then(|| self.existing_shadow(pointer));
        for memory in [Some(memory), shadow].into_iter().flatten() {
            if self.input.prog.reverse.is_some() {
                self.defer(&plain, memory);
            } else if let Some(list) = list {
                self.defer_to(list, &plain, memory);
            } else {
                let module = self.input.module;
                let function = module.declare(&plain, module.void().function(&[module.pointer()]));
                self.b.call(function, &[memory]);
            }
        }
    }

    /// Notes memory to be given back at the end.
    fn defer(&mut self, by: &str, memory: ir::Value) {
        let list = self.deferred();
        self.defer_to(list, by, memory);
    }

    fn defer_to(&mut self, list: ir::Value, by: &str, memory: ir::Value) {
        let module = self.input.module;
        let function = module.declare(by, module.void().function(&[module.pointer()]));
        self.runtime(allocation::DEFER, module.void(), &[list, function, memory]);
    }

    pub(super) fn deferred(&mut self) -> ir::Value {
        if let Some(list) = self.deferred {
            return list;
        }
        // The list of a split derivative is in its record, made by `open_record`.
        let ty = self.input.module.int(64).array(3);
        let list = self.top.alloca(ty, "deferred");
        self.top.store(ty.zero(), list);
        *self.deferred.insert(list)
    }

    /// Makes, or finds, the memory that crosses from the forward to the reverse function of a split derivative.
    pub(super) fn open_record(&mut self) {
        let module = self.input.module;
        self.record_size = 0;
        if self.part == Part::Forward {
            let what = module.c_string(&format!("a call of '{}'", self.primal.name));
            let (long, pointer) = (module.int(64), module.pointer());
            let function = module.declare(allocation::TAPE, pointer.function(&[long, pointer]));
            self.record = Some(self.top.call(function, &[long.zero(), what]));
        }
        if self.part != Part::Whole && !self.input.variant.inner {
            self.mark();
            let ty = module.int(64).array(3);
            let list = self.crossing(ty, "deferred");
            if self.part == Part::Forward {
                self.top.store(ty.zero(), list);
            }
            self.deferred = Some(list);
        }
    }

    /// Marks the tape with what it is for, and looks for that mark before it is used.
    fn mark(&mut self) {
        let module = self.input.module;
        let long = module.int(64);
        let place = self.crossing(long, "mark");
        self.mark = Some(if self.part == Part::Forward {
            self.top.store(long.zero(), place)
        } else {
            let what = module.c_string(&format!("the reverse sweep of '{}'", self.primal.name));
            let ty = module.void().function(&[module.pointer(), long, module.pointer()]);
            let check = module.declare("__pardiff_tape_check", ty);
            self.top.call(check, &[self.record.expect("a reverse sweep has a record"), long.zero(), what])
        });
    }

    /// The size of the record is known now.
    pub(super) fn close_record(&mut self) {
        if let Some(mark) = self.mark.take() {
            let of = format!("{:?} {}", self.input.variant, self.record_size);
            let value = self.input.module.int(64).int(fingerprint(&of) as i64);
            mark.set_operand(u32::from(self.part == Part::Reverse), value);
        }
        let Some(record) = self.record.filter(|_| self.part == Part::Forward) else { return };
        if self.record_size > 0 {
            record.set_operand(0, self.input.module.int(64).int(self.record_size as i64));
        } else {
            record.replace_uses(record.ty().zero());
            record.erase();
            self.record = Some(self.input.module.pointer().zero());
        }
    }

    /// A variable that the forward sweep fills for the reverse sweep, which reads it only where that did.
    pub(super) fn crossing(&mut self, ty: Type, name: &str) -> ir::Value {
        const ALIGNMENT: u64 = 16;
        let Some(record) = self.record.filter(|_| self.part != Part::Whole) else { return self.top.alloca(ty, name) };
        let module = self.input.module;
        let at = self.record_size.next_multiple_of(ALIGNMENT);
        self.record_size = at + module.size_of(ty);
        self.top.offset(module.int(8), record, module.int(64).int(at as i64))
    }

    pub(super) fn release_memory(&mut self) {
        let list = self.deferred();
        self.runtime("__pardiff_release_deferred", self.input.module.void(), &[list]);
    }

    /// Whether a pointer leads to memory with a shadow.
    pub(super) fn exists(&mut self, pointer: ValueId) -> Exists {
        let facts = self.input.facts;
        if !facts.has_shadow(pointer) {
            return Exists::Never;
        }
        if !facts.is_maybe(pointer) {
            return Exists::Always;
        }
        if let Some(&shadow) = self.shadows.get(&pointer) {
            return Exists::If(self.b.icmp(LLVMIntNE, shadow, shadow.ty().zero()));
        }
        if let Some(root) = self.primal.added(&Def::Shadow(pointer)) {
            let shadow = self.value(root);
            return Exists::If(self.b.icmp(LLVMIntNE, shadow, shadow.ty().zero()));
        }
        let operands = self.primal.inst(pointer).map_or(&[][..], |i| &i.operands);
        match self.primal.op(pointer) {
            Some(Op::Gep(_) | Op::Freeze) => self.exists(operands[0]),
            Some(Op::Select) => {
                let c = self.value(operands[0]);
                let bit = |e: &Self, exists| match exists {
                    Exists::Always => e.input.module.int(1).int(1),
                    Exists::Never => e.input.module.int(1).zero(),
                    Exists::If(c) => c,
                };
                let (a, b) = (self.exists(operands[1]), self.exists(operands[2]));
                let (a, b) = (bit(self, a), bit(self, b));
                Exists::If(self.b.select(c, a, b))
            }
            _ => match facts.closed_form(pointer).and_then(|e| e.base(self.primal)) {
                Some(base) if base != pointer => self.exists(base),
                _ => Exists::Never,
            },
        }
    }

    /// The shadow of a pointer; null where there is none.
    pub(super) fn existing_shadow(&mut self, pointer: ValueId) -> ir::Value {
        let null = self.input.module.pointer().zero();
        match self.exists(pointer) {
            Exists::Never => null,
            Exists::Always => self.shadow(pointer),
            Exists::If(c) => {
                let shadow = self.shadow(pointer);
                self.b.select(c, shadow, null)
            }
        }
    }

    /// Emits something where a shadow exists.
    pub(super) fn guarded(&mut self, exists: Exists, emit: impl FnOnce(&mut Self)) {
        self.either(exists, emit, |_| {});
    }

    /// Emits one thing where a shadow exists, another where it does not.
    pub(super) fn either(&mut self, exists: Exists, emit: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let condition = match exists {
            Exists::Always => return emit(self),
            Exists::Never => return other(self),
            Exists::If(condition) => condition,
        };
        let [yes, no, end] = ["shadow", "none", "end"].map(|n| self.b.new_block(self.function, n));
        self.b.branch(condition, yes, no);
        self.b.at_end(yes);
        self.frames.push(IndexMap::new());
        emit(self);
        self.frames.pop();
        self.b.jump(end);
        self.b.at_end(no);
        self.frames.push(IndexMap::new());
        other(self);
        self.frames.pop();
        self.b.jump(end);
        self.b.at_end(end);
    }

    /// A value that is had where a shadow exists, and zero elsewhere.
    pub(super) fn guarded_value(
        &mut self,
        exists: Exists,
        ty: Type,
        emit: impl FnOnce(&mut Self) -> ir::Value,
    ) -> ir::Value {
        if let Exists::Always = exists {
            return emit(self);
        }
        let mut sides = vec![];
        let (mut yes, mut no) = (None, None);
        self.either(exists, |e| yes = Some((emit(e), e.b.block())), |e| no = Some((ty.zero(), e.b.block())));
        sides.extend(yes);
        sides.extend(no);
        match sides.as_slice() {
            [(value, _)] => *value,
            _ => {
                let phi = self.b.phi(ty, "");
                sides.into_iter().for_each(|(value, from)| phi.add_incoming(value, from));
                phi
            }
        }
    }

    pub(super) fn store_shadow(&mut self, store: ValueId) {
        let operands = self.primal.inst(store).expect("a store").operands.clone();
        let shadow = self.existing_shadow(operands[0]);
        let exists = self.exists(operands[1]);
        let place = self.shadow(operands[1]);
        self.guarded(exists, |e| {
            let store = e.b.store(shadow, place);
            e.note_access(store, Class::Shadow(None, false));
        });
    }

    /// The pointers in a copied block have shadows, which are copied with them.
    pub(super) fn copy_shadows(&mut self, copy: ValueId) {
        let pointers = blocks::pointers(self.primal, self.input.facts, copy);
        self.pass_fields(copy, &pointers, |_| "__pardiff_copy_pointers");
    }

    /// The adjoint of a copy of reals, by the runtime: both blocks may be the same.
    pub(super) fn add_block(&mut self, copy: ValueId) {
        let fields = blocks::fields(self.primal, self.input.facts, copy).expect("checks know the fields");
        let reals: Vec<Field> = fields.into_iter().filter(|f| matches!(f.kind, Kind::Real(_))).collect();
        self.pass_fields(copy, &reals, |kind| match kind {
            Kind::Real(Ty::Float) => "__pardiff_add_blockf",
            Kind::Real(Ty::Extended) => "__pardiff_add_blockl",
            _ => "__pardiff_add_block",
        });
    }

    /// Calls a function of the runtime on each of these fields of a copy's two shadows; where its source has none, the
    /// fields of the destination are cleared.
    fn pass_fields(&mut self, copy: ValueId, fields: &[Field], by: impl Fn(Kind) -> &'static str) {
        let operands = self.primal.inst(copy).expect("a copy").operands.clone();
        let (to_exists, from_exists) = (self.exists(operands[0]), self.exists(operands[1]));
        let (to, from) = (self.shadow(operands[0]), self.shadow(operands[1]));
        let size = self.size(operands[2]);
        self.guarded(to_exists, |e| {
            e.either(
                from_exists,
                |e| fields.iter().for_each(|f| e.field(by(f.kind), f, &[to, from, size])),
                |e| e.clear_fields(Some(fields), to, size),
            );
        });
    }

    /// Clears the shadow of a block that is overwritten.
    pub(super) fn clear_block(&mut self, v: ValueId) {
        let operands = self.primal.inst(v).expect("a fill or copy").operands.clone();
        let exists = self.exists(operands[0]);
        let to = self.shadow(operands[0]);
        let size = self.size(operands[2]);
        let facts = self.input.facts;
        // Pointers that were stored later stay, for those who look at the shadow when all is done.
        let carries = facts.points_to_carrier(operands[0]);
        let fields = if carries { blocks::fields(self.primal, facts, v) } else { None };
        self.guarded(exists, |e| e.clear_fields(fields.as_deref(), to, size));
    }

    fn size(&mut self, v: ValueId) -> ir::Value {
        let size = self.value(v);
        self.b.int_cast(size, self.input.module.int(64), false)
    }

    /// Clears the numbers of a block, or all of it where nothing else is there.
    fn clear_fields(&mut self, fields: Option<&[Field]>, to: ir::Value, size: ir::Value) {
        let module = self.input.module;
        let Some(fields) = fields else {
            let arguments = [to, module.int(8).zero(), size, module.int(1).zero()];
            self.b.intrinsic("llvm.memset", &[to.ty(), size.ty()], &arguments);
            return;
        };
        let pointers = fields.iter().all(|f| f.kind == Kind::Pointer);
        for f in fields.iter().filter(|f| pointers || matches!(f.kind, Kind::Real(_))) {
            let bytes = module.int(64).int(f.kind.bytes() as i64);
            self.field("__pardiff_clear_fields", f, &[to, size, bytes]);
        }
    }

    /// Calls a function of the runtime that works on every element of a field.
    fn field(&mut self, name: &str, field: &Field, arguments: &[ir::Value]) {
        let long = self.input.module.int(64);
        let (at, step) = (long.int(field.at as i64), long.int(field.step as i64));
        let all: Vec<_> = arguments.iter().copied().chain([at, step]).collect();
        self.runtime(name, self.input.module.void(), &all);
    }
}

/// A number for a text, the same in every run (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

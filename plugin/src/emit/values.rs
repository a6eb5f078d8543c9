//! Values of the primal in either sweep, closed forms, and shadow addresses.

use super::scopes::Class;
use super::{Emit, Key};
use crate::llvm::ir::{self, Kind};
use crate::llvm::transform;
use crate::primal::expr::{Cast, Nary};
use crate::primal::{Def, Expr, Op, Ty, ValueId};
use crate::revprog::Source;
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMOpcode::*;

impl Emit<'_> {
    pub(super) fn recall(&self, key: Key) -> Option<ir::Value> {
        self.frames.iter().rev().find_map(|frame| frame.get(&key)).copied()
    }

    pub(super) fn remember(&mut self, key: Key, value: ir::Value) -> ir::Value {
        self.frames.last_mut().expect("a frame is open").insert(key, value);
        value
    }

    /// A value of the primal at the present iteration point.
    pub(super) fn value(&mut self, v: ValueId) -> ir::Value {
        match self.primal.value(v).def {
            Def::Const | Def::Global(_) => return self.origin(v),
            Def::Arg(_) => return self.forward[v.index()].expect("parameters are known"),
            _ => {}
        }
        if !self.reverse || self.replayed.contains(&v) {
            return self.forward[v.index()].expect("definitions come before uses");
        }
        if let Some(known) = self.recall(Key::Value(v)) {
            return known;
        }
        let source = self.input.prog.source(v).expect("store gave every wanted value a source").clone();
        let value = match source {
            Source::AtHand => self.forward[v.index()].expect("stack objects are known"),
            Source::Closed(e) => {
                let e = self.expression(&e);
                self.fit(e, v)
            }
            Source::Kept(s) => self.fetch(s),
            Source::Snapshot(n) => self.load_snapshot(v, n),
            Source::Again | Source::Reload | Source::Replayed => match self.primal.value(v).def {
                Def::Shadow(of) => self.loaded_shadow(of),
                _ => self.again(v),
            },
        };
        self.remember(Key::Value(v), value)
    }

    /// Executes an instruction of the primal again. It runs where it ran before, with the same operands.
    fn again(&mut self, v: ValueId) -> ir::Value {
        let copy = self.copy(v);
        transform::drop_claims(copy);
        copy
    }

    /// Executes an instruction in the replay of an iteration, where everything before it was executed too.
    pub(super) fn copy_again(&mut self, v: ValueId) -> ir::Value {
        let copy = self.copy(v);
        transform::drop_metadata(copy);
        copy
    }

    /// A copy of an instruction, on the operands of this sweep.
    pub(super) fn copy(&mut self, v: ValueId) -> ir::Value {
        let origin = self.origin(v);
        let copy = origin.clone_instruction();
        for n in 0..origin.operand_count() {
            let Some(operand) = origin.operand(n) else { continue };
            let Some(&id) = self.input.imported.ids.get(&operand) else { continue };
            let mapped = self.value(id);
            copy.set_operand(n, mapped);
        }
        let copy = self.b.insert(copy);
        if matches!(self.primal.op(v), Some(Op::Load | Op::Store)) {
            self.note_access(copy, Class::Primal);
        }
        copy
    }

    /// Closed forms are computed in the width of their parts; a pointer stays a pointer.
    fn fit(&self, value: ir::Value, v: ValueId) -> ir::Value {
        let ty = self.origin(v).ty();
        match (value.ty().kind(), ty.kind()) {
            (Kind::Int(_), Kind::Int(_)) => self.b.int_cast(value, ty, true),
            (Kind::Int(_), Kind::Pointer) => self.b.cast(LLVMIntToPtr, value, ty),
            _ => value,
        }
    }

    /// A closed form at the present iteration point.
    pub(super) fn expression(&mut self, e: &Expr) -> ir::Value {
        self.evaluate(e, false)
    }

    fn evaluate(&mut self, e: &Expr, shadow: bool) -> ir::Value {
        let module = self.input.module;
        match e {
            Expr::Const(bits, c) => module.int(*bits).int(*c),
            Expr::Value(v) if shadow && self.primal.ty(*v) == Ty::Ptr => self.shadow(*v),
            Expr::Value(v) => self.value(*v),
            Expr::Iter(bits, l) => {
                let it = self.iterations[l];
                self.b.int_cast(it, module.int(*bits), false)
            }
            Expr::Nary(kind, operands) => {
                let parts: Vec<_> = operands.iter().map(|o| self.evaluate(o, shadow)).collect();
                self.several(*kind, &parts)
            }
            Expr::Quotient(a, b) => {
                let (a, b) = (self.evaluate(a, shadow), self.evaluate(b, shadow));
                self.b.binary(LLVMUDiv, a, b)
            }
            Expr::Cast(kind, bits, e) => {
                // An address used as a number is the primal's: only the base of a pointer moves to the shadow.
                let inner = self.evaluate(e, shadow && *kind != Cast::Pointer);
                let ty = module.int(*bits);
                match kind {
                    Cast::Zero | Cast::Truncate => self.b.int_cast(inner, ty, false),
                    Cast::Sign => self.b.int_cast(inner, ty, true),
                    Cast::Pointer => self.b.cast(LLVMPtrToInt, inner, ty),
                }
            }
        }
    }

    fn several(&self, kind: Nary, parts: &[ir::Value]) -> ir::Value {
        // A sum may start from a pointer, in any position.
        if kind == Nary::Sum
            && let Some(base) = parts.iter().position(|p| p.ty().kind() == Kind::Pointer)
        {
            let others: Vec<_> = parts.iter().enumerate().filter(|(i, _)| *i != base).map(|(_, p)| *p).collect();
            let offset = others.into_iter().reduce(|a, b| self.b.add(a, b)).expect("sums have two operands");
            return self.b.offset(self.input.module.int(8), parts[base], offset);
        }
        let combine = |a: ir::Value, b: ir::Value| match kind {
            Nary::Sum => self.b.add(a, b),
            Nary::Product => self.b.mul(a, b),
            Nary::SignedMax => self.b.select(self.b.icmp(LLVMIntSGT, a, b), a, b),
            Nary::UnsignedMax => self.b.select(self.b.icmp(LLVMIntUGT, a, b), a, b),
            Nary::SignedMin => self.b.select(self.b.icmp(LLVMIntSLT, a, b), a, b),
            Nary::UnsignedMin => self.b.select(self.b.icmp(LLVMIntULT, a, b), a, b),
        };
        parts.iter().copied().reduce(combine).expect("operations have operands")
    }

    /// The shadow address of a pointer at the present iteration point.
    pub(super) fn shadow(&mut self, pointer: ValueId) -> ir::Value {
        if let Some(&base) = self.shadows.get(&pointer) {
            return base;
        }
        if !self.input.facts.has_shadow(pointer) {
            return self.input.module.pointer().zero();
        }
        if let Some(known) = self.recall(Key::Shadow(pointer)) {
            return known;
        }
        if let Some(chosen) = self.primal.added(&Def::Shadow(pointer)) {
            return self.value(chosen);
        }
        let operands = self.primal.inst(pointer).map_or(vec![], |i| i.operands.clone());
        let value = match self.primal.op(pointer) {
            Some(Op::Gep(_)) => {
                let origin = self.origin(pointer);
                let copy = origin.clone_instruction();
                copy.set_operand(0, self.shadow(operands[0]));
                for (n, &index) in operands.iter().enumerate().skip(1) {
                    let index = self.value(index);
                    copy.set_operand(n as u32, index);
                }
                self.b.insert(copy);
                if self.reverse {
                    transform::drop_claims(copy);
                }
                copy
            }
            Some(Op::Select) => {
                let c = self.value(operands[0]);
                let (a, b) = (self.shadow(operands[1]), self.shadow(operands[2]));
                self.b.select(c, a, b)
            }
            Some(Op::Freeze) => self.shadow(operands[0]),
            _ => match self.input.facts.closed_form(pointer).cloned() {
                Some(e) => self.evaluate(&e, true),
                // Null, and memory without a shadow, which no active access goes to.
                None => self.input.module.pointer().zero(),
            },
        };
        self.remember(Key::Shadow(pointer), value)
    }
}

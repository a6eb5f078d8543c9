//! Statements of forward mode.

use super::Emit;
use super::memory::Exists;
use crate::llvm::ir;
use crate::primal::{Op, ValueId};
use crate::revprog::Term;

impl Emit<'_> {
    /// The tangent of a value; zero where it has none.
    pub(super) fn tangent_of(&mut self, v: ValueId) -> ir::Value {
        match self.tangents.get(&v) {
            Some(&t) if self.input.facts.is_active(v) => t,
            _ => self.real(v).zero(),
        }
    }

    pub(super) fn tangent(&mut self, v: ValueId, terms: &[Term]) {
        let ty = self.real(v);
        let mut total: Option<ir::Value> = None;
        for term in terms {
            let t = self.tangent_of(term.from);
            let t = self.b.float_cast(t, ty);
            let part = self.scaled(t, &term.factor);
            total = Some(match total {
                Some(sum) => self.sum(sum, part),
                None => part,
            });
        }
        self.tangents.insert(v, total.unwrap_or(ty.zero()));
    }

    pub(super) fn load_tangent(&mut self, v: ValueId) {
        let pointer = self.primal.inst(v).expect("a load").operands[0];
        let (ty, align) = (self.real(v), self.origin(v).alignment());
        let exists = self.exists(pointer);
        let place = self.shadow(pointer);
        let class = self.shadow_class(pointer, false);
        let t = self.guarded_value(exists, ty, |e| {
            let t = e.b.load(ty, place);
            e.note_access(t, class).set_alignment(align);
            t
        });
        self.tangents.insert(v, t);
    }

    pub(super) fn store_tangent(&mut self, store: ValueId, active: bool) {
        let operands = self.primal.inst(store).expect("a store").operands.clone();
        let exists = self.exists(operands[1]);
        let place = self.shadow(operands[1]);
        let t = if active && self.primal.ty(operands[0]).is_real() {
            self.tangent_of(operands[0])
        } else {
            self.origin(operands[0]).ty().zero()
        };
        let align = self.origin(store).alignment();
        let class = self.shadow_class(operands[1], true);
        self.guarded(exists, |e| {
            let store = e.b.store(t, place);
            e.note_access(store, class).set_alignment(align);
        });
    }

    pub(super) fn shadow_block(&mut self, v: ValueId) {
        let inst = self.primal.inst(v).expect("a fill or copy");
        let (fill, operands) = (inst.op == Op::Fill, inst.operands.clone());
        let module = self.input.module;
        let to_exists = self.exists(operands[0]);
        let from_exists = if fill { Exists::Never } else { self.exists(operands[1]) };
        let to = self.shadow(operands[0]);
        let from = if fill { to } else { self.shadow(operands[1]) };
        let size = self.value(operands[2]);
        let no = module.int(1).zero();
        let repeat = |e: &mut Self| {
            e.b.intrinsic("llvm.memmove", &[to.ty(), from.ty(), size.ty()], &[to, from, size, no]);
        };
        let clear = |e: &mut Self| {
            e.b.intrinsic("llvm.memset", &[to.ty(), size.ty()], &[to, module.int(8).zero(), size, no]);
        };
        self.guarded(to_exists, |e| e.either(from_exists, repeat, clear));
    }

    pub(super) fn move_tangents(&mut self, moves: &[(ValueId, Option<ValueId>)]) {
        let values: Vec<_> = moves
            .iter()
            .map(|(phi, v)| match v {
                Some(v) => self.tangent_of(*v),
                None => self.real(*phi).zero(),
            })
            .collect();
        for ((phi, _), t) in moves.iter().zip(values) {
            self.b.store(t, self.registers[phi]);
        }
    }
}

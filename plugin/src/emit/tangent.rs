//! Statements of forward mode.

use super::Emit;
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
        let place = self.shadow(pointer);
        let t = self.b.load(self.real(v), place);
        t.set_alignment(self.origin(v).alignment());
        self.tangents.insert(v, t);
    }

    pub(super) fn store_tangent(&mut self, store: ValueId, active: bool) {
        let operands = self.primal.inst(store).expect("a store").operands.clone();
        let place = self.shadow(operands[1]);
        let t = if active && self.primal.ty(operands[0]).is_real() {
            self.tangent_of(operands[0])
        } else {
            self.origin(operands[0]).ty().zero()
        };
        self.b.store(t, place).set_alignment(self.origin(store).alignment());
    }

    pub(super) fn shadow_block(&mut self, v: ValueId) {
        let inst = self.primal.inst(v).expect("a fill or copy");
        let (fill, operands) = (inst.op == Op::Fill, inst.operands.clone());
        let module = self.input.module;
        let to = self.shadow(operands[0]);
        let size = self.value(operands[2]);
        let no = module.int(1).zero();
        if fill || !self.input.facts.points_to_active(operands[1]) {
            let arguments = [to, module.int(8).zero(), size, no];
            self.b.intrinsic("llvm.memset", &[to.ty(), size.ty()], &arguments);
        } else {
            let from = self.shadow(operands[1]);
            self.b.intrinsic("llvm.memmove", &[to.ty(), from.ty(), size.ty()], &[to, from, size, no]);
        }
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

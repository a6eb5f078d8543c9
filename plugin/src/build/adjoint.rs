//! The adjoint of each operation: what the reverse sweep does for it.

use super::Build;
use crate::facts::blocks;
use crate::primal::{Op, Ty, ValueId};
use crate::revprog::{Act, Factor, Place, Term};
use crate::rules::{self, RuleId};

impl Build<'_> {
    /// Statements of the reverse sweep for one instruction, in their order.
    pub(super) fn adjoint(&self, v: ValueId) -> Vec<Act> {
        let Some(inst) = self.primal.inst(v) else { return vec![] };
        let active = self.facts.is_active(v);
        match &inst.op {
            Op::Store => self.adjoint_of_store(v, inst.operands[0], inst.operands[1]),
            Op::Fill if self.facts.points_to_active(inst.operands[0]) => vec![Act::Clear(v)],
            Op::Copy if self.facts.points_to_active(inst.operands[0]) => {
                vec![if self.facts.points_to_active(inst.operands[1]) { Act::AddBlock(v) } else { Act::Clear(v) }]
            }
            Op::Callee(_) if self.facts.calls.contains_key(&v) => {
                let outs =
                    inst.operands.iter().copied().filter(|&o| self.primal.ty(o).is_real() && self.facts.is_active(o));
                let mut acts = if active { vec![Act::Take(v)] } else { vec![] };
                acts.push(Act::CallBack(v, outs.collect()));
                acts
            }
            Op::Load if active => {
                vec![Act::Take(v), Act::Add(Place::Shadow(inst.operands[0]), Term { from: v, factor: Factor::One })]
            }
            Op::Rule(_) | Op::Select | Op::Freeze if active => {
                let mut acts = vec![Act::Take(v)];
                for (operand, factor) in self.factors(v) {
                    acts.push(Act::Add(Place::Register(operand), Term { from: v, factor }));
                }
                acts
            }
            _ => vec![],
        }
    }

    fn adjoint_of_store(&self, store: ValueId, value: ValueId, pointer: ValueId) -> Vec<Act> {
        let number = match self.primal.ty(value) {
            Ty::Ptr => self.overwrites(pointer),
            _ => self.facts.may_be_number(self.primal, store),
        };
        if !number || !self.facts.points_to_active(pointer) {
            return vec![];
        }
        if self.facts.is_active(value) {
            let term = Term { from: store, factor: Factor::One };
            vec![Act::TakeShadow(store), Act::Add(Place::Register(value), term)]
        } else {
            vec![Act::Clear(store)]
        }
    }

    /// Whether a pointer without a shadow is stored where there may be a number.
    fn overwrites(&self, pointer: ValueId) -> bool {
        let carries = self.facts.points_to_carrier(pointer);
        !carries && self.facts.objects.of(pointer).any(|o| blocks::is_mixed(self.facts, o))
    }

    /// The active operands of an instruction, each with what the result's derivative is multiplied by
    /// (in reverse mode), or what its own is multiplied by (in forward mode).
    pub(super) fn factors(&self, v: ValueId) -> Vec<(ValueId, Factor)> {
        let Some(inst) = self.primal.inst(v) else { return vec![] };
        let operands = || inst.operands.iter().copied().enumerate();
        let all: Vec<(ValueId, Factor)> = match &inst.op {
            Op::Rule(rule) => operands()
                .filter(|(n, _)| rules::row(*rule).partials.get(*n).is_some_and(|p| !p.is_zero()))
                .map(|(operand, o)| {
                    let strong = self.is_strong(*rule, operand, v);
                    (o, Factor::Partial { rule: *rule, operand, of: v, strong })
                })
                .collect(),
            Op::Select => {
                let c = inst.operands[0];
                vec![(inst.operands[1], Factor::Chosen(c, true)), (inst.operands[2], Factor::Chosen(c, false))]
            }
            Op::Freeze => vec![(inst.operands[0], Factor::One)],
            _ => vec![],
        };
        all.into_iter().filter(|(o, _)| self.facts.is_active(*o)).collect()
    }

    /// Whether a zero derivative must stay zero although the partial may be infinite or NaN: always where the partial
    /// has a singularity, and for products that a select may discard.
    fn is_strong(&self, rule: RuleId, operand: usize, of: ValueId) -> bool {
        let row = rules::row(rule);
        let operands = self.primal.inst(of).map_or(&[][..], |i| &i.operands);
        let needs = row.partials[operand].needs();
        let finite = |v: ValueId| self.primal.constant(v).is_some_and(|c| c.parse().is_ok_and(f64::is_finite));
        if !needs.result && operands.iter().enumerate().all(|(n, &v)| !needs.arg(n) || finite(v)) {
            return false;
        }
        let product = matches!(row.name, "fmul" | "fma" | "fmuladd");
        !product || self.masked[of.index()]
    }

    /// The adjoint of the phis' moves on an edge.
    pub(super) fn adjoint_of_moves(&self, moves: &[(ValueId, ValueId)]) -> Vec<Act> {
        let phis: Vec<ValueId> = moves.iter().map(|(p, _)| *p).filter(|p| self.facts.is_active(*p)).collect();
        if phis.is_empty() {
            return vec![];
        }
        let mut acts = vec![Act::TakeAll(phis)];
        for (phi, value) in moves {
            if self.facts.is_active(*phi) && self.facts.is_active(*value) {
                acts.push(Act::Add(Place::Register(*value), Term { from: *phi, factor: Factor::One }));
            }
        }
        acts
    }
}

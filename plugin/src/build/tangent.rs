//! The tangent of each operation: what forward mode does beside it.

use super::Build;
use crate::primal::{Op, ValueId};
use crate::revprog::{Act, Term};

impl Build<'_> {
    /// Statements after one instruction.
    pub(super) fn tangent(&self, v: ValueId) -> Vec<Act> {
        let Some(inst) = self.primal.inst(v) else { return vec![] };
        let active = self.facts.is_active(v);
        match &inst.op {
            Op::Store => {
                let (value, pointer) = (inst.operands[0], inst.operands[1]);
                if self.facts.points_to_active(pointer) && self.facts.may_be_number(self.primal, v) {
                    vec![Act::StoreTangent(v, self.facts.is_active(value))]
                } else {
                    vec![]
                }
            }
            Op::Fill if self.facts.points_to_active(inst.operands[0]) => vec![Act::ShadowBlock(v)],
            Op::Copy if self.facts.has_shadow(inst.operands[0]) => vec![Act::ShadowBlock(v)],
            Op::Load if active => vec![Act::LoadTangent(v)],
            Op::Rule(_) | Op::Select | Op::Freeze if active => {
                let terms = self.factors(v).into_iter().map(|(from, factor)| Term { from, factor }).collect();
                vec![Act::Tangent(v, terms)]
            }
            _ => vec![],
        }
    }

    /// The tangents of the phis' moves on an edge.
    pub(super) fn tangent_of_moves(&self, moves: &[(ValueId, ValueId)]) -> Vec<Act> {
        let active = |v: ValueId| self.facts.is_active(v);
        let tangents: Vec<_> =
            moves.iter().filter(|(p, _)| active(*p)).map(|&(p, v)| (p, active(v).then_some(v))).collect();
        if tangents.is_empty() { vec![] } else { vec![Act::MoveTangents(tangents)] }
    }
}

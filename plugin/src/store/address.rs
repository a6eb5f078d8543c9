//! What the shadow address of a pointer is formed from, in either sweep.

use crate::facts::Facts;
use crate::primal::{Def, LoopId, Op, Primal, ValueId};

/// The parts of shadow addresses.
#[derive(Default)]
pub struct Address {
    /// Indices, conditions, and shadows that no other shadow leads to.
    pub values: Vec<ValueId>,
    /// Loops whose iteration numbers are read.
    pub loops: Vec<LoopId>,
}

impl Address {
    /// Adds the parts of one address; an error is a pointer that nothing is known of.
    pub fn add(&mut self, primal: &Primal, facts: &Facts, pointer: ValueId) -> Result<(), ValueId> {
        if !facts.has_shadow(pointer) {
            return Ok(());
        }
        let Some(inst) = primal.inst(pointer) else { return Ok(()) };
        if let Some(shadow) = primal.added(&Def::Shadow(pointer)) {
            self.values.push(shadow);
            return Ok(());
        }
        match inst.op {
            Op::Alloca => Ok(()),
            Op::Gep(_) => {
                self.values.extend(&inst.operands[1..]);
                self.add(primal, facts, inst.operands[0])
            }
            Op::Select => {
                self.values.push(inst.operands[0]);
                self.add(primal, facts, inst.operands[1])?;
                self.add(primal, facts, inst.operands[2])
            }
            Op::Freeze => self.add(primal, facts, inst.operands[0]),
            _ => {
                let e = facts.closed_form(pointer).ok_or(pointer)?;
                let base = e.base(primal);
                self.values.extend(e.values().into_iter().filter(|v| Some(*v) != base));
                self.loops.extend(e.loops());
                base.map_or(Ok(()), |b| self.add(primal, facts, b))
            }
        }
    }
}

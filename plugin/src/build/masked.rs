//! Which values a select may discard.
//!
//! The adjoint of a discarded value is exactly zero while its partials may be infinite (`x > 0 ? a * (1 / x) : 0`), so its
//! products must not turn zero into NaN. A backward fixpoint from the choices of selects, through values and memory.

use crate::facts::Facts;
use crate::facts::activity::value_operands;
use crate::primal::{Op, Primal, ValueId};

/// For each value, whether what it contributes may be discarded.
pub fn analyse(primal: &Primal, facts: &Facts) -> Vec<bool> {
    let mut masked = vec![false; primal.values.len()];
    let mut objects = vec![false; facts.objects.all.len()];
    loop {
        let mut changed = false;
        let mut mark = |flag: &mut bool| changed |= !std::mem::replace(flag, true);
        for (v, inst) in primal.insts() {
            let through = match inst.op {
                Op::Select if facts.is_active(v) => true,
                Op::Load if masked[v.index()] => {
                    for o in &facts.objects.of[inst.operands[0].index()] {
                        mark(&mut objects[o.index()]);
                    }
                    false
                }
                Op::Store => facts.objects.of[inst.operands[1].index()].iter().any(|o| objects[o.index()]),
                _ => masked[v.index()],
            };
            if !through {
                continue;
            }
            let passed: Vec<ValueId> =
                if inst.op == Op::Store { vec![inst.operands[0]] } else { value_operands(primal, inst) };
            for o in passed {
                mark(&mut masked[o.index()]);
            }
        }
        if !changed {
            return masked;
        }
    }
}

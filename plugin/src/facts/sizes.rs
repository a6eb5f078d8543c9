//! How large is what the function makes: stack objects and fresh memory.
//!
//! From the types of stack objects, and from the arguments that allocation functions are given. Cost: linear.

use super::import::Imported;
use super::overlap::several;
use super::scalar;
use crate::allocation;
use crate::llvm::analyses::Analyses;
use crate::llvm::ir;
use crate::primal::expr::{Cast, Nary};
use crate::primal::{Expr, Op, Ty, ValueId};
use std::collections::BTreeMap;

/// Bytes, in 64 bits, by the instruction that makes them; nothing where the size is not known.
pub type Sizes = BTreeMap<ValueId, Expr>;

/// The sizes of all objects.
pub fn sizes(imported: &Imported, function: ir::Value, analyses: Analyses) -> Sizes {
    let (primal, module) = (&imported.primal, function.module());
    let sized = primal.insts().filter_map(|(v, inst)| {
        let origin = imported.origin[v.index()];
        let size = match inst.op {
            Op::Alloca => {
                let count = origin.operand(0)?.as_int()?;
                let each = module.size_of(origin.allocated_type());
                Expr::Const(64, i64::try_from(each).ok()?.checked_mul(count)?)
            }
            Op::Allocate(_) => {
                let (known, _) = allocation::of_call(origin)?;
                let factor = |n: &usize| {
                    let factor = scalar::formula(imported, analyses, function, *inst.operands.get(*n)?);
                    match primal.ty(inst.operands[*n]) {
                        Ty::Int(64) => Some(factor),
                        Ty::Int(_) => Some(Expr::Cast(Cast::Zero, 64, Box::new(factor))),
                        _ => None,
                    }
                };
                let factors: Vec<Expr> = known.size.iter().map(factor).collect::<Option<_>>()?;
                let constants: Option<Vec<i64>> = factors.iter().map(Expr::as_const).collect();
                match constants {
                    Some(all) => Expr::Const(64, all.into_iter().try_fold(1i64, i64::checked_mul)?),
                    None => several(Nary::Product, factors),
                }
            }
            _ => return None,
        };
        Some((v, size))
    });
    sized.collect()
}

//! Integers as polynomials over iteration numbers and numbers that never change: not modulo a power of two, but exactly.
//!
//! An instruction that is said not to wrap (an address or branch that uses it would be undefined) has its operands' exact sum, difference or
//! product, whatever its size. Any other, and each closed form, is the polynomial modulo a power of two; it is that polynomial where isl shows that
//! it is in the range of its type at all points where the instruction is executed. What is computed outside of all loops and not
//! understood is a number of its own.

use super::question::{Question, Side};
use super::{Affine, Meaning, Number};
use crate::primal::expr::{Cast, Nary};
use crate::primal::{BlockId, Expr, Op, Ty, ValueId};
use crate::revprog::poly::{Poly, Var};
use llvm_sys::LLVMOpcode::*;

impl Affine<'_> {
    /// The value of an integer, seen as a signed one.
    pub fn exact(&mut self, v: ValueId) -> Option<Poly> {
        let Ty::Int(2..=64) = self.primal.ty(v) else { return None };
        if let Some(c) = self.primal.int_constant(v) {
            return Some(Poly::constant(c));
        }
        if self.primal.constant(v).is_some() {
            return None;
        }
        if let Some(known) = self.exact.get(&v) {
            return known.clone();
        }
        // What is asked for while it is being found depends on itself.
        self.exact.insert(v, None);
        let found = match self.by_operation(v) {
            Some(p) => Some(self.named(v, p)),
            None => {
                let found = self.by_closed_form(v).or_else(|| self.by_induction(v));
                found.or_else(|| self.as_quotient(v)).or_else(|| self.as_number(v))
            }
        };
        self.exact.insert(v, found.clone());
        found
    }

    fn as_number(&mut self, v: ValueId) -> Option<Poly> {
        self.primal.loop_of_value(v).is_none().then(|| self.number(Number::Signed(v), Meaning::Nothing))
    }

    /// A sum that is computed once is a number: `n + 1` may be the length of a row.
    fn named(&mut self, v: ValueId, p: Poly) -> Poly {
        let linear = p.terms.keys().all(|vars| vars.len() < 2);
        let sum = p.terms.len() > 1 && linear && self.primal.loop_of_value(v).is_none();
        if sum { self.number(Number::Signed(v), Meaning::Sum(p)) } else { p }
    }

    /// A number that is divided by a constant once.
    fn as_quotient(&mut self, v: ValueId) -> Option<Poly> {
        let inst = self.primal.inst(v).filter(|i| matches!(i.op, Op::Pure | Op::Trapping))?;
        if self.primal.loop_of_value(v).is_some() {
            return None;
        }
        let opcode = self.imported.origin[v.index()].as_instruction()?.opcode();
        let by = self.primal.int_constant(*inst.operands.get(1)?).filter(|c| *c > 0)?;
        let by = match opcode {
            LLVMSDiv | LLVMUDiv => by,
            LLVMLShr | LLVMAShr if by < 32 => 1 << by,
            _ => return None,
        };
        let (a, block) = (self.exact(inst.operands[0])?, inst.block);
        let signed = opcode == LLVMSDiv || self.is_natural(&a, block);
        signed.then(|| self.number(Number::Signed(v), Meaning::Quotient(a, by)))
    }

    fn number(&mut self, number: Number, meaning: Meaning) -> Poly {
        let entry = self.numbers.entry(number);
        let index = entry.index();
        entry.or_insert(meaning);
        Poly::var(Var::Number(index as u32))
    }

    /// A value of fewer than 64 bits as an unsigned number.
    fn unsigned(&mut self, v: ValueId, at: BlockId) -> Option<Poly> {
        let natural = self.exact(v).filter(|p| self.is_natural(p, at));
        let Ty::Int(2..64) = self.primal.ty(v) else { return natural };
        let once = self.primal.loop_of_value(v).is_none() && self.primal.constant(v).is_none();
        natural.or_else(|| once.then(|| self.number(Number::Unsigned(v), Meaning::Nothing)))
    }

    /// An integer that starts with a value and grows by a constant from one iteration to the next, without wrapping.
    fn by_induction(&mut self, v: ValueId) -> Option<Poly> {
        let inst = self.primal.inst(v)?;
        let l = self.primal.loop_of[inst.block.index()]?;
        let around = &self.primal.loops[l.index()];
        let Op::Phi(from) = &inst.op else { return None };
        if around.header != inst.block || from.len() != 2 {
            return None;
        }
        let by = |block: BlockId| from.iter().position(|b| *b == block).map(|n| inst.operands[n]);
        let (start, next) = (by(around.preheader)?, by(around.latch)?);
        let origin = self.imported.origin[next.index()].as_instruction()?;
        let step = self.primal.inst(next).filter(|i| i.op == Op::Pure && i.operands[0] == v)?;
        if origin.opcode() != LLVMAdd || !origin.is_exact() {
            return None;
        }
        let step = self.primal.int_constant(step.operands[1])?;
        self.exact(start)?.plus(&Poly::var(Var::Iter(l)).scaled(step, 1)?)
    }

    fn by_closed_form(&mut self, v: ValueId) -> Option<Poly> {
        let block = self.primal.inst(v)?.block;
        let e = self.closed[v.index()].as_ref()?;
        self.of_expression(e, block)
    }

    fn by_operation(&mut self, v: ValueId) -> Option<Poly> {
        let inst = self.primal.inst(v).filter(|i| i.op == Op::Pure)?;
        let origin = self.imported.origin[v.index()];
        let opcode = origin.as_instruction()?.opcode();
        let operand = |n: usize| inst.operands.get(n).copied();
        let (p, surely) = match opcode {
            LLVMAdd | LLVMSub | LLVMMul => {
                let (a, b) = (self.exact(operand(0)?)?, self.exact(operand(1)?)?);
                let p = match opcode {
                    LLVMAdd => a.plus(&b)?,
                    LLVMSub => a.plus(&b.scaled(-1, 1)?)?,
                    _ => a.times(&b)?,
                };
                (p, origin.is_exact())
            }
            LLVMShl => {
                let by = self.primal.int_constant(operand(1)?).filter(|c| (0..32).contains(c))?;
                (self.exact(operand(0)?)?.scaled(1 << by, 1)?, origin.is_exact())
            }
            // Of numbers that have no bit in common at most one is negative, and the sum does not wrap.
            LLVMOr if origin.is_sum() => (self.exact(operand(0)?)?.plus(&self.exact(operand(1)?)?)?, true),
            LLVMSExt => (self.exact(operand(0)?)?, true),
            LLVMZExt => {
                let from = operand(0)?;
                return if origin.is_of_natural() { self.exact(from) } else { self.unsigned(from, inst.block) };
            }
            LLVMTrunc => (self.exact(operand(0)?)?, false),
            _ => return None,
        };
        let Ty::Int(bits) = self.primal.ty(v) else { return None };
        (surely || self.fits(&p, bits, inst.block)).then_some(p)
    }

    /// The value of an expression, seen as a signed integer, at all points of a block.
    pub fn of_expression(&mut self, e: &Expr, at: BlockId) -> Option<Poly> {
        let (p, bits) = self.modulo(e, at)?;
        self.fits(&p, bits, at).then_some(p)
    }

    /// A polynomial that an expression is, modulo a power of two, and its bits.
    pub fn modulo(&mut self, e: &Expr, at: BlockId) -> Option<(Poly, u32)> {
        match e {
            Expr::Const(bits, c) => Some((Poly::constant(*c), *bits)),
            Expr::Value(v) => {
                let Ty::Int(bits) = self.primal.ty(*v) else { return None };
                Some((self.exact(*v)?, bits))
            }
            Expr::Iter(bits, l) => Some((Poly::var(Var::Iter(*l)), *bits)),
            Expr::Nary(kind @ (Nary::Sum | Nary::Product), parts) => {
                let (mut all, bits) = self.modulo(parts.first()?, at)?;
                for part in &parts[1..] {
                    let (p, same) = self.modulo(part, at)?;
                    if same != bits {
                        return None;
                    }
                    all = if *kind == Nary::Sum { all.plus(&p)? } else { all.times(&p)? };
                }
                Some((all, bits))
            }
            Expr::Nary(kind, parts) => {
                let mut chosen = self.of_expression(parts.first()?, at)?;
                for part in &parts[1..] {
                    let other = self.of_expression(part, at)?;
                    chosen = self.extreme(*kind, chosen, other, at)?;
                }
                Some((chosen, self.bits(parts.first()?)?))
            }
            Expr::Cast(Cast::Zero, bits, inner) => {
                let p = match &**inner {
                    Expr::Value(v) => self.unsigned(*v, at)?,
                    inner => self.of_expression(inner, at).filter(|p| self.is_natural(p, at))?,
                };
                Some((p, *bits))
            }
            Expr::Cast(Cast::Sign, bits, inner) => Some((self.of_expression(inner, at)?, *bits)),
            Expr::Cast(Cast::Truncate, bits, inner) => Some((self.modulo(inner, at)?.0, *bits)),
            Expr::Cast(Cast::Pointer, ..) | Expr::Quotient(..) => None,
        }
    }

    /// The smaller or larger of two integers, where it is known which that is.
    fn extreme(&mut self, kind: Nary, a: Poly, b: Poly, at: BlockId) -> Option<Poly> {
        let signed = matches!(kind, Nary::SignedMax | Nary::SignedMin);
        if !(signed || self.is_natural(&a, at) && self.is_natural(&b, at)) {
            return None;
        }
        let (more, less) = (b.plus(&a.scaled(-1, 1)?)?, a.plus(&b.scaled(-1, 1)?)?);
        let largest = matches!(kind, Nary::SignedMax | Nary::UnsignedMax);
        if self.is_natural(&more, at) {
            return Some(if largest { b } else { a });
        }
        self.is_natural(&less, at).then_some(if largest { a } else { b })
    }

    /// The width of an expression.
    fn bits(&self, e: &Expr) -> Option<u32> {
        match e {
            Expr::Const(bits, _) | Expr::Iter(bits, _) | Expr::Cast(_, bits, _) => Some(*bits),
            Expr::Value(v) => match self.primal.ty(*v) {
                Ty::Int(bits) => Some(bits),
                _ => None,
            },
            Expr::Nary(_, parts) => self.bits(parts.first()?),
            Expr::Quotient(a, _) => self.bits(a),
        }
    }

    /// Whether a polynomial is never negative at the points of a block.
    pub fn is_natural(&mut self, p: &Poly, at: BlockId) -> bool {
        self.in_range(p, at, 0, i128::MAX)
    }

    /// Whether a polynomial is a signed number of so many bits at all points of a block.
    pub fn fits(&mut self, p: &Poly, bits: u32, at: BlockId) -> bool {
        let end = 1i128 << (bits - 1);
        self.in_range(p, at, -end, end - 1)
    }

    /// Whether a polynomial is in a range at all points of a block.
    pub fn in_range(&mut self, p: &Poly, at: BlockId, least: i128, most: i128) -> bool {
        if let Some(c) = p.as_const() {
            return (least..=most).contains(&i128::from(c));
        }
        // What the type of a number says.
        if let Some((vars, 1)) = p.terms.iter().next().map(|(v, c)| (v.as_slice(), *c))
            && let [Var::Number(n)] = vars
            && (p.terms.len(), p.over) == (1, 1)
            && let (lowest, highest) = self.bounds(*n)
            && least <= lowest
            && highest <= most
        {
            return true;
        }
        let mut outside = Question::default();
        match outside.linear(self, p, Side::First) {
            Some(text) => {
                let executed = self.executed(&mut outside, at, Side::First);
                outside.add(format!("{text} < {least} or {text} > {most}"));
                executed.is_some() && outside.is_empty(self) == Some(true)
            }
            None => self.magnitude(p, at).is_some_and(|m| m <= most && -m >= least),
        }
    }

    /// A bound of the magnitude of a polynomial that is not linear.
    fn magnitude(&mut self, p: &Poly, at: BlockId) -> Option<i128> {
        let mut sum = 0i128;
        for (vars, c) in &p.terms {
            let mut product = i128::from(*c).abs();
            for var in vars {
                product = product.checked_mul(self.most(*var, at)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    fn most(&mut self, var: Var, at: BlockId) -> Option<i128> {
        match var {
            Var::Number(n) => {
                let (least, most) = self.bounds(n);
                Some(most.max(-least))
            }
            Var::Iter(_) => {
                [4, 27, 31].map(|power| 1 << power).into_iter().find(|&m| self.in_range(&Poly::var(var), at, 0, m))
            }
        }
    }
}

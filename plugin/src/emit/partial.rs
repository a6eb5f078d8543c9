//! Partial derivatives as instructions: one more reading of the rules' terms.

use super::Emit;
use crate::llvm::ir::{self, Kind, Type};
use crate::primal::{Ty, ValueId};
use crate::rules::names::Precision;
use crate::rules::{self, Cmp, Func, RuleId, Term};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMRealPredicate::{self, *};

impl Emit<'_> {
    /// `d` times the partial of a rule by one of its operands, in the type of `d`.
    pub(super) fn times_partial(&mut self, d: ir::Value, rule: RuleId, operand: usize, of: ValueId) -> ir::Value {
        let term = &rules::row(rule).partials[operand];
        if term.is_one() {
            return d;
        }
        if term.as_const() == Some(-1.0) {
            return self.b.fneg(d);
        }
        if let Term::Div(one, divisor) = term
            && one.is_one()
        {
            let divisor = self.term(divisor, of, d.ty());
            return self.b.fdiv(d, divisor);
        }
        let partial = self.term(term, of, d.ty());
        self.b.mul(d, partial)
    }

    /// A term in a type: real, or the integer type of an exponent.
    fn term(&mut self, term: &Term, of: ValueId, ty: Type) -> ir::Value {
        let integer = matches!(ty.kind(), Kind::Int(_));
        match term {
            Term::Arg(n) => {
                let operand = self.primal.inst(of).expect("rules belong to instructions").operands[*n];
                let value = self.value(operand);
                self.place(value, ty)
            }
            Term::Result => {
                let value = self.value(of);
                self.place(value, ty)
            }
            Term::Num(c) if integer => ty.int(*c as i64),
            Term::Num(c) => match rules::digits(*c) {
                Some(digits) => ty.real_of_text(digits),
                None => ty.real(*c),
            },
            Term::Neg(a) => {
                let a = self.term(a, of, ty);
                if integer { self.b.sub(ty.zero(), a) } else { self.b.fneg(a) }
            }
            Term::Add(a, b) => {
                let (a, b) = (self.term(a, of, ty), self.term(b, of, ty));
                self.b.add(a, b)
            }
            Term::Sub(a, b) => {
                let (a, b) = (self.term(a, of, ty), self.term(b, of, ty));
                self.b.sub(a, b)
            }
            Term::Mul(a, b) => {
                let (a, b) = (self.term(a, of, ty), self.term(b, of, ty));
                self.b.mul(a, b)
            }
            Term::Div(a, b) => {
                let (a, b) = (self.term(a, of, ty), self.term(b, of, ty));
                self.b.fdiv(a, b)
            }
            Term::Call(function, arguments) => self.function(*function, arguments, of, ty),
            Term::Select(cmp, a, b, then, other) => {
                let (a, b) = (self.term(a, of, ty), self.term(b, of, ty));
                let condition = self.b.fcmp(predicate(*cmp), a, b);
                let (then, other) = (self.term(then, of, ty), self.term(other, of, ty));
                self.b.select(condition, then, other)
            }
        }
    }

    /// An operand at a place of another type.
    fn place(&self, value: ir::Value, ty: Type) -> ir::Value {
        match (value.ty().kind(), ty.kind()) {
            (Kind::Int(_), Kind::Int(_)) => self.b.int_cast(value, ty, true),
            (Kind::Int(_), _) => self.b.cast(LLVMSIToFP, value, ty),
            _ => self.b.float_cast(value, ty),
        }
    }

    fn function(&mut self, function: Func, arguments: &[Term], of: ValueId, ty: Type) -> ir::Value {
        let mut values = Vec::new();
        for (n, argument) in arguments.iter().enumerate() {
            let place = if function.int_arg() == Some(n) { self.exponent_type(of) } else { ty };
            values.push(self.term(argument, of, place));
        }
        let precision = match ty.kind() {
            Kind::Float => Precision::Single,
            Kind::Extended => Precision::Extended,
            _ => Precision::Double,
        };
        if let Some(name) = function.intrinsic() {
            let mut overloads = vec![ty];
            if let Some(n) = function.int_arg() {
                overloads.push(values[n].ty());
            }
            return self.b.intrinsic(name, &overloads, &values);
        }
        let types: Vec<Type> = values.iter().map(|v| v.ty()).collect();
        let callee = self.input.module.declare(&function.symbol(precision), ty.function(&types));
        self.b.call(callee, &values)
    }

    /// The type of the integer operand of a rule such as `ldexp`.
    fn exponent_type(&self, of: ValueId) -> Type {
        let operands = self.primal.inst(of).map_or(&[][..], |i| &i.operands);
        let integer = operands.iter().find(|&&o| matches!(self.primal.ty(o), Ty::Int(_)));
        integer.map_or(self.input.module.int(32), |&o| self.origin(o).ty())
    }
}

fn predicate(cmp: Cmp) -> LLVMRealPredicate {
    match cmp {
        Cmp::Lt => LLVMRealOLT,
        Cmp::Le => LLVMRealOLE,
        Cmp::Gt => LLVMRealOGT,
        Cmp::Ge => LLVMRealOGE,
        Cmp::Eq => LLVMRealOEQ,
        Cmp::Ne => LLVMRealUNE,
    }
}

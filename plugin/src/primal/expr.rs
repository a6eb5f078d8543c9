//! Closed forms: integer (and address) expressions over values and iteration numbers.
//!
//! They come from LLVM's scalar evolution and describe trip counts, extents and indices. Arithmetic wraps at the
//! width of the operands; a quotient's divisor is never zero.

use super::{LoopId, ValueId};
use crate::primal::{Primal, Ty};

/// Operations on several operands of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Nary {
    /// Sum, wrapping; one operand may be a pointer.
    Sum,
    /// Product, wrapping.
    Product,
    /// Signed maximum.
    SignedMax,
    /// Unsigned maximum.
    UnsignedMax,
    /// Signed minimum.
    SignedMin,
    /// Unsigned minimum.
    UnsignedMin,
}

/// Changes of width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cast {
    /// Zero extension.
    Zero,
    /// Sign extension.
    Sign,
    /// Truncation.
    Truncate,
    /// Pointer to integer.
    Pointer,
}

/// An integer or address expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A constant of this many bits.
    Const(u32, i64),
    /// A value of the primal.
    Value(ValueId),
    /// The iteration number of a loop, from 0, in this many bits.
    Iter(u32, LoopId),
    /// Several operands.
    Nary(Nary, Vec<Expr>),
    /// Unsigned quotient.
    Quotient(Box<Expr>, Box<Expr>),
    /// A change of width, to this many bits.
    Cast(Cast, u32, Box<Expr>),
}

impl Expr {
    /// Calls `visit` on every value that the expression reads.
    pub fn for_values(&self, visit: &mut impl FnMut(ValueId)) {
        match self {
            Expr::Const(..) | Expr::Iter(..) => {}
            Expr::Value(v) => visit(*v),
            Expr::Nary(_, operands) => operands.iter().for_each(|e| e.for_values(visit)),
            Expr::Quotient(a, b) => {
                a.for_values(visit);
                b.for_values(visit);
            }
            Expr::Cast(_, _, e) => e.for_values(visit),
        }
    }
    /// The values that the expression reads.
    pub fn values(&self) -> Vec<ValueId> {
        let mut all = Vec::new();
        self.for_values(&mut |v| all.push(v));
        all
    }
    /// The pointer that an address starts from; its other pointers are used as numbers.
    pub fn base(&self, primal: &Primal) -> Option<ValueId> {
        match self {
            Expr::Value(v) if primal.ty(*v) == Ty::Ptr => Some(*v),
            Expr::Nary(Nary::Sum, operands) => operands.iter().find_map(|e| e.base(primal)),
            _ => None,
        }
    }
    /// The loops whose iteration numbers the expression reads.
    pub fn loops(&self) -> Vec<LoopId> {
        match self {
            Expr::Const(..) | Expr::Value(_) => vec![],
            Expr::Iter(_, l) => vec![*l],
            Expr::Nary(_, operands) => operands.iter().flat_map(Expr::loops).collect(),
            Expr::Quotient(a, b) => a.loops().into_iter().chain(b.loops()).collect(),
            Expr::Cast(_, _, e) => e.loops(),
        }
    }
    /// The value of an expression of constants only.
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Expr::Const(_, c) => Some(*c),
            _ => None,
        }
    }
    /// Number of nodes, a measure of the cost of evaluating it.
    pub fn size(&self) -> usize {
        1 + match self {
            Expr::Const(..) | Expr::Value(_) | Expr::Iter(..) => 0,
            Expr::Nary(_, operands) => operands.iter().map(Expr::size).sum(),
            Expr::Quotient(a, b) => a.size() + b.size(),
            Expr::Cast(_, _, e) => e.size(),
        }
    }
    /// The expression as printed phases show it.
    pub fn show(&self, primal: &Primal) -> String {
        match self {
            Expr::Const(_, c) => c.to_string(),
            Expr::Value(v) => primal.show(*v),
            Expr::Iter(_, l) => format!("{l:?}"),
            Expr::Nary(kind, operands) => {
                let parts: Vec<_> = operands.iter().map(|e| e.show(primal)).collect();
                match kind {
                    Nary::Sum => format!("({})", parts.join(" + ")),
                    Nary::Product => format!("({})", parts.join(" * ")),
                    Nary::SignedMax => format!("smax({})", parts.join(", ")),
                    Nary::UnsignedMax => format!("umax({})", parts.join(", ")),
                    Nary::SignedMin => format!("smin({})", parts.join(", ")),
                    Nary::UnsignedMin => format!("umin({})", parts.join(", ")),
                }
            }
            Expr::Quotient(a, b) => format!("({} /u {})", a.show(primal), b.show(primal)),
            Expr::Cast(kind, bits, e) => {
                let name = match kind {
                    Cast::Zero => "zext",
                    Cast::Sign => "sext",
                    Cast::Truncate => "trunc",
                    Cast::Pointer => "ptrtoint",
                };
                format!("{name}{bits}({})", e.show(primal))
            }
        }
    }
}

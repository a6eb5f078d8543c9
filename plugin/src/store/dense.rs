//! Is a copy of memory about as large as what is read of it?
//!
//! Sizes and numbers of iterations are mostly known while running only, but not unlike each other: an array of n numbers is read by a loop
//! of n iterations. They are compared as products of constants and values; what stands in a sum beside them and how
//! integers are widened does not matter. A wrong answer costs memory and changes nothing else.

use crate::primal::expr::Nary;
use crate::primal::{Expr, ValueId};

/// How many times larger than what is read a copy may be.
const MOST_LARGER: u64 = 8;
/// Elements that are copied where nothing is known of how many are read.
const FEW: u64 = 16;
/// Constants in sums from which on they matter.
const LARGE: u64 = 1024;

/// A product of a constant and values, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extent {
    constant: u64,
    values: Vec<ValueId>,
}

impl Extent {
    /// One.
    pub fn one() -> Extent {
        Extent::bytes(1)
    }

    /// So many bytes.
    pub fn bytes(constant: u64) -> Extent {
        Extent { constant, values: vec![] }
    }

    /// What an expression is about; none if it is no such product.
    pub fn of(e: &Expr) -> Option<Extent> {
        match e {
            Expr::Const(_, c) => Some(Extent { constant: c.unsigned_abs(), values: vec![] }),
            Expr::Iter(..) => Some(Extent::one()),
            Expr::Value(v) => Some(Extent { constant: 1, values: vec![*v] }),
            Expr::Cast(_, _, e) | Expr::Quotient(e, _) => Extent::of(e),
            Expr::Nary(Nary::Product, parts) => {
                parts.iter().try_fold(Extent::one(), |all, part| Some(all.times(&Extent::of(part)?)))
            }
            Expr::Nary(_, parts) => {
                let parts: Vec<Extent> = parts.iter().map(Extent::of).collect::<Option<_>>()?;
                let most = parts.iter().max_by_key(|p| (p.values.len(), p.constant))?;
                let small = |p: &Extent| !p.values.is_empty() || most.values.is_empty() || p.constant <= LARGE;
                parts.iter().all(small).then(|| most.clone())
            }
        }
    }

    /// The product of two.
    pub fn times(&self, other: &Extent) -> Extent {
        let mut values = [self.values.as_slice(), &other.values].concat();
        values.sort_unstable();
        Extent { constant: self.constant.saturating_mul(other.constant), values }
    }

    /// Whether so many bytes are not much more than what so many reads of some bytes need.
    pub fn suits(&self, reads: &Extent, bytes: u64) -> bool {
        let mut left = reads.values.clone();
        let all = self.values.iter().all(|v| left.iter().position(|l| l == v).map(|n| left.remove(n)).is_some());
        let most = reads.constant.saturating_mul(MOST_LARGER).max(FEW);
        all && self.constant / bytes.max(1) <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primal::expr::Cast;

    fn product(parts: Vec<Expr>) -> Expr {
        Expr::Nary(Nary::Product, parts)
    }

    fn value(v: u32) -> Expr {
        Expr::Cast(Cast::Sign, 64, Box::new(Expr::Value(ValueId(v))))
    }

    fn constant(c: i64) -> Expr {
        Expr::Const(64, c)
    }

    fn suits(size: Expr, reads: &[Expr]) -> bool {
        let reads = reads.iter().map(|e| Extent::of(e).unwrap()).fold(Extent::one(), |a, b| a.times(&b));
        Extent::of(&size).is_some_and(|size| size.suits(&reads, 8))
    }

    #[test]
    fn an_array_is_read_by_a_loop_of_its_length() {
        let less = Expr::Nary(Nary::Sum, vec![constant(-2), value(0)]);
        assert!(suits(product(vec![constant(8), value(0)]), &[less]));
        assert!(suits(product(vec![constant(8), value(0), value(1)]), &[value(1), value(0)]));
    }

    #[test]
    fn a_row_or_one_element_is_less_than_the_table() {
        assert!(!suits(product(vec![constant(8), value(0), value(0)]), &[value(0)]));
        assert!(!suits(product(vec![constant(8), value(0)]), &[]));
        assert!(!suits(constant(800_000), &[value(0)]));
        assert!(suits(constant(24), &[]));
    }

    #[test]
    fn a_large_constant_beside_a_value_matters() {
        let sum = Expr::Nary(Nary::Sum, vec![constant(100_000), value(0)]);
        assert!(!suits(product(vec![constant(8), sum]), &[value(0)]));
    }
}

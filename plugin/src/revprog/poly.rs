//! Polynomials over iteration numbers: how many points of a loop nest come before another one.
//!
//! Exact arithmetic with rational coefficients over one denominator. What does not fit in 64 bits, or becomes unwieldy, is
//! none. Sums over an iteration number have closed forms by Faulhaber's formula.

use crate::primal::LoopId;
use std::collections::BTreeMap;

/// Terms beyond which a polynomial is of no use.
const MOST_TERMS: usize = 48;

/// What a polynomial is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Var {
    /// A number of the shape, known before the outermost loop starts.
    Number(u32),
    /// The iteration number of a loop.
    Iter(LoopId),
}

/// The sum of `coefficient * variables`, divided by `over`, without remainder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poly {
    /// Coefficients by their variables, in order, repeated for powers; no coefficient is zero.
    pub terms: BTreeMap<Vec<Var>, i64>,
    /// The common denominator, positive.
    pub over: i64,
}

impl Poly {
    /// A number.
    pub fn constant(c: i64) -> Poly {
        let terms = if c == 0 { BTreeMap::new() } else { BTreeMap::from([(vec![], c)]) };
        Poly { terms, over: 1 }
    }
    /// A variable.
    pub fn var(v: Var) -> Poly {
        Poly { terms: BTreeMap::from([(vec![v], 1)]), over: 1 }
    }
    /// Its value, if it is a constant.
    pub fn as_const(&self) -> Option<i64> {
        match self.terms.iter().next() {
            None => Some(0),
            Some((vars, c)) if vars.is_empty() && self.terms.len() == 1 => Some(c / self.over),
            _ => None,
        }
    }
    /// The coefficient of a variable where it stands alone.
    pub fn coefficient(&self, v: Var) -> i64 {
        self.terms.get(&vec![v]).copied().unwrap_or(0)
    }
    /// Whether any iteration number is in it.
    pub fn has_iterations(&self) -> bool {
        self.terms.keys().flatten().any(|v| matches!(v, Var::Iter(_)))
    }
    /// Whether a variable is in it.
    pub fn has(&self, v: Var) -> bool {
        self.terms.keys().any(|vars| vars.contains(&v))
    }

    /// `self + other`
    pub fn plus(&self, other: &Poly) -> Option<Poly> {
        let over = (self.over / gcd(self.over, other.over)).checked_mul(other.over)?;
        let mut terms = BTreeMap::new();
        for p in [self, other] {
            for (vars, c) in &p.terms {
                add(&mut terms, vars.clone(), c.checked_mul(over / p.over)?)?;
            }
        }
        Poly { terms, over }.reduced()
    }
    /// `self * other`
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut terms = BTreeMap::new();
        for (a, c) in &self.terms {
            for (b, d) in &other.terms {
                let mut vars = [a.as_slice(), b].concat();
                vars.sort();
                add(&mut terms, vars, c.checked_mul(*d)?)?;
            }
        }
        Poly { terms, over: self.over.checked_mul(other.over)? }.reduced()
    }
    /// `self * a / b`
    pub fn scaled(&self, a: i64, b: i64) -> Option<Poly> {
        self.times(&Poly { over: b, ..Poly::constant(a) })
    }
    /// With `value` in the place of `v`.
    pub fn with(&self, v: Var, value: &Poly) -> Option<Poly> {
        self.by_power(v, |k| power(value, k))
    }
    /// The sum over `v` from 0 to `bound - 1`.
    pub fn sum_below(&self, v: Var, bound: &Poly) -> Option<Poly> {
        self.by_power(v, |k| power_sum(bound, k))
    }

    /// With `f(k)` in the place of each power `v^k`.
    fn by_power(&self, v: Var, f: impl Fn(usize) -> Option<Poly>) -> Option<Poly> {
        let mut sum = Poly::constant(0);
        for (vars, &c) in &self.terms {
            let others: Vec<Var> = vars.iter().copied().filter(|x| *x != v).collect();
            let factor = f(vars.len() - others.len())?;
            let rest = Poly { terms: BTreeMap::from([(others, c)]), over: self.over };
            sum = sum.plus(&rest.times(&factor)?)?;
        }
        Some(sum)
    }

    fn reduced(mut self) -> Option<Poly> {
        self.terms.retain(|_, c| *c != 0);
        let common = self.terms.values().fold(self.over, |g, c| gcd(g, *c));
        self.terms.values_mut().for_each(|c| *c /= common);
        self.over /= common;
        (self.terms.len() <= MOST_TERMS).then_some(self)
    }

    /// The polynomial as printed phases show it.
    pub fn show(&self, var: &impl Fn(Var) -> String) -> String {
        let term = |(vars, c): (&Vec<Var>, &i64)| {
            let names = vars.iter().map(|v| var(*v));
            let number = (*c != 1 || vars.is_empty()).then(|| c.to_string());
            number.into_iter().chain(names).collect::<Vec<_>>().join(" * ")
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        let sum = if terms.is_empty() { "0".to_string() } else { terms.join(" + ") };
        match (self.over, terms.len()) {
            (1, 0 | 1) => sum,
            (1, _) => format!("({sum})"),
            (over, _) => format!("({sum}) / {over}"),
        }
    }
}

fn add(terms: &mut BTreeMap<Vec<Var>, i64>, vars: Vec<Var>, c: i64) -> Option<()> {
    let sum = terms.entry(vars).or_insert(0);
    *sum = sum.checked_add(c)?;
    Some(())
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

fn power(x: &Poly, k: usize) -> Option<Poly> {
    (0..k).try_fold(Poly::constant(1), |p, _| p.times(x))
}

/// The sum of `t^k` for `t` from 0 to `x - 1`, from `x^(k+1)` as a telescoping sum.
fn power_sum(x: &Poly, k: usize) -> Option<Poly> {
    let mut sum = power(x, k + 1)?;
    let mut binomial = 1i64; // k + 1 over j
    for j in 0..k {
        sum = sum.plus(&power_sum(x, j)?.scaled(-binomial, 1)?)?;
        binomial = binomial.checked_mul((k + 1 - j) as i64)? / (j as i64 + 1);
    }
    sum.scaled(1, k as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(p: &Poly, of: &dyn Fn(Var) -> i64) -> i64 {
        let sum: i64 = p.terms.iter().map(|(vars, c)| c * vars.iter().map(|v| of(*v)).product::<i64>()).sum();
        assert_eq!(sum % p.over, 0, "{p:?} leaves a remainder");
        sum / p.over
    }

    #[test]
    fn sums_of_powers_are_right() {
        for k in 0..6 {
            let x = Var::Number(0);
            let sum = power_sum(&Poly::var(x), k).expect("small");
            for n in 0..12i64 {
                assert_eq!(value(&sum, &|_| n), (0..n).map(|t| t.pow(k as u32)).sum::<i64>(), "power {k} below {n}");
            }
        }
    }

    #[test]
    fn points_of_a_triangle_are_counted() {
        // for i < n, j <= i, k < n - j
        let [n, i, j] = [Var::Number(0), Var::Iter(LoopId(0)), Var::Iter(LoopId(1))];
        let minus = Poly::var(j).scaled(-1, 1).expect("small");
        let innermost = Poly::var(n).plus(&minus).expect("small");
        let middle = Poly::var(i).plus(&Poly::constant(1)).expect("small");
        let all = innermost.sum_below(j, &middle).and_then(|p| p.sum_below(i, &Poly::var(n))).expect("small");
        for size in 0..9i64 {
            let count = (0..size).map(|i| (0..=i).map(|j| size - j).sum::<i64>()).sum::<i64>();
            assert_eq!(value(&all, &|_| size), count);
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let large = Poly::constant(i64::MAX);
        assert_eq!((large.times(&large), large.plus(&large)), (None, None));
        assert_eq!(Poly::var(Var::Number(0)).with(Var::Number(0), &large).and_then(|p| p.as_const()), Some(i64::MAX));
    }
}

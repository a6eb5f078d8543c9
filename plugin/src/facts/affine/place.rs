//! Where does an access go? As a base, which is a pointer computed once, and a polynomial of bytes; and where that has products of numbers
//! and iteration numbers, as subscripts.
//!
//! An address is followed over address arithmetic. Where that is inbounds, the sum of its parts is exact, whatever their size; else the parts have
//! to be small, since no object is larger than half of the address space, so that two places in it that are the same modulo
//! 2^64 are the same.
//!
//! `A[i*n + j]` is at `8*n*i + 8*j`. If `0 <= 8*j` and `8*j + 8 <= 8*n` at all points, row and column say where it is, and both are
//! linear; with more than one such stride, the rows are counted in the next larger one in the same way.

use super::Affine;
use super::question::{Question, Side};
use crate::llvm::analyses::gep_parts;
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Op, Ty, ValueId};
use crate::revprog::poly::{Poly, Var};

/// A base and bytes from there.
#[derive(Clone)]
pub struct Place {
    /// A pointer that is computed once.
    pub base: ValueId,
    /// How far from there.
    pub bytes: Poly,
}

/// A place as subscripts, largest strides first.
pub struct Subscripts {
    /// How many of each stride.
    pub rows: Vec<Poly>,
    /// Bytes that are left.
    pub column: Poly,
}

/// What one step of a row is: a factor times a product of numbers, in bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Stride {
    numbers: Vec<Var>,
    factor: i64,
}

/// Parts of addresses that are not inbounds are smaller than 2 to this power.
const SMALL: u32 = 60;

impl Affine<'_> {
    /// Where a pointer leads.
    pub fn place(&mut self, pointer: ValueId) -> Option<Place> {
        if let Some(known) = self.places.get(&pointer) {
            return known.clone();
        }
        self.places.insert(pointer, None);
        let found = match self.primal.op(pointer) {
            Some(Op::Gep(_)) => self.by_arithmetic(pointer).or_else(|| self.by_recurrence(pointer)),
            Some(Op::Phi(_)) => self.by_recurrence(pointer),
            _ => None,
        };
        let itself = || {
            let once = self.primal.loop_of_value(pointer).is_none() && self.primal.constant(pointer).is_none();
            once.then(|| Place { base: pointer, bytes: Poly::constant(0) })
        };
        let found = found.or_else(itself);
        self.places.insert(pointer, found.clone());
        found
    }

    fn by_arithmetic(&mut self, pointer: ValueId) -> Option<Place> {
        let inst = self.primal.inst(pointer)?;
        let Place { base, bytes } = self.place(inst.operands[0])?;
        let parts = gep_parts(self.imported.origin[pointer.index()])?;
        let mut all = bytes.plus(&Poly::constant(parts.constant))?;
        for (index, factor) in parts.indices {
            let v = *self.imported.ids.get(&index)?;
            let part = self.exact(v)?.scaled(factor, 1)?;
            let small = parts.inbounds || self.is_small(v, factor) || self.fits(&part, SMALL, inst.block);
            all = all.plus(&part).filter(|_| small)?;
        }
        let small = parts.inbounds || parts.constant.unsigned_abs() < 1 << SMALL;
        small.then_some(Place { base, bytes: all })
    }

    /// Whether an index is widened from fewer bits, and stays small with its factor.
    fn is_small(&self, index: ValueId, factor: i64) -> bool {
        let operand = self.primal.inst(index).filter(|i| i.op == Op::Pure && i.operands.len() == 1);
        let narrow = operand.map_or(index, |i| i.operands[0]);
        let widened = self.primal.ty(narrow).bytes() < self.primal.ty(index).bytes() || narrow == index;
        let Ty::Int(bits) = self.primal.ty(narrow) else { return false };
        widened && bits <= 32 && factor.unsigned_abs() < 1 << (SMALL - 33)
    }

    /// By the closed form of a pointer that moves from one iteration to the next.
    fn by_recurrence(&mut self, pointer: ValueId) -> Option<Place> {
        let block = self.primal.inst(pointer)?.block;
        let e = self.closed[pointer.index()].as_ref()?;
        let from = e.base(self.primal)?;
        let mut terms = vec![];
        flatten(e, &mut terms);
        let n = terms.iter().position(|t| **t == Expr::Value(from))?;
        terms.swap_remove(n);
        let mut bytes = Poly::constant(0);
        for term in terms {
            let (p, bits) = self.modulo(term, block)?;
            bytes = bytes.plus(&p).filter(|_| bits == 64)?;
        }
        let Place { base, bytes: before } = self.place(from)?;
        let small = self.fits(&bytes, SMALL, block);
        Some(Place { base, bytes: before.plus(&bytes).filter(|_| small)? })
    }

    /// A place in memory as subscripts, if these are in bounds at all points of a block.
    pub fn subscripts(&mut self, bytes: &Poly, size: i64, strides: &[Stride], at: BlockId) -> Option<Subscripts> {
        let (mut rows, mut rest) = (vec![], bytes.clone());
        let mut around: Option<&Stride> = None;
        for stride in strides {
            let (row, left) = divided(&rest, stride)?;
            rows.push(row);
            rest = left;
            // Each stride is a multiple of the next.
            if around.is_some_and(|a| a.over(stride).is_none()) {
                return None;
            }
            around = Some(stride);
        }
        let mut column = rest;
        // From the smallest stride on, what is out of bounds by one moves to the next larger one.
        for n in (0..strides.len()).rev() {
            let end = if n + 1 == strides.len() { strides[n].poly() } else { strides[n].over(&strides[n + 1])? };
            let inner = if n + 1 == strides.len() { column.clone() } else { rows[n + 1].clone() };
            let length = if n + 1 == strides.len() { size } else { 1 };
            let moved = [0, 1, -1].into_iter().find_map(|by| {
                let inner = inner.plus(&end.scaled(by, 1)?)?;
                self.is_below(&inner, length, &end, at)?.then_some((inner, by))
            });
            let (inner, by) = moved?;
            match rows.get_mut(n + 1) {
                Some(row) => *row = inner,
                None => column = inner,
            }
            rows[n] = rows[n].plus(&Poly::constant(-by))?;
        }
        Some(Subscripts { rows, column })
    }

    /// Whether `0 <= p` and `p + length <= end` at all points of a block.
    fn is_below(&mut self, p: &Poly, length: i64, end: &Poly, at: BlockId) -> Option<bool> {
        let mut outside = Question::default();
        let over = p.plus(&Poly::constant(length))?;
        let [p, over, end] = [p, &over, end].map(|x| outside.linear(self, x, Side::First));
        outside.add(format!("{0} < 0 or {1} > {2}", p?, over?, end?));
        self.executed(&mut outside, at, Side::First)?;
        outside.is_empty(self)
    }
}

/// What is added to the other terms.
pub fn constant(bytes: &Poly) -> i64 {
    bytes.terms.get(&vec![]).copied().unwrap_or(0)
}

/// The strides in which some addresses have steps that are not constant, largest first.
pub fn strides(addresses: &[&Poly]) -> Vec<Stride> {
    let mut all: Vec<Vec<Var>> = vec![];
    for vars in addresses.iter().flat_map(|p| p.terms.keys()) {
        let numbers: Vec<Var> = vars.iter().copied().filter(|v| matches!(v, Var::Number(_))).collect();
        if !numbers.is_empty() && numbers.len() < vars.len() && !all.contains(&numbers) {
            all.push(numbers);
        }
    }
    all.sort_by_key(|numbers| std::cmp::Reverse(numbers.len()));
    let mut left: Vec<Poly> = addresses.iter().map(|p| (*p).clone()).collect();
    let mut strides = vec![];
    for numbers in all {
        let whole = Stride { numbers, factor: 1 };
        let mut factor = 0;
        for p in &mut left {
            if let Some((row, rest)) = divided(p, &whole) {
                factor = row.terms.values().fold(factor, |g: i64, c| gcd(g, c.abs()));
                *p = rest;
            }
        }
        strides.push(Stride { factor: factor.max(1), ..whole });
    }
    strides
}

impl Stride {
    fn poly(&self) -> Poly {
        Poly { terms: [(self.numbers.clone(), self.factor)].into(), over: 1 }
    }

    /// How many of a smaller stride are in this one.
    fn over(&self, small: &Stride) -> Option<Poly> {
        let numbers = without(&self.numbers, &small.numbers).filter(|_| self.factor % small.factor == 0)?;
        Some(Poly { terms: [(numbers, self.factor / small.factor)].into(), over: 1 })
    }
}

/// How many of a stride are in a polynomial, and what is left.
fn divided(p: &Poly, stride: &Stride) -> Option<(Poly, Poly)> {
    let [mut row, mut rest] = [Poly::constant(0), Poly::constant(0)];
    for (vars, c) in &p.terms {
        match without(vars, &stride.numbers) {
            Some(vars) if c % stride.factor == 0 => drop(row.terms.insert(vars, c / stride.factor)),
            Some(_) => return None,
            None => drop(rest.terms.insert(vars.clone(), *c)),
        }
    }
    (p.over == 1).then_some((row, rest))
}

/// Factors of a product without those of another one.
fn without(vars: &[Var], divisor: &[Var]) -> Option<Vec<Var>> {
    let mut left = vars.to_vec();
    for d in divisor {
        let n = left.iter().position(|v| v == d)?;
        left.remove(n);
    }
    Some(left)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn flatten<'e>(e: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match e {
        Expr::Nary(Nary::Sum, parts) => parts.iter().for_each(|p| flatten(p, terms)),
        e => terms.push(e),
    }
}

//! How the iteration points of a loop nest are numbered.
//!
//! From the outermost loop inwards, loops are numbered by closed forms as long as their extents allow it: known before the
//! outermost loop starts (rectangular), or affine in the iterations of loops numbered so and never negative
//! (polynomial, by sums of extents). Any other loop is a root: its iterations are counted on a tape of its own, and
//! where an entry's iterations start is kept at the iteration point around it (ragged). A root may be the outermost
//! loop. Cost: the square of the depth, once per loop.

use crate::facts::Facts;
use crate::facts::scalar::{Conditions, Guards};
use crate::primal::expr::{Cast, Nary};
use crate::primal::{BlockId, Expr, LoopId, Primal, Ty};
use crate::revprog::poly::{Poly, Var};
use crate::revprog::{Content, Dim, Home, Segment, Shape, Slot};
use indexmap::IndexMap;

/// Extents that are only bounds are taken up to this many iterations; beyond, the iterations are counted.
const MOST_IMPRECISE: i64 = 16;
/// Slots of known size up to this many bytes live on the stack.
const STACK_SLOT: i64 = 1024;
/// Loops that are numbered by one polynomial.
const DEEPEST: usize = 6;

/// Makes the shape of each loop that is asked for.
pub struct Shapes<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    guards: IndexMap<Segment, Guards<'a>>,
    by_loop: IndexMap<(Segment, LoopId), u32>,
    /// The shapes made.
    pub all: Vec<Shape>,
}

impl<'a> Shapes<'a> {
    /// No shapes yet.
    pub fn new(primal: &'a Primal, facts: &'a Facts) -> Self {
        Shapes { primal, facts, guards: IndexMap::new(), by_loop: IndexMap::new(), all: vec![] }
    }

    /// The shape of the points of a loop in a segment.
    pub fn of(&mut self, segment: Segment, l: LoopId) -> u32 {
        if let Some(&known) = self.by_loop.get(&(segment, l)) {
            return known;
        }
        let parent = self.primal.loops[l.index()].parent;
        let shape = if parent == segment {
            self.root(l, self.facts.loops[l.index()].trip.as_ref())
        } else {
            let around = self.of(segment, parent.expect("a loop of the segment"));
            match self.inner(segment, around, l) {
                Some(mut shape) => {
                    let outermost = self.nest(segment, Some(l))[0];
                    shape.guards = self.guards(segment).of(outermost, l);
                    shape
                }
                None => self.root(l, None),
            }
        };
        self.all.push(shape);
        let id = (self.all.len() - 1) as u32;
        self.by_loop.insert((segment, l), id);
        id
    }

    /// A slot of elements at the points of a loop; its tape is not chosen yet.
    pub fn slot(&mut self, of: Content, ty: Ty, segment: Segment, innermost: Option<LoopId>) -> Slot {
        let nest = self.nest(segment, innermost);
        let shape = nest.last().map(|&l| self.of(segment, l));
        let home = match shape.map(|s| &self.all[s as usize]) {
            Some(_) if matches!(of, Content::Snapshot(_)) => Home::Tape(u32::MAX),
            None => Home::Register,
            Some(shape) => {
                let constant = (!shape.grows()).then(|| shape.points.as_const()).flatten();
                let bytes = constant.and_then(|n| n.checked_mul(ty.bytes() as i64));
                if bytes.is_some_and(|n| n <= STACK_SLOT) { Home::Stack } else { Home::Tape(u32::MAX) }
            }
        };
        Slot { of, ty, lanes: 1, segment, nest, shape, home, packed: false }
    }

    /// The loops of a segment around a loop, itself included, outermost first.
    pub fn nest(&self, segment: Segment, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut nest = self.primal.nest(innermost);
        let outside = segment.and_then(|l| nest.iter().position(|n| *n == l));
        nest.drain(..outside.map_or(0, |n| n + 1));
        nest
    }

    /// Conditions that hold in a block of a replayed iteration.
    pub fn conditions(&mut self, l: LoopId, block: BlockId) -> Conditions {
        self.guards(Some(l)).at(l, block)
    }

    /// A value of 64 bits as an affine function over iteration numbers and numbers.
    pub fn linear(&mut self, segment: Segment, dims: &[Dim], e: &Expr, numbers: &mut Vec<Expr>) -> Option<Poly> {
        self.guards(segment);
        Reach { dims, segment, shapes: self }.linear(e, numbers, true)
    }

    /// The most or least that an affine function can be in the loops `dims`.
    pub fn extreme(
        &mut self,
        segment: Segment,
        dims: &[Dim],
        p: &Poly,
        numbers: &mut Vec<Expr>,
        most: bool,
    ) -> Option<Poly> {
        self.guards(segment);
        Reach { dims, segment, shapes: self }.extreme(p, numbers, most)
    }

    /// Whether an affine function of numbers is never negative.
    pub fn is_natural(&mut self, segment: Segment, p: &Poly, numbers: &mut Vec<Expr>) -> bool {
        self.guards(segment);
        Reach { dims: &[], segment, shapes: self }.is_natural(p, numbers)
    }

    /// Whether an expression can be evaluated before the loops of the function start.
    pub fn is_early(&mut self, e: &Expr) -> bool {
        self.guards(None);
        self.is_known(None, e)
    }

    fn guards(&mut self, segment: Segment) -> &mut Guards<'a> {
        self.guards.entry(segment).or_insert_with(|| Guards::new(self.primal, segment))
    }

    /// A loop that starts a shape. With an extent it is an outermost one.
    fn root(&self, l: LoopId, extent: Option<&Expr>) -> Shape {
        let mut numbers = vec![];
        let extent = extent.map(|e| whole(&mut numbers, e));
        let dim = |extent: Option<Poly>| {
            let most = extent.clone().unwrap_or(Poly::constant(0));
            Dim { of: l, extent, most, before: Poly::var(Var::Iter(l)) }
        };
        let points = extent.clone().unwrap_or(Poly::constant(1));
        Shape { dims: vec![dim(extent)], numbers, points, guards: vec![] }
    }

    /// The shape around a loop with the loop in it, if there is a closed form.
    fn inner(&mut self, segment: Segment, around: u32, l: LoopId) -> Option<Shape> {
        self.guards(segment);
        let mut shape = self.all[around as usize].clone();
        if shape.dims.len() == DEEPEST {
            return None;
        }
        let extent = self.extent(segment, &mut shape, l)?;
        let most = Reach { dims: &shape.dims, segment, shapes: self }.most(&extent, &mut shape.numbers)?;
        shape.dims.push(Dim { of: l, extent: Some(extent), most, before: Poly::constant(0) });
        number(&mut shape)?;
        Some(shape)
    }

    /// How many iterations a loop has, given those of the loops numbered with it.
    pub fn extent(&mut self, segment: Segment, shape: &mut Shape, l: LoopId) -> Option<Poly> {
        self.guards(segment);
        let facts = &self.facts.loops[l.index()];
        let modest = |e: &&Expr| e.as_const().is_some_and(|c| c <= MOST_IMPRECISE);
        let e = facts.trip.as_ref().or(facts.most.as_ref().filter(modest))?;
        if self.is_known(segment, e) {
            return Some(whole(&mut shape.numbers, e));
        }
        let reach = Reach { dims: &shape.dims, segment, shapes: self };
        let extent = reach.linear(e, &mut shape.numbers, false)?;
        reach.is_natural(&extent, &mut shape.numbers).then_some(extent)
    }

    /// Whether an expression can be evaluated before the outermost loop of a segment starts.
    fn is_known(&self, segment: Segment, e: &Expr) -> bool {
        let around = self.primal.nest(segment);
        let guards = &self.guards[&segment];
        e.loops().iter().all(|l| around.contains(l)) && e.values().iter().all(|&v| guards.is_early(v))
    }
}

/// An expression as a number of its own.
fn whole(numbers: &mut Vec<Expr>, e: &Expr) -> Poly {
    if let Some(c) = e.as_const() {
        return Poly::constant(c);
    }
    let known = numbers.iter().position(|n| n == e);
    let n = known.unwrap_or_else(|| {
        numbers.push(e.clone());
        numbers.len() - 1
    });
    Poly::var(Var::Number(n as u32))
}

/// Sums up extents, innermost first.
fn number(shape: &mut Shape) -> Option<()> {
    let mut points = Poly::constant(1);
    for dim in shape.dims.iter_mut().rev() {
        let it = Var::Iter(dim.of);
        match &dim.extent {
            Some(extent) => {
                dim.before = points.sum_below(it, &Poly::var(it))?;
                points = points.sum_below(it, extent)?;
            }
            // Room is made for whole iterations of a growing root, so these are all of one size.
            None if points.has(it) => return None,
            None => {}
        }
    }
    shape.points = points;
    Some(())
}

/// What affine expressions over the iteration numbers of some loops can be.
struct Reach<'a> {
    dims: &'a [Dim],
    segment: Segment,
    shapes: &'a Shapes<'a>,
}

impl Reach<'_> {
    /// An expression of 64 bits as an affine function over iteration numbers and numbers. Unless `any` known expression
    /// may be a number, these are values, widened perhaps: arithmetic that wraps says nothing where its loop is not entered.
    fn linear(&self, e: &Expr, numbers: &mut Vec<Expr>, any: bool) -> Option<Poly> {
        match e {
            Expr::Const(64, c) => Some(Poly::constant(*c)),
            Expr::Iter(64, l) => {
                let numbered = self.dims.iter().any(|d| d.of == *l && d.extent.is_some());
                if numbered { Some(Poly::var(Var::Iter(*l))) } else { self.known(e, numbers) }
            }
            Expr::Nary(Nary::Sum, parts) => {
                parts.iter().try_fold(Poly::constant(0), |sum, part| sum.plus(&self.linear(part, numbers, any)?))
            }
            Expr::Nary(Nary::Product, parts) => {
                let (constants, others): (Vec<_>, Vec<_>) = parts.iter().partition(|p| p.as_const().is_some());
                let factor = constants.iter().try_fold(1i64, |n, c| n.checked_mul(c.as_const()?))?;
                match others.as_slice() {
                    [one] => self.linear(one, numbers, any)?.scaled(factor, 1),
                    _ => None,
                }
            }
            Expr::Nary(kind @ (Nary::UnsignedMax | Nary::UnsignedMin), parts) => {
                let mut chosen = self.linear(parts.first()?, numbers, any)?;
                for part in &parts[1..] {
                    let other = self.linear(part, numbers, any)?;
                    if !self.is_itself(&chosen, numbers) || !self.is_itself(&other, numbers) {
                        return None;
                    }
                    let other_is_more = self.is_natural(&other.plus(&chosen.scaled(-1, 1)?)?, numbers);
                    let other_is_less = self.is_natural(&chosen.plus(&other.scaled(-1, 1)?)?, numbers);
                    match (kind, other_is_more, other_is_less) {
                        (Nary::UnsignedMax, true, _) | (Nary::UnsignedMin, _, true) => chosen = other,
                        (_, false, false) => return None,
                        _ => {}
                    }
                }
                Some(chosen)
            }
            Expr::Value(v) if self.shapes.primal.ty(*v) == Ty::Int(64) => self.known(e, numbers),
            Expr::Cast(Cast::Zero | Cast::Sign, 64, inner) if any || matches!(**inner, Expr::Value(_)) => {
                self.known(e, numbers)
            }
            _ => None,
        }
    }

    fn known(&self, e: &Expr, numbers: &mut Vec<Expr>) -> Option<Poly> {
        self.shapes.is_known(self.segment, e).then(|| whole(numbers, e))
    }

    /// Whether the arithmetic of an affine function does not wrap, so that it compares like the sum that it is.
    fn is_itself(&self, p: &Poly, numbers: &mut Vec<Expr>) -> bool {
        let alone = p.terms.len() == 1 && p.terms.iter().all(|(vars, c)| vars.len() == 1 && *c == 1);
        alone || self.is_natural(p, numbers)
    }

    /// Whether an affine function is never negative.
    fn is_natural(&self, p: &Poly, numbers: &mut Vec<Expr>) -> bool {
        let Some(least) = self.extreme(p, numbers, false) else { return false };
        least.terms.iter().all(|(vars, c)| match vars.as_slice() {
            [] => *c >= 0,
            [Var::Number(n)] => *c >= 0 && matches!(numbers[*n as usize], Expr::Cast(Cast::Zero, ..)),
            _ => false,
        })
    }

    /// An upper bound without negative terms.
    fn most(&self, p: &Poly, numbers: &mut Vec<Expr>) -> Option<Poly> {
        let mut most = self.extreme(p, numbers, true)?;
        most.terms.retain(|_, c| *c > 0);
        Some(most)
    }

    /// The most or least that an affine function can be: each iteration number at its first or last value, innermost first.
    fn extreme(&self, p: &Poly, numbers: &mut Vec<Expr>, most: bool) -> Option<Poly> {
        let mut p = p.clone();
        for dim in self.dims.iter().rev() {
            let it = Var::Iter(dim.of);
            let Some(extent) = &dim.extent else { continue };
            // A loop that does not matter is not asked for its extent, which may be compared with another one in turn.
            if !p.terms.keys().any(|vars| vars.contains(&it)) {
                continue;
            }
            let value = match (p.coefficient(it) > 0) == most {
                true => self.in_parts(dim, extent, numbers).plus(&Poly::constant(-1))?,
                false => Poly::constant(0),
            };
            p = p.with(it, &value)?;
        }
        Some(p)
    }

    /// An extent that is one number, as a sum, so that it cancels against other sums. The loop is entered.
    fn in_parts(&self, dim: &Dim, extent: &Poly, numbers: &mut Vec<Expr>) -> Poly {
        let trip = self.shapes.facts.loops[dim.of.index()].trip.as_ref();
        let alone = !extent.has_iterations();
        let parts = trip.filter(|_| alone).and_then(|e| self.linear(e, numbers, true));
        parts.unwrap_or_else(|| extent.clone())
    }
}

//! What it is taken to cost to keep a value or to have it again. The one home of these figures.
//!
//! The unit is a quarter of an addition of two numbers. Costs are those of all executions, by trip counts where these are constant.

use crate::facts::Facts;
use crate::primal::{LoopId, Op, Primal, Ty, ValueId};
use crate::revprog::Segment;
use crate::rules;

/// Iterations that a loop is taken to have if their number is not constant.
const ASSUMED_TRIP: u64 = 64;
/// Writing and reading eight bytes on a tape: the memory is fresh, and not in the cache when it is read.
const TAPE: u64 = 72;
/// The same in memory that is used again and again: of a replay, or small.
const REUSED: u64 = 8;
/// Points up to which a slot is small.
const SMALL: u64 = 1000;

/// Estimates costs.
#[derive(Clone, Copy)]
pub struct Estimate<'a> {
    /// The function.
    pub primal: &'a Primal,
    /// Its trip counts.
    pub facts: &'a Facts,
}

impl Estimate<'_> {
    /// Keeping a value in a segment.
    pub fn keep(&self, v: ValueId, segment: Segment) -> u64 {
        self.slot(self.primal.loop_of_value(v), self.primal.ty(v), segment)
    }

    /// A slot with an element for every execution in a loop.
    pub fn slot(&self, innermost: Option<LoopId>, ty: Ty, segment: Segment) -> u64 {
        let (points, constant) = self.trips(innermost);
        let each = if segment.is_some() || constant && points <= SMALL { REUSED } else { TAPE };
        // Narrow elements save memory, not instructions.
        points.saturating_mul(each * (4 + ty.bytes()) / 12)
    }

    /// Copying so many elements in each iteration of a loop.
    pub fn snapshot(&self, of: LoopId, elements: u64) -> u64 {
        let (points, constant) = self.trips(Some(of));
        let all = points.saturating_mul(elements);
        all.saturating_mul(if constant && all <= SMALL { REUSED } else { TAPE })
    }

    /// How many iterations a loop is taken to have, or something that nothing is known of.
    pub fn trip(&self, l: Option<LoopId>) -> u64 {
        let trip = l.and_then(|l| self.facts.loops[l.index()].trip.as_ref()?.as_const());
        trip.map_or(ASSUMED_TRIP, |n| n as u64)
    }

    /// Executing what computes a value in the forward sweep, which is the primal, vectorised as that is.
    pub fn ahead(&self, v: ValueId) -> u64 {
        self.again(v) / 2
    }

    /// Executing what computes a value once more, each time that it was executed.
    pub fn again(&self, v: ValueId) -> u64 {
        let each = match self.primal.op(v) {
            Some(Op::Rule(rule)) => match rules::row(*rule) {
                row if row.expensive => 160,
                row if matches!(row.name, "fdiv" | "sqrt") => 20,
                _ => 4,
            },
            Some(Op::Load | Op::Store) => 4,
            Some(Op::Trapping | Op::Fill | Op::Copy) => 32,
            Some(_) => 1,
            None => 4,
        };
        self.trips(self.primal.loop_of_value(v)).0.saturating_mul(each)
    }

    /// How often a block of a loop is executed, and whether that is known.
    fn trips(&self, innermost: Option<LoopId>) -> (u64, bool) {
        let mut known = true;
        let mut all = 1u64;
        for l in self.primal.nest(innermost) {
            let constant = self.facts.loops[l.index()].trip.as_ref().and_then(|e| e.as_const());
            known &= constant.is_some();
            all = all.saturating_mul(constant.map_or(ASSUMED_TRIP, |n| n as u64));
        }
        (all, known)
    }
}

//! Which loops have their iterations replayed.
//!
//! Plans are compared by an estimate of what they cost: memory traffic of slots on tapes and in replays, and the operations
//! that are run, in the forward sweep (which may have nothing left to do) and again. Loops are added one by one as long as the best
//! addition makes the plan cheaper. Cost: plans tried times the square of values at worst, which is bounded; functions too large for that get no replay.

use super::estimate::Estimate;
use super::runs::Runs;
use super::snapshots::Snapshots;
use super::sources::Plan;
use crate::primal::{LoopId, Primal, ValueId};
use crate::revprog::{Content, Home, Source};
use indexmap::IndexSet;

/// The square of values times plans that are tried at most: that is how the time for a minimum cut grows.
const MOST_WORK: usize = 1_000_000_000;
/// A replay must make the plan cheaper by this part of what the reverse sweep costs.
const GAIN: f64 = 0.05;

/// What a plan costs.
#[derive(Clone, Copy)]
pub struct Cost {
    ahead: f64,
    back: f64,
}

impl Cost {
    fn total(self) -> f64 {
        self.ahead + self.back
    }
}

/// What a plan costs in the forward sweep and in the reverse sweep, with what crosses.
pub fn cost(plan: &Plan, runs: &[Runs], ahead: Option<&Runs>, snapshots: &Snapshots, estimate: &Estimate) -> Cost {
    let kept = plan.slots.iter().filter(|s| !matches!(s.home, Home::Register | Home::Block(_)));
    let kept = kept.map(|s| match s.of {
        Content::Snapshot(n) => snapshots.costs[n as usize],
        _ => estimate.slot(s.nest.last().copied().or(s.segment), s.ty, s.segment),
    });
    let repeats =
        |s: &Option<Source>| matches!(s, Some(Source::Again | Source::Reload | Source::Replayed | Source::Snapshot(_)));
    let again = plan.sources.iter().enumerate().filter(|(_, s)| repeats(s));
    let again = again.map(|(v, _)| estimate.again(ValueId(v as u32)));
    let run = runs.iter().flat_map(|r| &r.values).map(|&v| estimate.again(v));
    let ahead = ahead.into_iter().flat_map(|r| &r.values).map(|&v| estimate.ahead(v));
    Cost { ahead: ahead.map(|c| c as f64).sum(), back: kept.chain(again).chain(run).map(|c| c as f64).sum() }
}

/// The loops in whose iterations something is kept on a tape: what a replay could spare.
pub fn candidates(plan: &Plan, primal: &Primal) -> Vec<LoopId> {
    let on_tape = plan.slots.iter().filter(|s| matches!(s.home, Home::Tape(_)) && s.segment.is_none());
    let loops: IndexSet<LoopId> = on_tape.flat_map(|s| s.nest.iter().copied()).collect();
    if loops.len() > plans(primal) { vec![] } else { loops.into_iter().collect() }
}

/// How many plans are tried at most.
fn plans(primal: &Primal) -> usize {
    MOST_WORK / primal.values.len().pow(2).max(1)
}

/// Adds loops as long as that pays, and plans may be tried. `make` gives a plan for some loops with its cost.
pub fn best<P>(
    primal: &Primal,
    first: (P, Cost),
    candidates: &[LoopId],
    mut make: impl FnMut(&[LoopId]) -> Option<(P, Cost)>,
) -> P {
    let (mut plan, mut cost) = first;
    let mut chosen: Vec<LoopId> = vec![];
    let mut left = plans(primal);
    loop {
        let mut better: Option<(LoopId, P, Cost)> = None;
        let rest: Vec<LoopId> = candidates.iter().copied().filter(|l| !chosen.contains(l)).collect();
        if rest.len() > left {
            return plan;
        }
        left -= rest.len();
        for l in rest {
            let all: Vec<LoopId> = chosen.iter().copied().chain([l]).collect();
            if let Some((p, c)) = make(&all)
                && better.as_ref().is_none_or(|(_, _, least)| c.total() < least.total())
            {
                better = Some((l, p, c));
            }
        }
        match better {
            Some((l, p, c)) if c.total() < cost.total() - cost.back * GAIN => {
                chosen.push(l);
                (plan, cost) = (p, c);
            }
            _ => return plan,
        }
    }
}

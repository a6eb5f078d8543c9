//! Which loops have their iterations replayed.
//!
//! Plans are compared by an estimate of what they cost: memory traffic of slots on tapes and in replays, and the operations
//! that are run, in the forward sweep (which may have nothing left to do) and again. Loops are added one by one as long as the best
//! addition makes the plan cheaper. Cost: plans tried times values; functions too large for that get no replay.

use super::estimate::Estimate;
use super::runs::Runs;
use super::snapshots::Snapshots;
use super::sources::Plan;
use crate::primal::{LoopId, Primal, ValueId};
use crate::revprog::{Content, Home, Source};
use indexmap::IndexSet;

/// Values times plans that are tried at most.
const MOST_WORK: usize = 4_000_000;
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
    let work = primal.values.len() * loops.len();
    if work > MOST_WORK { vec![] } else { loops.into_iter().collect() }
}

/// Adds loops as long as that pays. `make` gives a plan for some loops with its cost.
pub fn best<P>(first: (P, Cost), candidates: &[LoopId], mut make: impl FnMut(&[LoopId]) -> Option<(P, Cost)>) -> P {
    let (mut plan, mut cost) = first;
    let mut chosen: Vec<LoopId> = vec![];
    loop {
        let mut better: Option<(LoopId, P, Cost)> = None;
        for &l in candidates.iter().filter(|l| !chosen.contains(l)) {
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

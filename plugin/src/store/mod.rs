//! Decides where every value that the reverse sweep wants comes from, and lays out the tape.
//!
//! Wants are collected from the reverse sweep (`wants`); each gets a sound source: at hand, a closed form, a
//! repeated load, a repeated instruction, or a tape slot (`sources`), at the least cost for all of them (`cut`, `estimate`); the
//! iteration points of slots are numbered (`shapes`). Many loads of memory that is overwritten can be repeated on one copy of it (`snapshots`).
//! Where that is cheaper, the reverse sweep runs iterations of a loop forward again instead of keeping what it wants of them (`choice`, `replay`).
//! The forward sweep leaves out what is not wanted then (`forward`, `unread`). Sums whose bits nobody sees may be added up in any order
//! (`sums`). Reverse loops are skipped where they have nothing to pass on (`idle`).
//! Slots are grouped under their root loops and the sweeps get the statements that fill and find them (`tape`). What an instruction may be
//! repeated in its own place rests on dominance: a statement of the reverse sweep runs at an iteration point where the
//! value it wants was computed forward, with the same operands.

mod address;
mod bare;
mod choice;
mod cut;
mod dense;
mod estimate;
mod forward;
mod idle;
mod private;
mod quiet;
mod reasons;
mod replay;
mod runs;
mod segments;
mod shapes;
mod snapshots;
mod sources;
mod sums;
mod tape;
mod undo;
mod unread;
mod wants;

use crate::facts::Facts;
use crate::primal::{LoopId, Primal, ValueId};
use crate::problem::Code;
use crate::revprog::RevProg;
use estimate::Estimate;
use runs::Runs;
use segments::{Privates, Segments};
use snapshots::Snapshots;
use sources::{Plan, Sources};
use wants::Wants;

/// A value that the reverse sweep cannot get.
#[derive(Clone, Debug, PartialEq)]
pub struct Missing {
    /// The value.
    pub of: ValueId,
    /// Which kind of problem.
    pub code: Code,
    /// The problem in one sentence.
    pub text: String,
}

/// When the iterations of a loop are replayed in the reverse sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replay {
    /// Where that is estimated to be cheaper.
    #[default]
    Auto,
    /// Nowhere.
    Never,
    /// Wherever something would be on a tape otherwise; for tests.
    Always,
}

/// Completes a reverse program with sources, slots and tapes; or says which values cannot be had. With `pack`, conditions on
/// tapes take a bit each where they can. With `fixed_order` sums keep theirs.
pub fn store(
    mut prog: RevProg,
    primal: &Primal,
    facts: &Facts,
    when: Replay,
    pack: bool,
    fixed_order: bool,
) -> Result<RevProg, Vec<Missing>> {
    let Some(reverse) = prog.reverse else { return Ok(prog) };
    bare::strip(&mut prog, reverse);
    let estimate = Estimate { primal, facts };
    let wants = wants::collect(&prog, reverse, primal);
    let snapshots = snapshots::find(&prog, primal, facts);
    let plan = |loops: &[LoopId], private: &Privates| plan(&prog, primal, facts, &wants, &snapshots, loops, private);
    let plain = plan(&[], &Privates::new())?;
    let candidates = match when {
        Replay::Never => vec![],
        _ => choice::candidates(&plain.0, primal),
    };
    let private = candidates.iter().map(|&l| (l, private::find(primal, facts, l))).collect();
    let (mut chosen, runs) = match when {
        _ if candidates.is_empty() => plain,
        Replay::Always => plan(&candidates, &private)?,
        _ => {
            let mut trial = prog.clone();
            let mut cost = |(plan, runs): &Planned| {
                let ahead = facts.results.at_once.then(|| ahead(&mut trial, primal, facts, plan, runs));
                choice::cost(plan, runs, ahead.as_ref(), &snapshots, &estimate)
            };
            let first = cost(&plain);
            let make = |loops: &[LoopId]| {
                let made = plan(loops, &private).ok()?;
                let cost = cost(&made);
                Some((made, cost))
            };
            choice::best(primal, (plain, first), &candidates, make)
        }
    };
    prog.sources = chosen.sources;
    prog.slots = chosen.slots;
    prog.snapshots = chosen.snapshots;
    prog.why = chosen.why;
    snapshots::insert(&mut prog);
    for runs in &runs {
        replay::insert(&mut prog, runs);
    }
    tape::group(&mut prog, primal, facts, &mut chosen.shapes);
    if pack {
        tape::pack(&mut prog);
    }
    undo::settle(&mut prog, facts, &runs);
    if facts.results.at_once {
        let forward = forward::prune(&mut prog, primal, facts, &chosen.shapes.all, &runs);
        if !fixed_order {
            let all: Vec<&Runs> = runs.iter().chain([&forward]).collect();
            prog.free = sums::free(&prog, primal, facts, &all);
        }
    }
    tape::lay_out(&mut prog, primal);
    idle::skip(&mut prog, &estimate);
    prog.shapes = chosen.shapes.all;
    Ok(prog)
}

/// A plan, and what its replays run.
type Planned<'a> = (Plan<'a>, Vec<Runs>);

/// What a plan runs of the forward sweep.
fn ahead(trial: &mut RevProg, primal: &Primal, facts: &Facts, plan: &Plan, runs: &[Runs]) -> Runs {
    trial.sources.clone_from(&plan.sources);
    trial.slots.clone_from(&plan.slots);
    trial.snapshots.clone_from(&plan.snapshots);
    forward::needed(trial, primal, facts, &plan.shapes.all, runs)
}

/// The plan in which these loops are replayed.
fn plan<'a>(
    prog: &RevProg,
    primal: &'a Primal,
    facts: &'a Facts,
    wants: &Wants,
    snapshots: &Snapshots,
    replayed: &[LoopId],
    private: &Privates,
) -> Result<Planned<'a>, Vec<Missing>> {
    let segments = Segments::new(primal, facts, snapshots, replayed, private);
    let mut sources = Sources::new(primal, facts, &segments, snapshots);
    sources.wants(wants);
    let close = |l: LoopId| replay::close(prog, primal, facts, &segments, &mut sources, l);
    let runs = segments.replayed().map(close).collect();
    Ok((sources.finish()?, runs))
}

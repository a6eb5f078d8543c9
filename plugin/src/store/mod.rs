//! Decides where every value that the reverse sweep wants comes from, and lays out the tape.
//!
//! Wants are collected from the reverse sweep (`wants`); each gets the cheapest sound source: at hand, a closed form, a
//! repeated load, a repeated cheap instruction, else a tape slot (`sources`), whose iteration points are numbered (`shapes`).
//! Slots are grouped under their root loops and the sweeps get the statements that fill and find them (`tape`). What an instruction may be
//! repeated in its own place rests on dominance: a statement of the reverse sweep runs at an iteration point where the
//! value it wants was computed forward, with the same operands.

mod shapes;
mod sources;
mod tape;
mod wants;

use crate::facts::Facts;
use crate::primal::{Primal, ValueId};
use crate::problem::Code;
use crate::revprog::RevProg;

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

/// Completes a reverse program with sources, slots and tapes; or says which values cannot be had.
pub fn store(mut prog: RevProg, primal: &Primal, facts: &Facts) -> Result<RevProg, Vec<Missing>> {
    let Some(reverse) = prog.reverse else { return Ok(prog) };
    let wants = wants::collect(&prog, reverse, primal);
    let mut sources = sources::Sources::new(primal, facts);
    for v in wants.addresses {
        sources.address(v);
    }
    for v in wants.values {
        sources.value(v);
    }
    let mut plan = sources.finish()?;
    prog.sources = plan.sources;
    prog.slots = plan.slots;
    prog.why = plan.why;
    tape::lay_out(&mut prog, primal, facts, &mut plan.shapes);
    prog.shapes = plan.shapes.all;
    Ok(prog)
}

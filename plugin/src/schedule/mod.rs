//! Rewrites a reverse program: which statements are needed, and in which order and how often they are executed.
//!
//! Passes are functions on `RevProg`, called here one after the other. Iterations run in the primal's order forward and in the
//! opposite order backward.

mod accumulate;
mod hoist;

use crate::facts::Facts;
use crate::primal::Primal;
use crate::revprog::RevProg;

/// Chooses what is executed when.
pub fn schedule(mut prog: RevProg, primal: &Primal, facts: &Facts) -> RevProg {
    if let Some(reverse) = prog.reverse {
        accumulate::leave(&mut prog, reverse, primal);
        hoist::sums(&mut prog, reverse, primal, facts);
    }
    prog
}

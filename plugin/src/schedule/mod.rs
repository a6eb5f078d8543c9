//! Rewrites the loops of a reverse program: order, fission, shift, parallel execution.
//!
//! At present the identity: iterations run in the primal's order forward and in the opposite order backward. Later passes
//! are functions from `RevProg` to `RevProg` that are called here, one after the other.

use crate::revprog::RevProg;

/// Chooses the order in which iterations are executed.
pub fn schedule(prog: RevProg) -> RevProg {
    prog
}

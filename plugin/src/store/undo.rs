//! Keeps those undone stores that a repeated load depends on, and removes the statements about others.

use super::runs::Runs;
use crate::facts::Facts;
use crate::primal::ValueId;
use crate::revprog::{Act, Node, RevProg, Source};
use std::collections::BTreeSet;

/// Settles which stores are undone.
pub fn settle(prog: &mut RevProg, facts: &Facts, runs: &[Runs]) {
    let again = |v: ValueId| facts.checkpoints.values().any(|c| c.call == v);
    let repeats =
        |v: ValueId| prog.source(v) == Some(&Source::Reload) || again(v) || runs.iter().any(|r| r.values.contains(&v));
    let repeated = facts.undone.iter().filter(|(load, _)| repeats(**load));
    let wanted: BTreeSet<ValueId> = repeated.flat_map(|(_, stores)| stores).copied().collect();
    for node in &mut prog.nodes {
        if let Node::Stmt(Act::Save(s) | Act::Undo(s) | Act::Redo(s)) = node
            && !wanted.contains(s)
        {
            *node = Node::Seq(vec![]);
        }
    }
}

//! Makes a failing function small: cuts the tree, one place after the other, as long as it fails in the same way.

use crate::examine::{Setting, Verdict, examine, primal_fault};
use crate::tree::{Function, Kind, Node, Stmt};
use std::io;

/// A walk over all places where a tree can be cut, which cuts at one of them.
struct Cutter {
    /// Places to pass before the one where to cut.
    left: usize,
    done: bool,
}

impl Cutter {
    /// Whether this place is the one.
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }
}

/// The function cut at place `at`, if it has so many.
pub fn cut(function: &Function, at: usize) -> Option<Function> {
    let mut cutter = Cutter { left: at, done: false };
    let mut smaller = function.clone();
    cut_block(&mut smaller.body, &mut cutter);
    let mut index = 0;
    while index < smaller.items.len() && !cutter.done {
        if cutter.here() {
            smaller.items.remove(index);
            break;
        }
        if let Some(body) = &mut smaller.items[index].body {
            cut_block(body, &mut cutter);
        }
        index += 1;
    }
    cut_layouts(&mut smaller, &mut cutter);
    cutter.done.then_some(smaller)
}

fn cut_layouts(function: &mut Function, cutter: &mut Cutter) {
    for bit in [1, 2, 4] {
        if function.layouts & bit != 0 && function.layouts != bit && cutter.here() {
            function.layouts -= bit;
            return;
        }
    }
}

fn cut_block(block: &mut Vec<Stmt>, cutter: &mut Cutter) {
    // Several statements at once first: most of a program has nothing to do with its fault.
    let mut size = block.len() / 2;
    while size > 1 {
        for start in (0..block.len()).step_by(size) {
            if cutter.here() {
                block.drain(start..(start + size).min(block.len()));
                return;
            }
        }
        size /= 2;
    }
    for index in 0..block.len() {
        if cutter.here() {
            block.remove(index);
            return;
        }
        for body in 0..block[index].bodies.len() {
            if cutter.here() {
                let inner = block[index].bodies[body].clone();
                block.splice(index..=index, inner);
                return;
            }
        }
        cut_stmt(&mut block[index], cutter);
        if cutter.done {
            return;
        }
    }
}

fn cut_stmt(stmt: &mut Stmt, cutter: &mut Cutter) {
    for body in &mut stmt.bodies {
        cut_block(body, cutter);
    }
    for arg in &mut stmt.args {
        cut_node(arg, cutter);
    }
    for (long, short) in [("< n;", "< 2;"), ("< 4;", "< 2;"), ("< 3;", "< 1;"), ("static double (", "double (")] {
        if stmt.text.contains(long) && cutter.here() {
            stmt.text = stmt.text.replacen(long, short, 1);
        }
    }
}

fn cut_node(node: &mut Node, cutter: &mut Cutter) {
    let leaves: &[&str] = match node.kind {
        Kind::Real => &["0.5", "a", "x[0]", "x[1]"],
        Kind::Int => &["0", "1", "n & 1"],
        Kind::Cond => &["1", "0", "x[0] > 0"],
        Kind::Place => &[],
    };
    // Leaves in their order, so that one is never replaced by a later one and back again.
    let known = leaves.iter().position(|leaf| *leaf == node.text).unwrap_or(leaves.len());
    for leaf in &leaves[..known] {
        if cutter.here() {
            *node = Node::leaf(node.kind, *leaf);
            return;
        }
    }
    for index in 0..node.args.len() {
        let same_kind = node.args[index].kind == node.kind;
        let read = node.kind == Kind::Real && node.args[index].kind == Kind::Place && node.text != "$";
        if (same_kind || read) && node.kind != Kind::Place && cutter.here() {
            let inner = node.args[index].clone();
            *node = if same_kind { inner } else { Node::new(Kind::Real, "$", vec![inner]) };
            return;
        }
    }
    for arg in &mut node.args {
        cut_node(arg, cutter);
    }
}

/// The smallest function that was found to fail like `function` does, with its verdict; gives up after `most` trials.
pub fn reduce(
    function: &Function,
    setting: &Setting,
    verdict: &Verdict,
    most: usize,
) -> io::Result<(Function, Verdict)> {
    let (mut smallest, mut known) = (function.clone(), verdict.clone());
    let (mut at, mut trials, mut changed) = (0, 0, false);
    while trials < most {
        let Some(candidate) = cut(&smallest, at) else {
            if !changed {
                break;
            }
            (at, changed) = (0, false);
            continue;
        };
        trials += 1;
        match fails_alike(&candidate, setting, &known)? {
            Some(verdict) => {
                (smallest, known, changed) = (candidate, verdict, true);
            }
            None => at += 1,
        }
    }
    Ok((smallest, known))
}

/// The candidate's verdict where it is valid and fails in the same way.
fn fails_alike(candidate: &Function, setting: &Setting, wanted: &Verdict) -> io::Result<Option<Verdict>> {
    let verdict = examine(&[candidate], setting)?.swap_remove(0);
    let alike = match (&verdict, wanted) {
        (Verdict::Refused(code, _), Verdict::Refused(wanted, _)) => code == wanted,
        (Verdict::Wrong(text), Verdict::Wrong(wanted)) => what(text) == what(wanted),
        _ => verdict.word() == wanted.word(),
    };
    if !alike || (verdict.is_failure() && primal_fault(candidate, setting)?.is_some()) {
        return Ok(None);
    }
    Ok(Some(verdict))
}

/// Which check does not hold: what a message says before its numbers.
fn what(text: &str) -> &str {
    text.split(':').next().unwrap_or_default()
}

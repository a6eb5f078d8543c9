//! Dominators and natural loops of a primal.
//!
//! Dominators by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm", 2001); loops from back edges. Linear in practice.

use super::{Block, BlockId, LoopId, Primal, Term};
use std::collections::BTreeSet;

/// A natural loop in the form that `prepare` leaves: one preheader, one latch, one exit block.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// Where iterations start.
    pub header: BlockId,
    /// The block outside that enters the loop.
    pub preheader: BlockId,
    /// The block whose edge to the header ends an iteration.
    pub latch: BlockId,
    /// Blocks with an edge to the exit, in block order.
    pub exiting: Vec<BlockId>,
    /// The block that all exits lead to.
    pub exit: BlockId,
    /// Source line of the loop, zero where unknown.
    pub line: u32,
}

/// How the program shares out the iterations of a parallel loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// In one run of iterations for each thread.
    Static,
    /// In turns, some iterations at a time.
    Chunked,
    /// As threads ask for them.
    Dynamic,
    /// The same, in ever smaller pieces.
    Guided,
    /// As the user says when the program runs.
    Runtime,
}

impl Schedule {
    /// All, with their names.
    pub const ALL: [(Schedule, &str); 5] = [
        (Schedule::Static, "static"),
        (Schedule::Chunked, "chunked"),
        (Schedule::Dynamic, "dynamic"),
        (Schedule::Guided, "guided"),
        (Schedule::Runtime, "runtime"),
    ];

    /// Its name in text.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Dominator tree, of the control flow or of its reverse.
pub struct Dominators {
    order: Vec<BlockId>,
    number: Vec<usize>,
    parent: Vec<Option<BlockId>>,
    /// Of each block in the order of a walk over the tree: its number, and the first one after those below it.
    span: Vec<(u32, u32)>,
}

impl Dominators {
    /// Dominators of the blocks reachable from the entry.
    pub fn new(primal: &Primal) -> Self {
        let successors: Vec<_> = (0..primal.blocks.len()).map(|i| primal.successors(BlockId(i as u32))).collect();
        Self::of_graph(&successors, &predecessors(primal), BlockId(0))
    }

    /// Post-dominators of the blocks from which the function returns, as dominators of the reverse control flow from its
    /// one returning block.
    pub fn post(primal: &Primal) -> Option<Self> {
        let returns = |b: &Block| matches!(b.term, Term::Return(_));
        let end = BlockId(primal.blocks.iter().position(returns)? as u32);
        let successors: Vec<_> = (0..primal.blocks.len()).map(|i| primal.successors(BlockId(i as u32))).collect();
        Some(Self::of_graph(&predecessors(primal), &successors, end))
    }

    fn of_graph(successors: &[Vec<BlockId>], predecessors: &[Vec<BlockId>], start: BlockId) -> Self {
        let order = reverse_postorder(successors, start);
        let mut number = vec![usize::MAX; successors.len()];
        for (i, b) in order.iter().enumerate() {
            number[b.index()] = i;
        }
        let mut parent: Vec<Option<BlockId>> = vec![None; successors.len()];
        let mut dominators = Dominators { order, number, parent: vec![], span: vec![] };
        let mut changed = true;
        while changed {
            changed = false;
            for &b in dominators.order.iter().skip(1) {
                let known = predecessors[b.index()].iter().copied().filter(|p| {
                    dominators.number[p.index()] != usize::MAX && (*p == start || parent[p.index()].is_some())
                });
                let meet = known.reduce(|a, c| intersect(&parent, &dominators.number, a, c));
                if parent[b.index()] != meet {
                    parent[b.index()] = meet;
                    changed = true;
                }
            }
        }
        dominators.span = spans(&dominators.order, &parent);
        dominators.parent = parent;
        dominators
    }
    /// Blocks in reverse postorder.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }
    /// The immediate dominator.
    pub fn parent(&self, b: BlockId) -> Option<BlockId> {
        self.parent[b.index()]
    }
    /// Whether every path to `b` passes `a`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let ((first, end), (at, _)) = (self.span[a.index()], self.span[b.index()]);
        a == b || first <= at && at < end
    }
}

/// Numbers a tree whose parents come first in `order` so that what is below a node has the numbers after its own. Blocks
/// that are not in the tree have none below them.
fn spans(order: &[BlockId], parent: &[Option<BlockId>]) -> Vec<(u32, u32)> {
    let mut below = vec![0; parent.len()];
    for &b in order.iter().rev() {
        below[b.index()] += 1;
        if let Some(p) = parent[b.index()] {
            below[p.index()] += below[b.index()];
        }
    }
    let mut spans = vec![(u32::MAX, 0); parent.len()];
    let mut next = vec![0; parent.len()];
    for &b in order {
        let first = parent[b.index()].map_or(0, |p| next[p.index()]);
        spans[b.index()] = (first, first + below[b.index()]);
        next[b.index()] = first + 1;
        if let Some(p) = parent[b.index()] {
            next[p.index()] = first + below[b.index()];
        }
    }
    spans
}

fn intersect(parent: &[Option<BlockId>], number: &[usize], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        while number[a.index()] > number[b.index()] {
            a = parent[a.index()].expect("numbered blocks below the root have a parent");
        }
        while number[b.index()] > number[a.index()] {
            b = parent[b.index()].expect("numbered blocks below the root have a parent");
        }
    }
    a
}

/// Predecessors of each block, one entry per edge.
pub fn predecessors(primal: &Primal) -> Vec<Vec<BlockId>> {
    let mut all = vec![vec![]; primal.blocks.len()];
    for i in 0..primal.blocks.len() {
        let b = BlockId(i as u32);
        for s in primal.successors(b) {
            all[s.index()].push(b);
        }
    }
    all
}

fn reverse_postorder(successors: &[Vec<BlockId>], start: BlockId) -> Vec<BlockId> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(start, 0)];
    seen[start.index()] = true;
    while let Some((b, next)) = stack.pop() {
        if let Some(&s) = successors[b.index()].get(next) {
            stack.push((b, next + 1));
            if !seen[s.index()] {
                seen[s.index()] = true;
                stack.push((s, 0));
            }
        } else {
            order.push(b);
        }
    }
    order.reverse();
    order
}

/// Finds the loops and fills `loops` and `loop_of`. An error names the block whose loop does not have the form that
/// `prepare` promises.
pub fn find_loops(primal: &mut Primal) -> Result<(), (BlockId, &'static str)> {
    let dominators = Dominators::new(primal);
    let predecessors = predecessors(primal);
    // Exits that lead to `unreachable` only are not exits of a loop.
    let lives = live_blocks(primal);
    primal.loops.clear();
    primal.loop_of = vec![None; primal.blocks.len()];
    for &header in dominators.order() {
        let back: Vec<_> =
            predecessors[header.index()].iter().copied().filter(|&p| dominators.dominates(header, p)).collect();
        let Some(&latch) = back.first() else { continue };
        if back.len() > 1 {
            return Err((header, "a loop has several latches"));
        }
        let entering: Vec<_> = predecessors[header.index()].iter().copied().filter(|p| *p != latch).collect();
        let &[preheader] = entering.as_slice() else {
            return Err((header, "a loop has no preheader"));
        };
        let members = members(&predecessors, header, latch);
        let inside = |b: &BlockId| members.binary_search(b).is_ok();
        let mut exiting = Vec::new();
        let mut exits = Vec::new();
        for &b in &members {
            let out: Vec<_> = primal.successors(b).into_iter().filter(|s| !inside(s) && lives[s.index()]).collect();
            if !out.is_empty() {
                exiting.push(b);
                exits.extend(out);
            }
        }
        exits.dedup();
        let &[exit] = exits.as_slice() else {
            return Err((
                header,
                if exits.is_empty() { "a loop has no exit" } else { "a loop has several exit blocks" },
            ));
        };
        let id = LoopId(primal.loops.len() as u32);
        let parent = primal.loop_of[header.index()];
        // Headers come in reverse postorder: outer loops first, so inner ones overwrite.
        for b in &members {
            primal.loop_of[b.index()] = Some(id);
        }
        let line = line_of(primal, header, latch);
        primal.loops.push(Loop { parent, header, preheader, latch, exiting, exit, line });
    }
    Ok(())
}

/// For each block, whether the function's return can be reached from it.
pub fn live_blocks(primal: &Primal) -> Vec<bool> {
    let predecessors = predecessors(primal);
    let mut live = vec![false; primal.blocks.len()];
    let mut stack: Vec<_> = (0..primal.blocks.len())
        .map(|i| BlockId(i as u32))
        .filter(|b| matches!(primal.blocks[b.index()].term, Term::Return(_)))
        .collect();
    while let Some(b) = stack.pop() {
        if !std::mem::replace(&mut live[b.index()], true) {
            stack.extend(&predecessors[b.index()]);
        }
    }
    live
}

/// The blocks of a loop, in block order.
fn members(predecessors: &[Vec<BlockId>], header: BlockId, latch: BlockId) -> Vec<BlockId> {
    let mut inside = BTreeSet::from([header]);
    let mut stack = vec![latch];
    while let Some(b) = stack.pop() {
        if inside.insert(b) {
            stack.extend(&predecessors[b.index()]);
        }
    }
    inside.into_iter().collect()
}

fn line_of(primal: &Primal, header: BlockId, latch: BlockId) -> u32 {
    // The condition to go on is written where the loop is.
    let condition = |b: BlockId| match primal.blocks[b.index()].term {
        Term::Branch(c, ..) => primal.inst(c).map(|i| i.loc.0).filter(|&l| l != 0),
        _ => None,
    };
    let lines = |b: BlockId| {
        primal.blocks[b.index()].insts.iter().filter_map(|&v| primal.inst(v)).map(|i| i.loc.0).find(|&l| l != 0)
    };
    condition(latch).or_else(|| condition(header)).or_else(|| lines(header)).or_else(|| lines(latch)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{BlockId, Dominators, LoopId, live_blocks};
    use crate::primal::Primal;
    use crate::primal::text;

    /// A primal of these blocks; `?` stands for a condition.
    fn primal(blocks: &[&str]) -> Result<Primal, String> {
        let mut all = "forward f(i1 %c const) -> void\n".to_string();
        for (b, end) in blocks.iter().enumerate() {
            all += &format!("b{b}:\n  {}\n", end.replace('?', "branch %c,"));
        }
        text::parse(&all).map(|parsed| parsed.primal)
    }

    #[test]
    fn dominators_of_a_diamond_with_a_shortcut() {
        let p = primal(&["? b1, b4", "? b2, b3", "goto b4", "goto b4", "return"]).expect("well formed");
        let dominators = Dominators::new(&p);
        let parents: Vec<_> = (0..5).map(|b| dominators.parent(BlockId(b)).map(|p| p.0)).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0)]);
        assert!(dominators.dominates(BlockId(1), BlockId(3)) && !dominators.dominates(BlockId(1), BlockId(4)));
    }

    #[test]
    fn loops_are_found_outer_ones_first() {
        // b1 { b2 { b3 { b4 } } b5 } and then b8.
        let blocks = [
            "goto b1", "goto b2", "goto b3", "? b3, b4", "? b2, b5", "? b1, b6", "goto b7", "goto b8", "? b8, b9",
            "return",
        ];
        let p = primal(&blocks).expect("well formed");
        let found: Vec<_> = p.loops.iter().map(|l| (l.parent.map(|l| l.0), l.header.0, l.latch.0, l.exit.0)).collect();
        assert_eq!(found, [(None, 1, 5, 6), (Some(0), 2, 4, 5), (Some(1), 3, 3, 4), (None, 8, 8, 9)]);
        assert_eq!(p.nest(p.loop_of[3]), [LoopId(0), LoopId(1), LoopId(2)]);
        assert_eq!(p.loop_of[7], None);
    }

    #[test]
    fn all_exits_of_a_loop_are_found() {
        let p = primal(&["goto b1", "? b4, b2", "? b4, b3", "? b1, b4", "return"]).expect("well formed");
        assert_eq!(p.loops[0].exiting, [BlockId(1), BlockId(2), BlockId(3)]);
    }

    #[test]
    fn a_path_that_never_returns_is_no_exit() {
        let p = primal(&["goto b1", "? b3, b2", "? b1, b4", "unreachable", "return"]).expect("well formed");
        assert_eq!((p.loops[0].exiting.as_slice(), p.loops[0].exit), ([BlockId(2)].as_slice(), BlockId(4)));
        assert_eq!(live_blocks(&p), [true, true, true, false, true]);
    }

    #[test]
    fn other_loops_are_refused() {
        let cases = [
            (["goto b1", "? b1, b2", "? b1, b3", "return"].as_slice(), "line 4: a loop has several latches"),
            (&["? b1, b2", "goto b2", "? b2, b3", "return"], "line 6: a loop has no preheader"),
            (&["? b1, b2", "goto b1", "return"], "line 4: a loop has no exit"),
            (&["goto b1", "? b3, b2", "? b1, b4", "goto b4", "return"], "line 4: a loop has several exit blocks"),
        ];
        for (blocks, message) in cases {
            assert_eq!(primal(blocks).map(|_| ()), Err(message.to_string()));
        }
    }
}

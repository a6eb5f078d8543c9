//! The control flow of one level: the body of a loop, or of the function, with inner loops as single nodes.
//!
//! On such a level the flow is a DAG with one entry and one end. Post-dominators in that DAG say where branches join.

use crate::primal::{BlockId, LoopId, Primal, Term};
use indexmap::{IndexMap, IndexSet};

/// A node of a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spot {
    /// A block directly in the level.
    Block(BlockId),
    /// An inner loop.
    Loop(LoopId),
    /// The end of an iteration, or of the function.
    End,
}

/// An edge of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Spot,
    /// Where it leads.
    pub to: Spot,
    /// The edge of the primal that it is, for the phis of its target; none where an inner loop did the moves.
    pub moves: Option<(BlockId, BlockId)>,
    /// For edges to the end of an iteration: 0 goes on, the others leave.
    pub ending: Option<u32>,
}

/// A level.
pub struct Level {
    /// Whose body it is; none for the function.
    pub of: Option<LoopId>,
    /// Its nodes, each after its predecessors; `End` last.
    pub order: Vec<Spot>,
    /// Edges out of each node.
    pub out: IndexMap<Spot, Vec<Edge>>,
    /// Whether the only way out of the loop is at its latch, so that all iterations are whole.
    pub whole: bool,
    join: IndexMap<Spot, Spot>,
}

impl Level {
    /// The level of a loop, or of the function. `live` are the blocks from which the function returns.
    pub fn new(primal: &Primal, live: &[bool], of: Option<LoopId>) -> Self {
        let whole = of.is_some_and(|l| {
            let l = &primal.loops[l.index()];
            l.exiting == [l.latch] && primal.loop_of[l.latch.index()] == of
        });
        let start = Spot::Block(of.map_or(BlockId(0), |l| primal.loops[l.index()].header));
        let mut level = Level { of, order: vec![], out: IndexMap::new(), whole, join: IndexMap::new() };
        let mut stack = vec![start];
        let mut leaving = 0;
        while let Some(spot) = stack.pop() {
            if spot == Spot::End || level.out.contains_key(&spot) {
                continue;
            }
            let mut edges = level.edges(primal, live, spot);
            for e in &mut edges {
                if e.ending == Some(1) {
                    leaving += 1;
                    e.ending = Some(leaving);
                }
            }
            stack.extend(edges.iter().map(|e| e.to));
            level.out.insert(spot, edges);
        }
        level.order = level.topological(start);
        level.join = level.post_dominators();
        level
    }

    /// Number of edges that leave the loop.
    pub fn leaving(&self) -> usize {
        self.out.values().flatten().filter(|e| e.ending.is_some_and(|k| k > 0)).count()
    }

    /// Where the paths from a node meet again.
    pub fn join(&self, spot: Spot) -> Spot {
        self.join[&spot]
    }

    /// The nodes that are passed from `from` on before `to`, in order.
    pub fn between(&self, from: Spot, to: Spot) -> IndexSet<Spot> {
        let mut seen = IndexSet::new();
        let mut stack = vec![from];
        while let Some(spot) = stack.pop() {
            if spot != to && spot != Spot::End && seen.insert(spot) {
                stack.extend(self.out[&spot].iter().map(|e| e.to));
            }
        }
        seen
    }

    fn edges(&self, primal: &Primal, live: &[bool], spot: Spot) -> Vec<Edge> {
        match spot {
            Spot::End => vec![],
            Spot::Block(b) => {
                if matches!(primal.blocks[b.index()].term, Term::Return(_)) {
                    return vec![Edge { from: spot, to: Spot::End, moves: None, ending: None }];
                }
                if self.whole && self.of.is_some_and(|l| primal.loops[l.index()].latch == b) {
                    // The moves to the next iteration and to the exit are made between and after iterations.
                    return vec![Edge { from: spot, to: Spot::End, moves: None, ending: None }];
                }
                let targets = primal.successors(b).into_iter().filter(|s| live[s.index()]);
                targets.map(|s| self.edge(primal, spot, s, Some((b, s)))).collect()
            }
            Spot::Loop(l) => {
                let inner = &primal.loops[l.index()];
                let whole = inner.exiting == [inner.latch] && primal.loop_of[inner.latch.index()] == Some(l);
                vec![self.edge(primal, spot, inner.exit, whole.then_some((inner.latch, inner.exit)))]
            }
        }
    }

    fn edge(&self, primal: &Primal, from: Spot, s: BlockId, moves: Option<(BlockId, BlockId)>) -> Edge {
        let header = self.of.map(|l| primal.loops[l.index()].header);
        if Some(s) == header {
            return Edge { from, to: Spot::End, moves: None, ending: Some(0) };
        }
        let nest = primal.nest(primal.loop_of[s.index()]);
        let depth = self.of.map_or(0, |l| primal.nest(Some(l)).len());
        let inside = depth == 0 || nest.get(depth - 1).copied() == self.of;
        if !inside {
            return Edge { from, to: Spot::End, moves, ending: Some(1) };
        }
        let to = match nest.get(depth) {
            Some(&inner) => Spot::Loop(inner),
            None => Spot::Block(s),
        };
        Edge { from, to, moves, ending: None }
    }

    fn topological(&self, start: Spot) -> Vec<Spot> {
        let mut done: IndexSet<Spot> = IndexSet::new();
        let mut open = vec![(start, 0)];
        let mut seen: IndexSet<Spot> = [start].into_iter().collect();
        while let Some((spot, next)) = open.pop() {
            match self.out.get(&spot).and_then(|edges| edges.get(next)) {
                Some(edge) => {
                    open.push((spot, next + 1));
                    if seen.insert(edge.to) {
                        open.push((edge.to, 0));
                    }
                }
                None => drop(done.insert(spot)),
            }
        }
        done.into_iter().rev().collect()
    }

    /// Post-dominators: in a DAG, one pass in reverse order is enough.
    fn post_dominators(&self) -> IndexMap<Spot, Spot> {
        let number: IndexMap<Spot, usize> = self.order.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let mut join: IndexMap<Spot, Spot> = IndexMap::new();
        for &spot in self.order.iter().rev() {
            let targets = self.out.get(&spot).map_or(&[][..], Vec::as_slice);
            let meet = targets.iter().map(|e| e.to).reduce(|mut a, mut b| {
                while a != b {
                    if number[&a] < number[&b] { a = join[&a] } else { b = join[&b] }
                }
                a
            });
            join.insert(spot, meet.unwrap_or(Spot::End));
        }
        join
    }
}

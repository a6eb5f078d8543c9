//! Control flow that does not nest, as a `Region`: both sweeps of a DAG of nodes.
//!
//! Forward, every edge into a join notes its number; backward, the join goes to the edge that was taken.

use super::level::{Edge, Level, Spot};
use super::{Build, Parts};
use crate::primal::{Def, Join, Term, Ty};
use crate::revprog::{Act, Condition, Item, Next, Node};
use indexmap::{IndexMap, IndexSet};

/// The nodes and edges of a region, `start` first.
struct Shape {
    start: Spot,
    join: Spot,
    nodes: Vec<Spot>,
    edges: Vec<Edge>,
}

impl Shape {
    fn new(level: &Level, start: Spot, join: Spot) -> Self {
        let inside: IndexSet<Spot> = level.between(start, join);
        let nodes: Vec<Spot> = level.order.iter().copied().filter(|s| inside.contains(s)).collect();
        let edges = nodes.iter().flat_map(|s| level.out[s].clone()).collect();
        Shape { start, join, nodes, edges }
    }
    /// Edges that lead to a node, by number of edge.
    fn entering(&self, spot: Spot) -> Vec<usize> {
        (0..self.edges.len()).filter(|&e| self.edges[e].to == spot).collect()
    }
}

impl Build<'_> {
    /// The region from the branch at `start` to `join`, the content of both left out.
    pub(super) fn region(&mut self, level: &Level, start: Spot, join: Spot) -> Parts {
        let shape = Shape::new(level, start, join);
        for &spot in shape.nodes.iter().chain([&join]) {
            if let Spot::Block(b) = spot
                && spot != start
                && self.reverse
                && shape.entering(spot).len() > 1
            {
                let which = self.primal.add(Ty::Int(8), Def::Which(Join::Block(b)), String::new());
                self.which.insert(Join::Block(b), which);
            }
        }
        let mut contents: IndexMap<Spot, Parts> = IndexMap::new();
        for &spot in &shape.nodes {
            let mut parts = if spot == start { Parts::default() } else { self.content(level, spot) };
            if level.out[&spot].len() == 1 {
                parts.forward.extend(self.never_returning(spot));
            }
            contents.insert(spot, parts);
        }
        let mut crossings: Vec<Parts> = Vec::new();
        for (i, edge) in shape.edges.iter().enumerate() {
            let mut parts = self.ending(level, edge);
            if let Spot::Block(b) = edge.to
                && self.which.contains_key(&Join::Block(b))
            {
                let number = shape.entering(edge.to).iter().position(|e| *e == i).expect("listed") as u32;
                parts.forward.push(self.prog.stmt(Act::Note(Join::Block(b), number)));
            }
            crossings.push(parts);
        }
        self.items(level, &shape, contents, crossings)
    }

    /// Items 0.. are the nodes, then the edges, then the end; in the reverse sweep the end comes first.
    fn items(&mut self, level: &Level, shape: &Shape, contents: IndexMap<Spot, Parts>, crossings: Vec<Parts>) -> Parts {
        let count = shape.nodes.len();
        let end = count + shape.edges.len();
        let node = |spot: Spot| shape.nodes.iter().position(|s| *s == spot);
        let nothing = self.prog.seq(vec![]);
        let mut forward = Vec::new();
        let mut reverse = vec![Item { body: nothing, next: self.back(level, shape, shape.join, count) }];
        for (&spot, parts) in shape.nodes.iter().zip(contents.into_values()) {
            let (ahead, back) = self.sweeps(parts);
            forward.push(Item { body: ahead, next: self.ahead(shape, spot, count) });
            let next = if spot == shape.start { Next::End } else { self.back(level, shape, spot, count) };
            reverse.push(Item { body: back, next });
        }
        for (edge, parts) in shape.edges.iter().zip(crossings) {
            let (ahead, back) = self.sweeps(parts);
            forward.push(Item { body: ahead, next: Next::Goto(node(edge.to).unwrap_or(end)) });
            let from = node(edge.from).expect("edges start in the region") + 1;
            reverse.push(Item { body: back, next: Next::Goto(from) });
        }
        forward.push(Item { body: nothing, next: Next::End });
        Parts {
            forward: vec![self.prog.node(Node::Region(forward))],
            reverse: vec![self.prog.node(Node::Region(reverse))],
        }
    }

    fn ahead(&self, shape: &Shape, spot: Spot, count: usize) -> Next {
        let out: Vec<usize> =
            (0..shape.edges.len()).filter(|&e| shape.edges[e].from == spot).map(|e| e + count).collect();
        match (out.as_slice(), spot) {
            (&[edge], _) => Next::Goto(edge),
            (&[then, other], Spot::Block(b)) => match self.primal.blocks[b.index()].term {
                Term::Branch(c, _, _) => Next::Branch(Condition::Value(c, true), then, other),
                _ => unreachable!("two successors"),
            },
            _ => unreachable!("nodes of a region go on"),
        }
    }

    /// From a join back to the edge that led to it (items of the reverse sweep are one further).
    fn back(&self, level: &Level, shape: &Shape, spot: Spot, count: usize) -> Next {
        let edges = shape.entering(spot);
        let item = |e: usize| e + count + 1;
        match (edges.as_slice(), spot, level.of) {
            (&[edge], _, _) => Next::Goto(item(edge)),
            (_, Spot::End, Some(l)) => {
                let most = edges.iter().filter_map(|&e| shape.edges[e].ending).max().unwrap_or(0);
                let by_number = (0..=most).map(|k| {
                    let found = edges.iter().find(|&&e| shape.edges[e].ending == Some(k));
                    item(*found.unwrap_or(&edges[0]))
                });
                Next::Which(Join::End(l), by_number.collect())
            }
            (_, Spot::Block(b), _) => Next::Which(Join::Block(b), edges.iter().map(|&e| item(e)).collect()),
            // `prepare` leaves one returning block, so the end of the function is never a join.
            _ => unreachable!("joins are blocks or ends of iterations"),
        }
    }
}

//! The cheapest set of values to keep: a minimum cut.
//!
//! Every wanted value must be had in the reverse sweep. It is kept, at the cost of its slot; or it is computed again, at the cost of
//! its operation, and then what it is computed from must be had too. Each value is two nodes: `in` and `out`. Cutting `in -> out` (capacity: the slot)
//! keeps it; cutting `source -> in` (capacity: the operation) computes it again, and an edge without limit from the `out` of
//! each input to its `in` makes the inputs wanted. Wanted values lead to the sink without limit.
//! (After Moses, Narayanan, Paehler, Churavy, Schanen, Hückelheim, Doerfert, Hovland: Scalable automatic differentiation
//! of multiple parallel paradigms through compiler augmentation, SC22, section V.)

use crate::primal::ValueId;
use indexmap::{IndexMap, IndexSet};
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// More than any sum of costs.
const NO_LIMIT: u64 = 1 << 60;
/// The most that one edge counts.
const MOST: u64 = 1 << 40;

/// What is kept or had again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// A value of the primal.
    Value(ValueId),
    /// A copy of memory, which is taken or not.
    Snapshot(u32),
}

/// How a value can be had.
pub struct Ways {
    /// What keeping it costs, if it can be kept.
    pub keep: Option<u64>,
    /// What computing it again costs, and from what, if that is possible.
    pub again: Option<(u64, Vec<Thing>)>,
}

/// The values to keep so that all that is wanted can be had. `ways` answers nothing for values that are at hand.
pub fn cheapest(wanted: &[ValueId], ways: impl Fn(Thing) -> Option<Ways>) -> IndexSet<ValueId> {
    let mut graph: DiGraph<(), u64> = DiGraph::new();
    let (source, sink) = (graph.add_node(()), graph.add_node(()));
    let mut nodes: IndexMap<Thing, (NodeIndex, NodeIndex)> = IndexMap::new();
    let mut work: Vec<Thing> = vec![];
    let mut pair = |graph: &mut DiGraph<(), u64>, work: &mut Vec<Thing>, v: Thing| {
        *nodes.entry(v).or_insert_with(|| {
            work.push(v);
            (graph.add_node(()), graph.add_node(()))
        })
    };
    for &v in wanted {
        let (_, out) = pair(&mut graph, &mut work, Thing::Value(v));
        graph.add_edge(out, sink, NO_LIMIT);
    }
    while let Some(v) = work.pop() {
        let (into, out) = pair(&mut graph, &mut work, v);
        let Some(Ways { keep, again }) = ways(v) else { continue };
        if keep.is_none() && again.is_none() {
            continue;
        }
        graph.add_edge(into, out, keep.map_or(NO_LIMIT, |c| c.clamp(1, MOST)));
        let Some((cost, inputs)) = again else {
            graph.add_edge(source, into, NO_LIMIT);
            continue;
        };
        graph.add_edge(source, into, cost.clamp(1, MOST));
        for i in inputs {
            let (_, out) = pair(&mut graph, &mut work, i);
            graph.add_edge(out, into, NO_LIMIT);
        }
    }
    let reached = reached(&graph, source, sink);
    let cut = nodes.iter().filter(|(_, (into, out))| reached[into.index()] && !reached[out.index()]);
    // A copy that a repeated load is made on is taken.
    let value = |thing: &Thing| match thing {
        Thing::Value(v) => Some(*v),
        Thing::Snapshot(_) => None,
    };
    cut.filter_map(|(thing, _)| value(thing)).collect()
}

/// The source's side of a minimum cut: what the residual graph of a maximum flow reaches.
fn reached(graph: &DiGraph<(), u64>, source: NodeIndex, sink: NodeIndex) -> Vec<bool> {
    let (_, flows) = dinics(graph, source, sink);
    let mut reached = vec![false; graph.node_count()];
    let mut work = vec![source];
    reached[source.index()] = true;
    while let Some(n) = work.pop() {
        let on = graph.edges(n).filter(|e| flows[e.id().index()] < *e.weight()).map(|e| e.target());
        let back =
            graph.edges_directed(n, petgraph::Incoming).filter(|e| flows[e.id().index()] > 0).map(|e| e.source());
        for next in on.chain(back) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                work.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(wanted: &[u32], keep: &[u64], again: &[Option<(u64, &[u32])>]) -> Vec<u32> {
        let wanted: Vec<ValueId> = wanted.iter().map(|&v| ValueId(v)).collect();
        let kept = cheapest(&wanted, |thing| {
            let Thing::Value(v) = thing else { return None };
            let again = again[v.index()].map(|(c, from)| (c, from.iter().map(|&v| Thing::Value(ValueId(v))).collect()));
            (keep[v.index()] > 0).then_some(Ways { keep: Some(keep[v.index()]), again })
        });
        let mut kept: Vec<u32> = kept.into_iter().map(|v| v.0).collect();
        kept.sort_unstable();
        kept
    }

    #[test]
    fn one_input_is_kept_instead_of_two_results() {
        // 1 = f(0), 2 = g(0); 0 cannot be computed again
        assert_eq!(kept(&[1, 2], &[10, 10, 10], &[None, Some((1, &[0])), Some((1, &[0]))]), [0]);
    }

    #[test]
    fn one_result_is_kept_instead_of_two_inputs() {
        assert_eq!(kept(&[2], &[10, 10, 10], &[None, None, Some((1, &[0, 1]))]), [2]);
    }

    #[test]
    fn an_expensive_result_is_kept_and_what_is_at_hand_never() {
        // 0 is at hand
        assert_eq!(kept(&[1, 0], &[0, 10], &[None, Some((20, &[0]))]), [1]);
        assert_eq!(kept(&[1, 0], &[0, 10], &[None, Some((3, &[0]))]), [0; 0]);
    }

    #[test]
    fn what_is_computed_more_often_is_not_kept_instead_of_its_cause() {
        // 1 in an inner loop depends on 0 around it
        assert_eq!(kept(&[1], &[10, 640], &[None, Some((64, &[0]))]), [0]);
    }
}

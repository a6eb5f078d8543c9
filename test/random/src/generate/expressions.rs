//! Expressions with a bound of their size, indices below an extent, conditions.

use super::{Array, BOUND, Generator, Returns};
use crate::tree::{Kind, Node};

/// An operation: its text, which operand each hole shows, its weight, and a bound of its size from its operands'.
struct Operation {
    text: &'static str,
    holes: &'static [usize],
    weight: usize,
    bound: fn(&[f64]) -> f64,
}

const fn op(text: &'static str, holes: &'static [usize], weight: usize, bound: fn(&[f64]) -> f64) -> Operation {
    Operation { text, holes, weight, bound }
}

const OPERATIONS: &[Operation] = &[
    op("($ + $)", &[0, 1], 14, |b| b[0] + b[1]),
    op("($ - $)", &[0, 1], 8, |b| b[0] + b[1]),
    op("$ * $", &[0, 1], 18, |b| b[0] * b[1]),
    op("$ * $", &[0, 0], 4, |b| b[0] * b[0]),
    op("(-$)", &[0], 3, |b| b[0]),
    op("$ / (1.5 + $ * $)", &[0, 1, 1], 6, |b| b[0] / 1.5),
    op("sin($)", &[0], 6, |_| 1.0),
    op("cos($)", &[0], 4, |_| 1.0),
    op("tanh($)", &[0], 3, |_| 1.0),
    op("atan($)", &[0], 2, |_| 1.6),
    op("sqrt(1 + $ * $)", &[0, 0], 3, |b| 1.0 + b[0]),
    op("exp(-fabs($))", &[0], 2, |_| 1.0),
    op("exp(0.5 * sin($))", &[0], 2, |_| 1.7),
    op("log(1.5 + $ * $)", &[0, 0], 2, |b| (1.5 + b[0] * b[0]).ln()),
    op("fabs($)", &[0], 2, |b| b[0]),
    op("fmax($, $)", &[0, 1], 2, |b| b[0].max(b[1])),
    op("fmin($, $)", &[0, 1], 1, |b| b[0].max(b[1])),
    op("pow(1.5 + 0.5 * sin($), tanh($))", &[0, 1], 1, |_| 2.0),
    op("hypot(0.5, $)", &[0], 1, |b| 0.5 + b[0]),
    op("atan2($, 2.5 + sin($))", &[0, 1], 1, |_| 1.6),
    op("cbrt(1.5 + cos($))", &[0], 1, |_| 1.4),
    op("fma($, $, $)", &[0, 1, 2], 1, |b| b[0] * b[1] + b[2]),
    op("pow($, 2)", &[0], 1, |b| b[0] * b[0]),
    op("pow(0.1 + fabs($), 1.5)", &[0], 1, |b| (0.1 + b[0]).powf(1.5)),
    op("pow(1.2, $)", &[0], 1, |b| 1.2_f64.powf(b[0])),
    op("ldexp($, -1)", &[0], 1, |b| 0.5 * b[0]),
    op("fmod($, 1.3)", &[0], 1, |_| 1.3),
    op("(0.2 * floor(3 * $))", &[0], 1, |b| 0.2 * (3.0 * b[0] + 1.0)),
    op("copysign($, $)", &[0, 1], 1, |b| b[0]),
    op("($ > $ ? $ : $)", &[0, 1, 2, 3], 4, |b| b[2].max(b[3])),
];

impl Generator<'_> {
    /// An expression and a bound of its size.
    pub(super) fn expression(&mut self, depth: usize) -> (Node, f64) {
        if depth > 3 || self.rng.chance(12 + 18 * depth) {
            return self.number_leaf();
        }
        if !self.helpers.is_empty() && self.rng.chance(15) {
            if let Some(call) = self.call(Returns::Number) {
                return (call, BOUND);
            }
        }
        let weights: Vec<usize> = OPERATIONS.iter().map(|o| o.weight).collect();
        let operation = &OPERATIONS[self.rng.weighted(&weights)];
        let count = operation.holes.iter().max().expect("an operand") + 1;
        let operands: Vec<(Node, f64)> = (0..count).map(|_| self.expression(depth + 1)).collect();
        let bounds: Vec<f64> = operands.iter().map(|o| o.1).collect();
        let args = operation.holes.iter().map(|&hole| operands[hole].0.clone()).collect();
        let bound = (operation.bound)(&bounds);
        // Intermediate results stay small too: large ones lose the digits that the checks compare.
        let (node, bound) = (Node::new(Kind::Real, operation.text, args), bound);
        if bound > 20.0 { (Node::new(Kind::Real, "sin($)", vec![node]), 1.0) } else { (node, bound) }
    }

    /// An expression whose size is at most [`BOUND`].
    pub(super) fn bounded(&mut self) -> Node {
        let (node, bound) = self.expression(0);
        if bound <= BOUND {
            return node;
        }
        match self.rng.below(4) {
            0 => Node::new(Kind::Real, "sin($)", vec![node]),
            1 => Node::new(Kind::Real, "tanh($)", vec![node]),
            _ => Node::new(Kind::Real, format!("{:.3} * ($)", (BOUND / bound * 0.99).min(0.9)), vec![node]),
        }
    }

    fn number_leaf(&mut self) -> (Node, f64) {
        match self.rng.weighted(&[40, 32, 9, 5, 5, if self.has("float") { 8 } else { 0 }]) {
            0 => {
                let array = self.rng.pick(&self.arrays).clone();
                let place = self.element(&array);
                let wrap = if array.sum { "tanh($)" } else { "$" };
                (Node::new(Kind::Real, wrap, vec![place]), BOUND)
            }
            1 => (Node::leaf(Kind::Real, self.rng.pick(&self.numbers).clone()), BOUND),
            3 if !self.sums.is_empty() => {
                let sum = self.rng.pick(&self.sums).clone();
                (Node::leaf(Kind::Real, format!("({sum} / (1 + {sum} * {sum}))")), 0.5)
            }
            4 => {
                let index = self.index(8);
                (Node::new(Kind::Real, "(0.1 * ($))", vec![index]), 0.8)
            }
            5 => {
                let (inner, bound) = self.number_leaf();
                let text = self.rng.word(&["(float)$", "sinf((float)$)", "(0.5f * (float)$)"]);
                (Node::new(Kind::Real, text, vec![inner]), bound.max(1.0))
            }
            _ => (self.number_node(), 1.5),
        }
    }

    /// An element of an array.
    pub(super) fn element(&mut self, array: &Array) -> Node {
        let indices = array.dims.iter().map(|&extent| self.index(extent)).collect();
        Node::new(Kind::Place, array.place.clone(), indices)
    }

    /// An integer from 0 to `extent - 1`.
    pub(super) fn index(&mut self, extent: usize) -> Node {
        let counters: Vec<_> = self.around.iter().filter_map(|a| a.counter.clone()).collect();
        let text = match self.rng.weighted(&[6, 40, if self.has("integers") { 20 } else { 4 }]) {
            1 if !counters.is_empty() => {
                let counter = self.rng.pick(&counters);
                let name = &counter.name;
                let below = counter.limit <= extent;
                match self.rng.below(5) {
                    0 | 1 if below => name.clone(),
                    2 if below => format!("{} - {name}", extent - 1),
                    3 => format!("({name} + {}) % {extent}", self.rng.between(1, 3)),
                    4 => format!("(2 * {name} + 1) % {extent}"),
                    _ if below => name.clone(),
                    _ => format!("{name} % {extent}"),
                }
            }
            2 => return self.unusual_index(extent, counters.first().map(|c| c.name.as_str())),
            _ => self.rng.below(extent).to_string(),
        };
        Node::leaf(Kind::Int, text)
    }

    /// Indices out of tables, integer variables and data.
    fn unusual_index(&mut self, extent: usize, counter: Option<&str>) -> Node {
        let by = self.rng.below(8).to_string();
        let table = |inner: &str| Node::leaf(Kind::Int, format!("permutation[{inner} & 7] % {extent}"));
        if !self.has("integers") {
            return if self.rng.chance(50) { table(counter.unwrap_or(&by)) } else { table("n") };
        }
        match self.rng.below(5) {
            0 | 4 if !self.integers.is_empty() => {
                let name = self.rng.pick(&self.integers).clone();
                Node::leaf(Kind::Int, format!("{name} % {extent}"))
            }
            1 => {
                let (value, _) = self.number_leaf();
                Node::new(Kind::Int, format!("((int)(3.7 * fabs($)) % {extent})"), vec![value])
            }
            2 => table(counter.unwrap_or(&by)),
            _ => Node::leaf(Kind::Int, format!("n % {extent}")),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> Node {
        match self.rng.below(10) {
            0..=3 => {
                let (left, right) = (self.expression(2).0, self.expression(3).0);
                let sign = self.rng.word(&["$ > $", "$ < $", "$ >= $"]);
                Node::new(Kind::Cond, sign, vec![left, right])
            }
            4 | 5 => {
                let (value, edge) = (self.number_leaf().0, self.number_node());
                Node::new(Kind::Cond, "$ > $", vec![value, edge])
            }
            6 => {
                let (left, right) = (self.condition(), self.condition());
                let sign = self.rng.word(&["$ && $", "($ || $)", "!($) && ($)"]);
                Node::new(Kind::Cond, sign, vec![left, right])
            }
            7 => Node::leaf(Kind::Cond, format!("n > {}", self.rng.between(0, 4))),
            _ => {
                let (index, by) = (self.index(8), self.rng.between(2, 3));
                Node::new(Kind::Cond, format!("($) % {by} == {}", self.rng.below(by)), vec![index])
            }
        }
    }
}

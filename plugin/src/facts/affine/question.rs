//! Conditions on one or two executions of instructions, as isl reads them.
//!
//! Every variable is a parameter of isl's: iteration numbers (of the first and of the second execution), and numbers, which are the same for
//! both. A product of numbers is one more unknown.

use super::{Affine, Meaning};
use crate::primal::LoopId;
use crate::revprog::poly::{Poly, Var};
use std::collections::BTreeMap;

/// Which execution an iteration number is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The earlier one, or the only one.
    First,
    /// The later one.
    Second,
}

/// Conditions that hold together.
#[derive(Clone, Default)]
pub struct Question {
    /// The variables, and what their type says of them.
    names: BTreeMap<String, Option<String>>,
    conditions: Vec<String>,
}

impl Question {
    /// A polynomial in isl's notation, if it is linear in iteration numbers.
    pub fn linear(&mut self, affine: &Affine, p: &Poly, side: Side) -> Option<String> {
        let mut text = String::new();
        for (vars, c) in &p.terms {
            let name = match vars.as_slice() {
                [] => "1".to_string(),
                [Var::Iter(l)] => self.iteration(*l, side),
                vars if vars.iter().all(|v| matches!(v, Var::Number(_))) => self.number(affine, vars),
                _ => return None,
            };
            text += &format!(" {} {} * {name}", if *c < 0 { '-' } else { '+' }, c.unsigned_abs());
        }
        if p.over != 1 {
            return None;
        }
        Some(format!("0{text}"))
    }

    fn iteration(&mut self, l: LoopId, side: Side) -> String {
        let name = format!("{}{}", if side == Side::First { "i" } else { "j" }, l.0);
        self.names.entry(name.clone()).or_insert_with(|| Some(format!("{name} >= 0")));
        name
    }

    fn number(&mut self, affine: &Affine, vars: &[Var]) -> String {
        let number = |v: &Var| match v {
            Var::Number(n) => format!("n{n}"),
            Var::Iter(_) => unreachable!("products of numbers only"),
        };
        let name = vars.iter().map(number).collect::<Vec<_>>().join("_");
        if self.names.contains_key(&name) {
            return name;
        }
        let [Var::Number(n)] = vars else {
            self.names.insert(name.clone(), None);
            return name;
        };
        let (least, most) = affine.bounds(*n);
        self.names.insert(name.clone(), Some(format!("{least} <= {name} <= {most}")));
        match &affine.numbers[*n as usize] {
            Meaning::Nothing => {}
            Meaning::Sum(sum) => {
                if let Some(sum) = self.linear(affine, sum, Side::First) {
                    self.add(format!("{name} = {sum}"));
                }
            }
            Meaning::Quotient(a, by) => {
                if let Some(a) = self.linear(affine, a, Side::First) {
                    let up = format!("{a} >= 0 and {by} * {name} <= {a} and {a} < {by} * {name} + {by}");
                    let down = format!("{a} < 0 and {by} * {name} >= {a} and {a} > {by} * {name} - {by}");
                    self.add(format!("({up}) or ({down})"));
                }
            }
        }
        name
    }

    /// Adds a condition in isl's notation.
    pub fn add(&mut self, condition: String) {
        self.conditions.push(condition);
    }

    /// Adds `a < b`.
    pub fn less(&mut self, affine: &Affine, a: (&Poly, Side), b: (&Poly, Side)) -> Option<()> {
        let [a, b] = [self.linear(affine, a.0, a.1)?, self.linear(affine, b.0, b.1)?];
        self.add(format!("{a} < {b}"));
        Some(())
    }

    /// Adds `a = b`.
    pub fn equal(&mut self, affine: &Affine, a: (&Poly, Side), b: (&Poly, Side)) -> Option<()> {
        let [a, b] = [self.linear(affine, a.0, a.1)?, self.linear(affine, b.0, b.1)?];
        self.add(format!("{a} = {b}"));
        Some(())
    }

    /// Both executions are in one iteration of a loop.
    pub fn same_iteration(&mut self, l: LoopId) {
        let [first, second] = [Side::First, Side::Second].map(|side| self.iteration(l, side));
        self.add(format!("{first} = {second}"));
    }

    /// The second execution is in a later iteration of a loop.
    pub fn later_iteration(&mut self, l: LoopId) {
        let [first, second] = [Side::First, Side::Second].map(|side| self.iteration(l, side));
        self.add(format!("{first} < {second}"));
    }

    /// Whether the conditions never hold together; none if that is too hard.
    pub fn is_empty(&self, affine: &mut Affine) -> Option<bool> {
        let names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        let bounds = self.names.values().flatten();
        let all: Vec<String> = bounds.chain(&self.conditions).map(|c| format!("({c})")).collect();
        let text = format!("[{}] -> {{ : {} }}", names.join(", "), all.join(" and "));
        let text = if all.is_empty() { "{ : }".to_string() } else { text };
        affine.answered(text)
    }
}

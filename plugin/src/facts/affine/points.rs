//! At which iteration points is a block executed?
//!
//! Down the dominator tree: the loops around it are in an iteration below their trip count, and the conditions that were decided on the
//! only way there hold. Conditions and trip counts that are not known to be affine are left out, which leaves more points.

use super::Affine;
use super::question::{Question, Side};
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, LoopId, Op, Term, ValueId};
use crate::revprog::poly::{Poly, Var};
use llvm_sys::LLVMIntPredicate::{self, *};
use llvm_sys::LLVMOpcode;
use std::rc::Rc;

/// Conditions beyond which more are left out.
const MOST: usize = 40;

/// How a polynomial compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Not negative.
    Natural,
    /// Zero.
    Zero,
    /// Anything else.
    NotZero,
}

/// Conditions that hold at all points.
pub type Points = Vec<(Poly, Sign)>;

impl Affine<'_> {
    /// Adds what is known of the points at which a block is executed.
    pub fn executed(&mut self, question: &mut Question, b: BlockId, side: Side) -> Option<()> {
        for (p, sign) in self.points(b).iter() {
            if let Some(text) = question.linear(self, p, side) {
                question.add(match sign {
                    Sign::Natural => format!("{text} >= 0"),
                    Sign::Zero => format!("{text} = 0"),
                    Sign::NotZero => format!("{text} != 0"),
                });
            }
        }
        for l in self.primal.nest(self.primal.loop_of[b.index()]) {
            question.linear(self, &Poly::var(Var::Iter(l)), side)?;
        }
        Some(())
    }

    fn points(&mut self, b: BlockId) -> Rc<Points> {
        if let Some(known) = self.points.get(&b) {
            return known.clone();
        }
        let found = Rc::new(self.find_points(b));
        self.points.insert(b, found.clone());
        found
    }

    fn find_points(&mut self, b: BlockId) -> Points {
        let innermost = self.primal.loop_of[b.index()];
        if let Some(l) = innermost
            && self.primal.loops[l.index()].header == b
        {
            let preheader = self.primal.loops[l.index()].preheader;
            let mut points = self.points(preheader).to_vec();
            self.below_trip(l, preheader, &mut points);
            return points;
        }
        let Some(mut before) = self.dominators.parent(b) else { return vec![] };
        // Loops that are over have been entered.
        let nest = self.primal.nest(innermost);
        let mut decided = true;
        while let Some(over) = self.primal.loop_of[before.index()].filter(|l| !nest.contains(l)) {
            before = self.primal.loops[over.index()].preheader;
            decided = false;
        }
        let mut points = self.points(before).to_vec();
        if let Term::Branch(condition, then, other) = self.primal.blocks[before.index()].term
            && decided
            && then != other
            && self.predecessors[b.index()] == [before]
        {
            self.holds(condition, then == b, before, &mut points);
        }
        points.truncate(MOST);
        points
    }

    /// Adds that the iteration number of a loop is below its trip count.
    fn below_trip(&mut self, l: LoopId, preheader: BlockId, points: &mut Points) {
        let facts = &self.loops[l.index()];
        let Some(trip) = facts.trip.as_ref().or(facts.most.as_ref()) else { return };
        let bounds = match trip {
            Expr::Nary(Nary::UnsignedMin, parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        for bound in bounds {
            let found = self.trip(bound, preheader).and_then(|(trip, each)| {
                // The iteration number, times `each`, is at most the bound.
                trip.plus(&Poly::var(Var::Iter(l)).scaled(-each, 1)?)
            });
            points.extend(found.map(|p| (p, Sign::Natural)));
        }
    }

    /// For `quotient(a, c) + 1` iterations, of which the last has at most the number `a / c`: `a` and `c`.
    fn trip(&mut self, trip: &Expr, preheader: BlockId) -> Option<(Poly, i64)> {
        if let Expr::Nary(Nary::Sum, parts) = trip
            && let [Expr::Const(64, 1), Expr::Quotient(a, by)] | [Expr::Quotient(a, by), Expr::Const(64, 1)] =
                parts.as_slice()
            && let Some(each) = by.as_const().filter(|c| *c > 0)
        {
            let a = self.of_expression(a, preheader)?;
            return self.is_natural(&a, preheader).then_some((a, each));
        }
        let trip = self.of_expression(trip, preheader)?;
        self.is_natural(&trip, preheader).then(|| trip.plus(&Poly::constant(-1)).map(|last| (last, 1)))?
    }

    /// Adds what a condition says that is true, or false, at the end of a block.
    fn holds(&mut self, condition: ValueId, sense: bool, at: BlockId, points: &mut Points) {
        let Some(inst) = self.primal.inst(condition) else { return };
        let constant = |v: ValueId, c: i64| self.primal.int_constant(v) == Some(c);
        match &inst.op {
            Op::Select if sense && constant(inst.operands[2], 0) => {
                inst.operands[..2].iter().for_each(|v| self.holds(*v, true, at, points));
            }
            Op::Select if !sense && constant(inst.operands[1], -1) => {
                [0, 2].into_iter().for_each(|n| self.holds(inst.operands[n], false, at, points));
            }
            Op::Pure => {
                let origin = self.imported.origin[condition.index()];
                if origin.as_instruction().is_some() && origin.opcode() == LLVMOpcode::LLVMICmp {
                    let predicate = origin.int_predicate();
                    let predicate = if sense { predicate } else { opposite(predicate) };
                    let _ = self.compares(predicate, inst.operands[0], inst.operands[1], at, points);
                }
            }
            _ => {}
        }
    }

    /// Adds what a comparison says. Unsigned ones say something where the larger number is not negative as a signed one.
    fn compares(
        &mut self,
        predicate: LLVMIntPredicate,
        a: ValueId,
        b: ValueId,
        at: BlockId,
        points: &mut Points,
    ) -> Option<()> {
        let (a, b) = (self.exact(a)?, self.exact(b)?);
        let minus = |x: &Poly, y: &Poly, less: i64| x.plus(&y.scaled(-1, 1)?)?.plus(&Poly::constant(-less));
        let (small, large, strict) = match predicate {
            LLVMIntEQ | LLVMIntNE => {
                let sign = if predicate == LLVMIntEQ { Sign::Zero } else { Sign::NotZero };
                points.push((minus(&a, &b, 0)?, sign));
                return Some(());
            }
            LLVMIntSLT | LLVMIntULT => (&a, &b, 1),
            LLVMIntSLE | LLVMIntULE => (&a, &b, 0),
            LLVMIntSGT | LLVMIntUGT => (&b, &a, 1),
            LLVMIntSGE | LLVMIntUGE => (&b, &a, 0),
        };
        if matches!(predicate, LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE) {
            if !self.is_natural(large, at) {
                return None;
            }
            points.push((small.clone(), Sign::Natural));
        }
        points.push((minus(large, small, strict)?, Sign::Natural));
        Some(())
    }
}

fn opposite(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    match predicate {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntSLT => LLVMIntSGE,
        LLVMIntSLE => LLVMIntSGT,
        LLVMIntSGT => LLVMIntSLE,
        LLVMIntSGE => LLVMIntSLT,
        LLVMIntULT => LLVMIntUGE,
        LLVMIntULE => LLVMIntUGT,
        LLVMIntUGT => LLVMIntULE,
        LLVMIntUGE => LLVMIntULT,
    }
}

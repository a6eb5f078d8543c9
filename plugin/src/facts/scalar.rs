//! Trip counts and closed forms, from LLVM's scalar evolution.

use super::import::Imported;
use crate::llvm::analyses::{Analyses, Scev};
use crate::llvm::ir;
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Inst, LoopId, Op, Primal, Term, Ty, ValueId, cfg};

/// What is known of a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopFacts {
    /// Iterations that are started once the loop is entered, 64 bits.
    pub trip: Option<Expr>,
    /// An upper bound of `trip`.
    pub most: Option<Expr>,
}

/// Facts of every loop, and the closed form of each integer or address computed in a loop.
pub fn analyse(imported: &Imported, analyses: Analyses, function: ir::Value) -> (Vec<LoopFacts>, Vec<Option<Expr>>) {
    let primal = &imported.primal;
    let headers: Vec<ir::Block> = primal.loops.iter().map(|l| *block(imported, l.header)).collect();
    let convert = |scev: &Scev| expression(imported, scev);
    // Scalar evolution looks through the phis of loop exits: what it says there is about a loop that is over.
    let open = |e: &Expr, innermost: Option<LoopId>| {
        let nest = primal.nest(innermost);
        let values = e.values().into_iter().filter_map(|v| primal.loop_of_value(v));
        e.loops().into_iter().chain(values).all(|l| nest.contains(&l))
    };
    // A constant that is not positive is a count of 2^63 or more.
    let trips = |count: Option<Scev>, parent: Option<LoopId>| {
        let count = convert(&count?)?;
        (count.as_const().is_none_or(|c| c > 0) && open(&count, parent)).then_some(count)
    };
    let loops = headers
        .iter()
        .zip(&primal.loops)
        .map(|(&header, l)| LoopFacts {
            trip: trips(analyses.iterations(header), l.parent),
            most: trips(analyses.most_iterations(header), l.parent),
        })
        .collect();
    let mut closed = vec![None; primal.values.len()];
    for (v, inst) in primal.insts() {
        let wanted = matches!(primal.ty(v), Ty::Int(2..=64) | Ty::Ptr)
            && matches!(inst.op, Op::Phi(_) | Op::Pure | Op::Gep(_))
            && primal.loop_of[inst.block.index()].is_some();
        if !wanted {
            continue;
        }
        closed[v.index()] = analyses
            .closed_form(function, imported.origin[v.index()])
            .and_then(|s| convert(&s))
            .filter(|e| !e.values().contains(&v) && open(e, primal.loop_of[inst.block.index()]));
    }
    (loops, closed)
}

fn block(imported: &Imported, b: BlockId) -> &ir::Block {
    imported.blocks.get_index(b.index()).expect("blocks are numbered in order").0
}

fn expression(imported: &Imported, scev: &Scev) -> Option<Expr> {
    let convert = |s: &Scev| expression(imported, s);
    Some(match scev {
        Scev::Constant(bits, c) => Expr::Const(*bits, *c),
        Scev::Unknown(v) => Expr::Value(*imported.ids.get(v)?),
        Scev::Recurrence(bits, header, start, step) => {
            let block = *imported.blocks.get(header)?;
            let l = imported.primal.loop_of[block.index()]?;
            if imported.primal.loops[l.index()].header != block {
                return None;
            }
            let product = vec![convert(step)?, Expr::Iter(*bits, l)];
            Expr::Nary(Nary::Sum, vec![convert(start)?, Expr::Nary(Nary::Product, product)])
        }
        Scev::Nary(kind, operands) => Expr::Nary(*kind, operands.iter().map(convert).collect::<Option<_>>()?),
        Scev::Quotient(a, b) => Expr::Quotient(Box::new(convert(a)?), Box::new(convert(b)?)),
        Scev::Cast(kind, bits, e) => Expr::Cast(*kind, *bits, Box::new(convert(e)?)),
    })
}

/// Finds the conditions that hold whenever an inner loop is reached from the header of an outer one. Trip counts rely
/// on them: a rotated loop with n = 0 has `zext(n - 1) + 1` iterations, and is not entered.
pub struct Guards<'a> {
    primal: &'a Primal,
    dominators: cfg::Dominators,
    predecessors: Vec<Vec<BlockId>>,
}

impl<'a> Guards<'a> {
    /// Prepares the search.
    pub fn new(primal: &'a Primal) -> Self {
        Guards { primal, dominators: cfg::Dominators::new(primal), predecessors: cfg::predecessors(primal) }
    }

    /// Conditions of the branches that decide on the way to `inner`, and whether they were true.
    pub fn of(&self, outer: LoopId, inner: LoopId) -> Vec<(ValueId, bool)> {
        let target = self.primal.loops[inner.index()].preheader;
        let stop = self.primal.loops[outer.index()].header;
        let decides = |b: BlockId| self.predecessors[b.index()].len() == 1 && self.dominators.dominates(b, target);
        let mut found = Vec::new();
        let mut at = target;
        while at != stop {
            let Some(parent) = self.dominators.parent(at) else { break };
            if let Term::Branch(condition, then, other) = self.primal.blocks[parent.index()].term {
                match (decides(then), decides(other)) {
                    (true, false) => self.conjuncts(condition, true, &mut found),
                    (false, true) => self.conjuncts(condition, false, &mut found),
                    _ => {}
                }
            }
            at = parent;
        }
        found
    }

    /// Takes `a && b` that is true, and `a || b` that is false, apart.
    fn conjuncts(&self, condition: ValueId, sense: bool, found: &mut Vec<(ValueId, bool)>) {
        let constant = |v: ValueId, text: &str| self.primal.constant(v) == Some(text);
        match self.primal.inst(condition) {
            Some(Inst { op: Op::Select, operands, .. }) if sense && constant(operands[2], "0") => {
                self.conjuncts(operands[0], true, found);
                self.conjuncts(operands[1], true, found);
            }
            Some(Inst { op: Op::Select, operands, .. }) if !sense && constant(operands[1], "-1") => {
                self.conjuncts(operands[0], false, found);
                self.conjuncts(operands[2], false, found);
            }
            _ => found.push((condition, sense)),
        }
    }
}

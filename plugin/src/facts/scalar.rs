//! Trip counts and closed forms, from LLVM's scalar evolution.

use super::import::Imported;
use crate::llvm::analyses::{Analyses, Scev};
use crate::llvm::ir;
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Expr, Inst, LoopId, Op, Primal, Schedule, Term, Ty, ValueId, cfg};
use crate::revprog::Segment;
use indexmap::IndexMap;

/// What is known of a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopFacts {
    /// Iterations that are started once the loop is entered, 64 bits.
    pub trip: Option<Expr>,
    /// An upper bound of `trip`.
    pub most: Option<Expr>,
    /// Whether the program runs its iterations in parallel, and how: none depends on another one, but for sums that threads have
    /// of their own iterations.
    pub parallel: Option<Schedule>,
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
            parallel: analyses.parallel(*block(imported, l.latch)).map(|n| Schedule::ALL[n as usize - 1].0),
        })
        .collect();
    let mut closed = vec![None; primal.values.len()];
    for (v, inst) in primal.insts() {
        let wanted = matches!(primal.ty(v), Ty::Int(2..=64) | Ty::Ptr)
            && (matches!(inst.op, Op::Phi(_) | Op::Pure) && primal.loop_of[inst.block.index()].is_some()
                || matches!(inst.op, Op::Gep(_)));
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

/// What a value outside of loops is computed from, as far as scalar evolution sees.
pub fn formula(imported: &Imported, analyses: Analyses, function: ir::Value, v: ValueId) -> Expr {
    let form = analyses.closed_form(function, imported.origin[v.index()]);
    let form = form.and_then(|s| expression(imported, &s)).filter(|e| e.loops().is_empty());
    form.unwrap_or(Expr::Value(v))
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

/// Finds the conditions that hold whenever an inner loop is reached from the header of an outer one, among those that can be
/// evaluated before the outermost loop. Trip counts rely on them: a rotated loop with n = 0 has `zext(n - 1) + 1`
/// iterations, and is not entered. A condition holds in a block if it does on every way there.
pub struct Guards<'a> {
    primal: &'a Primal,
    order: Vec<BlockId>,
    predecessors: Vec<Vec<BlockId>>,
    early: Vec<bool>,
    /// By outer loop and block.
    holding: IndexMap<LoopId, Vec<Option<Conditions>>>,
}

/// Conditions and whether they are true.
pub type Conditions = Vec<(ValueId, bool)>;

impl<'a> Guards<'a> {
    /// Prepares the search in a segment: the function, or one iteration of a loop. In an iteration, what is outside of the
    /// loops in it is known.
    pub fn new(primal: &'a Primal, segment: Segment) -> Self {
        let order = cfg::Dominators::new(primal).order().to_vec();
        let early = match segment {
            None => early_values(primal, &order),
            Some(l) => {
                let nest = primal.nest(Some(l));
                let ids = (0..primal.values.len()).map(|i| ValueId(i as u32));
                ids.map(|v| primal.loop_of_value(v).is_none_or(|l| nest.contains(&l))).collect()
            }
        };
        Guards { primal, order, predecessors: cfg::predecessors(primal), early, holding: IndexMap::new() }
    }

    /// Whether a value is known before the loops of the segment: outside of them, or in the function as a whole, if it can be
    /// computed there from such values without a trap.
    pub fn is_early(&self, v: ValueId) -> bool {
        self.early[v.index()]
    }

    /// Conditions that decide on the way to `inner`, and whether they were true.
    pub fn of(&mut self, outer: LoopId, inner: LoopId) -> Conditions {
        let target = self.primal.loops[inner.index()].preheader;
        self.at(outer, target)
    }

    /// Conditions that hold in a block of a loop whenever it is reached in an iteration, and whether they are true.
    pub fn at(&mut self, outer: LoopId, block: BlockId) -> Conditions {
        if !self.holding.contains_key(&outer) {
            let holding = self.from(outer);
            self.holding.insert(outer, holding);
        }
        self.holding[&outer][block.index()].clone().unwrap_or_default()
    }

    /// Conditions that hold in each block reached from the header of a loop. Back edges bring nothing, since what is known
    /// early stays as it is.
    fn from(&self, outer: LoopId) -> Vec<Option<Conditions>> {
        let mut holding: Vec<Option<Conditions>> = vec![None; self.primal.blocks.len()];
        holding[self.primal.loops[outer.index()].header.index()] = Some(vec![]);
        for &b in &self.order {
            let inside = self.primal.is_block_in(b, outer);
            if !inside || holding[b.index()].is_some() {
                continue;
            }
            let ways = self.predecessors[b.index()].iter().filter_map(|p| {
                let mut all = holding[p.index()].clone()?;
                self.decided(*p, b, &mut all);
                Some(all)
            });
            holding[b.index()] = ways.reduce(|mut common, way| {
                common.retain(|c| way.contains(c));
                common
            });
        }
        holding
    }

    /// Adds what the way from one block to another says.
    fn decided(&self, from: BlockId, to: BlockId, all: &mut Conditions) {
        let Term::Branch(condition, then, _) = self.primal.blocks[from.index()].term else { return };
        let mut found = vec![];
        self.conjuncts(condition, then == to, &mut found);
        let news: Vec<_> = found.into_iter().filter(|c| self.is_early(c.0) && !all.contains(c)).collect();
        all.extend(news);
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

/// For each value whether it is outside all loops, or can be computed there from such values without a trap.
fn early_values(primal: &Primal, order: &[BlockId]) -> Vec<bool> {
    let ids = (0..primal.values.len()).map(|i| ValueId(i as u32));
    let mut early: Vec<bool> = ids.map(|v| primal.loop_of_value(v).is_none()).collect();
    for &v in order.iter().flat_map(|b| &primal.blocks[b.index()].insts) {
        let Some(inst) = primal.inst(v) else { continue };
        let harmless = match inst.op {
            Op::Pure | Op::Select => true,
            Op::Trapping => is_safe_divisor(primal, inst.operands[1]),
            _ => false,
        };
        early[v.index()] |= harmless && inst.operands.iter().all(|o| early[o.index()]);
    }
    early
}

/// Whether no integer division by this constant traps.
fn is_safe_divisor(primal: &Primal, v: ValueId) -> bool {
    primal.int_constant(v).is_some_and(|d| d != 0 && d != -1)
}

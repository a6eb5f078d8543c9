//! Which arguments can be tested, when the function is entered, to lead to different memory.
//!
//! Where pointers may overlap for all that is known, much has to be kept that is never overwritten. If all accesses through an argument
//! are affine in iteration numbers, with bounds that are known on entry, the bytes that they reach are an interval; where the
//! intervals of such arguments do not overlap, they lead to different memory for all the function does. A gradient is then made twice, for the two outcomes of
//! the test. Cost: accesses times the depth of loops.

use super::Facts;
use super::objects::{Object, ObjectId};
use crate::primal::expr::Nary;
use crate::primal::{BlockId, Effect, Expr, Inst, LoopId, Op, Primal, Ty, ValueId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of the expressions of one bound, beyond which the test costs too much.
const MOST_NODES: usize = 2000;
/// The most expressions that are tested to be small.
const MOST_LIMITS: usize = 100;

/// An argument and the bytes from it on that are accessed: from `from` up to `to`, signed, 64 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The argument.
    pub of: ValueId,
    /// The first byte.
    pub from: Expr,
    /// One after the last byte.
    pub to: Expr,
    /// Whether something there is written.
    pub written: bool,
}

/// What has to be tested, beside whether numbers are small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    /// The intervals, none where nothing can be tested.
    pub intervals: Vec<Interval>,
    /// Expressions whose magnitude has to be below a bound, so that nothing in the intervals wraps.
    pub limits: Vec<(Expr, i64)>,
}

/// A step from one iteration to the next, in bytes, is below this.
const MOST_STEP: i64 = 1 << 26;
/// The number of an iteration is below this: steps times numbers can be added up without wrapping.
const MOST_ITERATIONS: i64 = 1 << 32;
/// How many operations lead from arguments to what is tested.
pub const DEPTH: u32 = 8;
/// What is added to these is below this.
const MOST_OFFSET: i64 = 1 << 58;

/// The intervals of all arguments that have one; at least one of them is written.
pub fn test(primal: &Primal, facts: &Facts) -> Test {
    let mut search = Search::new(primal, facts);
    for (v, inst) in primal.insts() {
        search.access(v, inst);
    }
    let Search { bounds, unbounded, limits, .. } = search;
    let known = bounds.into_iter().filter(|(o, _)| !unbounded.contains(o));
    let interval = |(o, b): (ObjectId, Bounds)| {
        let Object::Arg(of) = facts.objects.all[o.index()] else { return None };
        let small = |parts: &[Expr]| parts.iter().map(Expr::size).sum::<usize>() <= MOST_NODES;
        (small(&b.from) && small(&b.to)).then(|| Interval {
            of,
            from: several(Nary::SignedMin, b.from),
            to: several(Nary::SignedMax, b.to),
            written: b.written,
        })
    };
    let found: Vec<Interval> = known.filter_map(interval).collect();
    let limits = limits.into_inner();
    let useful = found.len() > 1 && found.iter().any(|i| i.written) && limits.len() <= MOST_LIMITS;
    if useful { Test { intervals: found, limits } } else { Test::default() }
}

#[derive(Default)]
struct Bounds {
    from: Vec<Expr>,
    to: Vec<Expr>,
    written: bool,
}

/// An expression that is affine in iteration numbers.
pub struct Affine {
    /// What does not depend on them; to be added up.
    pub rest: Vec<Expr>,
    /// What is added from one iteration of a loop to the next; to be added up.
    pub steps: BTreeMap<LoopId, Vec<Expr>>,
}

impl Affine {
    /// The parts of an expression, if it is one.
    pub fn of(e: &Expr) -> Option<Affine> {
        match e {
            Expr::Iter(64, l) => Some(Affine { rest: vec![], steps: BTreeMap::from([(*l, vec![Expr::Const(64, 1)])]) }),
            Expr::Nary(Nary::Sum, parts) => {
                let mut sum = Affine { rest: vec![], steps: BTreeMap::new() };
                for part in parts {
                    let Affine { rest, steps } = Affine::of(part)?;
                    sum.rest.extend(rest);
                    steps.into_iter().for_each(|(l, s)| sum.steps.entry(l).or_default().extend(s));
                }
                Some(sum)
            }
            e if e.loops().is_empty() => Some(Affine { rest: vec![e.clone()], steps: BTreeMap::new() }),
            Expr::Nary(Nary::Product, parts) => {
                let (fixed, looped): (Vec<&Expr>, Vec<&Expr>) = parts.iter().partition(|p| p.loops().is_empty());
                let [one] = looped.as_slice() else { return None };
                let fixed: Vec<Expr> = fixed.into_iter().cloned().collect();
                let times = |e: Expr| match (e.as_const(), fixed.as_slice()) {
                    (Some(1), _) => several(Nary::Product, fixed.clone()),
                    (Some(a), [Expr::Const(bits, b)]) => Expr::Const(*bits, a.wrapping_mul(*b)),
                    _ => several(Nary::Product, [vec![e], fixed.clone()].concat()),
                };
                let Affine { rest, steps } = Affine::of(one)?;
                let scaled = |list: Vec<Expr>| list.into_iter().map(times).collect::<Vec<_>>();
                Some(Affine { rest: scaled(rest), steps: steps.into_iter().map(|(l, s)| (l, scaled(s))).collect() })
            }
            _ => None,
        }
    }
}

/// A search for the places of accesses.
pub struct Search<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    bounds: BTreeMap<ObjectId, Bounds>,
    /// What is accessed where it is not known.
    unbounded: BTreeSet<ObjectId>,
    limits: RefCell<Vec<(Expr, i64)>>,
}

impl<'a> Search<'a> {
    /// Nothing is found yet.
    pub fn new(primal: &'a Primal, facts: &'a Facts) -> Self {
        let (bounds, unbounded, limits) = Default::default();
        Search { primal, facts, bounds, unbounded, limits }
    }

    /// What has to be small for the bounds that were asked for.
    pub fn limits(self) -> Vec<(Expr, i64)> {
        self.limits.into_inner()
    }

    fn access(&mut self, v: ValueId, inst: &Inst) {
        let number = |v: ValueId| Expr::Const(64, self.primal.ty(v).bytes() as i64);
        match &inst.op {
            Op::Load => self.reach(inst.operands[0], number(v), false, inst),
            Op::Store => {
                self.escapes(inst.operands[0]);
                self.reach(inst.operands[1], number(inst.operands[0]), true, inst);
            }
            Op::Fill => self.block(inst, &[(0, true)]),
            Op::Copy => self.block(inst, &[(0, true), (1, false)]),
            Op::Inactive(Effect::None | Effect::Outside) => {}
            Op::Phi(_) | Op::Gep(_) | Op::Select | Op::Freeze | Op::Pure | Op::Bits | Op::Terminator => {}
            _ => inst.operands.iter().for_each(|o| self.escapes(*o)),
        }
    }

    /// Whoever is given a pointer may access anything through it.
    fn escapes(&mut self, pointer: ValueId) {
        self.unbounded.extend(self.facts.objects.of(pointer));
    }

    fn block(&mut self, inst: &Inst, which: &[(usize, bool)]) {
        let bytes = self.length(inst);
        for &(operand, written) in which {
            self.reach(inst.operands[operand], bytes.clone(), written, inst);
        }
    }

    /// The bytes that a fill or copy writes.
    pub fn length(&self, inst: &Inst) -> Expr {
        let length = inst.operands[2];
        let constant = self.primal.int_constant(length).map(|c| Expr::Const(64, c));
        constant.unwrap_or(Expr::Value(length))
    }

    fn reach(&mut self, pointer: ValueId, bytes: Expr, written: bool, inst: &Inst) {
        let objects: Vec<ObjectId> = self.facts.objects.of(pointer).collect();
        let arguments = objects.iter().filter(|o| matches!(self.facts.objects.all[o.index()], Object::Arg(_)));
        if arguments.count() == 0 {
            return;
        }
        let bounds = match objects.as_slice() {
            [one] => self.bounds_of(*one, pointer, bytes, inst),
            _ => None,
        };
        let Some((from, to)) = bounds else {
            self.unbounded.extend(objects);
            return;
        };
        let all = self.bounds.entry(objects[0]).or_default();
        all.written |= written;
        for (list, e) in [(&mut all.from, from), (&mut all.to, to)] {
            if !list.contains(&e) {
                list.push(e);
            }
        }
    }

    /// The first byte that an access in all iterations of its loops reaches from an argument on, and one after the last.
    pub fn bounds_of(&self, object: ObjectId, pointer: ValueId, bytes: Expr, inst: &Inst) -> Option<(Expr, Expr)> {
        let Object::Arg(argument) = self.facts.objects.all[object.index()] else { return None };
        let itself = Expr::Value(pointer);
        let address = self.facts.closed_form(pointer).unwrap_or(&itself);
        if address.base(self.primal) != Some(argument) || !self.is_known(&bytes) {
            return None;
        }
        let Affine { mut rest, steps } = Affine::of(address)?;
        rest.retain(|e| *e != Expr::Value(argument));
        // Other pointers would be used as numbers.
        if rest.iter().any(|e| e.base(self.primal).is_some()) {
            return None;
        }
        if !rest.iter().all(|e| self.is_known(e)) {
            return None;
        }
        rest.iter().chain([&bytes]).for_each(|e| self.limit(e, MOST_OFFSET));
        let nest = self.primal.nest(self.primal.loop_of[inst.block.index()]);
        let (mut from, mut to) = (rest.clone(), rest);
        for (l, step) in steps {
            let step = several(Nary::Sum, step);
            if !nest.contains(&l) || !self.is_known(&step) {
                return None;
            }
            let end = self.last(step, l)?;
            from.push(several(Nary::SignedMin, vec![Expr::Const(64, 0), end.clone()]));
            to.push(several(Nary::SignedMax, vec![Expr::Const(64, 0), end]));
        }
        to.push(bytes);
        Some((several(Nary::Sum, from), several(Nary::Sum, to)))
    }

    /// A step times the number of the last iteration of a loop.
    fn last(&self, step: Expr, l: LoopId) -> Option<Expr> {
        let last = several(Nary::Sum, vec![self.most(l)?, Expr::Const(64, -1)]);
        self.limit(&step, MOST_STEP);
        self.limit(&last, MOST_ITERATIONS);
        Some(Expr::Nary(Nary::Product, vec![step, last]))
    }

    fn limit(&self, e: &Expr, bound: i64) {
        let mut limits = self.limits.borrow_mut();
        let small = e.as_const().is_some_and(|c| c.unsigned_abs() < bound.unsigned_abs());
        // Where it is not known, neither is the interval.
        if !small && self.is_known(e) && !limits.iter().any(|(known, b)| known == e && *b == bound) {
            limits.push((e.clone(), bound));
        }
    }

    /// The most iterations that a loop has, whichever those around it are in.
    fn most(&self, l: LoopId) -> Option<Expr> {
        let facts = &self.facts.loops[l.index()];
        let Affine { rest, steps } = Affine::of(facts.trip.as_ref().or(facts.most.as_ref())?)?;
        let mut parts = rest;
        for (outer, step) in steps {
            if outer == l {
                return None;
            }
            let end = self.last(several(Nary::Sum, step), outer)?;
            parts.push(several(Nary::SignedMax, vec![Expr::Const(64, 0), end]));
        }
        let most = several(Nary::Sum, parts);
        self.is_known(&most).then_some(most)
    }

    /// Whether an expression can be evaluated when the function is entered.
    pub fn is_known(&self, e: &Expr) -> bool {
        e.loops().is_empty() && e.values().into_iter().all(|v| is_early(self.primal, v, DEPTH))
    }
}

/// Whether an integer can be evaluated when the function is entered.
pub fn is_early(primal: &Primal, v: ValueId, depth: u32) -> bool {
    let argument = primal.args.contains(&v);
    argument
        || primal.constant(v).is_some_and(|c| !matches!(c, "undef" | "poison"))
        || depth > 0
            && primal.inst(v).is_some_and(|i| {
                let integer = matches!(primal.ty(v), Ty::Int(_));
                let harmless =
                    matches!(i.op, Op::Pure | Op::Select) || i.op == Op::Trapping && is_executed_first(primal, v, i);
                harmless && integer && i.operands.iter().all(|o| is_early(primal, *o, depth - 1))
            })
}

/// Whether an instruction is executed whenever the function is, before any call that may not return.
fn is_executed_first(primal: &Primal, v: ValueId, inst: &Inst) -> bool {
    let block = &primal.blocks[inst.block.index()].insts;
    let before = block.iter().take_while(|b| **b != v).filter_map(|b| primal.op(*b));
    let returns = |op: &Op| match op {
        Op::Inactive(effect) => *effect == Effect::None,
        Op::Callee(_) | Op::Call(_) | Op::Unsupported(_) => false,
        _ => true,
    };
    inst.block == BlockId(0) && before.into_iter().all(returns)
}

/// An operation on several expressions; a sum of none is 0.
pub fn several(kind: Nary, mut parts: Vec<Expr>) -> Expr {
    match parts.len() {
        0 => Expr::Const(64, 0),
        1 => parts.remove(0),
        _ => Expr::Nary(kind, parts),
    }
}

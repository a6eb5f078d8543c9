//! What has to be copied so that steps of a loop can be run again?
//!
//! For a loop that the program asks to be checkpointed (`__pardiff_checkpoint`), whose iterations call one function (`prepare/steps.rs`): all that a
//! step writes, and of what it reads that part which is overwritten after the loop. Memory of the function's own is copied whole; of
//! other memory the ranges that a step surely accesses (`extents`). What else would make a second run differ from the first is a problem: effects,
//! pointers that are stored. Cost: instructions after the loop times pointers.

use super::Facts;
use super::extents::{Extent, Extents, extents};
use super::import::Imported;
use super::objects::{Object, ObjectId};
use super::stability::{acts_like_call, can_be_undone, is_writer, may_write};
use crate::llvm::ir::Module;
use crate::prepare::steps;
use crate::primal::order::Order;
use crate::primal::{Allocation, Callee, Def, Expr, Inst, LoopId, Op, Primal, Ty, ValueId, cfg};
use crate::problem::{Code, Problem};
use std::collections::{BTreeMap, BTreeSet};

/// A loop of which snapshots are kept.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The call of the function that is an iteration.
    pub call: ValueId,
    /// How many snapshots.
    pub snapshots: ValueId,
    /// Objects that are copied whole, and how many bytes they have.
    pub whole: Vec<(ValueId, Expr)>,
    /// Ranges behind arguments of the step, in terms of its primal.
    pub extents: Vec<Extent>,
    /// What has to be small for these.
    pub limits: Vec<(Expr, i64)>,
    /// Stores after the loop that are undone before the reverse sweep comes to it.
    pub undone: BTreeSet<ValueId>,
    /// What is copied as text.
    pub shown: Vec<String>,
}

/// By loop.
pub type Checkpoints = BTreeMap<LoopId, Checkpoint>;

/// A loop that could be one.
pub struct Candidate {
    /// The loop.
    pub of: LoopId,
    /// The call that is its iteration.
    pub call: ValueId,
    /// How many snapshots.
    pub snapshots: ValueId,
}

/// The loops that are asked for and have their iteration in a function; problems for the others.
pub fn candidates(imported: &Imported, facts: &Facts) -> Result<Vec<Candidate>, Vec<Problem>> {
    let primal = &imported.primal;
    let (mut found, mut problems) = (vec![], vec![]);
    for (v, inst) in primal.insts() {
        let origin = imported.origin[v.index()];
        if !steps::is_mark(origin) {
            continue;
        }
        let refuse =
            |why: &str| Problem::at(Code::Checkpoint, origin, format!("this loop cannot be checkpointed: {why}"));
        let note = origin.note(steps::OBSTACLE).unwrap_or_default();
        if !note.is_empty() {
            problems.push(refuse(&note));
            continue;
        }
        // A loop of one iteration may be gone.
        let around = |l: &LoopId| primal.loops[l.index()].preheader == inst.block;
        let Some(of) = (0..primal.loops.len()).map(|l| LoopId(l as u32)).find(around) else { continue };
        let inside = |(_, i): &(ValueId, &Inst)| primal.loop_of[i.block.index()] == Some(of) && is_step(i);
        let Some((call, _)) = primal.insts().find(inside) else { continue };
        let shape = &primal.loops[of.index()];
        if facts.loops[of.index()].trip.is_none() || shape.exiting != [shape.latch] || shape.parent.is_some() {
            problems.push(refuse("the number of iterations is not known before the loop"));
            continue;
        }
        // Where nothing is active there is nothing to run again.
        if facts.calls.contains_key(&call) {
            found.push(Candidate { of, call, snapshots: inst.operands[0] });
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

/// Whether an instruction calls what is an iteration of a loop.
pub fn is_step(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Callee(callee) if callee.name.starts_with(steps::STEP))
}

/// What stands in the way of running a step again.
pub fn obstacles(step: &Imported, facts: &Facts) -> Vec<Problem> {
    let primal = &step.primal;
    let is_fresh = |o: ObjectId| matches!(facts.objects.all[o.index()], Object::Heap(_));
    let text = |v: ValueId, inst: &Inst| {
        let called = || {
            let name = step.origin[v.index()].callee().name();
            if name.starts_with("pardiff.") { "a function".to_string() } else { format!("'{name}'") }
        };
        match inst.op {
            // Nothing leads to the memory after the step.
            Op::Allocate(Allocation { own: false, .. }) => None,
            Op::Allocate(_) => Some(format!("{} gives memory in it; take memory before the loop", called())),
            Op::Free if facts.objects.of(inst.operands[0]).all(is_fresh) => None,
            Op::Free => Some(format!("{} takes memory back in it; do so after the loop", called())),
            Op::Store if primal.ty(inst.operands[0]) == Ty::Ptr => Some(
                "a pointer is stored or changes from step to step in it; copy what it leads to, or use an index"
                    .to_string(),
            ),
            Op::Copy if facts.points_to_carrier(inst.operands[0]) => Some("pointers are copied in it".to_string()),
            // Writes through an operand are found with the others.
            Op::Rule(_) => None,
            Op::Callee(_) => Some(format!("{} is called in it and not inlined", called())),
            _ if acts_like_call(inst) => Some(format!("{} is called in it, whose effects would be repeated", called())),
            _ => None,
        }
    };
    let problem = |(v, inst): (ValueId, &Inst)| {
        let text = format!("this loop cannot be checkpointed: {}", text(v, inst)?);
        Some(Problem::at(Code::Checkpoint, step.origin[v.index()], text))
    };
    primal.insts().filter_map(problem).collect()
}

/// What is copied for a loop.
pub fn plan(
    module: Module,
    (imported, facts): (&Imported, &Facts),
    of: &Candidate,
    step: (&Imported, &Facts),
) -> Result<Checkpoint, Vec<Problem>> {
    let primal = &imported.primal;
    let Some(Inst { op: Op::Callee(callee), operands, .. }) = primal.inst(of.call) else {
        unreachable!("a candidate calls its step")
    };
    let ranges = extents(&step.0.primal, step.1);
    if let Some(v) = ranges.elsewhere {
        let text = "this loop cannot be checkpointed: which memory is written here is found in memory";
        return Err(vec![Problem::at(Code::Checkpoint, step.0.origin[v.index()], text)]);
    }
    let made = Checkpoint {
        call: of.call,
        snapshots: of.snapshots,
        whole: vec![],
        extents: vec![],
        limits: ranges.limits.clone(),
        undone: BTreeSet::new(),
        shown: vec![],
    };
    let (order, dominators) = (Order::new(primal), cfg::Dominators::new(primal));
    let mut planner = Planner { module, imported, facts, of, step, callee, order, dominators, ranges, made };
    let problems: Vec<Problem> = (0..operands.len()).filter_map(|n| planner.operand(n, operands[n]).err()).collect();
    if problems.is_empty() { Ok(planner.made) } else { Err(problems) }
}

struct Planner<'a> {
    module: Module,
    imported: &'a Imported,
    facts: &'a Facts,
    of: &'a Candidate,
    step: (&'a Imported, &'a Facts),
    callee: &'a Callee,
    order: Order,
    dominators: cfg::Dominators,
    ranges: Extents,
    made: Checkpoint,
}

impl Planner<'_> {
    fn primal(&self) -> &Primal {
        &self.imported.primal
    }

    /// Adds what has to be copied of the memory behind one operand of the step.
    fn operand(&mut self, n: usize, operand: ValueId) -> Result<(), Problem> {
        if self.primal().ty(operand) != Ty::Ptr {
            return Ok(());
        }
        let direct: Vec<ObjectId> = self.facts.objects.of(operand).collect();
        let behind: BTreeSet<ObjectId> = self.facts.objects.reach(direct.clone()).into_iter().collect();
        let further: Vec<ObjectId> = behind.into_iter().filter(|o| !direct.contains(o)).collect();
        if let Some(w) = self.overwriter(&further) {
            return Err(self.problem(w, "memory that pointers in it lead to is overwritten here, after the loop"));
        }
        if self.is_scratch(n, &direct) {
            return Ok(());
        }
        let later = self.overwriter(&direct);
        let changes = self.callee.touches[n].modifies;
        if !changes && later.is_none() || self.copy_whole(&direct, operand) {
            return Ok(());
        }
        let Some(&parameter) = self.step.0.primal.args.get(n) else {
            return Err(self.problem(self.of.call, "a global variable of unknown size is written in it"));
        };
        let found = if later.is_some() { &self.ranges.accessed } else { &self.ranges.written };
        let name = self.step.0.primal.show(parameter);
        match found.get(&parameter).cloned().unwrap_or(Ok(vec![])) {
            Ok(list) => list.into_iter().try_for_each(|extent| self.copy_extent(extent)),
            Err(by) => {
                let origin = self.step.0.origin[by.index()];
                let text = match later {
                    Some(_) => format!(
                        "what is accessed here behind {name} is overwritten after the loop, and which part that is is not known before it"
                    ),
                    None => {
                        format!("which part of the memory behind {name} is written here is not known before the loop")
                    }
                };
                Err(Problem::at(Code::Checkpoint, origin, format!("this loop cannot be checkpointed: {text}")))
            }
        }
    }

    /// Whether memory of the function's own only helps each step: what it holds before one and after the loop does not matter.
    fn is_scratch(&self, n: usize, objects: &[ObjectId]) -> bool {
        let primal = self.primal();
        let parameter = self.step.0.primal.args.get(n);
        let [object] = objects else { return false };
        let own = matches!(self.facts.objects.all[object.index()], Object::Stack(_) | Object::Heap(_));
        if !own || !parameter.is_some_and(|p| self.ranges.fresh.contains(p)) {
            return false;
        }
        let operands = &primal.inst(self.of.call).expect("a call").operands;
        let others = operands.iter().enumerate().filter(|(m, _)| *m != n).flat_map(|(_, o)| self.facts.objects.of(*o));
        let others = self.facts.objects.reach(others.collect());
        !others.contains(object) && !self.facts.objects.leaving(primal).contains(object)
    }

    fn problem(&self, at: ValueId, why: &str) -> Problem {
        let text = format!("the loop cannot be checkpointed: {why}");
        Problem::at(Code::Checkpoint, self.imported.origin[at.index()], text)
    }

    /// An instruction after the loop that may write to one of these objects, and stays: stores of numbers outside of loops are undone.
    fn overwriter(&mut self, objects: &[ObjectId]) -> Option<ValueId> {
        let primal = &self.imported.primal;
        let call = (self.of.call, primal.inst(self.of.call)?.block);
        let later = |(v, i): &(ValueId, &Inst)| {
            !primal.is_block_in(i.block, self.of.of)
                && is_writer(i)
                && self.order.after(call, (*v, i.block))
                && may_write(primal, self.facts, i, objects)
        };
        let later = primal.insts().filter(|_| !objects.is_empty()).filter(later);
        let (undone, stay): (Vec<_>, Vec<_>) = later.partition(|(v, _)| can_be_undone(primal, *v));
        self.made.undone.extend(undone.into_iter().map(|(v, _)| v));
        stay.first().map(|(v, _)| *v)
    }

    /// Copies an object that the function made before the loop, or a global variable.
    fn copy_whole(&mut self, objects: &[ObjectId], operand: ValueId) -> bool {
        let &[object] = objects else { return false };
        let (base, size) = match self.facts.objects.all[object.index()] {
            Object::Stack(v) | Object::Heap(v) => (v, self.facts.sizes.get(&v).cloned()),
            Object::Global(v) if v == operand || matches!(self.primal().value(v).def, Def::Global(_)) => {
                let origin = self.imported.origin[v.index()];
                let global = origin.as_global().is_some();
                let bytes = global.then(|| self.module.size_of(origin.global_type()));
                (v, bytes.map(|b| Expr::Const(64, b as i64)))
            }
            _ => return false,
        };
        let Some(size) = size else { return false };
        if let Some(made) = self.primal().inst(base) {
            let header = self.primal().loops[self.of.of.index()].header;
            if self.primal().loop_of_value(base).is_some() || !self.dominators.dominates(made.block, header) {
                return false;
            }
        }
        if !self.made.whole.iter().any(|(known, _)| *known == base) {
            self.made.shown.push(format!("{} bytes of {}", size.show(self.primal()), self.primal().show(base)));
            self.made.whole.push((base, size));
        }
        true
    }

    /// Copies a range, if it is the same in all steps.
    fn copy_extent(&mut self, extent: Extent) -> Result<(), Problem> {
        let step = &self.step.0.primal;
        let operands = &self.primal().inst(self.of.call).expect("a call").operands;
        let limits = self.made.limits.iter().flat_map(|(e, _)| e.values());
        let values = extent.from.values().into_iter().chain(extent.to.values()).chain(limits);
        let values = values.chain(extent.guards.iter().map(|g| g.0)).chain([extent.of]);
        for leaf in leaves(step, values.collect()) {
            let n = step.args.iter().position(|a| *a == leaf).expect("an argument");
            if self.primal().is_value_in(operands[n], self.of.of) {
                let what = format!(
                    "which part of the memory behind {} it writes changes from step to step",
                    step.show(extent.of)
                );
                return Err(self.problem(self.of.call, &what));
            }
        }
        let (from, to) = (extent.from.show(step), extent.to.show(step));
        self.made.shown.push(format!("from {from} to {to} behind {}", step.show(extent.of)));
        self.made.extents.push(extent);
        Ok(())
    }
}

/// The arguments that values are computed from.
fn leaves(primal: &Primal, mut work: Vec<ValueId>) -> BTreeSet<ValueId> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        if primal.args.contains(&v) {
            found.insert(v);
        }
        work.extend(primal.inst(v).into_iter().flat_map(|i| i.operands.iter().copied()));
    }
    found
}

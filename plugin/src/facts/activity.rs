//! Which values and which memory carry derivatives.
//!
//! A value is *varied* if it depends on an active input, *useful* if an active output depends on it, and *active* if both;
//! likewise for memory objects. Flow-insensitive fixpoints over values and objects (Hascoët, Naumann and Pascual,
//! "To be recorded analysis in reverse-mode automatic differentiation", 2005, without the flow-sensitive part), by
//! worklists: each instruction is looked at again when something it reads has changed. An object that holds pointers to
//! active memory *carries* them: its shadow holds the pointers to their shadows.

use super::blocks::{self, Accesses};
use super::objects::{Object, ObjectId, Objects};
use crate::primal::{Def, Holding, Inst, Op, Primal, Term, Touch, Ty, ValueId};
use crate::request::{Activity, Variant};
use crate::rules;
use std::collections::BTreeSet;

/// What carries derivatives.
#[derive(Clone, Debug, Default)]
pub struct Active {
    /// Per value: it has an adjoint.
    pub values: Vec<bool>,
    /// Per value: it depends on an active input.
    pub varied: Vec<bool>,
    /// Per value: an active output depends on it.
    pub useful: Vec<bool>,
    /// Per integer value: it is made of the bits of a varied real.
    pub bits: Vec<bool>,
    /// Per object: it holds active numbers.
    pub objects: Vec<bool>,
    /// Per object: it holds pointers to memory with a shadow.
    pub carriers: Vec<bool>,
    /// Per object: its contents depend on an active input.
    pub varied_objects: Vec<bool>,
    /// Per pointer: its shadow is wanted.
    pub pointers: Vec<bool>,
    /// Calls that stay calls and have a derivative, or handle memory with a shadow.
    pub calls: BTreeSet<ValueId>,
}

/// Computes activity for one variant.
pub fn analyse(primal: &Primal, objects: &Objects, accesses: &Accesses, variant: &Variant) -> Active {
    let (values, count) = (primal.values.len(), objects.all.len());
    let no_values = || vec![false; values];
    let no_objects = || vec![false; count];
    let a = Active {
        values: no_values(),
        varied: no_values(),
        useful: no_values(),
        bits: no_values(),
        objects: no_objects(),
        carriers: no_objects(),
        varied_objects: no_objects(),
        pointers: no_values(),
        calls: BTreeSet::new(),
    };
    let mut search = Search {
        primal,
        objects,
        accesses,
        useful_objects: no_objects(),
        lent: no_objects(),
        given: no_objects(),
        a,
        links: Links::new(primal, objects, accesses),
        work: vec![],
    };
    search.start(variant);
    loop {
        search.spread();
        if !search.join_own() {
            break;
        }
    }
    let touched = search.touched();
    let Search { mut a, useful_objects, .. } = search;
    for v in 0..values {
        a.values[v] = a.varied[v] && a.useful[v];
    }
    for o in 0..count {
        a.objects[o] = a.varied_objects[o] && useful_objects[o] && touched[o];
    }
    a.find_carriers(objects);
    a.find_pointers(primal, objects, accesses, variant);
    a
}

/// Whether an object is what an argument with a shadow leads to, or a global variable that has one in the caller.
pub fn is_dup(primal: &Primal, objects: &Objects, o: ObjectId, variant: &Variant) -> bool {
    match objects.all[objects.root(o).index()] {
        Object::Arg(v) => match primal.value(v).def {
            Def::Arg(n) => variant.arguments[n as usize].has_shadow(),
            _ => false,
        },
        Object::Global(v) => variant.globals.contains(&primal.value(v).name),
        _ => false,
    }
}

/// Whether the program says of an object, or of the variable that leads to it, that it has no derivative.
fn is_inactive(primal: &Primal, objects: &Objects, o: ObjectId) -> bool {
    match objects.all[objects.root(o).index()] {
        Object::Global(v) => primal.value(v).def == Def::Global(Holding::Inactive),
        _ => false,
    }
}

/// The operands through which a derivative passes from an instruction's result; for memory operations none.
pub fn value_operands(primal: &Primal, inst: &Inst) -> Vec<ValueId> {
    match &inst.op {
        Op::Rule(rule) => {
            let partials = &rules::row(*rule).partials;
            let passing = |n: usize| partials.get(n).is_some_and(|p| p.as_const() != Some(0.0));
            inst.operands.iter().enumerate().filter(|(n, _)| passing(*n)).map(|(_, &v)| v).collect()
        }
        Op::Phi(_) | Op::Freeze | Op::Bits => inst.operands.clone(),
        Op::Select => inst.operands[1..].to_vec(),
        // Integers carry the bits of reals only; an ordering or a conversion ends the dependence.
        Op::Pure | Op::Trapping => {
            inst.operands.iter().copied().filter(|&v| matches!(primal.ty(v), Ty::Int(_))).collect()
        }
        Op::Unsupported(_) => inst.operands.clone(),
        Op::Gep(_)
        | Op::Load
        | Op::Store
        | Op::Alloca
        | Op::Allocate(_)
        | Op::Free
        | Op::Fill
        | Op::Copy
        | Op::Inactive(_)
        | Op::Callee(_)
        | Op::Call(_)
        | Op::Terminator => vec![],
    }
}

/// The memory that a called function writes numbers to.
fn written_by(objects: &Objects, accesses: &Accesses, call: ValueId, inst: &Inst) -> BTreeSet<ObjectId> {
    let mut written = numbers(objects, accesses, inst, |t| t.writes);
    if matches!(&inst.op, Op::Callee(callee) if callee.fills) {
        written.extend(objects.named(&Object::Heap(call)));
    }
    written
}

/// The memory behind those operands of a call that something happens to.
pub fn called(objects: &Objects, inst: &Inst, which: impl Fn(&Touch) -> bool) -> BTreeSet<ObjectId> {
    let Op::Callee(callee) = &inst.op else { return BTreeSet::new() };
    let touched = inst.operands.iter().zip(&callee.touches).filter(|(_, t)| which(t));
    objects.reach(touched.flat_map(|(p, _)| objects.of(*p)).collect())
}

/// As `called`, without what holds no numbers.
pub fn numbers(
    objects: &Objects,
    accesses: &Accesses,
    inst: &Inst,
    which: impl Fn(&Touch) -> bool,
) -> BTreeSet<ObjectId> {
    let mut found = called(objects, inst, which);
    found.retain(|o| blocks::may_hold_numbers(objects, accesses, *o));
    found
}

/// The pointers through which an instruction reads or writes memory: what is written first.
pub fn memory_operands(inst: &Inst) -> &[ValueId] {
    match inst.op {
        Op::Load | Op::Fill => &inst.operands[..1],
        Op::Store => &inst.operands[1..],
        Op::Copy => &inst.operands[..2],
        _ => &[],
    }
}

/// Who has to be looked at again when something changes.
struct Links {
    /// Per value: instructions that use it.
    users: Vec<Vec<ValueId>>,
    /// Per object: instructions that read it.
    readers: Vec<Vec<ValueId>>,
    /// Per object: instructions that write it.
    writers: Vec<Vec<ValueId>>,
    /// Global variables and what pointers in them lead to, which may be the same.
    shared: Vec<ObjectId>,
}

impl Links {
    fn new(primal: &Primal, objects: &Objects, accesses: &Accesses) -> Self {
        let count = objects.all.len();
        let mut links = Links {
            users: vec![vec![]; primal.values.len()],
            readers: vec![vec![]; count],
            writers: vec![vec![]; count],
            shared: vec![],
        };
        for (v, inst) in primal.insts() {
            inst.operands.iter().for_each(|o| links.users[o.index()].push(v));
            let (read, written) = match inst.op {
                Op::Load => (Some(inst.operands[0]), None),
                Op::Store => (None, Some(inst.operands[1])),
                Op::Copy => (Some(inst.operands[1]), Some(inst.operands[0])),
                Op::Callee(_) => {
                    numbers(objects, accesses, inst, |t| t.reads)
                        .into_iter()
                        .for_each(|o| links.readers[o.index()].push(v));
                    written_by(objects, accesses, v, inst).into_iter().for_each(|o| links.writers[o.index()].push(v));
                    continue;
                }
                _ => continue,
            };
            read.into_iter().flat_map(|p| objects.of(p)).for_each(|o| links.readers[o.index()].push(v));
            written.into_iter().flat_map(|p| objects.of(p)).for_each(|o| links.writers[o.index()].push(v));
        }
        let variable = |o: &ObjectId| match objects.all[objects.root(*o).index()] {
            Object::Global(_) if is_inactive(primal, objects, *o) => false,
            Object::Global(v) => {
                primal.value(v).def == Def::Global(Holding::Variables)
                    || matches!(objects.all[o.index()], Object::Content(..))
            }
            _ => false,
        };
        links.shared = (0..count).map(|o| ObjectId(o as u32)).filter(variable).collect();
        links
    }

    /// Objects that may be the same memory as this one under another name.
    fn same(&self, objects: &Objects, o: ObjectId) -> Vec<ObjectId> {
        if !self.shared.contains(&o) {
            return vec![];
        }
        let content = |o: &ObjectId| matches!(objects.all[o.index()], Object::Content(..));
        let found = self.shared.iter().copied();
        if content(&o) { found.collect() } else { found.filter(content).collect() }
    }
}

struct Search<'a> {
    primal: &'a Primal,
    objects: &'a Objects,
    accesses: &'a Accesses,
    useful_objects: Vec<bool>,
    lent: Vec<bool>,
    /// Per object: the caller has a shadow of it.
    given: Vec<bool>,
    a: Active,
    links: Links,
    work: Vec<ValueId>,
}

impl Search<'_> {
    fn start(&mut self, variant: &Variant) {
        for o in (0..self.objects.all.len()).map(|o| ObjectId(o as u32)) {
            if is_dup(self.primal, self.objects, o, variant) {
                self.given[o.index()] = true;
                self.vary_object(o);
                self.use_object(o);
            }
        }
        let returned = self.returned().filter(|_| variant.shadow_return).flat_map(|v| self.objects.of(v));
        let given: Vec<ObjectId> = returned.filter(|o| self.given[o.index()]).collect();
        given.into_iter().for_each(|o| self.lent[o.index()] = true);
        for o in self.handed_out(variant) {
            self.lent[o.index()] = true;
            self.vary_object(o);
            self.use_object(o);
        }
        for (&arg, activity) in self.primal.args.iter().zip(&variant.arguments) {
            if self.primal.ty(arg) != Ty::Ptr && *activity != Activity::Const {
                self.vary(arg);
            }
        }
        if variant.active_return {
            for block in &self.primal.blocks {
                if let Term::Return(Some(v)) = block.term {
                    self.use_value(v);
                }
            }
        }
    }

    fn returned(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.primal.blocks.iter().filter_map(|b| if let Term::Return(v) = b.term { v } else { None })
    }

    /// Memory of the function's own that the caller gets to know, with its shadow.
    fn handed_out(&self, variant: &Variant) -> BTreeSet<ObjectId> {
        let objects = self.objects;
        let known = (0..objects.all.len() as u32).map(ObjectId);
        let mut seeds: Vec<ObjectId> = known.filter(|o| is_dup(self.primal, objects, *o, variant)).collect();
        if variant.shadow_return {
            seeds.extend(self.returned().flat_map(|v| objects.of(v)));
        }
        objects.reach(seeds).into_iter().filter(|o| matches!(objects.all[o.index()], Object::Heap(_))).collect()
    }

    fn spread(&mut self) {
        while let Some(v) = self.work.pop() {
            let Some(inst) = self.primal.inst(v) else { continue };
            self.forward(v, inst);
            self.backward(v, inst);
        }
    }

    fn vary(&mut self, v: ValueId) {
        if !std::mem::replace(&mut self.a.varied[v.index()], true) {
            self.work.extend(&self.links.users[v.index()]);
        }
    }

    fn carry_bits(&mut self, v: ValueId) {
        if !std::mem::replace(&mut self.a.bits[v.index()], true) {
            self.work.extend(&self.links.users[v.index()]);
        }
    }

    fn vary_object(&mut self, o: ObjectId) {
        if !is_inactive(self.primal, self.objects, o) && !std::mem::replace(&mut self.a.varied_objects[o.index()], true)
        {
            self.work.extend(&self.links.readers[o.index()]);
            self.links.same(self.objects, o).into_iter().for_each(|same| self.vary_object(same));
        }
    }

    fn use_value(&mut self, v: ValueId) {
        if !std::mem::replace(&mut self.a.useful[v.index()], true) {
            self.work.push(v);
        }
    }

    fn use_object(&mut self, o: ObjectId) {
        if !is_inactive(self.primal, self.objects, o) && !std::mem::replace(&mut self.useful_objects[o.index()], true) {
            self.work.extend(&self.links.writers[o.index()]);
            self.links.same(self.objects, o).into_iter().for_each(|same| self.use_object(same));
        }
    }

    fn varies(&self, pointer: ValueId) -> bool {
        self.objects.of(pointer).any(|o| self.a.varied_objects[o.index()])
    }

    /// Passes on what depends on active inputs.
    fn forward(&mut self, v: ValueId, inst: &Inst) {
        let ty = self.primal.ty(v);
        match inst.op {
            Op::Load if ty != Ty::Ptr && self.varies(inst.operands[0]) && self.is_number(v, inst) => self.vary(v),
            Op::Store if self.a.varied[inst.operands[0].index()] => self.vary_memory(inst.operands[1]),
            Op::Copy if self.varies(inst.operands[1]) => self.vary_memory(inst.operands[0]),
            Op::Load | Op::Store | Op::Copy => {}
            Op::Callee(_) => {
                let value = inst.operands.iter().any(|o| self.a.varied[o.index()]);
                if value
                    || numbers(self.objects, self.accesses, inst, |t| t.reads)
                        .iter()
                        .any(|o| self.a.varied_objects[o.index()])
                {
                    written_by(self.objects, self.accesses, v, inst).into_iter().for_each(|o| self.vary_object(o));
                    if ty.is_real() {
                        self.vary(v);
                    }
                }
            }
            // A number that an integer is converted to depends on what the integer counts, or on bits of a real.
            Op::Pure if ty.is_real() && inst.operands.iter().any(|o| self.a.bits[o.index()]) => self.vary(v),
            Op::Pure if ty.is_real() => {}
            _ if ty != Ty::Ptr && !is_condition(self.primal, v, inst) => {
                let passing = value_operands(self.primal, inst);
                if matches!(ty, Ty::Int(_)) {
                    let taken = inst.op == Op::Bits && inst.operands.iter().any(|o| self.a.varied[o.index()]);
                    if taken || passing.iter().any(|o| self.a.bits[o.index()]) {
                        self.carry_bits(v);
                    }
                }
                if passing.iter().any(|o| self.a.varied[o.index()]) {
                    self.vary(v);
                }
            }
            _ => {}
        }
    }

    fn is_number(&self, v: ValueId, inst: &Inst) -> bool {
        blocks::may_be_number(self.primal, self.objects, self.accesses, v, inst)
    }

    fn vary_memory(&mut self, pointer: ValueId) {
        let objects = self.objects;
        objects.of(pointer).for_each(|o| self.vary_object(o));
    }

    /// Passes on what active outputs depend on.
    fn backward(&mut self, v: ValueId, inst: &Inst) {
        let (objects, accesses) = (self.objects, self.accesses);
        let wanted = |s: &Self, pointer: ValueId| objects.of(pointer).any(|o| s.useful_objects[o.index()]);
        match inst.op {
            Op::Load if self.a.useful[v.index()] => objects.of(inst.operands[0]).for_each(|o| self.use_object(o)),
            Op::Store if wanted(self, inst.operands[1]) && self.is_number(v, inst) => self.use_value(inst.operands[0]),
            Op::Copy if wanted(self, inst.operands[0]) => {
                objects.of(inst.operands[1]).for_each(|o| self.use_object(o));
            }
            Op::Callee(_) => {
                let useful = |o: &ObjectId| self.useful_objects[o.index()];
                if self.a.useful[v.index()] || written_by(objects, accesses, v, inst).iter().any(useful) {
                    inst.operands.iter().for_each(|o| self.use_value(*o));
                    numbers(objects, accesses, inst, |t| t.reads).into_iter().for_each(|o| self.use_object(o));
                }
            }
            _ if self.a.useful[v.index()] && self.primal.ty(v) != Ty::Ptr && !is_condition(self.primal, v, inst) => {
                value_operands(self.primal, inst).into_iter().for_each(|o| self.use_value(o));
            }
            _ => {}
        }
    }

    /// Memory of the function's own that an access may reach instead of active memory gets a shadow as well.
    fn join_own(&mut self) -> bool {
        let active = |s: &Self, o: ObjectId| s.a.varied_objects[o.index()] && s.useful_objects[o.index()];
        for (_, inst) in self.primal.insts() {
            for &p in memory_operands(inst) {
                if !self.objects.of(p).any(|o| active(self, o)) {
                    continue;
                }
                let objects = self.objects;
                for o in objects.of(p).filter(|o| objects.is_own(*o)) {
                    if !active(self, o) {
                        self.vary_object(o);
                        self.use_object(o);
                    }
                }
            }
        }
        !self.work.is_empty()
    }

    /// Where a pointer to memory that the caller has a shadow of is stored, the caller looks for its shadow.
    fn passed_on(&self, v: ValueId, inst: &Inst) -> BTreeSet<ObjectId> {
        let mut found = match &inst.op {
            Op::Store if self.primal.ty(inst.operands[0]) == Ty::Ptr => self.objects.of(inst.operands[0]).collect(),
            Op::Callee(callee) if callee.stores_pointers() => self.objects.reached_by(v, inst, callee),
            _ => BTreeSet::new(),
        };
        found.retain(|o| self.given[o.index()]);
        found
    }

    /// Per object: something of it is accessed that may be a number, or somebody else may do so.
    fn touched(&self) -> Vec<bool> {
        let mut touched = self.lent.clone();
        for (v, inst) in self.primal.insts() {
            self.passed_on(v, inst).into_iter().for_each(|o| touched[o.index()] = true);
            if matches!(inst.op, Op::Callee(_)) {
                let numbers = numbers(self.objects, self.accesses, inst, |t| t.reads || t.frees);
                numbers
                    .into_iter()
                    .chain(written_by(self.objects, self.accesses, v, inst))
                    .for_each(|o| touched[o.index()] = true);
                continue;
            }
            if inst.op == Op::Free {
                // Its shadow is given back with it.
                self.objects.of(inst.operands[0]).for_each(|o| touched[o.index()] = true);
                continue;
            }
            let ty = match inst.op {
                Op::Load => self.primal.ty(v),
                Op::Store => self.primal.ty(inst.operands[0]),
                _ => Ty::Other,
            };
            // Integers that are parts of reals are varied.
            let number = match inst.op {
                Op::Load => self.a.useful[v.index()],
                Op::Store => self.a.varied[inst.operands[0].index()],
                _ => true,
            };
            if matches!(ty, Ty::Float | Ty::Double | Ty::Extended | Ty::Other) || number && ty != Ty::Ptr {
                memory_operands(inst).iter().flat_map(|p| self.objects.of(*p)).for_each(|o| touched[o.index()] = true);
            }
        }
        touched
    }
}

impl Active {
    /// Whether memory has a shadow: of numbers, or of pointers to such memory.
    pub fn is_shadowed(&self, o: ObjectId) -> bool {
        self.objects[o.index()] || self.carriers[o.index()]
    }

    fn find_carriers(&mut self, objects: &Objects) {
        let held: Vec<Vec<ObjectId>> = (0..objects.all.len()).map(|o| objects.held_by(ObjectId(o as u32))).collect();
        let mut holders = vec![vec![]; objects.all.len()];
        for (o, held) in held.iter().enumerate() {
            held.iter().for_each(|target| holders[target.index()].push(ObjectId(o as u32)));
        }
        let mut work: Vec<ObjectId> =
            (0..objects.all.len() as u32).map(ObjectId).filter(|o| self.objects[o.index()]).collect();
        while let Some(target) = work.pop() {
            for &o in &holders[target.index()] {
                if !std::mem::replace(&mut self.carriers[o.index()], true) {
                    work.push(o);
                }
            }
        }
    }

    /// Marks the pointers whose shadows something asks for.
    fn find_pointers(&mut self, primal: &Primal, objects: &Objects, accesses: &Accesses, variant: &Variant) {
        let returned = primal.blocks.iter().filter_map(|b| if let Term::Return(v) = b.term { v } else { None });
        let mut work: Vec<ValueId> = returned.filter(|_| variant.shadow_return).collect();
        for (v, inst) in primal.insts() {
            if self.has_derivative(objects, accesses, v, inst) {
                self.calls.insert(v);
                work.extend(&inst.operands);
            }
            let carries = |p: ValueId| objects.of(p).any(|o| self.carriers[o.index()]);
            match inst.op {
                Op::Load if self.values[v.index()] => work.push(inst.operands[0]),
                Op::Store if primal.ty(inst.operands[0]) == Ty::Ptr && !carries(inst.operands[1]) => {}
                Op::Store if primal.ty(inst.operands[0]) == Ty::Ptr => work.extend(&inst.operands),
                Op::Store | Op::Fill | Op::Copy => work.extend(memory_operands(inst)),
                Op::Free => work.push(inst.operands[0]),
                _ => {}
            }
        }
        while let Some(p) = work.pop() {
            if self.pointers[p.index()] || !objects.of(p).any(|o| self.is_shadowed(o)) {
                continue;
            }
            self.pointers[p.index()] = true;
            let Some(inst) = primal.inst(p) else { continue };
            match inst.op {
                Op::Gep(_) | Op::Freeze | Op::Load => work.push(inst.operands[0]),
                Op::Select => work.extend(&inst.operands[1..]),
                Op::Phi(_) => work.extend(&inst.operands),
                Op::Callee(_) => {
                    self.calls.insert(p);
                    work.extend(&inst.operands);
                }
                _ => {}
            }
        }
    }

    /// Whether a call has to be made of derived code: active numbers pass through it, or it moves, makes or gives back
    /// memory that has a shadow, or that the reverse sweep may still read.
    fn has_derivative(&self, objects: &Objects, accesses: &Accesses, v: ValueId, inst: &Inst) -> bool {
        let Op::Callee(callee) = &inst.op else { return false };
        let shadowed = |set: BTreeSet<ObjectId>| set.into_iter().any(|o| self.is_shadowed(o));
        self.values[v.index()]
            || callee.frees
            || written_by(objects, accesses, v, inst).into_iter().any(|o| self.objects[o.index()])
            || (callee.stores_pointers() || callee.allocates) && shadowed(objects.reached_by(v, inst, callee))
    }
}

/// Comparisons end the dependence: the derivative is that of the path taken.
fn is_condition(primal: &Primal, v: ValueId, inst: &Inst) -> bool {
    matches!(inst.op, Op::Pure) && primal.ty(v) == Ty::Int(1)
}

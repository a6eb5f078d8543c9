//! Which values and which memory carry derivatives.
//!
//! A value is *varied* if it depends on an active input, *useful* if an active output depends on it, and *active* if both;
//! likewise for memory objects. Flow-insensitive fixpoints over values and objects (Hascoët, Naumann and Pascual,
//! "To be recorded analysis in reverse-mode automatic differentiation", 2005, without the flow-sensitive part).

use super::objects::{Object, ObjectId, Objects};
use crate::primal::{Def, Inst, Op, Primal, Ty, ValueId};
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
    /// Per object: it has a shadow that is used.
    pub objects: Vec<bool>,
    /// Per object: its contents depend on an active input.
    pub varied_objects: Vec<bool>,
    /// Per object: the real types that it is accessed with.
    pub reals: Vec<BTreeSet<RealType>>,
}

/// The supported real types, as a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RealType {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double` on x86
    Extended,
    /// Half and quadruple precision, vectors: not supported.
    Other,
}

/// Computes activity for one variant.
pub fn analyse(primal: &Primal, objects: &Objects, variant: &Variant) -> Active {
    let (values, count) = (primal.values.len(), objects.all.len());
    let mut a = Active {
        values: vec![false; values],
        varied: vec![false; values],
        useful: vec![false; values],
        bits: vec![false; values],
        objects: vec![false; count],
        varied_objects: vec![false; count],
        reals: real_types(primal, objects),
    };
    let mut useful_objects = vec![false; count];
    for (i, object) in objects.all.iter().enumerate() {
        let dup = is_dup(primal, objects, object, variant);
        a.varied_objects[i] = dup;
        useful_objects[i] = dup;
    }
    for (&arg, activity) in primal.args.iter().zip(&variant.arguments) {
        a.varied[arg.index()] = primal.ty(arg) != Ty::Ptr && *activity != Activity::Const;
    }
    if variant.active_return {
        for block in &primal.blocks {
            if let crate::primal::Term::Return(Some(v)) = block.term {
                a.useful[v.index()] = true;
            }
        }
    }
    loop {
        while a.spread_varied(primal, objects) {}
        while a.spread_useful(primal, objects, &mut useful_objects) {}
        for i in 0..values {
            a.values[i] = a.varied[i] && a.useful[i];
        }
        for (i, useful) in useful_objects.iter().enumerate() {
            a.objects[i] = a.varied_objects[i] && *useful;
        }
        if !a.join_stack(primal, objects, &mut useful_objects) {
            return a;
        }
    }
}

fn is_dup(primal: &Primal, objects: &Objects, object: &Object, variant: &Variant) -> bool {
    match object {
        Object::Arg(v) => match primal.value(*v).def {
            Def::Arg(n) => variant.arguments[n as usize].has_shadow(),
            _ => false,
        },
        Object::Content(of) => is_dup(primal, objects, &objects.all[of.index()], variant),
        Object::Stack(_) | Object::Global(_) | Object::Unknown => false,
    }
}

fn real_types(primal: &Primal, objects: &Objects) -> Vec<BTreeSet<RealType>> {
    let mut reals = vec![BTreeSet::new(); objects.all.len()];
    for (v, inst) in primal.insts() {
        let (value, pointer) = match inst.op {
            Op::Load => (v, inst.operands[0]),
            Op::Store => (inst.operands[0], inst.operands[1]),
            _ => continue,
        };
        let real = match primal.ty(value) {
            Ty::Float => RealType::Float,
            Ty::Double => RealType::Double,
            Ty::Extended => RealType::Extended,
            Ty::Other => RealType::Other,
            _ => continue,
        };
        for o in &objects.of[pointer.index()] {
            reals[o.index()].insert(real);
        }
    }
    reals
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
        Op::Gep
        | Op::Load
        | Op::Store
        | Op::Alloca
        | Op::Fill
        | Op::Copy
        | Op::Inactive(_)
        | Op::Call(_)
        | Op::Terminator => vec![],
    }
}

fn set_flag(flags: &mut [bool], i: usize) -> bool {
    !std::mem::replace(&mut flags[i], true)
}

impl Active {
    /// Whether a load may read the bits of an active real.
    fn load_varies(&self, primal: &Primal, objects: &Objects, load: ValueId, pointer: ValueId) -> bool {
        let set = &objects.of[pointer.index()];
        let varied = |o: &ObjectId| self.varied_objects[o.index()];
        match primal.ty(load) {
            Ty::Float | Ty::Double | Ty::Extended | Ty::Other => set.iter().any(varied),
            // An integer of any size may be part of a real.
            Ty::Int(_) => set.iter().any(varied),
            _ => false,
        }
    }

    /// A stack object that an access may reach instead of active memory gets a shadow as well.
    fn join_stack(&mut self, primal: &Primal, objects: &Objects, useful_objects: &mut [bool]) -> bool {
        let mut changed = false;
        for (_, inst) in primal.insts() {
            let pointers = match inst.op {
                Op::Load | Op::Fill => &inst.operands[..1],
                Op::Store => &inst.operands[1..],
                Op::Copy => &inst.operands[..2],
                _ => continue,
            };
            for set in pointers.iter().map(|p| &objects.of[p.index()]) {
                if !set.iter().any(|o| self.objects[o.index()]) {
                    continue;
                }
                for o in set.iter().filter(|o| matches!(objects.all[o.index()], Object::Stack(_))) {
                    changed |= set_flag(&mut self.varied_objects, o.index());
                    changed |= set_flag(useful_objects, o.index());
                }
            }
        }
        changed
    }

    fn spread_varied(&mut self, primal: &Primal, objects: &Objects) -> bool {
        let mut changed = false;
        for (v, inst) in primal.insts() {
            match inst.op {
                Op::Load => {
                    let varies = self.load_varies(primal, objects, v, inst.operands[0]);
                    changed |= varies && set_flag(&mut self.varied, v.index());
                }
                Op::Store if self.varied[inst.operands[0].index()] => {
                    for o in &objects.of[inst.operands[1].index()] {
                        changed |= set_flag(&mut self.varied_objects, o.index());
                    }
                }
                Op::Copy if objects.of[inst.operands[1].index()].iter().any(|o| self.varied_objects[o.index()]) => {
                    for o in &objects.of[inst.operands[0].index()] {
                        changed |= set_flag(&mut self.varied_objects, o.index());
                    }
                }
                // A number that an integer is converted to depends on what the integer counts, or on bits of a real.
                Op::Pure if primal.ty(v).is_real() => {
                    let varies = inst.operands.iter().any(|o| self.bits[o.index()]);
                    changed |= varies && set_flag(&mut self.varied, v.index());
                }
                _ if primal.ty(v) != Ty::Ptr && !is_condition(primal, v, inst) => {
                    if matches!(primal.ty(v), Ty::Int(_)) {
                        let taken = inst.op == Op::Bits && inst.operands.iter().any(|o| self.varied[o.index()]);
                        let passed = value_operands(primal, inst).iter().any(|o| self.bits[o.index()]);
                        changed |= (taken || passed) && set_flag(&mut self.bits, v.index());
                    }
                    let varies = value_operands(primal, inst).iter().any(|o| self.varied[o.index()]);
                    changed |= varies && set_flag(&mut self.varied, v.index());
                }
                _ => {}
            }
        }
        changed
    }

    fn spread_useful(&mut self, primal: &Primal, objects: &Objects, useful_objects: &mut [bool]) -> bool {
        let mut changed = false;
        for (v, inst) in primal.insts().rev() {
            match inst.op {
                Op::Load if self.useful[v.index()] => {
                    for o in &objects.of[inst.operands[0].index()] {
                        changed |= set_flag(useful_objects, o.index());
                    }
                }
                Op::Store if objects.of[inst.operands[1].index()].iter().any(|o| useful_objects[o.index()]) => {
                    changed |= set_flag(&mut self.useful, inst.operands[0].index());
                }
                Op::Copy if objects.of[inst.operands[0].index()].iter().any(|o| useful_objects[o.index()]) => {
                    for o in &objects.of[inst.operands[1].index()] {
                        changed |= set_flag(useful_objects, o.index());
                    }
                }
                _ if self.useful[v.index()] && primal.ty(v) != Ty::Ptr && !is_condition(primal, v, inst) => {
                    for o in value_operands(primal, inst) {
                        changed |= set_flag(&mut self.useful, o.index());
                    }
                }
                _ => {}
            }
        }
        changed
    }
}

/// Comparisons end the dependence: the derivative is that of the path taken.
fn is_condition(primal: &Primal, v: ValueId, inst: &Inst) -> bool {
    matches!(inst.op, Op::Pure) && primal.ty(v) == Ty::Int(1)
}

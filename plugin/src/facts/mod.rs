//! Facts about the primal: id-keyed tables, computed once, asked by the phases after.
//!
//! `import` mirrors the function, `objects` says where pointers lead, `activity` what carries derivatives, `blocks` what
//! blocks of memory consist of, `sizes` how large they are, `scalar` trip counts and closed forms, `affine` which stores
//! never hit what was loaded before, `stability` which loads can be repeated in the reverse sweep, `checks`
//! what stands in the way of a right derivative. Analyses never change IR.

pub mod activity;
pub mod affine;
pub mod assigned;
pub mod blocks;
pub mod checkpoints;
pub mod checks;
pub mod extents;
pub mod import;
pub mod objects;
pub mod overlap;
pub mod scalar;
pub mod sizes;
pub mod stability;
pub mod summary;

use crate::llvm::analyses::Analyses;
use crate::llvm::ir;
use crate::primal::{Expr, Op, Primal, Ty, ValueId, text};
use crate::problem::Problem;
use crate::request::{Activity, Mode, Variant};
use activity::{Active, memory_operands};
use import::Imported;
use objects::{Object, ObjectId, Objects};
use scalar::LoopFacts;
use std::collections::{BTreeMap, BTreeSet};
use summary::{Summaries, Summary};

/// All facts about one primal for one variant.
pub struct Facts {
    /// Where pointers lead.
    pub objects: Objects,
    /// What carries derivatives.
    pub active: Active,
    /// Per object: where it is accessed as what.
    pub accesses: blocks::Accesses,
    /// Per loop.
    pub loops: Vec<LoopFacts>,
    /// Per value: its closed form over iteration numbers.
    pub closed: Vec<Option<Expr>>,
    /// Bytes of what the function makes.
    pub sizes: sizes::Sizes,
    /// Per load: what may overwrite it before the reverse sweep.
    pub overwriters: stability::Overwriters,
    /// Per load: the stores that have to be undone before it is repeated.
    pub undone: BTreeMap<ValueId, Vec<ValueId>>,
    /// Per call that is made of derived code: which derivative of the called function.
    pub calls: BTreeMap<ValueId, Variant>,
    /// Loops of which snapshots are kept instead of their iterations.
    pub checkpoints: checkpoints::Checkpoints,
    /// Whether shadows of arguments may be missing.
    pub maybe: bool,
    /// Memory that only its argument leads to, as far as something in it is written.
    pub restricted: BTreeSet<ObjectId>,
    /// Arguments that lead to different memory, as has been tested, and so do their shadows.
    pub apart: BTreeSet<ObjectId>,
    /// Numbers that are small, as has been tested.
    pub limited: Vec<ValueId>,
    /// Whether more would be known of what overwrites loads if numbers were small.
    pub undecided: bool,
    /// Those of `apart` through which alone their memory is accessed.
    pub alone: BTreeSet<ValueId>,
    /// Whether callers see to it that shadows of what global variables lead to on entry are known.
    pub inner: bool,
    /// What is wanted of the primal beside the derivative.
    pub results: Results,
}

/// What those who ask for a derivative want of the primal.
#[derive(Default)]
pub struct Results {
    /// Both sweeps are run at once, so that the forward sweep may leave out what nothing reads.
    pub at_once: bool,
    /// The value that the function returns.
    pub returned: bool,
    /// Memory of arguments that may be left unwritten.
    pub unneeded: BTreeSet<ObjectId>,
}

impl Results {
    fn of(primal: &Primal, objects: &Objects, variant: &Variant) -> Results {
        let arguments = primal.args.iter().zip(&variant.arguments);
        let unneeded = arguments.filter(|(_, a)| **a == Activity::DupNoNeed);
        Results {
            at_once: variant.mode == Mode::Reverse,
            returned: variant.primal_return,
            unneeded: unneeded.filter_map(|(v, _)| objects.named(&Object::Arg(*v))).collect(),
        }
    }
}

impl Facts {
    /// Whether a value has an adjoint.
    pub fn is_active(&self, v: ValueId) -> bool {
        self.active.values.get(v.index()).copied().unwrap_or(false)
    }
    /// Whether a pointer may lead to active numbers.
    pub fn points_to_active(&self, pointer: ValueId) -> bool {
        self.objects.of(pointer).any(|o| self.active.objects[o.index()])
    }
    /// Whether a pointer may lead to memory that holds pointers to memory with a shadow.
    pub fn points_to_carrier(&self, pointer: ValueId) -> bool {
        self.objects.of(pointer).any(|o| self.active.carriers[o.index()])
    }
    /// Whether the shadow of a pointer is wanted and may exist.
    pub fn has_shadow(&self, pointer: ValueId) -> bool {
        self.active.pointers.get(pointer.index()).copied().unwrap_or(false)
    }
    /// Whether a pointer that has a shadow may lead to memory without one: that is seen while running.
    pub fn is_maybe(&self, pointer: ValueId) -> bool {
        self.objects.of(pointer).any(|o| {
            !self.active.is_shadowed(o)
                || match self.objects.all[o.index()] {
                    Object::Content(..) | Object::Unknown => true,
                    Object::Arg(_) => self.maybe,
                    Object::Stack(_) | Object::Heap(_) | Object::Global(_) => false,
                }
        })
    }
    /// Whether what one pointer leads to, which the function writes, and what another leads to, which it accesses too, are
    /// surely different memory.
    pub fn are_apart(&self, written: ValueId, other: ValueId) -> bool {
        self.objects.of(written).all(|a| self.objects.of(other).all(|b| self.objects_apart(a, b, true)))
    }
    /// Whether places in two objects that the function accesses are surely different memory. That only a parameter leads
    /// somewhere (`restrict`) says so of places of which one is written.
    pub fn objects_apart(&self, a: ObjectId, b: ObjectId, written: bool) -> bool {
        let unknown = |o: ObjectId| self.objects.all[o.index()] == Object::Unknown;
        let own = |o: ObjectId| self.objects.is_own(o);
        let restricted = |o: ObjectId| written && self.restricted.contains(&o);
        let globals = [a, b].iter().all(|o| matches!(self.objects.all[o.index()], Object::Global(_)));
        let tested = self.apart.contains(&a) && self.apart.contains(&b);
        let apart = own(a) || own(b) || restricted(a) || restricted(b) || globals || tested;
        a != b && !unknown(a) && !unknown(b) && apart
    }
    /// Whether a pointer may lead to active memory by what a table in a global variable held when the function started.
    /// There is no shadow then, which is seen while running.
    pub fn may_be_as_on_entry(&self, pointer: ValueId) -> bool {
        let active = |o: &objects::ObjectId| self.active.is_shadowed(*o);
        !self.inner && self.objects.of(pointer).filter(active).any(|o| self.objects.is_in_filled_table(o))
    }
    /// Whether a load or store may move a number or a part of one.
    pub fn may_be_number(&self, primal: &Primal, v: ValueId) -> bool {
        primal.inst(v).is_some_and(|i| blocks::may_be_number(primal, &self.objects, &self.accesses, v, i))
    }
    /// The closed form of a value.
    pub fn closed_form(&self, v: ValueId) -> Option<&Expr> {
        self.closed.get(v.index())?.as_ref()
    }
}

/// Mirrors a prepared function and computes its facts; `checks::check` says whether they allow a derivative. The arguments in `apart`
/// are taken to lead to different memory, and numbers to be `small`.
pub fn analyse(
    function: ir::Value,
    variant: &Variant,
    analyses: Analyses,
    summaries: &Summaries,
    apart: &[ValueId],
    small: bool,
) -> Result<(Imported, Facts), Vec<Problem>> {
    let imported = import::import(function, &variant.function, summaries)?;
    let (loops, closed) = scalar::analyse(&imported, analyses, function);
    let mut facts = Facts::of(&imported.primal, variant);
    (facts.loops, facts.closed) = (loops, closed);
    facts.sizes = sizes::sizes(&imported, function, analyses);
    let arguments = imported.primal.args.iter().enumerate();
    let restricted = arguments.filter(|(n, _)| function.parameter_has(*n as u32, c"noalias"));
    facts.restricted = restricted.filter_map(|(_, v)| facts.objects.named(&Object::Arg(*v))).collect();
    let object = |v: &ValueId| facts.objects.named(&Object::Arg(*v));
    facts.apart = apart.iter().filter_map(object).collect();
    let ours = |o: ObjectId| facts.objects.is_own(o) || facts.apart.contains(&o);
    // A call may get at the same memory in other ways.
    let silent = !imported.primal.insts().any(|(_, i)| stability::acts_like_call(i));
    if silent && imported.primal.insts().flat_map(|(_, i)| memory_operands(i)).all(|&p| facts.objects.of(p).all(ours)) {
        facts.alone = apart.iter().copied().collect();
    }
    let mut affine = affine::Affine::new(&imported, &facts.loops, &facts.closed, small);
    let left_out = stability::left_out(&imported.primal, &facts);
    let stability =
        stability::analyse(&imported, &facts.objects, analyses, &mut affine, variant, &facts.apart, &left_out);
    (facts.limited, facts.undecided) = (affine.limited(), affine.is_undecided());
    (facts.overwriters, facts.undone) = (stability.overwriters, stability.undone);
    Ok((imported, facts))
}

/// What a function does to the memory of those who call it.
pub fn summarise(function: ir::Value, name: &str, summaries: &Summaries) -> Result<Summary, Vec<Problem>> {
    let imported = import::import(function, name, summaries)?;
    let objects = Objects::new(&imported.primal, &[]);
    let accesses = blocks::accesses(&imported.primal, &objects);
    Ok(summary::summarise(&imported, &objects, &accesses))
}

impl Facts {
    /// The facts that follow from the primal alone; those of loops and loads are empty.
    pub fn of(primal: &Primal, variant: &Variant) -> Facts {
        let arguments = primal.args.iter().zip(&variant.arguments);
        let constant: Vec<ValueId> = arguments.filter(|(_, a)| !a.has_shadow()).map(|(v, _)| *v).collect();
        let objects = Objects::new(primal, &constant);
        let accesses = blocks::accesses(primal, &objects);
        let active = activity::analyse(primal, &objects, &accesses, variant);
        let results = Results::of(primal, &objects, variant);
        let mut facts = Facts {
            objects,
            active,
            accesses,
            loops: vec![],
            closed: vec![],
            sizes: sizes::Sizes::new(),
            overwriters: vec![],
            undone: BTreeMap::new(),
            calls: BTreeMap::new(),
            checkpoints: BTreeMap::new(),
            maybe: variant.maybe,
            restricted: BTreeSet::new(),
            apart: BTreeSet::new(),
            limited: vec![],
            undecided: false,
            alone: BTreeSet::new(),
            inner: variant.inner,
            results,
        };
        facts.calls = facts.active.calls.iter().map(|&v| (v, facts.variant_of(primal, variant, v))).collect();
        facts
    }

    /// Which derivative of a called function a call needs.
    fn variant_of(&self, primal: &Primal, caller: &Variant, call: ValueId) -> Variant {
        let inst = primal.inst(call).expect("a call");
        let Op::Callee(callee) = &inst.op else { unreachable!("a call that stays a call") };
        let forward = caller.mode == Mode::Forward;
        // Both sweeps of an iteration that is run again are run at once, and its state is put back after them.
        let again = caller.mode == Mode::Reverse && checkpoints::is_step(inst);
        let shadowed = if again { Activity::DupNoNeed } else { Activity::Dup };
        let count = callee.touches.len() - callee.globals;
        let arguments = inst.operands[..count].iter().map(|&o| match primal.ty(o) {
            Ty::Ptr if self.has_shadow(o) => shadowed,
            ty if ty.is_real() && self.is_active(o) => {
                if forward {
                    Activity::Dup
                } else {
                    Activity::Out
                }
            }
            _ => Activity::Const,
        });
        let global = |&o: &ValueId| self.has_shadow(o).then(|| primal.value(o).name.clone());
        Variant {
            function: callee.name.clone(),
            mode: match caller.mode {
                Mode::Forward => Mode::Forward,
                _ if again => Mode::Reverse,
                _ => Mode::AugmentedForward,
            },
            arguments: arguments.collect(),
            globals: inst.operands[count..].iter().filter_map(global).collect(),
            active_return: self.is_active(call),
            primal_return: primal.ty(call) != Ty::Void && !again,
            shadow_return: self.has_shadow(call),
            maybe: inst.operands[..count].iter().any(|&o| self.has_shadow(o) && self.is_maybe(o)),
            inner: true,
            width: caller.width,
        }
    }
}

/// The primal with its facts, in the language of `primal::text`.
pub fn show(primal: &Primal, variant: &Variant, facts: &Facts) -> String {
    text::print(primal, variant, facts)
}

//! Facts about the primal: id-keyed tables, computed once, asked by the phases after.
//!
//! `import` mirrors the function, `objects` says where pointers lead, `activity` what carries derivatives, `blocks` what
//! blocks of memory consist of, `scalar` trip counts and closed forms, `stability` which loads can be repeated in the reverse sweep, `checks`
//! what stands in the way of a right derivative. Analyses never change IR.

pub mod activity;
pub mod blocks;
pub mod checks;
pub mod import;
pub mod objects;
pub mod scalar;
pub mod stability;

use crate::llvm::analyses::Analyses;
use crate::llvm::ir;
use crate::primal::{Expr, Primal, ValueId, text};
use crate::problem::Problem;
use crate::request::Variant;
use activity::Active;
use import::Imported;
use objects::{Object, Objects};
use scalar::LoopFacts;

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
    /// Per load: what may overwrite it before the reverse sweep.
    pub overwriters: stability::Overwriters,
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
            !self.active.is_shadowed(o) || matches!(self.objects.all[o.index()], Object::Content(..) | Object::Unknown)
        })
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

/// Mirrors a prepared function and computes its facts; `checks::check` says whether they allow a derivative.
pub fn analyse(function: ir::Value, variant: &Variant, analyses: Analyses) -> Result<(Imported, Facts), Vec<Problem>> {
    let imported = import::import(function, &variant.function)?;
    let objects = Objects::new(&imported.primal, variant);
    let accesses = blocks::accesses(&imported.primal, &objects);
    let active = activity::analyse(&imported.primal, &objects, &accesses, variant);
    let (loops, closed) = scalar::analyse(&imported, analyses, function);
    let overwriters = stability::analyse(&imported, &objects, analyses);
    Ok((imported, Facts { objects, active, accesses, loops, closed, overwriters }))
}

/// The primal with its facts, in the language of `primal::text`.
pub fn show(primal: &Primal, variant: &Variant, facts: &Facts) -> String {
    text::print(primal, variant, facts)
}

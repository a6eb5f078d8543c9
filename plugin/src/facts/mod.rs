//! Facts about the primal: id-keyed tables, computed once, asked by the phases after.
//!
//! `import` mirrors the function, `objects` says where pointers lead, `activity` what carries derivatives,
//! `scalar` trip counts and closed forms, `stability` which loads can be repeated in the reverse sweep, `checks`
//! what stands in the way of a right derivative. Analyses never change IR.

pub mod activity;
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
use objects::Objects;
use scalar::LoopFacts;

/// All facts about one primal for one variant.
pub struct Facts {
    /// Where pointers lead.
    pub objects: Objects,
    /// What carries derivatives.
    pub active: Active,
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
    /// Whether a pointer leads to memory that has a shadow.
    pub fn points_to_active(&self, pointer: ValueId) -> bool {
        self.objects.of.get(pointer.index()).is_some_and(|set| set.iter().any(|o| self.active.objects[o.index()]))
    }
    /// The closed form of a value.
    pub fn closed_form(&self, v: ValueId) -> Option<&Expr> {
        self.closed.get(v.index())?.as_ref()
    }
}

/// Mirrors a prepared function and computes its facts.
pub fn analyse(function: ir::Value, variant: &Variant, analyses: Analyses) -> Result<(Imported, Facts), Vec<Problem>> {
    let imported = import::import(function, &variant.function)?;
    let objects = Objects::new(&imported.primal);
    let active = activity::analyse(&imported.primal, &objects, variant);
    let (loops, closed) = scalar::analyse(&imported, analyses, function);
    let overwriters = stability::analyse(&imported, &objects, analyses);
    let facts = Facts { objects, active, loops, closed, overwriters };
    let problems = checks::check(&imported, &facts, variant);
    if problems.is_empty() { Ok((imported, facts)) } else { Err(problems) }
}

/// The primal with its facts, in the language of `primal::text`.
pub fn show(primal: &Primal, variant: &Variant, facts: &Facts) -> String {
    text::print(primal, variant, facts)
}

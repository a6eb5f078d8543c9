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
use crate::primal::{Expr, LoopId, Op, Primal, Term, ValueId};
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
pub fn analyse(
    function: ir::Value,
    variant: &Variant,
    analyses: Analyses,
) -> Result<(Imported, Facts), Vec<Problem>> {
    let imported = import::import(function, &variant.function)?;
    let objects = Objects::new(&imported.primal);
    let active = activity::analyse(&imported.primal, &objects, variant);
    let (loops, closed) = scalar::analyse(&imported, analyses, function);
    let overwriters = stability::analyse(&imported, &objects, analyses);
    let facts = Facts { objects, active, loops, closed, overwriters };
    let problems = checks::check(&imported, &facts, variant);
    if problems.is_empty() { Ok((imported, facts)) } else { Err(problems) }
}

/// The facts as text, one line a fact.
pub fn show(primal: &Primal, facts: &Facts) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for (i, object) in facts.objects.all.iter().enumerate() {
        let id = objects::ObjectId(i as u32);
        let active = if facts.active.objects[i] { "active" } else { "inactive" };
        let _ = writeln!(out, "object {id:?}: {} {active} {:?}", facts.objects.show(primal, id), kind(object));
    }
    for (i, l) in primal.loops.iter().enumerate() {
        let id = LoopId(i as u32);
        let f = &facts.loops[i];
        let show = |e: &Option<Expr>| e.as_ref().map_or("counted while running".to_string(), |e| e.show(primal));
        let _ = write!(out, "loop {id:?} in {:?} line {} trip {}", l.parent, l.line, show(&f.trip));
        if f.trip.is_none() && f.most.is_some() {
            let _ = write!(out, " at most {}", show(&f.most));
        }
        let _ = writeln!(out);
    }
    for (b, block) in primal.blocks.iter().enumerate() {
        let _ = writeln!(out, "b{b}: {:?}", primal.loop_of[b]);
        for &v in &block.insts {
            let _ = writeln!(out, "  {}", show_value(primal, facts, v));
        }
        let _ = match &block.term {
            Term::Goto(to) => writeln!(out, "  goto {to:?}"),
            Term::Branch(c, then, other) => writeln!(out, "  if {} {then:?} else {other:?}", primal.show(*c)),
            Term::Return(v) => writeln!(out, "  return {}", v.map_or(String::new(), |v| primal.show(v))),
            Term::Unreachable => writeln!(out, "  unreachable"),
        };
    }
    out
}

fn kind(object: &objects::Object) -> &'static str {
    match object {
        objects::Object::Arg(_) => "argument",
        objects::Object::Stack(_) => "stack",
        objects::Object::Global(_) => "global",
        objects::Object::Content(_) => "content",
        objects::Object::Unknown => "unknown",
    }
}

fn show_value(primal: &Primal, facts: &Facts, v: ValueId) -> String {
    let inst = primal.inst(v).expect("blocks hold instructions");
    let operands: Vec<_> = inst.operands.iter().map(|&o| primal.show(o)).collect();
    let mut text = format!("{} = {:?} {}", primal.show(v), inst.op, operands.join(", "));
    if facts.is_active(v) {
        text += "  ; active";
    }
    if let Some(e) = facts.closed_form(v) {
        text += &format!("  ; = {}", e.show(primal));
    }
    if inst.op == Op::Load {
        text += &match facts.overwriters[v.index()] {
            Some(w) => format!("  ; overwritten by {}", primal.show(w)),
            None => "  ; stable".to_string(),
        };
    }
    text
}

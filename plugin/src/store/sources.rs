//! The source of each wanted value.
//!
//! The first rule that is sound, cheapest first. A value is *cheap* if it can be had again by a few instructions from
//! what is at hand, in registers or already on the tape; memory traffic of a new slot is weighed as `BUDGET` operations.
//! (The optimal choice is a minimum cut.)

use super::Missing;
use super::shapes::Shapes;
use crate::facts::Facts;
use crate::primal::{Def, Op, Primal, ValueId};
use crate::problem::Code;
use crate::revprog::{Content, Decision, Slot, SlotId, Source};
use crate::rules;
use indexmap::IndexMap;

/// Operations that a repeated value may cost before keeping it is preferred.
const BUDGET: u32 = 12;

/// The decisions.
pub struct Plan<'a> {
    /// Source by value.
    pub sources: Vec<Option<Source>>,
    /// Slots, homes not yet assigned where they need a tape.
    pub slots: Vec<Slot>,
    /// How their points are numbered.
    pub shapes: Shapes<'a>,
    /// Reasons.
    pub why: Vec<Decision>,
}

/// Makes the decisions, one wanted value after the other.
pub struct Sources<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    plan: Plan<'a>,
    missing: Vec<Missing>,
}

type Costs = IndexMap<ValueId, Option<u32>>;

impl<'a> Sources<'a> {
    /// No decisions yet.
    pub fn new(primal: &'a Primal, facts: &'a Facts) -> Self {
        let sources = vec![None; primal.values.len()];
        Sources {
            primal,
            facts,
            plan: Plan { sources, slots: vec![], shapes: Shapes::new(primal, facts), why: vec![] },
            missing: vec![],
        }
    }

    /// The decisions, or what cannot be had.
    pub fn finish(self) -> Result<Plan<'a>, Vec<Missing>> {
        if self.missing.is_empty() { Ok(self.plan) } else { Err(self.missing) }
    }

    /// Makes it possible to form the shadow address of a pointer again.
    pub fn address(&mut self, pointer: ValueId) {
        if !self.facts.has_shadow(pointer) {
            return;
        }
        let Some(inst) = self.primal.inst(pointer) else { return };
        if let Some(shadow) = self.primal.added(&Def::Shadow(pointer)) {
            return self.value(shadow);
        }
        let operands = inst.operands.clone();
        match inst.op {
            Op::Alloca => {}
            Op::Gep(_) => {
                self.address(operands[0]);
                operands[1..].iter().for_each(|&i| self.value(i));
            }
            Op::Select => {
                self.value(operands[0]);
                self.address(operands[1]);
                self.address(operands[2]);
            }
            Op::Freeze => self.address(operands[0]),
            _ => match self.facts.closed_form(pointer).cloned() {
                Some(e) => {
                    let base = e.base(self.primal);
                    base.into_iter().for_each(|b| self.address(b));
                    e.values().into_iter().filter(|v| Some(*v) != base).for_each(|v| self.value(v));
                }
                None => self.lacks(
                    pointer,
                    Code::ActivePointer,
                    "a pointer to active memory is chosen at run time in a way that is not supported yet".to_string(),
                ),
            },
        }
    }

    /// Decides about a value, and about what it is computed from.
    pub fn value(&mut self, v: ValueId) {
        if self.plan.sources[v.index()].is_some() {
            return;
        }
        if let Some((source, reason)) = self.again(v, BUDGET) {
            return self.choose(v, source, &reason);
        }
        match self.slot(v) {
            Ok(slot) => {
                let reason = self.why_kept(v);
                self.keep(v, slot, &reason);
            }
            Err(missing) => self.missing.push(missing),
        }
    }

    fn choose(&mut self, v: ValueId, source: Source, reason: &str) {
        self.plan.sources[v.index()] = Some(source.clone());
        let chose = match &source {
            Source::AtHand => return,
            Source::Closed(_) => "computed from iteration numbers",
            Source::Again => "computed again",
            Source::Reload => "loaded again",
            Source::Kept(_) => "kept",
        };
        self.plan.why.push(Decision { of: v, chose: chose.to_string(), because: reason.to_string() });
        if let (Source::Reload, Some((of, address))) = (&source, self.loaded_shadow(v)) {
            // It may be the primal's own address, which says that there is no shadow.
            self.address(address);
            return self.value(of);
        }
        let inputs: Vec<ValueId> = match source {
            Source::Closed(e) => e.values(),
            Source::Again | Source::Reload => self.primal.inst(v).map_or(vec![], |i| i.operands.clone()),
            Source::AtHand | Source::Kept(_) => vec![],
        };
        inputs.into_iter().for_each(|i| self.value(i));
    }

    fn keep(&mut self, v: ValueId, slot: Slot, reason: &str) {
        let id = SlotId(self.plan.slots.len() as u32);
        self.plan.slots.push(slot);
        self.choose(v, Source::Kept(id), reason);
    }

    /// A source that needs no new slot in a loop, within a budget.
    fn again(&self, v: ValueId, budget: u32) -> Option<(Source, String)> {
        let mut costs = Costs::new();
        let source = match &self.primal.value(v).def {
            Def::Arg(_) | Def::Const | Def::Global(_) => return Some((Source::AtHand, String::new())),
            Def::Inst(inst) if inst.op == Op::Alloca => return Some((Source::AtHand, String::new())),
            _ => self.source_of(v)?,
        };
        let cost = self.cost(v, budget, &mut costs)?;
        let reason = match &source {
            Source::Closed(_) => "it depends on iteration numbers only".to_string(),
            Source::Reload => "its memory is not overwritten before the reverse sweep".to_string(),
            _ => format!("{cost} operations from what is at hand"),
        };
        Some((source, reason))
    }

    /// For the shadow of a pointer that is loaded: the pointer, and the address that it is loaded from.
    fn loaded_shadow(&self, v: ValueId) -> Option<(ValueId, ValueId)> {
        match self.primal.value(v).def {
            Def::Shadow(of) => self.primal.inst(of).filter(|i| i.op == Op::Load).map(|i| (of, i.operands[0])),
            _ => None,
        }
    }

    /// How a value would be had again, whatever that costs.
    fn source_of(&self, v: ValueId) -> Option<Source> {
        if self.at_top(v) {
            return None;
        }
        if let Some((of, _)) = self.loaded_shadow(v) {
            return self.facts.overwriters[of.index()].is_none().then_some(Source::Reload);
        }
        if let Some(e) = self.facts.closed_form(v) {
            return Some(Source::Closed(e.clone()));
        }
        match self.primal.op(v)? {
            Op::Load if self.facts.overwriters[v.index()].is_none() => Some(Source::Reload),
            Op::Pure | Op::Trapping | Op::Gep(_) | Op::Select | Op::Rule(_) | Op::Bits if self.repeatable(v) => {
                Some(Source::Again)
            }
            _ => None,
        }
    }

    /// Rules that write through a pointer are executed once; undefined operands may differ from time to time.
    fn repeatable(&self, v: ValueId) -> bool {
        let Some(inst) = self.primal.inst(v) else { return false };
        let defined = inst.operands.iter().all(|&o| !matches!(self.primal.constant(o), Some("undef" | "poison")));
        defined && !matches!(inst.op, Op::Rule(rule) if rules::row(rule).out.is_some())
    }

    /// Whether a value is outside all loops: keeping it costs a register.
    fn at_top(&self, v: ValueId) -> bool {
        self.primal.loop_of_value(v).is_none()
    }

    /// Operations needed to have a value again; none if that takes a new slot or exceeds the budget.
    fn cost(&self, v: ValueId, budget: u32, costs: &mut Costs) -> Option<u32> {
        if let Some(known) = costs.get(&v) {
            return *known;
        }
        costs.insert(v, None);
        let cost = self.cost_anew(v, budget, costs);
        costs.insert(v, cost);
        cost
    }

    fn cost_anew(&self, v: ValueId, budget: u32, costs: &mut Costs) -> Option<u32> {
        if self.at_top(v) || matches!(self.plan.sources[v.index()], Some(Source::Kept(_) | Source::AtHand)) {
            return Some(0);
        }
        let mut inputs = |own: u32, inputs: Vec<ValueId>| -> Option<u32> {
            let mut total = own;
            for i in inputs {
                total = total.saturating_add(self.cost(i, budget, costs)?);
                if total > budget {
                    return None;
                }
            }
            Some(total)
        };
        match self.source_of(v)? {
            Source::Closed(e) => inputs(0, e.values()),
            Source::Reload => match self.loaded_shadow(v) {
                Some((of, _)) => inputs(3, vec![of]),
                None => inputs(1, self.primal.inst(v)?.operands.clone()),
            },
            Source::Again => {
                let own = match self.primal.op(v)? {
                    Op::Trapping => 6,
                    Op::Rule(rule) if rules::row(*rule).expensive => BUDGET + 1,
                    Op::Rule(rule) if matches!(rules::row(*rule).name, "fdiv" | "sqrt") => 8,
                    _ => 1,
                };
                if own > budget { None } else { inputs(own, self.primal.inst(v)?.operands.clone()) }
            }
            Source::AtHand | Source::Kept(_) => Some(0),
        }
    }

    fn why_kept(&self, v: ValueId) -> String {
        if self.at_top(v) {
            return "it is computed once".to_string();
        }
        match self.primal.op(v) {
            Some(Op::Load) => match self.facts.overwriters[v.index()] {
                Some(w) if w == v => "its memory may be overwritten by the caller before the reverse sweep".to_string(),
                Some(w) => {
                    let line = self.primal.inst(w).map_or(0, |i| i.loc.0);
                    let at = if line == 0 { String::new() } else { format!(" in line {line}") };
                    format!("its memory may be overwritten{at} before the reverse sweep")
                }
                None => "its address is not at hand in the reverse sweep".to_string(),
            },
            None if matches!(self.primal.value(v).def, Def::Shadow(_)) => {
                "which memory it is was decided while running".to_string()
            }
            Some(Op::Phi(_)) => "it depends on the path taken or on earlier iterations".to_string(),
            Some(Op::Rule(rule)) if rules::row(*rule).expensive => format!("'{}' is expensive", rules::row(*rule).name),
            None => "the reverse sweep follows the path that was taken".to_string(),
            _ => "what it is computed from would have to be kept as well".to_string(),
        }
    }

    /// A slot for a value.
    fn slot(&mut self, v: ValueId) -> Result<Slot, Missing> {
        let ty = self.primal.ty(v);
        if ty.bytes() == 0 {
            return Err(Missing {
                of: v,
                code: Code::UnknownType,
                text: "a value of a type that is not supported yet would have to be kept for the reverse sweep"
                    .to_string(),
            });
        }
        Ok(self.plan.shapes.slot(Content::Value(v), ty, self.primal.loop_of_value(v)))
    }

    fn lacks(&mut self, of: ValueId, code: Code, text: String) {
        self.missing.push(Missing { of, code, text });
    }
}

//! Writes the text form.

use super::lex::quote;
use super::read::{ACTIVITIES, EFFECTS, MODES, OPS};
use crate::facts::Facts;
use crate::facts::objects::ObjectId;
use crate::primal::{Def, Holding, Inst, Offset, Op, Primal, Term, Ty, ValueId};
use crate::request::Variant;
use crate::rules;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes one primal.
pub(super) struct Writer<'a> {
    pub(super) primal: &'a Primal,
    facts: &'a Facts,
    overwriters: BTreeSet<ValueId>,
    out: String,
}

/// The whole text.
pub(super) fn write(primal: &Primal, variant: &Variant, facts: &Facts) -> String {
    let overwriters = facts.overwriters.iter().flatten().copied().collect();
    let mut writer = Writer { primal, facts, overwriters, out: String::new() };
    writer.header(variant);
    writer.objects();
    writer.loops();
    for (b, block) in primal.blocks.iter().enumerate() {
        let _ = writeln!(writer.out, "b{b}:");
        for &v in &block.insts {
            let text = writer.instruction(v);
            let _ = writeln!(writer.out, "  {text}");
        }
        let end = match &block.term {
            Term::Goto(to) => format!("goto {to:?}"),
            Term::Branch(c, then, other) => format!("branch {}, {then:?}, {other:?}", writer.operand(*c)),
            Term::Return(None) => "return".to_string(),
            Term::Return(Some(v)) => format!("return {}", writer.operand(*v)),
            Term::Unreachable => "unreachable".to_string(),
        };
        let _ = writeln!(writer.out, "  {end}");
    }
    writer.out
}

fn name_in<'t, T: PartialEq>(table: &'t [(&'t str, T)], value: &T) -> &'t str {
    table.iter().find(|(_, t)| t == value).map_or("", |(name, _)| name)
}

fn type_name(ty: Ty) -> String {
    match ty {
        Ty::Void => "void".to_string(),
        Ty::Int(bits) => format!("i{bits}"),
        Ty::Float => "float".to_string(),
        Ty::Double => "double".to_string(),
        Ty::Extended => "extended".to_string(),
        Ty::Ptr => "ptr".to_string(),
        Ty::Other => "other".to_string(),
    }
}

impl Writer<'_> {
    fn header(&mut self, variant: &Variant) {
        let parameters: Vec<_> = self
            .primal
            .args
            .iter()
            .zip(&variant.arguments)
            .map(|(&v, a)| format!("{} {}", self.definition(v), name_in(&ACTIVITIES, a)))
            .collect();
        let returned = self.primal.blocks.iter().find_map(|b| match b.term {
            Term::Return(v) => v,
            _ => None,
        });
        let mut end = type_name(returned.map_or(Ty::Void, |v| self.primal.ty(v)));
        for (said, word) in [(variant.active_return, " active"), (variant.primal_return, " returned")] {
            end += if said { word } else { "" };
        }
        if variant.width != 1 {
            end += &format!(" width {}", variant.width);
        }
        let mode = name_in(&MODES, &variant.mode);
        let _ = writeln!(self.out, "{mode} {}({}) -> {end}", quote(&self.primal.name), parameters.join(", "));
    }

    /// As comments, since they follow from the rest.
    fn objects(&mut self) {
        for i in 0..self.facts.objects.all.len() {
            let id = ObjectId(i as u32);
            let active = match (self.facts.active.objects[i], self.facts.active.carriers[i]) {
                (true, true) => "active, with pointers to shadows",
                (true, false) => "active",
                (false, true) => "pointers to shadows",
                (false, false) => "inactive",
            };
            let shown = self.facts.objects.show(self.primal, id).replace('\n', " ");
            let _ = writeln!(self.out, "# {id:?}: {shown}, {active}");
        }
    }

    fn loops(&mut self) {
        for (i, (l, facts)) in self.primal.loops.iter().zip(&self.facts.loops).enumerate() {
            let mut text = format!("loop L{i} {:?}", l.header);
            for (word, e) in [("trip", &facts.trip), ("most", &facts.most)] {
                if let Some(e) = e {
                    text += &format!(" {word} {}", self.expr(e));
                }
            }
            if let Some(schedule) = facts.parallel {
                text += &format!(" parallel {}", schedule.name());
            }
            if l.line != 0 {
                text += &format!("  # line {}", l.line);
            }
            let _ = writeln!(self.out, "{text}");
        }
    }

    /// The name that a value is referred to by.
    fn label(&self, v: ValueId) -> String {
        let name = &self.primal.value(v).name;
        if name.is_empty() { v.0.to_string() } else { quote(name) }
    }

    fn definition(&self, v: ValueId) -> String {
        format!("{} %{}", type_name(self.primal.ty(v)), self.label(v))
    }

    /// A value as an operand.
    pub(super) fn operand(&self, v: ValueId) -> String {
        let value = self.primal.value(v);
        match &value.def {
            Def::Const => format!("{} {}", type_name(value.ty), quote(&value.name)),
            Def::Global(Holding::Constants) => format!("const @{}", self.label(v)),
            Def::Global(Holding::Variables) => format!("@{}", self.label(v)),
            Def::Global(Holding::Inactive) => format!("inactive @{}", self.label(v)),
            _ => format!("%{}", self.label(v)),
        }
    }

    fn instruction(&self, v: ValueId) -> String {
        let inst = self.primal.inst(v).expect("blocks hold instructions");
        let nameless = self.primal.value(v).name.is_empty() && self.primal.ty(v) == Ty::Void;
        let mut text = match nameless && !self.overwriters.contains(&v) {
            true => String::new(),
            false => format!("{} = ", self.definition(v)),
        };
        text += &op(&inst.op);
        let operands = self.operands(inst);
        if !operands.is_empty() {
            text += &format!(" {}", operands.join(", "));
        }
        match inst.loc {
            (0, 0) => {}
            (line, 0) => text += &format!(" at {line}"),
            (line, column) => text += &format!(" at {line}:{column}"),
        }
        if let Some(e) = self.facts.closed_form(v) {
            text += &format!(" ; closed {}", self.expr(e));
        }
        if let Some(e) = self.facts.sizes.get(&v) {
            text += &format!(" ; bytes {}", self.expr(e));
        }
        match self.facts.overwriters[v.index()] {
            Some(w) => text += &format!(" ; overwritten by %{}", self.label(w)),
            None if inst.op == Op::Load => text += " ; stable",
            None => {}
        }
        if self.primal.integers.contains(&v) {
            text += " ; integer";
        }
        if self.primal.pieces.contains(&v) {
            text += " ; piece";
        }
        if self.facts.is_active(v) {
            text += " ; active";
        }
        text
    }

    fn operands(&self, inst: &Inst) -> Vec<String> {
        match &inst.op {
            Op::Phi(blocks) => {
                inst.operands.iter().zip(blocks).map(|(&o, b)| format!("[{}, {b:?}]", self.operand(o))).collect()
            }
            _ => inst.operands.iter().map(|&o| self.operand(o)).collect(),
        }
    }
}

fn op(op: &Op) -> String {
    match op {
        Op::Phi(_) => "phi".to_string(),
        Op::Gep(Offset::ANY) => "gep".to_string(),
        Op::Gep(Offset { at, step: 0 }) => format!("gep {at}"),
        Op::Gep(Offset { at, step }) => format!("gep {at} step {step}"),
        Op::Rule(rule) => format!("rule {}", rules::row(*rule).name),
        Op::Inactive(effect) => format!("inactive {}", name_in(&EFFECTS, effect)),
        Op::Callee(callee) => format!("callee {}", quote(&callee.name)),
        Op::Call(name) => format!("call {}", quote(name)),
        Op::Unsupported(what) => format!("unsupported {}", quote(what)),
        _ => OPS.iter().find(|(_, o, _)| o == op).map_or("", |(name, ..)| name).to_string(),
    }
}

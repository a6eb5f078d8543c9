//! The text form of a reverse program, as `-pardiff-print` shows it.

use super::slots;
use super::{Act, Condition, Direction, Factor, Next, Node, NodeId, Place, RevProg, Source, Term, Trip};
use crate::primal::{Join, Primal, ValueId};
use crate::rules;
use std::fmt::Write;

/// Both sweeps as an indented tree.
pub fn program(prog: &RevProg, primal: &Primal) -> String {
    let mut printer = Printer { prog, primal, out: String::new() };
    printer.line(0, "forward");
    printer.node(prog.forward, 1);
    if let Some(reverse) = prog.reverse {
        printer.line(0, "reverse");
        printer.node(reverse, 1);
    }
    printer.out
}

/// The decisions of `store`: what the reverse sweep wants, where it comes from, and why.
pub fn plan(prog: &RevProg, primal: &Primal) -> String {
    let mut out = slots::show(prog, primal);
    for d in &prog.why {
        let line = primal.inst(d.of).map_or(0, |i| i.loc.0);
        let at = if line == 0 { String::new() } else { format!(" (line {line})") };
        let _ = writeln!(out, "{}{at}: {}: {}", primal.show(d.of), d.chose, d.because);
    }
    for (segment, v) in &prog.free {
        let at = segment.map_or("the forward sweep".to_string(), |l| format!("replays of {l:?}"));
        let _ = writeln!(out, "{}: computed in any order in {at}: its bits are not seen", primal.show(*v));
    }
    for (i, source) in prog.sources.iter().enumerate() {
        if let Some(Source::Closed(e)) = source {
            let _ = writeln!(out, "{} = {}", primal.show(ValueId(i as u32)), e.show(primal));
        }
    }
    out
}

struct Printer<'a> {
    prog: &'a RevProg,
    primal: &'a Primal,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn node(&mut self, n: NodeId, depth: usize) {
        match &self.prog.nodes[n.index()] {
            Node::Seq(parts) => parts.iter().for_each(|&p| self.node(p, depth)),
            Node::Stmt(act) => {
                let text = self.act(act);
                self.line(depth, &text);
            }
            Node::If(c, then, other) => {
                let text = format!("if {}", self.condition(c));
                self.line(depth, &text);
                self.node(*then, depth + 1);
                if self.prog.nodes[other.index()] != Node::Seq(vec![]) {
                    self.line(depth, "else");
                    self.node(*other, depth + 1);
                }
            }
            Node::Replay(l, body) => {
                self.line(depth, &format!("replay iteration of {l:?}"));
                self.node(*body, depth + 1);
            }
            Node::Loop(l) => {
                let trip = match &l.trip {
                    Trip::Closed(e) => e.show(self.primal),
                    Trip::Value(v) => self.primal.show(*v),
                    Trip::WhileGoingOn => "while going on".to_string(),
                    Trip::While(c) => format!("while {}", self.condition(c)),
                };
                let way = if l.direction == Direction::Up { "up" } else { "down" };
                self.line(depth, &format!("loop {:?} {way} {:?} trip {trip}", l.of, l.exec));
                self.node(l.body, depth + 1);
                if self.prog.nodes[l.between.index()] != Node::Seq(vec![]) {
                    self.line(depth, "between");
                    self.node(l.between, depth + 1);
                }
            }
            Node::Region(items) => {
                self.line(depth, "region");
                for (i, item) in items.iter().enumerate() {
                    self.line(depth, &format!("item {i}"));
                    self.node(item.body, depth + 1);
                    let next = match &item.next {
                        Next::Goto(to) => format!("goto {to}"),
                        Next::Branch(c, a, b) => format!("if {} goto {a} else {b}", self.condition(c)),
                        Next::Which(join, to) => format!("goto {} of {to:?}", self.join(*join)),
                        Next::End => "end".to_string(),
                    };
                    self.line(depth + 1, &next);
                }
            }
        }
    }

    fn join(&self, join: Join) -> String {
        match join {
            Join::Block(b) => format!("which({b:?})"),
            Join::End(l) => format!("which({l:?})"),
        }
    }

    fn condition(&self, c: &Condition) -> String {
        match c {
            Condition::Value(v, true) => self.primal.show(*v),
            Condition::Value(v, false) => format!("not {}", self.primal.show(*v)),
            Condition::PassesOn(values) => {
                let all: Vec<_> = values.iter().map(|v| format!("d({})", self.primal.show(*v))).collect();
                format!("{} is not zero", all.join(" or "))
            }
            Condition::EndsBy(l, edges) => format!("iteration of {l:?} ends by {edges:?}"),
        }
    }

    fn values(&self, values: &[ValueId]) -> String {
        values.iter().map(|&v| self.primal.show(v)).collect::<Vec<_>>().join(", ")
    }

    fn term(&self, t: &Term) -> String {
        let from = self.primal.show(t.from);
        match &t.factor {
            Factor::One => format!("d({from})"),
            Factor::Chosen(c, sense) => {
                format!("d({from}) if {}{}", if *sense { "" } else { "not " }, self.primal.show(*c))
            }
            Factor::Partial { rule, operand, of, strong } => {
                let row = rules::row(*rule);
                let names: Vec<_> = self.primal.inst(*of).map_or(vec![], |i| i.operands.clone());
                let names: Vec<_> = names.iter().map(|&v| self.primal.show(v)).collect();
                let refs: Vec<&str> = names.iter().map(String::as_str).collect();
                let formula = row.partials[*operand].formula(&refs);
                format!("d({from}) {} [{formula}]", if *strong { "*0" } else { "*" })
            }
        }
    }

    fn act(&self, act: &Act) -> String {
        let show = |v: &ValueId| self.primal.show(*v);
        let place = |p: &Place| match p {
            Place::Register(v) => format!("d({})", self.primal.show(*v)),
            Place::Shadow(p) => format!("shadow[{}]", self.primal.show(*p)),
        };
        match act {
            Act::Primal(v) => format!("do {}", show(v)),
            Act::LoadCopy(v, _) => format!("load {} from the copy", show(v)),
            Act::Move(moves) => {
                let parts: Vec<_> = moves.iter().map(|(p, v)| format!("{} := {}", show(p), show(v))).collect();
                parts.join(", ")
            }
            Act::MoveShadows(moves) => {
                let parts: Vec<_> =
                    moves.iter().map(|(p, v)| format!("shadow({}) := shadow({})", show(p), show(v))).collect();
                parts.join(", ")
            }
            Act::Note(join, edge) => format!("{} := {edge}", self.join(*join)),
            Act::Save(s) => format!("save what {} overwrites", self.store(*s)),
            Act::Undo(s) => format!("undo {}", self.store(*s)),
            Act::Redo(s) => format!("redo {}", self.store(*s)),
            Act::Unreachable => "unreachable".to_string(),
            Act::Return(v) => format!("return {}", show(v)),
            Act::Keep(s, v) => format!("keep {} in {s:?}", show(v)),
            Act::Snapshot(n) => format!("copy memory of {}", show(&self.prog.snapshots[*n as usize].base)),
            Act::Allocate(t) => format!("allocate t{t}"),
            Act::Start(t) => format!("start t{t}"),
            Act::Grow(t) => format!("grow t{t}"),
            Act::Find(t) => format!("find t{t}"),
            Act::Release(t) => format!("release t{t}"),
            Act::StoreShadow(s) => format!("store shadow of {}", self.store(*s)),
            Act::CopyShadows(s) => format!("copy shadows of pointers of {}", self.store(*s)),
            Act::ReleaseMemory => "release memory".to_string(),
            Act::OpenSnapshots(l) => format!("open snapshots of {l:?}"),
            Act::PassSnapshots(l) => format!("take a snapshot of {l:?} if planned"),
            Act::TurnSnapshots(l) => format!("remember the end of {l:?}"),
            Act::RunAgain(l) => format!("run {l:?} from the last snapshot to here"),
            Act::CloseSnapshots(l) => format!("put back the end of {l:?}, close its snapshots"),
            Act::CallForward(v) => format!("call {} {}", show(v), self.store(*v)),
            Act::CallBack(v, _) => format!("call back {} {}", show(v), self.store(*v)),
            Act::CallTangent(v) => format!("call {} {} with tangents", show(v), self.store(*v)),
            Act::Seed(v) => format!("d({}) += seed", show(v)),
            Act::Take(v) => format!("take d({})", show(v)),
            Act::TakeAll(vs) => format!("take d({})", self.values(vs)),
            Act::TakeShadow(s) => format!("take shadow of {}", self.store(*s)),
            Act::ReadShadow(s) => format!("read shadow of {}", self.store(*s)),
            Act::Add(p, t) => format!("{} += {}", place(p), self.term(t)),
            Act::Clear(s) => format!("clear shadow of {}", self.store(*s)),
            Act::AddBlock(s) => format!("pass shadow block of {}", self.store(*s)),
            Act::Tangent(v, terms) => {
                let parts: Vec<_> = terms.iter().map(|t| self.term(t)).collect();
                format!("t({}) = {}", show(v), parts.join(" + "))
            }
            Act::LoadTangent(v) => format!("t({}) = shadow", show(v)),
            Act::StoreTangent(s, true) => format!("shadow of {} = tangent", self.store(*s)),
            Act::StoreTangent(s, false) => format!("shadow of {} = 0", self.store(*s)),
            Act::ShadowBlock(s) => format!("repeat {} on the shadow", self.store(*s)),
            Act::MoveTangents(moves) => {
                let show = |v: &Option<ValueId>| v.map_or("0".to_string(), |v| format!("t({})", self.primal.show(v)));
                let parts: Vec<_> =
                    moves.iter().map(|(p, v)| format!("t({}) := {}", self.primal.show(*p), show(v))).collect();
                parts.join(", ")
            }
        }
    }

    /// A store, fill or copy, by its operands, since it has no result to name.
    fn store(&self, s: ValueId) -> String {
        self.primal.inst(s).map_or(self.primal.show(s), |i| format!("({})", self.values(&i.operands)))
    }
}

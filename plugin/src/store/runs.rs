//! What is run forward of a segment: some of its statements, with all that these need and nothing else.
//!
//! A set of values is closed over their operands and over the conditions, trip counts and edge numbers of the control flow around
//! them; what else a value needs, and where values come from that the segment does not compute, its kind says (`Within`). Control flow is walked
//! from the end, so that a chain of conditions takes one walk, and again for each level of loops through which values are carried.
//! Cost: the segment times these walks.

use crate::primal::{Def, Join, LoopId, Primal, ValueId};
use crate::revprog::{Act, Condition, Item, LoopNode, Next, Node, NodeId, RevProg, Segment, Source, Trip};
use indexmap::IndexSet;
use std::collections::BTreeMap;

/// What is run of a segment.
pub struct Runs {
    /// The segment.
    pub of: Segment,
    /// Instructions, and values added by `build`.
    pub values: IndexSet<ValueId>,
    /// What of a replay reads memory that something else wrote.
    pub readers: IndexSet<ValueId>,
    /// Loads of a replay that read a copy of their memory; which one.
    pub copied: BTreeMap<ValueId, u32>,
    /// Pointers whose shadows are chosen by the path.
    pub chosen: IndexSet<ValueId>,
    notes: IndexSet<Join>,
    loops: IndexSet<LoopId>,
    /// Whether the function's result is given.
    returns: bool,
}

/// What a value needs to be run, beside its operands.
#[derive(Default)]
pub struct Needs {
    /// Values that are run.
    pub run: Vec<ValueId>,
    /// Values that are wanted.
    pub want: Vec<ValueId>,
    /// Loops whose last iteration number is wanted.
    pub loops: Vec<LoopId>,
}

/// A kind of segment.
pub trait Within {
    /// Whether the segment computes a value that is wanted in it. If not it is had otherwise.
    fn computes(&mut self, v: ValueId) -> bool;
    /// What a value needs.
    fn needs(&mut self, v: ValueId, runs: &mut Runs) -> Needs;
    /// How many wants of what is outside were met.
    fn met(&self) -> usize;
}

/// Closes what is run.
pub struct Closure<'r, W> {
    prog: &'r RevProg,
    primal: &'r Primal,
    /// The segment.
    pub within: W,
    /// What is run so far.
    pub runs: Runs,
    work: Vec<ValueId>,
}

impl<'r, W: Within> Closure<'r, W> {
    /// Nothing is run; the function's result is given or not.
    pub fn new(prog: &'r RevProg, primal: &'r Primal, of: Segment, within: W, returns: bool) -> Self {
        let (values, readers, copied, chosen, notes, loops) = Default::default();
        let runs = Runs { of, values, readers, copied, chosen, notes, loops, returns };
        Closure { prog, primal, within, runs, work: vec![] }
    }

    /// A measure that grows as long as there is more to run.
    pub fn size(&self) -> usize {
        self.runs.values.len() + self.runs.notes.len() + self.runs.loops.len() + self.within.met()
    }

    /// A value is wanted.
    pub fn want(&mut self, v: ValueId) {
        if self.within.computes(v) {
            self.run(v);
        }
    }

    /// A value is computed, or an instruction executed.
    pub fn run(&mut self, v: ValueId) {
        if self.runs.values.insert(v) {
            self.work.push(v);
        }
    }

    /// What something needs is run.
    pub fn meet(&mut self, needs: Needs) {
        needs.run.into_iter().for_each(|v| self.run(v));
        needs.want.into_iter().for_each(|v| self.want(v));
        self.runs.loops.extend(needs.loops);
    }

    /// One round over what is run and the control flow under a node.
    pub fn round(&mut self, body: NodeId) {
        self.operands();
        self.control(body);
    }

    fn operands(&mut self) {
        while let Some(v) = self.work.pop() {
            match &self.primal.value(v).def {
                Def::Inst(inst) => {
                    for &o in &inst.operands {
                        self.want(o);
                        // What is taken from the last iteration of a loop is found by the number of that iteration.
                        let around = self.primal.nest(self.primal.loop_of[inst.block.index()]);
                        let ended = self.primal.nest(self.primal.loop_of_value(o));
                        self.runs.loops.extend(ended.into_iter().filter(|l| !around.contains(l)));
                    }
                }
                Def::Which(join) => drop(self.runs.notes.insert(*join)),
                Def::Trip(l) => drop(self.runs.loops.insert(*l)),
                _ => {}
            }
            let needs = self.within.needs(v, &mut self.runs);
            self.meet(needs);
        }
    }

    /// Wants what decides whether and how often what is run under a node is reached; true if anything is.
    fn control(&mut self, n: NodeId) -> bool {
        let prog = self.prog;
        match &prog.nodes[n.index()] {
            Node::Seq(parts) => parts.iter().rev().filter(|p| self.control(**p)).count() > 0,
            Node::Stmt(act) => self.runs.has(act),
            Node::If(c, then, other) => {
                let any = self.control(*then) | self.control(*other);
                if any {
                    self.condition(c);
                }
                any
            }
            Node::Loop(l) => {
                let any = self.control(l.between) | self.control(l.body) | self.runs.has_loop(l);
                if any {
                    match &l.trip {
                        Trip::Closed(e) => e.values().into_iter().for_each(|v| self.want(v)),
                        Trip::Value(v) => self.want(*v),
                        Trip::While(c) => self.condition(c),
                        Trip::WhileGoingOn => drop(self.runs.notes.insert(Join::End(l.of))),
                    }
                    self.operands();
                }
                any
            }
            Node::Region(items) => {
                let any = items.iter().rev().filter(|item| self.control(item.body)).count() > 0;
                for item in items.iter().filter(|_| any) {
                    if let Next::Branch(c, _, _) = &item.next {
                        self.condition(c);
                    }
                }
                any
            }
            Node::Replay(..) => false,
        }
    }

    fn condition(&mut self, c: &Condition) {
        match c {
            Condition::Value(v, _) => self.want(*v),
            Condition::EndsBy(..) | Condition::PassesOn(_) => unreachable!("the forward sweep decides by values"),
        }
        self.operands();
    }
}

impl Runs {
    /// Whether a statement of the forward sweep is run. Of those about shadows, calls and ends of the program a replay has none.
    fn has(&self, act: &Act) -> bool {
        let whole = self.of.is_none();
        match act {
            Act::Primal(v) => self.values.contains(v),
            Act::Move(moves) => moves.iter().any(|(phi, _)| self.values.contains(phi)),
            Act::Note(join, _) => self.notes.contains(join),
            Act::CallForward(v) | Act::Save(v) => whole && self.values.contains(v),
            Act::MoveShadows(moves) => moves.iter().any(|(phi, _)| self.chosen.contains(phi)),
            Act::StoreShadow(_) | Act::CopyShadows(_) | Act::Unreachable | Act::Snapshot(_) => whole,
            Act::OpenSnapshots(_) | Act::PassSnapshots(_) => whole,
            Act::Return(_) => whole && self.returns,
            _ => false,
        }
    }

    /// Whether a loop is run for itself: for its number of iterations, or since it may have no end.
    fn has_loop(&self, l: &LoopNode) -> bool {
        self.loops.contains(&l.of) || self.of.is_none() && !matches!(l.trip, Trip::Closed(_))
    }

    /// A copy of what is run under a node; none if nothing is.
    pub fn copy(&self, prog: &mut RevProg, n: NodeId) -> Option<NodeId> {
        match prog.nodes[n.index()].clone() {
            Node::Seq(parts) => {
                let parts: Vec<NodeId> = parts.into_iter().filter_map(|p| self.copy(prog, p)).collect();
                (!parts.is_empty()).then(|| prog.seq(parts))
            }
            Node::Stmt(act) => self.statement(prog, &act),
            Node::If(c, then, other) => {
                let (then, other) = (self.copy(prog, then), self.copy(prog, other));
                if then.is_none() && other.is_none() {
                    return None;
                }
                let [then, other] = [then, other].map(|n| n.unwrap_or_else(|| prog.seq(vec![])));
                Some(prog.node(Node::If(c, then, other)))
            }
            Node::Loop(l) => {
                let (body, between) = (self.copy(prog, l.body), self.copy(prog, l.between));
                if body.is_none() && between.is_none() && !self.has_loop(&l) {
                    return None;
                }
                let [body, between] = [body, between].map(|n| n.unwrap_or_else(|| prog.seq(vec![])));
                Some(prog.node(Node::Loop(LoopNode { body, between, ..l })))
            }
            Node::Region(items) => {
                let bodies: Vec<Option<NodeId>> = items.iter().map(|i| self.copy(prog, i.body)).collect();
                if bodies.iter().all(Option::is_none) {
                    return None;
                }
                let item = |(body, item): (Option<NodeId>, Item)| Item {
                    body: body.unwrap_or_else(|| prog.seq(vec![])),
                    next: item.next,
                };
                let items = bodies.into_iter().zip(items).map(item).collect();
                Some(prog.node(Node::Region(items)))
            }
            Node::Replay(..) => None,
        }
    }

    /// A copy of a statement. A replay keeps what it computes where that is wanted; for the forward sweep `tape` does so.
    fn statement(&self, prog: &mut RevProg, act: &Act) -> Option<NodeId> {
        if !self.has(act) {
            return None;
        }
        let of = |moves: &[(ValueId, ValueId)], phis: &IndexSet<ValueId>| {
            moves.iter().copied().filter(|(phi, _)| phis.contains(phi)).collect()
        };
        let act = match act {
            Act::Move(moves) => Act::Move(of(moves, &self.values)),
            Act::MoveShadows(moves) => Act::MoveShadows(of(moves, &self.chosen)),
            Act::Primal(v) if self.copied.contains_key(v) => Act::LoadCopy(*v, self.copied[v]),
            other => other.clone(),
        };
        let kept = match &act {
            Act::Primal(v) | Act::LoadCopy(v, _) if self.of.is_some() => match prog.source(*v) {
                Some(Source::Kept(s)) if prog.slots[s.index()].segment == self.of => Some((*s, *v)),
                _ => None,
            },
            _ => None,
        };
        let run = prog.stmt(act);
        Some(match kept {
            Some((s, v)) => {
                let keep = prog.stmt(Act::Keep(s, v));
                prog.seq(vec![run, keep])
            }
            None => run,
        })
    }
}

//! What is run forward of a segment: the statements that compute what is wanted, and nothing else.
//!
//! Wanted are the values that the segment keeps; with them their operands, the stores that private loads read, and the
//! conditions, trip counts and edge numbers of the control flow around all of these. Cost: the segment times the depth of its control
//! flow, for each round in which new slots turn up.

use super::segments::Segments;
use super::sources::Sources;
use crate::facts::Facts;
use crate::primal::{BlockId, Def, Join, LoopId, Op, Primal, ValueId, cfg};
use crate::revprog::{Act, Condition, Item, LoopNode, Next, Node, NodeId, RevProg, Source, Trip};
use indexmap::IndexSet;

/// What is run of an iteration of a replayed loop.
pub struct Runs {
    /// The loop.
    pub of: LoopId,
    /// Instructions, and values added by `build`.
    pub values: IndexSet<ValueId>,
    notes: IndexSet<Join>,
    loops: IndexSet<LoopId>,
}

/// Finds what has to be run of an iteration of `l`. New wants of what is outside go to `sources`.
pub fn close(
    prog: &RevProg,
    primal: &Primal,
    facts: &Facts,
    segments: &Segments,
    sources: &mut Sources,
    l: LoopId,
) -> Runs {
    let Some(body) = loop_body(prog, prog.forward, l) else { unreachable!("the forward sweep has every loop") };
    let runs = Runs { of: l, values: IndexSet::new(), notes: IndexSet::new(), loops: IndexSet::new() };
    let live = cfg::live_blocks(primal);
    let mut search = Search { prog, primal, facts, segments, sources, live, runs, work: vec![] };
    loop {
        let before = search.size();
        for v in search.sources.kept_in(Some(l)) {
            search.run(v);
        }
        for v in search.sources.early_in(Some(l)) {
            search.want(v);
        }
        search.operands();
        search.control(body);
        search.operands();
        if search.size() == before {
            return search.runs;
        }
    }
}

/// The body of a loop in a sweep.
fn loop_body(prog: &RevProg, sweep: NodeId, l: LoopId) -> Option<NodeId> {
    let mut body = None;
    prog.walk(sweep, &mut |_, node| {
        if let Node::Loop(node) = node
            && node.of == l
        {
            body = Some(node.body);
        }
    });
    body
}

struct Search<'r, 's, 'a> {
    prog: &'r RevProg,
    primal: &'r Primal,
    facts: &'r Facts,
    segments: &'r Segments<'r>,
    sources: &'r mut Sources<'a, 's>,
    live: Vec<bool>,
    runs: Runs,
    work: Vec<ValueId>,
}

impl Search<'_, '_, '_> {
    fn size(&self) -> usize {
        self.runs.values.len() + self.runs.notes.len() + self.runs.loops.len() + self.sources.decided()
    }

    fn want(&mut self, v: ValueId) {
        if self.segments.can_run(v, self.runs.of) { self.run(v) } else { self.sources.value(v) }
    }

    fn run(&mut self, v: ValueId) {
        if self.runs.values.insert(v) {
            self.work.push(v);
        }
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
                    if self.segments.is_private(v, self.runs.of) {
                        self.stores(v);
                    }
                }
                Def::Which(join) => drop(self.runs.notes.insert(*join)),
                Def::Trip(l) => drop(self.runs.loops.insert(*l)),
                _ => {}
            }
        }
    }

    /// Runs everything in the iteration that writes the memory that a private load reads.
    fn stores(&mut self, load: ValueId) {
        let address = self.primal.inst(load).expect("a load").operands[0];
        let read: Vec<_> = self.facts.objects.of(address).collect();
        let in_loop = |b: BlockId| self.primal.nest(self.primal.loop_of[b.index()]).contains(&self.runs.of);
        let writers = self.primal.insts().filter(|(_, i)| in_loop(i.block) && self.live[i.block.index()]);
        let writers = writers.filter(|(_, i)| {
            let written = match i.op {
                Op::Store => i.operands[1],
                Op::Fill | Op::Copy => i.operands[0],
                _ => return false,
            };
            self.facts.objects.of(written).any(|o| read.contains(&o))
        });
        let writers: Vec<ValueId> = writers.map(|(v, _)| v).collect();
        writers.into_iter().for_each(|v| self.run(v));
    }

    /// Wants what decides whether and how often what is run under a node is reached; true if anything is.
    fn control(&mut self, n: NodeId) -> bool {
        let prog = self.prog;
        match &prog.nodes[n.index()] {
            Node::Seq(parts) => parts.iter().filter(|p| self.control(**p)).count() > 0,
            Node::Stmt(act) => is_run(&self.runs, act),
            Node::If(c, then, other) => {
                let any = self.control(*then) | self.control(*other);
                if any {
                    self.condition(c);
                }
                any
            }
            Node::Loop(l) => {
                let any = self.control(l.body) | self.control(l.between) | self.runs.loops.contains(&l.of);
                if any {
                    match &l.trip {
                        Trip::Closed(e) => e.values().into_iter().for_each(|v| self.want(v)),
                        Trip::Value(v) => self.want(*v),
                        Trip::While(c) => self.condition(c),
                        Trip::WhileGoingOn => drop(self.runs.notes.insert(Join::End(l.of))),
                    }
                }
                any
            }
            Node::Region(items) => {
                let any = items.iter().filter(|item| self.control(item.body)).count() > 0;
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
            Condition::EndsBy(..) => unreachable!("the forward sweep decides by values"),
        }
    }
}

fn is_run(runs: &Runs, act: &Act) -> bool {
    match act {
        Act::Primal(v) => runs.values.contains(v),
        Act::Move(moves) => moves.iter().any(|(phi, _)| runs.values.contains(phi)),
        Act::Note(join, _) => runs.notes.contains(join),
        _ => false,
    }
}

/// Puts the replay of an iteration before each reverse iteration.
pub fn insert(prog: &mut RevProg, runs: &Runs) {
    let (Some(reverse), Some(body)) = (prog.reverse, loop_body(prog, prog.forward, runs.of)) else { return };
    let mut found = vec![];
    prog.walk(reverse, &mut |n, node| {
        if let Node::Loop(l) = node
            && l.of == runs.of
        {
            found.push((n, l.clone()));
        }
    });
    for (n, mut l) in found {
        let Some(copy) = copy(prog, body, runs) else { continue };
        let replay = prog.node(Node::Replay(runs.of, copy));
        l.body = prog.node(Node::Seq(vec![replay, l.body]));
        prog.nodes[n.index()] = Node::Loop(l);
    }
}

/// A copy of what is run under a node; none if nothing is.
fn copy(prog: &mut RevProg, n: NodeId, runs: &Runs) -> Option<NodeId> {
    match prog.nodes[n.index()].clone() {
        Node::Seq(parts) => {
            let parts: Vec<NodeId> = parts.into_iter().filter_map(|p| copy(prog, p, runs)).collect();
            (!parts.is_empty()).then(|| prog.seq(parts))
        }
        Node::Stmt(act) => statement(prog, &act, runs),
        Node::If(c, then, other) => {
            let (then, other) = (copy(prog, then, runs), copy(prog, other, runs));
            if then.is_none() && other.is_none() {
                return None;
            }
            let [then, other] = [then, other].map(|n| n.unwrap_or_else(|| prog.seq(vec![])));
            Some(prog.node(Node::If(c, then, other)))
        }
        Node::Loop(l) => {
            let (body, between) = (copy(prog, l.body, runs), copy(prog, l.between, runs));
            if body.is_none() && between.is_none() && !runs.loops.contains(&l.of) {
                return None;
            }
            let [body, between] = [body, between].map(|n| n.unwrap_or_else(|| prog.seq(vec![])));
            Some(prog.node(Node::Loop(LoopNode { body, between, ..l })))
        }
        Node::Region(items) => {
            let bodies: Vec<Option<NodeId>> = items.iter().map(|i| copy(prog, i.body, runs)).collect();
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

/// A copy of a statement, which keeps what it computes if that is wanted.
fn statement(prog: &mut RevProg, act: &Act, runs: &Runs) -> Option<NodeId> {
    if !is_run(runs, act) {
        return None;
    }
    let act = match act {
        Act::Move(moves) => Act::Move(moves.iter().copied().filter(|(phi, _)| runs.values.contains(phi)).collect()),
        other => other.clone(),
    };
    let kept = match &act {
        Act::Primal(v) => match prog.source(*v) {
            Some(Source::Kept(s)) if prog.slots[s.index()].segment == Some(runs.of) => Some((*s, *v)),
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

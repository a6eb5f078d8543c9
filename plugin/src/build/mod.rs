//! Mirrors the primal: from control flow and facts to a reverse program.
//!
//! Each level of the loop nest is walked once. Branches that nest become `If`, inner loops `Loop`, the rest
//! `Region`; both sweeps grow together, the reverse sweep in opposite order. Every adjoint update is one statement.
//! Cost: linear in the primal, times the depth of nested branches.

mod adjoint;
mod level;
mod masked;
mod region;
mod tangent;

use crate::facts::Facts;
use crate::primal::{Allocation, BlockId, Def, Inst, Join, LoopId, Op, Primal, Term, Ty, ValueId, cfg};
use crate::request::{Mode, Variant};
use crate::revprog::{Act, Condition, Direction, Exec, LoopNode, Node, NodeId, RevProg, Trip};
use indexmap::{IndexMap, IndexSet};
use level::{Edge, Level, Spot};
use std::collections::BTreeSet;

/// Builds the reverse program of one variant. Adds edge numbers and trip counts to the primal.
pub fn build(primal: &mut Primal, facts: &Facts, variant: &Variant) -> RevProg {
    let live = cfg::live_blocks(primal);
    let masked = masked::analyse(primal, facts);
    let reverse = variant.mode != Mode::Forward;
    let shadows = shadow_roots(primal, facts);
    let keeps = keeps_memory(primal) && !(variant.mode == Mode::AugmentedForward && variant.inner);
    let records = if reverse { records(primal, facts) } else { IndexMap::new() };
    let undone = undone(primal, facts);
    let mut b = Build {
        primal,
        facts,
        live,
        masked,
        reverse,
        seeded: reverse && variant.active_return,
        shadows,
        records,
        undone,
        prog: RevProg::default(),
        which: IndexMap::new(),
    };
    let function = Level::new(b.primal, &b.live, None);
    let parts = b.sequence(&function, Spot::Block(BlockId(0)), Spot::End);
    let (forward, backward) = b.sweeps(parts);
    let (mut forward, mut backward) = (forward, backward);
    if reverse {
        let undone: Vec<NodeId> = b.undone.iter().map(|&s| b.prog.stmt(Act::Redo(s))).collect();
        backward = b.prog.seq([vec![backward], undone].concat());
    }
    if keeps {
        let release = b.prog.stmt(Act::ReleaseMemory);
        let last = if reverse { &mut backward } else { &mut forward };
        *last = b.prog.seq(vec![*last, release]);
    }
    b.prog.forward = forward;
    b.prog.reverse = reverse.then_some(backward);
    b.prog
}

/// Pointers whose shadows are not formed from other shadows: chosen by the path taken, loaded, or allocated.
fn shadow_roots(primal: &mut Primal, facts: &Facts) -> IndexMap<ValueId, ValueId> {
    let is_root = |v: ValueId, inst: &Inst| match inst.op {
        Op::Phi(_) => facts.closed_form(v).is_none(),
        Op::Load | Op::Allocate(_) => true,
        Op::Callee(_) => facts.calls.contains_key(&v),
        _ => false,
    };
    let roots: Vec<ValueId> =
        primal.insts().filter(|(v, i)| facts.has_shadow(*v) && is_root(*v, i)).map(|(v, _)| v).collect();
    roots.into_iter().map(|v| (v, primal.add(Ty::Ptr, Def::Shadow(v), String::new()))).collect()
}

/// The stores that may be undone while the reverse sweep goes through what comes before them, in their order.
fn undone(primal: &Primal, facts: &Facts) -> IndexSet<ValueId> {
    let stores: BTreeSet<ValueId> = facts.undone.values().flatten().copied().collect();
    primal.insts().map(|(v, _)| v).filter(|v| stores.contains(v)).collect()
}

/// What calls that stay calls leave for the reverse sweep.
fn records(primal: &mut Primal, facts: &Facts) -> IndexMap<ValueId, ValueId> {
    let split = facts.calls.iter().filter(|(_, variant)| variant.mode != Mode::Reverse);
    split.map(|(&v, _)| (v, primal.add(Ty::Ptr, Def::Record(v), String::new()))).collect()
}

/// Whether memory is to be given back when everything else is done.
fn keeps_memory(primal: &Primal) -> bool {
    primal.insts().any(|(_, i)| match &i.op {
        Op::Free | Op::Allocate(Allocation { local: true, .. }) => true,
        Op::Callee(callee) => callee.frees,
        _ => false,
    })
}

struct Build<'a> {
    primal: &'a mut Primal,
    facts: &'a Facts,
    live: Vec<bool>,
    masked: Vec<bool>,
    reverse: bool,
    /// Whether the result has a seed.
    seeded: bool,
    shadows: IndexMap<ValueId, ValueId>,
    records: IndexMap<ValueId, ValueId>,
    undone: IndexSet<ValueId>,
    prog: RevProg,
    which: IndexMap<Join, ValueId>,
}

/// Pieces of both sweeps, in the order of the forward sweep.
#[derive(Default)]
struct Parts {
    forward: Vec<NodeId>,
    reverse: Vec<NodeId>,
}

impl Parts {
    fn append(&mut self, mut other: Parts) {
        self.forward.append(&mut other.forward);
        self.reverse.append(&mut other.reverse);
    }
}

impl Build<'_> {
    /// Closes pieces to one node for each sweep.
    fn sweeps(&mut self, parts: Parts) -> (NodeId, NodeId) {
        let reversed = parts.reverse.into_iter().rev().collect();
        (self.prog.seq(parts.forward), self.prog.seq(reversed))
    }

    fn sequence(&mut self, level: &Level, from: Spot, to: Spot) -> Parts {
        let mut parts = Parts::default();
        let mut at = from;
        while at != to {
            let content = self.content(level, at);
            parts.append(content);
            let edges = &level.out[&at];
            at = match edges.as_slice() {
                [] => break,
                [edge] => {
                    let guard = self.never_returning(at);
                    parts.forward.extend(guard);
                    let crossing = self.ending(level, edge);
                    parts.append(crossing);
                    edge.to
                }
                _ => {
                    let join = level.join(at);
                    let branch = self.branch(level, edges, join);
                    parts.append(branch);
                    join
                }
            };
        }
        parts
    }

    /// What happens in a node, without its way out.
    fn content(&mut self, level: &Level, spot: Spot) -> Parts {
        match spot {
            Spot::Block(b) => self.block(level, b),
            Spot::Loop(l) => self.loop_(l),
            Spot::End => Parts::default(),
        }
    }

    fn block(&mut self, level: &Level, b: BlockId) -> Parts {
        let mut parts = Parts::default();
        if let Some(&which) = self.which.get(&Join::Block(b)) {
            parts.forward.push(self.prog.stmt(Act::Primal(which)));
        }
        let block = self.primal.blocks[b.index()].clone();
        for v in block.insts {
            if self.undone.contains(&v) {
                parts.forward.push(self.prog.stmt(Act::Save(v)));
                parts.reverse.push(self.prog.stmt(Act::Undo(v)));
            }
            let act = match self.facts.calls.get(&v).map(|variant| variant.mode) {
                None | Some(Mode::Reverse) => Act::Primal(v),
                Some(Mode::Forward) => Act::CallTangent(v),
                Some(_) => Act::CallForward(v),
            };
            parts.forward.push(self.prog.stmt(act));
            if let Some(&record) = self.records.get(&v) {
                parts.forward.push(self.prog.stmt(Act::Primal(record)));
            }
            if let Some(&shadow) = self.shadows.get(&v) {
                parts.forward.push(self.prog.stmt(Act::Primal(shadow)));
            }
            let acts = self.pointers(v);
            parts.forward.extend(self.statements(acts));
            if self.reverse {
                let acts = self.adjoint(v);
                parts.reverse.extend(self.statements(acts));
            } else {
                let acts = self.tangent(v);
                parts.forward.extend(self.statements(acts));
            }
        }
        if level.of.is_none()
            && let Term::Return(Some(v)) = block.term
        {
            parts.forward.push(self.prog.stmt(Act::Return(v)));
            if self.seeded && self.facts.is_active(v) {
                parts.reverse.push(self.prog.stmt(Act::Seed(v)));
            }
        }
        parts
    }

    /// What keeps pointers in shadow memory in step with those in memory.
    fn pointers(&self, v: ValueId) -> Vec<Act> {
        let Some(inst) = self.primal.inst(v) else { return vec![] };
        let carries = |p: ValueId| self.facts.has_shadow(p) && self.facts.points_to_carrier(p);
        match inst.op {
            Op::Store if self.primal.ty(inst.operands[0]) == Ty::Ptr && carries(inst.operands[1]) => {
                vec![Act::StoreShadow(v)]
            }
            // Forward mode repeats the whole copy on the shadow.
            Op::Copy if self.reverse && carries(inst.operands[0]) => vec![Act::CopyShadows(v)],
            _ => vec![],
        }
    }

    fn statements(&mut self, acts: Vec<Act>) -> Option<NodeId> {
        if acts.is_empty() {
            return None;
        }
        let nodes = acts.into_iter().map(|a| self.prog.stmt(a)).collect();
        Some(self.prog.seq(nodes))
    }

    /// A branch to paths that never return, taken on the way.
    fn never_returning(&mut self, at: Spot) -> Option<NodeId> {
        let Spot::Block(b) = at else { return None };
        let Term::Branch(c, then, other) = self.primal.blocks[b.index()].term else { return None };
        let (dead, sense) = match (self.live[then.index()], self.live[other.index()]) {
            (false, true) => (then, true),
            (true, false) => (other, false),
            _ => return None,
        };
        let path = self.dead_path(b, dead);
        let nothing = self.prog.seq(vec![]);
        Some(self.prog.node(Node::If(Condition::Value(c, sense), path, nothing)))
    }

    fn dead_path(&mut self, from: BlockId, b: BlockId) -> NodeId {
        let mut parts = Vec::new();
        let moves = self.moves(from, b);
        if !moves.is_empty() {
            parts.push(self.prog.stmt(Act::Move(moves)));
        }
        let block = self.primal.blocks[b.index()].clone();
        parts.extend(block.insts.into_iter().map(|v| self.prog.stmt(Act::Primal(v))));
        match block.term {
            Term::Goto(to) => parts.push(self.dead_path(b, to)),
            Term::Branch(c, then, other) => {
                let (then, other) = (self.dead_path(b, then), self.dead_path(b, other));
                parts.push(self.prog.node(Node::If(Condition::Value(c, true), then, other)));
            }
            Term::Return(_) | Term::Unreachable => parts.push(self.prog.stmt(Act::Unreachable)),
        }
        self.prog.seq(parts)
    }

    /// The phis of `to` with their values on the edge from `from`.
    fn moves(&self, from: BlockId, to: BlockId) -> Vec<(ValueId, ValueId)> {
        let mut moves = Vec::new();
        for &v in &self.primal.blocks[to.index()].insts {
            let Some(inst) = self.primal.inst(v) else { continue };
            let Op::Phi(blocks) = &inst.op else { break };
            if let Some(n) = blocks.iter().position(|b| *b == from) {
                moves.push((v, inst.operands[n]));
            }
        }
        moves
    }

    /// What happens on an edge.
    fn crossing(&mut self, edge: &Edge) -> Parts {
        let moves = edge.moves.map_or(vec![], |(from, to)| self.moves(from, to));
        self.move_parts(moves)
    }

    fn move_parts(&mut self, moves: Vec<(ValueId, ValueId)>) -> Parts {
        let mut parts = Parts::default();
        if moves.is_empty() {
            return parts;
        }
        if self.reverse {
            let acts = self.adjoint_of_moves(&moves);
            parts.reverse.extend(self.statements(acts));
        } else {
            let acts = self.tangent_of_moves(&moves);
            parts.forward.extend(self.statements(acts));
        }
        let pointers: Vec<_> = moves.iter().copied().filter(|(p, _)| self.shadows.contains_key(p)).collect();
        if !pointers.is_empty() {
            parts.forward.push(self.prog.stmt(Act::MoveShadows(pointers)));
        }
        parts.forward.push(self.prog.stmt(Act::Move(moves)));
        parts
    }

    fn branch(&mut self, level: &Level, edges: &[Edge], join: Spot) -> Parts {
        let &[then, other] = edges else { unreachable!("blocks have at most two successors") };
        let (a, b) = (level.between(then.to, join), level.between(other.to, join));
        if !a.is_disjoint(&b) {
            return self.region(level, then.from, join);
        }
        let Spot::Block(at) = then.from else { unreachable!("only blocks branch") };
        let Term::Branch(c, _, _) = self.primal.blocks[at.index()].term else { unreachable!("two successors") };
        let mut endings = vec![];
        let mut sides = vec![];
        for edge in [then, other] {
            let mut parts = self.ending(level, &edge);
            parts.append(self.sequence(level, edge.to, join));
            sides.push(self.sweeps(parts));
            let inner = level.between(edge.to, join);
            let out = inner.iter().flat_map(|s| &level.out[s]).chain([&edge]);
            endings.push(out.filter_map(|e| e.ending).collect::<Vec<u32>>());
        }
        let forward = self.prog.node(Node::If(Condition::Value(c, true), sides[0].0, sides[1].0));
        // Which way an iteration ends is known in the reverse sweep without keeping its conditions.
        let condition = match level.of {
            Some(l) if join == Spot::End && !level.whole => Condition::EndsBy(l, endings.swap_remove(0)),
            _ => Condition::Value(c, true),
        };
        let reverse = self.prog.node(Node::If(condition, sides[0].1, sides[1].1));
        Parts { forward: vec![forward], reverse: vec![reverse] }
    }

    /// An edge, with a note if it ends an iteration.
    fn ending(&mut self, level: &Level, edge: &Edge) -> Parts {
        let mut parts = self.crossing(edge);
        if let (Some(l), Some(0)) = (level.of, edge.ending) {
            // Forward, the values that the next iteration starts from are known on this edge only.
            let moves = self.next_moves(l);
            parts.forward.extend(self.move_parts(moves).forward);
        }
        if let (Some(l), Some(k)) = (level.of, edge.ending) {
            parts.forward.push(self.prog.stmt(Act::Note(Join::End(l), k)));
        }
        parts
    }

    fn loop_(&mut self, l: LoopId) -> Parts {
        let level = Level::new(self.primal, &self.live, Some(l));
        let header = Spot::Block(self.primal.loops[l.index()].header);
        let trip = self.facts.loops[l.index()].trip.clone();
        let mut after = vec![];
        if self.reverse && (trip.is_none() || !level.whole) {
            let count = self.primal.add(Ty::Int(64), Def::Trip(l), String::new());
            after.push(count);
        }
        if self.reverse && level.leaving() > 1 {
            let which = self.primal.add(Ty::Int(8), Def::Which(Join::End(l)), String::new());
            self.which.insert(Join::End(l), which);
            after.push(which);
        }
        let parts = self.sequence(&level, header, Spot::End);
        let (body, back) = self.sweeps(parts);
        let moves = self.next_moves(l);
        let mut moves = self.move_parts(moves);
        if !level.whole {
            moves.forward.clear();
        }
        let (between, between_back) = self.sweeps(moves);
        let kept = self.reverse && self.facts.checkpoints.contains_key(&l);
        let [body, back] = if kept { self.checkpointed(l, body, back) } else { [body, back] };
        let (latch, head) = (self.primal.loops[l.index()].latch, self.primal.loops[l.index()].header);
        let forward_trip = match (&trip, level.whole) {
            (Some(e), true) => Trip::Closed(e.clone()),
            (None, true) => Trip::While(self.going_on(latch, head)),
            _ => Trip::WhileGoingOn,
        };
        let node = |trip, direction, body, between| {
            Node::Loop(LoopNode { of: l, trip, direction, exec: Exec::Serial, body, between })
        };
        let mut parts = Parts::default();
        if kept {
            let checkpoint = &self.facts.checkpoints[&l];
            self.prog.checkpoints.push((l, checkpoint.snapshots, checkpoint.shown.clone()));
            parts.forward.push(self.prog.stmt(Act::OpenSnapshots(l)));
            parts.reverse.push(self.prog.stmt(Act::CloseSnapshots(l)));
        }
        parts.forward.push(self.prog.node(node(forward_trip, Direction::Up, body, between)));
        parts.forward.extend(after.iter().map(|&v| self.prog.stmt(Act::Primal(v))));
        if self.reverse {
            let trip = trip.map_or_else(|| Trip::Value(after[0]), Trip::Closed);
            parts.reverse.push(self.prog.node(node(trip, Direction::Down, back, between_back)));
        }
        if kept {
            parts.reverse.push(self.prog.stmt(Act::TurnSnapshots(l)));
        }
        parts
    }

    /// The iterations of a checkpointed loop, forward and back.
    fn checkpointed(&mut self, l: LoopId, body: NodeId, back: NodeId) -> [NodeId; 2] {
        let [pass, again] = [Act::PassSnapshots(l), Act::RunAgain(l)].map(|act| self.prog.stmt(act));
        [self.prog.seq(vec![pass, body]), self.prog.seq(vec![again, back])]
    }

    /// The moves from one iteration of a loop to the next.
    fn next_moves(&self, l: LoopId) -> Vec<(ValueId, ValueId)> {
        let inner = &self.primal.loops[l.index()];
        self.moves(inner.latch, inner.header)
    }

    /// The condition under which the latch of a whole loop goes back to the header.
    fn going_on(&self, latch: BlockId, header: BlockId) -> Condition {
        match self.primal.blocks[latch.index()].term {
            Term::Branch(c, then, _) => Condition::Value(c, then == header),
            _ => unreachable!("the latch of a whole loop leaves it"),
        }
    }
}

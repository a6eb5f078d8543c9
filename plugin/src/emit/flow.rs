//! Sequences, branches, loops and regions.

use super::Emit;
use crate::llvm::ir;
use crate::primal::{Def, Join, LoopId, ValueId};
use crate::revprog::{Act, Condition, Direction, Item, LoopNode, Next, Node, NodeId, Trip};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMRealPredicate;

impl Emit<'_> {
    pub(super) fn node(&mut self, n: NodeId) {
        let prog = self.input.prog;
        match &prog.nodes[n.index()] {
            Node::Seq(parts) => parts.iter().for_each(|&p| self.node(p)),
            Node::Stmt(act) => self.act(act),
            Node::If(c, then, other) => self.choice(c, *then, *other),
            Node::Loop(l) => self.loop_(l),
            Node::Region(items) => self.region(items),
            Node::Replay(l, body) => self.replay(*l, *body),
        }
    }

    /// Runs a part of an iteration again. What it computes is at hand in it; anything else is had as in the reverse sweep.
    fn replay(&mut self, l: LoopId, body: NodeId) {
        let mut computed = IndexSet::new();
        self.input.prog.walk(body, &mut |_, node| {
            if let Node::Stmt(Act::Primal(v) | Act::LoadCopy(v, _)) = node {
                computed.insert(*v);
            }
        });
        self.replayed = computed;
        self.segment = Some(l);
        // What is fetched from the last iteration of a loop in it is not what its other iterations want.
        self.nested(body);
        self.replayed = IndexSet::new();
        self.segment = None;
    }

    /// Emits a node in a block nest of its own.
    fn nested(&mut self, n: NodeId) {
        self.frames.push(IndexMap::new());
        self.node(n);
        self.frames.pop();
    }

    fn choice(&mut self, c: &Condition, then: NodeId, other: NodeId) {
        let condition = self.condition(c);
        let [yes, no, end] = ["then", "else", "end"].map(|n| self.b.new_block(self.function, n));
        self.b.branch(condition, yes, no);
        for (block, node) in [(yes, then), (no, other)] {
            self.b.at_end(block);
            self.nested(node);
            self.b.jump(end);
        }
        self.b.at_end(end);
    }

    fn condition(&mut self, c: &Condition) -> ir::Value {
        match c {
            Condition::Value(v, sense) => {
                let value = self.value(*v);
                self.sense(value, *sense)
            }
            Condition::EndsBy(l, edges) => {
                let edge = self.ending(*l);
                let hits = edges.iter().map(|&k| self.b.icmp(LLVMIntEQ, edge, edge.ty().int(i64::from(k))));
                let hits: Vec<_> = hits.collect();
                let never = self.input.module.int(1).zero();
                hits.into_iter().reduce(|a, b| self.b.binary(LLVMOr, a, b)).unwrap_or(never)
            }
            Condition::PassesOn(values) => self.passes_on(values),
        }
    }

    /// Whether the adjoint in the register of one of these values is not zero.
    fn passes_on(&self, values: &[ValueId]) -> ir::Value {
        let tests = values.iter().filter_map(|v| {
            let register = *self.registers.get(v)?;
            let ty = self.real(*v);
            let bar = self.b.load(ty, register);
            Some(self.b.fcmp(LLVMRealPredicate::LLVMRealUNE, bar, ty.zero()))
        });
        let never = self.input.module.int(1).zero();
        tests.reduce(|a, b| self.b.binary(LLVMOr, a, b)).unwrap_or(never)
    }

    pub(super) fn sense(&self, condition: ir::Value, sense: bool) -> ir::Value {
        if sense { condition } else { self.b.binary(LLVMXor, condition, condition.ty().int(-1)) }
    }

    /// The number of the edge by which the present iteration of a loop ended: only the last one left the loop.
    fn ending(&mut self, l: LoopId) -> ir::Value {
        let byte = self.input.module.int(8);
        let by = match self.primal.added(&Def::Which(Join::End(l))) {
            Some(which) => self.value(which),
            None => byte.int(1),
        };
        let is_last = self.b.icmp(LLVMIntEQ, self.iterations[&l], self.last[&l]);
        self.b.select(is_last, by, byte.zero())
    }

    pub(super) fn note_variable(&mut self, join: Join) -> ir::Value {
        let byte = self.input.module.int(8);
        *self.notes.entry(join).or_insert_with(|| {
            let variable = self.top.alloca(byte, "which");
            self.top.store(byte.zero(), variable);
            variable
        })
    }

    fn loop_(&mut self, l: &LoopNode) {
        let down = l.direction == Direction::Down;
        let long = self.input.module.int(64);
        let one = long.int(1);
        let count = match &l.trip {
            Trip::Closed(e) => Some(self.expression(e)),
            Trip::Value(v) => Some(self.value(*v)),
            Trip::While(_) | Trip::WhileGoingOn => None,
        };
        let first = if down { self.b.sub(count.expect("loops that run down are counted"), one) } else { long.zero() };
        let before = self.b.block();
        let [head, between, exit] = ["loop", "next", "exit"].map(|n| self.b.new_block(self.function, n));
        self.b.jump(head);
        self.b.at_end(head);
        let it = self.b.phi(long, "it");
        it.add_incoming(first, before);
        self.iterations.insert(l.of, it);
        if down {
            self.last.insert(l.of, first);
        }
        self.frames.push(IndexMap::new());
        self.node(l.body);
        let next = if down { self.b.sub(it, one) } else { self.b.add(it, one) };
        let more = match (&l.trip, count) {
            _ if down => self.b.icmp(LLVMIntNE, it, long.zero()),
            (Trip::While(c), _) => self.condition(c),
            (_, Some(count)) => self.b.icmp(LLVMIntNE, next, count),
            _ => {
                let variable = self.note_variable(Join::End(l.of));
                let note = self.b.load(self.input.module.int(8), variable);
                self.b.icmp(LLVMIntEQ, note, note.ty().zero())
            }
        };
        self.b.branch(more, between, exit);
        self.b.at_end(between);
        self.node(l.between);
        it.add_incoming(next, self.b.block());
        if down && self.has_loops(l.body) {
            self.b.go_down(head);
        } else {
            self.b.jump(head);
        }
        self.frames.pop();
        // After a loop that runs up, the moves to its exit still speak of its last iteration.
        if down {
            self.iterations.shift_remove(&l.of);
            self.last.shift_remove(&l.of);
        }
        self.trips.insert(l.of, next);
        self.b.at_end(exit);
    }

    /// Whether a sweep has loops under a node.
    fn has_loops(&self, n: NodeId) -> bool {
        let mut any = false;
        self.input.prog.walk(n, &mut |_, node| any |= matches!(node, Node::Loop(_)));
        any
    }

    fn region(&mut self, items: &[Item]) {
        let blocks: Vec<_> = items.iter().map(|_| self.b.new_block(self.function, "item")).collect();
        let end = self.b.new_block(self.function, "joined");
        self.b.jump(blocks[0]);
        for (item, block) in items.iter().zip(&blocks) {
            self.b.at_end(*block);
            self.frames.push(IndexMap::new());
            self.node(item.body);
            match &item.next {
                Next::Goto(to) => self.b.jump(blocks[*to]),
                Next::Branch(c, then, other) => {
                    let condition = self.condition(c);
                    self.b.branch(condition, blocks[*then], blocks[*other]);
                }
                Next::Which(join, targets) => {
                    let which = self.edge(*join);
                    let cases: Vec<_> = targets
                        .iter()
                        .enumerate()
                        .skip(1)
                        .map(|(k, &t)| (which.ty().int(k as i64), blocks[t]))
                        .collect();
                    self.b.switch(which, blocks[targets[0]], &cases);
                }
                Next::End => self.b.jump(end),
            }
            self.frames.pop();
        }
        self.b.at_end(end);
    }

    fn edge(&mut self, join: Join) -> ir::Value {
        match join {
            Join::End(l) => self.ending(l),
            Join::Block(_) => {
                let which = self.primal.added(&Def::Which(join)).expect("build adds the edge number of a join");
                self.value(which)
            }
        }
    }
}

//! What does a thread carry out of iterations that are shared out: to its next ones, or to what comes after?

use super::called;
use super::constructs::NEXT;
use super::own::{bases, is_own};
use super::regions::{Region, Who, is_called};
use crate::llvm::ir::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMOpcode::*;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

impl Region {
    /// What a thread carries from one iteration that is shared out to its next.
    pub(super) fn check_carried(&mut self) {
        let mut problems = vec![];
        for who in (0..self.constructs.len()).filter(|n| shares_out(self.constructs[*n])).map(Who::One) {
            let cycles = self.cycles(who);
            let is_inside = |i: Value| cycles.iter().any(|cycle| cycle.contains(&i.block()));
            let others = self.who.iter().filter(|(i, w)| **w == who && !is_inside(**i)).map(|(i, _)| *i);
            problems.extend(others.filter(|i| writes_to_shared(*i)).map(|i| {
                (i, "this loop was changed before its derivative is taken, so that its first or last iterations are apart; \
                     take the derivative of code that is not optimised")
            }));
            let phis = cycles.iter().flat_map(|cycle| self.header_phis(cycle).into_iter().map(move |phi| (phi, cycle)));
            let is_own = |phi: &Value| self.sums.contains(phi) || self.counts_from_start(*phi);
            let carried = phis.filter(|(phi, cycle)| !is_own(phi) && self.has_first(*phi, cycle));
            problems.extend(carried.filter(|(phi, _)| !phi.users().is_empty()).map(|(phi, _)| {
                (shown(phi), "what a thread carries here from one iteration to its next depends on how iterations are shared out")
            }));
        }
        for (at, text) in problems {
            self.refuse(at, text);
        }
    }

    /// The outermost cycles of the control flow in a construct: iterations that a thread gets.
    pub(super) fn cycles(&self, who: Who) -> Vec<IndexSet<Block>> {
        let ends = self.who.iter().filter(|(i, w)| **w == who && i.block().terminator() == Some(**i));
        let blocks: IndexSet<Block> = ends.map(|(i, _)| i.block()).collect();
        let mut graph = DiGraph::<Block, ()>::new();
        let nodes: Vec<NodeIndex> = blocks.iter().map(|b| graph.add_node(*b)).collect();
        for (n, block) in blocks.iter().enumerate() {
            for to in block.terminator().map(Value::successors).unwrap_or_default() {
                if let Some(m) = blocks.get_index_of(&to) {
                    graph.add_edge(nodes[n], nodes[m], ());
                }
            }
        }
        let is_cycle = |part: &Vec<NodeIndex>| part.len() > 1 || graph.contains_edge(part[0], part[0]);
        let parts = tarjan_scc(&graph).into_iter().filter(is_cycle);
        parts.map(|part| part.into_iter().map(|n| graph[n]).collect()).collect()
    }

    /// Phis of blocks where control enters a cycle.
    fn header_phis(&self, cycle: &IndexSet<Block>) -> Vec<Value> {
        let phis = cycle.iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == LLVMPHI);
        phis.filter(|phi| phi.incoming().iter().any(|(_, from)| !cycle.contains(from))).collect()
    }

    /// Whether a variable of a cycle has a value before it, other than where the runtime says that the thread starts.
    fn has_first(&self, phi: Value, cycle: &IndexSet<Block>) -> bool {
        let (mut work, mut seen) = (vec![phi], IndexSet::new());
        while let Some(v) = work.pop() {
            if v.is_undef() || !seen.insert(v) {
                continue;
            }
            match v.as_instruction() {
                Some(i) if i.opcode() == LLVMPHI => work.extend(i.incoming().into_iter().map(|(v, _)| v)),
                // What its own iterations compute.
                Some(i) if cycle.contains(&i.block()) || self.is_start(i) => {}
                _ => return true,
            }
        }
        false
    }

    /// Whether a variable only counts iterations from where the runtime says that the thread starts.
    fn counts_from_start(&self, phi: Value) -> bool {
        let is_step = |u: Value| {
            let constant = u.operand(1).is_some_and(|v| v.as_int().is_some());
            u.opcode() == LLVMAdd && constant && u.users().into_iter().all(|v| v == phi || v.opcode() == LLVMICmp)
        };
        let from_start =
            |u: Value| u.opcode() == LLVMAdd && [0, 1].iter().any(|n| u.operand(*n).is_some_and(|v| self.is_start(v)));
        let integer = matches!(phi.ty().kind(), Kind::Int(_));
        integer && phi.users().into_iter().all(|u| u.opcode() == LLVMICmp || is_step(u) || from_start(u))
    }

    /// Whether a number is computed from a bound that the runtime gives the thread.
    fn is_start(&self, value: Value) -> bool {
        let Some(i) = value.as_instruction() else { return false };
        let operands = || (0..i.operand_count()).filter_map(|n| i.operand(n));
        match i.opcode() {
            LLVMLoad => self.is_bound(i),
            LLVMSExt | LLVMZExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMMul => {
                let is_known = |v: Value| v.as_int().is_some() || self.is_start(v);
                operands().any(|v| self.is_start(v)) && operands().all(is_known)
            }
            _ => false,
        }
    }

    /// What a construct whose parts are executed once computes in variables of a thread's own, and other code uses.
    pub(super) fn check_left(&mut self) {
        let mut left: IndexMap<Value, Who> = IndexMap::new();
        let mut wrong = vec![];
        let shared_out = self.who.iter().filter(|(i, _)| self.is_shared_out(**i)).map(|(i, w)| (*i, *w));
        let mut work: Vec<(Value, Who)> = shared_out.collect();
        work.retain(|(i, _)| !is_called(*i) || !called(*i).starts_with("__kmpc_"));
        while let Some((value, of)) = work.pop() {
            for user in value.users().into_iter().filter(|u| self.who.contains_key(u)) {
                let who = self.who[&user];
                if who == of || who == Who::Last || self.sums.contains(&value) {
                    continue;
                }
                if user.opcode() == LLVMPHI {
                    if left.insert(user, of).is_none() {
                        work.push((user, of));
                    }
                } else {
                    wrong.push(user);
                }
            }
        }
        for at in wrong {
            self.refuse(
                at,
                "what a thread has here from its own iterations depends on how they are shared out; use 'lastprivate', \
                 'reduction' or 'copyprivate'",
            );
        }
    }

    /// Memory of the thread's own that is set in one place and used in another: before iterations that are shared out and in them, or in them
    /// and elsewhere.
    pub(super) fn check_own_memory(&mut self) {
        let mut uses: IndexMap<Option<Value>, Vec<(Value, Who, Access)>> = IndexMap::new();
        for (&i, &who) in &self.who {
            for (pointer, access) in accesses(i) {
                for place in bases(pointer).into_iter().filter(|p| is_own(*p)) {
                    let known = [&self.bounds, &self.last, &self.merged].iter().any(|set| set.contains(&place));
                    if !known {
                        // All memory that a thread has asked for is one, since it is found through several variables.
                        let is_stack = place.as_instruction().is_some_and(|p| p.opcode() == LLVMAlloca);
                        uses.entry(is_stack.then_some(place)).or_default().push((i, who, access));
                    }
                }
            }
        }
        let mut wrong = vec![];
        for all in uses.values() {
            let sets = |w: Access| w != Access::Reads;
            let shared_out = all.iter().filter(|(_, who, access)| matches!(who, Who::One(_)) && sets(*access));
            for &(at, who, _) in shared_out {
                let elsewhere = all.iter().any(|(_, other, _)| *other != who && *other != Who::Last);
                if elsewhere {
                    wrong.push(at);
                }
            }
        }
        for at in wrong {
            self.refuse(
                at,
                "memory of each thread's own is changed here by iterations that are shared out, and used elsewhere: what is in it \
                 depends on how they are shared out; declare it inside the loop, or name it in a 'reduction' clause",
            );
        }
    }
}

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Reads,
    Writes,
    Both,
}

/// The pointers through which an instruction accesses memory.
fn accesses(i: Value) -> Vec<(Value, Access)> {
    let operand = |n: u32| i.operand(n).into_iter();
    match i.opcode() {
        LLVMLoad => operand(0).map(|p| (p, Access::Reads)).collect(),
        LLVMStore => operand(1).map(|p| (p, Access::Writes)).collect(),
        LLVMAtomicRMW | LLVMAtomicCmpXchg => operand(0).map(|p| (p, Access::Both)).collect(),
        LLVMCall | LLVMInvoke => {
            let name = called(i);
            if name.starts_with("__kmpc_") || name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg") {
                return vec![];
            }
            let mut all: Vec<_> = i.call_arguments().into_iter().filter(|v| v.ty().kind() == Kind::Pointer).collect();
            // Memory that a call gives may be set by it.
            all.extend((i.ty().kind() == Kind::Pointer).then_some(i));
            all.into_iter().map(|p| (p, Access::Both)).collect()
        }
        _ => vec![],
    }
}

/// Whether a call starts a loop, or a chunk of one, whose iterations are shared out.
pub(super) fn shares_out(start: Value) -> bool {
    let name = called(start);
    name.starts_with("__kmpc_for_static_init_") || name.starts_with(NEXT)
}

fn writes_to_shared(instruction: Value) -> bool {
    let place = match instruction.opcode() {
        LLVMStore => instruction.operand(1),
        LLVMAtomicRMW | LLVMAtomicCmpXchg => instruction.operand(0),
        _ => None,
    };
    place.is_some_and(|p| !is_own(p))
}

/// A user of a value that has a line.
fn shown(value: Value) -> Value {
    let has_line = |user: &Value| user.as_instruction().is_some_and(|i| i.line().0 > 0);
    value.users().into_iter().find(has_line).unwrap_or(value)
}

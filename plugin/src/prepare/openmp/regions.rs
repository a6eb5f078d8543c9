//! Does one thread that runs a parallel region do what a team does?
//!
//! It does if what all threads execute has no effect but on variables of their own, and all else is in constructs of which each part is executed
//! once: loops and sections that are shared out, `single`, `master`. One effect of all threads is understood: each adds to a
//! shared place what it summed up in its own iterations, starting from zero. What a thread carries from one of its iterations to
//! the next, other than such a sum, would depend on how iterations are shared out.

use super::called;
use super::constructs::NEXT;
use super::own::base;
use crate::llvm::ir::{Block, Value};
use crate::problem::{Code, Problem};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
use llvm_sys::LLVMOpcode::*;

/// Who executes an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// Every thread.
    Each,
    /// One thread, for each part of this construct.
    One(usize),
    /// The thread that has the last iteration, until control joins that of the others.
    Last,
}

/// What is known of a region.
pub(super) struct Region {
    function: Value,
    /// Who executes what, of all that can be executed.
    pub(super) who: IndexMap<Value, Who>,
    pub(super) problems: Vec<Problem>,
    /// Calls that start a construct of which each part is executed once.
    constructs: IndexSet<Value>,
    /// Where a loop that is shared out starts and ends: variables of the thread's own that the runtime sets.
    pub(super) bounds: IndexSet<Value>,
    /// Whether the thread has the last iteration: as above.
    pub(super) last: IndexSet<Value>,
    /// Variables that the runtime merges.
    pub(super) merged: IndexSet<Value>,
    /// Sums that each thread adds to a shared place.
    pub(super) sums: IndexSet<Value>,
}

/// What stands in the way of running a region on one thread.
pub fn check(function: Value) -> Vec<Problem> {
    let mut region = Region {
        function,
        who: IndexMap::new(),
        problems: vec![],
        constructs: IndexSet::new(),
        bounds: IndexSet::new(),
        last: IndexSet::new(),
        merged: IndexSet::new(),
        sums: IndexSet::new(),
    };
    region.find_variables();
    region.find_who();
    // What is said of the first of these explains the rest.
    for test in [Region::check_effects, Region::check_carried, Region::check_left, Region::check_own_memory] {
        if region.problems.is_empty() {
            test(&mut region);
        }
    }
    region.problems
}

pub(super) fn is_called(value: Value) -> bool {
    value.as_instruction().is_some_and(|i| matches!(i.opcode(), LLVMCall | LLVMInvoke))
}

impl Region {
    fn instructions(&self) -> Vec<Value> {
        self.function.blocks().into_iter().flat_map(|b| b.instructions()).collect()
    }

    pub(super) fn refuse(&mut self, at: Value, text: &str) {
        self.problems.push(Problem::at(Code::ParallelRegion, at, text));
    }

    /// Variables that the runtime knows.
    fn find_variables(&mut self) {
        let calls: Vec<Value> = self.instructions().into_iter().filter(|i| is_called(*i)).collect();
        for call in &calls {
            let (name, arguments) = (called(*call), call.call_arguments());
            if name.starts_with("__kmpc_for_static_init_") {
                self.last.insert(base(arguments[3]));
                self.bounds.extend(arguments[4..7].iter().map(|v| base(*v)));
            } else if name.starts_with(NEXT) {
                self.last.insert(base(arguments[2]));
                self.bounds.extend(arguments[3..6].iter().map(|v| base(*v)));
            } else if name.starts_with("__kmpc_reduce") {
                let list = base(arguments[4]);
                let puts = |i: &Value| i.opcode() == LLVMStore && i.operand(1).is_some_and(|p| base(p) == list);
                let stores = self.instructions().into_iter().filter(puts);
                self.merged.extend(stores.filter_map(|s| s.operand(0)).map(base));
            }
        }
    }

    /// Follows control from the start of the region.
    fn find_who(&mut self) {
        let mut entry: IndexMap<Block, Who> = IndexMap::new();
        let start = self.function.blocks()[0];
        entry.insert(start, Who::Each);
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            let mut who = entry[&block];
            for instruction in block.instructions() {
                self.who.insert(instruction, who);
                if is_called(instruction) {
                    who = self.after(instruction, who);
                }
            }
            let Some(end) = block.terminator() else { continue };
            for (target, to) in self.ways(end, who) {
                // Back from a chunk of a loop.
                let to = if asks_for_chunk(target) { Who::Each } else { to };
                let known = entry.get(&target).copied();
                let joined = match known {
                    None => to,
                    Some(known) if known == to => continue,
                    // Where the thread with the last iteration joins the others.
                    Some(Who::Last) => to,
                    Some(known) if to == Who::Last => known,
                    Some(_) => {
                        return self
                            .refuse(end, "who executes this in a parallel region cannot be told at compile time");
                    }
                };
                if known != Some(joined) {
                    entry.insert(target, joined);
                    work.push(target);
                }
            }
        }
    }

    /// Who executes what comes after a call.
    fn after(&mut self, call: Value, who: Who) -> Who {
        let name = called(call);
        match name.as_str() {
            "__kmpc_end_single"
            | "__kmpc_end_master"
            | "__kmpc_end_masked"
            | "__kmpc_end_reduce"
            | "__kmpc_end_reduce_nowait"
            | "__kmpc_for_static_fini" => Who::Each,
            _ if name.starts_with("__kmpc_for_static_init_") => self.construct(call),
            _ => who,
        }
    }

    fn construct(&mut self, start: Value) -> Who {
        Who::One(self.constructs.insert_full(start).0)
    }

    /// Where control may go, and who executes what is there.
    fn ways(&mut self, end: Value, who: Who) -> Vec<(Block, Who)> {
        let targets = end.successors();
        let all = || targets.iter().map(|t| (*t, who)).collect();
        if end.opcode() == LLVMSwitch
            && let Some(how) = end.operand(0)
            && is_called(how)
            && called(how).starts_with("__kmpc_reduce")
        {
            // 1: this thread merges under a lock. Else it has nothing to do, or merges by atomic operations.
            let cases = || (1..targets.len()).map(|n| (end.operand(2 * n as u32), targets[n]));
            let merge = cases().filter(|(value, _)| value.is_some_and(|v| v.as_int() == Some(1)));
            let one = self.construct(how);
            return merge.map(|(_, t)| (t, one)).chain([(targets[0], who)]).collect();
        }
        if end.opcode() != LLVMBr || targets.len() != 2 {
            return all();
        }
        let Some(asked) = end.operand(0).and_then(tested) else { return all() };
        let [yes, no] = match asked.1 {
            true => [targets[0], targets[1]],
            false => [targets[1], targets[0]],
        };
        let asked = asked.0;
        if asked.opcode() == LLVMLoad && asked.operand(0).is_some_and(|p| self.last.contains(&base(p))) {
            let last = if who == Who::Each { Who::Last } else { who };
            return vec![(yes, last), (no, who)];
        }
        if !is_called(asked) {
            return all();
        }
        let name = called(asked);
        match name.as_str() {
            "__kmpc_single" | "__kmpc_master" | "__kmpc_masked" => vec![(yes, self.construct(asked)), (no, who)],
            _ if name.starts_with(NEXT) => vec![(yes, self.construct(asked)), (no, Who::Each)],
            _ => all(),
        }
    }
}

fn asks_for_chunk(block: Block) -> bool {
    block.instructions().into_iter().any(|i| is_called(i) && called(i).starts_with(NEXT))
}

/// What a condition tests against zero, and whether it holds where that is not zero.
fn tested(condition: Value) -> Option<(Value, bool)> {
    let compared = condition.as_instruction().filter(|i| i.opcode() == LLVMICmp)?;
    let is_zero = compared.operand(1)?.as_int() == Some(0);
    let value = compared.operand(0)?.as_instruction().filter(|_| is_zero)?;
    match compared.int_predicate() {
        LLVMIntNE => Some((value, true)),
        LLVMIntEQ => Some((value, false)),
        _ => None,
    }
}

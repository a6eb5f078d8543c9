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
use crate::primal::Schedule;
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
    pub(super) constructs: IndexSet<Value>,
    /// Where a loop that is shared out starts and ends: variables of the thread's own that the runtime sets.
    pub(super) bounds: IndexSet<Value>,
    /// Whether the thread has the last iteration: as above.
    pub(super) last: IndexSet<Value>,
    /// Variables that the runtime merges, or gives to all threads.
    pub(super) merged: IndexSet<Value>,
    /// Sums that each thread adds to a shared place.
    pub(super) sums: IndexSet<Value>,
}

/// A loop that is shared out: its header, and how.
pub type SharedLoop = (Block, Schedule);

/// The loops of a region whose iterations could run in parallel once more; or what stands in the way of running it on one thread.
pub fn check(function: Value) -> Result<Vec<SharedLoop>, Vec<Problem>> {
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
    for test in [
        Region::check_effects,
        Region::check_merged,
        Region::check_carried,
        Region::check_left,
        Region::check_own_memory,
    ] {
        if region.problems.is_empty() {
            test(&mut region);
        }
    }
    if region.problems.is_empty() { Ok(region.parallel_loops()) } else { Err(region.problems) }
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
            } else if name.starts_with("__kmpc_reduce") || name == "__kmpc_copyprivate" {
                let list = base(arguments[if name == "__kmpc_copyprivate" { 3 } else { 4 }]);
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

impl Region {
    /// Loops that are shared out and whose iterations do nothing that other iterations wait for.
    fn parallel_loops(&self) -> Vec<SharedLoop> {
        let counts = |phi: &Value| phi.opcode() == LLVMPHI && phi.incoming().iter().any(|(v, _)| self.is_bound(*v));
        let counters = self.who.iter().filter(|(i, _)| counts(i));
        let shared = counters.filter_map(|(phi, who)| match who {
            Who::One(construct) => Some((phi.block(), schedule_of(self.constructs[*construct])?, *who)),
            _ => None,
        });
        let waits = |who: Who| self.who.iter().any(|(i, w)| *w == who && waits_for_others(*i));
        shared.filter(|(_, _, who)| !waits(*who)).map(|(header, schedule, _)| (header, schedule)).collect()
    }

    /// Whether a value is where a loop that is shared out starts or ends.
    pub(super) fn is_bound(&self, value: Value) -> bool {
        let loaded = value.as_instruction().filter(|i| i.opcode() == LLVMLoad).and_then(|l| l.operand(0));
        loaded.is_some_and(|p| self.bounds.contains(&base(p)))
    }
}

/// Whether an instruction orders iterations, or needs them to be one after the other.
fn waits_for_others(instruction: Value) -> bool {
    const APART: [&str; 5] =
        ["__kmpc_critical", "__kmpc_ordered", "__kmpc_omp_task", "__kmpc_taskloop", "__kmpc_doacross"];
    let is_atomic = match instruction.opcode() {
        LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMFence => true,
        LLVMLoad | LLVMStore => instruction.is_atomic(),
        _ => false,
    };
    let name = || called(instruction);
    is_atomic || is_called(instruction) && (APART.iter().any(|n| name().starts_with(n)) || name().starts_with("omp_"))
}

/// How the loop that a call starts, or asks a chunk of, is shared out; none for other constructs, and where it is not known.
pub(super) fn schedule_of(call: Value) -> Option<Schedule> {
    let name = called(call);
    if name.starts_with(NEXT) {
        // What the call that starts it says is as good as any: pieces go to whoever asks.
        return Some(Schedule::Dynamic);
    }
    // Of `enum sched_type`, without the bits for monotonic order.
    const CHUNKED: i64 = 33;
    const STATIC: i64 = 34;
    let kind = name.starts_with("__kmpc_for_static_init_").then(|| call.call_arguments()[2].as_int())?;
    match kind? & 0xff {
        CHUNKED => Some(Schedule::Chunked),
        STATIC => Some(Schedule::Static),
        _ => None,
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

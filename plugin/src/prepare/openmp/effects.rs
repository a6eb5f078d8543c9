//! What do all threads of a region do that others see?

use super::carried::shares_out;
use super::own::{bases, is_own};
use super::regions::{Region, Who, is_called};
use super::{FORK, FORK_IF, called, calls_in};
use crate::allocation;
use crate::library::{self, Memory};
use crate::llvm::ir::{Block, Value};
use crate::prepare::inline;
use crate::primal::Op;
use crate::rules;
use indexmap::IndexSet;
use llvm_sys::LLVMOpcode::*;

impl Region {
    /// Effects of what all threads execute.
    pub(super) fn check_effects(&mut self) {
        let all: Vec<(Value, Who)> = self.who.iter().map(|(i, w)| (*i, *w)).collect();
        for (instruction, who) in all {
            if is_called(instruction) {
                self.check_call(instruction, who);
            }
            if who != Who::Each {
                continue;
            }
            let shared = match instruction.opcode() {
                LLVMStore => instruction.operand(1).filter(|p| !is_own(*p)),
                LLVMAtomicRMW | LLVMAtomicCmpXchg => instruction.operand(0).filter(|p| !is_own(*p)),
                _ => None,
            };
            if shared.is_some() && !self.adds_sum(instruction) {
                self.refuse(
                    instruction,
                    "every thread of this parallel region writes here; only sums that each thread has of its own iterations, from zero, \
                     are understood",
                );
            }
        }
    }

    /// Copies of variables that the runtime merges: every thread sets its own once, to what changes nothing. What every thread adds
    /// to its copy counts as often as there are threads.
    pub(super) fn check_merged(&mut self) {
        let mut set = IndexSet::new();
        let stores = self.who.iter().filter(|(i, who)| **who == Who::Each && i.opcode() == LLVMStore);
        let mut wrong = vec![];
        for (&store, _) in stores {
            let (Some(value), Some(place)) = (store.operand(0), store.operand(1)) else { continue };
            let Some(variable) = bases(place).into_iter().find(|b| self.merged.contains(b)) else { continue };
            let neutral = self.neutral(variable);
            if !value.is_constant() || !set.insert(place) || !neutral.is_none_or(|n| is_number(value, n)) {
                wrong.push(store);
            }
        }
        for at in wrong {
            self.refuse(at, "every thread of this parallel region changes its copy of a 'reduction' variable here");
        }
    }

    /// What changes nothing where the runtime merges a variable by adding or multiplying.
    fn neutral(&self, variable: Value) -> Option<u8> {
        let is_merge = |i: Value| match self.who.get(&i) {
            Some(&Who::One(n)) => called(self.constructs[n]).starts_with("__kmpc_reduce"),
            _ => false,
        };
        let loads = variable.users().into_iter().filter(|u| u.opcode() == LLVMLoad && is_merge(*u));
        // A merge of the program's own goes on with what it computes.
        let is_result = |merge: &Value| merge.users().into_iter().all(|u| u.opcode() == LLVMStore);
        loads.flat_map(Value::users).filter(is_result).find_map(|merge| match merge.opcode() {
            LLVMFAdd | LLVMAdd | LLVMFSub | LLVMSub => Some(0),
            LLVMFMul | LLVMMul => Some(1),
            _ => None,
        })
    }

    fn check_call(&mut self, call: Value, who: Who) {
        let name = called(call);
        match name.as_str() {
            _ if name.starts_with("omp_") && !is_same_for_one(&name) => {
                self.refuse(
                    call,
                    "work that depends on the number of a thread, or how many there are, is not supported yet",
                );
            }
            _ if call.callee().as_function().is_some_and(asks_for_thread) => {
                let text = format!(
                    "'{name}', which stays a call, asks for the number of a thread, or how many there are; that is not supported yet"
                );
                self.refuse(call, &text);
            }
            _ if name == "__kmpc_threadprivate_cached" || name.starts_with("llvm.threadlocal.address") => {
                self.refuse(call, "variables that are private to threads are not supported yet")
            }
            "__kmpc_masked" if call.call_arguments()[2].as_int() != Some(0) => {
                self.refuse(call, "a construct for another thread than the first is not supported yet");
            }
            "__kmpc_cancel" | "__kmpc_cancellationpoint" | "__kmpc_cancel_barrier" => {
                self.refuse(call, "the cancellation of parallel work is not supported");
            }
            "__kmpc_taskloop" => self.refuse(call, "'taskloop' is not supported yet"),
            FORK | FORK_IF if who == Who::Each => {
                self.refuse(
                    call,
                    "every thread of this parallel region starts a team of its own, which is not supported yet",
                );
            }
            "__kmpc_omp_task" | "__kmpc_omp_task_with_deps" | "__kmpc_omp_task_begin_if0" if who == Who::Each => {
                self.refuse(
                    call,
                    "every thread of this parallel region makes this task; put it into a 'single' construct",
                );
            }
            _ if who == Who::Each && !is_harmless(call) => {
                self.refuse(
                    call,
                    &format!("every thread of this parallel region calls '{name}', which may write to shared memory"),
                );
            }
            _ => {}
        }
    }

    /// Whether an instruction adds to a shared place what a thread has summed up.
    fn adds_sum(&mut self, instruction: Value) -> bool {
        let summand = match instruction.opcode() {
            LLVMAtomicRMW if instruction.adds_atomically() => instruction.operand(1).map(|v| (v, instruction)),
            LLVMStore => added_to(instruction),
            _ => None,
        };
        let Some((summand, user)) = summand else { return false };
        let mut members = IndexSet::new();
        if !self.is_sum(summand, &mut members) {
            return false;
        }
        let only = |v: Value| v.users().into_iter().all(|u| members.contains(&u) || u == user);
        let apart = members.iter().all(|m| only(*m));
        if apart {
            self.sums.extend(members);
        }
        apart
    }

    /// Whether a value is what was added up from zero in iterations of the thread's own; `members` gets what it goes through.
    fn is_sum(&self, value: Value, members: &mut IndexSet<Value>) -> bool {
        if is_zero(value) || members.contains(&value) {
            return true;
        }
        let Some(i) = value.as_instruction() else { return false };
        match i.opcode() {
            LLVMPHI => {
                members.insert(i);
                i.incoming()
                    .into_iter()
                    .all(|(v, from)| if is_zero(v) { self.is_before_iterations(from) } else { self.is_sum(v, members) })
            }
            LLVMFAdd | LLVMAdd | LLVMFSub | LLVMSub if self.is_shared_out(i) => {
                members.insert(i);
                let (Some(a), Some(b)) = (i.operand(0), i.operand(1)) else { return false };
                self.adds(a, b, members) || matches!(i.opcode(), LLVMFAdd | LLVMAdd) && self.adds(b, a, members)
            }
            LLVMCall if called(i).starts_with("llvm.fmuladd") && self.is_shared_out(i) => {
                members.insert(i);
                let arguments = i.call_arguments();
                !members.contains(&arguments[0])
                    && !members.contains(&arguments[1])
                    && self.is_sum(arguments[2], members)
            }
            LLVMFPExt | LLVMFPTrunc => {
                members.insert(i);
                i.operand(0).is_some_and(|v| self.is_sum(v, members))
            }
            _ => false,
        }
    }

    /// Whether a block is executed by every thread before its iterations: a sum that is zero from there on starts there. In an iteration it
    /// would forget what the thread has summed up before.
    fn is_before_iterations(&self, block: Block) -> bool {
        let who: Vec<Option<Who>> = block.instructions().iter().map(|i| self.who.get(i).copied()).collect();
        let constructs: IndexSet<usize> =
            who.iter().filter_map(|w| if let Some(Who::One(n)) = w { Some(*n) } else { None }).collect();
        let is_outside = |n: usize| !self.cycles(Who::One(n)).iter().any(|cycle| cycle.contains(&block));
        who.iter().all(|w| matches!(w, Some(Who::Each | Who::One(_))))
            && constructs.into_iter().all(|n| shares_out(self.constructs[n]) && is_outside(n))
    }

    pub(super) fn is_shared_out(&self, instruction: Value) -> bool {
        matches!(self.who.get(&instruction), Some(Who::One(_)))
    }

    /// Whether one operand is such a sum, and the other is not.
    fn adds(&self, sum: Value, more: Value, members: &mut IndexSet<Value>) -> bool {
        let is_number = |v: Value| v.as_instruction().is_none();
        let mut trial = members.clone();
        if is_number(sum) || !self.is_sum(sum, &mut trial) || trial.contains(&more) {
            return false;
        }
        *members = trial;
        true
    }
}

/// Whether a function of the program, or one that it calls, asks which thread it runs on.
fn asks_for_thread(function: Value) -> bool {
    let (mut work, mut seen) = (vec![function], IndexSet::new());
    while let Some(f) = work.pop() {
        if f.is_declaration() || !seen.insert(f) {
            continue;
        }
        let asks = |name: &str| name.starts_with("omp_") && !is_same_for_one(name);
        if calls_in(f).any(|call| asks(&called(call))) {
            return true;
        }
        work.extend(inline::callees(f));
    }
    false
}

/// Whether a function of OpenMP does, outside of a region, what it does in one.
pub(super) fn is_same_for_one(name: &str) -> bool {
    matches!(name, "omp_get_wtime" | "omp_get_wtick" | "omp_get_num_procs" | "omp_get_max_threads")
        || pardiff_runtime::has_body(pardiff_runtime::ALONE, name)
}

fn is_zero(value: Value) -> bool {
    is_number(value, 0)
}

fn is_number(value: Value, number: u8) -> bool {
    value.as_int() == Some(number.into()) || value.as_real() == Some(number.into())
}

/// What a store adds to the number that was there, and the addition; in the place's precision or another one.
fn added_to(store: Value) -> Option<(Value, Value)> {
    let place = store.operand(1)?;
    let converted = |v: Value| match v.as_instruction() {
        Some(i) if matches!(i.opcode(), LLVMFPExt | LLVMFPTrunc) => i.operand(0).expect("it converts a number"),
        _ => v,
    };
    let is_old =
        |v: Value| converted(v).as_instruction().is_some_and(|l| l.opcode() == LLVMLoad && l.operand(0) == Some(place));
    let sum = converted(store.operand(0)?).as_instruction()?;
    match (sum.opcode(), sum.operand(0)?, sum.operand(1)?) {
        (LLVMFAdd | LLVMAdd, a, b) if is_old(a) => Some((b, sum)),
        (LLVMFAdd | LLVMAdd, a, b) if is_old(b) => Some((a, sum)),
        (LLVMFSub | LLVMSub, a, b) if is_old(a) => Some((b, sum)),
        _ => None,
    }
}

/// Whether a call that all threads make changes nothing that they share.
fn is_harmless(call: Value) -> bool {
    let name = called(call);
    let arguments = call.call_arguments();
    let own = |n: usize| arguments.get(n).is_some_and(|p| is_own(*p));
    let ends = || call.callee().as_function().is_some_and(|f| f.has_attribute(c"noreturn"));
    if name.starts_with("__kmpc_") || name.starts_with("omp_") || ends() {
        return true;
    }
    if name.starts_with("llvm.mem") {
        return own(0);
    }
    if name.starts_with("llvm.") {
        return true;
    }
    if let Some(rule) = rules::by_callee(&name) {
        return rules::row(rule).out.is_none() || arguments.iter().skip(1).all(|p| is_own(*p));
    }
    let text = |n: usize| arguments.get(n)?.constant_text();
    match library::by_name(&name).map(|family| family.memory.for_call(text)) {
        Some(Memory::None | Memory::ReadsArguments | Memory::Hidden | Memory::Writes(0)) => true,
        Some(_) => false,
        None => {
            let known = call.callee().as_function();
            known.and_then(allocation::of).is_some_and(|known| known.op != Op::Free || own(0))
        }
    }
}

//! What is known about the calls that stay, written on the calls for LLVM's analyses.

use super::steps;
use crate::library::{self, Memory};
use crate::llvm::ir::Value;
use crate::problem::{Code, Problem};
use crate::registered::{self, LIKE, MANAGES};
use crate::rules;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMCallBr, LLVMIndirectBr, LLVMInvoke};

/// LLVM's encoding of `memory(...)`: two bits each (1 read, 2 write) for arguments, hidden, other.
mod effects {
    pub const NONE: u64 = 0;
    pub const READS_ARGUMENTS: u64 = 0b00_00_01;
    pub const WRITES_ARGUMENTS: u64 = 0b00_00_10;
    pub const HIDDEN: u64 = 0b00_11_00;
    pub const ARGUMENTS: u64 = 0b00_11_11;
    pub const OTHER: u64 = 0b11_00_00;
    pub const ALL: u64 = 0b11_11_11;
}

fn calls_in(function: Value) -> impl Iterator<Item = Value> {
    let is_call = |i: &Value| matches!(i.opcode(), LLVMCall | LLVMInvoke);
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_call)
}

/// Refuses calls and jumps that no later step can describe.
pub fn refuse_unusual(function: Value) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    for call in calls_in(function) {
        if call.callee().as_function().is_some_and(|f| f.has_attribute(c"returns_twice")) {
            let text = format!("'{}' returns more than once; that is not supported", call.callee().name());
            problems.push(Problem::at(Code::Opaque, call, text));
        }
        if call.callee().as_function().is_some_and(|f| f.mark(MANAGES).is_some()) {
            let text = format!(
                "'{}' takes memory back and needs more than the memory to be told; that is not supported yet: memory is \
                 given back after the reverse sweep, by a function of it alone",
                call.callee().name()
            );
            problems.push(Problem::at(Code::Allocation, call, text));
        }
    }
    for end in function.blocks().into_iter().filter_map(|b| b.terminator()) {
        if matches!(end.opcode(), LLVMIndirectBr | LLVMCallBr) {
            problems.push(Problem::at(Code::ControlFlow, end, "a jump to a computed address is not supported"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Tells LLVM what memory calls with a row touch. Functions of the mathematics library write the
/// error number, which without this would count as a write to any memory; where the program looks at it, it does.
pub fn describe(function: Value) {
    let looks_at_error_number = calls_in(function).any(|call| call.callee().name() == library::ERROR_NUMBER);
    for call in calls_in(function) {
        let Some(callee) = call.callee().as_function() else { continue };
        let name = callee.name();
        if name.starts_with("llvm.") || registered::stays(callee) || callee.mark(LIKE).is_some() {
            continue;
        }
        if steps::is_mark(call) {
            // It stays in its loop.
            call.add_call_attribute(c"memory", effects::HIDDEN);
            call.add_call_attribute(c"nounwind", 0);
            call.add_call_attribute(c"willreturn", 0);
            continue;
        }
        let mut throws = false;
        let memory = if let Some(rule) = rules::by_callee(&name) {
            call.add_call_attribute(c"willreturn", 0);
            if rules::row(rule).out.is_some() { effects::WRITES_ARGUMENTS } else { effects::NONE }
        } else if let Some(family) = library::by_name(&name) {
            throws = family.throws;
            let arguments = call.call_arguments();
            match family.memory.for_call(|n| arguments.get(n)?.constant_text()) {
                Memory::None => effects::NONE,
                Memory::ReadsArguments => effects::READS_ARGUMENTS,
                Memory::Writes(0) => effects::READS_ARGUMENTS | effects::HIDDEN,
                Memory::Writes(_) | Memory::Prints { .. } => effects::ARGUMENTS,
                Memory::Hidden => effects::HIDDEN,
                Memory::Shared | Memory::Anything => effects::ALL,
            }
        } else {
            continue;
        };
        let memory = if looks_at_error_number { memory | effects::OTHER } else { memory };
        call.add_call_attribute(c"memory", memory);
        if !throws {
            call.add_call_attribute(c"nounwind", 0);
        }
    }
}

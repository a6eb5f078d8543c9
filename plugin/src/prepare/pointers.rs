//! Which function does a call through a pointer run?
//!
//! One of those whose address the module takes, in code or in static data, and which have the type of the call. A
//! virtual call, by its shape, runs one that stands at its place in a table of virtual functions. The call
//! becomes a chain of comparisons with direct calls, which are inlined like all others. A pointer to anything
//! else ends the program with a message, never with a wrong gradient.

use super::inline::WITHIN;
use crate::library;
use crate::llvm::ir::{Module, Value};
use crate::llvm::pointers::{self, Taken};
use crate::problem::{Code, Problem};
use crate::requests;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMPHI, LLVMSelect};

/// Functions that one call may choose from.
const MOST: usize = 32;

/// Function of the runtime that ends the program where a pointer leads to no candidate.
const FAIL: &str = "__pardiff_unknown_function";

fn indirect_calls(function: Value) -> impl Iterator<Item = Value> {
    let is_indirect =
        |i: &Value| i.opcode() == LLVMCall && i.callee().as_function().is_none() && !i.callee().is_inline_asm();
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_indirect)
}

/// Whether there are calls through pointers.
pub fn has_work(function: Value) -> bool {
    indirect_calls(function).next().is_some()
}

/// Turns calls through pointers into direct ones where something can be meant; true where one was.
pub fn resolve(module: Module, original: Value, clone: Value) -> Result<bool, Vec<Problem>> {
    let calls: Vec<Value> = indirect_calls(clone).collect();
    let taken: Vec<Taken> = pointers::addresses_taken(module).into_iter().filter(counts).collect();
    let mut problems = Vec::new();
    let mut changed = false;
    for call in calls {
        let fitting = chosen_from(call).or_else(|| pointers::callee_from_table(call));
        let candidates = distinct(fitting.unwrap_or_else(|| by_slot(&taken, call)), call);
        if candidates.len() > MOST {
            let text = format!(
                "a call through a pointer may run any of {} functions of this type; at most {MOST} are told apart",
                candidates.len()
            );
            problems.push(Problem::at(Code::IndirectCall, call, text));
        } else if !candidates.is_empty() {
            let fail = module.declare(FAIL, module.void().function(&[module.pointer()]));
            pointers::call_one_of(call, &candidates, fail, module.c_string(&place(call, original)));
            changed = true;
        }
    }
    if problems.is_empty() { Ok(changed) } else { Err(problems) }
}

/// What a message at run time calls the place.
fn place(call: Value, original: Value) -> String {
    let name = original.name();
    match call.line().0 {
        0 => format!("'{name}'"),
        line => format!("'{name}', line {line},"),
    }
}

/// Whether taking the address makes a function callable: it is not named only to be differentiated, and asks for no
/// derivative itself.
fn counts(taken: &Taken) -> bool {
    let differentiated = taken.by.is_some_and(requests::is_request);
    !differentiated && !requests::reachable(taken.function).into_iter().any(requests::is_marker_function)
}

/// Whether it is known what a function does.
fn is_described(function: Value) -> bool {
    !function.is_declaration() || library::is_known(&function.name())
}

/// The functions that a callee is chosen from, where constants are all that it can be.
fn chosen_from(call: Value) -> Option<Vec<Value>> {
    let (mut work, mut seen, mut found) = (vec![call.callee()], Vec::new(), Vec::new());
    while let Some(value) = work.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        if let Some(function) = value.aliasee().unwrap_or(value).as_function() {
            found.push(function);
        } else if value.is_undef() || value == value.ty().zero() {
            // Calling it is undefined: the program does not.
        } else {
            match value.as_instruction()?.opcode() {
                LLVMPHI => work.extend(value.incoming().into_iter().map(|(v, _)| v)),
                LLVMSelect => work.extend([value.operand(1)?, value.operand(2)?]),
                _ => return None,
            }
        }
    }
    found.reverse();
    Some(found)
}

/// The functions that may be called by where their addresses are.
fn by_slot(taken: &[Taken], call: Value) -> Vec<Value> {
    let slot = pointers::slot_of_callee(call);
    let meant = |t: &&Taken| t.slot.is_none() || slot.is_none() || t.slot == slot;
    taken.iter().filter(meant).map(|t| t.function).collect()
}

/// Those that have the type of the call and are known, each once.
fn distinct(functions: Vec<Value>, call: Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for f in functions {
        if f.global_type() == call.call_type() && is_described(f) && !found.contains(&f) {
            found.push(f);
        }
    }
    found
}

/// Removes what the steps here noted on calls.
pub fn forget(function: Value) {
    for call in function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == LLVMCall) {
        call.remove_note(WITHIN);
    }
}

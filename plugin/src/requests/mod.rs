//! Which calls ask for a derivative, of what, and how?
//!
//! Finds the marker calls of a module and reads their operands (API.md has the convention).
//! What is wrong with one is a problem at that call; the others are still found.

pub mod by_value;
mod names;
mod operands;
mod reach;
pub mod resolve;
pub mod returned;
mod split;
mod wrappers;

use crate::llvm::ir::{Module, Value};
use crate::problem::{Code, Problem};
use crate::request::Request;
pub use by_value::FLAT;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};
use names::Meaning;
pub use operands::groups;
pub use reach::{lacks_definition, reachable};
pub use split::answer_sizes;
pub use wrappers::inline_wrappers;

/// What was found in a module.
#[derive(Default)]
pub struct Found {
    /// Requests that are understood.
    pub requests: Vec<Request>,
    /// What is wrong with others.
    pub problems: Vec<Problem>,
    /// Every marker call, understood or not.
    pub calls: Vec<Value>,
    /// Whether requests were left for the link, with their markers.
    pub left: bool,
}

/// Finds all requests, in module order.
pub fn find(module: Module) -> Found {
    let mut found = Found::default();
    for marker in module.functions() {
        let Some((name, meaning)) = names::call(&marker.name()) else { continue };
        if !is_marker(marker) {
            continue;
        }
        for call in calls_of(marker) {
            found.calls.push(call);
            match meaning {
                Meaning::Marker(mode) => match operands::read(module, call, &name, mode) {
                    Ok(request) => found.requests.push(request),
                    Err(problem) => found.problems.push(problem),
                },
                Meaning::TapeSize => found.problems.push(Problem::at(
                    Code::BadRequest,
                    call,
                    format!("{name} is to be declared with an integer as its result, such as size_t"),
                )),
                Meaning::Later => found.problems.push(Problem::at(
                    Code::UnsupportedRequest,
                    call,
                    format!("{name} is not supported yet; __pardiff_autodiff and __pardiff_fwddiff are"),
                )),
            }
        }
    }
    found.problems.append(&mut split::agree(&mut found.requests));
    found
}

/// Whether a function is a marker.
pub fn is_marker_function(function: Value) -> bool {
    is_marker(function) && names::call(&function.name()).is_some()
}

/// Whether an instruction asks for a derivative.
pub fn is_request(instruction: Value) -> bool {
    matches!(instruction.opcode(), LLVMCall | LLVMInvoke)
        && instruction.callee().as_function().is_some_and(is_marker_function)
}

/// Whether a function with a marker's name is one: something that the program does not define, or
/// only for want of the plugin.
fn is_marker(function: Value) -> bool {
    function.is_declaration() || function.is_weak()
}

/// The calls of a function, in the order of their blocks and instructions.
fn calls_of(function: Value) -> Vec<Value> {
    let is_call = |user: &Value| {
        user.as_instruction().is_some() && matches!(user.opcode(), LLVMCall | LLVMInvoke) && user.callee() == function
    };
    // Use lists are in reverse order of creation, which differs between levels; sort by place.
    let mut callers: Vec<Value> = function.users().into_iter().filter(is_call).collect();
    callers.dedup();
    let mut functions: Vec<Value> = Vec::new();
    for call in &callers {
        let f = call.block().function();
        if !functions.contains(&f) {
            functions.push(f);
        }
    }
    functions.reverse();
    functions.iter().flat_map(|f| f.blocks()).flat_map(|b| b.instructions()).filter(is_call).collect()
}

/// Erases loads of marker variables, the variables themselves and the declarations of marker
/// functions: no object file defines them.
pub fn erase_markers(module: Module) {
    for global in module.globals() {
        if !global.is_declaration() || !matches!(names::word(&global.name()), Some(names::Said::Known(..))) {
            continue;
        }
        for user in global.users() {
            if user.as_instruction().is_some_and(|i| i.opcode() == llvm_sys::LLVMOpcode::LLVMLoad) {
                user.replace_uses(user.ty().zero());
                user.erase();
            }
        }
        if global.users().is_empty() {
            global.delete_global();
        }
    }
    for function in module.functions() {
        let unused = function.is_declaration() && function.users().is_empty();
        if unused && names::call(&function.name()).is_some() {
            function.delete_function();
        }
    }
}

/// The requests as text, for `print=requests`.
pub fn text(requests: &[Request]) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for r in requests {
        let v = &r.variant;
        let arguments: Vec<String> = v.arguments.iter().map(|a| format!("{a:?}").to_lowercase()).collect();
        let _ = write!(out, "  in {}: {:?} {}(", r.call.block().function().name(), v.mode, v.function);
        let _ = write!(out, "{})", arguments.join(", "));
        for (set, word) in [(v.active_return, " active_return"), (v.primal_return, " primal_return")] {
            out += if set { word } else { "" };
        }
        if v.width != 1 {
            let _ = write!(out, " width {}", v.width);
        }
        out.push('\n');
    }
    out
}

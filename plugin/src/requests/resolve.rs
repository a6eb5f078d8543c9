//! Which constant is behind an operand, at any optimisation level?
//!
//! Without optimisation a function or a marker reaches its call through casts and local
//! variables. What is written once is followed back; nothing else is guessed.

use crate::llvm::ir::Value;
use llvm_sys::LLVMOpcode::*;

const DEPTH: usize = 16;

/// What `value` is a copy of: a constant, an argument or an instruction that computes something.
/// A load of a global variable is left as it is.
pub fn origin(value: Value) -> Value {
    let mut value = value;
    for _ in 0..DEPTH {
        match step(value) {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

fn step(value: Value) -> Option<Value> {
    if let Some(aliasee) = value.aliasee() {
        return Some(aliasee);
    }
    let opcode = match value.as_instruction() {
        Some(instruction) => instruction.opcode(),
        None => value.constant_opcode()?,
    };
    match opcode {
        LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast | LLVMTrunc | LLVMZExt | LLVMSExt
        | LLVMFreeze => value.operand(0),
        LLVMLoad => loaded(origin(value.operand(0)?)),
        LLVMCall | LLVMInvoke => returned(value.callee().as_function()?),
        _ => None,
    }
}

/// The constant that a function returns: the conversion of a C++ lambda to a function pointer.
fn returned(function: Value) -> Option<Value> {
    let [block] = function.blocks()[..] else { return None };
    let end = block.terminator().filter(|t| t.opcode() == LLVMRet)?;
    let result = origin(end.operand(0)?);
    result.as_function()
}

/// What a load of `place` gives, where that is one value.
fn loaded(place: Value) -> Option<Value> {
    if place.is_constant_global() {
        return place.initializer();
    }
    place.as_instruction().filter(|i| i.opcode() == LLVMAlloca)?;
    let mut stored = None;
    for user in place.users() {
        match user.opcode() {
            LLVMLoad => {}
            LLVMStore if user.operand(1) == Some(place) && stored.is_none() => stored = user.operand(0),
            LLVMCall if user.callee().name().starts_with("llvm.lifetime.") => {}
            _ => return None,
        }
    }
    stored
}

/// The global variable whose name an operand passes: itself, or the one it is loaded from.
pub fn named_global(value: Value) -> Option<Value> {
    let value = origin(value);
    if value.as_global().is_some() || value.as_function().is_some() {
        return Some(value);
    }
    let load = value.as_instruction().filter(|i| i.opcode() == LLVMLoad)?;
    origin(load.operand(0)?).as_global()
}

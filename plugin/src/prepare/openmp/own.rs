//! Which memory is a thread's own?

use super::called;
use super::constructs::MAKE_TASK;
use crate::allocation;
use crate::llvm::ir::{Kind, Value};
use crate::primal::Op;
use indexmap::IndexSet;
use llvm_sys::LLVMOpcode::*;

/// All that may be behind a pointer, without steps inside it.
pub(super) fn bases(pointer: Value) -> IndexSet<Value> {
    let (mut work, mut seen, mut found) = (vec![pointer], IndexSet::new(), IndexSet::new());
    while let Some(p) = work.pop() {
        if !seen.insert(p) {
            continue;
        }
        match p.as_instruction() {
            Some(i) if matches!(i.opcode(), LLVMGetElementPtr | LLVMAddrSpaceCast | LLVMBitCast) => {
                work.extend(i.operand(0))
            }
            Some(i) if i.opcode() == LLVMPHI => work.extend(i.incoming().into_iter().map(|(v, _)| v)),
            Some(i) if i.opcode() == LLVMSelect => work.extend([1, 2].into_iter().filter_map(|n| i.operand(n))),
            _ => {
                found.insert(p);
            }
        }
    }
    found
}

/// What is behind a pointer; what chooses between several is behind itself.
pub(super) fn base(pointer: Value) -> Value {
    let found = bases(pointer);
    if found.len() == 1 { found[0] } else { pointer }
}

/// Whether memory is the thread's own.
pub(super) fn is_own(pointer: Value) -> bool {
    is_own_within(pointer, &mut IndexSet::new())
}

/// The same; `assumed` are variables that hold pointers to memory of the thread's own only.
fn is_own_within(pointer: Value, assumed: &mut IndexSet<Value>) -> bool {
    let base = base(pointer);
    let Some(i) = base.as_instruction() else { return false };
    let allocated = |f: Value| f.name() == MAKE_TASK || allocation::of(f).is_some_and(|known| known.op != Op::Free);
    match i.opcode() {
        LLVMAlloca => true,
        LLVMCall | LLVMInvoke => i.callee().as_function().is_some_and(allocated),
        LLVMLoad => i.operand(0).is_some_and(|from| holds_own(self::base(from), assumed)),
        _ => false,
    }
}

/// Whether a variable holds pointers to memory of the thread's own only: nothing but loads and stores gets its address.
fn holds_own(variable: Value, assumed: &mut IndexSet<Value>) -> bool {
    if variable.as_instruction().is_none_or(|i| i.opcode() != LLVMAlloca) {
        return false;
    }
    if !assumed.insert(variable) {
        return true;
    }
    let (mut work, mut seen) = (vec![variable], IndexSet::new());
    while let Some(address) = work.pop() {
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            let held = user.operand(0).expect("what has a user is its operand");
            let fits = match user.opcode() {
                LLVMLoad | LLVMICmp => true,
                LLVMGetElementPtr => {
                    work.push(user);
                    true
                }
                LLVMStore if held == address => false,
                LLVMStore => held.is_constant() || held.ty().kind() != Kind::Pointer || is_own_within(held, assumed),
                LLVMCall => called(user).starts_with("llvm.memset") || called(user).starts_with("llvm.lifetime"),
                _ => false,
            };
            if !fits {
                return false;
            }
        }
    }
    true
}

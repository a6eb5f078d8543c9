//! Which functions can a function reach, as far as constants show?

use crate::allocation;
use crate::library;
use crate::llvm::ir::Value;
use crate::registered::{self, LIKE};
use indexmap::IndexSet;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};

/// The function itself, and every function named in the body of one that is reached.
pub fn reachable(function: Value) -> IndexSet<Value> {
    let mut reached = IndexSet::from([function]);
    let mut next = 0;
    while let Some(&function) = reached.get_index(next) {
        next += 1;
        for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            for operand in (0..instruction.operand_count()).filter_map(|i| instruction.operand(i)) {
                let target = operand.aliasee().unwrap_or(operand);
                reached.extend(target.as_function());
            }
        }
    }
    reached
}

/// Whether something that `function` reaches has neither a body nor a row here, or may be known by a pointer only.
pub fn lacks_definition(function: Value) -> bool {
    reachable(function).into_iter().any(|f| {
        let name = f.name();
        let known =
            library::is_known(&name) || allocation::of(f).is_some() || registered::stays(f) || f.mark(LIKE).is_some();
        f.is_declaration() && !name.starts_with("llvm.") && !known || calls_a_pointer(f)
    })
}

fn calls_a_pointer(function: Value) -> bool {
    let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
    instructions.any(|i| {
        let call = matches!(i.opcode(), LLVMCall | LLVMInvoke);
        call && !i.callee().is_inline_asm() && i.callee().aliasee().unwrap_or(i.callee()).as_function().is_none()
    })
}

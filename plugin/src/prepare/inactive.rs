//! What is loaded from variables of which the program says that they have no derivative?
//!
//! Passes that see a store and a load of the same place put the stored number for the loaded one, with the derivative that
//! it has. Each such load is therefore read through a call that nothing sees through and that has no derivative. The
//! calls stay in generated code, for derivatives of that, and end with the run.

use crate::finish;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Module, Value};
use crate::registered::INACTIVE;
use llvm_sys::LLVMOpcode::{LLVMGetElementPtr, LLVMLoad};

/// Start of the names of functions that return their argument; the type follows.
const BARRIER: &str = "__pardiff_inactive_number.";

/// How many pointers are followed from a variable.
const DEPTH: usize = 8;

/// Whether a function uses such a variable.
pub fn has_work(module: Module, clone: Value) -> bool {
    let used = |global: &Value| global.users().iter().any(|user| stands_in(*user, clone));
    module.globals().iter().any(|g| g.has_variable_mark(INACTIVE) && used(g))
}

fn stands_in(user: Value, clone: Value) -> bool {
    match user.as_instruction() {
        Some(i) => i.block().function() == clone,
        None => user.is_constant() && user.users().iter().any(|u| stands_in(*u, clone)),
    }
}

/// Puts barriers behind loads; those of rounds before stay as they are.
pub fn put_barriers(module: Module, clone: Value) {
    let loads = clone.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == LLVMLoad);
    for load in loads.filter(|l| l.ty().kind().is_float() && leads_back(l.operand(0), DEPTH)) {
        let users: Vec<Value> = load.users();
        let next = load.next_instruction().expect("a load ends no block");
        let name = format!("{BARRIER}{}", load.ty().text());
        let barrier = module.declare(&name, load.ty().function(&[load.ty()]));
        let builder = Builder::new(module);
        builder.before(next);
        builder.locate_like(load);
        let number = builder.call(barrier, &[load]);
        for attribute in [c"memory", c"nounwind", c"willreturn"] {
            number.add_call_attribute(attribute, 0);
        }
        for user in users {
            for n in (0..user.operand_count()).filter(|n| user.operand(*n) == Some(load)) {
                user.set_operand(n, number);
            }
        }
    }
}

/// Whether an address is in such a variable, or in memory that one leads to.
fn leads_back(address: Option<Value>, depth: usize) -> bool {
    let Some(address) = address else { return false };
    if address.as_global().is_some() {
        return address.has_variable_mark(INACTIVE);
    }
    let opcode = address.as_instruction().map(Value::opcode).or(address.constant_opcode());
    depth > 0 && matches!(opcode, Some(LLVMGetElementPtr | LLVMLoad)) && leads_back(address.operand(0), depth - 1)
}

/// Takes the barriers out of what was generated.
pub fn settle(module: Module) {
    for barrier in module.functions().into_iter().filter(|f| f.name().starts_with(BARRIER)) {
        for call in barrier.users().into_iter().filter(|u| u.as_instruction().is_some()) {
            call.replace_uses(call.call_arguments()[0]);
            finish::remove_call(module, call);
        }
        barrier.delete_function();
    }
}

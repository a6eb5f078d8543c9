//! How many terms has a truncated series whose derivative is taken?
//!
//! `__pardiff_iter(n, k)` is `n` in the program itself and grows by `k` with each derivative, so that a series that
//! loses terms by being differentiated has as many as before. A clone counts once more than what it is a copy of: the
//! calls stay in generated code for derivatives of that, and end with the run.

use crate::finish;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Value};
use crate::problem::{Code, Problem};
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};

const STEMS: [&str; 2] = ["__pardiff_iter", "__enzyme_iter"];

fn is_count(function: Value) -> bool {
    function.is_declaration() && STEMS.iter().any(|stem| function.name().contains(stem))
}

fn is_call(i: &Value) -> bool {
    matches!(i.opcode(), LLVMCall | LLVMInvoke) && i.callee().as_function().is_some_and(is_count)
}

fn calls_in(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_call)
}

/// The number of terms and what it grows by, of a call that has the type of its result.
fn operands(call: Value) -> Option<(Value, Value)> {
    match call.call_arguments()[..] {
        [count, more] if count.ty() == call.ty() && [count, more].iter().all(|v| is_integer(*v)) => Some((count, more)),
        _ => None,
    }
}

fn is_integer(value: Value) -> bool {
    matches!(value.ty().kind(), Kind::Int(_))
}

/// Counts one derivative more in a clone.
pub fn grow(module: Module, clone: Value) -> Result<(), Vec<Problem>> {
    let mut problems = vec![];
    for call in calls_in(clone) {
        let Some((count, more)) = operands(call) else {
            let text = format!(
                "'{}' takes two integers, the number of terms and how many a derivative needs more, and returns the \
                 type of the first",
                call.callee().name()
            );
            problems.push(Problem::at(Code::BadRequest, call, text));
            continue;
        };
        let builder = Builder::new(module);
        builder.before(call);
        builder.locate_like(call);
        // Passes may move it before the loop that it bounds.
        for attribute in [c"memory", c"nounwind", c"willreturn"] {
            call.add_call_attribute(attribute, 0);
        }
        call.set_operand(0, builder.add(count, builder.int_cast(more, count.ty(), true)));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Puts the number of terms in place of each call; true where there was one.
pub fn settle(module: Module) -> bool {
    let mut changed = false;
    for function in module.functions().into_iter().filter(|f| is_count(*f)) {
        let calls: Vec<Value> =
            function.users().into_iter().filter(|u| u.as_instruction().is_some() && is_call(u)).collect();
        for call in calls {
            if let Some((count, _)) = operands(call) {
                call.replace_uses(count);
                finish::remove_call(module, call);
                changed = true;
            }
        }
        if function.users().is_empty() {
            function.delete_function();
        }
    }
    changed
}

//! Replaces one marker call by a call of generated code.

use super::convert;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Module, Value};
use crate::problem::Problem;
use crate::request::{Mode, Request};
use llvm_sys::LLVMOpcode::LLVMInvoke;

/// Calls `generated` where the marker was called. The marker call itself stays, unused, for
/// `remove_call`.
pub fn replace(module: Module, request: &Request, generated: Value) -> Result<(), Problem> {
    let builder = Builder::new(module);
    builder.before(request.call);
    builder.locate_like(request.call);
    let mut arguments = Vec::new();
    let parameters = request.function.parameters();
    for (index, (primal, shadows)) in request.operands.iter().enumerate() {
        let to = parameters[index].ty();
        for value in std::iter::once(primal).chain(shadows) {
            arguments.push(convert::argument(&builder, request, index, *value, to)?);
        }
    }
    if request.variant.mode == Mode::Reverse && request.variant.active_return {
        arguments.push(request.function.return_type().real(1.0));
    }
    let result = builder.call(generated, &arguments);
    convert::result(&builder, request, result)
}

/// Erases a marker call; what still uses its result gets poison.
pub fn remove_call(module: Module, call: Value) {
    if !call.users().is_empty() {
        call.replace_uses(call.ty().poison());
    }
    if call.opcode() == LLVMInvoke {
        let normal = call.normal_destination();
        let here = call.block();
        call.unwind_destination().remove_predecessor(here);
        let builder = Builder::new(module);
        builder.before(call);
        builder.locate_like(call);
        builder.jump(normal);
    }
    call.erase();
}

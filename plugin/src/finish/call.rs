//! Replaces one marker call by a call of generated code.

use super::convert;
use crate::callees::Generated;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Module, Type, Value};
use crate::problem::Problem;
use crate::request::{Mode, Request, Tape};
use indexmap::IndexMap;
use llvm_sys::LLVMOpcode::LLVMInvoke;

/// What stands now for the results of marker calls that are erased: later requests may have them as operands.
pub type Replaced = IndexMap<Value, Value>;

/// Calls `generated` where the marker was called, and erases the marker call.
pub fn replace(
    module: Module,
    request: &Request,
    generated: Generated,
    replaced: &mut Replaced,
) -> Result<(), Problem> {
    let now = |value: Value| replaced.get(&value).copied().unwrap_or(value);
    let generated = match (generated, request.variant.mode) {
        (Generated::Whole(function), _) => function,
        (Generated::Split { reverse, .. }, Mode::SplitReverse) => reverse,
        (Generated::Split { forward, .. }, _) => forward,
    };
    let builder = Builder::new(module);
    builder.before(request.call);
    builder.locate_like(request.call);
    let mut arguments = Vec::new();
    let parameters = request.function.parameters();
    for (index, (primal, shadows)) in request.operands.iter().enumerate() {
        let to = parameters[index].ty();
        for value in std::iter::once(primal).chain(shadows) {
            let value = convert::argument(&builder, request, index, now(*value), to)?;
            arguments.push(match request.function.parameter_type(index as u32, c"byval") {
                Some(object) => copy(module, request, value, object),
                None => value,
            });
        }
    }
    if request.variant.mode == Mode::Reverse && request.variant.active_return {
        arguments.push(request.function.return_type().real(1.0));
    }
    if request.variant.mode == Mode::SplitReverse {
        if let Some(seed) = request.seed {
            arguments.push(convert::seed(&builder, request, now(seed))?);
        }
        match request.tape {
            Tape::Given(tape) => arguments.push(now(tape)),
            Tape::Kept(buffer) => {
                let tape = builder.load(module.pointer(), now(buffer));
                tape.set_alignment(1);
                arguments.push(tape);
            }
            Tape::Returned => {}
        }
    }
    let mut result = builder.call(generated, &arguments);
    if request.call.opcode() == LLVMInvoke && !generated.has_attribute(c"nounwind") {
        result = result.into_invoke_like(request.call);
        builder.before(request.call);
        builder.locate_like(request.call);
    }
    if let (Tape::Kept(buffer), Mode::AugmentedForward) = (request.tape, request.variant.mode) {
        builder.store(builder.extract(result, 0), now(buffer)).set_alignment(1);
    }
    let value = convert::result(&builder, request, result)?;
    replaced.extend(value.map(|value| (request.call, value)));
    remove_call(module, request.call);
    Ok(())
}

/// A copy of a struct that is passed by value, which the function may change.
fn copy(module: Module, request: &Request, value: Value, object: Type) -> Value {
    let entry = request.call.block().function().blocks()[0];
    let at_entry = Builder::new(module);
    at_entry.before(entry.instructions()[0]);
    let place = at_entry.alloca(object, "");
    let here = Builder::new(module);
    here.before(request.call);
    here.locate_like(request.call);
    let size = module.int(64).int(module.size_of(object) as i64);
    let overloads = [module.pointer(), module.pointer(), module.int(64)];
    here.intrinsic("llvm.memcpy", &overloads, &[place, value, size, module.int(1).zero()]);
    place
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

//! Puts generated code in place of requests, and tells the user what could not be done.

mod call;
mod convert;
mod report;

pub use call::{Replaced, remove_call, replace};
pub use report::report;

use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;
use crate::prepare::LARGE;
use crate::problem::{Code, Problem};
use llvm_sys::LLVMOpcode::LLVMCall;

/// Variables become values: the same at every level of the host, since without it -O0 would run code as naive as we emit it.
const VALUES: &str = "promote,sroa";

/// What comes after it.
const CLEAN_UP: &str = concat!(
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,",
    "loop-simplify,lcssa,loop-mssa(licm),gvn,dse,adce,loop(loop-deletion),",
    "instcombine<no-verify-fixpoint>,simplifycfg",
);

/// The same without what asks for each loop or load about all that is before it.
const CLEAN_UP_LARGE: &str = concat!(
    "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,",
    "gvn<no-memdep>,dse,adce,instcombine<no-verify-fixpoint>,simplifycfg",
);

/// Instructions beyond which a function is split.
const MOST: u32 = 12_000;
/// Instructions that a part of it has at least.
const PART: u32 = 2_000;

/// Completes a generated function: attributes and source lines like those of `original`, the
/// runtime it calls, a clean-up, LLVM's verifier. Returns the functions that it is now made of: parts of it first.
pub fn finish(module: Module, analyses: Analyses, generated: Value, original: Value) -> Result<Vec<Value>, Problem> {
    let fault =
        |what: &str, wrong: String| Problem::new(Code::Internal, format!("'{}': {what}: {wrong}", generated.name()));
    generated.set_internal();
    transform::set_generated_attributes(generated, original);
    transform::adopt_locations(generated, original);
    transform::verify(generated).map_err(|e| fault("the generated function does not verify", e))?;
    add_runtime(module, analyses, generated)?;
    transform::run_pipeline(analyses, generated, VALUES).map_err(|e| fault("pipeline", e))?;
    let mut functions = transform::split(analyses, generated, MOST, PART);
    functions.push(generated);
    for &function in &functions {
        let passes = if function.blocks().len() > LARGE { CLEAN_UP_LARGE } else { CLEAN_UP };
        transform::run_pipeline(analyses, function, passes).map_err(|e| fault("pipeline", e))?;
        transform::verify(function).map_err(|e| fault("the function does not verify after clean-up", e))?;
    }
    Ok(functions)
}

/// Links the runtime functions that `generated` calls, and inlines those that are made for it.
fn add_runtime(module: Module, analyses: Analyses, generated: Value) -> Result<(), Problem> {
    let calls: Vec<Value> = generated
        .blocks()
        .iter()
        .flat_map(|b| b.instructions())
        .filter(|i| i.opcode() == LLVMCall && i.callee().name().starts_with("__pardiff_"))
        .collect();
    if calls.iter().any(|call| call.callee().is_declaration()) {
        transform::link_runtime(module).map_err(|wrong| Problem::new(Code::UnsupportedRequest, wrong))?;
    }
    for call in calls.into_iter().filter(|call| call.callee().has_attribute(c"alwaysinline")) {
        transform::inline_call(analyses, call).map_err(|wrong| Problem::new(Code::Internal, wrong))?;
    }
    Ok(())
}

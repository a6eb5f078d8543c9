//! OpenMP: in clones, one thread does the work of a team, in the order of the program.
//!
//! A parallel region is a call of the runtime with a function that each thread runs. Its clone is called once instead, loops
//! give all their iterations to that call, and tasks run where they are made. That is one of the orders which the program
//! allows, if all that the threads do together is in constructs of which each part runs once, or is a sum that each adds its
//! own share to. `regions` tests that; what does not pass is refused.

mod carried;
mod constructs;
mod effects;
mod own;
mod regions;

use super::{CLONE, Steps, inline};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Module, Value};
use crate::llvm::report;
use crate::llvm::transform;
use crate::problem::{Code, Problem};
use indexmap::IndexMap;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};

/// Starts a team; the function that it runs is the third argument, what that is passed comes after it.
const FORK: &str = "__kmpc_fork_call";

/// The same under a condition, which is the fourth argument; the function takes one pointer.
const FORK_IF: &str = "__kmpc_fork_call_if";

/// Marks what threads run where the user has been told that derivatives do not run in parallel.
const SAID: &str = "pardiff-runs-alone";

/// How deep constructs may be inside each other.
const ROUNDS: usize = 16;

/// Local variables become values, and each branch stays where it is.
const VALUES: &str = "promote,sroa,early-cse,instsimplify";

pub(super) fn calls_in(function: Value) -> impl Iterator<Item = Value> {
    let is_call = |i: &Value| matches!(i.opcode(), LLVMCall | LLVMInvoke);
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_call)
}

/// Name of the function that a call names, empty for calls through pointers.
fn called(call: Value) -> String {
    call.callee().as_function().map(|f| f.name()).unwrap_or_default()
}

/// A region that is to be entered: the call, and what each thread runs.
fn entered(call: Value) -> Option<Value> {
    if matches!(called(call).as_str(), FORK | FORK_IF) {
        return call.call_arguments().get(2)?.as_function();
    }
    // Where the condition of a region does not hold, the thread calls the function itself.
    call.callee().as_function().filter(|f| is_region(*f))
}

fn entered_by_fork(instruction: Value) -> Option<Value> {
    let is_fork = instruction.opcode() == LLVMCall && matches!(called(instruction).as_str(), FORK | FORK_IF);
    is_fork.then(|| instruction.call_arguments().get(2)?.as_function()).flatten()
}

/// Whether a function is what the threads of a region run.
pub fn is_region(function: Value) -> bool {
    // As compilers name them.
    let may_be = function.name().contains("omp");
    may_be && function.users().into_iter().any(|user| user.as_instruction().and_then(entered_by_fork) == Some(function))
}

/// Whether a function enters a parallel region.
pub fn has_work(clone: Value) -> bool {
    calls_in(clone).any(|call| entered(call).is_some())
}

/// Lets calls that enter parallel regions run them on one thread.
pub fn enter(steps: &Steps) -> Result<(), Vec<Problem>> {
    let mut made = IndexMap::new();
    enter_regions(steps, &mut made, ROUNDS)?;
    steps.clone.set_mark(ENTERED, "");
    let around: Vec<Value> = calls_in(steps.clone).filter(|call| AROUND.contains(&called(*call).as_str())).collect();
    for call in around {
        if !call.users().is_empty() {
            call.replace_uses(call.ty().zero());
        }
        call.erase();
    }
    Ok(())
}

/// Marks a clone that has entered a region.
const ENTERED: &str = "pardiff-region";

/// Calls that say something of regions to come, or of the thread that starts them.
const AROUND: [&str; 5] = [
    "__kmpc_global_thread_num",
    "__kmpc_push_num_threads",
    "__kmpc_push_proc_bind",
    "__kmpc_serialized_parallel",
    "__kmpc_end_serialized_parallel",
];

/// Refuses what is left of OpenMP once regions are entered: parts of a region that the program has started before.
pub fn refuse_rest(clone: Value) -> Result<(), Vec<Problem>> {
    let is_part = |name: &str| name.starts_with("__kmpc_") && !AROUND.contains(&name);
    let rest = calls_in(clone).filter(|call| is_part(&called(*call)));
    let refused = |call: Value| {
        let name = called(call);
        let known = pardiff_runtime::has_body(pardiff_runtime::ALONE, &name);
        let place = if known { " outside the parallel regions of the function to differentiate" } else { "" };
        let text = format!("an OpenMP construct ('{name}'){place} is not supported yet");
        Problem::at(Code::ParallelRegion, call, text)
    };
    let mut problems: Vec<Problem> = rest.map(refused).collect();
    if clone.mark(ENTERED).is_some() {
        clone.remove_mark(ENTERED);
        let asks = |name: &str| name.starts_with("omp_") && !effects::is_same_for_one(name);
        problems.extend(calls_in(clone).filter(|call| asks(&called(*call))).map(|call| {
            let text = "work that depends on the number of a thread, or how many there are, is not supported yet";
            Problem::at(Code::ParallelRegion, call, text)
        }));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// What each thread runs, and the clone of it for one.
type Made = IndexMap<Value, Value>;

fn enter_regions(steps: &Steps, made: &mut Made, depth: usize) -> Result<(), Vec<Problem>> {
    let module = steps.module;
    let calls: Vec<Value> = calls_in(steps.clone).collect();
    for call in calls {
        let Some(function) = entered(call) else { continue };
        let region = match made.get(&function) {
            Some(&region) => region,
            None if depth == 0 || function.is_declaration() => {
                let text = "this parallel region is inside too many others, or is not defined here";
                return Err(vec![Problem::at(Code::ParallelRegion, call, text)]);
            }
            None => {
                let region = one_thread(steps, function, made, depth)?;
                if function.mark(SAID).is_none() {
                    function.set_mark(SAID, "");
                    let text =
                        "derivatives of this parallel region run on one thread; parallel ones are not generated yet";
                    report::warn(steps.original, call, text);
                }
                if function.mark(SAID).is_none() {
                    function.set_mark(SAID, "");
                    let text =
                        "derivatives of this parallel region run on one thread; parallel ones are not generated yet";
                    report::warn(steps.original, call, text);
                }
                made.insert(function, region);
                region
            }
        };
        run(module, call, region);
    }
    transform::invalidate(steps.analyses, steps.clone);
    Ok(())
}

/// A clone of what each thread of a region runs, for one thread.
fn one_thread(steps: &Steps, function: Value, made: &mut Made, depth: usize) -> Result<Value, Vec<Problem>> {
    let clone = transform::clone_function(function, &format!("{CLONE}{}", function.name()));
    let own = Steps { original: function, clone, ..*steps };
    inline::inline_all(own.module, own.analyses, function, clone)?;
    own.tidy()?;
    own.pipeline(VALUES)?;
    for (header, schedule) in regions::check(clone)? {
        transform::mark_parallel(header, schedule as u32 + 1);
    }
    for _ in 0..ROUNDS {
        enter_regions(&own, made, depth - 1)?;
        constructs::rewrite(own.module, clone)?;
        inline::give_bodies(own.module, clone, pardiff_runtime::ALONE)?;
        inline::inline_all(own.module, own.analyses, function, clone)?;
        if !has_work(clone) && !constructs::has_work(clone) {
            break;
        }
        own.tidy()?;
    }
    constructs::settle_updates(own.module, clone);
    own.pipeline("lower-atomic")?;
    Ok(clone)
}

/// Puts a call of the region for one thread in place of one that enters it.
fn run(module: Module, call: Value, region: Value) {
    let name = called(call);
    let arguments = call.call_arguments();
    let own = match name.as_str() {
        FORK => &arguments[3..],
        FORK_IF => &arguments[4..],
        _ => return call.set_operand(call.operand_count() - 1, region),
    };
    let builder = Builder::new(module);
    builder.before(first(call.block().function()));
    let number = module.int(32);
    let thread = builder.alloca(number, "thread");
    builder.before(call);
    builder.locate_like(call);
    builder.store(number.zero(), thread);
    // Numbers of the thread, which is the first, in the program and in its team.
    let all: Vec<Value> = [thread, thread].iter().chain(own).copied().collect();
    builder.call(region, &all);
    call.erase();
}

/// The first instruction of a function.
fn first(function: Value) -> Value {
    function.blocks()[0].instructions()[0]
}

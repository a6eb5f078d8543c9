//! The whole course of things, for one module.

use crate::derive;
use crate::fault;
use crate::finish;
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;
use crate::options::{Given, Options, Phase};
use crate::prepare;
use crate::problem::Problem;
use crate::request::{Request, Variant};
use crate::requests::{self, Found};

/// Where in a compilation the pass runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Asked for by name (`opt -passes=pardiff`).
    Explicit,
    /// At the start of the host's pipeline; under LTO what lacks a definition is left for the link.
    Start,
    /// At link time: every definition that there will be is here.
    Link,
}

/// Replaces every request of a module by generated code; true where the module was changed.
pub fn run(module: Module, analyses: Analyses, given: &Given, stage: Stage) -> bool {
    requests::inline_wrappers(module, analyses);
    let mut found = requests::find(module);
    let (options, mut problems) = Options::read(given);
    if found.calls.is_empty() && problems.is_empty() {
        return false;
    }
    if stage == Stage::Start && compiles_for_link(module) {
        leave_for_link(&mut found);
    }
    options.print(Phase::Requests, "the module", || requests::text(&found.requests));
    problems.append(&mut found.problems);
    // Problems point into prepared functions: these live until all is reported.
    let mut clones = Vec::new();
    let mut finished = Vec::new();
    let mut pending = by_variant(&found.requests);
    while let Some((variant, calls)) = next(&mut pending) {
        match fault::guarded(&variant.function, || generate(module, analyses, calls[0].function, &variant, &options, &mut clones)) {
            Ok(generated) => {
                finished.push(generated);
                for request in calls {
                    match finish::replace(module, request, generated) {
                        Ok(()) => found.calls.retain(|call| *call != request.call),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            Err(mut more) => {
                for problem in more.iter_mut().filter(|p| p.at.is_none()) {
                    problem.at = Some(calls[0].call);
                }
                problems.append(&mut more);
            }
        }
    }
    finish::report(module, &problems);
    delete_rest(module, analyses, clones, &finished);
    for call in found.calls {
        finish::remove_call(module, call);
    }
    if !found.left {
        requests::erase_markers(module);
    }
    true
}

/// Deletes the clones, and what a failure may have left half made.
fn delete_rest(module: Module, analyses: Analyses, clones: Vec<Value>, finished: &[Value]) {
    for function in clones {
        transform::delete_function(analyses, function);
    }
    let ours = |f: &Value| f.name().starts_with("pardiff.") && !finished.contains(f);
    let (declared, defined): (Vec<Value>, Vec<Value>) =
        module.functions().into_iter().filter(ours).partition(|f| f.is_declaration());
    for function in defined.into_iter().chain(declared) {
        transform::delete_function(analyses, function);
    }
}

/// Requests that share one generated function, in order of their first call.
type Group<'a> = (Variant, Vec<&'a Request>);

fn by_variant(requests: &[Request]) -> Vec<Group<'_>> {
    let mut groups: indexmap::IndexMap<Variant, Vec<&Request>> = indexmap::IndexMap::new();
    for request in requests {
        groups.entry(request.variant.clone()).or_default().push(request);
    }
    groups.into_iter().collect()
}

/// Takes the first group whose function reaches no request that is still to be replaced: a gradient of
/// a gradient comes after the gradient.
fn next<'a>(pending: &mut Vec<Group<'a>>) -> Option<Group<'a>> {
    let callers: Vec<Value> =
        pending.iter().flat_map(|(_, calls)| calls.iter().map(|r| r.call.block().function())).collect();
    let ready = pending.iter().position(|(_, calls)| {
        let reached = requests::reachable(calls[0].function);
        !callers.iter().any(|caller| reached.contains(caller))
    });
    match ready {
        _ if pending.is_empty() => None,
        Some(index) => Some(pending.remove(index)),
        // A function that differentiates itself: inlining says so.
        None => Some(pending.remove(0)),
    }
}

/// Whether the module is compiled for a link that optimises the program as a whole.
fn compiles_for_link(module: Module) -> bool {
    module.has_flag("ThinLTO") || module.has_flag("EnableSplitLTOUnit")
}

/// Leaves requests that reach something without a definition here for the link, where it may have one.
fn leave_for_link(found: &mut Found) {
    let (left, requests) =
        std::mem::take(&mut found.requests).into_iter().partition(|r| requests::lacks_definition(r.function));
    let left: Vec<Request> = left;
    found.requests = requests;
    found.left = !left.is_empty();
    found.calls.retain(|call| left.iter().all(|r| r.call != *call));
}

/// The generated function of one variant.
fn generate(
    module: Module,
    analyses: Analyses,
    function: Value,
    variant: &Variant,
    options: &Options,
    clones: &mut Vec<Value>,
) -> Result<Value, Vec<Problem>> {
    let prepared = prepare::prepare(module, analyses, function, options)?;
    clones.push(prepared.function);
    options.print(Phase::Prepare, &variant.function, || prepared.function.text());
    let derived = derive::derive(module, analyses, &prepared, variant, options);
    derived.and_then(|generated| {
        finish::finish(module, analyses, generated, function).map_err(|problem| {
            clones.push(generated);
            vec![problem]
        })?;
        options.print(Phase::Emit, &variant.function, || generated.text());
        Ok(generated)
    })
}

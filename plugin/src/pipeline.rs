//! The whole course of things, for one module.

use crate::callees::{Callees, Generated};
use crate::derive;
use crate::fault;
use crate::finish;
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;
use crate::options::{Given, Options, Phase};
use crate::prepare;
use crate::problem::Problem;
use crate::registered::{self, adapter};
use crate::request::{Request, Variant};
use crate::requests::{self, Found};
use indexmap::{IndexMap, IndexSet};

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
    let changed = serve_all(module, analyses, given, stage);
    let later = stage == Stage::Start && compiles_for_link(module);
    prepare::settle(module, !later) | link_called(module) | changed
}

/// Links what the program itself calls of the runtime; true where there is something. Where it does not link, the
/// symbol is left to the linker, which reports it.
fn link_called(module: Module) -> bool {
    let called = module.function(pardiff_runtime::KEEP_MEMORY);
    called.is_some_and(|f| f.is_declaration() && !f.users().is_empty()) && transform::link_runtime(module).is_ok()
}

fn serve_all(module: Module, analyses: Analyses, given: &Given, stage: Stage) -> bool {
    let before = ours(module);
    if stage == Stage::Start && compiles_for_link(module) {
        registered::keep_apart(module);
    }
    requests::inline_wrappers(module, analyses);
    requests::answer_sizes(module);
    let mut found = requests::find(module);
    let (options, problems) = Options::read(given);
    if found.calls.is_empty() && problems.is_empty() {
        return false;
    }
    let (registered, mut wrong) = registered::read(module);
    if stage == Stage::Start && compiles_for_link(module) {
        leave_for_link(&mut found);
    }
    options.print(Phase::Requests, "the module", || requests::text(&found.requests));
    let callees = Callees::new(module, analyses, &options, registered);
    let (built, replaced) = (vec![], finish::Replaced::new());
    let mut run = Run { module, analyses, problems, kept: before, unserved: found.calls, callees, built, replaced };
    run.problems.append(&mut found.problems);
    run.problems.append(&mut wrong);
    let mut pending = by_variant(&found.requests);
    while let Some(group) = next(&mut pending) {
        run.serve(&group);
    }
    // Problems point into clones: these live until all is reported.
    finish::report(module, &run.problems);
    run.clean_up();
    registered::forget(module);
    if !found.left {
        requests::erase_markers(module);
    }
    true
}

/// The functions of our making.
fn ours(module: Module) -> Vec<Value> {
    module.functions().into_iter().filter(|f| f.name().starts_with("pardiff.")).collect()
}

/// Requests that share one generated function, in order of their first call.
struct Group<'a> {
    variant: Variant,
    calls: Vec<&'a Request>,
    /// What the function to differentiate can reach.
    reached: IndexSet<Value>,
}

impl Group<'_> {
    fn function(&self) -> Value {
        self.calls[0].function
    }
    /// Whether one of these calls is in a function that is reached.
    fn reaches(&self, mut calls: impl Iterator<Item = Value>) -> bool {
        calls.any(|call| self.reached.contains(&call.block().function()))
    }
}

fn by_variant(requests: &[Request]) -> Vec<Group<'_>> {
    let mut groups: IndexMap<Variant, Vec<&Request>> = IndexMap::new();
    for request in requests {
        groups.entry(request.variant.clone()).or_default().push(request);
    }
    let group = |(variant, calls): (Variant, Vec<_>)| {
        let first: &Request = calls[0];
        Group { variant, reached: requests::reachable(first.function), calls }
    };
    groups.into_iter().map(group).collect()
}

/// Takes the first group whose function reaches no request that is still to be replaced: a gradient of
/// a gradient comes after the gradient.
fn next<'a>(pending: &mut Vec<Group<'a>>) -> Option<Group<'a>> {
    let waits = |group: &Group| group.reaches(pending.iter().flat_map(|g| g.calls.iter().map(|r| r.call)));
    match pending.iter().position(|group| !waits(group)) {
        _ if pending.is_empty() => None,
        // A function that differentiates itself comes first of those that wait for each other.
        ready => Some(pending.remove(ready.unwrap_or(0))),
    }
}

/// One run over a module.
struct Run<'a> {
    module: Module,
    analyses: Analyses,
    problems: Vec<Problem>,
    /// Functions of our making that stay.
    kept: Vec<Value>,
    /// Marker calls that are not replaced.
    unserved: Vec<Value>,
    /// Functions that stay calls.
    callees: Callees<'a>,
    /// Generated functions that are complete.
    built: Vec<Value>,
    /// What stands for marker calls that are replaced.
    replaced: finish::Replaced,
}

impl Run<'_> {
    /// Generates the function of a group and calls it in place of each request.
    fn serve(&mut self, group: &Group) {
        // Requests of the group's own that the function reaches mean recursion, which is reported below.
        let own = |call: &Value| group.calls.iter().any(|r| r.call == *call);
        if group.reaches(self.unserved.iter().copied().filter(|call| !own(call))) && !self.problems.is_empty() {
            return;
        }
        let before = self.built.len();
        match fault::guarded(&group.variant.function, || self.generate(group)) {
            Ok(generated) => {
                for request in &group.calls {
                    match finish::replace(self.module, request, generated, &mut self.replaced) {
                        Ok(()) => self.unserved.retain(|call| *call != request.call),
                        Err(problem) => self.problems.push(problem),
                    }
                }
            }
            Err(mut more) => {
                // What was built for this group may call what was not.
                self.built.truncate(before);
                self.callees.give_up(&self.built);
                for problem in more.iter_mut().filter(|p| p.at.is_none()) {
                    problem.at = Some(group.calls[0].call);
                }
                self.problems.append(&mut more);
            }
        }
    }

    /// Builds the functions of a variant, and all that they call.
    fn generate(&mut self, group: &Group) -> Result<Generated, Vec<Problem>> {
        let (module, options) = (self.module, self.callees.options);
        if self.callees.given(group.function()).is_none() {
            let prepared = self.callees.prepare(group.function())?;
            options.print(Phase::Prepare, &group.variant.function, || prepared.function.text());
        }
        let asked = self.callees.ask(&group.variant)?;
        while let Some((variant, generated)) = self.callees.next_pending() {
            let function = module.function(&variant.function).unwrap_or(group.function());
            let made: Vec<(Value, Value)> = if let Some(given) = self.callees.given(function) {
                let repeatable = self.callees.is_repeatable(function)?;
                adapter::build(module, function, given, &variant, generated, repeatable)?
            } else {
                let prepared = self.callees.prepare(function)?;
                let made = derive::derive(&mut self.callees, &prepared, &variant, generated)?;
                made.into_iter().map(|made| (made, function)).collect()
            };
            for (made, like) in made {
                let functions = finish::finish(module, self.analyses, made, like).map_err(|problem| vec![problem])?;
                for function in functions {
                    options.print(Phase::Emit, &variant.function, || function.text());
                    self.built.push(function);
                }
            }
        }
        Ok(asked)
    }

    /// Deletes clones and what a failure left half made, and the marker calls that were not replaced.
    fn clean_up(&self) {
        for call in &self.unserved {
            finish::remove_call(self.module, *call);
        }
        for kind in [pardiff_runtime::BODY, pardiff_runtime::ALONE] {
            transform::delete_unused(self.module, self.analyses, kind);
        }
        let kept =
            |f: &Value| self.kept.contains(f) || self.built.contains(f) || stands_for_one(*f) || self.runs_step(*f);
        let steps: Vec<Value> = ours(self.module).into_iter().filter(|f| self.runs_step(*f)).collect();
        if steps.iter().filter(|step| prepare::steps::give_back(self.module, **step)).count() > 0 {
            // Where it does not link, the linker says so.
            let _ = transform::link_runtime(self.module);
        }
        let made = ours(self.module).into_iter().filter(|f| !kept(f));
        let (declared, defined): (Vec<Value>, Vec<Value>) = made.partition(|f| f.is_declaration());
        let all: Vec<Value> = defined.into_iter().chain(declared).collect();
        // They may call each other.
        all.iter().for_each(|f| f.replace_uses(f.ty().poison()));
        for function in all {
            transform::delete_function(self.analyses, function);
        }
    }
}

impl Run<'_> {
    /// Whether a function is what an iteration of a loop does, and called by what was generated.
    fn runs_step(&self, function: Value) -> bool {
        let users = || function.users().into_iter().filter_map(Value::as_instruction).map(|i| i.block().function());
        function.name().starts_with(prepare::steps::STEP) && users().any(|f| self.built.contains(&f))
    }
}

/// Whether a function that takes or returns numbers in another way than the program's is called by what stays.
fn stands_for_one(function: Value) -> bool {
    let is_flat = |f: Value| f.name().starts_with(requests::FLAT);
    let callers = function.users().into_iter().filter_map(Value::as_instruction).map(|i| i.block().function());
    let stays = |f: Value| !f.name().starts_with(prepare::CLONE) && (!is_flat(f) || stands_for_one(f));
    is_flat(function) && callers.into_iter().any(stays)
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

//! From a prepared function to generated ones: facts, build, schedule, store, emit.

use crate::callees::{Callees, Generated};
use crate::emit;
use crate::facts::{self, checks};
use crate::options::Phase;
use crate::prepare::Prepared;
use crate::problem::{Code, Problem};
use crate::request::{Mode, Variant};
use crate::revprog::show;
use crate::{build, schedule, store};
use indexmap::IndexMap;

/// Builds the functions of one variant, which are declared; asks for those that they call.
pub fn derive(
    callees: &mut Callees,
    prepared: &Prepared,
    variant: &Variant,
    into: Generated,
) -> Result<(), Vec<Problem>> {
    supported(variant)?;
    let (module, options) = (callees.module, callees.options);
    let (mut imported, facts) = facts::analyse(prepared.function, variant, callees.analyses, callees.summaries())?;
    options.print(Phase::Facts, &variant.function, || facts::show(&imported.primal, variant, &facts));
    let mut problems = checks::check(&imported, &facts);
    if variant.mode == Mode::AugmentedForward && !variant.inner {
        problems.extend(checks::shared_between_tapes(&imported, &facts));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let prog = build::build(&mut imported.primal, &facts, variant);
    options.print(Phase::Build, &variant.function, || show::program(&prog, &imported.primal));
    let prog = schedule::schedule(prog);
    options.print(Phase::Schedule, &variant.function, || show::program(&prog, &imported.primal));
    // The sweeps of a split derivative keep what they share.
    let replay = if variant.mode == Mode::Reverse { options.replay } else { store::Replay::Never };
    let prog = store::store(prog, &imported.primal, &facts, replay).map_err(|missing| {
        let problem = |m: store::Missing| Problem {
            code: m.code,
            text: m.text,
            at: imported.origin.get(m.of.index()).copied().filter(|v| v.as_instruction().is_some()),
        };
        missing.into_iter().map(problem).collect::<Vec<_>>()
    })?;
    options.print(Phase::Store, &variant.function, || {
        show::program(&prog, &imported.primal) + &show::plan(&prog, &imported.primal)
    });
    let mut called = IndexMap::new();
    for (&call, variant) in &facts.calls {
        called.insert(call, callees.ask(variant)?);
    }
    let input = emit::Input {
        module,
        prepared: prepared.function,
        imported: &imported,
        facts: &facts,
        prog: &prog,
        variant,
        called: &called,
        fixed_order: options.fixed_order,
    };
    emit::emit(&input, into);
    Ok(())
}

fn supported(variant: &Variant) -> Result<(), Vec<Problem>> {
    if variant.width != 1 {
        let text = "several seeds in one call ('enzyme_width') are not supported yet";
        return Err(vec![Problem::new(Code::UnsupportedRequest, text)]);
    }
    Ok(())
}

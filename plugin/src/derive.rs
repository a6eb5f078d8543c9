//! From a prepared function to a generated one: facts, build, schedule, store, emit.

use crate::emit;
use crate::facts::{self, checks};
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::options::{Options, Phase};
use crate::prepare::Prepared;
use crate::problem::{Code, Problem};
use crate::request::{Mode, Variant};
use crate::revprog::show;
use crate::{build, schedule, store};

/// Generates the function of one variant.
pub fn derive(
    module: Module,
    analyses: Analyses,
    prepared: &Prepared,
    variant: &Variant,
    options: &Options,
) -> Result<Value, Vec<Problem>> {
    supported(variant)?;
    let (mut imported, facts) = facts::analyse(prepared.function, variant, analyses)?;
    options.print(Phase::Facts, &variant.function, || facts::show(&imported.primal, variant, &facts));
    let problems = checks::check(&imported, &facts);
    if !problems.is_empty() {
        return Err(problems);
    }
    let prog = build::build(&mut imported.primal, &facts, variant);
    options.print(Phase::Build, &variant.function, || show::program(&prog, &imported.primal));
    let prog = schedule::schedule(prog);
    options.print(Phase::Schedule, &variant.function, || show::program(&prog, &imported.primal));
    let prog = store::store(prog, &imported.primal, &facts).map_err(|missing| {
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
    let input = emit::Input {
        module,
        prepared: prepared.function,
        imported: &imported,
        facts: &facts,
        prog: &prog,
        variant,
        fixed_order: options.fixed_order,
    };
    Ok(emit::emit(&input))
}

fn supported(variant: &Variant) -> Result<(), Vec<Problem>> {
    let refuse = |text: &str| Err(vec![Problem::new(Code::UnsupportedRequest, text)]);
    if variant.width != 1 {
        return refuse("several seeds in one call ('enzyme_width') are not supported yet");
    }
    match variant.mode {
        Mode::Reverse | Mode::Forward => Ok(()),
        Mode::AugmentedForward | Mode::SplitReverse => refuse("split forward and reverse calls are not supported yet"),
    }
}

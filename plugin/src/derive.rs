//! From a prepared function to generated ones: facts, build, schedule, store, emit.

use crate::callees::{Callees, Generated};
use crate::emit;
use crate::facts::import::Imported;
use crate::facts::overlap::{self, Test};
use crate::facts::{self, Facts, affine, checks, stability};
use crate::llvm::ir::Value;
use crate::options::Phase;
use crate::prepare::Prepared;
use crate::primal::expr::{Cast, Nary};
use crate::primal::{Expr, Primal, Ty, ValueId};
use crate::problem::{Code, Problem};
use crate::request::{Mode, Variant};
use crate::revprog::{RevProg, show};
use crate::{build, schedule, store};
use indexmap::IndexMap;

/// Builds the functions of one variant, which are declared; asks for those that they call. Gives all functions that were made.
pub fn derive(
    callees: &mut Callees,
    prepared: &Prepared,
    variant: &Variant,
    into: Generated,
) -> Result<Vec<Value>, Vec<Problem>> {
    supported(variant)?;
    let general = analyse(callees, prepared, variant, &[], false)?;
    if let Generated::Whole(choice) = into
        && let Some((test, apart)) = where_apart(callees, prepared, variant, &general)?
    {
        let (module, function) = (callees.module, callees.module.function(&variant.function));
        let function = function.unwrap_or(prepared.function);
        let versions = ["apart", "general"].map(|word| emit::declare_version(module, function, variant, word));
        let (prog, called) = (RevProg::empty(), IndexMap::new());
        let input = emit::Input {
            module,
            prepared: prepared.function,
            imported: &general.0,
            facts: &general.1,
            prog: &prog,
            variant,
            called: &called,
            fixed_order: callees.options.fixed_order,
        };
        emit::choose(&input, choice, versions[0], versions[1], &test);
        let title = format!("{} where its arguments are apart", variant.function);
        generate(callees, prepared, variant, &title, apart, Generated::Whole(versions[0]))?;
        generate(callees, prepared, variant, &variant.function, general, Generated::Whole(versions[1]))?;
        return Ok([versions.to_vec(), vec![choice]].concat());
    }
    generate(callees, prepared, variant, &variant.function, general, into)?;
    Ok(into.functions())
}

/// The facts of a function, if they allow a derivative.
fn analyse(
    callees: &Callees,
    prepared: &Prepared,
    variant: &Variant,
    apart: &[ValueId],
    small: bool,
) -> Result<(Imported, Facts), Vec<Problem>> {
    let (imported, facts) =
        facts::analyse(prepared.function, variant, callees.analyses, callees.summaries(), apart, small)?;
    callees.options.print(Phase::Facts, &variant.function, || facts::show(&imported.primal, variant, &facts));
    let mut problems = checks::check(&imported, &facts);
    if variant.mode == Mode::AugmentedForward && !variant.inner {
        problems.extend(checks::shared_between_tapes(&imported, &facts));
    }
    if problems.is_empty() { Ok((imported, facts)) } else { Err(problems) }
}

type Analysed = (Imported, Facts);

/// Facts that hold where arguments lead to different memory and numbers are small, with what to test, if that makes a difference: a load
/// in a loop can be repeated then, or nothing in its loop overwrites what it reads.
fn where_apart(
    callees: &Callees,
    prepared: &Prepared,
    variant: &Variant,
    (imported, general): &Analysed,
) -> Result<Option<(Test, Analysed)>, Vec<Problem>> {
    let primal = &imported.primal;
    if variant.mode != Mode::Reverse || variant.maybe {
        return Ok(None);
    }
    let (before, near_before) = stability::disturbed_loads(primal, general);
    if before == 0 {
        return Ok(None);
    }
    let mut test = overlap::test(primal, general);
    if test.intervals.is_empty() && !general.undecided {
        return Ok(None);
    }
    let arguments: Vec<ValueId> = test.intervals.iter().map(|i| i.of).collect();
    let apart = analyse(callees, prepared, variant, &arguments, general.undecided)?;
    test.limits.extend(apart.1.limited.iter().map(|v| small(primal, *v)));
    let (after, near_after) = stability::disturbed_loads(primal, &apart.1);
    Ok((after < before || near_after < near_before).then_some((test, apart)))
}

/// The limit that says that an integer is small: at most half of `SMALL` away from half of it.
fn small(primal: &Primal, v: ValueId) -> (Expr, i64) {
    let value = match primal.ty(v) {
        Ty::Int(64) => Expr::Value(v),
        _ => Expr::Cast(Cast::Sign, 64, Box::new(Expr::Value(v))),
    };
    (Expr::Nary(Nary::Sum, vec![value, Expr::Const(64, -affine::SMALL / 2)]), affine::SMALL / 2 + 1)
}

/// Builds one generated function, or the two of a split derivative.
fn generate(
    callees: &mut Callees,
    prepared: &Prepared,
    variant: &Variant,
    title: &str,
    (mut imported, facts): Analysed,
    into: Generated,
) -> Result<(), Vec<Problem>> {
    let (module, options) = (callees.module, callees.options);
    let prog = build::build(&mut imported.primal, &facts, variant);
    options.print(Phase::Build, title, || show::program(&prog, &imported.primal));
    let prog = schedule::schedule(prog, &imported.primal, &facts);
    options.print(Phase::Schedule, title, || show::program(&prog, &imported.primal));
    // The sweeps of a split derivative keep what they share.
    let replay = if variant.mode == Mode::Reverse { options.replay } else { store::Replay::Never };
    let stored = store::store(prog, &imported.primal, &facts, replay, options.pack, options.fixed_order);
    let prog = stored.map_err(|missing| {
        let problem = |m: store::Missing| Problem {
            code: m.code,
            text: m.text,
            at: imported.origin.get(m.of.index()).copied().filter(|v| v.as_instruction().is_some()),
        };
        missing.into_iter().map(problem).collect::<Vec<_>>()
    })?;
    options
        .print(Phase::Store, title, || show::program(&prog, &imported.primal) + &show::plan(&prog, &imported.primal));
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

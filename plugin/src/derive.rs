//! From a prepared function to generated ones: facts, build, schedule, store, emit.

use crate::callees::{Callees, Generated};
use crate::emit;
use crate::facts::checkpoints::{self, Checkpoints};
use crate::facts::import::Imported;
use crate::facts::overlap::{self, Test};
use crate::facts::{self, Facts, affine, checks, stability};
use crate::llvm::ir::{Type, Value};
use crate::options::Phase;
use crate::prepare::Prepared;
use crate::primal::expr::{Cast, Nary};
use crate::primal::{Expr, LoopId, Primal, Ty, ValueId};
use crate::problem::{Code, Problem};
use crate::request::{Activity, Mode, Variant};
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
            extents: &IndexMap::new(),
            fixed_order: callees.options.fixed_order,
        };
        emit::choose(&input, choice, versions[0], versions[1], &test);
        let title = format!("{} where its arguments are apart", variant.function);
        let more = generate(callees, prepared, variant, &title, apart, Generated::Whole(versions[0]))?;
        let most = generate(callees, prepared, variant, &variant.function, general, Generated::Whole(versions[1]))?;
        return Ok([more, most, versions.to_vec(), vec![choice]].concat());
    }
    let more = generate(callees, prepared, variant, &variant.function, general, into)?;
    Ok([more, into.functions()].concat())
}

/// The facts of a function, if they allow a derivative.
fn analyse(
    callees: &mut Callees,
    prepared: &Prepared,
    variant: &Variant,
    apart: &[ValueId],
    small: bool,
) -> Result<(Imported, Facts), Vec<Problem>> {
    let (imported, mut facts) =
        facts::analyse(prepared.function, variant, callees.analyses, callees.summaries(), apart, small)?;
    callees.options.print(Phase::Facts, &variant.function, || facts::show(&imported.primal, variant, &facts));
    let mut problems = checks::check(&imported, &facts);
    if variant.mode == Mode::AugmentedForward && !variant.inner {
        problems.extend(checks::shared_between_tapes(&imported, &facts));
    }
    if problems.is_empty() && variant.mode == Mode::Reverse {
        match checkpoints(callees, &imported, &facts) {
            Ok(all) => {
                let undone = all.values().filter(|c| !c.undone.is_empty());
                facts.undone.extend(undone.map(|c| (c.call, c.undone.iter().copied().collect::<Vec<_>>())));
                facts.checkpoints = all;
            }
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { Ok((imported, facts)) } else { Err(problems) }
}

/// What is copied of the state of loops that are asked for.
fn checkpoints(callees: &mut Callees, imported: &Imported, facts: &Facts) -> Result<Checkpoints, Vec<Problem>> {
    let mut all = Checkpoints::new();
    for candidate in checkpoints::candidates(imported, facts)? {
        let (step, its) = step(callees, imported, facts, candidate.call)?;
        let obstacles = checkpoints::obstacles(&step, &its);
        if !obstacles.is_empty() {
            return Err(obstacles);
        }
        all.insert(candidate.of, checkpoints::plan(callees.module, (imported, facts), &candidate, (&step, &its))?);
    }
    Ok(all)
}

/// What a call runs as an iteration of a loop, with its facts.
fn step(callees: &mut Callees, caller: &Imported, facts: &Facts, call: ValueId) -> Result<Analysed, Vec<Problem>> {
    let step = callees.prepare(caller.origin[call.index()].callee())?;
    facts::analyse(step.function, &facts.calls[&call], callees.analyses, callees.summaries(), &[], false)
}

/// Functions that tell which ranges behind the arguments of its step a checkpointed loop changes.
fn extents(callees: &mut Callees, caller: &Imported, facts: &Facts) -> Result<IndexMap<LoopId, Value>, Vec<Problem>> {
    let module = callees.module;
    let mut made = IndexMap::new();
    for (&l, checkpoint) in facts.checkpoints.iter().filter(|(_, c)| !c.extents.is_empty()) {
        let (imported, its) = step(callees, caller, facts, checkpoint.call)?;
        let known = &facts.calls[&checkpoint.call];
        let variant = Variant { arguments: vec![Activity::Const; known.arguments.len()], ..known.clone() };
        let called = caller.origin[checkpoint.call.index()].callee();
        let parameters: Vec<Type> = called.parameters().iter().map(|p| p.ty()).chain([module.pointer()]).collect();
        let function =
            module.add_function(&format!("pardiff.state.{}", known.function), module.void().function(&parameters));
        function.set_internal();
        let input = emit::Input {
            module,
            prepared: callees.prepare(called)?.function,
            imported: &imported,
            facts: &its,
            prog: &RevProg::empty(),
            variant: &variant,
            called: &IndexMap::new(),
            extents: &IndexMap::new(),
            fixed_order: callees.options.fixed_order,
        };
        emit::extents(&input, function, &checkpoint.extents, &checkpoint.limits);
        made.insert(l, function);
    }
    Ok(made)
}

type Analysed = (Imported, Facts);

/// Facts that hold where arguments lead to different memory and numbers are small, with what to test, if that makes a difference: a load
/// in a loop can be repeated then, or nothing in its loop overwrites what it reads.
fn where_apart(
    callees: &mut Callees,
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
) -> Result<Vec<Value>, Vec<Problem>> {
    let extents = extents(callees, &imported, &facts)?;
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
        extents: &extents,
        fixed_order: options.fixed_order,
    };
    emit::emit(&input, into);
    Ok(extents.into_values().collect())
}

fn supported(variant: &Variant) -> Result<(), Vec<Problem>> {
    if variant.width != 1 {
        let text = "several seeds in one call ('enzyme_width') are not supported yet";
        return Err(vec![Problem::new(Code::UnsupportedRequest, text)]);
    }
    Ok(())
}

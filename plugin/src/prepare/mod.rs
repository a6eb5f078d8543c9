//! What does the function to differentiate compute, in a form that the later phases can rely on?
//!
//! A clone of the function with everything reachable inlined, in canonical form:
//!
//! * one block returns, and each block has a way there (where there is a way at all): calls that
//!   never return fall through to where control would go without them;
//! * terminators are branches; every loop is natural, in loop-simplify and LCSSA form, and has one
//!   exit block;
//! * calls that are left are of intrinsics, of functions with a row (`rules`, `library`), of what
//!   is not defined here, and indirect ones; those with a row say what memory they touch;
//! * addresses inside globals are instructions, not constant expressions;
//! * nothing claims more than the code does: no metadata but source lines and TBAA, no noalias scopes,
//!   no attributes of parameters but `noalias`, no lifetimes.
//!
//! Unoptimised IR is what this is made for: ScalarEvolution sees more there (docs/ARCHITECTURE.md).

mod calls;
mod inactive;
mod inline;
mod memory;
mod openmp;
mod pointers;
mod results;
pub mod steps;
mod terms;

use crate::llvm::analyses::Analyses;
use crate::llvm::builder::Builder;
use crate::llvm::canonical;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;
use crate::options::Options;
use crate::problem::{Code, Problem};
use crate::rules;

/// A primal that the later phases can rely on.
pub struct Prepared {
    /// The canonical clone, internal to the module; the pipeline deletes it in the end.
    pub function: Value,
    /// The function as the user wrote it.
    pub original: Value,
}

/// Start of the names of clones.
pub const CLONE: &str = "pardiff.primal.";

/// How often calls through pointers may bring in more code.
const ROUNDS: usize = 16;

/// Makes locals registers and constants visible.
const EARLY: &str = "adce,promote,sroa,scalarizer-all,early-cse,instsimplify,simplifycfg<no-speculate-blocks>";

/// Callees that are loaded from memory with known contents. As little as that needs: flags that
/// later steps want are lost on the way.
const CALLEES: &str = "early-cse<memssa>,gvn<no-pre;no-load-pre>,sccp,simplifycfg<no-speculate-blocks>";

/// Reducible control flow. `lower-switch` comes before `fix-irreducible`, which crashes on switches.
const REDUCIBLE: &str = "sroa,early-cse<memssa>,simplifycfg<no-speculate-blocks>,lower-switch,fix-irreducible";

/// Loops in rotated form over wide induction variables; `indvars` before `instcombine`, which drops `nsw`.
const LOOPS: &str = concat!(
    "loop-simplify,lcssa,rotate-loops,simplifycfg<no-speculate-blocks>,",
    "loop-simplify,add-screens,loop(indvars),drop-screens",
);

/// Scalars, before and after redundant values are found. Without hoisting what might not run, which would bring 0 * infinity into
/// derivatives.
const SCALARS: [&str; 2] = [
    concat!(
        "instcombine<no-verify-fixpoint>,loop-simplify,",
        "add-screens,loop-mssa(licm<no-allowspeculation>),drop-screens,",
    ),
    ",simplifycfg<no-speculate-blocks>",
];

/// Redundant values. Without PRE, which would turn `x[i - 1]` into a value carried from the iteration before.
const REDUNDANT: &str = "gvn<no-pre;no-load-pre>";

/// The same where each load cannot be asked for on all ways to it, which takes as long as the function is.
const REDUNDANT_LARGE: &str = "gvn<no-pre;no-load-pre;no-memdep>";

/// Blocks beyond which a function is large.
pub const LARGE: usize = 2000;

/// The form that the later phases rely on.
const SHAPE: &str = concat!(
    "early-cse<memssa>,simplifycfg<no-speculate-blocks>,",
    "lower-switch,mergereturn,loop-simplify,unify-loop-exits,instsimplify,loop-simplify,lcssa,screen-edges",
);

/// Makes the canonical clone of `function`. A clone stays in the module when it fails, since
/// problems point into it.
pub fn prepare(
    module: Module,
    analyses: Analyses,
    function: Value,
    options: &Options,
) -> Result<Prepared, Vec<Problem>> {
    let name = format!("{CLONE}{}", function.name());
    let clone = if !function.is_declaration() {
        transform::clone_function(function, &name)
    } else if rules::by_callee(&function.name()).is_some() {
        wrapper(module, function, &name)
    } else {
        let text = format!(
            "'{}' is only declared here; define it in this file, or compile and link with -flto=full and \
             give the linker the plugin too (-fuse-ld=lld -Wl,--load-pass-plugin=...)",
            function.name()
        );
        return Err(vec![Problem::new(Code::NoDefinition, text)]);
    };
    let steps = Steps { module, analyses, original: function, clone, options };
    steps.run()?;
    Ok(Prepared { function: clone, original: function })
}

/// Takes out the calls that stand for something in clones, at the end of a run; `terms`: also those of the program.
/// True where one of these was there.
pub fn settle(module: Module, terms: bool) -> bool {
    inactive::settle(module);
    terms && terms::settle(module) | steps::settle(module)
}

/// The functions that a prepared clone calls and that have a body, each once.
pub fn callees(clone: Value) -> Vec<Value> {
    inline::callees(clone)
}

/// A function that calls `function`, for one that has a rule and no body.
fn wrapper(module: Module, function: Value, name: &str) -> Value {
    let made = module.add_function(name, function.global_type());
    made.set_internal();
    let builder = Builder::new(module);
    builder.at_end(builder.new_block(made, ""));
    let result = builder.call(function, &made.parameters());
    builder.ret(Some(result));
    made
}

#[derive(Clone, Copy)]
struct Steps<'a> {
    module: Module,
    analyses: Analyses,
    original: Value,
    clone: Value,
    options: &'a Options,
}

impl Steps<'_> {
    fn run(&self) -> Result<(), Vec<Problem>> {
        let clone = self.clone;
        calls::refuse_unusual(clone)?;
        self.bring_in_callees()?;
        terms::grow(self.module, clone)?;
        self.pipeline("lower-switch")?;
        canonical::hide_no_return(clone);
        canonical::join_dead_ends(clone);
        canonical::fold_cheap_ifs(clone);
        self.pipeline(REDUCIBLE)?;
        canonical::one_latch(clone);
        self.pipeline(LOOPS)?;
        canonical::hide_block_memory(clone);
        self.scalars()?;
        canonical::fold_cheap_ifs(clone);
        self.scalars()?;
        canonical::unmerge_loads(clone);
        if let Some(simple) = steps::pipeline(clone) {
            self.pipeline(simple)?;
            steps::outline(self.analyses, clone, &self.original.name());
        }
        self.pipeline(SHAPE)?;
        canonical::restore_hidden(clone);
        canonical::spell_out_constants(clone);
        transform::strip_instructions(clone);
        transform::invalidate(self.analyses, clone);
        canonical::check(self.analyses, clone).map_err(|why| {
            let text = format!("the control flow of '{}' has no canonical form: {why}", self.original.name());
            vec![Problem::at(Code::ControlFlow, self.original, text)]
        })?;
        self.verify()
    }

    /// Inlines until no call is left that can be, through pointers either.
    fn bring_in_callees(&self) -> Result<(), Vec<Problem>> {
        let clone = self.clone;
        for _ in 0..ROUNDS {
            inline::inline_all(self.module, self.analyses, self.original, clone)?;
            if openmp::has_work(clone) {
                openmp::enter(self)?;
                inline::inline_all(self.module, self.analyses, self.original, clone)?;
            }
            if inline::give_bodies(self.module, clone, pardiff_runtime::BODY)? {
                inline::inline_all(self.module, self.analyses, self.original, clone)?;
            }
            calls::refuse_unusual(clone)?;
            self.tidy()?;
            results::take_apart(self.module, clone);
            if inactive::has_work(self.module, clone) {
                self.pipeline("sroa")?;
                inactive::put_barriers(self.module, clone);
            }
            self.pipeline(EARLY)?;
            if !inline::has_work(clone) && pointers::has_work(clone) {
                self.pipeline(CALLEES)?;
            }
            if !inline::has_work(clone) && !pointers::resolve(self.module, self.original, clone)? {
                break;
            }
        }
        openmp::refuse_rest(clone)?;
        pointers::forget(clone);
        steps::look_for_loops(clone);
        Ok(())
    }

    /// Drops claims and expands small copies, before the first pass sees them.
    fn tidy(&self) -> Result<(), Vec<Problem>> {
        canonical::mark_integers(self.clone);
        transform::strip_claims(self.clone);
        calls::describe(self.clone);
        let caught = canonical::drop_unwinding(self.clone);
        if !caught.is_empty() {
            let text = "an exception thrown here is caught in differentiated code, which is not supported yet";
            return Err(caught.into_iter().map(|at| Problem::at(Code::Opaque, at, text)).collect());
        }
        transform::strip_instructions(self.clone);
        memory::simplify(self.module, self.clone);
        canonical::expand_overflow(self.clone);
        canonical::plain_block_memory(self.clone);
        canonical::expand_vectors(self.clone);
        canonical::drop_sanitizer_checks(self.clone);
        canonical::expand_block_memory(self.clone);
        Ok(())
    }

    fn scalars(&self) -> Result<(), Vec<Problem>> {
        let redundant = if self.clone.blocks().len() > LARGE { REDUNDANT_LARGE } else { REDUNDANT };
        self.pipeline(&SCALARS.join(redundant))
    }

    fn pipeline(&self, text: &str) -> Result<(), Vec<Problem>> {
        transform::run_pipeline(self.analyses, self.clone, text).map_err(|wrong| self.fault("pipeline", &wrong))?;
        self.verify()
    }

    fn verify(&self) -> Result<(), Vec<Problem>> {
        if !self.options.verify_each {
            return Ok(());
        }
        transform::verify(self.clone).map_err(|wrong| self.fault("the clone does not verify", &wrong))
    }

    fn fault(&self, what: &str, wrong: &str) -> Vec<Problem> {
        vec![Problem::new(Code::Internal, format!("'{}': {what}: {wrong}", self.original.name()))]
    }
}

//! Functions that stay calls: their prepared clones, what is known of them, and the derived functions that calls of
//! them need. Each derived function is declared when it is first asked for and built when its turn comes, so that
//! functions may call themselves and each other.

use crate::emit;
use crate::facts;
use crate::facts::summary::{Summaries, Summary};
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::options::Options;
use crate::prepare::{self, Prepared};
use crate::primal::{Callee, Touch};
use crate::problem::{Code, Problem};
use crate::registered::{self, Given, Registered};
use crate::request::{Mode, Variant};
use indexmap::IndexMap;

/// The generated functions of one variant.
#[derive(Clone, Copy, Debug)]
pub enum Generated {
    /// Both sweeps in one, or forward mode.
    Whole(Value),
    /// One for each sweep.
    Split {
        /// Runs the primal and returns what the other needs.
        forward: Value,
        /// Runs the reverse sweep.
        reverse: Value,
    },
}

impl Generated {
    /// The functions.
    pub fn functions(self) -> Vec<Value> {
        match self {
            Generated::Whole(function) => vec![function],
            Generated::Split { forward, reverse } => vec![forward, reverse],
        }
    }
}

/// Everything known about functions of one module.
pub struct Callees<'a> {
    /// The module.
    pub module: Module,
    /// The host's analyses.
    pub analyses: Analyses,
    /// Options.
    pub options: &'a Options,
    registered: Registered,
    summaries: Summaries,
    prepared: IndexMap<Value, Value>,
    generated: IndexMap<Variant, Generated>,
    pending: Vec<Variant>,
}

impl<'a> Callees<'a> {
    /// Nothing yet.
    pub fn new(module: Module, analyses: Analyses, options: &'a Options, registered: Registered) -> Self {
        let (summaries, prepared) = (Summaries::new(), IndexMap::new());
        Callees {
            module,
            analyses,
            options,
            registered,
            summaries,
            prepared,
            generated: IndexMap::new(),
            pending: vec![],
        }
    }

    /// What is known of the functions that prepared clones call.
    pub fn summaries(&self) -> &Summaries {
        &self.summaries
    }

    /// The prepared clone of a function, with summaries of all that it calls.
    pub fn prepare(&mut self, function: Value) -> Result<Prepared, Vec<Problem>> {
        let clone = self.clone_of(function)?;
        self.learn(prepare::callees(clone))?;
        Ok(Prepared { function: clone, original: function })
    }

    fn clone_of(&mut self, function: Value) -> Result<Value, Vec<Problem>> {
        if let Some(&known) = self.prepared.get(&function) {
            return Ok(known);
        }
        let clone = prepare::prepare(self.module, self.analyses, function, self.options)?.function;
        self.prepared.insert(function, clone);
        Ok(clone)
    }

    /// What the program gives for a function, if it gives its derivative.
    pub fn given(&self, function: Value) -> Option<Given> {
        self.registered.get(&function).copied()
    }

    /// Whether a function that has a derivative of its own may be called once more beside it: it changes no memory.
    pub fn is_repeatable(&mut self, function: Value) -> Result<bool, Vec<Problem>> {
        self.learn(vec![function])?;
        let callee = &self.summaries[&function].callee;
        Ok(!callee.frees && !callee.allocates && !callee.touches.iter().any(|t| t.modifies || t.frees))
    }

    /// Summaries of functions that are called, and of those that they call, as a least fixpoint.
    fn learn(&mut self, functions: Vec<Value>) -> Result<(), Vec<Problem>> {
        let (mut work, mut new) = (functions, vec![]);
        while let Some(callee) = work.pop() {
            if self.summaries.contains_key(&callee) {
                continue;
            }
            let touches = vec![Touch::default(); callee.parameters().len()];
            let nothing = Callee { name: callee.name(), touches, ..Callee::default() };
            self.summaries.insert(callee, Summary { callee: nothing, globals: vec![] });
            let stays = registered::stays(callee);
            match self.clone_of(callee) {
                Ok(clone) => {
                    work.extend(prepare::callees(clone));
                    new.push(callee);
                }
                // Its body is not differentiated: it may be missing, or hold anything.
                Err(_) if stays => drop(self.summaries.insert(callee, Summary::assumed(callee))),
                Err(problems) => return Err(problems),
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for callee in &new {
                let summary = match facts::summarise(self.prepared[callee], &callee.name(), &self.summaries) {
                    Err(_) if registered::stays(*callee) => Summary::assumed(*callee),
                    summary => summary?,
                };
                changed |= self.summaries[callee] != summary;
                self.summaries.insert(*callee, summary);
            }
        }
        Ok(())
    }

    /// The functions of a variant, declared if they are new; they are built when their turn comes.
    pub fn ask(&mut self, variant: &Variant) -> Result<Generated, Vec<Problem>> {
        let mut variant = variant.clone();
        if variant.mode == Mode::SplitReverse {
            variant.mode = Mode::AugmentedForward;
        }
        if let Some(&known) = self.generated.get(&variant) {
            return Ok(known);
        }
        let Some(function) = self.module.function(&variant.function) else {
            let text = format!("'{}' has no definition", variant.function);
            return Err(vec![Problem::new(Code::Internal, text)]);
        };
        let generated = emit::declare(self.module, function, &variant);
        self.generated.insert(variant.clone(), generated);
        self.pending.push(variant);
        Ok(generated)
    }

    /// The next variant to build.
    pub fn next_pending(&mut self) -> Option<(Variant, Generated)> {
        let variant = self.pending.pop()?;
        let generated = self.generated[&variant];
        Some((variant, generated))
    }

    /// Forgets what was declared and not built, after a failure.
    pub fn give_up(&mut self, built: &[Value]) {
        self.pending.clear();
        self.generated.retain(|_, g| g.functions().iter().all(|f| built.contains(f)));
    }
}

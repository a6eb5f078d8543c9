//! What a marker call asks for: the typed output of `requests`, the input of everything after it.

use crate::llvm::ir::{Type, Value};
use std::collections::BTreeSet;

/// The kind of derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Adjoints: primal and reverse sweep in one call.
    Reverse,
    /// Tangents beside the primal.
    Forward,
    /// The forward sweep of a split gradient, which returns a tape.
    AugmentedForward,
    /// The reverse sweep of a split gradient, which takes a tape.
    SplitReverse,
}

/// What one argument of the differentiated function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// No derivative passes through it.
    Const,
    /// A pointer (or, in forward mode, a scalar) with a shadow beside it.
    Dup,
    /// As `Dup`, and what the primal writes there is not wanted.
    DupNoNeed,
    /// A scalar whose derivative is returned.
    Out,
}

impl Activity {
    /// Whether a shadow follows the primal argument.
    pub fn has_shadow(self) -> bool {
        matches!(self, Activity::Dup | Activity::DupNoNeed)
    }
}

/// What decides about the code of one derivative: equal variants share one generated function.
/// `width` is the number of seeds carried at once.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// Name of the differentiated function.
    pub function: String,
    /// Forward or reverse.
    pub mode: Mode,
    /// Activity of each parameter of the function.
    pub arguments: Vec<Activity>,
    /// Global variables that have a shadow in the derived code which calls this.
    pub globals: BTreeSet<String>,
    /// Whether the returned value has a derivative (seed 1 in reverse mode).
    pub active_return: bool,
    /// Whether the generated function returns the primal's result, first.
    pub primal_return: bool,
    /// Whether the shadow of a returned pointer is returned.
    pub shadow_return: bool,
    /// Whether an argument's shadow may be missing: null, or in a request the primal's own pointer.
    pub maybe: bool,
    /// Whether it is called from other derived code, with a list of memory to be given back later.
    pub inner: bool,
    /// Seeds per call.
    pub width: u32,
}

/// One marker call, understood.
#[derive(Clone, Debug)]
pub struct Request {
    /// The marker call itself.
    pub call: Value,
    /// The function to differentiate, a definition of this module.
    pub function: Value,
    /// What to generate.
    pub variant: Variant,
    /// Per parameter of `function`: the primal operand (converted to the parameter's type by `finish`
    /// where C promoted it) and its shadows, `width` of them where the activity has a shadow.
    pub operands: Vec<(Value, Vec<Value>)>,
    /// Where the marker call stores a struct that is returned through memory (sret), if it does.
    pub sret: Option<Value>,
    /// What a reverse sweep of its own starts from.
    pub seed: Option<Value>,
    /// Where a split derivative has its tape.
    pub tape: Tape,
    /// Where a result of more than one number is.
    pub place: Option<Place>,
}

/// Memory beside a request for a result of more than one number.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The result's type.
    pub ty: Type,
    /// The result.
    pub memory: Value,
    /// Its seeds or tangents; none where it has no derivative.
    pub shadow: Option<Value>,
    /// Whether the request returns the result.
    pub primal: bool,
}

impl Place {
    /// What the memory is as an argument. Both sweeps of a split derivative say the same.
    pub fn activity(&self, mode: Mode) -> Activity {
        match self.shadow {
            None => Activity::Const,
            Some(_) if mode == Mode::Reverse && !self.primal => Activity::DupNoNeed,
            Some(_) => Activity::Dup,
        }
    }
}

/// Where a split derivative has its tape between the sweeps.
#[derive(Clone, Copy, Debug)]
pub enum Tape {
    /// In what the forward sweep returns, or there is none.
    Returned,
    /// The reverse sweep is given it.
    Given(Value),
    /// Its address is kept in the caller's buffer.
    Kept(Value),
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.text().trim())
    }
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.text())
    }
}

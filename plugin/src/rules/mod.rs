//! What is the derivative of each scalar operation?
//!
//! One row per operation states its partial derivatives once, as text that
//! reads like a textbook ([`table`]); both modes, what must be kept, every
//! precision, the documentation and the row's test come from it. A callee's
//! name is taken apart in [`names`].
//!
//! What a partial says at points where no derivative exists is a choice, and
//! stated in [`Row::edge`]: kinks take the mean of both sides (`fabs` 0,
//! `fmax` one half each), the norms and roots take 0 where their result is 0,
//! so that 0 does not become NaN further up. Outside an operation's domain its
//! result is NaN; the partial is then whatever its formula gives.
//!
//! Absent: operations with several results (`sincos`, `llvm.frexp`), complex
//! functions, and what is not scalar. Writes to `errno` and `signgam` are not
//! modelled here; they carry no derivative.
//!
//! Cost: the table is built on first use (about a hundred small trees); each
//! look-up by name is one search in a sorted list. Source: ISO C99 7.12 for
//! the functions, Abramowitz and Stegun for the derivatives.

mod digamma;
mod docs;
mod func;
pub mod names;
pub mod table;
pub mod term;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use docs::markdown;
pub use names::by_callee;
pub use term::{Cmp, Func, Needs, Term, digits};

/// The index of a row in [`rows`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RuleId(pub u16);

/// Where an operation comes from, and so which names mean it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// An LLVM instruction; no callee has this name.
    Instruction,
    /// A function of the C library (and the intrinsic of the same name).
    Library,
    /// An LLVM intrinsic without a C function of the same meaning.
    Intrinsic,
    /// A function of CUDA's libdevice alone.
    Device,
}

/// What lies behind a pointer operand that an operation writes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutKind {
    /// A C `int`.
    Int,
    /// One number of the type of operand 0.
    Float,
}

/// A pointer operand that the operation writes one value through and never
/// reads. The value written has derivative zero: its shadow becomes 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutPointer {
    /// The operand's index.
    pub operand: usize,
    /// The type of the value written.
    pub kind: OutKind,
}

/// Everything known about one operation.
#[derive(Debug)]
pub struct Row {
    /// The base name: C's double version, the instruction's, or the
    /// intrinsic's without `llvm.` and types.
    pub name: &'static str,
    /// Number of operands.
    pub arity: usize,
    /// The operands' names in the formulas.
    pub params: &'static [&'static str],
    /// Which operands are floating-point numbers of the operation's type, and
    /// so can be active at all.
    pub float_args: &'static [bool],
    /// One partial per operand: d result / d operand. The constant 0 where
    /// nothing flows or the operand is no floating-point number.
    pub partials: Vec<Term>,
    /// The values stated at points where the derivative is a choice; empty if
    /// there are none.
    pub edge: &'static str,
    /// Whether running the operation again costs a library call rather than
    /// an instruction or two.
    pub expensive: bool,
    /// Whether the result is an integer, and so never active.
    pub integer_result: bool,
    /// The pointer operand that is written through, if there is one.
    pub out: Option<OutPointer>,
    /// Where the operation comes from.
    pub origin: Origin,
}

impl Row {
    /// What the reverse sweep must know when the marked operands are active;
    /// operands beyond the end of `active` count as inactive.
    pub fn needs(&self, active: &[bool]) -> Needs {
        self.partials
            .iter()
            .zip(active)
            .filter(|(_, active)| **active)
            .fold(Needs::default(), |n, (term, _)| n.union(term.needs()))
    }

    /// Whether no derivative flows through the operation at all.
    pub fn is_flat(&self) -> bool {
        self.partials.iter().all(Term::is_zero)
    }
}

/// The table and its index by name.
struct Table {
    rows: Vec<Row>,
    by_name: Vec<(&'static str, RuleId)>,
}

/// The table, built on first use.
fn built() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = table::all();
        let mut by_name: Vec<_> = (0u16..).map(RuleId).zip(&rows).map(|(id, r)| (r.name, id)).collect();
        by_name.sort();
        Table { rows, by_name }
    })
}

/// All rows; a row's place is its [`RuleId`].
pub fn rows() -> &'static [Row] {
    &built().rows
}

/// The row with this id.
pub fn row(id: RuleId) -> &'static Row {
    &rows()[usize::from(id.0)]
}

/// The row with this base name: `"sin"`, `"fadd"`, `"powi"`.
pub fn by_name(base: &str) -> Option<RuleId> {
    let index = &built().by_name;
    let found = index.binary_search_by(|(name, _)| (*name).cmp(base)).ok()?;
    Some(index[found].1)
}

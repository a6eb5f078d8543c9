//! The primal and its facts as text, so that the pure phases are tested without LLVM.
//!
//! What `-pardiff-print=facts` prints can be read back. One line a thing; `#` starts a comment:
//!
//! ```text
//! reverse f(ptr %x dup, i64 %n const) -> double active
//! loop L0 b1 trip %n                          # most EXPR: an upper bound
//! b0:
//!   goto b1
//! b1:
//!   i64 %i = phi [i64 0, b0], [%next, b1]      ; closed L0
//!   double %s = phi [double 0.0, b0], [%t, b1]
//!   ptr %p = gep %x, %i                        ; closed (%x + (8 * L0))
//!   double %v = load %p at 3:7                 ; overwritten by %w   (default: stable)
//!   double %y = rule sin %v                    ; active   (checked: activity follows from the rest)
//!   double %t = rule fadd %s, %y
//!   void %w = store double 0.0, %p
//!   i64 %next = pure %i, i64 1                 ; closed (1 + L0)
//!   i1 %more = pure %next, %n
//!   branch %more, b1, b2
//! b2:
//!   double %r = phi [%t, b1]
//!   return %r
//! ```
//!
//! `alloca` and `allocate` may say how many bytes there are: `; bytes (8 * %n)`.
//! `gep 8 step 16 %x, %i` says which byte offsets are added to the pointer, `gep %x, %i` nothing about them.
//!
//! The first line is the variant: mode (`reverse`, `forward`, `augmented`, `split`), activities (`const`, `dup`,
//! `dupnoneed`, `out`), and what is returned (`active`, `returned`, `width 2`). A definition is a type and a name; an
//! operand is `%name`, a typed constant, `@global` or `const @global`. Without `TYPE %name =` an instruction has no
//! result. Operations are those of [`Op`](super::Op): `phi`, `rule NAME`, `pure`, `trapping`, `gep`, `select`,
//! `freeze`, `bits`, `load`, `store`, `alloca`, `allocate`, `free`, `fill`, `copy`, `inactive nothing|arguments|outside`, `call NAME`,
//! `unsupported "WHAT"`. Blocks end with `goto`, `branch`, `return` or `unreachable`. `at 3:7` is a source line and column.
//! Names and constants with unusual characters stand in quotation marks.

mod check;
mod expr;
mod fact;
mod lex;
mod read;
#[cfg(test)]
mod tests;
mod write;

use super::{Expr, Primal};
use crate::facts::Facts;
use crate::facts::scalar::LoopFacts;
use crate::facts::sizes::Sizes;
use crate::facts::stability::Overwriters;
use crate::request::Variant;

/// A primal with those facts that do not follow from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The primal.
    pub primal: Primal,
    /// Which derivative of it.
    pub variant: Variant,
    /// Per loop.
    pub loops: Vec<LoopFacts>,
    /// Per value: its closed form.
    pub closed: Vec<Option<Expr>>,
    /// Bytes of what the function makes.
    pub sizes: Sizes,
    /// Per load: what may overwrite it.
    pub overwriters: Overwriters,
}

impl Parsed {
    /// All facts.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::of(&self.primal, &self.variant);
        facts.loops.clone_from(&self.loops);
        facts.closed.clone_from(&self.closed);
        facts.sizes.clone_from(&self.sizes);
        facts.overwriters.clone_from(&self.overwriters);
        facts
    }
}

/// Reads a text; an error starts with the number of the line.
pub fn parse(text: &str) -> Result<Parsed, String> {
    read::read(text)
}

/// Writes a primal with its facts; objects and activity are comments and checks.
pub fn print(primal: &Primal, variant: &Variant, facts: &Facts) -> String {
    write::write(primal, variant, facts)
}

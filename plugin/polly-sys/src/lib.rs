//! The integer set library (isl) that LLVM 19 carries with Polly: sets of integer points and relations between them, with exact answers.
//!
//! LLVM's shared library exports isl's functions; nothing else may be linked, since objects of two copies of isl do not mix.
//!
//! The layer is safe: objects are freed when they are dropped and copied when they are used up (isl counts references), each keeps its
//! context alive, and whatever fails is an `Error`, after which the context is as before. isl never ends the process, but where it runs out of
//! memory. A context has a limit on what it may spend (`Ctx::limit`), since questions about integers can be arbitrarily hard.
//!
//! Objects are read from isl's own notation: `[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }` is a set with a parameter,
//! `{ S[i] -> A[2i + 1] }` a map.

mod ctx;
mod object;
mod raw;

pub use ctx::{Ctx, Error};
pub use object::{Map, Set, UnionMap, UnionSet};

#[cfg(test)]
mod tests;

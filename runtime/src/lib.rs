//! What generated gradients call at run time: C functions (`src/*.c`), compiled to bitcode that the
//! plugin links into the program's own module. Nothing else has to be linked.

#![forbid(unsafe_code)]

/// The bitcode, as LLVM 19 reads it.
pub static BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.bc"));

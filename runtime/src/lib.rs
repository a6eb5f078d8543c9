//! What generated gradients call at run time: C functions (`src/*.c`), compiled to bitcode that the
//! plugin links into the program's own module. Nothing else has to be linked.
//!
//! And *bodies* (`bodies/*.c`): functions of the C library in terms of functions with a derivative rule, which the
//! plugin inlines where the library's is called.

#![forbid(unsafe_code)]

/// The bitcode of what generated code calls, as LLVM 19 reads it.
pub static BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.bc"));

/// The bitcode of the bodies.
pub static BODIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bodies.bc"));

/// What the program may call itself, under the name that `pardiff.h` gives it for the linker.
pub const KEEP_MEMORY: &str = "__pardiff_keep_memory__is_still_here__compile_with_fpass_plugin_libpardiff_so";

/// Start of a body's name; the name of the library's function follows.
pub const BODY: &str = "__pardiff_body_";

/// The same for a function of the OpenMP runtime, as it works for a team of one thread.
pub const ALONE: &str = "__pardiff_alone_";

/// Whether a library function has a body of one of these kinds.
pub fn has_body(kind: &str, name: &str) -> bool {
    include_str!(concat!(env!("OUT_DIR"), "/bodies.txt")).lines().any(|line| line.strip_prefix(kind) == Some(name))
}

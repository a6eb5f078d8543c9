//! Steps towards the canonical form for which LLVM has no pass (plugin/cpp/canonical.cpp).

use super::analyses::Analyses;
use super::ir::Value;
use super::shim;
use super::transform::{collect, take_text};
use std::ffi::c_void;

macro_rules! step {
    ($(#[doc = $doc:literal])+ $name:ident, $raw:ident) => {
        $(#[doc = $doc])+
        pub fn $name(function: Value) {
            // SAFETY: a live definition; the caller invalidates its analyses.
            unsafe { shim::$raw(function.raw()) }
        }
    };
}
step!(
    /// Makes intrinsics of library functions that move or set blocks.
    plain_block_memory, pardiff_plain_block_memory);
step!(
    /// Expands copies of small structs, field by field.
    expand_block_memory, pardiff_expand_block_memory);
step!(
    /// Expands arithmetic that tells whether it overflows.
    expand_overflow, pardiff_expand_overflow);
step!(
    /// Expands reductions of vectors, and what x86 has of its own.
    expand_vectors, pardiff_expand_vectors);
step!(
    /// Drops the front end's checks for undefined behaviour.
    drop_sanitizer_checks, pardiff_drop_sanitizer_checks);
step!(
    /// Hides small block operations from InstCombine, which makes integers of them.
    hide_block_memory, pardiff_hide_block_memory);
step!(
    /// Lets calls that never return look like calls that do.
    hide_no_return, pardiff_hide_no_return);
step!(
    /// Brings back what the two above hid.
    restore_hidden, pardiff_restore_hidden);
step!(
    /// Loads on each side of an if rather than through a pointer that the if chooses.
    unmerge_loads, pardiff_unmerge_loads);
step!(
    /// Turns ifs that only choose between values into selects.
    fold_cheap_ifs, pardiff_fold_cheap_ifs);
step!(
    /// Gives each loop one edge back to its header, so that none is taken for two nested ones.
    one_latch, pardiff_one_latch);
step!(
    /// Gives each block a way to the return.
    join_dead_ends, pardiff_join_dead_ends);

/// Turns invokes into calls; returns those whose exceptions were caught in this function.
pub fn drop_unwinding(function: Value) -> Vec<Value> {
    let mut caught: Vec<Value> = Vec::new();
    // SAFETY: a live definition; the vector outlives the callback.
    unsafe { shim::pardiff_drop_unwinding(function.raw(), collect, (&raw mut caught).cast::<c_void>()) }
    caught
}

/// Marks the loads and stores of integers that the source declares as such.
pub fn mark_integers(function: Value) {
    // SAFETY: a live definition.
    unsafe { shim::pardiff_mark_integers(function.raw()) }
}

/// Turns constant expressions over global variables into instructions, so that each variable has one value.
pub fn spell_out_constants(function: Value) {
    // SAFETY: a live definition.
    unsafe { shim::pardiff_spell_out_constants(function.raw()) }
}

/// Checks the canonical form; answers what is not so.
pub fn check(analyses: Analyses, function: Value) -> Result<(), String> {
    // SAFETY: a live definition of the module that the analyses belong to.
    take_text(unsafe { shim::pardiff_check_canonical(analyses.0, function.raw()) }).map_or(Ok(()), Err)
}

//! Changes to IR: pipelines on one function, cloning, inlining, attributes, verifying.

use super::analyses::Analyses;
use super::ir::{Block, Module, Value, c_string};
use super::shim;
use std::ffi::{CStr, c_char, c_void};

/// Takes a string that the shim allocated; `None` for null.
pub(super) fn take_text(raw: *mut c_char) -> Option<String> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: a NUL-terminated string of the shim, released once.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        shim::pardiff_release_text(raw);
        Some(text)
    }
}

/// Runs a textual function pipeline on one function with the host's analyses.
pub fn run_pipeline(analyses: Analyses, function: Value, text: &str) -> Result<(), String> {
    let text = c_string(text);
    // SAFETY: a live function of the module that the analyses belong to.
    match take_text(unsafe { shim::pardiff_run_pipeline(analyses.0, function.raw(), text.as_ptr()) }) {
        None => Ok(()),
        Some(wrong) => Err(wrong),
    }
}

/// Tells the host that a function was changed by hand.
pub fn invalidate(analyses: Analyses, function: Value) {
    // SAFETY: a live function of the module that the analyses belong to.
    unsafe { shim::pardiff_invalidate(analyses.0, function.raw()) }
}

/// Erases a function that nothing uses, and what the host knows about it.
pub fn delete_function(analyses: Analyses, function: Value) {
    // SAFETY: as above; the caller drops its handles.
    unsafe { shim::pardiff_forget(analyses.0, function.raw()) }
    function.delete_function();
}

/// Erases functions whose names start with `prefix` and that nothing uses, not even each other.
pub fn delete_unused(module: Module, analyses: Analyses, prefix: &str) {
    let unused = |f: &Value| f.name().starts_with(prefix) && f.users().is_empty();
    while let Some(function) = module.functions().into_iter().find(unused) {
        delete_function(analyses, function);
    }
}

/// An internal copy of a function.
pub fn clone_function(function: Value, name: &str) -> Value {
    let name = c_string(name);
    // SAFETY: a live definition.
    let raw = unsafe { shim::pardiff_clone_function(function.raw(), name.as_ptr()) };
    Value::from_raw(raw).expect("LLVM returns the clone")
}

/// Inlines a direct call; returns the calls that this brought in, or why LLVM refuses.
pub fn inline_call(analyses: Analyses, call: Value) -> Result<Vec<Value>, String> {
    let mut calls: Vec<Value> = Vec::new();
    // SAFETY: a live direct call; the vector outlives the callback.
    let failure =
        unsafe { shim::pardiff_inline_call(analyses.0, call.raw(), collect, (&raw mut calls).cast::<c_void>()) };
    if failure.is_null() {
        return Ok(calls);
    }
    // SAFETY: LLVM's failure reasons are static strings.
    Err(unsafe { CStr::from_ptr(failure) }.to_string_lossy().into_owned())
}

/// Makes a function of what an iteration of the loop around a call does; the call is moved before the loop. Returns the call
/// of that function, or why there is none.
pub fn outline_step(analyses: Analyses, mark: Value, name: &str) -> Result<Value, String> {
    let (name, mut why) = (c_string(name), std::ptr::null());
    // SAFETY: a live call, in a definition of the module that the analyses belong to.
    let raw = unsafe { shim::pardiff_outline_step(analyses.0, mark.raw(), name.as_ptr(), &raw mut why) };
    if why.is_null() {
        return Ok(Value::from_raw(raw).expect("the call of the function that was made"));
    }
    // SAFETY: reasons are static strings.
    Err(unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned())
}

/// Says of the loop with a header how the program shares its iterations out, by a number above zero.
pub fn mark_parallel(header: Block, schedule: u32) {
    // SAFETY: a live block.
    unsafe { shim::pardiff_mark_parallel(header.raw(), schedule) }
}

/// Moves pieces of a function with more than `most` instructions to functions of at least `length`, which this returns.
pub fn split(analyses: Analyses, function: Value, most: u32, length: u32) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    // SAFETY: a live definition of the module that the analyses belong to; the vector outlives the callback.
    unsafe {
        shim::pardiff_split(function.raw(), most, length, collect, (&raw mut parts).cast::<c_void>());
    }
    if !parts.is_empty() {
        invalidate(analyses, function);
    }
    parts
}

/// Adds a value to the vector that `context` points to.
pub(super) extern "C" fn collect(context: *mut c_void, value: llvm_sys::prelude::LLVMValueRef) {
    // SAFETY: each caller passes a `Vec<Value>` of its own as context.
    let values = unsafe { &mut *context.cast::<Vec<Value>>() };
    values.extend(Value::from_raw(value));
}

/// LLVM's verifier on one function.
pub fn verify(function: Value) -> Result<(), String> {
    // SAFETY: a live function.
    take_text(unsafe { shim::pardiff_verify_function(function.raw()) }).map_or(Ok(()), Err)
}

/// LLVM's verifier on the module.
pub fn verify_module(module: Module) -> Result<(), String> {
    // SAFETY: a live module.
    take_text(unsafe { shim::pardiff_verify_module(module.raw()) }).map_or(Ok(()), Err)
}

/// Removes attributes that a clone must not claim: about memory, optimisation, floating point.
pub fn strip_claims(function: Value) {
    // SAFETY: a live definition.
    unsafe { shim::pardiff_strip_claims(function.raw()) }
}

/// Removes metadata that speaks of one execution only, and lifetime markers.
pub fn strip_instructions(function: Value) {
    // SAFETY: a live definition; erased instructions are intrinsics without results.
    unsafe { shim::pardiff_strip_instructions(function.raw()) }
}

/// Removes what a repeated instruction must not claim: flags, ranges, scopes.
pub fn drop_claims(instruction: Value) {
    // SAFETY: a live instruction.
    unsafe { shim::pardiff_drop_claims(instruction.raw()) }
}

/// Says that accesses (of a function, each with the number of its class) never go to the same memory where `apart`, a square
/// matrix of classes, is true.
pub fn separate(accesses: &[(Value, u32)], apart: &[bool]) {
    let (values, classes): (Vec<_>, Vec<u32>) = accesses.iter().map(|(v, c)| (v.raw(), *c)).unzip();
    let count = apart.len().isqrt();
    assert!(count * count == apart.len() && classes.iter().all(|c| (*c as usize) < count));
    // SAFETY: live loads and stores, and arrays of the lengths that are given.
    unsafe { shim::pardiff_separate(values.as_ptr(), classes.as_ptr(), values.len(), apart.as_ptr(), count) }
}

/// Lets no pass replace what a load or store accesses by values. A copy that is differentiated forgets it.
pub fn keep_in_memory(access: Value) {
    // SAFETY: a live load or store.
    unsafe { shim::pardiff_keep_in_memory(access.raw()) }
}

/// Drops metadata that speaks of where an instruction was; it keeps its flags.
pub fn drop_metadata(instruction: Value) {
    // SAFETY: a live instruction.
    unsafe { shim::pardiff_drop_metadata(instruction.raw()) }
}

/// Gives a generated function the primal's attributes about the target, sanitizers and unwinding;
/// nothing that says what it does to memory.
pub fn set_generated_attributes(function: Value, from: Value) {
    // SAFETY: two live functions of one context.
    unsafe { shim::pardiff_adopt_attributes(function.raw(), from.raw()) }
}

/// Shows the primal's source lines in a generated function, under a subprogram of its own.
pub fn adopt_locations(function: Value, from: Value) {
    // SAFETY: two live functions of one module.
    unsafe { shim::pardiff_adopt_locations(function.raw(), from.raw()) }
}

/// Links those functions of the runtime that the module declares into it, as internal functions.
pub fn link_runtime(module: Module) -> Result<(), String> {
    link(module, pardiff_runtime::BITCODE)
}

/// The same of the bodies of library functions.
pub fn link_bodies(module: Module) -> Result<(), String> {
    link(module, pardiff_runtime::BODIES)
}

fn link(module: Module, bitcode: &[u8]) -> Result<(), String> {
    // SAFETY: a live module and the bytes of a static.
    let wrong = unsafe { shim::pardiff_link_bitcode(module.raw(), bitcode.as_ptr().cast(), bitcode.len()) };
    take_text(wrong).map_or(Ok(()), Err)
}

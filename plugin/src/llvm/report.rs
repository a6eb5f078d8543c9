//! Problems as diagnostics of the host compiler.

use super::ir::{Module, Value, c_string};
use super::shim;
use super::transform::take_text;

/// Where an error is shown.
#[derive(Clone, Copy)]
pub struct Place {
    /// The function to name, as the user wrote it.
    pub function: Value,
    /// An instruction with the line to show, in that function or a copy of it.
    pub instruction: Option<Value>,
}

/// Reports one error; false where the host left it unsaid.
pub fn diagnose(module: Module, place: Option<Place>, text: &str) -> bool {
    let text = c_string(text);
    let null = std::ptr::null_mut();
    let function = place.map_or(null, |p| p.function.raw());
    let at = place.and_then(|p| p.instruction).map_or(null, Value::raw);
    // SAFETY: live values; both may be null.
    unsafe { shim::pardiff_diagnose(module.raw(), function, at, text.as_ptr()) != 0 }
}

/// Warns at the line of an instruction, in a function that the user wrote or a copy of it.
pub fn warn(function: Value, at: Value, text: &str) {
    let text = c_string(text);
    // SAFETY: a live function and instruction.
    unsafe { shim::pardiff_warn(function.raw(), at.raw(), text.as_ptr()) }
}

/// `file:line:column` of an instruction, where it has one.
pub fn location(at: Value) -> Option<String> {
    // SAFETY: a live value.
    take_text(unsafe { shim::pardiff_location(at.raw()) })
}

/// A symbol's name as its language spells it.
pub fn demangle(symbol: &str) -> String {
    let name = c_string(symbol);
    // SAFETY: a NUL-terminated name.
    take_text(unsafe { shim::pardiff_demangle(name.as_ptr()) }).unwrap_or_else(|| symbol.into())
}

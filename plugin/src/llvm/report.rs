//! Problems as diagnostics of the host compiler.

use super::ir::{Value, c_string};
use super::shim;
use super::transform::take_text;

/// Reports one error at an instruction of `function`; false where the host left it unsaid.
pub fn diagnose(function: Value, at: Option<Value>, text: &str) -> bool {
    let text = c_string(text);
    let at = at.map_or(std::ptr::null_mut(), Value::raw);
    // SAFETY: live values; `at` may be null.
    unsafe { shim::pardiff_diagnose(function.raw(), at, text.as_ptr()) != 0 }
}

/// `file:line:column` of an instruction, where it has one.
pub fn location(at: Value) -> Option<String> {
    // SAFETY: a live value.
    take_text(unsafe { shim::pardiff_location(at.raw()) })
}

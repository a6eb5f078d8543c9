//! Inlines functions that pass their own argument on as the function to differentiate.
//!
//! A C++ template such as `grad(f, x)` has the marker call in its body; only its callers know `f`.

use super::names::{self, Meaning};
use super::resolve::origin;
use super::{calls_of, is_marker};
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;

/// Wrappers of wrappers, to this depth.
const DEPTH: usize = 8;

/// Inlines wrappers into their callers, and erases those that nothing else can call.
pub fn inline_wrappers(module: Module, analyses: Analyses) {
    for _ in 0..DEPTH {
        let wrappers = wrappers(module);
        let mut changed = false;
        for wrapper in wrappers {
            for call in calls_of(wrapper) {
                let caller = call.block().function();
                if caller != wrapper && call.call_type() == wrapper.global_type() {
                    changed |= transform::inline_call(analyses, call).is_ok();
                    transform::invalidate(analyses, caller);
                }
            }
            if wrapper.users().is_empty() && wrapper.is_local_or_shared() {
                transform::delete_function(analyses, wrapper);
            }
        }
        if !changed {
            break;
        }
    }
}

/// Functions whose argument is the function to differentiate.
fn wrappers(module: Module) -> Vec<Value> {
    let mut found = Vec::new();
    for marker in module.functions() {
        if !is_marker(marker) || !matches!(names::call(&marker.name()), Some((_, Meaning::Marker(_)))) {
            continue;
        }
        for call in calls_of(marker) {
            let function = call.block().function();
            let sret = usize::from(call.call_argument_type(0, c"sret").is_some());
            let named = call.call_arguments().get(sret).map(|v| origin(*v));
            if named.is_some_and(|v| function.parameters().contains(&v)) && !found.contains(&function) {
                found.push(function);
            }
        }
    }
    found
}

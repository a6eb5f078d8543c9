//! Says problems to the user, by the host compiler's own means.

use crate::llvm::ir::{Module, Value};
use crate::llvm::report::{Place, demangle, diagnose, location};
use crate::prepare;
use crate::problem::Problem;
use crate::requests;
use indexmap::IndexSet;

/// Reports all problems; does not return where the host cannot be made to fail otherwise.
pub fn report(module: Module, problems: &[Problem]) {
    let swallows = host_swallows_diagnostics();
    let mut unsaid = false;
    let mut said = IndexSet::new();
    for problem in problems {
        let text = format!("{} [{}]", readable(&as_named(&problem.text)), problem.code);
        // One cause may stand in the way of several requests and values.
        if !said.insert((text.clone(), problem.at.and_then(location))) {
            continue;
        }
        let place = problem.at.and_then(|at| place_of(module, at));
        if swallows || !diagnose(module, place, &text) {
            let line = problem.at.and_then(location).map_or(String::new(), |l| l + ": ");
            eprintln!("{line}error: {text}");
            unsaid = true;
        }
    }
    if unsaid {
        std::process::exit(1);
    }
}

/// Where to show a problem: at its line, in the function that the user wrote.
fn place_of(module: Module, at: Value) -> Option<Place> {
    if let Some(function) = at.as_function() {
        return Some(Place { function: as_written(module, function), instruction: None });
    }
    let instruction = at.as_instruction()?;
    let function = as_written(module, instruction.block().function());
    Some(Place { function, instruction: Some(instruction) })
}

/// The function that the user wrote, for one of its clones.
fn as_written(module: Module, function: Value) -> Value {
    let name = function.name();
    let Some(name) = name.strip_prefix(prepare::CLONE) else { return function };
    // A second clone of one function has a number at the end.
    let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    module.function(name).or_else(|| module.function(without_number)).unwrap_or(function)
}

/// Functions that take numbers one by one under the names of those that they stand for.
fn as_named(text: &str) -> String {
    let mut parts = text.split(requests::FLAT);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, rest| out + rest.trim_start_matches(['0', '1', 'r']).trim_start_matches('.'))
}

/// Symbols of C++ as the program spells them.
fn readable(text: &str) -> String {
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("_Z") {
        let end = rest[start..].find(|c| !is_symbol(c)).map_or(rest.len(), |n| start + n);
        out += &rest[..start];
        out += &demangle(&rest[start..end]);
        rest = &rest[end..];
    }
    out + rest
}

/// Flang drops what it does not know and exits with 0.
fn host_swallows_diagnostics() -> bool {
    std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().starts_with("flang")))
        .unwrap_or(false)
}

//! Says problems to the user, by the host compiler's own means.

use crate::llvm::ir::{Module, Value};
use crate::llvm::report::{diagnose, location};
use crate::prepare;
use crate::problem::Problem;

/// Reports all problems; does not return where the host cannot be made to fail otherwise.
pub fn report(module: Module, problems: &[Problem]) {
    let swallows = host_swallows_diagnostics();
    let mut unsaid = false;
    for problem in problems {
        let text = format!("{} [{}]", problem.text, problem.code);
        let function = problem.at.filter(|at| at.as_instruction().is_some()).map(|at| at.block().function());
        let function = function.map(|f| as_written(module, f)).or_else(|| module.functions().into_iter().next());
        let said = match function {
            Some(function) if !swallows => diagnose(function, problem.at, &text),
            _ => false,
        };
        if !said {
            let place = problem.at.and_then(location).map_or(String::new(), |l| l + ": ");
            eprintln!("error: {place}{text}");
            unsaid = true;
        }
    }
    if unsaid {
        std::process::exit(1);
    }
}

/// The function that the user wrote, for one of its clones.
fn as_written(module: Module, function: Value) -> Value {
    let name = function.name();
    let original = name.strip_prefix(prepare::CLONE).and_then(|n| module.function(n));
    original.unwrap_or(function)
}

/// Flang drops what it does not know and exits with 0.
fn host_swallows_diagnostics() -> bool {
    std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().starts_with("flang")))
        .unwrap_or(false)
}

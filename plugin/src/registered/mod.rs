//! Which functions have derivatives that the program gives?
//!
//! The program says so in global variables, as arrays of function pointers:
//!
//! * `__pardiff_register_gradient_NAME[3] = {f, augmented, gradient}`: the two sweeps of reverse mode;
//! * `__pardiff_register_derivative_NAME[2] = {f, derivative}`: forward mode.
//!
//! Calls of `f` in differentiated code stay calls, and call generated adapters (`adapter`) in place of generated
//! derivatives. How the given functions take and return things is read off their types, and refused where it does not
//! fit `f`: a function that takes its arguments otherwise would read garbage.

pub mod adapter;
mod marks;
mod shape;

pub use marks::{ALLOCATES, INACTIVE, LIKE, MANAGES, RELEASES};

use crate::llvm::ir::{Module, Value};
use crate::problem::{Code, Problem};
use crate::requests::resolve::origin;
use indexmap::IndexMap;

/// Mark on functions with a derivative of their own.
pub const GIVEN: &str = "pardiff-given";

/// The sweeps of reverse mode.
#[derive(Clone, Copy, Debug)]
pub struct Sweeps {
    /// Does what the function does, and returns what the other needs.
    pub augmented: Value,
    /// Adds to the shadows of arguments, and returns the adjoints of numbers.
    pub gradient: Value,
    /// Whether a tape passes from one to the other.
    pub tape: bool,
    /// Whether the first returns the result, after the tape.
    pub result: bool,
    /// Whether the first returns the result's shadow, last.
    pub shadow: bool,
}

/// Forward mode.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Does what the function does, for numbers and tangents.
    pub function: Value,
    /// Whether it returns the result, before its tangent.
    pub result: bool,
}

/// What the program gives for one function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// Reverse mode.
    pub sweeps: Option<Sweeps>,
    /// Forward mode.
    pub tangent: Option<Tangent>,
}

/// Everything that the program gives.
pub type Registered = IndexMap<Value, Given>;

/// What a variable of this name registers, by the part of its name that says so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gradient,
    Derivative,
}

fn kind(name: &str) -> Option<Kind> {
    let (_, rest) = ["__enzyme_register_", "__pardiff_register_"].iter().find_map(|start| name.split_once(start))?;
    [("gradient", Kind::Gradient), ("derivative", Kind::Derivative)]
        .into_iter()
        .find_map(|(stem, kind)| rest.starts_with(stem).then_some(kind))
}

/// The functions that a variable registers, and a problem where they are not known.
fn functions(global: Value, count: u32) -> Result<Vec<Value>, Problem> {
    let value = global.initializer();
    let entry = |n: u32| origin(value?.operand(n)?).as_function();
    let all: Vec<Value> = (0..count).map_while(entry).collect();
    if all.len() == count as usize {
        return Ok(all);
    }
    let text = format!(
        "'{}' must be an array of {count} functions of this file, initialised with constants; entry {} is none",
        global.name(),
        all.len()
    );
    Err(Problem::new(Code::BadRequest, text))
}

/// Reads all registrations of a module, and marks the functions that they are about.
pub fn read(module: Module) -> (Registered, Vec<Problem>) {
    let (mut all, mut problems) = (Registered::new(), vec![]);
    for global in module.globals() {
        let Some(kind) = kind(&global.name()) else { continue };
        if let Err(problem) = register(&mut all, global, kind) {
            problems.push(problem);
        }
    }
    all.keys().for_each(|f| f.set_mark(GIVEN, ""));
    let (statements, mut wrong) = marks::statements(module);
    problems.append(&mut wrong);
    problems.append(&mut marks::set(&statements));
    (all, problems)
}

fn register(all: &mut Registered, global: Value, kind: Kind) -> Result<(), Problem> {
    let name = global.name();
    let twice = |function: Value| {
        let text = format!("'{name}' gives '{}' a derivative that it has already", function.name());
        Err(Problem::at(Code::BadRequest, function, text))
    };
    match kind {
        Kind::Gradient => {
            let functions = functions(global, 3)?;
            let sweeps = shape::sweeps(&name, functions[0], functions[1], functions[2])?;
            if all.entry(functions[0]).or_default().sweeps.replace(sweeps).is_some() {
                return twice(functions[0]);
            }
        }
        Kind::Derivative => {
            let functions = functions(global, 2)?;
            let tangent = shape::tangent(&name, functions[0], functions[1])?;
            if all.entry(functions[0]).or_default().tangent.replace(tangent).is_some() {
                return twice(functions[0]);
            }
        }
    }
    Ok(())
}

/// Keeps the functions apart from their callers in what is compiled for a link, where the callers may be differentiated,
/// and keeps what is said of them.
pub fn keep_apart(module: Module) {
    let said = |g: &Value| g.initializer().is_some() && (kind(&g.name()).is_some() || marks::is_statement(&g.name()));
    module.keep(&module.globals().into_iter().filter(said).collect::<Vec<_>>());
    for global in module.globals().into_iter().filter(|g| kind(&g.name()).is_some()) {
        let first = global.initializer().and_then(|value| value.operand(0));
        if let Some(function) = first.and_then(|f| origin(f).as_function()) {
            function.forbid_inlining();
            shape::note_arguments(function);
        }
    }
    let about = marks::statements(module).0.into_iter().filter_map(|(of, ..)| of.as_function());
    about.for_each(Value::forbid_inlining);
}

/// Whether calls of a function stay calls whatever its body is, which may be missing.
pub fn stays(function: Value) -> bool {
    [GIVEN, INACTIVE].into_iter().any(|mark| function.mark(mark).is_some())
}

/// Removes the marks.
pub fn forget(module: Module) {
    for function in module.functions() {
        [GIVEN, INACTIVE, LIKE, ALLOCATES, RELEASES, MANAGES, shape::ARGUMENTS]
            .into_iter()
            .for_each(|mark| function.remove_mark(mark));
    }
    module.globals().into_iter().for_each(|variable| variable.unmark_variable(INACTIVE));
}

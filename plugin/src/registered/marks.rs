//! Functions and variables that the program says something about: that they have no derivative, or that of a known
//! function.
//!
//! * `__pardiff_inactivefn_NAME[] = {f, ...}`: results of `f` have no derivative;
//! * `__pardiff_function_like_NAME[2] = {f, "log1p"}`: `f` has the derivative rule of that name;
//! * the annotations `pardiff_inactive` and `pardiff_function_like=log1p` on the function say the same.
//!
//! * `__pardiff_inactive_global_NAME[] = {&v, ...}`: what is kept in the global variable `v` has no derivative, nor has what
//!   is kept in memory that it leads to. The annotation `pardiff_inactive` says the same.
//!
//! * `__pardiff_allocation_like_NAME[4] = {f, (void *)1, "-1", g}`: `f` gives memory, of as many bytes as its second argument
//!   says (counted from 0), and `g` takes it back; the text says what `g` is called with, by arguments of `f`, -1 for the
//!   memory.
//!
//! What `..._nofree` says is read off the functions themselves.

use crate::llvm::ir::{Kind, Module, Value};
use crate::problem::{Code, Problem};
use crate::requests::resolve::origin;
use crate::rules;

/// Mark on functions and variables without derivative.
pub const INACTIVE: &str = "pardiff-inactive";

/// Mark on functions that have the rule which it names.
pub const LIKE: &str = "pardiff-like";

/// Mark on functions that give memory; the parameter that is its size.
pub const ALLOCATES: &str = "pardiff-allocates";

/// Mark on functions that take such memory back.
pub const RELEASES: &str = "pardiff-releases";

/// Mark on functions that do so and want more than the memory to be told.
pub const MANAGES: &str = "pardiff-manages";

const FAMILIES: [&str; 2] = ["pardiff", "enzyme"];

/// Whether the name of a variable has this stem after the prefix of either family.
fn says(name: &str, stem: &str) -> bool {
    FAMILIES.iter().any(|family| name.contains(&format!("__{family}_{stem}")))
}

/// Whether a variable of this name says something about functions or other variables.
pub fn is_statement(name: &str) -> bool {
    ["inactivefn", "function_like", "inactive_global", "allocation_like"].into_iter().any(|stem| says(name, stem))
}

/// The text of a string constant.
fn text(value: Value) -> Option<String> {
    Some(origin(value).constant_text()?.trim_end_matches('\0').to_string())
}

/// The entries of a constant array or struct.
fn entries(value: Value) -> impl Iterator<Item = Value> {
    (0..value.operand_count()).filter_map(move |n| value.operand(n))
}

/// One statement about a function or variable: the mark, and its text.
type Statement = (Value, &'static str, String);

/// All statements of a module, and what cannot be understood or followed.
pub fn statements(module: Module) -> (Vec<Statement>, Vec<Problem>) {
    let (mut all, mut problems) = (vec![], vec![]);
    for global in module.globals() {
        let name = global.name();
        let Some(value) = global.initializer() else { continue };
        if says(&name, "inactive_global") || says(&name, "inactivefn") {
            let variable = says(&name, "inactive_global");
            let wanted = |v: Value| if variable { origin(v).as_global() } else { origin(v).as_function() };
            let one = wanted(value);
            let named: Vec<Option<Value>> =
                if one.is_some() { vec![one] } else { entries(value).map(wanted).collect() };
            if named.is_empty() || named.contains(&None) {
                let what = if variable { "addresses of global variables" } else { "functions of this file" };
                let text = format!("'{name}' must be an array of {what}, initialised with constants");
                problems.push(Problem::new(Code::BadRequest, text));
            }
            all.extend(named.into_iter().flatten().map(|of| (of, INACTIVE, String::new())));
        } else if says(&name, "function_like") {
            let mut pair = entries(value);
            let function = pair.next().and_then(|v| origin(v).as_function());
            match (function, pair.next().and_then(text)) {
                (Some(function), Some(like)) => all.push((function, LIKE, like)),
                _ => {
                    let text =
                        format!("'{name}' must hold a function of this file and the name of another, as constants");
                    problems.push(Problem::new(Code::BadRequest, text));
                }
            }
        } else if says(&name, "allocation_like") {
            match allocator(value) {
                Some(both) => all.extend(both),
                None => {
                    let text = format!(
                        "'{name}' must hold a function that returns memory, which of its arguments is the size, what the \
                         function that takes the memory back is called with, such as \"-1\", and that function, as \
                         constants"
                    );
                    problems.push(Problem::new(Code::BadRequest, text));
                }
            }
        } else if name == "llvm.global.annotations" {
            all.extend(entries(value).filter_map(annotation));
        }
    }
    (all, problems)
}

/// What is said of two functions of which one gives memory and the other takes it back.
fn allocator(value: Value) -> Option<[Statement; 2]> {
    let [gives, size, told, takes] = entries(value).collect::<Vec<_>>().try_into().ok()?;
    let (gives, takes) = (origin(gives).as_function()?, origin(takes).as_function()?);
    let size = if size == size.ty().zero() { 0 } else { origin(size).as_int()? };
    let told = text(told)?;
    let parameters = gives.parameters();
    let sized = matches!(parameters.get(usize::try_from(size).ok()?)?.ty().kind(), Kind::Int(_));
    let told: Vec<&str> = told.split(',').map(str::trim).collect();
    let at = told.iter().position(|n| *n == "-1")?;
    let pointer = takes.parameters().get(at)?.ty().kind() == Kind::Pointer;
    if !sized || !pointer || told.len() != takes.parameters().len() || gives.return_type().kind() != Kind::Pointer {
        return None;
    }
    let mark = if told.len() == 1 { RELEASES } else { MANAGES };
    Some([(gives, ALLOCATES, size.to_string()), (takes, mark, String::new())])
}

fn annotation(entry: Value) -> Option<Statement> {
    let of = origin(entry.operand(0)?);
    let said = text(entry.operand(1)?)?;
    let rest = FAMILIES.iter().find_map(|family| said.strip_prefix(family)?.strip_prefix('_'))?;
    if rest == "inactive" {
        return of.as_function().or(of.as_global()).map(|of| (of, INACTIVE, String::new()));
    }
    Some((of.as_function()?, LIKE, rest.strip_prefix("function_like=")?.to_string()))
}

/// Marks the functions and variables that statements are about; refuses those of rules that do not fit.
pub fn set(statements: &[Statement]) -> Vec<Problem> {
    let mut problems = vec![];
    for (function, mark, like) in statements {
        if function.as_global().is_some() {
            function.mark_variable(mark);
        } else if *mark == LIKE && !fits(*function, like) {
            let text = format!(
                "'{}' cannot have the derivative of '{like}': no rule of that name takes its arguments",
                function.name()
            );
            problems.push(Problem::at(Code::BadRequest, *function, text));
        } else {
            function.set_mark(mark, like);
        }
    }
    problems
}

fn fits(function: Value, like: &str) -> bool {
    let Some(rule) = rules::by_callee(like) else { return false };
    let row = rules::row(rule);
    let parameters = function.parameters();
    let same = |(p, float): (&Value, &bool)| p.ty().kind().is_float() == *float;
    row.out.is_none()
        && function.return_type().kind().is_float()
        && parameters.len() == row.float_args.len()
        && parameters.iter().zip(row.float_args).all(same)
}

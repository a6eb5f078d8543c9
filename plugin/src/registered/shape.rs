//! Do the types of given functions fit the function that they are for?
//!
//! Arguments are those of the function, each pointer followed by its shadow; in forward mode each number by its tangent
//! too, and a struct that holds one by a struct of shadows and tangents. The gradient then takes the seed of a floating-point result, and the tape if it wants one; it returns the adjoints
//! of the numbers among the arguments.

use super::{Sweeps, Tangent};
use crate::leaves::leaves;
use crate::llvm::ir::{Kind, Type, Value};
use crate::problem::{Code, Problem};
use crate::requests::groups;

/// Mark on functions that tells how many parameters each argument takes.
pub const ARGUMENTS: &str = "pardiff-arguments";

/// One parameter or result, and what it is.
type Part = (Type, &'static str);

/// Types of the parameters of a function that returns a struct through memory or not.
fn parameters(function: Value) -> Vec<Type> {
    let skipped = usize::from(function.parameter_type(0, c"sret").is_some());
    function.parameters().into_iter().skip(skipped).map(Value::ty).collect()
}

/// The type that a function returns, also through memory.
pub fn returned(function: Value) -> Type {
    let through = (!function.parameters().is_empty()).then(|| function.parameter_type(0, c"sret")).flatten();
    through.unwrap_or(function.return_type())
}

fn is_plain(kind: Kind) -> bool {
    kind.is_float() || matches!(kind, Kind::Pointer | Kind::Int(_))
}

/// Refuses functions whose arguments have no place in the convention.
fn supported(name: &str, function: Value) -> Result<(), Problem> {
    let by_value = |n: u32| function.parameter_type(n, c"byval").or(function.parameter_type(n, c"sret")).is_some();
    let plain = (0u32..).zip(function.parameters()).all(|(n, p)| is_plain(p.ty().kind()) && !by_value(n));
    let result = function.return_type().kind();
    if plain && (is_plain(result) || result == Kind::Void) && !function.is_variadic() {
        return Ok(());
    }
    let text = format!(
        "'{name}': '{}' takes or returns a struct or vector by value, or a variable number of arguments; a derivative of \
         its own is not supported for such a function yet",
        function.name()
    );
    Err(Problem::at(Code::UnsupportedRequest, function, text))
}

/// The arguments of a function, in C's terms, by their parameters: a small struct takes several.
pub fn arguments(function: Value) -> Vec<Vec<usize>> {
    let noted = function.mark(ARGUMENTS).map(|text| text.split(' ').filter_map(|n| n.parse().ok()).collect());
    let counts: Vec<usize> = noted.unwrap_or_else(|| groups(function, false));
    let mut first = 0;
    let next = |count| {
        first += count;
        (first - count..first).collect()
    };
    counts.into_iter().map(next).collect()
}

/// Notes how many parameters each argument of a function takes, which optimised code does not show any more.
pub fn note_arguments(function: Value) {
    let counts: Vec<String> = groups(function, false).iter().map(usize::to_string).collect();
    function.set_mark(ARGUMENTS, &counts.join(" "));
}

/// Whether an argument of these types is followed by its shadow: a pointer, in forward mode a number, and a struct in which
/// there is one.
pub fn has_shadow(types: &[Kind], forward: bool) -> bool {
    types.iter().any(|kind| *kind == Kind::Pointer || forward && kind.is_float())
}

/// The parameters of a given function: those of the function and their shadows.
fn with_shadows(function: Value, forward: bool) -> Vec<Part> {
    let parameters = function.parameters();
    let mut all = vec![];
    for argument in arguments(function) {
        let types: Vec<Type> = argument.into_iter().map(|n| parameters[n].ty()).collect();
        all.extend(types.iter().map(|ty| (*ty, "argument")));
        let kinds: Vec<Kind> = types.iter().map(|ty| ty.kind()).collect();
        if has_shadow(&kinds, forward) {
            let what = |kind: Kind| if kind.is_float() { "tangent" } else { "shadow" };
            all.extend(types.iter().map(|ty| (*ty, what(ty.kind()))));
        }
    }
    all
}

/// Refuses a given function that takes structs of which the function, without a body here, does not show any.
fn agree(name: &str, function: Value, given: Value) -> Result<(), Problem> {
    let structs = |f: Value| arguments(f).iter().any(|parameters| parameters.len() > 1);
    if !function.is_declaration() || given.is_declaration() || !structs(given) {
        return Ok(());
    }
    let text = format!(
        "'{name}': '{}' takes a struct by value, and '{}' is only declared here, which does not show its structs; define it \
         in this file",
        given.name(),
        function.name()
    );
    Err(Problem::at(Code::UnsupportedRequest, given, text))
}

fn same(types: &[Type], parts: &[Part]) -> bool {
    types.len() == parts.len() && types.iter().zip(parts).all(|(a, (b, _))| a == b)
}

/// Checks the sweeps of reverse mode.
pub fn sweeps(name: &str, function: Value, augmented: Value, gradient: Value) -> Result<Sweeps, Problem> {
    supported(name, function)?;
    agree(name, function, augmented)?;
    agree(name, function, gradient)?;
    let result = function.return_type();
    let shared = with_shadows(function, false);
    let mut wanted = shared.clone();
    if result.kind().is_float() {
        wanted.push((result, "seed"));
    }
    let pointer = function.ty();
    let taken = parameters(gradient);
    let tape = taken.len() > wanted.len();
    if tape {
        wanted.push((pointer, "tape"));
    }
    let adjoints: Vec<Part> =
        function.parameters().iter().filter(|p| p.ty().kind().is_float()).map(|p| (p.ty(), "adjoint")).collect();
    let given: Vec<Type> = leaves(returned(gradient)).into_iter().map(|leaf| leaf.ty).collect();
    if !same(&taken, &wanted) || !same(&given, &adjoints) {
        return Err(wrong(name, function, gradient, &[&adjoints], &wanted));
    }
    let mut first: Vec<Part> = vec![];
    if tape {
        first.push((pointer, "tape"));
    }
    let mut whole = first.clone();
    if result.kind() != Kind::Void {
        whole.push((result, "result"));
    }
    if result.kind() == Kind::Pointer {
        whole.push((result, "shadow"));
    }
    let given: Vec<Type> = leaves(returned(augmented)).into_iter().map(|leaf| leaf.ty).collect();
    // Without a result the function itself is called for it; a returned pointer needs its shadow.
    let short = result.kind() != Kind::Pointer && same(&given, &first);
    if !same(&parameters(augmented), &shared) || !(same(&given, &whole) || short) {
        let forms: &[&[Part]] =
            if result.kind() == Kind::Pointer || whole.len() == first.len() { &[&whole] } else { &[&whole, &first] };
        return Err(wrong(name, function, augmented, forms, &shared));
    }
    let all = same(&given, &whole);
    Ok(Sweeps { augmented, gradient, tape, result: all, shadow: all && result.kind() == Kind::Pointer })
}

/// Checks a derivative for forward mode.
pub fn tangent(name: &str, function: Value, derivative: Value) -> Result<Tangent, Problem> {
    supported(name, function)?;
    agree(name, function, derivative)?;
    let result = function.return_type();
    let wanted = with_shadows(function, true);
    let mut whole: Vec<Part> = vec![];
    if result.kind() != Kind::Void {
        whole.push((result, "result"));
    }
    let last = if result.kind().is_float() { "tangent" } else { "shadow" };
    if result.kind().is_float() || result.kind() == Kind::Pointer {
        whole.push((result, last));
    }
    let short: &[Part] = if result.kind().is_float() { &whole[1..] } else { &[] };
    let given: Vec<Type> = leaves(returned(derivative)).into_iter().map(|leaf| leaf.ty).collect();
    let is_short = result.kind() != Kind::Pointer && same(&given, short);
    if !same(&parameters(derivative), &wanted) || !(same(&given, &whole) || is_short) {
        let forms: &[&[Part]] =
            if result.kind() == Kind::Pointer || whole.is_empty() { &[&whole] } else { &[&whole, short] };
        return Err(wrong(name, function, derivative, forms, &wanted));
    }
    Ok(Tangent { function: derivative, result: same(&given, &whole) })
}

/// The message for a function of another type, with the one that it must have.
fn wrong(name: &str, function: Value, given: Value, results: &[&[Part]], parameters: &[Part]) -> Problem {
    let results: Vec<String> = results.iter().map(|parts| result(parts)).collect();
    let parameters: Vec<String> = parameters.iter().map(|(ty, what)| format!("{} {what}", spoken(*ty))).collect();
    let text = format!(
        "'{name}': the type of '{}' does not fit '{}'; expected: {} {}({})",
        given.name(),
        function.name(),
        results.join(" or "),
        given.name(),
        parameters.join(", ")
    );
    Problem::at(Code::BadRequest, given, text)
}

fn result(parts: &[Part]) -> String {
    match parts {
        [] => "void".into(),
        [(ty, _)] => spoken(*ty).into(),
        many => {
            let fields: Vec<String> = many.iter().map(|(ty, what)| format!("{} {what};", spoken(*ty))).collect();
            format!("struct {{ {} }}", fields.join(" "))
        }
    }
}

/// A type in C's words.
fn spoken(ty: Type) -> &'static str {
    match ty.kind() {
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Extended => "long double",
        Kind::Int(1) => "bool",
        Kind::Int(8) => "char",
        Kind::Int(16) => "short",
        Kind::Int(32) => "int",
        Kind::Int(_) => "long",
        _ => "void *",
    }
}

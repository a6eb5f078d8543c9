//! Do the types of given functions fit the function that they are for?
//!
//! Arguments are those of the function, each pointer followed by its shadow; in forward mode each number by its tangent
//! too. The gradient then takes the seed of a floating-point result, and the tape if it wants one; it returns the adjoints
//! of the numbers among the arguments.

use super::{Sweeps, Tangent};
use crate::leaves::leaves;
use crate::llvm::ir::{Kind, Type, Value};
use crate::problem::{Code, Problem};

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

/// The parameters of a given function: those of the function and their shadows.
fn with_shadows(function: Value, forward: bool) -> Vec<Part> {
    let mut all = vec![];
    for parameter in function.parameters() {
        let ty = parameter.ty();
        all.push((ty, "argument"));
        if ty.kind() == Kind::Pointer {
            all.push((ty, "shadow"));
        } else if forward && ty.kind().is_float() {
            all.push((ty, "tangent"));
        }
    }
    all
}

fn same(types: &[Type], parts: &[Part]) -> bool {
    types.len() == parts.len() && types.iter().zip(parts).all(|(a, (b, _))| a == b)
}

/// Checks the sweeps of reverse mode.
pub fn sweeps(name: &str, function: Value, augmented: Value, gradient: Value) -> Result<Sweeps, Problem> {
    supported(name, function)?;
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

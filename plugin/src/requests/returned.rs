//! Results of more than one number: structs, complex numbers, vectors.
//!
//! A function that returns one is differentiated through one that stores it, so that every later phase sees memory. The
//! memory and its shadow are local variables beside the request: the shadow holds the seeds of reverse mode, one for
//! each number, or the tangents of forward mode.

use super::by_value::{FLAT, Flat};
use crate::leaves::{extract, leaves, offset};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Type, Value};
use crate::problem::{Code, Problem};
use crate::request::{Mode, Place};

/// The type of a function's result, if it is more than one number.
pub fn composite(function: Value) -> Option<Type> {
    let through = (!function.parameters().is_empty()).then(|| function.parameter_type(0, c"sret")).flatten();
    through.or(in_registers(function))
}

/// Whether a result of this type has a derivative, where the request does not say so.
pub fn is_active(ty: Type, mode: Mode) -> bool {
    holds(ty, Kind::is_float) || mode == Mode::Forward && holds(ty, |kind| kind == Kind::Pointer)
}

fn holds(ty: Type, what: impl Fn(Kind) -> bool) -> bool {
    leaves(ty).iter().any(|leaf| what(leaf.ty.kind()))
}

/// Refuses results whose derivative the mode cannot return.
pub fn supported(call: Value, function: Value, ty: Type, mode: Mode) -> Result<(), Problem> {
    if mode == Mode::Forward || !holds(ty, |kind| kind == Kind::Pointer) {
        return Ok(());
    }
    let text = format!(
        "'{}' returns a struct with pointers in it, whose derivative in reverse mode is not supported yet; return it \
         through a pointer, or pass pardiff_const_return",
        function.name()
    );
    Err(Problem::at(Code::UnsupportedRequest, call, text))
}

/// Memory for a result, and for its derivative if it has one.
pub fn place(module: Module, call: Value, ty: Type, active: bool, primal: bool) -> Place {
    let at_entry = Builder::new(module);
    at_entry.before(call.block().function().blocks()[0].instructions()[0]);
    let make = |name: &str| at_entry.alloca(ty, name);
    Place { ty, memory: make("result"), shadow: active.then(|| make("result'")), primal }
}

/// What a shadow holds before the derivative is called: the seeds given, or 1 for each number, or no tangent.
pub fn start(module: Module, call: Value, place: &Place, mode: Mode, seeds: Option<&[Value]>) -> Result<(), Problem> {
    let Some(shadow) = place.shadow else { return Ok(()) };
    let builder = Builder::new(module);
    builder.before(call);
    builder.locate_like(call);
    let parts = leaves(place.ty);
    let given = match seeds {
        Some(seeds) => Some(numbers(&builder, seeds, place.ty).ok_or_else(|| {
            let text = "the seed of this call is not a struct like the function's result".to_string();
            Problem::at(Code::BadRequest, call, text)
        })?),
        None => None,
    };
    for (n, leaf) in parts.iter().enumerate() {
        let one = mode == Mode::Reverse && leaf.ty.kind().is_float();
        let seed = match &given {
            Some(given) => given[n],
            None if one => leaf.ty.real(1.0),
            None => leaf.ty.zero(),
        };
        builder.store(seed, at(&builder, shadow, place.ty, &leaf.path));
    }
    Ok(())
}

/// The numbers of a struct that the C ABI passes in registers or through memory, by the parts of its type.
fn numbers(builder: &Builder, operands: &[Value], ty: Type) -> Option<Vec<Value>> {
    let parts = leaves(ty);
    if let [one] = operands
        && one.ty().kind() == Kind::Pointer
    {
        let load = |path: &[u32], part: Type| builder.load(part, at(builder, *one, ty, path));
        return Some(parts.iter().map(|leaf| load(&leaf.path, leaf.ty)).collect());
    }
    let all = operands
        .iter()
        .flat_map(|o| leaves(o.ty()).into_iter().map(|leaf| extract(builder, *o, &leaf.path)).collect::<Vec<_>>());
    let all: Vec<Value> = all.collect();
    (all.len() == parts.len() && all.iter().zip(&parts).all(|(value, leaf)| value.ty() == leaf.ty)).then_some(all)
}

/// The address of a part of an object.
fn at(builder: &Builder, object: Value, ty: Type, path: &[u32]) -> Value {
    let module = builder.module();
    let bytes = module.int(64).int(offset(module, ty, path) as i64);
    builder.offset(module.int(8), object, bytes)
}

/// The numbers that are kept in an object.
pub fn load(builder: &Builder, object: Value, ty: Type) -> Vec<Value> {
    leaves(ty).iter().map(|leaf| builder.load(leaf.ty, at(builder, object, ty, &leaf.path))).collect()
}

/// Lets a function that returns its result in registers store it in a last argument.
pub fn through_memory(module: Module, mode: Mode, asked: Flat, place: &Place) -> Flat {
    let Flat { function, mut arguments, mut operands } = asked;
    arguments.push(place.activity(mode));
    operands.push((place.memory, place.shadow.into_iter().collect()));
    Flat { function: wrapper(module, function), arguments, operands }
}

/// The type of a result of more than one number that is returned in registers.
pub fn in_registers(function: Value) -> Option<Type> {
    let ty = function.return_type();
    matches!(ty.kind(), Kind::Struct | Kind::Array | Kind::Vector).then_some(ty)
}

/// The function that stores what `function` returns.
pub fn wrapper(module: Module, function: Value) -> Value {
    let name = format!("{FLAT}r.{}", function.name());
    if let Some(made) = module.function(&name) {
        return made;
    }
    let mut types: Vec<Type> = function.parameters().into_iter().map(Value::ty).collect();
    types.push(module.pointer());
    let made = module.add_function(&name, module.void().function(&types));
    made.set_internal();
    let builder = Builder::new(module);
    builder.at_end(builder.new_block(made, ""));
    let mut arguments = made.parameters();
    let out = arguments.pop().expect("the last parameter is the result's place");
    let result = builder.call(function, &arguments);
    result.pass_as_declared(function);
    let ty = function.return_type();
    for leaf in leaves(ty) {
        builder.store(extract(&builder, result, &leaf.path), at(&builder, out, ty, &leaf.path));
    }
    builder.ret(None);
    made
}

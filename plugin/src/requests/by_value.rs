//! Numbers inside structs and vectors that are passed by value.
//!
//! A function that takes such an argument is differentiated through one that takes its numbers one by one, so that
//! every later phase sees numbers only. Derivatives come back in the order of the numbers.

use crate::leaves::{Leaf, extract, insert, leaves};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Type, Value};
use crate::problem::{Code, Problem};
use crate::request::Activity;
use llvm_sys::LLVMOpcode::LLVMBitCast;

/// Start of the names of functions that take numbers one by one.
pub const FLAT: &str = "pardiff.flat";

/// Numbers in one argument.
const MOST: usize = 64;

/// Primal and shadows of each parameter.
pub type Operands = Vec<(Value, Vec<Value>)>;

/// The type of an argument whose numbers may be passed one by one: a struct by value or a vector.
pub fn composite(function: Value, parameter: u32) -> Option<Type> {
    let ty = function.parameters()[parameter as usize].ty();
    let composite = function.parameter_type(parameter, c"byval").or((ty.kind() == Kind::Vector).then_some(ty))?;
    let parts = leaves(composite);
    let fit = |leaf: &Leaf| leaf.ty.kind().is_float() || matches!(leaf.ty.kind(), Kind::Int(_));
    (parts.len() <= MOST && parts.iter().all(fit)).then_some(composite)
}

/// A request in terms of single numbers.
pub struct Flat {
    /// What is differentiated.
    pub function: Value,
    /// Activity of each of its parameters.
    pub arguments: Vec<Activity>,
    /// What the marker call gives each.
    pub operands: Operands,
}

/// Takes apart the arguments of a request that are vectors, or composite and not constant.
pub fn flatten(module: Module, call: Value, asked: Flat) -> Result<Flat, Problem> {
    let Flat { function, arguments, operands } = asked;
    let parts: Vec<Option<Type>> = (0u32..)
        .zip(&arguments)
        .map(|(n, activity)| composite(function, n).filter(|ty| *activity != Activity::Const || is_vector(*ty)))
        .collect();
    if parts.iter().all(Option::is_none) {
        return Ok(Flat { function, arguments, operands });
    }
    let builder = Builder::new(module);
    builder.before(call);
    builder.locate_like(call);
    let mut flat = Flat { function: wrapper(module, function, &parts), arguments: vec![], operands: vec![] };
    for (n, ((activity, (primal, shadows)), composite)) in arguments.into_iter().zip(operands).zip(&parts).enumerate() {
        let Some(ty) = *composite else {
            flat.arguments.push(activity);
            flat.operands.push((primal, shadows));
            continue;
        };
        let whole = |value: Value| {
            whole(&builder, value, ty).ok_or_else(|| {
                let text = format!("argument {} of '{}' is passed as another type", n + 1, function.name());
                Problem::at(Code::BadRequest, call, text)
            })
        };
        let primal = whole(primal)?;
        let shadows = shadows.into_iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        for leaf in leaves(ty) {
            let activity = if leaf.ty.kind().is_float() { activity } else { Activity::Const };
            let shadows = if activity.has_shadow() { &shadows[..] } else { &[] };
            let of = |value: &Value| extract(&builder, *value, &leaf.path);
            flat.arguments.push(activity);
            flat.operands.push((of(&primal), shadows.iter().map(of).collect()));
        }
    }
    Ok(flat)
}

fn is_vector(ty: Type) -> bool {
    ty.kind() == Kind::Vector
}

/// An operand as a value of the composite type: loaded, where a pointer to it is passed.
fn whole(builder: &Builder, value: Value, ty: Type) -> Option<Value> {
    match value.ty().kind() {
        _ if value.ty() == ty => Some(value),
        Kind::Pointer => Some(builder.load(ty, value)),
        _ if builder.module().size_of(value.ty()) == builder.module().size_of(ty) && ty.kind() == Kind::Vector => {
            Some(builder.cast(LLVMBitCast, value, ty))
        }
        _ => None,
    }
}

/// The function that takes the numbers of some arguments one by one.
pub fn wrapper(module: Module, function: Value, parts: &[Option<Type>]) -> Value {
    let which: String = parts.iter().map(|part| if part.is_some() { '1' } else { '0' }).collect();
    let name = format!("{FLAT}{which}.{}", function.name());
    if let Some(made) = module.function(&name) {
        return made;
    }
    let own = function.parameters();
    let types: Vec<Type> = parts
        .iter()
        .zip(&own)
        .flat_map(|(part, p)| part.map_or(vec![p.ty()], |ty| leaves(ty).iter().map(|leaf| leaf.ty).collect()))
        .collect();
    let made = module.add_function(&name, function.return_type().function(&types));
    made.set_internal();
    let builder = Builder::new(module);
    builder.at_end(builder.new_block(made, ""));
    let mut given = made.parameters().into_iter();
    let mut next = || given.next().expect("there is a parameter for each number");
    let mut arguments = Vec::new();
    for (part, parameter) in parts.iter().zip(own) {
        let Some(ty) = *part else {
            arguments.push(next());
            continue;
        };
        let value = leaves(ty).iter().fold(ty.zero(), |whole, leaf| insert(&builder, whole, next(), &leaf.path));
        if parameter.ty().kind() == Kind::Pointer {
            let place = builder.alloca(ty, "");
            builder.store(value, place);
            arguments.push(place);
        } else {
            arguments.push(value);
        }
    }
    let result = builder.call(function, &arguments);
    result.pass_as_declared(function);
    builder.ret((function.return_type().kind() != Kind::Void).then_some(result));
    made
}

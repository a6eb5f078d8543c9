//! Conversions between what C passes to a marker call and what the generated function takes and
//! returns.

use crate::leaves::{extract, insert, leaves};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Type, Value};
use crate::problem::{Code, Problem};
use crate::request::{Mode, Request, Tape};
use crate::requests::returned;
use llvm_sys::LLVMIntPredicate::LLVMIntNE;
use llvm_sys::LLVMOpcode::LLVMBitCast;

/// An operand of the marker call as parameter `index` of the function takes it.
pub fn argument(builder: &Builder, request: &Request, index: usize, value: Value, to: Type) -> Result<Value, Problem> {
    let from = value.ty();
    if from == to {
        return Ok(value);
    }
    let converted = match (from.kind(), to.kind()) {
        (a, b) if a.is_float() && b.is_float() => builder.float_cast(value, to),
        (Kind::Int(_), Kind::Int(1)) => builder.icmp(LLVMIntNE, value, from.zero()),
        (Kind::Int(_), Kind::Int(_)) => builder.int_cast(value, to, true),
        (Kind::Int(_), Kind::Pointer) if value.as_int() == Some(0) => to.zero(),
        (Kind::Vector, _) | (_, Kind::Vector) if builder.module().size_of(from) == builder.module().size_of(to) => {
            builder.cast(LLVMBitCast, value, to)
        }
        _ => {
            let text = format!(
                "argument {} of '{}' has type {}, the call passes {}",
                index + 1,
                request.function.name(),
                spoken(to),
                spoken(from)
            );
            return Err(Problem::at(Code::BadRequest, request.call, text));
        }
    };
    Ok(converted)
}

/// The seed of a result, as the reverse sweep takes it.
pub fn seed(builder: &Builder, request: &Request, value: Value) -> Result<Value, Problem> {
    let to = request.function.return_type();
    if value.ty().kind().is_float() {
        return Ok(builder.float_cast(value, to));
    }
    let text = format!("the seed of '{}' is {}, not a number", request.function.name(), spoken(value.ty()));
    Err(Problem::at(Code::BadRequest, request.call, text))
}

/// A type in C's terms.
fn spoken(ty: Type) -> String {
    match ty.kind() {
        Kind::Float => "float".into(),
        Kind::Double => "double".into(),
        Kind::Extended => "long double".into(),
        Kind::Int(bits) => format!("an integer of {bits} bits"),
        Kind::Pointer => "a pointer".into(),
        _ => ty.text(),
    }
}

/// Gives the marker call's users, or its memory, what the generated function returned; the value that they have now.
pub fn result(builder: &Builder, request: &Request, result: Value) -> Result<Option<Value>, Problem> {
    let declared = match request.sret {
        Some(_) => request.call.call_argument_type(0, c"sret").expect("sret has a type"),
        None => request.call.ty(),
    };
    if declared.kind() == Kind::Void {
        return Ok(None);
    }
    let split = request.variant.mode == Mode::AugmentedForward;
    let given = given(builder, request, result);
    let wanted = leaves(declared);
    let mut value = declared.zero();
    // A result that is not looked at may be declared as anything.
    let dropped = !split && wanted.len() < given.len() && (request.sret.is_some() || !request.call.users().is_empty());
    if !given.is_empty() && (wanted.len() > given.len() || dropped) {
        let text = format!(
            "the call is declared to return {} numbers, the derivative of '{}' has {}",
            wanted.len(),
            request.function.name(),
            given.len()
        );
        return Err(Problem::at(Code::BadRequest, request.call, text));
    }
    for (number, to) in given.into_iter().zip(&wanted) {
        let number = leaf(builder, request, number, to.ty)?;
        value = insert(builder, value, number, &to.path);
    }
    match request.sret {
        Some(place) => {
            builder.store(value, place);
            Ok(None)
        }
        None => {
            request.call.replace_uses(value);
            Ok(Some(value))
        }
    }
}

/// The numbers that a request returns, in order: tape, result, derivatives.
fn given(builder: &Builder, request: &Request, result: Value) -> Vec<Value> {
    let mut all: Vec<Value> = leaves(result.ty()).iter().map(|leaf| extract(builder, result, &leaf.path)).collect();
    let mut tape = vec![];
    if request.variant.mode == Mode::AugmentedForward {
        tape = all.drain(..1).filter(|_| !matches!(request.tape, Tape::Kept(_))).collect();
    }
    if let Some(place) = &request.place {
        let shadow = place.shadow.filter(|_| request.variant.mode == Mode::Forward);
        let kept = [Some(place.memory).filter(|_| place.primal), shadow].into_iter().flatten();
        tape.extend(kept.flat_map(|object| returned::load(builder, object, place.ty)));
    }
    tape.extend(all);
    tape
}

fn leaf(builder: &Builder, request: &Request, value: Value, to: Type) -> Result<Value, Problem> {
    let from = value.ty();
    if from == to {
        return Ok(value);
    }
    match (from.kind(), to.kind()) {
        (a, b) if a.is_float() && b.is_float() => Ok(builder.float_cast(value, to)),
        (Kind::Int(_), Kind::Int(_)) => Ok(builder.int_cast(value, to, true)),
        _ => {
            let text = format!(
                "the call is declared to return {} where the derivative of '{}' has {}",
                spoken(to),
                request.function.name(),
                spoken(from)
            );
            Err(Problem::at(Code::BadRequest, request.call, text))
        }
    }
}

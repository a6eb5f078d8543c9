//! Calls that stay calls and take vectors, or return more than one number.
//!
//! They are made to a function that takes the numbers one by one and stores the result (`requests::by_value`,
//! `requests::returned`), so that later phases see memory and numbers only. The prepared form of that function has the
//! called one inlined, and calls itself where that does.

use super::inline;
use crate::leaves::{extract, insert, leaves};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Type, Value};
use crate::registered;
use crate::requests::{by_value, returned};

/// Takes calls that were not inlined apart.
pub fn take_apart(module: Module, clone: Value) {
    for call in inline::kept(clone) {
        let Some(callee) = call.callee().as_function() else { continue };
        let vectors = vectors(callee);
        let concerned = returned::in_registers(callee).is_some() || vectors.iter().any(Option::is_some);
        if concerned && !callee.is_declaration() && !registered::stays(callee) {
            replace(module, clone, call, &vectors);
        }
    }
}

/// The parameters that are vectors.
fn vectors(function: Value) -> Vec<Option<Type>> {
    let vector = |p: &Value| Some(p.ty()).filter(|ty| ty.kind() == Kind::Vector);
    function.parameters().iter().map(vector).collect()
}

fn replace(module: Module, clone: Value, call: Value, vectors: &[Option<Type>]) {
    let builder = Builder::new(module);
    builder.before(call);
    builder.locate_like(call);
    let (mut callee, mut arguments) = (call.callee(), call.call_arguments());
    if vectors.iter().any(Option::is_some) {
        callee = by_value::wrapper(module, callee, vectors);
        arguments = arguments.into_iter().flat_map(|value| numbers(&builder, value)).collect();
    }
    let Some(ty) = returned::in_registers(callee) else {
        let plain = builder.call(callee, &arguments);
        inline::keep(plain);
        call.replace_uses(plain);
        call.erase();
        return;
    };
    let at_entry = Builder::new(module);
    at_entry.before(clone.blocks()[0].instructions()[0]);
    let place = at_entry.alloca(ty, "result");
    arguments.push(place);
    inline::keep(builder.call(returned::wrapper(module, callee), &arguments));
    let parts = returned::load(&builder, place, ty);
    let whole = leaves(ty).iter().zip(parts).fold(ty.zero(), |w, (leaf, part)| insert(&builder, w, part, &leaf.path));
    call.replace_uses(whole);
    call.erase();
}

fn numbers(builder: &Builder, value: Value) -> Vec<Value> {
    if value.ty().kind() != Kind::Vector {
        return vec![value];
    }
    leaves(value.ty()).iter().map(|leaf| extract(builder, value, &leaf.path)).collect()
}

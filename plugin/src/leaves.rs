//! Which numbers is a struct, array or vector made of?

use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Type, Value};

/// One number inside a value: the indices that lead to it.
pub struct Leaf {
    /// The indices.
    pub path: Vec<u32>,
    /// The number's type.
    pub ty: Type,
}

/// The numbers that a type consists of, in order.
pub fn leaves(ty: Type) -> Vec<Leaf> {
    fn walk(ty: Type, path: &mut Vec<u32>, out: &mut Vec<Leaf>) {
        match ty.kind() {
            Kind::Void => {}
            Kind::Struct | Kind::Array | Kind::Vector => {
                for index in 0..ty.len() as u32 {
                    let Some(element) = ty.element(index) else { continue };
                    path.push(index);
                    walk(element, path, out);
                    path.pop();
                }
            }
            _ => out.push(Leaf { path: path.clone(), ty }),
        }
    }
    let mut out = Vec::new();
    walk(ty, &mut Vec::new(), &mut out);
    out
}

/// How many bytes after the start of an object the part is that a path leads to.
pub fn offset(module: Module, ty: Type, path: &[u32]) -> u64 {
    let Some((&index, rest)) = path.split_first() else { return 0 };
    let Some(part) = ty.element(index) else { return 0 };
    let here = if ty.kind() == Kind::Struct {
        module.offset_of(ty, index)
    } else if ty.kind() == Kind::Vector {
        u64::from(index) * module.store_size_of(part)
    } else {
        u64::from(index) * module.size_of(part)
    };
    here + offset(module, part, rest)
}

/// The part of a value that a path leads to.
pub fn extract(builder: &Builder, value: Value, path: &[u32]) -> Value {
    path.iter().fold(value, |inner, index| {
        if inner.ty().kind() == Kind::Vector {
            builder.extract_lane(inner, *index)
        } else {
            builder.extract(inner, *index)
        }
    })
}

/// A value with the part that a path leads to replaced.
pub fn insert(builder: &Builder, into: Value, value: Value, path: &[u32]) -> Value {
    let Some((index, rest)) = path.split_first() else { return value };
    let vector = into.ty().kind() == Kind::Vector;
    let inner = if rest.is_empty() { value } else { insert(builder, extract(builder, into, &[*index]), value, rest) };
    if vector { builder.insert_lane(into, inner, *index) } else { builder.insert_field(into, inner, *index) }
}

//! Functions that are called through pointers (plugin/cpp/pointers.cpp).

use super::ir::{Module, Value, c_string};
use super::shim;
use super::transform::collect;
use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use std::ffi::{c_uint, c_void};

/// A place where the address of a function is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The function.
    pub function: Value,
    /// The instruction that takes its address, where it is not in static data.
    pub by: Option<Value>,
    /// Where in a table of virtual functions it is, in bytes.
    pub slot: Option<i64>,
}

/// Where the addresses of functions are taken, in module order.
pub fn addresses_taken(module: Module) -> Vec<Taken> {
    let mut all: Vec<Taken> = Vec::new();
    // SAFETY: a live module; the vector outlives the callback.
    unsafe { shim::pardiff_addresses_taken(module.raw(), seen, (&raw mut all).cast::<c_void>()) }
    all
}

extern "C" fn seen(context: *mut c_void, function: LLVMValueRef, by: LLVMValueRef, slot: i64) {
    // SAFETY: `addresses_taken` passes its vector.
    let all = unsafe { &mut *context.cast::<Vec<Taken>>() };
    if let (Some(function), Some(by)) = (Value::from_raw(function), Value::from_raw(by)) {
        all.push(Taken { function, by: by.as_instruction(), slot: (slot >= 0).then_some(slot) });
    }
}

/// At which distance from some pointer the callee of a call is loaded: in a virtual call, the place in the table.
pub fn slot_of_callee(call: Value) -> Option<i64> {
    // SAFETY: a live call.
    let slot = unsafe { shim::pardiff_slot_of_callee(call.raw()) };
    (slot >= 0).then_some(slot)
}

/// The functions in the constant data that the callee of a call is loaded from, where it is.
pub fn callee_from_table(call: Value) -> Option<Vec<Value>> {
    let mut found: Vec<Value> = Vec::new();
    // SAFETY: a live call; the vector outlives the callback.
    let is = unsafe { shim::pardiff_callee_from_table(call.raw(), collect, (&raw mut found).cast::<c_void>()) };
    is.then_some(found)
}

/// Makes a call through a pointer a chain of direct calls; a pointer to none of the candidates calls `fail`
/// with `what`.
pub fn call_one_of(call: Value, candidates: &[Value], fail: Value, what: Value) {
    let raw: Vec<LLVMValueRef> = candidates.iter().map(|c| c.raw()).collect();
    // SAFETY: a live call, functions of its type, and a function that takes a pointer.
    unsafe { shim::pardiff_call_one_of(call.raw(), raw.as_ptr(), raw.len(), fail.raw(), what.raw()) }
}

impl Value {
    /// Writes a note on a call, which copies of it carry too.
    pub fn set_note(self, key: &str, text: &str) {
        let (key, text) = (c_string(key), c_string(text));
        let lengths = [key.as_bytes().len(), text.as_bytes().len()].map(|n| n as c_uint);
        // SAFETY: a live call; both texts have the stated lengths.
        unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            let made = LLVMCreateStringAttribute(context, key.as_ptr(), lengths[0], text.as_ptr(), lengths[1]);
            LLVMAddCallSiteAttribute(self.raw(), LLVMAttributeFunctionIndex, made);
        }
    }
    /// What a note on a call says.
    pub fn note(self, key: &str) -> Option<String> {
        // SAFETY: a live call; the attribute, if there is one, is a string that LLVM keeps.
        unsafe {
            let found = LLVMGetCallSiteStringAttribute(
                self.raw(),
                LLVMAttributeFunctionIndex,
                key.as_ptr().cast(),
                key.len() as c_uint,
            );
            if found.is_null() {
                return None;
            }
            let mut length = 0;
            let data = LLVMGetStringAttributeValue(found, &mut length);
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    /// Removes a note from a call.
    pub fn remove_note(self, key: &str) {
        // SAFETY: a live call and a name with its length.
        unsafe {
            LLVMRemoveCallSiteStringAttribute(
                self.raw(),
                LLVMAttributeFunctionIndex,
                key.as_ptr().cast(),
                key.len() as c_uint,
            );
        }
    }
}

//! Lanes of vectors, calls that unwind, and edges of the control-flow graph.

use super::builder::Builder;
use super::ir::{Block, Value};
use super::shim;

impl Builder {
    /// Lane `index` of a vector.
    pub fn extract_lane(&self, vector: Value, index: u32) -> Value {
        let index = self.module().int(32).int(i64::from(index));
        // SAFETY: a vector with that lane.
        let raw =
            unsafe { llvm_sys::core::LLVMBuildExtractElement(self.raw(), vector.raw(), index.raw(), c"".as_ptr()) };
        Value::from_raw(raw).expect("LLVM returns the value built")
    }
    /// A vector with lane `index` replaced.
    pub fn insert_lane(&self, vector: Value, value: Value, index: u32) -> Value {
        let index = self.module().int(32).int(i64::from(index));
        // SAFETY: a vector with that lane of the value's type.
        let raw = unsafe {
            llvm_sys::core::LLVMBuildInsertElement(self.raw(), vector.raw(), value.raw(), index.raw(), c"".as_ptr())
        };
        Value::from_raw(raw).expect("LLVM returns the value built")
    }
}

impl Value {
    /// Turns this call into an invoke that unwinds to where `invoke`, the end of the same block, does;
    /// what follows the call moves to a block of its own.
    pub fn into_invoke_like(self, invoke: Value) -> Value {
        // SAFETY: a call and an invoke of one block; the caller drops its handle of the call.
        let raw = unsafe { shim::pardiff_call_to_invoke(self.raw(), invoke.raw()) };
        Value::from_raw(raw).expect("LLVM returns the invoke")
    }
}

impl Block {
    /// Tells the phis of this block that `from` is no predecessor any more.
    pub fn remove_predecessor(self, from: Block) {
        // SAFETY: two blocks of one function.
        unsafe { shim::pardiff_remove_predecessor(self.raw(), from.raw()) }
    }
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.name())
    }
}

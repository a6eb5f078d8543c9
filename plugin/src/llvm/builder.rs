//! Building instructions: a safe face of `LLVMBuilder`.

use super::ir::{Block, Module, Type, Value, c_string};
use super::shim;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};
use std::ffi::c_uint;

/// Appends instructions to a block.
pub struct Builder {
    raw: LLVMBuilderRef,
    module: Module,
    flags: u32,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: created in `new`, disposed of once.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

impl Builder {
    /// A builder for functions of `module`.
    pub fn new(module: Module) -> Self {
        // SAFETY: a live module.
        let raw = unsafe { LLVMCreateBuilderInContext(LLVMGetModuleContext(module.raw())) };
        Self { raw, module, flags: 0 }
    }
    /// The raw pointer, for the files beside this one.
    pub(super) fn raw(&self) -> LLVMBuilderRef {
        self.raw
    }
    /// The module built into.
    pub fn module(&self) -> Module {
        self.module
    }
    /// Fast-math flags of the floating-point instructions built from here on.
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags;
    }
    /// Continues at the end of `block`.
    pub fn at_end(&self, block: Block) {
        // SAFETY: a live block.
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block.raw()) }
    }
    /// Continues before `instruction`.
    pub fn before(&self, instruction: Value) {
        // SAFETY: an instruction in a block.
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction.raw()) }
    }
    /// The block that is being appended to.
    pub fn block(&self) -> Block {
        // SAFETY: the builder is positioned.
        Block::from_raw(unsafe { LLVMGetInsertBlock(self.raw) }).expect("the builder is positioned")
    }
    /// A new block at the end of `function`.
    pub fn new_block(&self, function: Value, name: &str) -> Block {
        let name = c_string(name);
        // SAFETY: a live function of this context.
        let raw = unsafe {
            LLVMAppendBasicBlockInContext(LLVMGetModuleContext(self.module.raw()), function.raw(), name.as_ptr())
        };
        Block::from_raw(raw).expect("LLVM returns the new block")
    }
    /// Copies the debug location of `from` to what is built next.
    pub fn locate_like(&self, from: Value) {
        // SAFETY: an instruction; a null location clears.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(from.raw())) }
    }
    /// Clears the debug location of what is built next.
    pub fn locate_nowhere(&self) {
        // SAFETY: null clears the location.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut()) }
    }
    fn done(&self, raw: LLVMValueRef) -> Value {
        let value = Value::from_raw(raw).expect("LLVM returns the value built");
        value.set_fast_math(self.flags);
        value
    }
    /// Inserts a cloned instruction.
    pub fn insert(&self, instruction: Value) -> Value {
        // SAFETY: a detached instruction.
        unsafe { LLVMInsertIntoBuilder(self.raw, instruction.raw()) }
        instruction
    }
    /// A two-operand instruction.
    pub fn binary(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        // SAFETY: operands of one type that fits the opcode.
        self.done(unsafe { LLVMBuildBinOp(self.raw, opcode, a.raw(), b.raw(), c"".as_ptr()) })
    }
    /// Integer or floating-point addition, by type.
    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(if is_float(a) { LLVMOpcode::LLVMFAdd } else { LLVMOpcode::LLVMAdd }, a, b)
    }
    /// Subtraction, by type.
    pub fn sub(&self, a: Value, b: Value) -> Value {
        self.binary(if is_float(a) { LLVMOpcode::LLVMFSub } else { LLVMOpcode::LLVMSub }, a, b)
    }
    /// Multiplication, by type.
    pub fn mul(&self, a: Value, b: Value) -> Value {
        self.binary(if is_float(a) { LLVMOpcode::LLVMFMul } else { LLVMOpcode::LLVMMul }, a, b)
    }
    /// Floating-point division.
    pub fn fdiv(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMFDiv, a, b)
    }
    /// Floating-point negation.
    pub fn fneg(&self, a: Value) -> Value {
        // SAFETY: a floating-point operand.
        self.done(unsafe { LLVMBuildFNeg(self.raw, a.raw(), c"".as_ptr()) })
    }
    /// Integer comparison.
    pub fn icmp(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: integer or pointer operands of one type.
        self.done(unsafe { LLVMBuildICmp(self.raw, predicate, a.raw(), b.raw(), c"".as_ptr()) })
    }
    /// Floating-point comparison.
    pub fn fcmp(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        // SAFETY: floating-point operands of one type.
        self.done(unsafe { LLVMBuildFCmp(self.raw, predicate, a.raw(), b.raw(), c"".as_ptr()) })
    }
    /// `condition ? a : b`
    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        // SAFETY: an i1 and two values of one type.
        self.done(unsafe { LLVMBuildSelect(self.raw, condition.raw(), a.raw(), b.raw(), c"".as_ptr()) })
    }
    /// A cast instruction.
    pub fn cast(&self, opcode: LLVMOpcode, value: Value, to: Type) -> Value {
        // SAFETY: a cast that fits both types.
        self.done(unsafe { LLVMBuildCast(self.raw, opcode, value.raw(), to.raw(), c"".as_ptr()) })
    }
    /// Converts between floating-point types, nothing where they agree.
    pub fn float_cast(&self, value: Value, to: Type) -> Value {
        if value.ty() == to {
            return value;
        }
        // SAFETY: two floating-point types.
        self.done(unsafe { LLVMBuildFPCast(self.raw, value.raw(), to.raw(), c"".as_ptr()) })
    }
    /// Widens (zero or sign) or truncates an integer.
    pub fn int_cast(&self, value: Value, to: Type, signed: bool) -> Value {
        if value.ty() == to {
            return value;
        }
        // SAFETY: two integer types.
        self.done(unsafe { LLVMBuildIntCast2(self.raw, value.raw(), to.raw(), i32::from(signed), c"".as_ptr()) })
    }
    /// A stack object, aligned naturally.
    pub fn alloca(&self, ty: Type, name: &str) -> Value {
        let name = c_string(name);
        // SAFETY: a sized type.
        self.done(unsafe { LLVMBuildAlloca(self.raw, ty.raw(), name.as_ptr()) })
    }
    /// A load.
    pub fn load(&self, ty: Type, pointer: Value) -> Value {
        // SAFETY: a pointer operand.
        self.done(unsafe { LLVMBuildLoad2(self.raw, ty.raw(), pointer.raw(), c"".as_ptr()) })
    }
    /// A store.
    pub fn store(&self, value: Value, pointer: Value) -> Value {
        // SAFETY: a pointer operand.
        self.done(unsafe { LLVMBuildStore(self.raw, value.raw(), pointer.raw()) })
    }
    /// `pointer + index` elements of `ty`.
    pub fn offset(&self, ty: Type, pointer: Value, index: Value) -> Value {
        let mut raw = index.raw();
        // SAFETY: one index into a sized element type.
        self.done(unsafe { LLVMBuildGEP2(self.raw, ty.raw(), pointer.raw(), &mut raw, 1, c"".as_ptr()) })
    }
    /// A call of a function.
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let mut raw: Vec<_> = arguments.iter().map(|v| v.raw()).collect();
        // SAFETY: arguments that fit the function's type.
        self.done(unsafe {
            LLVMBuildCall2(
                self.raw,
                function.global_type().raw(),
                function.raw(),
                raw.as_mut_ptr(),
                raw.len() as c_uint,
                c"".as_ptr(),
            )
        })
    }
    /// A call of an overloaded intrinsic, named without its type suffix (`llvm.sin`).
    pub fn intrinsic(&self, name: &str, overloads: &[Type], arguments: &[Value]) -> Value {
        let mut types: Vec<_> = overloads.iter().map(|t| t.raw()).collect();
        // SAFETY: the id comes from LLVM's own look-up; the overloads fit it.
        let declaration = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert!(id != 0, "LLVM has no intrinsic {name}");
            LLVMGetIntrinsicDeclaration(self.module.raw(), id, types.as_mut_ptr(), types.len())
        };
        self.call(Value::from_raw(declaration).expect("an intrinsic has a declaration"), arguments)
    }
    /// An empty phi.
    pub fn phi(&self, ty: Type, name: &str) -> Value {
        let name = c_string(name);
        // SAFETY: a first-class type.
        self.done(unsafe { LLVMBuildPhi(self.raw, ty.raw(), name.as_ptr()) })
    }
    /// An unconditional branch.
    pub fn jump(&self, to: Block) {
        // SAFETY: a block of the same function.
        unsafe { LLVMBuildBr(self.raw, to.raw()) };
    }
    /// Goes back to the start of a loop that runs down and has loops in it.
    pub fn go_down(&self, to: Block) {
        // SAFETY: a block of the same function; the branch that was just made.
        unsafe { shim::pardiff_mark_down(LLVMBuildBr(self.raw, to.raw())) };
    }
    /// A conditional branch.
    pub fn branch(&self, condition: Value, then: Block, other: Block) {
        // SAFETY: an i1 and two blocks of the same function.
        unsafe { LLVMBuildCondBr(self.raw, condition.raw(), then.raw(), other.raw()) };
    }
    /// A switch.
    pub fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) {
        // SAFETY: constants of the value's type, blocks of the same function.
        unsafe {
            let s = LLVMBuildSwitch(self.raw, value.raw(), default.raw(), cases.len() as c_uint);
            for (constant, block) in cases {
                LLVMAddCase(s, constant.raw(), block.raw());
            }
        }
    }
    /// `unreachable`
    pub fn unreachable(&self) {
        // SAFETY: ends the block.
        unsafe { LLVMBuildUnreachable(self.raw) };
    }
    /// Returns a value, or nothing.
    pub fn ret(&self, value: Option<Value>) {
        // SAFETY: a value of the function's result type.
        unsafe {
            match value {
                Some(v) => LLVMBuildRet(self.raw, v.raw()),
                None => LLVMBuildRetVoid(self.raw),
            };
        }
    }
    /// Field `index` of an aggregate value.
    pub fn extract(&self, aggregate: Value, index: u32) -> Value {
        // SAFETY: an aggregate with that field.
        self.done(unsafe { LLVMBuildExtractValue(self.raw, aggregate.raw(), index, c"".as_ptr()) })
    }
    /// An aggregate with field `index` replaced.
    pub fn insert_field(&self, aggregate: Value, value: Value, index: u32) -> Value {
        // SAFETY: an aggregate with that field of the value's type.
        self.done(unsafe { LLVMBuildInsertValue(self.raw, aggregate.raw(), value.raw(), index, c"".as_ptr()) })
    }
}

fn is_float(value: Value) -> bool {
    use super::ir::Kind;
    let ty = value.ty();
    let scalar = if ty.kind() == Kind::Vector { ty.element(0).unwrap_or(ty) } else { ty };
    scalar.kind().is_float()
}

//! Thin handles on LLVM values, types, blocks and modules.
//!
//! A handle is a copyable pointer into the host compiler's module. It is valid while the plugin
//! runs on that module and the thing it names has not been erased; the phases keep handles only
//! inside one run. All other modules of the plugin see LLVM through these handles.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use std::ffi::{CStr, CString, c_char, c_uint};

macro_rules! handle {
    ($(#[$m:meta])* $name:ident, $raw:ty) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name($raw);
        impl $name {
            /// Wraps a raw pointer of the C API, `None` for null.
            pub fn from_raw(raw: $raw) -> Option<Self> {
                if raw.is_null() { None } else { Some(Self(raw)) }
            }
            /// The raw pointer, for the shim.
            pub fn raw(self) -> $raw {
                self.0
            }
        }
    };
}
handle!(
    /// Any LLVM value: constant, argument, instruction, function, global.
    Value, LLVMValueRef);
handle!(
    /// An LLVM type.
    Type, LLVMTypeRef);
handle!(
    /// A basic block.
    Block, LLVMBasicBlockRef);
handle!(
    /// A module.
    Module, LLVMModuleRef);

/// A C string for LLVM; interior NULs, which no identifier has, are dropped.
pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("NULs were removed")
}

/// Takes a string that LLVM allocated with `LLVMCreateMessage`.
fn take_message(raw: *mut c_char) -> String {
    // SAFETY: `raw` is a NUL-terminated message owned by us, disposed of once.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        text
    }
}

/// The kinds of type that the phases tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `void`
    Void,
    /// `half`, `bfloat`, `fp128`, `ppc_fp128`
    OtherFloat,
    /// `x86_fp80`, C's `long double` on x86
    Extended,
    /// `float`
    Float,
    /// `double`
    Double,
    /// An integer of this many bits.
    Int(u32),
    /// A pointer.
    Pointer,
    /// A struct.
    Struct,
    /// An array.
    Array,
    /// A fixed or scalable vector.
    Vector,
    /// Anything else: function, label, metadata, token, target types.
    Other,
}

impl Kind {
    /// Whether this is a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self, Kind::Float | Kind::Double | Kind::Extended | Kind::OtherFloat)
    }
}

impl Type {
    /// What kind of type this is.
    pub fn kind(self) -> Kind {
        // SAFETY: a live type handle.
        unsafe {
            match LLVMGetTypeKind(self.0) {
                LLVMTypeKind::LLVMVoidTypeKind => Kind::Void,
                LLVMTypeKind::LLVMFloatTypeKind => Kind::Float,
                LLVMTypeKind::LLVMDoubleTypeKind => Kind::Double,
                LLVMTypeKind::LLVMX86_FP80TypeKind => Kind::Extended,
                LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMBFloatTypeKind
                | LLVMTypeKind::LLVMFP128TypeKind
                | LLVMTypeKind::LLVMPPC_FP128TypeKind => Kind::OtherFloat,
                LLVMTypeKind::LLVMIntegerTypeKind => Kind::Int(LLVMGetIntTypeWidth(self.0)),
                LLVMTypeKind::LLVMPointerTypeKind => Kind::Pointer,
                LLVMTypeKind::LLVMStructTypeKind => Kind::Struct,
                LLVMTypeKind::LLVMArrayTypeKind => Kind::Array,
                LLVMTypeKind::LLVMVectorTypeKind | LLVMTypeKind::LLVMScalableVectorTypeKind => Kind::Vector,
                _ => Kind::Other,
            }
        }
    }
    /// Element type of an array or vector, field `index` of a struct.
    pub fn element(self, index: u32) -> Option<Type> {
        // SAFETY: a live type handle; the kind is checked before each accessor.
        unsafe {
            match self.kind() {
                Kind::Struct if index < LLVMCountStructElementTypes(self.0) => {
                    Type::from_raw(LLVMStructGetTypeAtIndex(self.0, index))
                }
                Kind::Array | Kind::Vector => Type::from_raw(LLVMGetElementType(self.0)),
                _ => None,
            }
        }
    }
    /// Number of elements of an array, vector or struct.
    pub fn len(self) -> u64 {
        // SAFETY: as above.
        unsafe {
            match self.kind() {
                Kind::Struct => u64::from(LLVMCountStructElementTypes(self.0)),
                Kind::Array => LLVMGetArrayLength2(self.0),
                Kind::Vector => u64::from(LLVMGetVectorSize(self.0)),
                _ => 0,
            }
        }
    }
    /// Whether an aggregate has no elements.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The type as LLVM prints it.
    pub fn text(self) -> String {
        // SAFETY: a live type handle; the message is ours.
        take_message(unsafe { LLVMPrintTypeToString(self.0) })
    }
    /// The zero (null) constant.
    pub fn zero(self) -> Value {
        // SAFETY: first-class types have a null value.
        Value(unsafe { LLVMConstNull(self.0) })
    }
    /// An integer constant of this type, sign-extended from `value`.
    pub fn int(self, value: i64) -> Value {
        // SAFETY: the caller asks for a constant of an integer type.
        Value(unsafe { LLVMConstInt(self.0, value as u64, 1) })
    }
    /// A floating-point constant of this type.
    pub fn real(self, value: f64) -> Value {
        // SAFETY: the caller asks for a constant of a floating-point type.
        Value(unsafe { LLVMConstReal(self.0, value) })
    }
    /// A floating-point constant of this type, from decimal digits.
    pub fn real_of_text(self, digits: &str) -> Value {
        // SAFETY: a floating-point type; the digits have the stated length.
        Value(unsafe { LLVMConstRealOfStringAndSize(self.0, digits.as_ptr().cast(), digits.len() as c_uint) })
    }
    /// The poison constant.
    pub fn poison(self) -> Value {
        // SAFETY: first-class type.
        Value(unsafe { LLVMGetPoison(self.0) })
    }
    /// A function type with this result.
    pub fn function(self, parameters: &[Type]) -> Type {
        let mut raw: Vec<_> = parameters.iter().map(|t| t.0).collect();
        // SAFETY: all types belong to one context.
        Type(unsafe { LLVMFunctionType(self.0, raw.as_mut_ptr(), raw.len() as c_uint, 0) })
    }
    /// An array type of `count` elements.
    pub fn array(self, count: u64) -> Type {
        // SAFETY: a sized element type.
        Type(unsafe { LLVMArrayType2(self.0, count) })
    }
}

impl Module {
    fn context(self) -> LLVMContextRef {
        // SAFETY: a live module.
        unsafe { LLVMGetModuleContext(self.0) }
    }
    /// `void`
    pub fn void(self) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMVoidTypeInContext(self.context()) })
    }
    /// The integer type of `bits` bits.
    pub fn int(self, bits: u32) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMIntTypeInContext(self.context(), bits) })
    }
    /// `float`
    pub fn float(self) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMFloatTypeInContext(self.context()) })
    }
    /// `double`
    pub fn double(self) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMDoubleTypeInContext(self.context()) })
    }
    /// `x86_fp80`
    pub fn extended(self) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMX86FP80TypeInContext(self.context()) })
    }
    /// The pointer type of address space 0.
    pub fn pointer(self) -> Type {
        // SAFETY: a live context.
        Type(unsafe { LLVMPointerTypeInContext(self.context(), 0) })
    }
    /// An anonymous struct type.
    pub fn structure(self, fields: &[Type]) -> Type {
        let mut raw: Vec<_> = fields.iter().map(|t| t.0).collect();
        // SAFETY: all types belong to this context.
        Type(unsafe { LLVMStructTypeInContext(self.context(), raw.as_mut_ptr(), raw.len() as c_uint, 0) })
    }
    /// The functions, declarations included, in module order.
    pub fn functions(self) -> Vec<Value> {
        // SAFETY: walks the module's own list.
        unsafe { chain(LLVMGetFirstFunction(self.0), |v| LLVMGetNextFunction(v)).map(Value).collect() }
    }
    /// The function of this name.
    pub fn function(self, name: &str) -> Option<Value> {
        let name = c_string(name);
        // SAFETY: a live module and a NUL-terminated name.
        Value::from_raw(unsafe { LLVMGetNamedFunction(self.0, name.as_ptr()) })
    }
    /// The function of this name, declared if the module lacks it.
    pub fn declare(self, name: &str, ty: Type) -> Value {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }
    /// A new function.
    pub fn add_function(self, name: &str, ty: Type) -> Value {
        let name = c_string(name);
        // SAFETY: a live module and a function type of its context.
        Value(unsafe { LLVMAddFunction(self.0, name.as_ptr(), ty.0) })
    }
    /// Size in bytes that an object of this type occupies in an array.
    pub fn size_of(self, ty: Type) -> u64 {
        // SAFETY: the module's own data layout; `ty` is sized.
        unsafe { llvm_sys::target::LLVMABISizeOfType(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0) }
    }
    /// Size in bytes that a store of this type writes.
    pub fn store_size_of(self, ty: Type) -> u64 {
        // SAFETY: the module's own data layout; `ty` is sized.
        unsafe { llvm_sys::target::LLVMStoreSizeOfType(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0) }
    }
    /// Where in a struct a field is, in bytes.
    pub fn offset_of(self, ty: Type, field: u32) -> u64 {
        // SAFETY: the module's own data layout; `ty` is a struct that has this field.
        unsafe { llvm_sys::target::LLVMOffsetOfElement(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0, field) }
    }
    /// The shadow of a global variable: an internal variable of the same type, at first zero.
    pub fn shadow_global(self, of: Value) -> Value {
        let name = c_string(&format!("pardiff.shadow.{}", of.name()));
        // SAFETY: a live module and a global variable of it.
        unsafe {
            let known = LLVMGetNamedGlobal(self.0, name.as_ptr());
            if !known.is_null() {
                return Value(known);
            }
            let ty = LLVMGlobalGetValueType(of.0);
            let shadow = LLVMAddGlobal(self.0, ty, name.as_ptr());
            LLVMSetInitializer(shadow, LLVMConstNull(ty));
            LLVMSetLinkage(shadow, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetAlignment(shadow, LLVMGetAlignment(of.0));
            LLVMSetThreadLocalMode(shadow, LLVMGetThreadLocalMode(of.0));
            Value(shadow)
        }
    }
    /// The whole module as text.
    pub fn text(self) -> String {
        // SAFETY: a live module; the message is ours.
        take_message(unsafe { LLVMPrintModuleToString(self.0) })
    }
    /// A private constant with the bytes of `text` and a NUL; the pointer to it.
    pub fn c_string(self, text: &str) -> Value {
        // SAFETY: the constant and the global belong to this module.
        unsafe {
            let data = LLVMConstStringInContext2(self.context(), text.as_ptr().cast(), text.len(), 0);
            let global = LLVMAddGlobal(self.0, LLVMTypeOf(data), c"pardiff.text".as_ptr());
            LLVMSetInitializer(global, data);
            LLVMSetGlobalConstant(global, 1);
            LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }
}

fn chain<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    std::iter::successors(Some(first), move |&p| (!p.is_null()).then(|| next(p))).take_while(|p| !p.is_null())
}

impl Value {
    /// The module of a function or global variable.
    pub fn module(self) -> Module {
        // SAFETY: a live global value.
        Module(unsafe { LLVMGetGlobalParent(self.0) })
    }
    /// The value's type.
    pub fn ty(self) -> Type {
        // SAFETY: a live value.
        Type(unsafe { LLVMTypeOf(self.0) })
    }
    /// The value's name, empty where it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: LLVM returns a pointer and a length into the live value's name.
        unsafe {
            let data = LLVMGetValueName2(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(data.cast::<u8>(), length)).into_owned()
        }
    }
    /// Renames the value.
    pub fn set_name(self, name: &str) {
        // SAFETY: a live value and a buffer of the stated length.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }
    /// The value as LLVM prints it.
    pub fn text(self) -> String {
        // SAFETY: a live value; the message is ours.
        take_message(unsafe { LLVMPrintValueToString(self.0) })
    }
    /// The value as an instruction, `None` otherwise.
    pub fn as_instruction(self) -> Option<Value> {
        // SAFETY: a live value.
        Value::from_raw(unsafe { LLVMIsAInstruction(self.0) })
    }
    /// The value as a function, `None` otherwise.
    pub fn as_function(self) -> Option<Value> {
        // SAFETY: a live value.
        Value::from_raw(unsafe { LLVMIsAFunction(self.0) })
    }
    /// The value as a global variable, `None` otherwise.
    pub fn as_global(self) -> Option<Value> {
        // SAFETY: a live value.
        Value::from_raw(unsafe { LLVMIsAGlobalVariable(self.0) })
    }
    /// Whether a global variable is declared constant.
    pub fn is_constant_global(self) -> bool {
        // SAFETY: checked to be a global variable.
        self.as_global().is_some_and(|g| unsafe { LLVMIsGlobalConstant(g.0) } != 0)
    }
    /// Whether this is a constant (functions and globals included).
    pub fn is_constant(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }
    /// Whether this is `undef` or `poison`.
    pub fn is_undef(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsUndef(self.0) != 0 }
    }
    /// The value of an integer constant, sign-extended.
    pub fn as_int(self) -> Option<i64> {
        // SAFETY: the constant is an integer of at most 64 bits.
        unsafe {
            let c = LLVMIsAConstantInt(self.0);
            (!c.is_null() && LLVMGetIntTypeWidth(LLVMTypeOf(c)) <= 64).then(|| LLVMConstIntGetSExtValue(c))
        }
    }
    /// The value of a floating-point constant.
    pub fn as_real(self) -> Option<f64> {
        let mut lossy = 0;
        // SAFETY: checked to be a floating-point constant.
        unsafe {
            let c = LLVMIsAConstantFP(self.0);
            (!c.is_null()).then(|| LLVMConstRealGetDouble(c, &mut lossy))
        }
    }
    /// The text of a constant string that this points to.
    pub fn constant_text(self) -> Option<String> {
        let data = self.initializer().filter(|_| self.is_constant_global())?;
        let mut length = 0;
        // SAFETY: checked to be a string constant, whose bytes LLVM keeps.
        unsafe {
            if LLVMIsAConstantDataArray(data.0).is_null() || LLVMIsConstantString(data.0) == 0 {
                return None;
            }
            let bytes = LLVMGetAsString(data.0, &mut length);
            Some(String::from_utf8_lossy(std::slice::from_raw_parts(bytes.cast::<u8>(), length)).into_owned())
        }
    }
    /// Whether this is the operand of an inline assembly call.
    pub fn is_inline_asm(self) -> bool {
        // SAFETY: a live value.
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }
    /// Whether this is metadata wrapped as a value.
    pub fn is_metadata(self) -> bool {
        // SAFETY: a live value.
        unsafe { !LLVMIsAMDNode(self.0).is_null() || !LLVMIsAMDString(self.0).is_null() }
    }
    /// Number of operands of an instruction or constant expression.
    pub fn operand_count(self) -> u32 {
        // SAFETY: a live user.
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }
    /// Operand `index`; `None` where there is none, or it is metadata without a value.
    pub fn operand(self, index: u32) -> Option<Value> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: a live user and an index below its count.
        Value::from_raw(unsafe { LLVMGetOperand(self.0, index) })
    }
    /// Replaces operand `index`.
    pub fn set_operand(self, index: u32, value: Value) {
        // SAFETY: same type as the operand it replaces, by the caller's construction.
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }
    /// All uses: the users of this value, one entry per use.
    pub fn users(self) -> Vec<Value> {
        // SAFETY: walks the use list, which is not modified meanwhile.
        unsafe { chain(LLVMGetFirstUse(self.0), |u| LLVMGetNextUse(u)).map(|u| Value(LLVMGetUser(u))).collect() }
    }
    /// Replaces every use.
    pub fn replace_uses(self, other: Value) {
        // SAFETY: both live, of one type.
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }
    /// Erases an instruction that has no uses left.
    pub fn erase(self) {
        // SAFETY: the caller drops the handle.
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }
    /// Deletes a function that nothing uses.
    pub fn delete_function(self) {
        // SAFETY: the caller drops the handle.
        unsafe { LLVMDeleteFunction(self.0) }
    }
    /// Opcode of an instruction.
    pub fn opcode(self) -> LLVMOpcode {
        // SAFETY: a live instruction.
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }
    /// Opcode of a constant expression, `None` otherwise.
    pub fn constant_opcode(self) -> Option<LLVMOpcode> {
        // SAFETY: checked to be a constant expression.
        unsafe { (!LLVMIsAConstantExpr(self.0).is_null()).then(|| LLVMGetConstOpcode(self.0)) }
    }
    /// Predicate of an integer comparison.
    pub fn int_predicate(self) -> LLVMIntPredicate {
        // SAFETY: an icmp instruction.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }
    /// Whether an addition, subtraction, multiplication or shift to the left never wraps, seen as one of signed numbers.
    pub fn is_exact(self) -> bool {
        // SAFETY: an instruction with one of the opcodes that have the flag.
        unsafe { LLVMGetNSW(self.0) != 0 }
    }
    /// Whether an `or` is said to be of numbers that have no bit in common: it is their sum.
    pub fn is_sum(self) -> bool {
        // SAFETY: an `or`.
        unsafe { LLVMGetIsDisjoint(self.0) != 0 }
    }
    /// Whether a zero extension is said to be of a number that is not negative.
    pub fn is_of_natural(self) -> bool {
        // SAFETY: a zero extension.
        unsafe { LLVMGetNNeg(self.0) != 0 }
    }
    /// Predicate of a floating-point comparison.
    pub fn real_predicate(self) -> LLVMRealPredicate {
        // SAFETY: an fcmp instruction.
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }
    /// The block of an instruction.
    pub fn block(self) -> Block {
        // SAFETY: an instruction in a block.
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }
    /// The type allocated by an alloca.
    pub fn allocated_type(self) -> Type {
        // SAFETY: an alloca.
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }
    /// The value type of a global, the function type of a function.
    pub fn global_type(self) -> Type {
        // SAFETY: a global value.
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    /// Alignment in bytes of a load, store or alloca.
    pub fn alignment(self) -> u32 {
        // SAFETY: an instruction that has an alignment.
        unsafe { LLVMGetAlignment(self.0) }
    }
    /// Sets the alignment in bytes.
    pub fn set_alignment(self, bytes: u32) {
        // SAFETY: an instruction that has an alignment; a power of two.
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }
    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        // SAFETY: a memory instruction.
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        // SAFETY: a memory instruction.
        unsafe { LLVMGetOrdering(self.0) != llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic }
    }
    /// Whether an `atomicrmw` adds to what is in memory, or subtracts from it.
    pub fn adds_atomically(self) -> bool {
        use llvm_sys::LLVMAtomicRMWBinOp::*;
        // SAFETY: an atomicrmw.
        let operation = unsafe { LLVMGetAtomicRMWBinOp(self.0) };
        matches!(
            operation,
            LLVMAtomicRMWBinOpAdd | LLVMAtomicRMWBinOpSub | LLVMAtomicRMWBinOpFAdd | LLVMAtomicRMWBinOpFSub
        )
    }
    /// What a call calls: a function, or the pointer of an indirect call.
    pub fn callee(self) -> Value {
        // SAFETY: a call or invoke.
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }
    /// The function type of a call.
    pub fn call_type(self) -> Type {
        // SAFETY: a call or invoke.
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }
    /// The arguments of a call.
    pub fn call_arguments(self) -> Vec<Value> {
        // SAFETY: a call; its first operands are its arguments.
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).filter_map(|i| self.operand(i)).collect()
    }
    /// The formal parameters of a function.
    pub fn parameters(self) -> Vec<Value> {
        // SAFETY: a function.
        unsafe { (0..LLVMCountParams(self.0)).map(|i| Value(LLVMGetParam(self.0, i))).collect() }
    }
    /// The result type of a function.
    pub fn return_type(self) -> Type {
        // SAFETY: a function; its value type is a function type.
        Type(unsafe { LLVMGetReturnType(LLVMGlobalGetValueType(self.0)) })
    }
    /// Whether a function is only declared.
    pub fn is_declaration(self) -> bool {
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    /// Gives a function internal linkage.
    pub fn set_internal(self) {
        // SAFETY: a global value.
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage) }
    }
    /// The blocks of a function.
    pub fn blocks(self) -> Vec<Block> {
        // SAFETY: walks the function's own list.
        unsafe { chain(LLVMGetFirstBasicBlock(self.0), |b| LLVMGetNextBasicBlock(b)).map(Block).collect() }
    }
    /// The blocks that a terminator may go to.
    pub fn successors(self) -> Vec<Block> {
        // SAFETY: a terminator.
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect() }
    }
    /// The (value, predecessor) pairs of a phi.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        // SAFETY: a phi.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }
    /// Adds an incoming pair to a phi.
    pub fn add_incoming(self, mut value: Value, mut block: Block) {
        // SAFETY: a phi, a value of its type and a predecessor.
        unsafe { LLVMAddIncoming(self.0, &mut value.0, &mut block.0, 1) }
    }
    /// A copy of an instruction, not yet inserted.
    pub fn clone_instruction(self) -> Value {
        // SAFETY: a live instruction.
        Value(unsafe { LLVMInstructionClone(self.0) })
    }
    /// The type-based aliasing tag of a load or store.
    pub fn type_tag(self) -> Option<Value> {
        const NAME: &CStr = c"tbaa";
        // SAFETY: an instruction; LLVM answers null without a tag.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let kind = LLVMGetMDKindIDInContext(context, NAME.as_ptr(), NAME.to_bytes().len() as c_uint);
            Value::from_raw(LLVMGetMetadata(self.0, kind))
        }
    }
    /// Source line and column of an instruction, zero where unknown.
    pub fn line(self) -> (u32, u32) {
        // SAFETY: an instruction; both accessors answer 0 without a location.
        unsafe { (LLVMGetDebugLocLine(self.0), LLVMGetDebugLocColumn(self.0)) }
    }
    /// Fast-math flags that derivative code may copy: reassoc, contract, arcp, afn.
    pub fn copyable_fast_math(self) -> u32 {
        use llvm_sys::*;
        // SAFETY: asked only where the instruction can carry fast-math flags.
        unsafe {
            if LLVMCanValueUseFastMathFlags(self.0) == 0 {
                return 0;
            }
            LLVMGetFastMathFlags(self.0)
                & (LLVMFastMathAllowReassoc
                    | LLVMFastMathAllowContract
                    | LLVMFastMathAllowReciprocal
                    | LLVMFastMathApproxFunc)
        }
    }
    /// Adds fast-math flags where the instruction can carry them.
    pub fn allow_fast_math(self, flags: u32) {
        // SAFETY: asked only where the instruction can carry fast-math flags.
        let known = unsafe { if LLVMCanValueUseFastMathFlags(self.0) == 0 { 0 } else { LLVMGetFastMathFlags(self.0) } };
        self.set_fast_math(known | flags);
    }
    /// Sets the fast-math flags where the instruction can carry them.
    pub fn set_fast_math(self, flags: u32) {
        // SAFETY: checked to be able to carry them.
        unsafe {
            if !LLVMIsAInstruction(self.0).is_null() && LLVMCanValueUseFastMathFlags(self.0) != 0 {
                LLVMSetFastMathFlags(self.0, flags);
            }
        }
    }
}

impl Block {
    /// The instructions in order.
    pub fn instructions(self) -> Vec<Value> {
        // SAFETY: walks the block's own list.
        unsafe { chain(LLVMGetFirstInstruction(self.0), |i| LLVMGetNextInstruction(i)).map(Value).collect() }
    }
    /// The terminator, if the block is complete.
    pub fn terminator(self) -> Option<Value> {
        // SAFETY: a live block.
        Value::from_raw(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
    /// The block's label.
    pub fn name(self) -> String {
        // SAFETY: a live block; LLVM keeps the name.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)).to_string_lossy().into_owned() }
    }
    /// Puts the block behind another of its function.
    pub fn move_after(self, other: Block) {
        // SAFETY: two blocks of one function.
        unsafe { LLVMMoveBasicBlockAfter(self.0, other.0) }
    }
    /// The function that the block belongs to.
    pub fn function(self) -> Value {
        // SAFETY: a block in a function.
        Value(unsafe { LLVMGetBasicBlockParent(self.0) })
    }
}

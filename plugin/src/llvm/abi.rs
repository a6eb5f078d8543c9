//! What calls and functions say about passing structs, and other facts about globals.

use super::ir::{Block, Module, Type, Value, c_string};
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex, LLVMLinkage};
use std::ffi::{CStr, c_uint};

fn kind(name: &CStr) -> c_uint {
    // SAFETY: a name with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr(), name.to_bytes().len()) }
}

impl Value {
    /// The struct type of an argument of this call that is passed by a pointer with this type
    /// attribute (`sret`, `byval`).
    pub fn call_argument_type(self, argument: u32, attribute: &CStr) -> Option<Type> {
        // SAFETY: a call; the attribute is a type attribute where it is present.
        unsafe {
            let found = LLVMGetCallSiteEnumAttribute(self.raw(), argument + 1, kind(attribute));
            if found.is_null() { None } else { Type::from_raw(LLVMGetTypeAttributeValue(found)) }
        }
    }
    /// The same of a parameter of this function.
    pub fn parameter_type(self, parameter: u32, attribute: &CStr) -> Option<Type> {
        // SAFETY: a function; the attribute is a type attribute where it is present.
        unsafe {
            let found = LLVMGetEnumAttributeAtIndex(self.raw(), parameter + 1, kind(attribute));
            if found.is_null() { None } else { Type::from_raw(LLVMGetTypeAttributeValue(found)) }
        }
    }
    /// Gives a call an attribute of its own (`nounwind`), with a value for those that have one.
    pub fn add_call_attribute(self, attribute: &CStr, value: u64) {
        // SAFETY: a call; the attribute is an enum or integer attribute of functions.
        unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            let made = LLVMCreateEnumAttribute(context, kind(attribute), value);
            LLVMAddCallSiteAttribute(self.raw(), LLVMAttributeFunctionIndex, made);
        }
    }
    /// Passes arguments and the result as the called function says it (extended, through memory).
    pub fn pass_as_declared(self, function: Value) {
        // SAFETY: a call of this function, with its parameters.
        unsafe {
            LLVMSetInstructionCallConv(self.raw(), LLVMGetFunctionCallConv(function.raw()));
            for place in 0..=function.parameters().len() as c_uint {
                let mut all = vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(function.raw(), place) as usize];
                LLVMGetAttributesAtIndex(function.raw(), place, all.as_mut_ptr());
                all.into_iter().for_each(|one| LLVMAddCallSiteAttribute(self.raw(), place, one));
            }
        }
    }
    /// Writes a mark on a function.
    pub fn set_mark(self, key: &str, text: &str) {
        let (key, text) = (c_string(key), c_string(text));
        let lengths = [key.as_bytes().len(), text.as_bytes().len()].map(|n| n as c_uint);
        // SAFETY: a function; both texts have the stated lengths.
        unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            let made = LLVMCreateStringAttribute(context, key.as_ptr(), lengths[0], text.as_ptr(), lengths[1]);
            LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, made);
        }
    }
    /// What a mark on a function says.
    pub fn mark(self, key: &str) -> Option<String> {
        let length = key.len() as c_uint;
        // SAFETY: a function; the attribute, if there is one, is a string that LLVM keeps.
        unsafe {
            let found =
                LLVMGetStringAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, key.as_ptr().cast(), length);
            if found.is_null() {
                return None;
            }
            let mut length = 0;
            let data = LLVMGetStringAttributeValue(found, &mut length);
            Some(String::from_utf8_lossy(std::slice::from_raw_parts(data.cast::<u8>(), length as usize)).into_owned())
        }
    }
    /// Removes a mark from a function.
    pub fn remove_mark(self, key: &str) {
        let length = key.len() as c_uint;
        // SAFETY: a function and a name with its length.
        unsafe {
            LLVMRemoveStringAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, key.as_ptr().cast(), length);
        }
    }
    /// Writes a mark on a global variable.
    pub fn mark_variable(self, key: &str) {
        // SAFETY: a global variable; an empty node of its context.
        unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            let empty = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
            LLVMGlobalSetMetadata(self.raw(), self.variable_mark(key), empty);
        }
    }
    /// Whether a global variable has a mark.
    pub fn has_variable_mark(self, key: &str) -> bool {
        let mut count = 0;
        // SAFETY: a global variable; the entries are read within their number and given back.
        unsafe {
            let all = LLVMGlobalCopyAllMetadata(self.raw(), &mut count);
            let wanted = self.variable_mark(key);
            let found = (0..count as c_uint).any(|n| LLVMValueMetadataEntriesGetKind(all, n) == wanted);
            LLVMDisposeValueMetadataEntries(all);
            found
        }
    }
    /// Removes a mark from a global variable.
    pub fn unmark_variable(self, key: &str) {
        // SAFETY: a global variable.
        unsafe { LLVMGlobalEraseMetadata(self.raw(), self.variable_mark(key)) }
    }
    fn variable_mark(self, key: &str) -> c_uint {
        // SAFETY: a name with its length, in this value's context.
        unsafe {
            LLVMGetMDKindIDInContext(LLVMGetTypeContext(self.ty().raw()), key.as_ptr().cast(), key.len() as c_uint)
        }
    }
    /// Lets no pass inline a function.
    pub fn forbid_inlining(self) {
        // SAFETY: a function; both are enum attributes.
        unsafe {
            LLVMRemoveEnumAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, kind(c"alwaysinline"));
            let made = LLVMCreateEnumAttribute(LLVMGetTypeContext(self.ty().raw()), kind(c"noinline"), 0);
            LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, made);
        }
    }
    /// Whether a parameter of this function has this enum attribute.
    pub fn parameter_has(self, parameter: u32, attribute: &CStr) -> bool {
        // SAFETY: a function.
        unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), parameter + 1, kind(attribute)).is_null() }
    }
    /// Promises that memory which a parameter of this function leads to and which is written is accessed through it alone.
    pub fn restrict_parameter(self, parameter: u32) {
        // SAFETY: a function.
        unsafe {
            let made = LLVMCreateEnumAttribute(LLVMGetTypeContext(self.ty().raw()), kind(c"noalias"), 0);
            LLVMAddAttributeAtIndex(self.raw(), parameter + 1, made);
        }
    }
    /// Says that what this function returns is memory that nothing else leads to.
    pub fn promise_fresh_result(self) {
        // SAFETY: a function.
        unsafe {
            let made = LLVMCreateEnumAttribute(LLVMGetTypeContext(self.ty().raw()), kind(c"noalias"), 0);
            LLVMAddAttributeAtIndex(self.raw(), LLVMAttributeReturnIndex, made);
        }
    }
    /// Whether a function has this enum attribute.
    pub fn has_attribute(self, attribute: &CStr) -> bool {
        // SAFETY: a function.
        unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), LLVMAttributeFunctionIndex, kind(attribute)).is_null() }
    }
    /// The text of a metadata string that is passed as an operand.
    pub fn as_metadata_string(self) -> Option<String> {
        let mut length = 0;
        // SAFETY: checked to be a metadata string, which LLVM keeps.
        unsafe {
            if LLVMIsAMDString(self.raw()).is_null() {
                return None;
            }
            let data = LLVMGetMDString(self.raw(), &mut length);
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    fn linkage(self) -> LLVMLinkage {
        // SAFETY: a global value.
        unsafe { LLVMGetLinkage(self.raw()) }
    }
    /// Whether another module may replace this definition.
    pub fn is_weak(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMExternalWeakLinkage)
    }
    /// Whether this definition is a copy for inlining of one that other modules have too.
    pub fn is_inline_copy(self) -> bool {
        matches!(
            self.linkage(),
            LLVMLinkage::LLVMAvailableExternallyLinkage
                | LLVMLinkage::LLVMLinkOnceAnyLinkage
                | LLVMLinkage::LLVMLinkOnceODRLinkage
        )
    }
    /// Whether no other module can see this function, or each has its own copy of it.
    pub fn is_local_or_shared(self) -> bool {
        matches!(
            self.linkage(),
            LLVMLinkage::LLVMInternalLinkage
                | LLVMLinkage::LLVMPrivateLinkage
                | LLVMLinkage::LLVMLinkOnceAnyLinkage
                | LLVMLinkage::LLVMLinkOnceODRLinkage
        )
    }
    /// The value that a constant global variable holds.
    pub fn initializer(self) -> Option<Value> {
        // SAFETY: checked to be a global variable.
        self.as_global().and_then(|g| Value::from_raw(unsafe { LLVMGetInitializer(g.raw()) }))
    }
    /// What an alias stands for.
    pub fn aliasee(self) -> Option<Value> {
        // SAFETY: checked to be an alias.
        unsafe {
            let alias = LLVMIsAGlobalAlias(self.raw());
            if alias.is_null() { None } else { Value::from_raw(LLVMAliasGetAliasee(alias)) }
        }
    }
    /// Whether a function takes variable arguments.
    pub fn is_variadic(self) -> bool {
        // SAFETY: a function; its value type is a function type.
        unsafe { LLVMIsFunctionVarArg(self.global_type().raw()) != 0 }
    }
    /// The block where an invoke goes on normally.
    pub fn normal_destination(self) -> Block {
        // SAFETY: an invoke.
        Block::from_raw(unsafe { LLVMGetNormalDest(self.raw()) }).expect("an invoke has a normal destination")
    }
    /// The block where an invoke goes when its callee throws.
    pub fn unwind_destination(self) -> Block {
        // SAFETY: an invoke.
        Block::from_raw(unsafe { LLVMGetUnwindDest(self.raw()) }).expect("an invoke has an unwind destination")
    }
    /// The instruction after this one in its block.
    pub fn next_instruction(self) -> Option<Value> {
        // SAFETY: an instruction in a block.
        Value::from_raw(unsafe { LLVMGetNextInstruction(self.raw()) })
    }
    /// Erases a global variable that nothing uses.
    pub fn delete_global(self) {
        // SAFETY: the caller drops the handle.
        unsafe { LLVMDeleteGlobal(self.raw()) }
    }
}

impl Module {
    /// Keeps global variables for the link, where nothing else may name them.
    pub fn keep(self, globals: &[Value]) {
        const USED: &CStr = c"llvm.used";
        if globals.is_empty() {
            return;
        }
        // SAFETY: live globals of this module; the list is replaced by a longer one of the same form.
        unsafe {
            let old = LLVMGetNamedGlobal(self.raw(), USED.as_ptr());
            let mut all = vec![];
            if let Some(list) = Value::from_raw(old).and_then(Value::initializer) {
                all.extend((0..list.operand_count()).filter_map(|n| list.operand(n)).map(Value::raw));
            }
            all.extend(globals.iter().map(|g| g.raw()));
            if !old.is_null() {
                LLVMDeleteGlobal(old);
            }
            let list = LLVMConstArray2(self.pointer().raw(), all.as_mut_ptr(), all.len() as u64);
            let made = LLVMAddGlobal(self.raw(), LLVMTypeOf(list), USED.as_ptr());
            LLVMSetLinkage(made, LLVMLinkage::LLVMAppendingLinkage);
            LLVMSetSection(made, c"llvm.metadata".as_ptr());
            LLVMSetInitializer(made, list);
        }
    }
    /// The global variables, in module order.
    pub fn globals(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: walks the module's own list.
        unsafe {
            let mut next = LLVMGetFirstGlobal(self.raw());
            while let Some(global) = Value::from_raw(next) {
                all.push(global);
                next = LLVMGetNextGlobal(next);
            }
        }
        all
    }
    /// Whether the module has a flag of this name.
    pub fn has_flag(self, name: &str) -> bool {
        // SAFETY: a live module and a name with its length.
        unsafe { !LLVMGetModuleFlag(self.raw(), name.as_ptr().cast(), name.len()).is_null() }
    }
}

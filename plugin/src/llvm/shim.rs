//! Raw declarations of the C++ shim (plugin/cpp); the files beside this one give them safe faces.

use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMValueRef};
use std::ffi::{c_char, c_int, c_uint, c_void};

unsafe extern "C" {
    // register.cpp
    pub fn pardiff_register(builder: *mut c_void);
    pub fn pardiff_option_text(index: c_uint) -> *const c_char;

    // transform.cpp
    pub fn pardiff_release_text(text: *mut c_char);
    pub fn pardiff_run_pipeline(analyses: *mut c_void, function: LLVMValueRef, text: *const c_char) -> *mut c_char;
    pub fn pardiff_invalidate(analyses: *mut c_void, function: LLVMValueRef);
    pub fn pardiff_forget(analyses: *mut c_void, function: LLVMValueRef);
    pub fn pardiff_clone_function(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    pub fn pardiff_inline_call(
        analyses: *mut c_void,
        call: LLVMValueRef,
        seen: extern "C" fn(*mut c_void, LLVMValueRef),
        context: *mut c_void,
    ) -> *const c_char;
    pub fn pardiff_verify_function(function: LLVMValueRef) -> *mut c_char;
    pub fn pardiff_verify_module(module: LLVMModuleRef) -> *mut c_char;
    pub fn pardiff_strip_claims(function: LLVMValueRef);
    pub fn pardiff_strip_instructions(function: LLVMValueRef);
    pub fn pardiff_drop_claims(instruction: LLVMValueRef);
    pub fn pardiff_separate(
        accesses: *const LLVMValueRef,
        classes: *const c_uint,
        count: usize,
        apart: *const bool,
        class_count: usize,
    );
    pub fn pardiff_keep_in_memory(access: LLVMValueRef);
    pub fn pardiff_drop_metadata(instruction: LLVMValueRef);
    pub fn pardiff_diagnose(
        module: LLVMModuleRef,
        function: LLVMValueRef,
        at: LLVMValueRef,
        text: *const c_char,
    ) -> c_int;
    pub fn pardiff_warn(function: LLVMValueRef, at: LLVMValueRef, text: *const c_char);
    pub fn pardiff_demangle(name: *const c_char) -> *mut c_char;
    pub fn pardiff_location(at: LLVMValueRef) -> *mut c_char;
    pub fn pardiff_call_to_invoke(call: LLVMValueRef, like: LLVMValueRef) -> LLVMValueRef;
    pub fn pardiff_remove_predecessor(block: LLVMBasicBlockRef, from: LLVMBasicBlockRef);

    // progress.cpp
    pub fn pardiff_mark_parallel(header: LLVMBasicBlockRef, schedule: c_uint);
    pub fn pardiff_parallel(latch: LLVMBasicBlockRef) -> c_uint;

    // parts.cpp
    pub fn pardiff_split(
        function: LLVMValueRef,
        most: c_uint,
        length: c_uint,
        seen: extern "C" fn(*mut c_void, LLVMValueRef),
        context: *mut c_void,
    );

    // canonical.cpp and blockmemory.cpp
    pub fn pardiff_expand_block_memory(function: LLVMValueRef);
    pub fn pardiff_plain_block_memory(function: LLVMValueRef);
    pub fn pardiff_hide_block_memory(function: LLVMValueRef);
    pub fn pardiff_expand_overflow(function: LLVMValueRef);
    pub fn pardiff_drop_sanitizer_checks(function: LLVMValueRef);
    pub fn pardiff_hide_no_return(function: LLVMValueRef);
    pub fn pardiff_restore_hidden(function: LLVMValueRef);
    pub fn pardiff_unmerge_loads(function: LLVMValueRef);
    pub fn pardiff_fold_cheap_ifs(function: LLVMValueRef);
    pub fn pardiff_join_dead_ends(function: LLVMValueRef);
    pub fn pardiff_one_latch(function: LLVMValueRef);
    pub fn pardiff_drop_unwinding(
        function: LLVMValueRef,
        caught: extern "C" fn(*mut c_void, LLVMValueRef),
        context: *mut c_void,
    );
    pub fn pardiff_mark_integers(function: LLVMValueRef);
    pub fn pardiff_spell_out_constants(function: LLVMValueRef);
    pub fn pardiff_check_canonical(analyses: *mut c_void, function: LLVMValueRef) -> *mut c_char;

    // steps.cpp
    pub fn pardiff_outline_step(
        analyses: *mut c_void,
        mark: LLVMValueRef,
        name: *const c_char,
        why: *mut *const c_char,
    ) -> LLVMValueRef;

    // vectors.cpp
    pub fn pardiff_expand_vectors(function: LLVMValueRef);

    // overlap.cpp
    pub fn pardiff_mark_down(branch: LLVMValueRef);

    // pointers.cpp
    pub fn pardiff_addresses_taken(
        module: LLVMModuleRef,
        seen: extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef, i64),
        context: *mut c_void,
    );
    pub fn pardiff_slot_of_callee(call: LLVMValueRef) -> i64;
    pub fn pardiff_callee_from_table(
        call: LLVMValueRef,
        seen: extern "C" fn(*mut c_void, LLVMValueRef),
        context: *mut c_void,
    ) -> bool;
    pub fn pardiff_call_one_of(
        call: LLVMValueRef,
        candidates: *const LLVMValueRef,
        count: usize,
        fail: LLVMValueRef,
        what: LLVMValueRef,
    );

    // generated.cpp
    pub fn pardiff_adopt_attributes(function: LLVMValueRef, from: LLVMValueRef);
    pub fn pardiff_adopt_locations(function: LLVMValueRef, from: LLVMValueRef);
    pub fn pardiff_link_bitcode(module: LLVMModuleRef, bitcode: *const c_char, size: usize) -> *mut c_char;
}

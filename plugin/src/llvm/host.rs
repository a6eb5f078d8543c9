//! Which LLVM the plugin was loaded into.
//!
//! A plugin for one LLVM crashes in another during registration, so this is asked first: the
//! function `LLVMContextCreate` that the host process resolves must be the one we are linked to.

use std::ffi::{CStr, c_char, c_int, c_void};

/// The LLVM that the shim was compiled against.
pub const BUILT_FOR: &str = "19.1";

#[repr(C)]
struct SymbolInfo {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, info: *mut SymbolInfo) -> c_int;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

fn object_of(address: *const c_void) -> Option<(usize, String)> {
    let mut info = SymbolInfo {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        name: std::ptr::null(),
        address: std::ptr::null_mut(),
    };
    // SAFETY: dladdr fills the struct where it answers non-zero; the file name is the loader's.
    unsafe {
        if dladdr(address, &mut info) == 0 || info.file.is_null() {
            return None;
        }
        Some((info.base as usize, CStr::from_ptr(info.file).to_string_lossy().into_owned()))
    }
}

/// The file that holds the host's LLVM, if that is not the LLVM that this plugin is linked to.
pub fn foreign() -> Option<String> {
    // SAFETY: a null handle (RTLD_DEFAULT) and a NUL-terminated name.
    let theirs = unsafe { dlsym(std::ptr::null_mut(), c"LLVMContextCreate".as_ptr()) };
    let ours = llvm_sys::core::LLVMContextCreate as *const c_void;
    let ours = object_of(ours)?;
    match object_of(theirs) {
        Some(theirs) if theirs.0 == ours.0 => None,
        Some(theirs) => Some(theirs.1),
        None => Some("an unknown one".into()),
    }
}

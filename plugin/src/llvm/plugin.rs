//! What the host compiler calls: the plugin's entry point, the pass, the option table.
//!
//! No panic leaves this file: each entry point catches it.

use super::analyses::Analyses;
use super::ir::Module;
use super::shim;
use crate::options::{self, Given};
use crate::pipeline::{self, Stage};
use llvm_sys::prelude::LLVMModuleRef;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// LLVM's `PassPluginLibraryInfo`.
#[repr(C)]
pub struct PluginInfo {
    interface: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(*mut c_void),
}

/// The entry point that LLVM looks up by name. In Rust, since a cdylib does not export C++ symbols.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version has no NUL"),
    };
    PluginInfo { interface: 1, name: c"pardiff".as_ptr(), version: VERSION.as_ptr(), register }
}

extern "C" fn register(builder: *mut c_void) {
    let wrong = catch_unwind(super::host::foreign).unwrap_or_default();
    if let Some(host) = wrong {
        eprintln!(
            "pardiff: this plugin was built for LLVM {} and is loaded into another LLVM ({host}); nothing is differentiated",
            super::host::BUILT_FOR
        );
        return;
    }
    // SAFETY: the host is our LLVM and passes its pass builder.
    unsafe { shim::pardiff_register(builder) }
}

/// Runs the pass on a module; 1 where it was changed.
#[unsafe(no_mangle)]
extern "C" fn pardiff_run(
    module: LLVMModuleRef,
    analyses: *mut c_void,
    parameters: *const c_char,
    stage: c_int,
) -> c_int {
    let Some(module) = Module::from_raw(module) else { return 0 };
    let stage = match stage {
        0 => Stage::Explicit,
        1 => Stage::Start,
        _ => Stage::Link,
    };
    // SAFETY: the shim passes a NUL-terminated string.
    let parameters = unsafe { CStr::from_ptr(parameters) }.to_string_lossy().into_owned();
    let given = Given { parameters, command_line: command_line(), environment: std::env::var(options::VARIABLE).ok() };
    let run = || pipeline::run(module, Analyses(analyses), &given, stage);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(changed) => c_int::from(changed),
        Err(_) => {
            // The pipeline catches panics itself and reports them with a place; this is the last line.
            eprintln!("pardiff: internal fault outside of any phase");
            std::process::abort()
        }
    }
}

fn command_line() -> Vec<(&'static str, String)> {
    let mut given = Vec::new();
    for (index, option) in options::TABLE.iter().enumerate() {
        // SAFETY: an index into the same table that the shim built its options from.
        let text = unsafe { shim::pardiff_option_text(index as c_uint) };
        if !text.is_null() {
            // SAFETY: a NUL-terminated string that the option keeps.
            given.push((option.name, unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()));
        }
    }
    given
}

/// Name of option `index` on the command line, null past the end.
#[unsafe(no_mangle)]
extern "C" fn pardiff_option_name(index: c_uint) -> *const c_char {
    options::TABLE.get(index as usize).map_or(std::ptr::null(), |o| o.flag.as_ptr())
}

/// Help of option `index`.
#[unsafe(no_mangle)]
extern "C" fn pardiff_option_help(index: c_uint) -> *const c_char {
    options::TABLE.get(index as usize).map_or(std::ptr::null(), |o| o.help.as_ptr())
}

//! Compiles the clang plugin against the headers of clang 19.
//!
//! It is a shared library of C++ alone, which cargo has no target for: the build script links it and puts it beside
//! what cargo builds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "cpp/declarations.cpp";
const NAME: &str = "libpardiff-clang.so";

fn main() {
    println!("cargo:rerun-if-changed={SOURCE}");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".into());
    let headers = Path::new(&prefix).join("include");
    let needed = headers.join("clang/Sema/ParsedAttr.h");
    assert!(needed.exists(), "{} is missing; install libclang-19-dev or set LLVM_SYS_191_PREFIX", needed.display());
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let made = out.join(NAME);
    link(&headers, &made);
    // OUT_DIR is build/CRATE-HASH/out in the folder that cargo builds into.
    let folder = out.ancestors().nth(3).expect("OUT_DIR has three folders above it");
    let place = folder.join(NAME);
    install(&made, &place).unwrap_or_else(|why| panic!("cannot write {}: {why}", place.display()));
    println!("cargo:rerun-if-changed={}", place.display());
    println!("cargo:rustc-env=PARDIFF_CLANG={}", place.display());
}

fn link(headers: &Path, made: &Path) {
    let compiler = cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-isystem")
        .flag(headers)
        .define("NDEBUG", None)
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .warnings(false)
        .debug(false)
        .opt_level(1)
        .pic(true)
        .get_compiler();
    let mut command: Command = compiler.to_command();
    command.arg("-shared").arg(SOURCE).arg("-o").arg(made);
    let status = command.status().unwrap_or_else(|why| panic!("cannot run {command:?}: {why}"));
    assert!(status.success(), "{command:?} failed");
}

/// Puts the library in its place, whole at any time: a clang may have the old one loaded.
fn install(made: &Path, place: &Path) -> std::io::Result<()> {
    let beside = place.with_extension("so.part");
    fs::copy(made, &beside)?;
    // Cargo runs this again where the library is missing, or newer than the run that made it.
    fs::File::options().write(true).open(&beside)?.set_modified(fs::metadata(SOURCE)?.modified()?)?;
    fs::rename(beside, place)
}

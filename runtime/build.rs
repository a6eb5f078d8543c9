//! Compiles the C files with clang 19 to bitcode; LLVM 19 cannot read what a newer rustc writes.

use std::path::{Path, PathBuf};
use std::process::Command;

fn tool(name: &str) -> PathBuf {
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".into());
    Path::new(&prefix).join("bin").join(name)
}

fn run(command: &mut Command) {
    let status =
        command.status().unwrap_or_else(|e| panic!("cannot run {command:?}: {e}; install clang-19 and llvm-19"));
    assert!(status.success(), "{command:?} failed");
}

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<PathBuf> = std::fs::read_dir("src")
        .expect("the crate has a src folder")
        .map(|entry| entry.expect("src can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    let mut link = Command::new(tool("llvm-link"));
    for source in &sources {
        let object = out.join(source.file_name().expect("a file has a name")).with_extension("bc");
        run(Command::new(tool("clang"))
            .args(["-std=c11", "-O2", "-emit-llvm", "-c", "-Wall", "-Wextra", "-Werror"])
            // What the program that it is linked into decides about itself is left to it.
            .args(["-fno-stack-protector", "-fcf-protection=none", "-fno-ident", "-fPIC", "-fno-vectorize"])
            .arg(source)
            .arg("-o")
            .arg(&object));
        link.arg(&object);
    }
    run(link.arg("-o").arg(out.join("runtime.bc")));
}

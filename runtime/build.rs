//! Compiles the C files with clang 19 to bitcode; LLVM 19 cannot read what a newer rustc writes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What generated code calls: optimised like a library.
const CALLED: &[&str] = &["-O2", "-fno-vectorize"];

/// What is differentiated: as unoptimised as what the plugin sees of the program.
const BODIES: &[&str] =
    &["-O1", "-Xclang", "-disable-llvm-passes", "-fno-math-errno", "-ffp-contract=off", "-fno-trapping-math"];

fn tool(name: &str) -> PathBuf {
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".into());
    Path::new(&prefix).join("bin").join(name)
}

fn run(command: &mut Command) -> Vec<u8> {
    let output =
        command.output().unwrap_or_else(|e| panic!("cannot run {command:?}: {e}; install clang-19 and llvm-19"));
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Compiles the C files of a folder and links them to one file of bitcode.
fn compile(folder: &str, flags: &[&str], name: &str) -> PathBuf {
    println!("cargo:rerun-if-changed={folder}");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the crate has this folder")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    let mut link = Command::new(tool("llvm-link"));
    for source in &sources {
        let object = out.join(source.file_name().expect("a file has a name")).with_extension("bc");
        run(Command::new(tool("clang"))
            .args(["-std=c11", "-emit-llvm", "-c", "-Wall", "-Wextra", "-Werror"])
            // What the program that it is linked into decides about itself is left to it.
            .args(["-fno-stack-protector", "-fcf-protection=none", "-fno-ident", "-fPIC"])
            .args(flags)
            .arg(source)
            .arg("-o")
            .arg(&object));
        link.arg(&object);
    }
    let linked = out.join(name);
    run(link.arg("-o").arg(&linked));
    linked
}

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    compile("src", CALLED, "runtime.bc");
    let bodies = compile("bodies", BODIES, "bodies.bc");
    let names = run(Command::new(tool("llvm-nm")).args(["--defined-only", "--format=just-symbols"]).arg(&bodies));
    std::fs::write(bodies.with_extension("txt"), names).expect("OUT_DIR can be written");
}

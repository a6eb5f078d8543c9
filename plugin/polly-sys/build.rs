//! Makes the bindings from the headers that come with Polly. The functions are inside LLVM's own library.

use std::path::PathBuf;
use std::process::Command;

fn llvm_config(argument: &str) -> String {
    let tool = std::env::var("LLVM_SYS_191_PREFIX")
        .map_or_else(|_| "/usr/lib/llvm-19/bin/llvm-config".into(), |p| p + "/bin/llvm-config");
    let output = Command::new(&tool)
        .arg(argument)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {tool}: {e}; install llvm-19-dev or set LLVM_SYS_191_PREFIX"));
    String::from_utf8(output.stdout).expect("llvm-config prints UTF-8").trim().to_string()
}

fn main() {
    println!("cargo:rerun-if-changed=wrapper.h");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let headers = PathBuf::from(llvm_config("--includedir")).join("polly");
    assert!(headers.join("isl/ctx.h").exists(), "{} has no isl/ctx.h; install libpolly-19-dev", headers.display());
    let bindings = bindgen::Builder::default()
        .header("wrapper.h")
        .clang_arg(format!("-I{}", headers.display()))
        .opaque_type("_IO_FILE")
        .allowlist_var("ISL_ON_ERROR_.*")
        .allowlist_function("isl_(ctx|options|set|map|union_set|union_map)_.*")
        .default_enum_style(bindgen::EnumVariation::Consts)
        .prepend_enum_name(false)
        .layout_tests(false)
        .generate_comments(false)
        .generate()
        .expect("the headers of isl can be read");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo says where to write"));
    bindings.write_to_file(out.join("isl.rs")).expect("the bindings can be written");
    println!("cargo:rustc-link-search=native={}", llvm_config("--libdir"));
    println!("cargo:rustc-link-lib=dylib=LLVM-19");
}

//! Compiles the C++ shim against the LLVM 19 headers.

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
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-isystem")
        .flag(llvm_config("--includedir"))
        // Debian's LLVM is built without assertions; with them some inline code differs.
        .define("NDEBUG", None)
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .warnings(false)
        .opt_level(1)
        .files(
            [
                "register",
                "transform",
                "generated",
                "canonical",
                "blockmemory",
                "integers",
                "latches",
                "overlap",
                "parts",
                "pointers",
                "progress",
                "promote",
                "rotate",
                "screens",
                "slices",
                "steps",
                "vectors",
                "analysis",
            ]
            .map(|name| format!("cpp/{name}.cpp")),
        )
        .compile("pardiff_shim");
    println!("cargo:rustc-link-search=native={}", llvm_config("--libdir"));
    println!("cargo:rustc-link-lib=dylib=LLVM-19");
}

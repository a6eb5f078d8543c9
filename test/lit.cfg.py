# Lets LLVM's lit run the tests that `cargo test --test lit` runs:
#     python3 /usr/lib/llvm-19/build/utils/lit/lit.py -v test
# after `cargo build --release`, or with PARDIFF_PLUGIN=/path/to/libpardiff.so.
import os

import lit.formats

llvm = "/usr/lib/llvm-19/bin"
root = os.path.dirname(os.path.abspath(__file__))
repository = os.path.dirname(root)
include = os.path.join(repository, "include")
plugin = os.environ.get("PARDIFF_PLUGIN", os.path.join(repository, "target/release/libpardiff.so"))

config.name = "ParDiff"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".f90", ".ll", ".txt"]
config.excludes = ["Inputs"]
config.test_source_root = root
config.test_exec_root = os.path.join(repository, "target/lit")
config.environment["PATH"] = llvm + os.pathsep + os.environ["PATH"]
for name in ("LEVELS", "CHECKERS", "CFLAGS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Longer words first: lit replaces in this order.
config.substitutions += [
    (r"%pardiff-clang\+\+", f"{llvm}/clang++ -fpass-plugin={plugin} -I{include}"),
    ("%pardiff-clang", f"{llvm}/clang -fpass-plugin={plugin} -I{include}"),
    ("%pardiff-attributes", "-fplugin=" + os.path.join(os.path.dirname(plugin), "libpardiff-clang.so")),
    ("%pardiff-opt", f"{llvm}/opt -load-pass-plugin={plugin}"),
    ("%numeric", f"{root}/numeric/levels.sh {plugin}"),
    ("%repository", repository),
    ("%include", include),
    ("%plugin", plugin),
    (r"%clang\+\+", f"{llvm}/clang++"),
    ("%clang", f"{llvm}/clang"),
    ("%flang", f"{llvm}/flang-new"),
    ("%opt", f"{llvm}/opt"),
]

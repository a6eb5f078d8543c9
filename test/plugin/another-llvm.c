// In a compiler of another LLVM the plugin says so and registers nothing.
// RUN: if test -x /usr/lib/llvm-14/bin/opt; then \
// RUN:   /usr/lib/llvm-14/bin/opt -load-pass-plugin=%plugin -passes='default<O1>' -S /dev/null -o %t.ll 2>&1 | FileCheck %s; \
// RUN:   not /usr/lib/llvm-14/bin/opt -load-pass-plugin=%plugin -passes=pardiff -S /dev/null -o %t.ll; fi
// CHECK: pardiff: this plugin was built for LLVM 19.1 and is loaded into another LLVM ({{.*}}LLVM-14{{.*}}); nothing is differentiated

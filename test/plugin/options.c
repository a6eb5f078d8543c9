// Three ways to give options, and what is refused.
// RUN: PARDIFF_OPTIONS="print=requests fixed-order" %pardiff-clang -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: %clang -I%include -fplugin=%plugin -fpass-plugin=%plugin -mllvm -pardiff-print=requests -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PRINTS
// RUN: %clang -I%include -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %pardiff-opt -passes='pardiff<print=requests+store;verify-each>' %t.ll -o %t.bc 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: %pardiff-opt -pardiff-print=requests -passes=enzyme %t.ll -o %t.bc 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: %pardiff-opt --help-hidden | FileCheck %s --check-prefix=HELP

// PRINTS: pardiff: requests of the module
// PRINTS-NEXT: in gradient: Reverse square(out) active_return
// HELP: --pardiff-fixed-order
// HELP: --pardiff-print
// HELP: --pardiff-verify-each

// RUN: PARDIFF_OPTIONS="fixed_order" not %pardiff-clang -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT
// ENVIRONMENT: error: there is no option 'fixed_order'; did you mean 'fixed-order'? (in the environment variable PARDIFF_OPTIONS) [PD0016]
// RUN: not %pardiff-opt -passes='pardiff<verifyeach>' %t.ll -o %t.bc 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// PARAMETERS: error: there is no option 'verifyeach'; did you mean 'verify-each'? (in the pass parameters) [PD0016]
// RUN: not %clang -I%include -fplugin=%plugin -fpass-plugin=%plugin -mllvm -pardiff-prnt=store -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COMMAND
// COMMAND: Unknown command line argument '-pardiff-prnt=store'
// COMMAND: Did you mean '--pardiff-print=store'?
// RUN: PARDIFF_OPTIONS="print=stor" not %pardiff-clang -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: option 'print': there is no phase 'stor'; did you mean 'store'?
// RUN: PARDIFF_OPTIONS="fixed-order=perhaps" not %pardiff-clang -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: option 'fixed-order': 'perhaps' is neither true nor false

// A file without requests is compiled as if the plugin were not there, whatever the options say of phases.
// RUN: echo 'int f(void) { return 1; }' > %t.c
// RUN: PARDIFF_OPTIONS="print=all" %pardiff-clang -S -o %t.1.s %t.c 2>&1 | count 0
// RUN: %clang -S -o %t.2.s %t.c && cmp %t.1.s %t.2.s
#include <pardiff.h>
double square(double x) { return x * x; }
double gradient(double x) { return __pardiff_autodiff((void *)square, x); }

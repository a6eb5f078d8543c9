// Under ThinLTO a request whose function is defined in its file is replaced when that is compiled; one that needs
// another file is left for the link, which says what to do. Full LTO has it all (../tools/link-time.c).
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -DHERE -c %s -o %t.here.o
// RUN: %clang -fuse-ld=lld -flto=thin -O2 -Wl,--load-pass-plugin=%plugin %t.here.o -o %t && %t | FileCheck %s
// RUN: %clang -fuse-ld=lld -flto=thin -O2 %t.here.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -c %s -o %t.main.o
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -DOTHER -c %s -o %t.other.o
// RUN: not %clang -fuse-ld=lld -flto=thin -O2 -Wl,--load-pass-plugin=%plugin %t.main.o %t.other.o -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// CHECK: 6
// ERROR: 'square' is only declared here; define it in this file, or compile and link with -flto=full{{.*}} [PD0003]
extern int printf(const char *, ...);
double __enzyme_autodiff(void *, ...);
double square(double x);
#if defined HERE || defined OTHER
double square(double x) { return x * x; }
#endif
#ifndef OTHER
int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, 3.0));
  return 0;
}
#endif

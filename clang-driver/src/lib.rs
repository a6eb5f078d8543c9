//! A plugin of clang 19 (`cpp/declarations.cpp`) for attributes that say something about derivatives. It turns them into
//! annotations, which the pass plugin reads. What it uses of clang comes from the clang that loads it.

#![forbid(unsafe_code)]

/// Where the plugin lies: beside what cargo builds, as `libpardiff-clang.so`.
pub const PLUGIN: &str = env!("PARDIFF_CLANG");

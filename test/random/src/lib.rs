//! Random tests: C programs that are valid by construction, whose gradients are checked without knowing them, and IR
//! that was changed at random, on which the plugin must neither die nor make invalid IR.
//!
//! - `cargo run -p random -- --seed 1 --count 100` generates functions, compiles them with the plugin, runs their
//!   checks (`random.h`) and reduces what fails;
//! - `cargo run -p random --bin mutate -- --seed 1 --count 1000 FILE.ll...` changes IR;
//! - `tests/fixed.rs` is a fixed set of both.

#![forbid(unsafe_code)]

pub mod examine;
pub mod features;
pub mod generate;
pub mod judge;
pub mod mutate;
pub mod reduce;
pub mod rng;
pub mod run;
pub mod tree;

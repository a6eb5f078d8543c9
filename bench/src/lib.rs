//! Measures gradients of whole programs against gradients written by hand.
//!
//! A program is one file in `programs/` (see `harness.h`). Each of its variants (the primal, the plugin's gradient, the
//! one written by hand, and the gradient of another plugin) is an executable, and all of them run at the same time and
//! take turns, so that a ratio compares times of the same moment. The driver checks each gradient against the one
//! written by hand before it believes a time.

pub mod compile;
pub mod gradient;
pub mod measure;
pub mod options;
pub mod process;
pub mod table;

//! The only place that touches LLVM's pointers: handles, builder, analyses, transformations and
//! the entry points that the host compiler calls. Everything `unsafe` of the plugin is below here.

pub mod abi;
pub mod analyses;
pub mod builder;
pub mod canonical;
mod host;
pub mod ir;
mod lanes;
pub mod plugin;
pub mod pointers;
pub mod report;
mod shim;
pub mod transform;

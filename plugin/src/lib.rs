//! ParDiff: automatic differentiation as a pass plugin of LLVM 19.
//!
//! `pipeline` shows the whole course of things; each phase is one module (docs/ARCHITECTURE.md).

pub mod allocation;
pub mod build;
pub mod callees;
pub mod derive;
pub mod emit;
pub mod facts;
pub mod fault;
pub mod finish;
pub mod leaves;
pub mod library;
pub mod llvm;
pub mod options;
pub mod pipeline;
pub mod prepare;
pub mod primal;
pub mod problem;
pub mod registered;
pub mod request;
pub mod requests;
pub mod revprog;
pub mod rules;
pub mod schedule;
pub mod store;

//! Do the rows say what the functions do?
//!
//! Every row's partials are held against differences of the function itself
//! (`differences`), against its stated edge values (`edges`), and against
//! values of many digits at points where a naive formula fails (`accuracy`).
//! `data` holds the points of all three.

mod accuracy;
mod data;
mod differences;
mod edges;
mod naming;
mod primal;
mod shape;

use super::{Row, by_name, row};

/// The row with this name.
fn named(name: &str) -> &'static Row {
    row(by_name(name).unwrap_or_else(|| panic!("no row {name}")))
}

/// All partials of a row at a point, the result computed by the function.
fn gradient(name: &str, args: &[f64]) -> Vec<f64> {
    let result = primal::value(name, args).unwrap_or_else(|| panic!("no function for {name}"));
    let partials = &named(name).partials;
    partials.iter().map(|t| t.eval(args, result)).collect()
}

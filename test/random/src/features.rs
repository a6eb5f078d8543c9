//! What generated programs may contain, by name. A function draws a few of these on top of what all of them have:
//! counted loops, branches, local arrays, arithmetic and the functions of `<math.h>`.

use crate::rng::Rng;
use std::collections::BTreeSet;

/// One feature.
#[derive(Debug)]
pub struct Feature {
    /// Its name on the command line.
    pub name: &'static str,
    /// How often it is drawn, relative to the others.
    pub weight: usize,
    /// What it stands for.
    pub about: &'static str,
}

const fn feature(name: &'static str, weight: usize, about: &'static str) -> Feature {
    Feature { name, weight, about }
}

/// All features.
pub const FEATURES: &[Feature] = &[
    feature("array-2d", 3, "arrays of two dimensions, rows of them"),
    feature("break", 3, "loops that are left early"),
    feature("call", 3, "helpers on numbers and arrays, with and without noinline"),
    feature("continue", 3, "iterations that end early"),
    feature("do", 2, "do loops"),
    feature("early-return", 3, "returns from inside branches and loops"),
    feature("float", 3, "single precision: the argument z, variables, arrays"),
    feature("function-pointer", 2, "calls through pointers and tables of pointers"),
    feature("global", 2, "active variables of the file"),
    feature("goto", 2, "jumps forward out of loops, loops made of labels"),
    feature("integers", 3, "integer variables, table look-ups, indices computed from data"),
    feature("malloc", 3, "memory that is allocated and freed"),
    feature("memcpy", 2, "memcpy and memmove"),
    feature("memset", 2, "memset and calloc"),
    feature("overlap", 2, "array arguments that overlap"),
    feature("pointer", 3, "pointers that are chosen, moved and walked with"),
    feature("pointer-pointer", 2, "pointers kept in arrays and structs"),
    feature("recursion", 2, "functions that call themselves"),
    feature("same", 3, "both array arguments are the same"),
    feature("struct", 3, "structs, nested, in arrays, as an argument"),
    feature("struct-copy", 2, "structs assigned, passed and returned by value"),
    feature("swap", 2, "two pointers exchanged in a loop"),
    feature("switch", 3, "switches, with fall-through"),
    feature("triangular", 3, "inner loops whose extent depends on the outer iteration"),
    feature("union", 2, "unions used in one way at a time"),
    feature("vla", 2, "arrays of variable length"),
    feature("while", 3, "loops that end by a condition on the data, at the outermost level"),
    feature("while-inside", 2, "such loops inside loops"),
];

/// The feature of this name.
pub fn by_name(name: &str) -> Option<&'static str> {
    FEATURES.iter().map(|f| f.name).find(|n| *n == name)
}

/// Some of the allowed features, at most `count` of them.
pub fn draw(allowed: &BTreeSet<&'static str>, count: Option<usize>, rng: &mut Rng) -> BTreeSet<&'static str> {
    let candidates: Vec<&Feature> = FEATURES.iter().filter(|f| allowed.contains(f.name)).collect();
    let mut drawn = BTreeSet::new();
    if candidates.is_empty() {
        return drawn;
    }
    let weights: Vec<usize> = candidates.iter().map(|f| f.weight).collect();
    let usual = rng.weighted(&[8, 30, 28, 18, 10, 6]);
    let count = count.unwrap_or(usual);
    for _ in 0..count {
        drawn.insert(candidates[rng.weighted(&weights)].name);
    }
    drawn
}

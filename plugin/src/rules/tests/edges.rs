//! The values that the rows state at kinks, corners, poles and NaN.

use super::data::edges;
use super::{gradient, named};

#[test]
fn edge_values_are_as_stated() {
    for (name, args, expected) in edges() {
        let found = gradient(name, args);
        let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
        assert!(
            found.len() == expected.len() && found.iter().zip(*expected).all(same),
            "{name}{args:?}: {found:?} instead of {expected:?}"
        );
    }
}

#[test]
fn every_stated_edge_is_tested() {
    for row in super::super::rows() {
        let tested = edges().any(|(name, ..)| *name == row.name);
        assert_eq!(tested, !row.edge.is_empty(), "row {}", row.name);
    }
}

#[test]
fn ties_share_one_adjoint() {
    for name in ["fmax", "fmin"] {
        assert_eq!(gradient(name, &[1.5, 1.5]).iter().sum::<f64>(), 1.0);
    }
    assert!(named("fmax").edge.contains("one half"));
}

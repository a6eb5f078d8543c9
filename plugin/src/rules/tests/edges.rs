//! The values that the rows state at kinks, corners, poles and NaN.

use super::{gradient, named};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// An operation, its operands, and the partials stated there. Operands that
/// cannot be active have partial 0.
type Edge = (&'static str, &'static [f64], &'static [f64]);

const KINKS: &[Edge] = &[
    ("fabs", &[0.0], &[0.0]),
    ("fabs", &[-0.0], &[0.0]),
    ("fabs", &[-INF], &[-1.0]),
    ("fmax", &[2.0, 2.0], &[0.5, 0.5]),
    ("fmax", &[-0.0, 0.0], &[0.5, 0.5]),
    ("fmax", &[NAN, 2.0], &[0.0, 1.0]),
    ("fmax", &[2.0, NAN], &[1.0, 0.0]),
    ("fmax", &[NAN, NAN], &[1.0, 1.0]),
    ("fmax", &[INF, 2.0], &[1.0, 0.0]),
    ("fmin", &[2.0, 2.0], &[0.5, 0.5]),
    ("fmin", &[-0.0, 0.0], &[0.5, 0.5]),
    ("fmin", &[NAN, 2.0], &[0.0, 1.0]),
    ("fmin", &[2.0, NAN], &[1.0, 0.0]),
    ("fmin", &[NAN, NAN], &[1.0, 1.0]),
    ("fmin", &[-INF, 2.0], &[1.0, 0.0]),
    ("fdim", &[2.0, 2.0], &[0.0, 0.0]),
    ("fdim", &[NAN, 2.0], &[0.0, 0.0]),
    ("copysign", &[0.0, 3.0], &[1.0, 0.0]),
    ("copysign", &[-0.0, 3.0], &[-1.0, 0.0]),
    ("copysign", &[2.0, -0.0], &[-1.0, 0.0]),
    ("copysign", &[-2.0, 0.0], &[-1.0, 0.0]),
];

const ROOTS: &[Edge] = &[
    ("sqrt", &[0.0], &[0.0]),
    ("sqrt", &[-1.0], &[NAN]),
    ("sqrt", &[INF], &[0.0]),
    ("cbrt", &[0.0], &[0.0]),
    ("cbrt", &[-0.0], &[0.0]),
    ("hypot", &[0.0, 0.0], &[0.0, 0.0]),
    ("hypot", &[0.0, -3.0], &[0.0, -1.0]),
    ("hypot", &[INF, 1.0], &[NAN, 0.0]),
    ("atan2", &[0.0, 0.0], &[0.0, 0.0]),
    ("atan2", &[-0.0, -0.0], &[0.0, 0.0]),
    ("atan2", &[0.0, 4.0], &[0.25, 0.0]),
    ("atan2", &[0.0, -4.0], &[-0.25, 0.0]),
    ("atan2", &[4.0, 0.0], &[0.0, -0.25]),
    ("atan2", &[-4.0, 0.0], &[0.0, 0.25]),
    ("atan2", &[INF, 1.0], &[0.0, 0.0]),
    ("atan2", &[1.0, INF], &[0.0, 0.0]),
    ("rsqrt", &[0.0], &[-INF]),
    ("rsqrt", &[-1.0], &[NAN]),
    ("rcbrt", &[0.0], &[-INF]),
];

const POWERS: &[Edge] = &[
    ("pow", &[0.0, 1.0], &[1.0, 0.0]),
    ("pow", &[0.0, 2.5], &[0.0, 0.0]),
    ("pow", &[0.0, 2.0], &[0.0, 0.0]),
    ("pow", &[0.0, 0.0], &[0.0, -INF]),
    ("pow", &[0.0, 0.5], &[INF, 0.0]),
    ("pow", &[0.0, -1.0], &[-INF, -INF]),
    ("pow", &[3.0, 0.0], &[0.0, 1.098_612_288_668_109_8]),
    ("pow", &[-2.0, 3.0], &[12.0, NAN]),
    ("pow", &[-2.0, 0.5], &[NAN, NAN]),
    ("pow", &[INF, -1.0], &[0.0, 0.0]),
    ("pow", &[0.5, 4000.0], &[0.0, 0.0]),
    ("powi", &[0.0, 0.0], &[0.0, 0.0]),
    ("powi", &[0.0, 1.0], &[1.0, 0.0]),
    ("powi", &[0.0, 2.0], &[0.0, 0.0]),
    ("powi", &[-2.0, 3.0], &[12.0, 0.0]),
];

const POLES: &[Edge] = &[
    ("log", &[0.0], &[INF]),
    ("log", &[-0.0], &[-INF]),
    ("log2", &[0.0], &[INF]),
    ("log10", &[0.0], &[INF]),
    ("log1p", &[-1.0], &[INF]),
    ("asin", &[1.0], &[INF]),
    ("asin", &[-1.0], &[INF]),
    ("acos", &[1.0], &[-INF]),
    ("acos", &[-1.0], &[-INF]),
    ("acosh", &[1.0], &[INF]),
    ("acosh", &[0.5], &[NAN]),
    ("atanh", &[1.0], &[INF]),
    ("atanh", &[-1.0], &[INF]),
    ("lgamma", &[0.0], &[NAN]),
    ("lgamma", &[-3.0], &[NAN]),
    ("lgamma_r", &[-3.0, 0.0], &[NAN, 0.0]),
    ("tgamma", &[0.0], &[NAN]),
    ("tgamma", &[-2.0], &[NAN]),
];

const STEPS: &[Edge] = &[
    ("ceil", &[2.0], &[0.0]),
    ("floor", &[2.0], &[0.0]),
    ("trunc", &[2.0], &[0.0]),
    ("round", &[2.5], &[0.0]),
    ("roundeven", &[2.5], &[0.0]),
    ("rint", &[2.5], &[0.0]),
    ("nearbyint", &[2.5], &[0.0]),
    ("logb", &[0.0], &[0.0]),
    ("ilogb", &[4.0], &[0.0]),
    ("lrint", &[2.5], &[0.0]),
    ("llrint", &[2.5], &[0.0]),
    ("lround", &[2.5], &[0.0]),
    ("llround", &[2.5], &[0.0]),
    ("modf", &[2.0, 0.0], &[1.0, 0.0]),
    ("frexp", &[0.0, 0.0], &[1.0, 0.0]),
    ("frexp", &[4.0, 0.0], &[0.125, 0.0]),
    ("nextafter", &[2.0, 2.0], &[1.0, 0.0]),
    ("nexttoward", &[2.0, 2.0], &[1.0, 0.0]),
    ("frem", &[6.0, 2.0], &[1.0, -3.0]),
    ("fmod", &[6.0, 2.0], &[1.0, -3.0]),
    ("fmod", &[1.0, INF], &[1.0, 0.0]),
    ("remainder", &[5.0, 2.0], &[1.0, -2.0]),
    ("remainder", &[7.0, 2.0], &[1.0, -4.0]),
    ("remquo", &[5.0, 2.0, 0.0], &[1.0, -2.0, 0.0]),
];

/// All edges of this file.
fn edges() -> impl Iterator<Item = &'static Edge> {
    [KINKS, ROOTS, POWERS, POLES, STEPS].into_iter().flatten()
}

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

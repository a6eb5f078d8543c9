//! Where each row is tested: points inside its domain, and the partials stated at its edges.
//!
//! Data alone, without a use of the crate: `plugin/tests/rules.rs`, which tests the same rows through the whole
//! plugin, includes this file.

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// Points inside the domain, a twentieth of themselves away from kinks and steps.
pub fn points(name: &str) -> &'static [&'static [f64]] {
    match name {
        "fadd" | "fsub" | "fmul" | "fdiv" | "fmax" | "fmin" | "fdim" | "copysign" | "hypot" | "atan2" | "nextafter"
        | "nexttoward" => &[&[1.3, 2.9], &[2.9, -1.3], &[-0.7, 0.2], &[-3.1, -4.7], &[60.0, 7.5]],
        "frem" | "fmod" => &[&[7.0, 2.0], &[-7.0, 2.0], &[9.0, -2.0], &[1.0, 3.0]],
        "remainder" => &[&[6.6, 2.15], &[-6.6, 2.15], &[1.0, 3.0], &[4.1, -2.0]],
        "remquo" => &[&[6.6, 2.15, 0.0], &[-6.6, 2.15, 0.0], &[1.0, 3.0, 0.0]],
        "fma" => &[&[1.3, 2.9, -0.4], &[-0.7, 0.2, 3.0]],
        "pow" => &[&[1.3, 2.9], &[0.4, -1.6], &[5.0, 0.5], &[0.02, 3.0], &[2.0, 20.0]],
        "powi" => &[&[1.3, 3.0], &[-2.0, 5.0], &[0.7, -4.0], &[3.0, 1.0], &[3.0, 0.0]],
        "ldexp" | "scalbn" | "scalbln" => &[&[1.3, 3.0], &[-0.8, -7.0], &[2.6, 0.0]],
        "frexp" | "modf" => &[&[1.5, 0.0], &[-5.6, 0.0], &[0.3, 0.0], &[4.5, 0.0]],
        "lgamma_r" => &[&[1.3, 0.0], &[0.2, 0.0], &[7.7, 0.0], &[-2.5, 0.0]],
        "lgamma" | "tgamma" => &[&[1.3], &[0.2], &[7.7], &[-2.5], &[-0.4], &[30.0]],
        "asin" | "acos" | "atanh" => &[&[0.3], &[-0.6], &[0.05], &[0.85]],
        "acosh" => &[&[1.3], &[2.9], &[40.0]],
        "log" | "log2" | "log10" | "sqrt" | "rsqrt" => &[&[0.02], &[0.7], &[3.1], &[900.0]],
        "log1p" => &[&[-0.6], &[0.02], &[3.1], &[900.0]],
        "exp" | "exp2" | "exp10" | "expm1" | "sinh" | "cosh" | "tanh" | "erf" | "erfc" => {
            &[&[0.02], &[-0.7], &[1.3], &[-2.4]]
        }
        "tan" => &[&[0.02], &[-0.7], &[1.3], &[4.0]],
        "sin" | "cos" | "atan" | "asinh" | "cbrt" | "rcbrt" => &[&[0.02], &[-0.7], &[1.3], &[-2.4], &[4.0], &[-8.1]],
        "fneg" | "fpext" | "fptrunc" | "fabs" | "canonicalize" | "arithmetic.fence" => &[&[0.02], &[-0.7], &[130.0]],
        "ceil" | "floor" | "trunc" | "round" | "roundeven" | "rint" | "nearbyint" | "lrint" | "llrint" | "lround"
        | "llround" | "logb" | "ilogb" => &[&[1.3], &[-2.7], &[4.25]],
        "nan" => &[&[0.0]],
        _ => &[],
    }
}

/// An operation, its operands, and the partials stated there. Operands that
/// cannot be active have partial 0.
pub type Edge = (&'static str, &'static [f64], &'static [f64]);

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

/// All edges.
pub fn edges() -> impl Iterator<Item = &'static Edge> {
    [KINKS, ROOTS, POWERS, POLES, STEPS].into_iter().flatten()
}

//! The rows: which partial derivatives does each operation have?
//!
//! `"name" (operands) -> result => [one partial per operand] at "edge values";`
//! An operand is a floating-point number unless it says otherwise: `n: int`
//! (an integer), `t: other` (a pointer or a wider number), `e: out_int` and
//! `w: out_float` (a pointer that is written through). `_` is a result that no
//! partial uses.
//!
//! Formulas are chosen for accuracy over the whole range of float and double
//! and for keeping little: the result where it serves, products of small
//! differences instead of differences of squares, no square that overflows
//! before the partial is negligible.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10, LOG2_E, LOG10_E};

use super::func::{copysign, cos, cosh, digamma, exp, fabs, hypot, j0, j1, jn, ldexp, log};
use super::func::{pow, powi, scalbln, sin, sinh, sqrt, y0, y1, yn};
use super::term::Cmp::{self, Eq, Gt, Lt, Ne};
use super::{Origin, OutKind, OutPointer, Row, Term};

/// Whether an operand of the given kind is a floating-point number.
macro_rules! is_float {
    () => {
        true
    };
    ($kind:ident) => {
        false
    };
}

/// What an operand of the given kind is written as, if it is written through.
macro_rules! out_kind {
    (out_int) => {
        Some(OutKind::Int)
    };
    (out_float) => {
        Some(OutKind::Float)
    };
    ($($kind:ident)?) => {
        None::<OutKind>
    };
}

macro_rules! rules {
    ($($name:literal ($($p:ident $(: $kind:ident)?),*) -> $r:tt => [$($partial:expr),* $(,)?]
       $(at $edge:literal)?;)*) => {
        vec![$({
            let mut count = 0..;
            let mut operand = || Term::Arg(count.next().unwrap_or_default());
            $(let $p = &operand();)*
            let $r = &Term::Result;
            let _ = ($($p,)*);
            let outs: &[Option<OutKind>] = &[$(out_kind!($($kind)?)),*];
            let out = outs.iter().enumerate().find_map(|(operand, kind)| {
                kind.map(|kind| OutPointer { operand, kind })
            });
            let params: &'static [&'static str] = &[$(stringify!($p)),*];
            Row {
                name: $name,
                arity: params.len(),
                params,
                float_args: &[$(is_float!($($kind)?)),*],
                partials: vec![$(Term::from($partial)),*],
                edge: concat!($($edge)?),
                expensive: true,
                integer_result: false,
                out,
                origin: Origin::Library,
            }
        }),*]
    };
}

/// All rows, section by section.
pub(super) fn all() -> Vec<Row> {
    let cheap = |row: Row| Row { expensive: false, ..row };
    let from = |origin: Origin| move |row: Row| Row { origin, ..row };
    let to_integer = |row: Row| Row { integer_result: true, ..row };
    let mut rows = Vec::new();
    rows.extend(instructions().into_iter().map(cheap).map(from(Origin::Instruction)));
    rows.extend(simple().into_iter().map(cheap));
    rows.extend(steps().into_iter().map(cheap));
    rows.extend(integer_valued().into_iter().map(cheap).map(to_integer));
    rows.extend(trigonometric());
    rows.extend(hyperbolic());
    rows.extend(exponential());
    rows.extend(powers());
    rows.extend(special());
    rows.extend(bessel());
    rows.extend(scaling());
    rows.extend(remainders());
    rows.extend(neighbours());
    rows.extend(intrinsics().into_iter().map(cheap).map(from(Origin::Intrinsic)));
    rows.extend(integer_power().into_iter().map(from(Origin::Intrinsic)));
    rows.extend(device().into_iter().map(from(Origin::Device)));
    rows
}

/// LLVM's arithmetic. `fpext` and `fptrunc` pass the adjoint on in the
/// operand's precision.
fn instructions() -> Vec<Row> {
    rules! {
        "fneg" (x) -> _ => [-1.0];
        "fadd" (a, b) -> _ => [1.0, 1.0];
        "fsub" (a, b) -> _ => [1.0, -1.0];
        "fmul" (a, b) -> _ => [b, a];
        "fdiv" (a, b) -> r => [1.0 / b, -(r / b)];
        "frem" (x, y) -> r => [1.0, (r - x) / y]
            at "at the jumps: as beside them, on the side of the result";
        "fpext" (x) -> _ => [1.0];
        "fptrunc" (x) -> _ => [1.0];
    }
}

/// Functions that are an instruction or two on current machines.
fn simple() -> Vec<Row> {
    rules! {
        "fabs" (x) -> _ => [Term::select(x, Eq, 0.0, 0.0, copysign(1.0, x))] at "x = 0: 0";
        "sqrt" (x) -> r => [Term::select(r, Eq, 0.0, 0.0, 0.5 / r)] at "x = 0: 0; x < 0: NaN";
        "fma" (x, y, z) -> _ => [y, x, 1.0];
        "copysign" (x, y) -> _ => [copysign(1.0, x) * copysign(1.0, y), 0.0]
            at "x = 0: by the sign of the zero; y = 0: 0";
        "fmax" (x, y) -> _ => [share(x, Gt, y), share(y, Gt, x)]
            at "x = y: one half each; one NaN: all to the other operand; two NaN: 1 each";
        "fmin" (x, y) -> _ => [share(x, Lt, y), share(y, Lt, x)]
            at "x = y: one half each; one NaN: all to the other operand; two NaN: 1 each";
        "fdim" (x, y) -> _ => [Term::select(x, Gt, y, 1.0, 0.0), Term::select(x, Gt, y, -1.0, 0.0)]
            at "x = y: 0, 0; NaN: 0, 0";
    }
}

/// The part of a maximum's or minimum's adjoint that x receives: all where
/// `x cmp y` or y is NaN, half on a tie.
fn share(x: &Term, cmp: Cmp, y: &Term) -> Term {
    let alone = Term::select(y, Ne, y, 1.0, 0.0);
    Term::select(x, cmp, y, 1.0, Term::select(x, Eq, y, 0.5, alone))
}

/// Step functions: derivative 0 between the steps, and stated so at them.
fn steps() -> Vec<Row> {
    rules! {
        "ceil" (x) -> _ => [0.0] at "at the steps: 0";
        "floor" (x) -> _ => [0.0] at "at the steps: 0";
        "trunc" (x) -> _ => [0.0] at "at the steps: 0";
        "round" (x) -> _ => [0.0] at "at the steps: 0";
        "roundeven" (x) -> _ => [0.0] at "at the steps: 0";
        "rint" (x) -> _ => [0.0] at "at the steps: 0";
        "nearbyint" (x) -> _ => [0.0] at "at the steps: 0";
        "logb" (x) -> _ => [0.0] at "at the steps and at 0: 0";
        "nan" (tag: other) -> _ => [0.0];
    }
}

/// Functions whose result is an integer.
fn integer_valued() -> Vec<Row> {
    rules! {
        "ilogb" (x) -> _ => [0.0] at "at the steps and at 0: 0";
        "lrint" (x) -> _ => [0.0] at "at the steps: 0";
        "llrint" (x) -> _ => [0.0] at "at the steps: 0";
        "lround" (x) -> _ => [0.0] at "at the steps: 0";
        "llround" (x) -> _ => [0.0] at "at the steps: 0";
    }
}

/// Circular functions and their inverses. x/(x*x + y*y) is written
/// 1/(x + y*(y/x)): no square under- or overflows.
fn trigonometric() -> Vec<Row> {
    rules! {
        "sin" (x) -> _ => [cos(x)];
        "cos" (x) -> _ => [-sin(x)];
        "tan" (x) -> r => [1.0 + r * r];
        "asin" (x) -> _ => [1.0 / sqrt((1.0 - x) * (1.0 + x))] at "x = -1, 1: infinite";
        "acos" (x) -> _ => [-1.0 / sqrt((1.0 - x) * (1.0 + x))] at "x = -1, 1: -infinite";
        "atan" (x) -> _ => [1.0 / (1.0 + x * x)];
        "atan2" (y, x) -> _ => [
            Term::select(fabs(x) + fabs(y), Eq, 0.0, 0.0, 1.0 / (x + y * (y / x))),
            Term::select(fabs(x) + fabs(y), Eq, 0.0, 0.0, -1.0 / (y + x * (x / y))),
        ] at "x = y = 0: 0, 0";
    }
}

/// Hyperbolic functions and their inverses. The partial of tanh is exact to
/// two units in the last place of 1, not of itself: it is 0 where the result
/// is 1.
fn hyperbolic() -> Vec<Row> {
    rules! {
        "sinh" (x) -> _ => [cosh(x)];
        "cosh" (x) -> _ => [sinh(x)];
        "tanh" (x) -> r => [(1.0 - r) * (1.0 + r)];
        "asinh" (x) -> _ => [1.0 / hypot(1.0, x)];
        "acosh" (x) -> _ => [1.0 / (sqrt(x - 1.0) * sqrt(x + 1.0))]
            at "x = 1: infinite; x < 1: NaN";
        "atanh" (x) -> _ => [1.0 / ((1.0 - x) * (1.0 + x))] at "x = -1, 1: infinite";
    }
}

/// Exponentials and logarithms.
fn exponential() -> Vec<Row> {
    rules! {
        "exp" (x) -> r => [r];
        "exp2" (x) -> r => [LN_2 * r];
        "exp10" (x) -> r => [LN_10 * r];
        "expm1" (x) -> _ => [exp(x)];
        "log" (x) -> _ => [1.0 / x] at "x = 0: infinite, with the sign of the zero";
        "log2" (x) -> _ => [LOG2_E / x] at "x = 0: infinite, with the sign of the zero";
        "log10" (x) -> _ => [LOG10_E / x] at "x = 0: infinite, with the sign of the zero";
        "log1p" (x) -> _ => [1.0 / (1.0 + x)] at "x = -1: infinite";
    }
}

/// Powers and roots.
fn powers() -> Vec<Row> {
    rules! {
        "pow" (x, y) -> r => [
            Term::select(y, Eq, 0.0, 0.0, y * pow(x, y - 1.0)),
            Term::select(r, Eq, 0.0, 0.0, r * log(x)),
        ] at "d/dx: y = 0: 0, also at x = 0; pow(0, 1): 1; pow(0, y > 1): 0; \
              pow(0, 0 < y < 1): infinite; pow(0, y < 0): -infinite. \
              d/dy: result 0: 0; pow(0, 0): -infinite; x < 0: NaN";
        "cbrt" (x) -> r => [Term::select(r, Eq, 0.0, 0.0, 1.0 / (3.0 * (r * r)))] at "x = 0: 0";
        "hypot" (x, y) -> r => [
            Term::select(r, Eq, 0.0, 0.0, x / r),
            Term::select(r, Eq, 0.0, 0.0, y / r),
        ] at "x = y = 0: 0, 0; an infinite operand: NaN for it";
    }
}

/// Error and gamma functions.
fn special() -> Vec<Row> {
    rules! {
        "erf" (x) -> _ => [FRAC_2_SQRT_PI * exp(-(x * x))];
        "erfc" (x) -> _ => [-FRAC_2_SQRT_PI * exp(-(x * x))];
        "lgamma" (x) -> _ => [digamma(x)] at "x = 0, -1, -2, ...: NaN";
        "lgamma_r" (x, sign: out_int) -> _ => [digamma(x), 0.0] at "x = 0, -1, -2, ...: NaN";
        "tgamma" (x) -> r => [r * digamma(x)] at "x = 0, -1, -2, ...: NaN";
    }
}

/// Bessel functions of both kinds.
fn bessel() -> Vec<Row> {
    rules! {
        "j0" (x) -> _ => [-j1(x)];
        "j1" (x) -> r => [Term::select(x, Eq, 0.0, 0.5, j0(x) - r / x)] at "x = 0: 1/2";
        "jn" (n: int, x) -> _ => [0.0, 0.5 * (jn(n - 1.0, x) - jn(n + 1.0, x))];
        "y0" (x) -> _ => [-y1(x)] at "x = 0: infinite; x < 0: NaN";
        "y1" (x) -> r => [y0(x) - r / x] at "x < 0: NaN";
        "yn" (n: int, x) -> _ => [0.0, 0.5 * (yn(n - 1.0, x) - yn(n + 1.0, x))] at "x < 0: NaN";
    }
}

/// Exponent and mantissa.
fn scaling() -> Vec<Row> {
    rules! {
        "ldexp" (x, n: int) -> _ => [ldexp(1.0, n), 0.0];
        "scalbn" (x, n: int) -> _ => [ldexp(1.0, n), 0.0];
        "scalbln" (x, n: int) -> _ => [scalbln(1.0, n), 0.0];
        "frexp" (x, e: out_int) -> r => [Term::select(x, Eq, 0.0, 1.0, r / x), 0.0]
            at "x = 0: 1; at powers of 2: as for larger magnitudes";
        "modf" (x, whole: out_float) -> _ => [1.0, 0.0] at "at integers: 1";
    }
}

/// Remainders. (r - x)/y is the negated quotient even where x/y would round
/// to the next integer.
fn remainders() -> Vec<Row> {
    rules! {
        "fmod" (x, y) -> r => [1.0, (r - x) / y]
            at "at the jumps: as beside them, on the side of the result";
        "remainder" (x, y) -> r => [1.0, (r - x) / y]
            at "at the jumps: as beside them, on the side of the result";
        "remquo" (x, y, quo: out_int) -> r => [1.0, (r - x) / y, 0.0]
            at "at the jumps: as beside them, on the side of the result";
    }
}

/// The next number: the identity, up to rounding.
fn neighbours() -> Vec<Row> {
    rules! {
        "nextafter" (x, y) -> _ => [1.0, 0.0] at "x = y: 1, 0";
        "nexttoward" (x, y: other) -> _ => [1.0, 0.0] at "x = y: 1, 0";
    }
}

/// Intrinsics that are the identity.
fn intrinsics() -> Vec<Row> {
    rules! {
        "canonicalize" (x) -> _ => [1.0];
        "arithmetic.fence" (x) -> _ => [1.0];
    }
}

/// The power with an integer exponent.
fn integer_power() -> Vec<Row> {
    rules! {
        "powi" (x, n: int) -> _ => [Term::select(n, Eq, 0.0, 0.0, n * powi(x, n - 1.0)), 0.0]
            at "n = 0: 0, also at x = 0; powi(0, 1): 1; n the least integer: n - 1 wraps around";
    }
}

/// Functions of CUDA's libdevice that C does not have.
fn device() -> Vec<Row> {
    rules! {
        "rsqrt" (x) -> r => [-0.5 * (r * (r * r))] at "x = 0: -infinite; x < 0: NaN";
        "rcbrt" (x) -> r => [r * (r * (r * r)) / -3.0] at "x = 0: -infinite";
    }
}

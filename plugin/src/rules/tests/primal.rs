//! The functions themselves, in double precision: the C library's where Rust
//! has none. Pointer operands are given as any number and not looked at.

use std::ffi::{c_char, c_double, c_int, c_long, c_longlong};

// SAFETY: the signatures are C99's (and POSIX's for lgamma_r and the Bessel functions).
unsafe extern "C" {
    fn ceil(x: c_double) -> c_double;
    fn erf(x: c_double) -> c_double;
    fn erfc(x: c_double) -> c_double;
    fn fdim(x: c_double, y: c_double) -> c_double;
    fn fmax(x: c_double, y: c_double) -> c_double;
    fn fmin(x: c_double, y: c_double) -> c_double;
    fn fmod(x: c_double, y: c_double) -> c_double;
    fn frexp(x: c_double, e: *mut c_int) -> c_double;
    fn ilogb(x: c_double) -> c_int;
    fn ldexp(x: c_double, n: c_int) -> c_double;
    fn j0(x: c_double) -> c_double;
    fn j1(x: c_double) -> c_double;
    fn jn(n: c_int, x: c_double) -> c_double;
    fn y0(x: c_double) -> c_double;
    fn y1(x: c_double) -> c_double;
    fn yn(n: c_int, x: c_double) -> c_double;
    fn lgamma(x: c_double) -> c_double;
    fn lgamma_r(x: c_double, sign: *mut c_int) -> c_double;
    fn llrint(x: c_double) -> c_longlong;
    fn llround(x: c_double) -> c_longlong;
    fn logb(x: c_double) -> c_double;
    fn lrint(x: c_double) -> c_long;
    fn lround(x: c_double) -> c_long;
    fn modf(x: c_double, whole: *mut c_double) -> c_double;
    fn nan(tag: *const c_char) -> c_double;
    fn nearbyint(x: c_double) -> c_double;
    fn nextafter(x: c_double, y: c_double) -> c_double;
    fn remainder(x: c_double, y: c_double) -> c_double;
    fn remquo(x: c_double, y: c_double, quo: *mut c_int) -> c_double;
    fn rint(x: c_double) -> c_double;
    fn scalbln(x: c_double, n: c_long) -> c_double;
    fn scalbn(x: c_double, n: c_int) -> c_double;
    fn tgamma(x: c_double) -> c_double;
}

/// The result of the row's operation, `None` for a row without a function.
pub(super) fn value(name: &str, a: &[f64]) -> Option<f64> {
    let x = a.first().copied()?;
    let y = a.get(1).copied().unwrap_or(f64::NAN);
    native(name, x, y, a).or_else(|| library(name, x, y)).or_else(|| stepped(name, x))
}

/// Operations that Rust has.
fn native(name: &str, x: f64, y: f64, a: &[f64]) -> Option<f64> {
    Some(match name {
        "fneg" => -x,
        "fadd" => x + y,
        "fsub" => x - y,
        "fmul" => x * y,
        "fdiv" => x / y,
        "frem" => x % y,
        "fpext" | "fptrunc" | "canonicalize" | "arithmetic.fence" => x,
        "fabs" => x.abs(),
        "sqrt" => x.sqrt(),
        "fma" => x.mul_add(y, a[2]),
        "copysign" => x.copysign(y),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => 10f64.powf(x),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "pow" => x.powf(y),
        "powi" => x.powi(y as i32),
        "cbrt" => x.cbrt(),
        "hypot" => x.hypot(y),
        "rsqrt" => 1.0 / x.sqrt(),
        "rcbrt" => 1.0 / x.cbrt(),
        _ => return None,
    })
}

/// Functions of the C library that Rust has not, or not with C's meaning.
fn library(name: &str, x: f64, y: f64) -> Option<f64> {
    let (mut int, mut float) = (0, 0.0);
    // SAFETY: the declarations are C99's; the pointers are to live locals of
    // the type that each function writes, and to a terminated string.
    unsafe {
        Some(match name {
            "erf" => erf(x),
            "erfc" => erfc(x),
            "fdim" => fdim(x, y),
            "fmax" => fmax(x, y),
            "fmin" => fmin(x, y),
            "fmod" => fmod(x, y),
            "frexp" => frexp(x, &mut int),
            "ldexp" => ldexp(x, y as c_int),
            "j0" => j0(x),
            "j1" => j1(x),
            "jn" => jn(x as c_int, y),
            "y0" => y0(x),
            "y1" => y1(x),
            "yn" => yn(x as c_int, y),
            "lgamma" => lgamma(x),
            "lgamma_r" => lgamma_r(x, &mut int),
            "modf" => modf(x, &mut float),
            "nan" => nan(c"".as_ptr()),
            // Its second operand, a long double, has no type in Rust.
            "nextafter" | "nexttoward" => nextafter(x, y),
            "remainder" => remainder(x, y),
            "remquo" => remquo(x, y, &mut int),
            "scalbln" => scalbln(x, y as c_long),
            "scalbn" => scalbn(x, y as c_int),
            "tgamma" => tgamma(x),
            _ => return None,
        })
    }
}

/// Step functions.
fn stepped(name: &str, x: f64) -> Option<f64> {
    // SAFETY: the declarations are C99's; all operands are numbers.
    unsafe {
        Some(match name {
            "ceil" => ceil(x),
            "floor" => x.floor(),
            "trunc" => x.trunc(),
            "round" => x.round(),
            "roundeven" => x.round_ties_even(),
            "rint" => rint(x),
            "nearbyint" => nearbyint(x),
            "logb" => logb(x),
            "ilogb" => f64::from(ilogb(x)),
            "lrint" => lrint(x) as f64,
            "llrint" => llrint(x) as f64,
            "lround" => lround(x) as f64,
            "llround" => llround(x) as f64,
            _ => return None,
        })
    }
}

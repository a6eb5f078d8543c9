//! Which operation, in which precision, does a callee's name mean?
//!
//! The spellings of one base name: C's `sin`, `sinf`, `sinl`; the IEC types'
//! `sinf64`; glibc's `__sin_finite`; the intrinsic `llvm.sin.v4f32`; CUDA's
//! `__nv_sinf`, `__nv_fast_sinf`. Whether the module defines a function of
//! that name itself is the caller's business, and so is what to do in long
//! double.
//!
//! Cost: a handful of searches in a sorted list per name. Source: ISO C99 7.12
//! and TS 18661-3 for the suffixes, the LLVM language reference for the
//! intrinsics, the libdevice user's guide.

use super::{Origin, RuleId, by_name, row};

/// The floating-point type that a name's spelling says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precision {
    /// IEEE binary16.
    Half,
    /// bfloat16.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// C's long double, whatever it is on the target, and LLVM's `x86_fp80`
    /// and `ppc_fp128`.
    Extended,
    /// IEEE binary128.
    Quad,
}

/// What a callee's name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    /// The row of the operation.
    pub rule: RuleId,
    /// The precision it works in.
    pub precision: Precision,
}

/// Intrinsics whose row has another name. `minimum` and `maximum` differ from
/// `minnum` and `maxnum` in their results on NaN and on zeros of both signs,
/// not in a derivative.
const INTRINSICS: &[(&str, &str)] =
    &[("fmuladd", "fma"), ("maximum", "fmax"), ("maxnum", "fmax"), ("minimum", "fmin"), ("minnum", "fmin")];

/// Other names of C functions, all suffixes that have one spelled out.
const LIBRARY: &[(&str, &str, Precision)] = &[
    ("__exp10", "exp10", Precision::Double),
    ("__exp10f", "exp10", Precision::Single),
    ("drem", "remainder", Precision::Double),
    ("dremf", "remainder", Precision::Single),
    ("dreml", "remainder", Precision::Extended),
    ("lgammaf_r", "lgamma_r", Precision::Single),
    ("lgammal_r", "lgamma_r", Precision::Extended),
    ("pow10", "exp10", Precision::Double),
    ("pow10f", "exp10", Precision::Single),
    ("pow10l", "exp10", Precision::Extended),
];

/// Functions of libdevice that are an instruction or a function under another
/// name, without `__nv_` and a rounding suffix.
const DEVICE: &[(&str, &str, Precision)] = &[
    ("dadd", "fadd", Precision::Double),
    ("ddiv", "fdiv", Precision::Double),
    ("dmul", "fmul", Precision::Double),
    ("dsqrt", "sqrt", Precision::Double),
    ("dsub", "fsub", Precision::Double),
    ("fadd", "fadd", Precision::Single),
    ("fast_fdividef", "fdiv", Precision::Single),
    ("fdiv", "fdiv", Precision::Single),
    ("fmul", "fmul", Precision::Single),
    ("frsqrt", "rsqrt", Precision::Single),
    ("fsqrt", "sqrt", Precision::Single),
    ("fsub", "fsub", Precision::Single),
];

/// Suffixes of the C functions, the longer before those they end in.
const SUFFIXES: &[(&str, Precision)] = &[
    ("f32x", Precision::Double),
    ("f64x", Precision::Extended),
    ("f128", Precision::Quad),
    ("f64", Precision::Double),
    ("f32", Precision::Single),
    ("f", Precision::Single),
    ("l", Precision::Extended),
];

/// The row that a callee's name means: `sinf`, `llvm.pow.f64`, `__nv_exp`.
pub fn by_callee(symbol: &str) -> Option<RuleId> {
    parse(symbol).map(|callee| callee.rule)
}

/// The row and the precision that a callee's name means.
pub fn parse(symbol: &str) -> Option<Callee> {
    if let Some(name) = symbol.strip_prefix("llvm.") {
        return intrinsic(name);
    }
    if let Some(name) = symbol.strip_prefix("__nv_") {
        return device(name);
    }
    let finite = symbol.strip_prefix("__").and_then(|s| s.strip_suffix("_finite"));
    library(finite.unwrap_or(symbol), &[Origin::Library])
}

/// A C function: an alias, the name itself, or the name and a suffix.
fn library(name: &str, origins: &[Origin]) -> Option<Callee> {
    if let Some((_, base, precision)) = LIBRARY.iter().find(|(alias, ..)| *alias == name) {
        return callee(base, *precision, origins);
    }
    callee(name, Precision::Double, origins).or_else(|| {
        SUFFIXES.iter().find_map(|(suffix, precision)| callee(name.strip_suffix(suffix)?, *precision, origins))
    })
}

/// A function of libdevice, `__nv_` taken off.
fn device(name: &str) -> Option<Callee> {
    let rounding = ["_rn", "_rz", "_ru", "_rd"];
    let name = rounding.iter().find_map(|r| name.strip_suffix(r)).unwrap_or(name);
    if let Some((_, base, precision)) = DEVICE.iter().find(|(alias, ..)| *alias == name) {
        return callee(base, *precision, &[Origin::Instruction, Origin::Library, Origin::Device]);
    }
    let name = name.strip_prefix("fast_").unwrap_or(name);
    library(name, &[Origin::Library, Origin::Intrinsic, Origin::Device])
}

/// An intrinsic, `llvm.` taken off: a base name and its overloaded types, of
/// which the first floating-point one is the precision.
fn intrinsic(name: &str) -> Option<Callee> {
    let (mut base, mut precision) = (name, None);
    while let Some((head, tail)) = base.rsplit_once('.') {
        match overload(tail) {
            Some(Overload::Integer) => {}
            Some(Overload::Float(p)) => precision = Some(p),
            None => break,
        }
        base = head;
    }
    if let Some((_, row)) = INTRINSICS.iter().find(|(name, _)| *name == base) {
        base = row;
    }
    let found = callee(base, precision?, &[Origin::Library, Origin::Intrinsic])?;
    // An intrinsic has several results where the C function has an out pointer.
    row(found.rule).out.is_none().then_some(found)
}

/// A type in an intrinsic's name.
enum Overload {
    Integer,
    Float(Precision),
}

/// Reads `f64`, `i32`, `v4f32`, `nxv2f64`.
fn overload(token: &str) -> Option<Overload> {
    let lanes = token.strip_prefix("nx").unwrap_or(token);
    let scalar = lanes.strip_prefix('v').map_or(token, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let float = match scalar {
        "f16" => Precision::Half,
        "bf16" => Precision::BFloat,
        "f32" => Precision::Single,
        "f64" => Precision::Double,
        "f80" | "ppcf128" => Precision::Extended,
        "f128" => Precision::Quad,
        _ => {
            let width = scalar.strip_prefix('i')?;
            let digits = !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
            return digits.then_some(Overload::Integer);
        }
    };
    Some(Overload::Float(float))
}

/// The row of this name, if it comes from one of the given places.
fn callee(base: &str, precision: Precision, origins: &[Origin]) -> Option<Callee> {
    let rule = by_name(base)?;
    origins.contains(&row(rule).origin).then_some(Callee { rule, precision })
}

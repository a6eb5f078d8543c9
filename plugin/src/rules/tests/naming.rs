//! Names: every spelling of every row, and names that mean no row.

use super::super::names::{Precision, parse};
use super::super::{Origin, by_callee, by_name, row, rows};

#[test]
fn every_c_function_has_its_spellings() {
    for r in rows().iter().filter(|r| r.origin == Origin::Library) {
        let spellings = [
            (r.name.to_string(), Precision::Double),
            (format!("{}f", r.name), Precision::Single),
            (format!("{}l", r.name), Precision::Extended),
            (format!("{}f32", r.name), Precision::Single),
            (format!("{}f64", r.name), Precision::Double),
            (format!("{}f128", r.name), Precision::Quad),
            (format!("__{}_finite", r.name), Precision::Double),
            (format!("__{}f_finite", r.name), Precision::Single),
            (format!("__nv_{}", r.name), Precision::Double),
            (format!("__nv_{}f", r.name), Precision::Single),
        ];
        for (symbol, precision) in spellings {
            let found = parse(&symbol).unwrap_or_else(|| panic!("{symbol} is not known"));
            assert_eq!((row(found.rule).name, found.precision), (r.name, precision), "{symbol}");
        }
    }
}

#[test]
fn intrinsics_name_their_rows() {
    let cases = [
        ("llvm.sin.f32", "sin", Precision::Single),
        ("llvm.tanh.f64", "tanh", Precision::Double),
        ("llvm.sqrt.v4f32", "sqrt", Precision::Single),
        ("llvm.fabs.nxv2f64", "fabs", Precision::Double),
        ("llvm.fma.f64", "fma", Precision::Double),
        ("llvm.fmuladd.f64", "fma", Precision::Double),
        ("llvm.maxnum.f64", "fmax", Precision::Double),
        ("llvm.minnum.f32", "fmin", Precision::Single),
        ("llvm.maximum.f64", "fmax", Precision::Double),
        ("llvm.minimum.f64", "fmin", Precision::Double),
        ("llvm.powi.f64.i32", "powi", Precision::Double),
        ("llvm.powi.v2f32.i32", "powi", Precision::Single),
        ("llvm.ldexp.f64.i32", "ldexp", Precision::Double),
        ("llvm.lrint.i64.f32", "lrint", Precision::Single),
        ("llvm.llround.i64.f64", "llround", Precision::Double),
        ("llvm.roundeven.f64", "roundeven", Precision::Double),
        ("llvm.copysign.f16", "copysign", Precision::Half),
        ("llvm.canonicalize.bf16", "canonicalize", Precision::BFloat),
        ("llvm.exp10.f80", "exp10", Precision::Extended),
        ("llvm.pow.f128", "pow", Precision::Quad),
        ("llvm.arithmetic.fence.f64", "arithmetic.fence", Precision::Double),
    ];
    for (symbol, name, precision) in cases {
        let found = parse(symbol).unwrap_or_else(|| panic!("{symbol} is not known"));
        assert_eq!((row(found.rule).name, found.precision), (name, precision), "{symbol}");
    }
}

#[test]
fn other_names_of_functions() {
    let cases = [
        ("lgammaf_r", "lgamma_r", Precision::Single),
        ("__lgamma_r_finite", "lgamma_r", Precision::Double),
        ("__lgammaf_r_finite", "lgamma_r", Precision::Single),
        ("lgammal_r", "lgamma_r", Precision::Extended),
        ("pow10", "exp10", Precision::Double),
        ("pow10f", "exp10", Precision::Single),
        ("__exp10f", "exp10", Precision::Single),
        ("__nv_powi", "powi", Precision::Double),
        ("__nv_powif", "powi", Precision::Single),
        ("__nv_fast_sinf", "sin", Precision::Single),
        ("__nv_fast_fdividef", "fdiv", Precision::Single),
        ("__nv_fma_rn", "fma", Precision::Double),
        ("__nv_fmaf_rz", "fma", Precision::Single),
        ("__nv_dadd_rn", "fadd", Precision::Double),
        ("__nv_fsqrt_rn", "sqrt", Precision::Single),
        ("__nv_frsqrt_rn", "rsqrt", Precision::Single),
        ("__nv_rsqrt", "rsqrt", Precision::Double),
        ("__nv_rcbrtf", "rcbrt", Precision::Single),
    ];
    for (symbol, name, precision) in cases {
        let found = parse(symbol).unwrap_or_else(|| panic!("{symbol} is not known"));
        assert_eq!((row(found.rule).name, found.precision), (name, precision), "{symbol}");
    }
}

#[test]
fn what_is_no_scalar_function_has_no_row() {
    let unknown = [
        "",
        "f",
        "l",
        "fadd",
        "fmulf",
        "fpext",
        "powi",
        "canonicalize",
        "rsqrt",
        "sincos",
        "sinff",
        "sinfl",
        "csin",
        "gamma",
        "er",
        "mod",
        "llvm.sin",
        "llvm.frexp.f64.i32",
        "llvm.modf.f64",
        "llvm.sincos.f64",
        "llvm.fadd.f64",
        "llvm.rsqrt.f64",
        "llvm.vector.reduce.fadd.v4f64",
        "llvm.is.fpclass.f64",
        "llvm.abs.i32",
        "llvm.experimental.constrained.sin.f64",
        "llvm.memcpy.p0.p0.i64",
        "__nv_float2int_rn",
        "__nv_sincos",
        "__nv_abs",
        "__nv_",
        "__finite",
        "___finite",
        "__sin",
        "malloc",
    ];
    for symbol in unknown {
        assert_eq!(by_callee(symbol).map(|id| row(id).name), None, "{symbol}");
    }
}

#[test]
fn instructions_are_found_by_name_alone() {
    for name in ["fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fpext", "fptrunc"] {
        assert!(by_name(name).is_some() && by_callee(name).is_none(), "{name}");
    }
}

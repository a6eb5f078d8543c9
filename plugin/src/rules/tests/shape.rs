//! The table as a table: its form, its completeness, its printed text.

use super::super::{Func, Needs, OutKind, Term, by_callee, by_name, markdown, row, rows};
use super::named;

#[test]
fn rows_are_well_formed() {
    for (i, r) in rows().iter().enumerate() {
        assert_eq!(by_name(r.name).map(|id| usize::from(id.0)), Some(i), "{} twice", r.name);
        assert_eq!(r.partials.len(), r.arity, "{}", r.name);
        assert_eq!(r.float_args.len(), r.arity, "{}", r.name);
        for (partial, is_float) in r.partials.iter().zip(r.float_args) {
            assert!(*is_float || partial.is_zero(), "{}: {partial:?}", r.name);
            assert!(partial.needs().args >> r.arity == 0, "{}", r.name);
        }
        assert!(!r.integer_result || r.is_flat(), "{}", r.name);
        assert!(r.out.is_none_or(|o| !r.float_args[o.operand]), "{}", r.name);
    }
}

#[test]
fn all_of_c99_is_there() {
    let c99 = "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 \
               frexp ilogb ldexp log log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot \
               pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round \
               lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim \
               fmax fmin fma";
    for name in c99.split_whitespace() {
        assert_eq!(by_callee(name).map(|id| row(id).name), Some(name));
    }
}

#[test]
fn out_pointers_are_marked() {
    let outs: Vec<_> = rows().iter().filter_map(|r| r.out.map(|o| (r.name, o.operand, o.kind))).collect();
    let expected = [
        ("lgamma_r", 1, OutKind::Int),
        ("frexp", 1, OutKind::Int),
        ("modf", 1, OutKind::Float),
        ("remquo", 2, OutKind::Int),
    ];
    assert_eq!(outs, expected);
}

/// Formulas call nothing that has no row of its own, so that a derivative can
/// be differentiated again; digamma is the exception. And no function is in
/// the list that no formula calls.
#[test]
fn formulas_call_functions_that_have_rows() {
    let mut called = vec![];
    let mut open: Vec<&Term> = rows().iter().flat_map(|r| &r.partials).collect();
    while let Some(term) = open.pop() {
        if let Term::Call(f, args) = term {
            assert_eq!(f.arity(), args.len(), "{f:?}");
            called.push(*f);
        }
        open.extend(term.children());
    }
    for f in Func::ALL {
        assert!(called.contains(&f), "{f:?} is called by no formula");
        let known = by_name(f.base()).is_some();
        assert_eq!(known, f != Func::Digamma, "{f:?}");
        if let Some(intrinsic) = f.intrinsic() {
            assert_eq!(by_callee(&format!("{intrinsic}.f64.i32")), by_name(f.base()));
        }
    }
}

#[test]
fn little_is_kept() {
    let needs = |name: &str, active: &[bool]| named(name).needs(active);
    let only_result = Needs { args: 0, result: true };
    for name in ["exp", "exp2", "sqrt", "tanh", "tan", "cbrt"] {
        assert_eq!(needs(name, &[true]), only_result, "{name}");
    }
    assert!(needs("fadd", &[true, true]).is_empty());
    assert!(needs("floor", &[true]).is_empty());
    assert_eq!(needs("fmul", &[true, false]), Needs { args: 0b10, result: false });
    assert_eq!(needs("fdiv", &[true, false]), Needs { args: 0b10, result: false });
    assert_eq!(needs("fdiv", &[true, true]), Needs { args: 0b10, result: true });
    assert_eq!(needs("powi", &[true, false]), Needs { args: 0b11, result: false });
}

#[test]
fn formulas_read_like_the_source() {
    let printed = |name: &str, i: usize| named(name).partials[i].formula(named(name).params);
    assert_eq!(printed("tanh", 0), "(1 - r)*(1 + r)");
    assert_eq!(printed("fdiv", 1), "-(r/b)");
    assert_eq!(printed("fmod", 1), "(r - x)/y");
    assert_eq!(printed("cos", 0), "-sin(x)");
    assert_eq!(printed("acos", 0), "-1/sqrt((1 - x)*(1 + x))");
    assert_eq!(printed("log2", 0), "(log2 e)/x");
    assert_eq!(printed("sqrt", 0), "r == 0 ? 0 : 0.5/r");
    assert_eq!(printed("cbrt", 0), "r == 0 ? 0 : 1/(3*(r*r))");
    assert_eq!(printed("pow", 0), "y == 0 ? 0 : y*pow(x, y - 1)");
    assert_eq!(printed("acosh", 0), "1/(sqrt(x - 1)*sqrt(x + 1))");
    assert_eq!(printed("fmax", 0), "x > y ? 1 : x == y ? 0.5 : y != y ? 1 : 0");
}

#[test]
fn prices_follow_the_work() {
    let cost = |name: &str, i: usize| named(name).partials[i].cost();
    assert_eq!(cost("fadd", 0), 0);
    assert_eq!(cost("tanh", 0), 3);
    assert!(cost("fdiv", 0) < cost("sin", 0) && cost("sin", 0) < cost("pow", 0));
}

#[test]
fn the_documentation_has_every_row() {
    let text = markdown();
    assert_eq!(text.lines().count(), rows().len() + 2);
    for r in rows() {
        let start = format!("| `{}({})` |", r.name, r.params.join(", "));
        let line = text.lines().find(|l| l.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("{} is not documented", r.name));
        assert!(line.contains(r.edge) && line.matches(" | ").count() == 3, "{line}");
    }
}

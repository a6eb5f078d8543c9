//! Partials at points where a naive formula loses digits, overflows or
//! underflows, against values computed with 60 digits (mpmath).

use super::data::EXTREMES;
use super::gradient;

#[test]
fn partials_keep_their_digits_at_the_ends_of_the_range() {
    for (name, args, bound, expected) in EXTREMES {
        let found = gradient(name, args);
        for (i, (got, want)) in found.iter().zip(*expected).enumerate() {
            let units = (got - want).abs() / want.abs().max(f64::MIN_POSITIVE) / f64::EPSILON;
            assert!(
                units <= *bound || got == want,
                "{name}{args:?}, operand {i}: {got:e} instead of {want:e}, {units} units"
            );
        }
    }
}

/// The result alone is kept for tanh: the error is small against 1, the
/// largest partial, not against the partial itself.
#[test]
fn the_partial_of_tanh_is_exact_to_two_units_of_one() {
    for i in 0..400 {
        let x = f64::from(i) * 0.1 - 20.0;
        let exact = x.cosh().powi(-2);
        let found = gradient("tanh", &[x])[0];
        assert!((found - exact).abs() <= 2.0 * f64::EPSILON, "{x}: {found} {exact}");
    }
}

//! Every row against central differences of its function.
//!
//! Ridders' extrapolation: differences at shrinking steps, extrapolated to
//! step 0, the entry of the smallest estimated error taken. In double
//! precision that gives ten to twelve digits at points where the function is
//! smooth over a twentieth of its operand; the bound asked for is ten.

use super::super::rows;
use super::data::points;
use super::{gradient, primal};

/// The derivative of `f` at `x` and an estimate of its error.
fn ridders(f: impl Fn(f64) -> f64, x: f64) -> (f64, f64) {
    const LEVELS: usize = 9;
    let shrink = 1.6f64;
    let mut step = 0.05 * x.abs();
    let mut table = [[0.0f64; LEVELS]; LEVELS];
    let (mut best, mut error) = (f64::NAN, f64::INFINITY);
    for i in 0..LEVELS {
        let (up, down) = (x + step, x - step);
        table[i][0] = (f(up) - f(down)) / (up - down);
        let mut factor = shrink * shrink;
        for j in 1..=i {
            table[i][j] = (table[i][j - 1] * factor - table[i - 1][j - 1]) / (factor - 1.0);
            factor *= shrink * shrink;
            let near = (table[i][j] - table[i][j - 1]).abs();
            let guess = near.max((table[i][j] - table[i - 1][j - 1]).abs());
            if guess <= error {
                (best, error) = (table[i][j], guess);
            }
        }
        step /= shrink;
    }
    (best, error)
}

#[test]
fn every_partial_is_the_difference_quotient() {
    let mut worst = (0.0, String::new());
    for row in rows() {
        let points = points(row.name);
        assert!(!points.is_empty(), "row {} has no test points", row.name);
        for point in points {
            assert_eq!(point.len(), row.arity, "{}: operands of {point:?}", row.name);
            let partials = gradient(row.name, point);
            for i in (0..row.arity).filter(|i| row.float_args[*i]) {
                let along = |v: f64| {
                    let mut moved = point.to_vec();
                    moved[i] = v;
                    primal::value(row.name, &moved).unwrap_or(f64::NAN)
                };
                let (difference, _) = ridders(along, point[i]);
                let scale = difference.abs().max(1e-3 * (along(point[i]) / point[i]).abs());
                let off = (partials[i] - difference).abs() / scale.max(f64::MIN_POSITIVE);
                let what = format!(
                    "{}{point:?}, operand {i}: partial {}, difference {difference}, off {off:e}",
                    row.name, partials[i]
                );
                assert!(off < 1e-10, "{what}");
                if off > worst.0 {
                    worst = (off, what);
                }
            }
        }
    }
    println!("largest deviation: {}", worst.1);
}

#[test]
fn ridders_method_has_ten_digits() {
    let (d, error) = ridders(f64::exp, 1.0);
    assert!((d - 1f64.exp()).abs() < 1e-10, "{d}, estimate {error:e}");
}

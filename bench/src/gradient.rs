//! Gradients as executables write them: for each input its length, then its numbers, all as `f64`.

use std::fs;
use std::path::Path;

/// One vector for each input.
pub fn read(path: &Path) -> Result<Vec<Vec<f64>>, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let word = |word: &[u8]| word.try_into().map(f64::from_ne_bytes).unwrap_or(f64::NAN);
    let mut numbers = bytes.chunks_exact(8).map(word);
    let mut inputs = Vec::new();
    while let Some(length) = numbers.next() {
        inputs.push(numbers.by_ref().take(length as usize).collect());
    }
    Ok(inputs)
}

/// The largest distance of an input's gradient to the expected one, relative to the length of that; infinite where
/// something is not a number.
pub fn distance(got: &[Vec<f64>], expected: &[Vec<f64>]) -> f64 {
    if got.len() != expected.len() {
        return f64::INFINITY;
    }
    let each = got.iter().zip(expected).map(|(got, expected)| {
        let norm = expected.iter().map(|e| e * e).sum::<f64>().sqrt();
        let difference = got.iter().zip(expected).map(|(g, e)| (g - e) * (g - e)).sum::<f64>().sqrt();
        let relative = if difference == 0.0 { 0.0 } else { difference / norm };
        if got.len() == expected.len() && relative.is_finite() { relative } else { f64::INFINITY }
    });
    each.fold(0.0, f64::max)
}

#[test]
fn distances_are_relative_to_each_input() {
    let expected = [vec![3.0, 4.0], vec![1e-9]];
    assert_eq!(distance(&expected, &expected), 0.0);
    assert_eq!(distance(&[vec![3.0, 4.0], vec![2e-9]], &expected), 1.0);
    assert_eq!(distance(&[vec![3.0, f64::NAN], vec![1e-9]], &expected), f64::INFINITY);
    assert_eq!(distance(&[vec![3.0, 4.0]], &expected), f64::INFINITY);
    assert_eq!(distance(&[vec![0.0]], &[vec![0.0]]), 0.0);
}

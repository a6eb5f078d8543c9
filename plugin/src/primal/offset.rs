//! Where in an object a pointer leads: a lattice of residue classes of byte offsets.

use std::fmt;

/// The offsets `at + k * step` for every integer `k`; with `step` 0 the one offset `at`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    /// The least of them that is not negative, or the only one.
    pub at: i64,
    /// The distance between neighbours; 1 says nothing.
    pub step: u64,
}

impl Offset {
    /// The start of an object.
    pub const START: Offset = Offset { at: 0, step: 0 };
    /// Anywhere.
    pub const ANY: Offset = Offset { at: 0, step: 1 };

    /// The class of `at` modulo `step`.
    pub fn new(at: i64, step: u64) -> Self {
        match i64::try_from(step) {
            Ok(0) => Offset { at, step },
            Ok(signed) => Offset { at: at.rem_euclid(signed), step },
            Err(_) => Offset::ANY,
        }
    }

    /// Sums of one offset of each.
    pub fn plus(self, other: Offset) -> Offset {
        match self.at.checked_add(other.at) {
            Some(at) => Offset::new(at, gcd(self.step, other.step)),
            None => Offset::ANY,
        }
    }

    /// Differences of one offset of each.
    pub fn minus(self, other: Offset) -> Offset {
        match other.at.checked_neg() {
            Some(at) => self.plus(Offset { at, step: other.step }),
            None => Offset::ANY,
        }
    }

    /// The smallest class that holds both.
    pub fn join(self, other: Offset) -> Offset {
        Offset::new(self.at, gcd(gcd(self.step, other.step), self.at.abs_diff(other.at)))
    }

    /// Whether `size` bytes from here and `other_size` bytes from there may have one in common.
    pub fn overlaps(self, size: u64, other: Offset, other_size: u64) -> bool {
        let step = gcd(self.step, other.step);
        let distance = i128::from(other.at) - i128::from(self.at);
        if step == 0 {
            return distance < i128::from(size) && -distance < i128::from(other_size);
        }
        let ahead = distance.rem_euclid(i128::from(step));
        ahead < i128::from(size) || i128::from(step) - ahead < i128::from(other_size)
    }
}

/// The greatest common divisor; 0 is a multiple of everything.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Debug for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => write!(f, "{}", self.at),
            step => write!(f, "{} mod {step}", self.at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let (eight, row) = (Offset::new(8, 0), Offset::new(0, 24));
        assert_eq!(Offset::START.join(eight), Offset::new(0, 8));
        assert_eq!(row.plus(eight), Offset::new(8, 24));
        assert_eq!(Offset::new(-8, 24), Offset::new(16, 24));
        assert_eq!(row.plus(eight).minus(eight), row);
        assert_eq!(row.join(row.plus(eight)), Offset::new(0, 8));
    }

    #[test]
    fn overlap() {
        let (first, second) = (Offset::new(0, 16), Offset::new(8, 16));
        assert!(!first.overlaps(8, second, 8));
        assert!(first.overlaps(9, second, 8));
        assert!(second.overlaps(9, first, 8));
        assert!(first.overlaps(8, Offset::ANY, 1));
        assert!(!Offset::START.overlaps(8, Offset::new(8, 0), 8));
        assert!(Offset::START.overlaps(8, Offset::new(7, 0), 8));
    }
}

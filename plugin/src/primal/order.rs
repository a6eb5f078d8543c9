//! What may be executed after what, loops included.
//!
//! By one row of bits for each block, extended from successors until nothing changes. Cost: blocks x blocks bits.

use super::cfg::Dominators;
use super::{BlockId, Primal, ValueId};

/// What may be executed after what.
pub struct Order {
    /// Per value: its place in its block.
    place: Vec<u32>,
    /// Bits of a row for each block: those that may be executed after it.
    rows: Vec<u64>,
    words: usize,
}

impl Order {
    /// Of all instructions of a function.
    pub fn new(primal: &Primal) -> Self {
        let mut place = vec![0; primal.values.len()];
        for block in &primal.blocks {
            block.insts.iter().zip(0..).for_each(|(v, n)| place[v.index()] = n);
        }
        let words = primal.blocks.len().div_ceil(64);
        let mut order = Order { place, rows: vec![0; words * primal.blocks.len()], words };
        let dominators = Dominators::new(primal);
        // Once from the last block to the first, and again for each level of loops.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for b in dominators.order().iter().rev() {
                changed |= order.extend(primal, *b);
            }
        }
        order
    }

    /// Adds what the successors of a block reach to what it reaches; whether that was more.
    fn extend(&mut self, primal: &Primal, b: BlockId) -> bool {
        let (words, mut changed) = (self.words, false);
        for s in primal.successors(b) {
            for word in 0..words {
                let own = u64::from(s.index() / 64 == word) << (s.index() % 64);
                let more = self.rows[s.index() * words + word] | own;
                let row = &mut self.rows[b.index() * words + word];
                changed |= more & !*row != 0;
                *row |= more;
            }
        }
        changed
    }

    /// Whether the second instruction may be executed after the first was; each with its block.
    pub fn after(&self, (first, a): (ValueId, BlockId), (second, b): (ValueId, BlockId)) -> bool {
        let word = self.rows[a.index() * self.words + b.index() / 64];
        word >> (b.index() % 64) & 1 == 1 || a == b && self.place[second.index()] > self.place[first.index()]
    }
}

//! Which library functions give and take back memory?
//!
//! One row per function, with all facts about it. Memory that is given to active numbers gets a shadow from the same
//! function; memory that is given back is given back after the reverse sweep, which still reads it.

use crate::primal::{Allocation, Op};

/// What a function does with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Gives memory.
    Gives(Allocation),
    /// Takes memory back; the function with one parameter, the pointer, that does the same.
    Takes(&'static str),
}

/// One function.
#[derive(Debug)]
pub struct Row {
    /// Its symbol.
    pub name: &'static str,
    /// What it does.
    pub role: Role,
    /// Parameters whose product is the number of bytes asked for.
    pub size: &'static [usize],
}

/// The runtime's function behind arrays of variable length.
pub const LOCAL_ARRAY: &str = "__pardiff_local_array";

const fn gives(name: &'static str, zeroed: bool, size: &'static [usize]) -> Row {
    Row { name, role: Role::Gives(Allocation { zeroed, local: false }), size }
}

const fn takes(name: &'static str, plain: &'static str) -> Row {
    Row { name, role: Role::Takes(plain), size: &[] }
}

/// Every function.
pub static ROWS: &[Row] = &[
    gives("malloc", false, &[0]),
    gives("calloc", true, &[0, 1]),
    gives("aligned_alloc", false, &[1]),
    gives("memalign", false, &[1]),
    gives("valloc", false, &[0]),
    // operator new and new[], also those that return null instead of throwing
    gives("_Znwm", false, &[0]),
    gives("_Znam", false, &[0]),
    gives("_ZnwmRKSt9nothrow_t", false, &[0]),
    gives("_ZnamRKSt9nothrow_t", false, &[0]),
    Row { name: LOCAL_ARRAY, role: Role::Gives(Allocation { zeroed: false, local: true }), size: &[0] },
    takes("free", "free"),
    takes("cfree", "free"),
    // operator delete and delete[], also with a size
    takes("_ZdlPv", "_ZdlPv"),
    takes("_ZdlPvm", "_ZdlPv"),
    takes("_ZdaPv", "_ZdaPv"),
    takes("_ZdaPvm", "_ZdaPv"),
];

/// The row of a function, by its symbol name.
pub fn by_name(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

impl Row {
    /// How the primal mirrors a call of the function.
    pub fn op(&self) -> Op {
        match self.role {
            Role::Gives(allocation) => Op::Allocate(allocation),
            Role::Takes(_) => Op::Free,
        }
    }
}

//! Which functions give and take back memory?
//!
//! One row per function of the library, with all facts about it; those of the program are marked (`registered`). Memory that is given to active numbers gets a shadow from the same
//! function; memory that is given back is given back after the reverse sweep, which still reads it.

use crate::llvm::ir::Value;
use crate::primal::{Allocation, Op};
use crate::registered::{ALLOCATES, RELEASES};
use crate::requests::resolve::origin;

/// What a function does with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Gives memory.
    Gives(Allocation),
    /// Takes memory back; the function with one parameter, the pointer, that does the same.
    Takes(&'static str),
}

/// What is known of a function, of the library or of the program.
pub struct Known {
    /// How the primal mirrors a call of it.
    pub op: Op,
    /// Parameters whose product is the number of bytes asked for.
    pub size: Vec<usize>,
    /// The function with one parameter that takes memory back as this one does.
    pub takes: Option<String>,
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

/// The runtime's function that notes memory to be given back later: a list, the function that takes the memory back, the
/// memory. In a derivative of derived code this is where the memory is given back.
pub const DEFER: &str = "__pardiff_defer";

/// The runtime's function behind arrays of variable length.
pub const LOCAL_ARRAY: &str = "__pardiff_local_array";

/// The same in derived code, which says itself when it is given back.
pub const DEFERRED_ARRAY: &str = "__pardiff_deferred_array";

/// The runtime's functions behind tapes.
pub const TAPE: &str = "__pardiff_tape_allocate";
/// Takes back what `TAPE` gave.
pub const TAPE_RELEASE: &str = "__pardiff_tape_release";

const fn gives(name: &'static str, zeroed: bool, size: &'static [usize]) -> Row {
    Row { name, role: Role::Gives(Allocation { zeroed, local: false, own: false }), size }
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
    gives(DEFERRED_ARRAY, false, &[0]),
    Row { name: LOCAL_ARRAY, role: Role::Gives(Allocation { zeroed: false, local: true, own: false }), size: &[0] },
    // Of derived code.
    gives(TAPE, false, &[0]),
    takes(TAPE_RELEASE, TAPE_RELEASE),
    takes("free", "free"),
    takes("cfree", "free"),
    // operator delete and delete[], also with a size
    takes("_ZdlPv", "_ZdlPv"),
    takes("_ZdlPvm", "_ZdlPv"),
    takes("_ZdaPv", "_ZdaPv"),
    takes("_ZdaPvm", "_ZdaPv"),
];

/// What is known of a call, and its operands: that of its function, and of what it defers.
pub fn of_call(call: Value) -> Option<(Known, Vec<Value>)> {
    let function = call.callee().as_function()?;
    let mut arguments = call.call_arguments();
    if function.name() != DEFER {
        let known = of(function)?;
        if known.op == Op::Free {
            // Sizes and alignments say nothing that the address does not; a list would be the second operand.
            arguments.truncate(1);
        }
        return Some((known, arguments));
    }
    let takes = origin(*arguments.get(1)?).as_function()?.name();
    Some((Known { op: Op::Free, size: vec![], takes: Some(takes) }, vec![*arguments.get(2)?, arguments[0]]))
}

/// What is known of a function: what the program says, else its row.
pub fn of(function: Value) -> Option<Known> {
    let own = Allocation { zeroed: false, local: false, own: true };
    if let Some(size) = function.mark(ALLOCATES) {
        return Some(Known { op: Op::Allocate(own), size: size.parse().into_iter().collect(), takes: None });
    }
    let name = function.name();
    if function.mark(RELEASES).is_some() {
        return Some(Known { op: Op::Free, size: vec![], takes: Some(name) });
    }
    by_name(&name).map(Row::known)
}

/// The row of a function, by its symbol name.
pub fn by_name(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

impl Row {
    fn known(&self) -> Known {
        let (op, takes) = match self.role {
            Role::Gives(allocation) => (Op::Allocate(allocation), None),
            Role::Takes(plain) => (Op::Free, Some(plain.to_string())),
        };
        Known { op, size: self.size.to_vec(), takes }
    }
}

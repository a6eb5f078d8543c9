//! Analyses of the host compiler, asked through the shim: scalar evolution and aliasing.

use super::ir::{Block, Value};
use crate::primal::expr::{Cast, Nary};
use llvm_sys::prelude::*;
use std::ffi::{c_int, c_void};

/// The host's module analysis manager, for the length of one run of the pass.
#[derive(Clone, Copy)]
pub struct Analyses(pub(crate) *mut c_void);

/// A scalar-evolution expression over LLVM handles.
#[derive(Clone, Debug, PartialEq)]
pub enum Scev {
    /// A constant of this many bits, sign-extended.
    Constant(u32, i64),
    /// A value that scalar evolution does not look into.
    Unknown(Value),
    /// `start + step * iteration` of the loop with this header; bits of the step.
    Recurrence(u32, Block, Box<Scev>, Box<Scev>),
    /// An operation on several operands of one width.
    Nary(Nary, Vec<Scev>),
    /// Unsigned quotient by a divisor that is never zero.
    Quotient(Box<Scev>, Box<Scev>),
    /// A change of width.
    Cast(Cast, u32, Box<Scev>),
}

type Receive = extern "C" fn(*mut c_void, *const i64, usize);

unsafe extern "C" {
    fn pardiff_closed_form(a: *mut c_void, v: LLVMValueRef, f: LLVMValueRef, cb: Receive, context: *mut c_void);
    fn pardiff_iterations(a: *mut c_void, header: LLVMBasicBlockRef, at_most: c_int, cb: Receive, context: *mut c_void);
    fn pardiff_is_integer(access: LLVMValueRef) -> c_int;
    fn pardiff_is_piece(access: LLVMValueRef) -> c_int;
    fn pardiff_gep_offset(gep: LLVMValueRef, at: *mut i64, step: *mut u64);
    fn pardiff_gep_parts(gep: LLVMValueRef, cb: Receive, context: *mut c_void);
    fn pardiff_may_alias(
        a: *mut c_void,
        base_a: LLVMValueRef,
        access_a: LLVMValueRef,
        base_b: LLVMValueRef,
        access_b: LLVMValueRef,
    ) -> c_int;
}

extern "C" fn receive(context: *mut c_void, tokens: *const i64, count: usize) {
    // SAFETY: `context` is the vector that `tokens` passes; the shim's buffer lives during the call.
    unsafe { (*context.cast::<Vec<i64>>()).extend_from_slice(std::slice::from_raw_parts(tokens, count)) }
}

fn tokens(question: impl FnOnce(Receive, *mut c_void)) -> Vec<i64> {
    let mut tokens: Vec<i64> = Vec::new();
    question(receive, std::ptr::from_mut(&mut tokens).cast());
    tokens
}

fn ask(question: impl FnOnce(Receive, *mut c_void)) -> Option<Scev> {
    let tokens = tokens(question);
    if tokens.is_empty() { None } else { decode(&mut tokens.into_iter()) }
}

fn decode(tokens: &mut std::vec::IntoIter<i64>) -> Option<Scev> {
    let tag = tokens.next()?;
    let nary = |kind, tokens: &mut std::vec::IntoIter<i64>| {
        let count = tokens.next()?;
        let operands = (0..count).map(|_| decode(tokens)).collect::<Option<Vec<_>>>()?;
        Some(Scev::Nary(kind, operands))
    };
    let cast = |kind, tokens: &mut std::vec::IntoIter<i64>| {
        let bits = tokens.next()? as u32;
        Some(Scev::Cast(kind, bits, Box::new(decode(tokens)?)))
    };
    Some(match tag {
        0 => Scev::Constant(tokens.next()? as u32, tokens.next()?),
        1 => Scev::Unknown(Value::from_raw(tokens.next()? as usize as LLVMValueRef)?),
        2 => {
            let bits = tokens.next()? as u32;
            let header = Block::from_raw(tokens.next()? as usize as LLVMBasicBlockRef)?;
            let start = Box::new(decode(tokens)?);
            Scev::Recurrence(bits, header, start, Box::new(decode(tokens)?))
        }
        3 => nary(Nary::Sum, tokens)?,
        4 => nary(Nary::Product, tokens)?,
        5 => Scev::Quotient(Box::new(decode(tokens)?), Box::new(decode(tokens)?)),
        6 => nary(Nary::SignedMax, tokens)?,
        7 => nary(Nary::UnsignedMax, tokens)?,
        8 => nary(Nary::SignedMin, tokens)?,
        9 => nary(Nary::UnsignedMin, tokens)?,
        10 => cast(Cast::Zero, tokens)?,
        11 => cast(Cast::Sign, tokens)?,
        12 => cast(Cast::Truncate, tokens)?,
        13 => cast(Cast::Pointer, tokens)?,
        _ => return None,
    })
}

/// Whether `canonical::mark_integers` marked a load or store.
pub fn is_integer(access: Value) -> bool {
    // SAFETY: a live instruction.
    unsafe { pardiff_is_integer(access.raw()) != 0 }
}

/// Whether `canonical::mark_integers` found that nothing says what type a load or store has.
pub fn is_piece(access: Value) -> bool {
    // SAFETY: a live instruction.
    unsafe { pardiff_is_piece(access.raw()) != 0 }
}

/// The byte offsets that a getelementptr instruction adds: a constant, and what the rest is a multiple of (0: there is
/// no rest).
pub fn gep_offset(gep: Value) -> (i64, u64) {
    let (mut at, mut step) = (0, 1);
    // SAFETY: a live instruction; the results outlive the call.
    unsafe { pardiff_gep_offset(gep.raw(), &raw mut at, &raw mut step) }
    (at, step)
}

/// What a getelementptr instruction adds to its pointer, in bytes.
pub struct GepParts {
    /// Neither a factor times its index nor a sum of them wraps, and what it leads from and to is in one object or at its end.
    pub inbounds: bool,
    /// A constant.
    pub constant: i64,
    /// Indices, signed, and what each is multiplied by.
    pub indices: Vec<(Value, i64)>,
}

/// The parts of a getelementptr instruction, if they are of a known size.
pub fn gep_parts(gep: Value) -> Option<GepParts> {
    // SAFETY: a live instruction; the callback's context lives during the call.
    let tokens = tokens(|cb, context| unsafe { pardiff_gep_parts(gep.raw(), cb, context) });
    let (&inbounds, rest) = tokens.split_first()?;
    let (&constant, rest) = rest.split_first()?;
    let index = |pair: &[i64]| Some((Value::from_raw(pair[0] as usize as LLVMValueRef)?, pair[1]));
    let indices = rest.chunks_exact(2).map(index).collect::<Option<_>>()?;
    Some(GepParts { inbounds: inbounds != 0, constant, indices })
}

impl Analyses {
    /// The closed form of an integer or pointer value over the iteration numbers of its loops.
    pub fn closed_form(self, function: Value, value: Value) -> Option<Scev> {
        // SAFETY: live handles; the callback's context lives during the call.
        ask(|cb, context| unsafe { pardiff_closed_form(self.0, value.raw(), function.raw(), cb, context) })
    }
    /// What `transform::mark_parallel` said of the loop with a latch.
    pub fn parallel(self, latch: Block) -> Option<u32> {
        // SAFETY: a live block with a terminator.
        Some(unsafe { super::shim::pardiff_parallel(latch.raw()) }).filter(|schedule| *schedule > 0)
    }
    /// How many iterations a loop starts once it is entered, 64 bits.
    pub fn iterations(self, header: Block) -> Option<Scev> {
        // SAFETY: as above.
        ask(|cb, context| unsafe { pardiff_iterations(self.0, header.raw(), 0, cb, context) })
    }
    /// An upper bound of `iterations`.
    pub fn most_iterations(self, header: Block) -> Option<Scev> {
        // SAFETY: as above.
        ask(|cb, context| unsafe { pardiff_iterations(self.0, header.raw(), 1, cb, context) })
    }
    /// Whether two accesses may touch the same memory, at any offsets from their base pointers and
    /// in any two iterations.
    pub fn may_alias(self, a: (Value, Value), b: (Value, Value)) -> bool {
        // SAFETY: (base pointer, instruction) pairs of one function.
        unsafe { pardiff_may_alias(self.0, a.0.raw(), a.1.raw(), b.0.raw(), b.1.raw()) != 0 }
    }
}

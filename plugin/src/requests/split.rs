//! What the calls of a split derivative say beside its arguments: seed, tape, and the caller's memory for it.

use super::names::{self, Meaning};
use super::resolve::origin;
use super::returned;
use super::{calls_of, is_marker};
use crate::llvm::ir::{Kind, Module, Value};
use crate::problem::{Code, Problem};
use crate::request::{Mode, Request, Tape};

/// Bytes of a buffer that keeps a tape: its address.
const TAPE_BYTES: i64 = 8;

/// The caller's memory for the tape.
#[derive(Default, Clone, Copy)]
pub struct Buffer {
    /// Its size.
    pub size: Option<Value>,
    /// Its address.
    pub place: Option<Value>,
}

/// Seeds and tape of one call; `rest` is what follows the arguments and shadows of a reverse call.
pub fn operands(
    call: Value,
    function: Value,
    mode: Mode,
    active_return: bool,
    rest: &[Value],
    buffer: Buffer,
) -> Result<(Vec<Value>, Tape), Problem> {
    let bad = |text: String| Problem::at(Code::BadRequest, call, text);
    let kept = kept(call, mode, buffer)?;
    if mode != Mode::SplitReverse {
        return Ok((vec![], kept.map_or(Tape::Returned, Tape::Kept)));
    }
    let tapes = usize::from(kept.is_none());
    let seeds = rest.len().saturating_sub(tapes);
    let whole = returned::composite(function).is_some() && active_return;
    if rest.len() < tapes || (if whole { seeds == 0 } else { seeds != usize::from(active_return) }) {
        let what = match (active_return, kept) {
            (true, None) => "the seed of its result, then the tape",
            (true, Some(_)) => "the seed of its result",
            (false, None) => "the tape",
            (false, Some(_)) => "nothing",
        };
        let text = format!("after the arguments of '{}' and their shadows this call takes {what}", function.name());
        return Err(bad(text));
    }
    let tape = kept.map_or_else(|| Tape::Given(rest[seeds]), Tape::Kept);
    if matches!(tape, Tape::Given(tape) if tape.ty().kind() != Kind::Pointer) {
        return Err(bad("the last operand of this call is the tape, a pointer".into()));
    }
    Ok((rest[..seeds].to_vec(), tape))
}

/// The buffer that keeps the tape, if the call names one.
fn kept(call: Value, mode: Mode, buffer: Buffer) -> Result<Option<Value>, Problem> {
    let bad = |text: String| Err(Problem::at(Code::BadRequest, call, text));
    let (size, place) = match (buffer.size, buffer.place) {
        (None, None) => return Ok(None),
        (Some(size), Some(place)) => (size, place),
        _ => return bad("pardiff_allocated, size and pardiff_tape, buffer belong together".into()),
    };
    if !matches!(mode, Mode::AugmentedForward | Mode::SplitReverse) {
        return bad("pardiff_tape belongs to __pardiff_augmentfwd and __pardiff_reverse".into());
    }
    match origin(size).as_int() {
        None => bad("the size after pardiff_allocated is not known at compile time".into()),
        Some(bytes) if bytes < TAPE_BYTES => bad(format!("the tape needs {TAPE_BYTES} bytes, the buffer has {bytes}")),
        Some(_) if place.ty().kind() != Kind::Pointer => bad("pardiff_tape needs a pointer".into()),
        Some(_) => Ok(Some(place)),
    }
}

/// Takes out reverse sweeps that do not belong to any forward sweep of their function: a tape fits one variant only.
pub fn agree(requests: &mut Vec<Request>) -> Vec<Problem> {
    let forward: Vec<_> =
        requests.iter().filter(|r| r.variant.mode == Mode::AugmentedForward).map(|r| r.variant.clone()).collect();
    let disagrees = |request: &Request| {
        let mut wanted = request.variant.clone();
        wanted.mode = Mode::AugmentedForward;
        let mut same = forward.iter().filter(|v| v.function == wanted.function).peekable();
        request.variant.mode == Mode::SplitReverse && same.peek().is_some() && !same.any(|v| *v == wanted)
    };
    let problem = |request: Request| {
        let text = format!(
            "no forward sweep of '{}' leaves a tape for this reverse sweep: both calls must give its arguments and its result \
             the same markers",
            request.variant.function
        );
        Problem::at(Code::BadRequest, request.call, text)
    };
    let (apart, rest): (Vec<Request>, Vec<Request>) = std::mem::take(requests).into_iter().partition(disagrees);
    *requests = rest;
    apart.into_iter().map(problem).collect()
}

/// Answers the calls that ask for the size of a tape's buffer.
pub fn answer_sizes(module: Module) {
    for marker in module.functions() {
        if !matches!(names::call(&marker.name()), Some((_, Meaning::TapeSize))) || !is_marker(marker) {
            continue;
        }
        for call in calls_of(marker) {
            if matches!(call.ty().kind(), Kind::Int(_)) {
                call.replace_uses(call.ty().int(TAPE_BYTES));
                crate::finish::remove_call(module, call);
            }
        }
    }
}

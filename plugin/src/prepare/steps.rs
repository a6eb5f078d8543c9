//! Which loops keep snapshots of their state instead of a tape of their iterations?
//!
//! Those with a call of `__pardiff_checkpoint(n)` in their body. What an iteration does becomes a function of its own, whose calls stay calls, and the
//! mark moves before the loop; a note on it says that, or what stands in the way. Nothing else in the prepared function shows the
//! request: in forward mode and split mode the call is one like others.

use super::inline;
use crate::allocation;
use crate::finish;
use crate::llvm::analyses::Analyses;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Block, Module, Value};
use crate::llvm::{canonical, transform};
use indexmap::IndexSet;
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke, LLVMRet};

/// Start of the name of the mark.
pub const MARK: &str = "__pardiff_checkpoint";

/// Start of the names of functions that are what an iteration does.
pub const STEP: &str = "pardiff.step.";

/// Note on a mark: why the loop cannot be served, empty where it can.
pub const OBSTACLE: &str = "pardiff-checkpoint";

/// The form that marks and loops are looked at in.
const SIMPLE: &str = "loop-simplify,lcssa";

/// Whether a call is a mark.
pub fn is_mark(call: Value) -> bool {
    let is_call = matches!(call.opcode(), LLVMCall | LLVMInvoke);
    is_call && call.callee().as_function().is_some_and(|f| f.is_declaration() && f.name().starts_with(MARK))
}

fn marks(clone: Value) -> Vec<Value> {
    clone.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| is_mark(*i)).collect()
}

/// The pipeline that has to be run before `outline`; none where nothing is marked.
pub fn pipeline(clone: Value) -> Option<&'static str> {
    (!marks(clone).is_empty()).then_some(SIMPLE)
}

/// Notes which marks are in no loop, before loops are simplified: one that has a single iteration vanishes.
pub fn look_for_loops(clone: Value) {
    for mark in marks(clone).into_iter().filter(|mark| !comes_again(mark.block())) {
        mark.set_note(OBSTACLE, "it is in no loop");
    }
}

/// Whether there is a way from a block back to it.
fn comes_again(block: Block) -> bool {
    let after = |b: Block| b.terminator().map_or(vec![], Value::successors);
    let (mut work, mut seen) = (after(block), IndexSet::new());
    while let Some(b) = work.pop() {
        if seen.insert(b) {
            work.extend(after(b));
        }
    }
    seen.contains(&block)
}

/// Makes functions of the bodies of marked loops.
pub fn outline(analyses: Analyses, clone: Value, of: &str) {
    for mark in marks(clone).into_iter().filter(|mark| mark.note(OBSTACLE).is_none()) {
        let made = match mark.call_arguments()[..] {
            [_] => transform::outline_step(analyses, mark, &format!("{STEP}{of}")),
            _ => Err("it takes the number of snapshots".to_string()),
        };
        mark.set_note(OBSTACLE, made.as_ref().err().map_or("", |why| why));
        if let Ok(call) = made {
            let step = call.callee();
            canonical::restore_hidden(step);
            transform::invalidate(analyses, step);
            inline::keep(call);
        }
    }
}

/// Lets a step that is run give back its arrays of variable length; true where it has some. Derivatives are made before.
pub fn give_back(module: Module, step: Value) -> bool {
    let instructions = || step.blocks().into_iter().flat_map(|b| b.instructions());
    let is_array = |i: &Value| i.opcode() == LLVMCall && i.callee().name() == allocation::LOCAL_ARRAY;
    let arrays: Vec<Value> = instructions().filter(is_array).collect();
    let Some(first) = instructions().next().filter(|_| !arrays.is_empty()) else { return false };
    let builder = Builder::new(module);
    builder.before(first);
    builder.locate_like(first);
    let (pointer, void) = (module.pointer(), module.void());
    let ty = module.int(64).array(3);
    let list = builder.alloca(ty, "arrays");
    builder.store(ty.zero(), list);
    let free = module.declare("free", void.function(&[pointer]));
    let defer = module.declare(allocation::DEFER, void.function(&[pointer, pointer, pointer]));
    let release = module.declare("__pardiff_release_deferred", void.function(&[pointer]));
    for array in arrays {
        builder.before(array.next_instruction().expect("a call ends no block"));
        builder.locate_like(array);
        builder.call(defer, &[list, free, array]);
    }
    let ends = step.blocks().into_iter().filter_map(|b| b.terminator()).filter(|i| i.opcode() == LLVMRet);
    for end in ends {
        builder.before(end);
        builder.locate_like(first);
        builder.call(release, &[list]);
    }
    true
}

/// Takes the marks out of a module; true where there was one.
pub fn settle(module: Module) -> bool {
    let marks: Vec<Value> = module.functions().into_iter().filter(|f| f.name().starts_with(MARK)).collect();
    for function in &marks {
        for call in function.users().into_iter().filter(|u| u.as_instruction().is_some_and(is_mark)) {
            finish::remove_call(module, call);
        }
        if function.users().is_empty() {
            function.delete_function();
        }
    }
    !marks.is_empty()
}

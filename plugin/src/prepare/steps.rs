//! Which loops keep snapshots of their state instead of a tape of their iterations?
//!
//! Those with a call of `__pardiff_checkpoint(n)` in their body. What an iteration does becomes a function of its own, whose calls stay calls, and the
//! mark moves before the loop; a note on it says that, or what stands in the way. Nothing else in the prepared function shows the
//! request: in forward mode and split mode the call is one like others.

use super::inline;
use crate::finish;
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::{canonical, transform};
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};

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

/// Makes functions of the bodies of marked loops.
pub fn outline(analyses: Analyses, clone: Value, of: &str) {
    for mark in marks(clone) {
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

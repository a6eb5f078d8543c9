//! Problems: what makes a derivative impossible, or doubtful, said to the user with a code and a place.
//!
//! Phases return problems as data; `finish` reports all of them at once through the host's
//! diagnostics. A code is never reused; `docs/ERRORS.md` explains each.

use crate::llvm::ir::Value;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal,)+) => {
        /// Codes of messages, printed as `PD0001`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Code { $($(#[doc = $doc])+ $name = $number,)+ }
        impl Code {
            /// Every code with its one-line explanation, for the documentation.
            pub fn all() -> &'static [(Code, &'static str)] {
                &[$((Code::$name, concat!($($doc),+)),)+]
            }
        }
    };
}

codes! {
    /// The marker call itself is malformed: operands, markers or types do not fit the function.
    BadRequest = 1,
    /// The mode or marker is known but not supported yet.
    UnsupportedRequest = 2,
    /// The function to differentiate is not known at compile time or has no body here.
    NoDefinition = 3,
    /// A function that is called has neither a body here nor a rule.
    UnknownCall = 4,
    /// An indirect call: the callee is not known at compile time.
    IndirectCall = 6,
    /// Control flow that has no reverse yet.
    ControlFlow = 7,
    /// An instruction without a derivative rule acts on active values.
    UnknownInstruction = 9,
    /// Memory holds active values of a type that is not known or not supported.
    UnknownType = 10,
    /// A pointer to active memory is itself loaded from, or stored to, memory, or chosen in a way that has no shadow.
    ActivePointer = 11,
    /// Active values are stored to a global variable.
    ActiveGlobal = 12,
    /// Memory allocated by the differentiated function.
    Allocation = 13,
    /// A block copy or fill of active memory that cannot be typed.
    BlockMemory = 14,
    /// Active data flows through an argument that was declared constant.
    ConstArgument = 15,
    /// An option is unknown or has a bad value.
    BadOption = 16,
    /// A fault inside the plugin.
    Internal = 17,
    /// Exceptions and other code whose effects are not understood.
    Opaque = 18,
    /// A loop that is to be checkpointed cannot be.
    Checkpoint = 19,
    /// A parallel region whose threads do together what one thread would not do.
    ParallelRegion = 20,
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PD{:04}", *self as u16)
    }
}

/// Where a problem is: an instruction (its line if it has one) and the function to name otherwise.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Which kind of problem.
    pub code: Code,
    /// One sentence in the user's terms: what, and what to do about it.
    pub text: String,
    /// The instruction concerned, in the user's code or a clone of it.
    pub at: Option<Value>,
}

impl Problem {
    /// A problem at an instruction.
    pub fn at(code: Code, at: Value, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), at: Some(at) }
    }
    /// A problem without an instruction.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), at: None }
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_has_a_section_in_the_documentation() {
        let page = include_str!("../../docs/ERRORS.md");
        for (code, _) in Code::all() {
            assert!(page.contains(&format!("## {code}\n")), "docs/ERRORS.md lacks {code}");
        }
        assert_eq!(page.matches("\n## PD").count(), Code::all().len());
    }
}

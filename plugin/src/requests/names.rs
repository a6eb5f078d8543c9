//! Which symbols ask for a derivative, and which say what an argument is: one table each.

use crate::options::suggestion;
use crate::request::{Activity, Mode};
use Meaning::{Later, Marker, TapeSize};
use Word as W;

/// What a marker call asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A derivative in this mode.
    Marker(Mode),
    /// The size of the buffer that keeps a tape.
    TapeSize,
    /// Something that is known and not built yet.
    Later,
}

/// Stems of marker functions; a longer stem that contains a shorter one comes first.
static CALLS: &[(&str, Meaning)] = &[
    ("autodiff", Marker(Mode::Reverse)),
    ("fwddiff", Marker(Mode::Forward)),
    ("augmentfwd", Marker(Mode::AugmentedForward)),
    ("augmentsize", TapeSize),
    ("reverse", Marker(Mode::SplitReverse)),
    ("batch", Later),
    ("virtualreverse", Later),
    ("error_estimate", Later),
    ("todense", Later),
    ("post_sparse_todense", Later),
    ("truncate_mem_func", Later),
    ("truncate_op_func", Later),
    ("truncate_mem_value", Later),
    ("expand_mem_value", Later),
];

/// What a marker argument says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Activity of the argument that follows.
    Is(Activity),
    /// The primal's result is returned too.
    PrimalReturn,
    /// Advice that is read off the program itself.
    Advice,
    /// The result is not returned; whether it has a derivative is another matter.
    NoReturn,
    /// The result has no derivative.
    ConstReturn,
    /// The result has a derivative.
    ActiveReturn,
    /// All shadows follow, in the order of their arguments.
    Interleave,
    /// A shadow that is null or the primal's own pointer says that the argument is constant.
    RuntimeActivity,
    /// The shadow of a returned pointer is returned too.
    DupReturn,
    /// How many bytes the caller has for the tape follows.
    Allocated,
    /// The caller's memory for the tape follows.
    Tape,
    /// Known and not built yet.
    Later,
}

static WORDS: &[(&str, Word)] = &[
    ("dup", W::Is(Activity::Dup)),
    ("dupnoneed", W::Is(Activity::DupNoNeed)),
    ("const", W::Is(Activity::Const)),
    ("out", W::Is(Activity::Out)),
    ("primal_return", W::PrimalReturn),
    ("noret", W::NoReturn),
    ("const_return", W::ConstReturn),
    ("active_return", W::ActiveReturn),
    ("interleave", W::Interleave),
    ("dup_return", W::DupReturn),
    ("dupv", W::Later),
    ("dupnoneedv", W::Later),
    ("width", W::Later),
    ("vector", W::Later),
    ("scalar", W::Later),
    ("buffer", W::Later),
    ("allocated", W::Allocated),
    ("tape", W::Tape),
    ("nofree", W::Later),
    ("runtime_activity", W::RuntimeActivity),
    ("strong_zero", W::Later),
    ("not_overwritten", W::Advice),
];

const FAMILIES: [&str; 2] = ["pardiff", "enzyme"];

/// What a function of this symbol name asks for, `None` for an ordinary function.
pub fn call(symbol: &str) -> Option<(String, Meaning)> {
    FAMILIES.iter().find_map(|family| {
        let (_, rest) = symbol.split_once(&format!("__{family}_"))?;
        let (stem, meaning) = CALLS.iter().find(|(stem, _)| rest.starts_with(stem))?;
        Some((format!("__{family}_{stem}"), *meaning))
    })
}

/// What a variable of this symbol name says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// A known marker, by its full name.
    Known(String, Word),
    /// Looks like a marker and is none; with a suggestion to add to the message.
    Unknown(String),
}

/// What a variable says by its name (`enzyme_dup`, also mangled as part of a namespace).
pub fn word(symbol: &str) -> Option<Said> {
    let (start, family) = FAMILIES.iter().filter_map(|f| Some((symbol.rfind(&format!("{f}_"))?, *f))).max()?;
    let stem: String = symbol[start + family.len() + 1..]
        .chars()
        .take_while(|c| c.is_ascii_lowercase() || *c == '_' || c.is_ascii_digit())
        .collect();
    match WORDS.iter().find(|(name, _)| *name == stem) {
        Some((_, word)) => Some(Said::Known(format!("{family}_{stem}"), *word)),
        None if start == 0 => Some(Said::Unknown(suggestion(&stem, WORDS.iter().map(|(name, _)| *name)))),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_inside_symbols() {
        let reverse = |s: &str| call(s).map(|(_, m)| m) == Some(Marker(Mode::Reverse));
        assert!(reverse("__enzyme_autodiff"));
        assert!(reverse("__pardiff_autodiff_pair__is_still_here__compile_with_fpass_plugin_libpardiff_so"));
        assert!(reverse("_Z17__enzyme_autodiffIdJPFddEdEET_DpT0_"));
        assert_eq!(call("__enzyme_fwddiff2").map(|(_, m)| m), Some(Marker(Mode::Forward)));
        assert_eq!(call("__enzyme_batch"), Some(("__enzyme_batch".into(), Later)));
        assert_eq!(call("__enzyme_reverse_f").map(|(_, m)| m), Some(Marker(Mode::SplitReverse)));
        assert_eq!(call("autodiff"), None);
        assert_eq!(call("__enzyme_unknown"), None);
    }

    #[test]
    fn words_are_found_inside_mangled_names() {
        let known = |s: &str| match word(s) {
            Some(Said::Known(_, word)) => Some(word),
            _ => None,
        };
        assert_eq!(known("enzyme_dup"), Some(W::Is(Activity::Dup)));
        assert_eq!(known("_ZN6enzyme10enzyme_outE"), Some(W::Is(Activity::Out)));
        assert_eq!(known("pardiff_primal_return"), Some(W::PrimalReturn));
        assert_eq!(word("pardiff_dupp"), Some(Said::Unknown("; did you mean 'dup'?".into())));
        assert_eq!(word("my_pardiff_state"), None);
        assert_eq!(word("counter"), None);
    }
}

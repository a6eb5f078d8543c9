//! Options: one table, three ways in.
//!
//! Pass parameters (`pardiff<print=store;fixed-order>`), the command line (`-mllvm
//! -pardiff-print=store`) and the environment (`PARDIFF_OPTIONS="print=store fixed-order"`) mean
//! the same. Later ones win in the order environment, command line, pass parameters.

use crate::problem::{Code, Problem};
use crate::store::Replay;
use std::ffi::CStr;

/// The environment variable.
pub const VARIABLE: &str = "PARDIFF_OPTIONS";

/// One option.
pub struct OptionRow {
    /// Name in pass parameters and the environment variable.
    pub name: &'static str,
    /// Name on the command line.
    pub flag: &'static CStr,
    /// One line of help.
    pub help: &'static CStr,
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Every option.
pub static TABLE: &[OptionRow] = &[
    OptionRow {
        name: "print",
        flag: c"pardiff-print",
        help:
            c"Print what phases find: requests, prepare, facts, build, schedule, store, emit or all, joined by + or ,",
        set: |options, text| options.set_print(text),
    },
    OptionRow {
        name: "fixed-order",
        flag: c"pardiff-fixed-order",
        help: c"Add up derivatives in one fixed order, so that results do not depend on optimisation or threads",
        set: |options, text| boolean(text).map(|b| options.fixed_order = b),
    },
    OptionRow {
        name: "pack",
        flag: c"pardiff-pack",
        help: c"Keep conditions as bits instead of bytes: an eighth of the memory, and somewhat slower",
        set: |options, text| boolean(text).map(|b| options.pack = b),
    },
    OptionRow {
        name: "replay",
        flag: c"pardiff-replay",
        help:
            c"Run iterations of loops again in the reverse sweep instead of keeping their values: auto, never, always",
        set: |options, text| {
            options.replay = match text {
                "auto" => Replay::Auto,
                "never" => Replay::Never,
                "always" => Replay::Always,
                other => return Err(format!("'{other}' is none of auto, never, always")),
            };
            Ok(())
        },
    },
    OptionRow {
        name: "verify-each",
        flag: c"pardiff-verify-each",
        help: c"Run LLVM's verifier after each phase that changes IR",
        set: |options, text| boolean(text).map(|b| options.verify_each = b),
    },
];

/// A phase whose result can be printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Phase {
    /// Marker calls, understood.
    Requests,
    /// The canonical clone of the primal.
    Prepare,
    /// Loops, types, activity, accesses.
    Facts,
    /// The reverse program as built.
    Build,
    /// The reverse program, scheduled.
    Schedule,
    /// The reverse program with its slots.
    Store,
    /// The generated function.
    Emit,
}

const PHASES: &[(&str, Phase)] = &[
    ("requests", Phase::Requests),
    ("prepare", Phase::Prepare),
    ("facts", Phase::Facts),
    ("build", Phase::Build),
    ("schedule", Phase::Schedule),
    ("store", Phase::Store),
    ("emit", Phase::Emit),
];

impl Phase {
    /// The phase's name, as in the option.
    pub fn name(self) -> &'static str {
        PHASES[self as usize].0
    }
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    printed: u32,
    /// Derivatives add up in one fixed order.
    pub fixed_order: bool,
    /// Conditions on tapes take a bit each.
    pub pack: bool,
    /// When iterations are replayed.
    pub replay: Replay,
    /// LLVM's verifier runs after each phase that changes IR.
    pub verify_each: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { printed: 0, fixed_order: false, pack: false, replay: Replay::Auto, verify_each: cfg!(debug_assertions) }
    }
}

/// What the user gave, by the three ways in.
pub struct Given {
    /// Text between `<` and `>`.
    pub parameters: String,
    /// Options of the command line, by the name in the table.
    pub command_line: Vec<(&'static str, String)>,
    /// The environment variable, if set.
    pub environment: Option<String>,
}

impl Options {
    /// Whether a phase's result is to be printed.
    pub fn prints(&self, phase: Phase) -> bool {
        self.printed & (1 << phase as u32) != 0
    }

    /// Prints a phase's result, if asked for, under a stable heading.
    pub fn print(&self, phase: Phase, function: &str, text: impl FnOnce() -> String) {
        if self.prints(phase) {
            let text = text();
            eprintln!("pardiff: {} of {function}\n{}", phase.name(), text.trim_end());
        }
    }

    fn set_print(&mut self, text: &str) -> Result<(), String> {
        for word in text.split(['+', ',']).map(str::trim).filter(|w| !w.is_empty()) {
            if word == "all" {
                self.printed = u32::MAX;
            } else if let Some((_, phase)) = PHASES.iter().find(|(name, _)| *name == word) {
                self.printed |= 1 << *phase as u32;
            } else {
                let names = PHASES.iter().map(|(name, _)| *name).chain(["all"]);
                return Err(format!("there is no phase '{word}'{}", suggestion(word, names)));
            }
        }
        Ok(())
    }

    /// The options that the user gave, and what is wrong with them.
    pub fn read(given: &Given) -> (Options, Vec<Problem>) {
        let mut options = Options::default();
        let mut problems = Vec::new();
        let environment = given.environment.as_deref().unwrap_or_default();
        let mut items: Vec<(String, String, &str)> = Vec::new();
        for word in environment.split_whitespace() {
            items.push(split(word, "environment variable PARDIFF_OPTIONS"));
        }
        for (name, text) in &given.command_line {
            items.push(((*name).into(), text.clone(), "command line"));
        }
        for word in given.parameters.split(';').filter(|w| !w.is_empty()) {
            items.push(split(word, "pass parameters"));
        }
        for (name, text, source) in items {
            let set = match TABLE.iter().find(|row| row.name == name) {
                Some(row) => (row.set)(&mut options, &text).map_err(|wrong| format!("option '{name}': {wrong}")),
                None => Err(format!("there is no option '{name}'{}", suggestion(&name, TABLE.iter().map(|r| r.name)))),
            };
            if let Err(wrong) = set {
                problems.push(Problem::new(Code::BadOption, format!("{wrong} (in the {source})")));
            }
        }
        (options, problems)
    }
}

fn split<'a>(word: &str, source: &'a str) -> (String, String, &'a str) {
    let (name, text) = word.split_once('=').unwrap_or((word, ""));
    (name.trim().into(), text.trim().into(), source)
}

fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "" | "1" | "true" | "on" | "yes" => Ok(true),
        "0" | "false" | "off" | "no" => Ok(false),
        other => Err(format!("'{other}' is neither true nor false")),
    }
}

/// `; did you mean 'x'?` for the nearest of `names`, if one is near.
pub fn suggestion<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| (distance(word, name), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().max(word.len()).div_ceil(3))
        .map_or(String::new(), |(_, name)| format!("; did you mean '{name}'?"))
}

/// Edit distance: insertions, deletions, replacements.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parameters: &str, environment: &str) -> (Options, Vec<String>) {
        let given =
            Given { parameters: parameters.into(), command_line: vec![], environment: Some(environment.into()) };
        let (options, problems) = Options::read(&given);
        (options, problems.into_iter().map(|p| p.text).collect())
    }

    #[test]
    fn later_ways_win() {
        let (options, problems) = read("fixed-order=off;print=store+emit", "fixed-order print=facts");
        assert!(problems.is_empty());
        assert!(!options.fixed_order);
        assert!(options.prints(Phase::Store) && options.prints(Phase::Facts) && !options.prints(Phase::Build));
    }

    #[test]
    fn unknown_names_are_refused_with_the_nearest() {
        let (_, problems) = read("fixd-order", "print=stor");
        assert_eq!(
            problems,
            [
                "option 'print': there is no phase 'stor'; did you mean 'store'? (in the environment variable PARDIFF_OPTIONS)",
                "there is no option 'fixd-order'; did you mean 'fixed-order'? (in the pass parameters)",
            ]
        );
    }

    #[test]
    fn phases_are_listed_in_their_order() {
        assert!(PHASES.iter().enumerate().all(|(i, (_, phase))| *phase as usize == i));
    }
}

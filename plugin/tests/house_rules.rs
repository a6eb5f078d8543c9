//! What the compiler and clippy do not check: sizes of files and functions, and which module may use what.

mod common;

use common::files_below;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES_OF_A_FILE: usize = 1000;
const MOST_LINES_OF_A_FUNCTION: usize = 80;

/// Where the workspace's crates are.
const CRATES: [&str; 4] = ["plugin", "runtime", "test/random", "bench"];

/// Where unsafe code may be: around LLVM and isl, and where a test of the rules calls the C library's own functions.
const UNSAFE: [&str; 3] = ["plugin/src/llvm/", "plugin/polly-sys/src/", "plugin/src/rules/tests/primal.rs"];

/// Phases that know no LLVM: pure Rust over dense ids, tested from text.
const PURE: [&str; 6] = ["primal", "revprog", "build", "schedule", "store", "rules"];

#[test]
fn files_are_short() {
    let too_long = |source: &Source| {
        let lines = source.text.lines().count();
        (lines > MOST_LINES_OF_A_FILE).then(|| format!("{}: {lines} lines", source.name))
    };
    none(sources(&CRATES, &["rs", "c", "cpp", "h"]).iter().filter_map(too_long));
}

#[test]
fn functions_fit_on_a_screen() {
    let too_long = |source: &Source| {
        let lengths = if source.is_rust() { rust_functions(&source.code) } else { c_functions(&source.code) };
        let long = lengths.into_iter().filter(|function| function.lines > MOST_LINES_OF_A_FUNCTION);
        long.map(|f| format!("{}:{}: {} lines", source.name, f.first_line, f.lines)).collect::<Vec<_>>()
    };
    none(sources(&CRATES, &["rs", "c", "cpp", "h"]).iter().flat_map(too_long));
}

#[test]
fn unsafe_code_lives_around_llvm() {
    let elsewhere = |source: &&Source| !UNSAFE.iter().any(|place| source.name.starts_with(place));
    let sources = sources(&CRATES, &["rs"]);
    none(sources.iter().filter(elsewhere).flat_map(|source| uses(source, "unsafe")));
}

#[test]
fn unsafe_blocks_say_why_they_are_sound() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    assert!(manifest.contains("undocumented_unsafe_blocks = \"deny\""), "clippy checks each block");
    let bare = |source: &Source| {
        let original: Vec<&str> = source.text.lines().collect();
        let mut missing = Vec::new();
        for (index, line) in source.code.lines().enumerate() {
            let opens_block =
                words(line).any(|(at, word)| word == "unsafe" && line[at + 6..].trim_start().starts_with('{'));
            if opens_block && !explained(&original, index) {
                missing.push(format!("{}:{}: no SAFETY: comment", source.name, index + 1));
            }
        }
        missing
    };
    none(sources(&CRATES, &["rs"]).iter().flat_map(bare));
}

/// Whether a `SAFETY:` comment stands on this line or above its statement.
fn explained(lines: &[&str], index: usize) -> bool {
    let mut above = lines[..=index].iter().rev();
    if above.next().is_some_and(|line| line.contains("SAFETY:")) {
        return true;
    }
    // A statement may begin some lines before its block; the comment stands right above it.
    above
        .take_while(|line| !line.trim().is_empty())
        .take(12)
        .any(|line| line.trim_start().starts_with("//") && line.contains("SAFETY:"))
}

#[test]
fn pure_phases_do_not_know_llvm() {
    let pure = |source: &&Source| {
        let module = source.name.strip_prefix("plugin/src/").unwrap_or("");
        PURE.iter().any(|phase| module.strip_prefix(phase).is_some_and(|rest| rest.starts_with(['/', '.'])))
    };
    let knows = |source: &Source| {
        let lines = source.code.lines().enumerate();
        let found = lines.filter(|(_, line)| line.contains("crate::llvm") || line.contains("llvm_sys"));
        found.map(|(index, _)| format!("{}:{}: uses LLVM", source.name, index + 1)).collect::<Vec<_>>()
    };
    none(sources(&["plugin/src"], &["rs"]).iter().filter(pure).flat_map(knows));
}

/// Output must not depend on hash seeds: `IndexMap`, `BTreeMap` or dense tables instead.
#[test]
fn no_unordered_collections() {
    let sources = sources(&["plugin/src", "runtime/src"], &["rs"]);
    none(sources.iter().flat_map(|source| ["HashMap", "HashSet"].map(|name| uses(source, name))).flatten());
}

/// Facts are queries: nothing below `facts/` can build, change or erase IR, and nothing but the shim's analyses is asked.
#[test]
fn analyses_do_not_change_ir() {
    let changes = ["llvm::builder", "llvm::transform", "llvm::canonical", "add_function", "replace_uses", "erase"];
    none(sources(&["plugin/src/facts"], &["rs"]).iter().flat_map(|source| contains(source, &changes)));
}

/// What is emitted was decided before: emission asks no analysis and no earlier phase.
#[test]
fn emission_makes_no_decisions() {
    let phases = ["llvm::analyses", "crate::build", "crate::schedule", "crate::store"];
    none(sources(&["plugin/src/emit"], &["rs"]).iter().flat_map(|source| contains(source, &phases)));
}

#[test]
fn raw_pointers_stay_around_llvm() {
    let elsewhere = |source: &&Source| !UNSAFE.iter().any(|place| source.name.starts_with(place));
    let raw = ["llvm_sys::core", "llvm_sys::prelude", "*mut ", "*const ", ".raw()"];
    let sources = sources(&["plugin/src"], &["rs"]);
    none(sources.iter().filter(elsewhere).flat_map(|source| contains(source, &raw)));
}

/// Output must not depend on time, addresses or chance.
#[test]
fn output_is_reproducible() {
    let sources = sources(&["plugin/src"], &["rs"]);
    let words = ["SystemTime", "Instant", "RandomState", "DefaultHasher", "ThreadId"];
    none(sources.iter().flat_map(|source| words.map(|name| uses(source, name))).flatten());
    let address = |source: &Source| {
        let lines = source.text.lines().enumerate().filter(|(_, line)| line.contains(":p}"));
        lines.map(|(index, _)| format!("{}:{}: prints an address", source.name, index + 1)).collect::<Vec<_>>()
    };
    none(sources.iter().flat_map(address));
}

/// A library function has one row, in one table.
#[test]
fn library_functions_have_one_home() {
    let mut homes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for family in pardiff::library::FAMILIES {
        for &name in family.names {
            homes.entry(name).or_default().push(family.title);
            if pardiff::rules::by_callee(name).is_some() {
                homes.entry(name).or_default().push("rules");
            }
        }
    }
    none(homes.iter().filter(|(_, at)| at.len() > 1).map(|(name, at)| format!("{name}: {}", at.join(", "))));
}

/// Each test of a rule states the rule first, and `docs/SOUNDNESS.md` lists it.
#[test]
fn soundness_tests_state_their_rule() {
    let table = fs::read_to_string(root().join("docs/SOUNDNESS.md")).expect("docs/SOUNDNESS.md can be read");
    let unsaid = |source: &Source| {
        let file = source.name.rsplit('/').next().unwrap_or_default();
        let first = source.text.lines().next().unwrap_or_default();
        let rule = first.trim_start_matches(['/', ';', ' ']).starts_with("Rule: ");
        let opening = source.text.split("RUN:").next().unwrap_or_default().to_lowercase();
        let mut wrong = Vec::new();
        if !rule || !opening.contains("without the") {
            wrong.push(format!("{}: does not open with its rule and what happens without it", source.name));
        }
        if !table.contains(&format!("`{file}`")) {
            wrong.push(format!("{}: docs/SOUNDNESS.md does not list it", source.name));
        }
        wrong
    };
    none(sources(&["test/soundness"], &["c", "ll"]).iter().flat_map(unsaid));
}

#[test]
fn nothing_is_left_open() {
    let sources = sources(&CRATES, &["rs"]);
    let open = ["todo", "unimplemented", "dbg", "ignore"];
    none(sources.iter().flat_map(|source| open.map(|name| uses(source, name))).flatten());
}

#[test]
fn modules_open_with_their_purpose() {
    let silent = |source: &Source| !source.text.starts_with("//!");
    let sources =
        sources(&["plugin/src", "plugin/polly-sys", "plugin/tests", "runtime/src", "test/random", "bench"], &["rs"]);
    none(sources.iter().filter(|source| silent(source)).map(|source| source.name.clone()));
}

fn none(found: impl Iterator<Item = String>) {
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is above this crate")
}

/// A file: its path from the repository's root, its text, and its text without comments and literals.
struct Source {
    name: String,
    text: String,
    code: String,
}

impl Source {
    fn is_rust(&self) -> bool {
        self.name.ends_with(".rs")
    }
}

fn sources(directories: &[&str], suffixes: &[&str]) -> Vec<Source> {
    let root = root();
    let below = |directory: &&str| files_below(&root.join(directory), suffixes, "target");
    let mut paths: Vec<PathBuf> = directories.iter().flat_map(below).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are sources in {directories:?}");
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let name = path.strip_prefix(&root).expect("below the root").display().to_string();
            let code = without_comments_and_literals(&text, name.ends_with(".rs"));
            Source { name, text, code }
        })
        .collect()
}

/// Lines of code that contain one of these texts.
fn contains(source: &Source, texts: &[&str]) -> Vec<String> {
    let found = |line: &str| texts.iter().find(|text| line.contains(**text)).map(|text| text.to_string());
    let lines = source.code.lines().enumerate().filter_map(|(index, line)| Some((index, found(line)?)));
    lines.map(|(index, text)| format!("{}:{}: {text}", source.name, index + 1)).collect()
}

fn uses(source: &Source, name: &str) -> Vec<String> {
    let lines = source.code.lines().enumerate();
    let found = lines.filter(|(_, line)| words(line).any(|(_, word)| word == name));
    found.map(|(index, _)| format!("{}:{}: {name}", source.name, index + 1)).collect()
}

/// Identifiers and keywords of a line with where they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let starts = move |at: &usize| inside(line[*at..].chars().next().unwrap_or(' '));
    let begins = move |at: &usize| starts(at) && !line[..*at].chars().next_back().is_some_and(inside);
    line.char_indices().map(|(at, _)| at).filter(begins).map(move |at| {
        let rest = &line[at..];
        (at, &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())])
    })
}

/// Blanks out comments, strings and character literals; lines stay where they are.
fn without_comments_and_literals(text: &str, rust: bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_word = code.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let length = blank_length(rest, rust, after_word);
        if length > 0 {
            code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The length of the comment or literal that `rest` begins with, or 0.
fn blank_length(rest: &str, rust: bool, after_word: bool) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest, rust);
    }
    if let Some(end) = raw_string(rest, rust).filter(|_| !after_word) {
        return end;
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    let mut characters = rest.chars().skip(1);
    match (characters.next(), characters.next()) {
        // Not a lifetime: 'x' or an escape. In C, digits may be separated by a quote.
        (Some('\\'), _) if rest.starts_with('\'') => quoted(rest, '\''),
        (Some(_), Some('\'')) if rest.starts_with('\'') && !after_word => quoted(rest, '\''),
        _ => 0,
    }
}

fn block_comment(rest: &str, nests: bool) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") && (nests || depth == 0) {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn raw_string(rest: &str, rust: bool) -> Option<usize> {
    let (start, end) = if rust {
        let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
        let hashes = body.len() - body.trim_start_matches('#').len();
        body[hashes..].strip_prefix('"')?;
        (rest.len() - body.len() + hashes + 1, format!("\"{}", "#".repeat(hashes)))
    } else {
        let body = rest.strip_prefix("R\"")?;
        let delimiter = &body[..body.find('(')?];
        (2 + delimiter.len() + 1, format!("){delimiter}\""))
    };
    Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()))
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// Where a function begins, counted from 1, and how many lines it has.
struct Function {
    first_line: usize,
    lines: usize,
}

fn function(code: &str, begin: usize, end: usize) -> Function {
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    Function { first_line: line_of(begin), lines: line_of(end) - line_of(begin) + 1 }
}

/// Each `fn name ... { ... }`, nested ones too.
fn rust_functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    for (begin, _) in words(code).filter(|(_, word)| *word == "fn") {
        let named = code[begin + 2..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_');
        let Some(open) = body_of(code, begin).filter(|_| named) else {
            continue;
        };
        functions.push(function(code, begin, closing(code, open)));
    }
    functions
}

/// The brace that opens the body of the function at `begin`; none where the declaration ends without one.
fn body_of(code: &str, begin: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in code[begin..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(begin + at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + at;
        }
    }
    code.len()
}

/// Bodies that follow a parameter list, outside of other bodies; namespaces, classes and the like are looked into.
fn c_functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    let (mut at, mut header) = (0, 0);
    while let Some(offset) = code[at..].find(['{', '}', ';']) {
        let found = at + offset;
        at = found + 1;
        let before = &code[header..found];
        if code[found..].starts_with('{') && before.contains('(') {
            let end = closing(code, found);
            let begin = header + before.len() - before.trim_start().len();
            functions.push(function(code, begin, end));
            at = (end + 1).min(code.len());
        }
        header = at;
    }
    functions
}

#[test]
fn the_checks_find_what_they_look_for() {
    let rust = "//! x\nfn a<'a>(x: &'a [u8; 3]) -> char {\n    let _ = \"fn b() {\"; // {\n    '{'\n}\ntrait T {\n    fn c();\n}\nunsafe {}\n";
    let code = without_comments_and_literals(rust, true);
    assert_eq!(code.lines().count(), rust.lines().count());
    let found: Vec<_> = rust_functions(&code).iter().map(|f| (f.first_line, f.lines)).collect();
    assert_eq!(found, [(2, 4)]);
    assert!(code.contains("unsafe") && !code.contains("fn b"));

    let c = "namespace n {\nstruct S {\n  int f() const {\n    return '}';\n  }\n};\n/* { */\nstatic int g(int x) {\n  if (x) {\n  }\n  return 1'000;\n}\n}\n";
    let code = without_comments_and_literals(c, false);
    let found: Vec<_> = c_functions(&code).iter().map(|f| (f.first_line, f.lines)).collect();
    assert_eq!(found, [(3, 3), (8, 5)]);

    assert!(explained(&["// SAFETY: fine", "let x =", "    unsafe { f() };"], 2));
    assert!(!explained(&["// SAFETY: other", "", "unsafe { f() };"], 2));
}

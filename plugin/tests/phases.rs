//! Runs every file below `tests/phases/`: a primal as text, and what the pure phases make of it.
//!
//! A file is a text of `pardiff::primal::text`, then sections that start with `---- NAME` and hold the expected output:
//! `build` is the reverse program as built, `store` the same with its tape and decisions (or why there is none), `error` the
//! message of a text that cannot be read. Sections may be left out. `BLESS=1 cargo test --test phases` rewrites them; write
//! the bare header to get a section filled in.
//!
//! Each text is also printed and read again, which must change nothing.

mod common;

use common::files_below;
use libtest_mimic::{Arguments, Failed, Trial};
use pardiff::facts::Facts;
use pardiff::primal::text::{self, Parsed};
use pardiff::revprog::{RevProg, show};
use pardiff::store::Replay;
use pardiff::{build, schedule, store};
use std::path::Path;
use std::{env, fs};

const HEADER: &str = "---- ";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/phases");
    let trials = files_below(&root, &["txt"], "target")
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&root).expect("below the root").display().to_string();
            Trial::test(name, move || check(&file))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(file: &Path) -> Result<(), Failed> {
    let contents = fs::read_to_string(file)?;
    let (primal, sections) = split(&contents);
    let mut actual = primal.to_string();
    for (name, _) in &sections {
        actual += &format!("{HEADER}{name}\n{}", output(name, primal)?);
    }
    if sections.is_empty() {
        return Err("the file expects nothing".into());
    }
    if actual == contents {
        return Ok(());
    }
    if env::var_os("BLESS").is_some() {
        return Ok(fs::write(file, actual)?);
    }
    let same = contents.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let found: Vec<_> = actual.lines().skip(same).take(12).collect();
    Err(format!("line {} on should be (BLESS=1 rewrites the file):\n{}", same + 1, found.join("\n")).into())
}

/// The primal and the sections after it.
fn split(contents: &str) -> (&str, Vec<(&str, &str)>) {
    let start = |text: &str| {
        let within = || text.find(&format!("\n{HEADER}")).map(|i| i + 1);
        if text.starts_with(HEADER) { Some(0) } else { within() }
    };
    let (primal, mut rest) = contents.split_at(start(contents).unwrap_or(contents.len()));
    let mut sections = Vec::new();
    while let Some(after) = rest.strip_prefix(HEADER) {
        let (name, body) = after.split_once('\n').unwrap_or((after, ""));
        let (body, next) = body.split_at(start(body).unwrap_or(body.len()));
        sections.push((name.trim(), body));
        rest = next;
    }
    (primal, sections)
}

/// What a section should hold.
fn output(section: &str, primal: &str) -> Result<String, Failed> {
    if section == "error" {
        return match text::parse(primal) {
            Ok(_) => Err("the text can be read".into()),
            Err(message) => Ok(message + "\n"),
        };
    }
    let mut parsed = text::parse(primal)?;
    let facts = parsed.facts();
    let printed = text::print(&parsed.primal, &parsed.variant, &facts);
    match text::parse(&printed) {
        Ok(again) if again == parsed => {}
        Ok(_) => return Err(format!("printed and read, the text says something else:\n{printed}").into()),
        Err(e) => return Err(format!("the printed text cannot be read: {e}\n{printed}").into()),
    }
    let prog = build::build(&mut parsed.primal, &facts, &parsed.variant);
    match section {
        "build" => Ok(show::program(&prog, &parsed.primal)),
        "schedule" => {
            let prog = schedule::schedule(prog, &parsed.primal, &facts);
            Ok(show::program(&prog, &parsed.primal))
        }
        "store" => Ok(stored(prog, &parsed, &facts, Replay::Never)),
        "replay" => Ok(stored(prog, &parsed, &facts, Replay::Always)),
        _ => Err(format!("there is no phase '{section}'").into()),
    }
}

fn stored(prog: RevProg, parsed: &Parsed, facts: &Facts, replay: Replay) -> String {
    let prog = schedule::schedule(prog, &parsed.primal, facts);
    match store::store(prog, &parsed.primal, facts, replay, false, false) {
        Ok(prog) => show::program(&prog, &parsed.primal) + &show::plan(&prog, &parsed.primal),
        Err(missing) => {
            missing.iter().map(|m| format!("{} {}: {}\n", m.code, parsed.primal.show(m.of), m.text)).collect()
        }
    }
}

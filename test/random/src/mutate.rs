//! Changes IR at random, as text: what the assembler and the verifier still accept is a program nobody thought of.
//!
//! Inputs have names for all values (`opt -passes=instnamer`), so that lines can be removed and repeated.

use crate::rng::Rng;
use crate::run::{LLVM_BIN, Outcome, Scratch, repository};
use crate::tree::{Function, print_file};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io, thread};

/// How long the plugin may take.
const LIMIT: u32 = 20;

const REAL_OPCODES: [&str; 5] = ["fadd", "fsub", "fmul", "fdiv", "frem"];
const INTEGER_OPCODES: [&str; 12] =
    ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "sdiv", "urem", "srem"];
const INTEGER_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const REAL_PREDICATES: [&str; 10] = ["oeq", "olt", "ole", "ogt", "oge", "one", "ult", "une", "uno", "ord"];
const CALLEES: [&str; 10] =
    ["@sin", "@cos", "@exp", "@llvm.fabs.f64", "@sqrt", "@atan", "@log", "@tanh", "@floor", "@unknown_function"];
const CONSTANTS: [&str; 8] = ["0", "1", "-1", "2", "7", "2147483647", "-2147483648", "3"];
const FLAGS: [&str; 5] = ["nsw ", "nuw ", "inbounds ", "fast ", "nnan "];

/// What the plugin did with a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// The module itself is not valid.
    Rejected,
    /// Derivatives were made, and the result is valid.
    Accepted,
    /// An error message.
    Refused,
    /// It died, hung or made invalid IR.
    Failed(String),
}

/// The module changed in one to four places.
pub fn mutate(module: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = module.lines().map(str::to_owned).collect();
    for _ in 0..rng.between(1, 4) {
        // Not every line has what a change needs.
        for _ in 0..20 {
            if change(&mut lines, rng) {
                break;
            }
        }
    }
    let mut text = lines.join("\n") + "\n";
    if text.contains("@unknown_function(") && !text.contains("declare double @unknown_function") {
        text += "declare double @unknown_function(double)\n";
    }
    for name in CALLEES {
        let declared = text.lines().any(|l| l.starts_with("de") && l.contains(&format!("{name}(")));
        if text.contains(&format!("{name}(")) && !declared {
            text += &format!("declare double {name}(double)\n");
        }
    }
    text
}

/// Runs the plugin on a module.
pub fn react(scratch: &Scratch, module: &str, plugin: &Path) -> io::Result<Reaction> {
    let file = scratch.file("module.ll");
    fs::write(&file, module)?;
    let opt = Path::new(LLVM_BIN).join("opt");
    let load = format!("-load-pass-plugin={}", plugin.display());
    let path = file.display().to_string();
    let outcome = scratch.run(LIMIT, &opt, &[&load, "-passes=pardiff,verify", "-disable-output", &path])?;
    if outcome.succeeded() {
        return Ok(Reaction::Accepted);
    }
    let reaction = reaction(&outcome);
    if reaction == Reaction::Refused {
        return Ok(reaction);
    }
    let plain = scratch.run(LIMIT, &opt, &["-passes=verify", "-disable-output", &path])?;
    Ok(if plain.succeeded() { reaction } else { Reaction::Rejected })
}

/// `count` mutants of some modules, in turn, with what the plugin does with each; runs on all processors.
pub fn survey(modules: &[String], seed: u64, count: usize, plugin: &Path) -> io::Result<Vec<(String, Reaction)>> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || -> io::Result<()> {
        let scratch = Scratch::new()?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return Ok(());
            }
            let mutant = mutate(&modules[at % modules.len()], &mut Rng::new(seed, at as u64));
            let reaction = react(&scratch, &mutant, plugin)?;
            found.lock().expect("no thread panics").insert(at, (mutant, reaction));
        }
    };
    thread::scope(|scope| {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(found.into_inner().expect("no thread panics").into_values().collect())
}

/// A file of IR with a name for every value; none where it does not parse.
pub fn named(scratch: &Scratch, file: &Path) -> io::Result<Option<String>> {
    let path = file.display().to_string();
    let opt = Path::new(LLVM_BIN).join("opt");
    let outcome = scratch.run(LIMIT, opt, &["-passes=instnamer", "-S", "-o", "-", &path])?;
    Ok(outcome.succeeded().then_some(outcome.out))
}

/// A C file as IR on which no pass of the plugin has run; none where it does not compile.
pub fn compiled(scratch: &Scratch, file: &Path, level: &str) -> io::Result<Option<String>> {
    let out = scratch.file("compiled.ll");
    let repository = repository();
    let includes =
        ["include", "test/random/src", "test/numeric"].map(|d| format!("-I{}", repository.join(d).display()));
    let (out_text, file_text) = (out.display().to_string(), file.display().to_string());
    let mut flags = vec!["-w", "-DBARE", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o", &out_text, level];
    flags.extend(includes.iter().map(String::as_str));
    flags.push(&file_text);
    let outcome = scratch.run(LIMIT, Path::new(LLVM_BIN).join("clang"), &flags)?;
    if outcome.succeeded() { named(scratch, &out) } else { Ok(None) }
}

/// A generated function and its requests, without its checks, as IR.
pub fn generated(scratch: &Scratch, function: &Function, level: &str) -> io::Result<Option<String>> {
    let file = scratch.file("bare.c");
    fs::write(&file, print_file(&[function]).0)?;
    compiled(scratch, &file, level)
}

fn reaction(outcome: &Outcome) -> Reaction {
    if outcome.hung() {
        return Reaction::Failed("hang".into());
    }
    let fault = ["[PD0017]", "Stack dump", "panicked"];
    if !fault.iter().any(|word| outcome.err.contains(word)) && outcome.err.contains("[PD0") {
        return Reaction::Refused;
    }
    let telling = ["[PD0017]", "panicked", "ssertion", "LLVM ERROR", "error"];
    let line = telling.iter().find_map(|word| outcome.err.lines().find(|line| line.contains(word)));
    Reaction::Failed(format!("status {}: {}", outcome.status, line.or(outcome.err.lines().next()).unwrap_or("")))
}

fn change(lines: &mut Vec<String>, rng: &mut Rng) -> bool {
    let bodies = instructions(lines);
    if bodies.is_empty() {
        return false;
    }
    let at = *rng.pick(&bodies);
    match rng.below(16) {
        0 => swap_operands(&mut lines[at]),
        1 => replace_word(&mut lines[at], &REAL_OPCODES, rng) || replace_word(&mut lines[at], &INTEGER_OPCODES, rng),
        2 => predicate(&mut lines[at], rng),
        3 => delete(lines, at),
        4 => duplicate(lines, at, rng),
        5 | 6 => retarget(lines, at, rng),
        7 | 8 => access_type(&mut lines[at], rng),
        9 => callee(&mut lines[at], rng),
        10 | 11 => operand(lines, at, rng),
        12 => exchange_lines(lines, at),
        13 => constant(&mut lines[at], rng),
        14 => flags(&mut lines[at]),
        _ => volatile(&mut lines[at]),
    }
}

/// Which lines are instructions.
fn instructions(lines: &[String]) -> Vec<usize> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("define ") {
            inside = true;
        } else if line.starts_with('}') {
            inside = false;
        } else if inside && line.starts_with("  ") {
            found.push(index);
        }
    }
    found
}

/// The lines of the function around line `at`.
fn function(lines: &[String], at: usize) -> std::ops::Range<usize> {
    let start = lines[..at].iter().rposition(|l| l.starts_with("define ")).unwrap_or(0);
    let end = lines[at..].iter().position(|l| l.starts_with('}')).map_or(lines.len(), |i| at + i);
    start..end
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-' || c == '$'
}

/// Places of `%` names in a line.
fn names(line: &str) -> Vec<std::ops::Range<usize>> {
    let starts = line.match_indices('%').map(|(at, _)| at);
    let end = |at: usize| at + 1 + line[at + 1..].find(|c| !is_name(c)).unwrap_or(line.len() - at - 1);
    starts.map(|at| at..end(at)).filter(|range| range.len() > 1).collect()
}

/// What an instruction defines: its name and the type, where that is easily read.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.trim_start().split_once(" = ")?;
    let rest = rest.trim_start_matches("tail ").trim_start_matches("notail ");
    let words: Vec<&str> = rest.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let types = ["double", "float", "i1", "i8", "i16", "i32", "i64", "ptr"];
    let kind = match *words.first()? {
        "getelementptr" | "alloca" => "ptr",
        "icmp" | "fcmp" => "i1",
        "sext" | "zext" | "trunc" | "fpext" | "fptrunc" | "sitofp" | "uitofp" | "fptosi" | "fptoui" => {
            let to = words.iter().position(|w| *w == "to")?;
            words.get(to + 1)?
        }
        "select" => types.iter().find(|t| words.get(3) == Some(*t) || words.get(4) == Some(*t))?,
        _ => words.iter().skip(1).find(|w| types.contains(w))?,
    };
    Some((name, kind))
}

fn zero(kind: &str) -> &'static str {
    match kind {
        "double" | "float" => "0.0",
        "ptr" => "null",
        _ => "0",
    }
}

fn swap_operands(line: &mut String) -> bool {
    let Some((head, tail)) = line.split_once(", ") else { return false };
    let Some((before, left)) = head.rsplit_once(' ') else { return false };
    let end = tail.find([',', ' ', ')']).unwrap_or(tail.len());
    let (right, rest) = tail.split_at(end);
    *line = format!("{before} {right}, {left}{rest}");
    true
}

fn replace_word(line: &mut String, words: &[&str], rng: &mut Rng) -> bool {
    let found = words.iter().find_map(|word| line.find(&format!(" {word} ")).map(|at| (at + 1, word.len())));
    let Some((at, length)) = found else { return false };
    line.replace_range(at..at + length, rng.word(words));
    true
}

fn predicate(line: &mut String, rng: &mut Rng) -> bool {
    if line.contains(" icmp ") {
        return replace_word(line, &INTEGER_PREDICATES, rng);
    }
    line.contains(" fcmp ") && replace_word(line, &REAL_PREDICATES, rng)
}

fn delete(lines: &mut Vec<String>, at: usize) -> bool {
    let line = lines[at].clone();
    let jumps = ["  br ", "  ret ", "  switch ", "  unreachable"];
    if jumps.iter().any(|jump| line.starts_with(jump)) {
        return false;
    }
    if let Some((name, kind)) = definition(&line) {
        let range = function(lines, at);
        for other in range.filter(|i| *i != at) {
            let uses: Vec<_> =
                names(&lines[other]).into_iter().rev().filter(|r| lines[other][r.clone()] == *name).collect();
            for place in uses {
                lines[other].replace_range(place, zero(kind));
            }
        }
    } else if line.contains(" = ") {
        return false;
    }
    lines.remove(at);
    true
}

fn duplicate(lines: &mut Vec<String>, at: usize, rng: &mut Rng) -> bool {
    let line = lines[at].clone();
    if ["  br ", "  ret ", "  switch ", "  unreachable"].iter().any(|jump| line.starts_with(jump)) {
        return false;
    }
    let copy = match line.split_once(" = ") {
        Some((name, rest)) => format!("{name}.again{} = {rest}", rng.below(1000)),
        None => line,
    };
    lines.insert(at, copy);
    true
}

fn retarget(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    let range = function(lines, at);
    let labels: Vec<String> = lines[range.clone()]
        .iter()
        .filter(|l| !l.starts_with(' '))
        .filter_map(|l| l.split_once(':').map(|(name, _)| format!("%{name}")))
        .collect();
    let jumps: Vec<usize> = range.filter(|&i| lines[i].contains("label %")).collect();
    if labels.is_empty() || jumps.is_empty() {
        return false;
    }
    let line = *rng.pick(&jumps);
    let places: Vec<_> =
        names(&lines[line]).into_iter().filter(|r| lines[line][..r.start].ends_with("label ")).collect();
    let place = rng.pick(&places).clone();
    let label: &String = rng.pick(&labels);
    lines[line].replace_range(place, label);
    true
}

/// Reads, writes or steps with another type; what was there is converted.
fn access_type(line: &mut String, rng: &mut Rng) -> bool {
    if let Some(at) = line.find("getelementptr ") {
        let Some(comma) = line[at..].find(", ptr").map(|i| at + i) else { return false };
        let start = line[at..comma].rfind([' ']).map_or(at, |i| at + i + 1);
        line.replace_range(start..comma, rng.word(&["double", "float", "i8", "i32", "i64", "{ double, i32 }"]));
        return true;
    }
    let conversions = [
        ("double", "float", "fpext", "fptrunc"),
        ("double", "i64", "bitcast", "bitcast"),
        ("i32", "i64", "trunc", "sext"),
        ("i32", "i8", "sext", "trunc"),
        ("ptr", "i64", "inttoptr", "ptrtoint"),
    ];
    let (from, to, read, write) = *rng.pick(&conversions);
    if let Some((name, rest)) = line.trim_start().split_once(&format!(" = load {from}, ")) {
        *line = format!("  {name}.raw = load {to}, {rest}\n  {name} = {read} {to} {name}.raw to {from}");
        return true;
    }
    if let Some((value, rest)) =
        line.trim_start().strip_prefix(&format!("store {from} ")).and_then(|r| r.split_once(", "))
    {
        let name = format!("%raw{}", rng.below(100_000));
        *line = format!("  {name} = {write} {from} {value} to {to}\n  store {to} {name}, {rest}");
        return true;
    }
    false
}

fn callee(line: &mut String, rng: &mut Rng) -> bool {
    if line.contains("call ") {
        if let Some(known) = CALLEES.iter().find(|name| line.contains(&format!("{name}("))) {
            *line = line.replacen(known, rng.word(&CALLEES), 1);
            return true;
        }
        return swap_operands(line);
    }
    let Some((name, rest)) = line.split_once(" = fadd double ") else { return false };
    let operand = rest.split(',').next().unwrap_or("0.0");
    *line = format!("{name} = call double {}(double {operand})", rng.word(&CALLEES));
    true
}

/// Another value of the same type, from anywhere in the function.
fn operand(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    let range = function(lines, at);
    let known: Vec<(String, String)> = lines[range]
        .iter()
        .filter_map(|l| definition(l))
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .collect();
    let defined = lines[at].find(" = ").unwrap_or(0);
    let places: Vec<_> = names(&lines[at]).into_iter().filter(|r| r.start > defined).collect();
    if places.is_empty() {
        return false;
    }
    let place = rng.pick(&places).clone();
    let old = &lines[at][place.clone()];
    let Some((_, kind)) = known.iter().find(|(name, _)| name == old) else { return false };
    let mut same: Vec<&str> = known.iter().filter(|(_, k)| k == kind).map(|(name, _)| name.as_str()).collect();
    same.push(zero(kind));
    same.push("poison");
    let other = (*rng.pick(&same)).to_owned();
    lines[at].replace_range(place, &other);
    true
}

fn exchange_lines(lines: &mut [String], at: usize) -> bool {
    if at + 1 >= lines.len() || !lines[at + 1].starts_with("  ") {
        return false;
    }
    lines.swap(at, at + 1);
    true
}

fn constant(line: &mut String, rng: &mut Rng) -> bool {
    for kind in ["i32 ", "i64 ", ", "] {
        let Some(at) = line.rfind(kind).map(|at| at + kind.len()) else { continue };
        let length = line[at..].find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(line.len() - at);
        if length > 0 && !line[at + length..].starts_with('.') {
            line.replace_range(at..at + length, rng.word(&CONSTANTS));
            return true;
        }
    }
    false
}

fn flags(line: &mut String) -> bool {
    if let Some(flag) = FLAGS.iter().find(|flag| line.contains(**flag)) {
        *line = line.replacen(flag, "", 1);
        return true;
    }
    for (opcode, flag) in [(" add ", "nsw "), (" mul ", "nuw "), (" fmul ", "fast "), (" fadd ", "nnan ")] {
        if let Some(at) = line.find(opcode) {
            line.insert_str(at + opcode.len(), flag);
            return true;
        }
    }
    false
}

fn volatile(line: &mut String) -> bool {
    for access in [" load ", "  store "] {
        if let Some(at) = line.find(access) {
            line.insert_str(at + access.len(), "volatile ");
            return true;
        }
    }
    false
}

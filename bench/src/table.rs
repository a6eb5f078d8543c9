//! Results as Markdown and as JSON.

use crate::measure::{Figures, Row};
use crate::options::Options;
use std::fmt::Write as _;
use std::io::{Write as _, stdout};

/// Every program runs on one thread until there are programs with OpenMP.
const THREADS: usize = 1;

/// Prints a line for each program as soon as it has been measured.
pub struct Table {
    has_peer: bool,
}

impl Table {
    /// Prints the head.
    pub fn new(options: &Options) -> Self {
        let table = Self { has_peer: options.peer.is_some() };
        println!("`{}`, {THREADS} thread, {} turns\n", options.flags.join(" "), options.repeat);
        let head = table.cells(HEAD.map(str::to_owned).to_vec(), PEER_HEAD.map(str::to_owned).to_vec());
        line(&head);
        line(&head.iter().enumerate().map(|(at, _)| if at == 0 { "---" } else { "--:" }).collect::<Vec<_>>());
        table
    }

    fn cells(&self, mut cells: Vec<String>, peer: Vec<String>) -> Vec<String> {
        if self.has_peer {
            cells.extend(peer);
        }
        cells
    }

    /// One program's line, and below it what went wrong.
    pub fn print(&mut self, row: &Row) {
        let cells = vec![
            row.program.clone(),
            number(row.primal.ms),
            number(row.gradient.ms),
            number(row.hand.ms),
            number(row.gradient.over_hand),
            number(row.hand.over_primal),
            number(row.gradient.memory.map(|m| m.peak)),
            number(row.hand.memory.map(|m| m.peak)),
            number(memory_ratio(row, &row.gradient)),
            number(row.gradient.memory.map(|m| m.kept)),
            number(row.hand.memory.map(|m| m.kept)),
            planned(&row.gradient),
            row.gradient.shape.as_ref().map_or("-".to_owned(), |s| s.atomics.to_string()),
            number(row.primal.compile_s),
            number(row.gradient.compile_s),
            row.gradient.problem.clone().unwrap_or("ok".to_owned()).replace('|', "\\|"),
        ];
        let peer = vec![
            number(row.peer.ms),
            number(row.peer.over_hand),
            number(row.peer.memory.map(|m| m.peak)),
            number(memory_ratio(row, &row.peer)),
            number(row.peer.compile_s),
            row.peer.problem.clone().unwrap_or("ok".to_owned()).replace('|', "\\|"),
        ];
        line(&self.cells(cells, peer));
    }

    /// Geometric means of the ratios, over the programs that have them.
    pub fn print_means(&self, rows: &[Row]) {
        let mean_of = |what: &dyn Fn(&Row) -> Option<f64>| {
            let logs: Vec<f64> = rows.iter().filter_map(what).map(f64::ln).collect();
            (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let within = |what: &dyn Fn(&Row) -> Option<f64>| rows.iter().filter_map(what).filter(|r| *r <= 1.2).count();
        let report = |name: &str, what: &dyn Fn(&Row) -> Option<f64>| {
            println!("{name}: geometric mean {}, {} of {} within 1.2", number(mean_of(what)), within(what), rows.len());
        };
        println!();
        report("Time over the gradient written by hand", &|row| row.gradient.over_hand);
        report("Memory over the gradient written by hand", &|row| memory_ratio(row, &row.gradient));
        if self.has_peer {
            report("The peer's time over the gradient written by hand", &|row| row.peer.over_hand);
            report("The peer's memory over the gradient written by hand", &|row| memory_ratio(row, &row.peer));
        }
    }
}

const HEAD: [&str; 16] = [
    "program",
    "primal ms",
    "gradient ms",
    "hand ms",
    "gradient / hand",
    "hand / primal",
    "gradient MB",
    "hand MB",
    "MB / hand MB",
    "kept MB",
    "hand kept MB",
    "planned",
    "atomics",
    "primal compile s",
    "gradient compile s",
    "result",
];
const PEER_HEAD: [&str; 6] =
    ["peer ms", "peer / hand", "peer MB", "peer MB / hand MB", "peer compile s", "peer's result"];

fn line(cells: &[impl AsRef<str>]) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    println!("| {} |", cells.join(" | "));
    let _ = stdout().flush();
}

/// Three digits are more than measurements have.
fn number(x: Option<f64>) -> String {
    match x {
        None => "-".to_owned(),
        Some(x) if x.abs() >= 100.0 => format!("{x:.0}"),
        Some(x) if x.abs() >= 10.0 => format!("{x:.1}"),
        Some(x) => format!("{x:.2}"),
    }
}

fn planned(figures: &Figures) -> String {
    match figures.shape.as_ref().and_then(|s| s.planned) {
        Some((slots, bytes)) => format!("{bytes} B in {slots}"),
        None => "-".to_owned(),
    }
}

fn memory_ratio(row: &Row, figures: &Figures) -> Option<f64> {
    Some(figures.memory?.peak / row.hand.memory?.peak)
}

/// An array with an object for each program; what is not there is null.
pub fn json(rows: &[Row], options: &Options) -> String {
    let objects: Vec<String> = rows.iter().map(|row| object(row, options)).collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}

fn object(row: &Row, options: &Options) -> String {
    let mut text = format!(
        "  {{\"program\": {}, \"threads\": {THREADS}, \"flags\": {}",
        string(&row.program),
        string(&options.flags.join(" "))
    );
    let mut field = |name: &str, value: Option<String>| {
        let _ = write!(text, ", \"{name}\": {}", value.unwrap_or("null".to_owned()));
    };
    let variants = [("primal", &row.primal), ("gradient", &row.gradient), ("hand", &row.hand), ("peer", &row.peer)];
    for (name, figures) in variants {
        field(&format!("{name}_ms"), figures.ms.map(digits));
        field(&format!("{name}_mb"), figures.memory.map(|m| digits(m.peak)));
        field(&format!("{name}_kept_mb"), figures.memory.map(|m| digits(m.kept)));
        field(&format!("{name}_over_hand"), figures.over_hand.map(digits));
        field(&format!("{name}_compile_s"), figures.compile_s.map(digits));
        field(&format!("{name}_error"), figures.error.map(digits));
        field(&format!("{name}_problem"), figures.problem.as_deref().map(string));
    }
    let shape = row.gradient.shape.as_ref();
    field("atomics", shape.map(|s| s.atomics.to_string()));
    field("planned_slots", shape.and_then(|s| s.planned).map(|(slots, _)| slots.to_string()));
    field("planned_bytes_per_point", shape.and_then(|s| s.planned).map(|(_, bytes)| bytes.to_string()));
    field("peer_atomics", row.peer.shape.as_ref().map(|s| s.atomics.to_string()));
    text + "}"
}

fn digits(x: f64) -> String {
    if x.is_finite() { format!("{x:.4e}") } else { string(&x.to_string()) }
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if (c as u32) < 0x20 => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[test]
fn json_strings_are_quoted() {
    assert_eq!(string("a \"b\" \\\n"), "\"a \\\"b\\\" \\\\\\u000a\"");
    assert_eq!(digits(1500.0), "1.5000e3");
    assert_eq!(digits(f64::INFINITY), "\"inf\"");
}

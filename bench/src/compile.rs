//! From a program's source to the executable of one variant.

use crate::options::{Options, sources};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs};

/// What an executable runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The function itself.
    Primal,
    /// The gradient of the plugin that is measured.
    Gradient,
    /// The gradient written by hand.
    Hand,
    /// The gradient of another plugin.
    Peer,
}

impl Variant {
    /// For names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primal => "primal",
            Self::Gradient => "gradient",
            Self::Hand => "hand",
            Self::Peer => "peer",
        }
    }

    fn macro_value(self) -> &'static str {
        match self {
            Self::Primal => "-DVARIANT=PRIMAL",
            Self::Gradient | Self::Peer => "-DVARIANT=GRADIENT",
            Self::Hand => "-DVARIANT=HAND",
        }
    }

    fn plugin(self, options: &Options) -> Option<&Path> {
        match self {
            Self::Primal | Self::Hand => None,
            Self::Gradient => Some(&options.plugin),
            Self::Peer => options.peer.as_deref(),
        }
    }
}

/// An executable and how long the program's own file took to compile.
pub struct Built {
    /// The executable.
    pub path: PathBuf,
    /// Of the one compiler run with the program in it.
    pub compiled_in: Duration,
}

/// The compiler's first error is the message of a failure.
pub fn build(program: &str, variant: Variant, options: &Options) -> Result<Built, String> {
    let path = options.scratch.join(format!("{program}-{}", variant.name()));
    let object = path.with_extension("o");
    let start = Instant::now();
    succeed(command(program, variant, options).arg("-c").arg("-o").arg(&object))?;
    let compiled_in = start.elapsed();
    let harness = harness(options)?;
    succeed(clang().args(&options.flags).args([&object, &harness]).arg("-o").arg(&path).arg("-lm"))?;
    let _ = fs::remove_file(object);
    Ok(Built { path, compiled_in })
}

/// The harness's object, which all programs share.
fn harness(options: &Options) -> Result<PathBuf, String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let object = options.scratch.join("harness.o");
    let made = ONE_AT_A_TIME.lock().map_err(|e| e.to_string())?;
    if !object.exists() {
        succeed(clang().arg("-O2").arg("-c").arg(sources().join("harness.c")).arg("-o").arg(&object))?;
    }
    drop(made);
    Ok(object)
}

/// What can be read off the gradient's code.
#[derive(Default)]
pub struct Shape {
    /// Atomic updates.
    pub atomics: usize,
    /// Values that are kept for each point of the loops around them, and their bytes; if the plugin says so.
    pub planned: Option<(usize, usize)>,
}

/// Compiles once more, to text.
pub fn shape(program: &str, variant: Variant, options: &Options) -> Result<Shape, String> {
    let file = options.scratch.join(format!("{program}-{}.ll", variant.name()));
    let mut command = command(program, variant, options);
    command.env("PARDIFF_OPTIONS", "print=store");
    let output = succeed(command.args(["-S", "-emit-llvm", "-o"]).arg(&file))?;
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let atomic = |line: &&str| line.contains(" atomicrmw ") || line.contains(" cmpxchg ");
    // Functions of the runtime, whose atomics keep its memory in order, have no lines in the source.
    let mut of_program = false;
    let mut in_program = |line: &&str| {
        of_program = if line.starts_with("define ") { line.contains(" !dbg ") } else { of_program };
        of_program
    };
    Ok(Shape {
        atomics: text.lines().filter(|line| in_program(line) && atomic(line)).count(),
        planned: planned(&String::from_utf8_lossy(&output.stderr)),
    })
}

/// Adds up the slots in memory of a store report, whose lines are `slot s1: ..., 8 bytes, rectangular in tape t0`.
fn planned(report: &str) -> Option<(usize, usize)> {
    report.contains("pardiff: store of").then_some(())?;
    let slots = report.lines().filter(|line| line.starts_with("slot ") && !line.ends_with("in register"));
    let bytes = slots.filter_map(|line| {
        let (before, _) = line.split_once(" bytes")?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    });
    Some(bytes.fold((0, 0), |(slots, sum), bytes| (slots + 1, sum + bytes)))
}

fn clang() -> Command {
    let mut command = Command::new("timeout");
    command.arg("300").arg(env::var_os("CLANG").unwrap_or_else(|| "clang-19".into()));
    command
}

fn command(program: &str, variant: Variant, options: &Options) -> Command {
    let mut command = clang();
    command.args(&options.flags).args(["-gline-tables-only", "-w", variant.macro_value()]);
    if let Some(plugin) = variant.plugin(options) {
        command.arg(format!("-fpass-plugin={}", plugin.display()));
    }
    command.arg(sources().join("programs").join(program).with_extension("c"));
    command
}

fn succeed(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    if output.status.success() {
        return Ok(output);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().find(|line| line.contains("error:")).or(text.lines().next());
    Err(error.map_or(output.status.to_string(), |line| line.trim_start_matches("error: ").to_owned()))
}

#[test]
fn slots_in_memory_are_planned() {
    let report = "pardiff: store of f\nslot s0: %2 Int(1), 1 bytes in register\n\
                  slot s1: %9 Double [L0 < n], 8 bytes, rectangular in tape t0\nslot s2: %3 Int(32), 4 bytes, ragged";
    assert_eq!(planned(report), Some((2, 12)));
    assert_eq!(planned(""), None);
}

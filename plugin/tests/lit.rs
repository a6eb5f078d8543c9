//! Runs every file below `test/` that has `RUN:` lines, as LLVM's `lit` does.
//!
//! The files are lit's own kind (`test/lit.cfg.py` lets `lit` run them too): shell commands after `RUN:`, a trailing
//! backslash continues a line, `%` words are replaced ([`Substitutions`]), FileCheck and `not` are LLVM's. The commands
//! of a file run in one `bash -eu -o pipefail`.
//!
//! `BLESS=1 cargo test --test lit` rewrites expectations: where a file fails, has a RUN line that ends in
//! `| FileCheck --match-full-lines %s` (`--check-prefix=X` before `%s` where there are several), and its `CHECK`
//! lines of that prefix are a verbatim copy of the output (`CHECK:`, `CHECK-NEXT:` and `CHECK-EMPTY:` only), they
//! are replaced by what the command prints. Other expectations are written by hand and stay.
//!
//! `PARDIFF_PLUGIN` names another plugin than the one that cargo has just built.

mod common;

use common::files_below;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

const LLVM_BIN: &str = "/usr/lib/llvm-19/bin";
const SUFFIXES: [&str; 5] = ["c", "cpp", "f90", "ll", "txt"];
const TIME_LIMIT: &str = "600";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test");
    let root = root.canonicalize().expect("the repository has a directory test/");
    let trials = files_below(&root, &SUFFIXES, "Inputs")
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&root).expect("below the root").display().to_string();
            let root = root.clone();
            Trial::test(name, move || TestFile::read(&root, &file)?.check())
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The plugin that cargo built for this test: `cargo test` leaves it beside the test's own executable.
fn plugin() -> Result<PathBuf, Failed> {
    if let Some(path) = env::var_os("PARDIFF_PLUGIN") {
        return Ok(path.into());
    }
    let path = env::current_exe()?.with_file_name("libpardiff.so");
    if path.exists() { Ok(path) } else { Err(format!("{} is missing", path.display()).into()) }
}

/// What stands for each `%` word; longer words first, so that none hides another.
struct Substitutions(Vec<(&'static str, String)>);

impl Substitutions {
    fn new(root: &Path, file: &Path, scratch: &Path) -> Result<Self, Failed> {
        let plugin = plugin()?.display().to_string();
        let repository = root.parent().unwrap_or(root).display().to_string();
        let include = format!("{repository}/include");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let directory = file.parent().unwrap_or(root).display().to_string();
        Ok(Self(vec![
            ("%pardiff-clang++", format!("{LLVM_BIN}/clang++ -fpass-plugin={plugin} -I{include}")),
            ("%pardiff-clang", format!("{LLVM_BIN}/clang -fpass-plugin={plugin} -I{include}")),
            ("%pardiff-attributes", format!("-fplugin={}", pardiff_clang::PLUGIN)),
            ("%pardiff-opt", format!("{LLVM_BIN}/opt -load-pass-plugin={plugin}")),
            ("%numeric", format!("{}/numeric/levels.sh {plugin}", root.display())),
            ("%repository", repository),
            ("%include", include),
            ("%plugin", plugin),
            ("%clang++", format!("{LLVM_BIN}/clang++")),
            ("%clang", format!("{LLVM_BIN}/clang")),
            ("%flang", format!("{LLVM_BIN}/flang-new")),
            ("%opt", format!("{LLVM_BIN}/opt")),
            ("%S", directory),
            ("%s", file.display().to_string()),
            ("%t", scratch.join(format!("{name}.tmp")).display().to_string()),
        ]))
    }

    fn apply(&self, command: &str) -> String {
        let parts: Vec<String> = command
            .split("%%")
            .map(|part| self.0.iter().fold(part.to_owned(), |text, (word, value)| text.replace(word, value)))
            .collect();
        parts.join("%")
    }
}

/// One test: its text, its commands, and a directory for what they write.
struct TestFile {
    path: PathBuf,
    text: String,
    /// As written, continuation lines joined.
    commands: Vec<String>,
    substitutions: Substitutions,
    scratch: tempfile::TempDir,
}

impl TestFile {
    fn read(root: &Path, path: &Path) -> Result<Self, Failed> {
        let text = fs::read_to_string(path)?;
        let commands = run_lines(&text)?;
        if commands.is_empty() {
            return Err("no RUN line".into());
        }
        let scratch = tempfile::tempdir()?;
        let substitutions = Substitutions::new(root, path, scratch.path())?;
        Ok(Self { path: path.to_owned(), text, commands, substitutions, scratch })
    }

    fn check(mut self) -> Result<(), Failed> {
        let failure = match self.run(&self.commands) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        if env::var_os("BLESS").is_none() || !self.bless()? {
            return Err(failure);
        }
        self.run(&self.commands)
    }

    fn run(&self, commands: &[String]) -> Result<(), Failed> {
        let script = self.script(commands);
        let output = self.bash(&script)?;
        if output.status.success() {
            return Ok(());
        }
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(format!("{}\n--- commands\n{script}--- standard output\n{out}--- standard error\n{err}", output.status)
            .into())
    }

    fn script(&self, commands: &[String]) -> String {
        commands.iter().map(|c| self.substitutions.apply(c) + "\n").collect()
    }

    fn bash(&self, script: &str) -> Result<Output, Failed> {
        let path = format!("{LLVM_BIN}:{}", env::var("PATH").unwrap_or_default());
        Ok(Command::new("timeout")
            .args([TIME_LIMIT, "bash", "-e", "-u", "-o", "pipefail", "-c", script])
            .current_dir(self.scratch.path())
            .env("PATH", path)
            .output()?)
    }

    /// Rewrites the verbatim expectations; says whether there were any.
    fn bless(&mut self) -> Result<bool, Failed> {
        let mut text = self.text.clone();
        for (index, command) in self.commands.iter().enumerate() {
            let Some((producer, prefix)) = verbatim_check(command) else {
                continue;
            };
            let mut script = self.script(&self.commands[..index]);
            script += &self.script(&[producer.to_owned()]);
            let output = self.bash(&script)?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let file = self.path.display().to_string();
            text = replace_checks(&text, &prefix, &expectations(&printed, &prefix, &file))?;
        }
        let changed = text != self.text;
        if changed {
            fs::write(&self.path, &text)?;
            self.text = text;
        }
        Ok(changed)
    }
}

fn run_lines(text: &str) -> Result<Vec<String>, Failed> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else {
            continue;
        };
        let command = command.trim();
        let (command, continues) = match command.strip_suffix('\\') {
            Some(start) => (start, true),
            None => (command, false),
        };
        match commands.last_mut() {
            Some(last) if open => last.push_str(command),
            _ => commands.push(command.to_owned()),
        }
        open = continues;
    }
    if open { Err("the last RUN line ends in a backslash".into()) } else { Ok(commands) }
}

/// The command whose output is checked line by line, and the prefix of those lines.
fn verbatim_check(command: &str) -> Option<(&str, String)> {
    let (producer, check) = command.rsplit_once('|')?;
    let mut words = check.split_whitespace();
    if words.next() != Some("FileCheck") {
        return None;
    }
    let words: BTreeSet<&str> = words.collect();
    if !(words.contains("--match-full-lines") && words.contains("%s")) {
        return None;
    }
    let prefix = words.iter().find_map(|word| word.strip_prefix("--check-prefix=")).unwrap_or("CHECK");
    Some((producer.trim_end(), prefix.to_owned()))
}

/// FileCheck directives that match `printed` line by line; the test's own path may be anywhere.
fn expectations(printed: &str, prefix: &str, file: &str) -> Vec<String> {
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    let mut directives = Vec::new();
    for line in printed.lines() {
        // What opens a variable or a regular expression in FileCheck is spelled as one that matches it.
        let escaped = line.replace("{{", "\0").replace("[[", "{{[[][[]}}").replace('\0', "{{[{][{]}}");
        let escaped = escaped.replace(file, &format!("{{{{.*}}}}{name}"));
        directives.push(match (directives.is_empty(), line.trim().is_empty()) {
            (true, true) => continue,
            (true, false) => format!("{prefix}: {escaped}"),
            (false, true) => format!("{prefix}-EMPTY:"),
            (false, false) => format!("{prefix}-NEXT: {escaped}"),
        });
    }
    directives
}

/// Puts `directives` where the file's checks of this prefix are, or at its end, behind the comment sign of its RUN lines.
fn replace_checks(text: &str, prefix: &str, directives: &[String]) -> Result<String, Failed> {
    let comment = text.lines().find_map(|l| l.split_once("RUN:")).map_or("", |(before, _)| before);
    let (plain, next, empty) = (format!("{prefix}:"), format!("{prefix}-NEXT:"), format!("{prefix}-EMPTY:"));
    let mut lines: Vec<String> = Vec::new();
    let mut place = None;
    for line in text.lines() {
        let directive = line.strip_prefix(comment.trim_end()).map(str::trim_start).unwrap_or("");
        if [&plain, &next, &empty].iter().any(|start| directive.starts_with(start.as_str())) {
            place.get_or_insert(lines.len());
        } else if directive.starts_with(&format!("{prefix}-")) {
            return Err(format!("not blessed: {directive:?} was written by hand").into());
        } else {
            lines.push(line.to_owned());
        }
    }
    let place = place.unwrap_or(lines.len());
    lines.splice(place..place, directives.iter().map(|d| format!("{comment}{d}")));
    Ok(lines.join("\n") + "\n")
}

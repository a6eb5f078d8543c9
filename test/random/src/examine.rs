//! Compiles generated functions with the plugin, runs their checks, and says how each of them ended.

use crate::run::{LLVM_BIN, Outcome, Scratch, repository};
use crate::tree::{Function, print_file};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

const COMPILE_LIMIT: u32 = 120;
const RUN_LIMIT: u32 = 20;

/// How a function ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All checks hold; at how many of how many points differences could decide.
    Right(String),
    /// The plugin says that there is no derivative: code and message.
    Refused(String, String),
    /// A check does not hold.
    Wrong(String),
    /// The compiler or the program died.
    Crash(String),
    /// The compiler or the program did not end.
    Hang(String),
    /// A sanitizer reported something that the function alone does not do.
    Sanitizer(String),
    /// The function itself is not valid: a fault of the generator.
    Invalid(String),
}

impl Verdict {
    /// A word for it; verdicts with the same word are failures of the same kind.
    pub fn word(&self) -> &str {
        match self {
            Self::Right(_) => "right",
            Self::Refused(..) => "refused",
            Self::Wrong(_) => "wrong",
            Self::Crash(_) => "crash",
            Self::Hang(_) => "hang",
            Self::Sanitizer(_) => "sanitizer",
            Self::Invalid(_) => "invalid",
        }
    }

    /// At how many of how many points of a right function differences could decide.
    pub fn smooth(&self) -> Option<(usize, usize)> {
        let Self::Right(text) = self else { return None };
        let mut numbers = text.split(' ').filter_map(|word| word.parse().ok());
        Some((numbers.next()?, numbers.next()?))
    }

    /// Whether somebody has to look at it.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Right(_) | Self::Refused(..))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(code, text) => write!(f, "refused {code} {text}"),
            Self::Right(text)
            | Self::Wrong(text)
            | Self::Crash(text)
            | Self::Hang(text)
            | Self::Sanitizer(text)
            | Self::Invalid(text) => write!(f, "{} {text}", self.word()),
        }
    }
}

/// How functions are compiled.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The plugin.
    pub plugin: PathBuf,
    /// `-O0` to `-O3`.
    pub level: String,
    /// Under the address and undefined-behaviour sanitizers.
    pub sanitize: bool,
    /// Options of the plugin, as in its environment variable.
    pub options: String,
}

impl Setting {
    fn flags(&self) -> Vec<String> {
        let repository = repository();
        let mut flags = vec![
            self.level.clone(),
            // A function that lost its return statement is no program to judge.
            "-Wno-everything".into(),
            "-Werror=return-type".into(),
            "-ferror-limit=0".into(),
            "-gline-tables-only".into(),
            format!("-I{}", repository.join("include").display()),
            format!("-I{}", repository.join("test/random/src").display()),
        ];
        if self.sanitize {
            flags.extend(["-fsanitize=address,undefined".into(), "-fno-sanitize-recover=all".into()]);
        }
        flags
    }
}

/// What became of a compilation.
enum Compiled {
    Program(PathBuf),
    /// Functions that were refused, by position.
    Refused(Vec<(usize, Verdict)>),
    Failed(Verdict),
}

/// The verdict for each of some functions.
pub fn examine(functions: &[&Function], setting: &Setting) -> io::Result<Vec<Verdict>> {
    let scratch = Scratch::new()?;
    let mut verdicts: Vec<Option<Verdict>> = vec![None; functions.len()];
    loop {
        let left: Vec<usize> = (0..functions.len()).filter(|&i| verdicts[i].is_none()).collect();
        let members: Vec<&Function> = left.iter().map(|&i| functions[i]).collect();
        if members.is_empty() {
            break;
        }
        match compile(&scratch, &members, setting)? {
            Compiled::Refused(refused) => {
                for (position, verdict) in refused {
                    verdicts[left[position]] = Some(verdict);
                }
            }
            Compiled::Failed(verdict) if members.len() == 1 => verdicts[left[0]] = Some(verdict),
            Compiled::Failed(_) => {
                // One of them is to blame; halves find it.
                for half in left.chunks(left.len().div_ceil(2)) {
                    let members: Vec<&Function> = half.iter().map(|&i| functions[i]).collect();
                    for (&at, verdict) in half.iter().zip(examine(&members, setting)?) {
                        verdicts[at] = Some(verdict);
                    }
                }
            }
            Compiled::Program(program) => {
                for (&at, verdict) in left.iter().zip(run(&scratch, &program, &members, setting)?) {
                    verdicts[at] = Some(verdict);
                }
            }
        }
    }
    Ok(verdicts.into_iter().map(|verdict| verdict.expect("the loop ends when all are known")).collect())
}

fn compile(scratch: &Scratch, functions: &[&Function], setting: &Setting) -> io::Result<Compiled> {
    let (text, starts) = print_file(functions);
    let (source, program) = (scratch.file("program.c"), scratch.file("program"));
    fs::write(&source, text)?;
    let mut flags = setting.flags();
    flags.push(format!("-fpass-plugin={}", setting.plugin.display()));
    flags.extend([source.display().to_string(), "-o".into(), program.display().to_string(), "-lm".into()]);
    let outcome = scratch.run_with(&setting.options, COMPILE_LIMIT, clang(), &flags)?;
    if outcome.succeeded() {
        return Ok(Compiled::Program(program));
    }
    Ok(failure(&outcome, &starts))
}

fn clang() -> PathBuf {
    Path::new(LLVM_BIN).join("clang")
}

/// What a compiler that failed says.
fn failure(outcome: &Outcome, starts: &[usize]) -> Compiled {
    if outcome.hung() {
        return Compiled::Failed(Verdict::Hang("the compiler".into()));
    }
    if let Some(line) = outcome.err.lines().find(|l| l.contains("[PD0017]")) {
        return Compiled::Failed(Verdict::Crash(line.to_owned()));
    }
    if outcome.err.contains("PLEASE submit a bug report") || outcome.err.contains("Stack dump") {
        let reason = outcome.err.lines().find(|l| ["ssertion", "LLVM ERROR", "panicked"].iter().any(|w| l.contains(w)));
        return Compiled::Failed(Verdict::Crash(reason.unwrap_or("the compiler died").to_owned()));
    }
    let mut refused: Vec<(usize, Verdict)> = Vec::new();
    for line in outcome.err.lines().filter(|l| l.contains("error:")) {
        let Some((code, message)) = refusal(line) else {
            return Compiled::Failed(Verdict::Invalid(line.to_owned()));
        };
        let at = line.split(':').nth(1).and_then(|n| n.parse::<usize>().ok());
        let Some(position) = at.and_then(|at| starts.iter().rposition(|&start| start <= at)) else {
            // The message is about no line: with a single function it is known whose it is.
            return Compiled::Failed(Verdict::Refused(code, message));
        };
        if !refused.iter().any(|(known, _)| *known == position) {
            refused.push((position, Verdict::Refused(code, message)));
        }
    }
    if refused.is_empty() {
        let first = outcome.err.lines().next().unwrap_or("no message").to_owned();
        return Compiled::Failed(Verdict::Crash(format!("compiler status {}: {first}", outcome.status)));
    }
    Compiled::Refused(refused)
}

/// The code and the text of one of the plugin's messages.
fn refusal(line: &str) -> Option<(String, String)> {
    let (text, code) = line.rsplit_once('[')?;
    let code = code.trim_end().strip_suffix(']').filter(|c| c.starts_with("PD"))?;
    let message = text.split_once("error:").map_or(text, |(_, message)| message);
    Some((code.to_owned(), message.trim().to_owned()))
}

fn run(scratch: &Scratch, program: &Path, functions: &[&Function], setting: &Setting) -> io::Result<Vec<Verdict>> {
    let none: [&str; 0] = [];
    let outcome = scratch.run(RUN_LIMIT, program, &none)?;
    let mut verdicts = Vec::new();
    for function in functions {
        let said = verdict_of(&outcome.out, &function.name);
        verdicts.push(match said {
            // A report at the end of the run, such as a leak, names no function.
            Some(verdict) if outcome.status <= 1 && outcome.err.is_empty() => verdict,
            _ => alone(scratch, program, function, setting)?,
        });
    }
    Ok(verdicts)
}

/// The verdict for one function of a program that fails as a whole.
fn alone(scratch: &Scratch, program: &Path, function: &Function, setting: &Setting) -> io::Result<Verdict> {
    let outcome = scratch.run(RUN_LIMIT, program, &[&function.name])?;
    let report = ["runtime error:", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer"];
    let reported = outcome.err.lines().find(|line| report.iter().any(|word| line.contains(word)));
    let verdict = match (reported, verdict_of(&outcome.out, &function.name)) {
        (Some(line), _) => Verdict::Sanitizer(line.to_owned()),
        (None, Some(verdict)) if outcome.status <= 1 => return Ok(verdict),
        _ if outcome.hung() => Verdict::Hang("the program".into()),
        _ => Verdict::Crash(format!("the program ends with status {}: {}", outcome.status, outcome.err.trim())),
    };
    Ok(match primal_fault(function, setting)? {
        Some(fault) => Verdict::Invalid(fault),
        None => verdict,
    })
}

fn verdict_of(out: &str, name: &str) -> Option<Verdict> {
    out.lines().find_map(|line| {
        let (word, rest) = line.split_once(' ')?;
        let mut words = rest.splitn(2, ' ');
        if words.next() != Some(name) {
            return None;
        }
        let rest = words.next().unwrap_or_default().to_owned();
        match word {
            "right" => Some(Verdict::Right(rest)),
            "wrong" => Some(Verdict::Wrong(rest)),
            _ => None,
        }
    })
}

/// What is wrong with a function before it is differentiated: it is run under the sanitizers without the plugin.
pub fn primal_fault(function: &Function, setting: &Setting) -> io::Result<Option<String>> {
    let scratch = Scratch::new()?;
    let (source, program) = (scratch.file("program.c"), scratch.file("program"));
    fs::write(&source, print_file(&[function]).0)?;
    let alone = Setting { sanitize: true, level: "-O1".into(), ..setting.clone() };
    let mut flags = alone.flags();
    flags.push("-DPRIMAL".into());
    flags.extend([source.display().to_string(), "-o".into(), program.display().to_string(), "-lm".into()]);
    let outcome = scratch.run(COMPILE_LIMIT, clang(), &flags)?;
    if !outcome.succeeded() {
        let line = outcome.err.lines().find(|l| l.contains("error")).unwrap_or("no message");
        return Ok(Some(line.to_owned()));
    }
    let none: [&str; 0] = [];
    let outcome = scratch.run(RUN_LIMIT, &program, &none)?;
    let line = outcome.err.lines().find(|l| l.contains("rror")).unwrap_or("large or no numbers");
    Ok((!outcome.succeeded()).then(|| line.to_owned()))
}

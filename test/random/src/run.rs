//! Runs compilers and compiled programs with a time limit, in a directory of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, process};

/// Where LLVM's tools are.
pub const LLVM_BIN: &str = "/usr/lib/llvm-19/bin";

/// Exit status of `timeout` where the limit passed.
const PASSED_LIMIT: [i32; 2] = [124, 137];

/// What a command did.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit status; 128 and more for a signal, as shells have it.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Outcome {
    /// Whether it ended with 0.
    pub fn succeeded(&self) -> bool {
        self.status == 0
    }

    /// Whether the time limit ended it.
    pub fn hung(&self) -> bool {
        PASSED_LIMIT.contains(&self.status)
    }
}

/// A directory that is removed when this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

static SERIAL: AtomicUsize = AtomicUsize::new(0);

impl Scratch {
    /// A directory that nobody else uses.
    pub fn new() -> io::Result<Self> {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("pardiff-random-{}-{serial}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs a program there for at most `seconds`.
    pub fn run<S: AsRef<OsStr>>(&self, seconds: u32, program: impl AsRef<OsStr>, args: &[S]) -> io::Result<Outcome> {
        self.run_with("", seconds, program, args)
    }

    /// As `run`, with options for the plugin.
    pub fn run_with<S: AsRef<OsStr>>(
        &self,
        options: &str,
        seconds: u32,
        program: impl AsRef<OsStr>,
        args: &[S],
    ) -> io::Result<Outcome> {
        let output = Command::new("timeout")
            .args(["-k", "2", &seconds.to_string()])
            .arg(program)
            .args(args)
            .current_dir(&self.0)
            .env("PARDIFF_OPTIONS", format!("verify-each {options}"))
            .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")
            .stdin(Stdio::null())
            .output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // Without a status a signal ended timeout itself.
        let status = output.status.code().unwrap_or(255);
        Ok(Outcome { status, out: text(&output.stdout), err: text(&output.stderr) })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind in a temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a program ends: 0 if all is well, 1 if it found something, 2 with a message if it could not look.
pub fn exit_code(result: Result<bool, String>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap_or_else(|_| PathBuf::from("."))
}

/// The plugin: `PARDIFF_PLUGIN`, or what cargo built beside this executable or above it.
pub fn plugin() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("PARDIFF_PLUGIN") {
        return Ok(path.into());
    }
    let executable = env::current_exe().map_err(|error| error.to_string())?;
    let places = executable.ancestors().skip(1).take(2).map(|directory| directory.join("libpardiff.so"));
    let found = places.clone().find(|path| path.exists());
    found.ok_or_else(|| format!("{} is missing: build the plugin", places.last().unwrap_or_default().display()))
}

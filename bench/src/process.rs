//! A running executable that is told by lines what to do (`harness.c` lists them).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Seconds after which a process is ended, since a gradient may take any time.
const TIME_LIMIT: &str = "300";

/// One variant's process.
pub struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// Memory of a process in MB (2^20 bytes).
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The most that was in use.
    pub peak: f64,
    /// What running has added to what was in use after set-up.
    pub kept: f64,
}

impl Running {
    /// Starts it.
    pub fn start(executable: &Path, small: bool) -> Result<Self, String> {
        let mut command = Command::new("timeout");
        command.arg(TIME_LIMIT).arg(executable).args(small.then_some("--small"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = child.map_err(|e| format!("{}: {e}", executable.display()))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, input, output })
    }

    /// The line that answers a line.
    pub fn ask(&mut self, line: &str) -> Result<String, String> {
        let input = self.input.as_mut().ok_or("no standard input")?;
        let sent = writeln!(input, "{line}").and_then(|()| input.flush());
        let mut answer = String::new();
        let read = self.output.read_line(&mut answer);
        if sent.is_err() || !answer.ends_with('\n') || read.is_err() {
            let status = self.child.wait().map_or("cannot be waited for".to_owned(), |s| s.to_string());
            return Err(format!("ended in `{line}`: {status}"));
        }
        Ok(answer.trim_end().to_owned())
    }

    /// Milliseconds of repetitions that take so long together.
    pub fn turn(&mut self, length: Duration) -> Result<Vec<f64>, String> {
        let answer = self.ask(&format!("turn {}", length.as_nanos()))?;
        let times = answer.split_whitespace().map(|word| word.parse::<f64>().map(|ns| ns / 1e6));
        times.collect::<Result<_, _>>().map_err(|e| format!("{answer}: {e}"))
    }

    /// Writes the gradient of one run.
    pub fn gradient(&mut self, file: &Path) -> Result<(), String> {
        match self.ask(&format!("gradient {}", file.display()))?.as_str() {
            "ok" => Ok(()),
            other => Err(format!("{}: {other}", file.display())),
        }
    }

    /// The error of the gradient along one direction, relative to differences.
    pub fn differences(&mut self) -> Result<f64, String> {
        let answer = self.ask("differences")?;
        answer.parse().map_err(|e| format!("{answer}: {e}"))
    }

    /// Up to now.
    pub fn memory(&mut self) -> Result<Memory, String> {
        let answer = self.ask("memory")?;
        let numbers: Result<Vec<f64>, _> = answer.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok([before, peak]) => Ok(Memory { peak: peak / 1024.0, kept: (peak - before) / 1024.0 }),
            _ => Err(format!("{answer}: not two numbers")),
        }
    }
}

impl Drop for Running {
    /// The end of its input ends it.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

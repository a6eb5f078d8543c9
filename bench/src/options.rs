//! What is asked for on the command line.

use std::env;
use std::path::{Path, PathBuf};

/// The help text.
pub const USAGE: &str = "bench: measures gradients against gradients written by hand

    bench [--programs a,b] [--flags \"-O3 -march=native\"] [--fast-math] [--repeat N] [--small] [--clock wall|cpu]
          [--plugin PATH] [--peer-plugin PATH] [--json FILE] [--scratch DIRECTORY]

Prints a table in Markdown, with --json also the same as JSON. The gradient is that of --plugin, or of libpardiff.so
beside this executable; peer is another plugin that takes __enzyme_autodiff. Times are medians in ms, ratios medians of
N turns that the variants take one after the other. With --small, sizes are those of the tests. --clock cpu counts time
on the processor, for machines with other load. Memory is the most that the process had, in MB; kept is what was added
to it by running; planned is what the plugin says it keeps for each point of its loops. Ends with 1 if a gradient is
wrong; one that is refused is shown as such. CLANG names another compiler than clang-19.
";

/// The command line.
pub struct Options {
    /// Names of programs; empty for all.
    pub names: Vec<String>,
    /// The compiler's.
    pub flags: Vec<String>,
    /// Turns that are measured.
    pub repeat: usize,
    /// Small sizes, for tests.
    pub small: bool,
    /// Processor time instead of time that has passed.
    pub cpu_clock: bool,
    /// Ours.
    pub plugin: PathBuf,
    /// The one to compare with.
    pub peer: Option<PathBuf>,
    /// Where to write JSON.
    pub json: Option<PathBuf>,
    /// Where executables and gradients are written.
    pub scratch: PathBuf,
}

impl Options {
    /// Reads the words of a command line; nothing if they ask for help.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let beside = env::current_exe().map_err(|e| e.to_string())?;
        let mut options = Self::new(beside.with_file_name("libpardiff.so"), beside.with_file_name("bench-programs"));
        let mut fast = false;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} takes a value"));
            match word.as_str() {
                "--programs" => options.names = value()?.split(',').map(str::to_owned).collect(),
                "--flags" => options.flags = value()?.split_whitespace().map(str::to_owned).collect(),
                "--fast-math" => fast = true,
                "--repeat" => options.repeat = value()?.parse().map_err(|e| format!("--repeat: {e}"))?,
                "--small" => options.small = true,
                "--clock" => options.cpu_clock = clock(&value()?)?,
                "--plugin" => options.plugin = value()?.into(),
                "--peer-plugin" => options.peer = Some(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
                "--scratch" => options.scratch = value()?.into(),
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("{word} is no option; --help lists them")),
            }
        }
        if fast {
            options.flags.push("-ffast-math".to_owned());
        }
        Ok(Some(options))
    }

    /// The defaults.
    pub fn new(plugin: PathBuf, scratch: PathBuf) -> Self {
        let flags = ["-O3", "-march=native"].map(str::to_owned).to_vec();
        Self {
            names: Vec::new(),
            flags,
            repeat: 5,
            small: false,
            cpu_clock: false,
            plugin,
            peer: None,
            json: None,
            scratch,
        }
    }

    /// The names of the programs that are asked for, sorted.
    pub fn programs(&self) -> Result<Vec<String>, String> {
        let all = all_programs()?;
        if let Some(unknown) = self.names.iter().find(|name| !all.contains(name)) {
            return Err(format!("there is no program {unknown}; there are {}", all.join(", ")));
        }
        Ok(all.into_iter().filter(|name| self.names.is_empty() || self.names.contains(name)).collect())
    }
}

fn clock(name: &str) -> Result<bool, String> {
    match name {
        "wall" => Ok(false),
        "cpu" => Ok(true),
        _ => Err(format!("--clock: {name} is neither wall nor cpu")),
    }
}

/// The directory with the harness and `programs/`.
pub fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn all_programs() -> Result<Vec<String>, String> {
    let directory = sources().join("programs");
    let entries = directory.read_dir().map_err(|e| format!("{}: {e}", directory.display()))?;
    let paths =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "c"));
    let mut names: Vec<String> = paths.filter_map(|p| Some(p.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}

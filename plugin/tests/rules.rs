//! Does every derivative rule hold through the whole plugin?
//!
//! One trial per row of the table. The row's function, written in C or where C has no way to it in LLVM IR, is
//! differentiated by the plugin in double, float and long double, at each of [`LEVELS`], and at the points of the table's own
//! test (`src/rules/tests/data.rs`):
//!
//! - reverse mode's gradient against central differences of the same function in long double, which nothing of the
//!   table goes into: to 1e-12 relative in double and long double, 1e-5 in float;
//! - forward mode along each operand against the gradient, and along a direction by `<gradient, v> = tangent`: to
//!   1e-12 relative in double, 1e-6 in float, 1e-15 in long double;
//! - at the edges both modes exactly as the row states them;
//! - where naive formulas fail, in double, within the few units in the last place that the table's own test asks for.
//!
//! A row without points fails, and so does one that `docs/RULES.md` does not show as it is; `BLESS=1` rewrites that.

#[path = "../src/rules/tests/data.rs"]
mod data;
#[path = "rules/forms.rs"]
mod forms;
#[path = "rules/program.rs"]
mod program;

use forms::Form;
use libtest_mimic::{Arguments, Failed, Trial};
use pardiff::rules;
use program::{DIRECTION, Expected, Precision, Sample, Samples, points_of};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::{env, fs};

const LLVM_BIN: &str = "/usr/lib/llvm-19/bin";
/// Calls of the C library; the same after optimisation; intrinsics, which they become without `errno`.
const LEVELS: [&[&str]; 3] = [&["-O0"], &["-O2"], &["-O2", "-fno-math-errno"]];

/// Relative to the difference quotient, in double, float and long double.
const DIFFERENCES: [f64; 3] = [1e-12, 1e-5, 1e-12];
/// Relative to the sum of what is added up.
const IDENTITY: [f64; 3] = [1e-12, 1e-6, 1e-15];

fn main() {
    let program =
        Arc::new(Program { forms: forms::all(), values: LEVELS.map(|_| OnceLock::new()), ..Default::default() });
    let row = |row: &'static rules::Row| {
        let program = Arc::clone(&program);
        Trial::test(format!("row {}", row.name), move || program.check(row))
    };
    let mut trials: Vec<Trial> = rules::rows().iter().map(row).collect();
    trials.push(Trial::test("docs/RULES.md", documentation));
    for (level, flags) in LEVELS.iter().enumerate() {
        let program = Arc::clone(&program);
        let build = move || program.values(level).map(|_| ()).map_err(Failed::from);
        trials.push(Trial::test(format!("program {}", flags.join(" ")), build));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The program with all rows, and what it printed at each level; built when the first trial asks.
#[derive(Default)]
struct Program {
    forms: Vec<Form>,
    without_plugin: OnceLock<Result<Common, String>>,
    values: [OnceLock<Result<Samples, String>>; LEVELS.len()],
}

/// What all levels share: a directory with the sources, `rows.bc` and `oracle.o`.
struct Common {
    directory: tempfile::TempDir,
}

impl Program {
    fn check(&self, row: &'static rules::Row) -> Result<(), Failed> {
        let mut wrong = Vec::new();
        for (level, flags) in LEVELS.iter().enumerate() {
            let Ok(samples) = self.values(level) else {
                return Err(format!("there is no program: see the trial 'program {}'", flags.join(" ")).into());
            };
            for (number, form) in self.forms.iter().enumerate().filter(|(_, form)| form.row.name == row.name) {
                let found = check_form(number, form, samples);
                wrong.extend(found.into_iter().map(|what| format!("{}: {}: {what}", flags.join(" "), form.name)));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
    }

    fn values(&self, level: usize) -> Result<&Samples, String> {
        self.values[level].get_or_init(|| self.build_and_run(level)).as_ref().map_err(String::clone)
    }

    fn common(&self) -> Result<&Common, String> {
        let make = || {
            let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
            let write =
                |name: &str, text: String| fs::write(directory.path().join(name), text).map_err(|e| e.to_string());
            write("rows.c", program::rows(&self.forms))?;
            write("rows.ll", program::ir(&self.forms))?;
            write("oracle.c", program::oracle(&self.forms))?;
            run(directory.path(), "opt", &["rows.ll", "-o", "rows.bc"])?;
            run(directory.path(), "clang", &["-O1", "-c", "oracle.c"])?;
            Ok(Common { directory })
        };
        self.without_plugin.get_or_init(make).as_ref().map_err(String::clone)
    }

    fn build_and_run(&self, level: usize) -> Result<Samples, String> {
        let directory = self.common()?.directory.path();
        let (plugin, name) = (format!("-fpass-plugin={}", plugin()?.display()), format!("./level{level}"));
        let linked = ["-Xclang", "-mlink-bitcode-file", "-Xclang", "rows.bc"];
        let mut arguments = vec![plugin.as_str(), "-gline-tables-only"];
        arguments.extend(LEVELS[level].iter().chain(&linked));
        let object = format!("{name}.o");
        arguments.extend(["-c", "rows.c", "-o", object.as_str()]);
        run(directory, "clang", &arguments)?;
        run(directory, "clang", &[&object, "oracle.o", "-o", &name, "-lm"])?;
        let printed = run(directory, &name, &[])?;
        program::parse(&printed, &self.forms).ok_or_else(|| format!("{name} printed:\n{printed}"))
    }
}

/// Runs one of LLVM's tools, or a program in `directory`, and gives its output.
fn run(directory: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    let file = if program.starts_with("./") { directory.join(program) } else { Path::new(LLVM_BIN).join(program) };
    let output = Command::new("timeout").arg("120").arg(file).args(arguments).current_dir(directory).output();
    let output = output.map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let written = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}\n{written}", arguments.join(" "), output.status))
}

/// The plugin that cargo built for this test.
fn plugin() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("PARDIFF_PLUGIN") {
        return Ok(path.into());
    }
    let path = env::current_exe().map_err(|e| e.to_string())?.with_file_name("libpardiff.so");
    if path.exists() { Ok(path) } else { Err(format!("{} is missing", path.display())) }
}

/// What is wrong with one function at one level.
fn check_form(number: usize, form: &Form, samples: &Samples) -> Vec<String> {
    let points = points_of(form);
    let mut wrong = Vec::new();
    if points.is_empty() {
        wrong.push("the row has no points (src/rules/tests/data.rs)".to_owned());
    }
    for precision in Precision::ALL {
        for (i, (point, expected)) in points.iter().enumerate() {
            let found = match samples.get(&(number, precision, i)) {
                None => vec!["nothing was printed".to_owned()],
                Some(sample) => check_point(form, sample, expected, precision),
            };
            wrong.extend(found.into_iter().map(|what| format!("{precision:?} {point:?}: {what}")));
        }
    }
    wrong
}

fn check_point(form: &Form, sample: &Sample, expected: &Expected, precision: Precision) -> Vec<String> {
    let of_active = |partials: &[f64]| -> Vec<f64> {
        form.parameters.iter().filter(|p| p.active()).map(|p| partials[p.operand]).collect()
    };
    match expected {
        Expected::Differences => check_inside(sample, precision),
        Expected::Exactly(partials) => check_stated(sample, &of_active(partials), 0.0, precision),
        Expected::InDouble(..) if precision != Precision::Double => Vec::new(),
        Expected::InDouble(partials, units) => check_stated(sample, &of_active(partials), *units, precision),
    }
}

fn check_inside(sample: &Sample, precision: Precision) -> Vec<String> {
    let (differences, identity) = (DIFFERENCES[precision as usize], IDENTITY[precision as usize]);
    let mut wrong = Vec::new();
    let (mut by_reverse, mut size) = (0.0, 0.0);
    for (i, &reverse) in sample.reverse.iter().enumerate() {
        let (forward, difference) = (sample.forward[i], sample.differences[i]);
        if !close(reverse, difference, differences * difference.abs()) {
            wrong.push(format!("operand {i}: reverse mode gives {reverse:e}, differences {difference:e}"));
        }
        if !close(forward, reverse, identity * reverse.abs()) {
            wrong.push(format!("operand {i}: forward mode gives {forward:e}, reverse mode {reverse:e}"));
        }
        by_reverse += reverse * DIRECTION[i];
        size += (reverse * DIRECTION[i]).abs();
    }
    if !close(sample.along, by_reverse, identity * size) {
        wrong.push(format!("forward mode along {DIRECTION:?} gives {:e}, the gradient {by_reverse:e}", sample.along));
    }
    wrong
}

/// Not within the tolerance if one is NaN.
fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

fn check_stated(sample: &Sample, stated: &[f64], units: f64, precision: Precision) -> Vec<String> {
    let mut wrong = Vec::new();
    for (i, &stated) in stated.iter().enumerate() {
        let stated = if precision == Precision::Float { f64::from(stated as f32) } else { stated };
        for (mode, found) in [("reverse", sample.reverse[i]), ("forward", sample.forward[i])] {
            let same = found == stated || (found.is_nan() && stated.is_nan());
            if !same && !close(found, stated, units * f64::EPSILON * stated.abs()) {
                wrong.push(format!("operand {i}: {mode} mode gives {found:e}, stated is {stated:e}"));
            }
        }
    }
    wrong
}

const HEADING: &str = "\
# Derivative rules

What ParDiff takes for the derivative of each scalar operation, in float, double and long double and
under each of its names (`sin`, `sinf`, `sinl`, `llvm.sin.f64`). `r` is the operation's result and `dx` its partial derivative with respect to `x`.
Where no derivative exists, a formula chooses a value; the last column says which. The third column names the operands
and results that the formulas read and the reverse sweep therefore needs. `BLESS=1 cargo test --test rules` makes the
table from `plugin/src/rules/table.rs`; the same test holds each row against its function.

";

fn documentation() -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/RULES.md");
    let text = format!("{HEADING}{}", rules::markdown());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &text)?;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    if found == text { Ok(()) } else { Err("differs from rules::markdown(); BLESS=1 rewrites it".into()) }
}

//! One program: its variants are built, checked and take turns.

use crate::compile::{Built, Shape, Variant, build, shape};
use crate::gradient;
use crate::options::{Options, sources};
use crate::process::{Memory, Running};
use std::fs;
use std::time::Duration;

/// How long a variant runs before it is another one's turn.
const TURN: Duration = Duration::from_millis(50);

/// How far a gradient may be from the one written by hand, relative to that.
const TOLERANCE: f64 = 1e-10;
const FLOAT_TOLERANCE: f64 = 1e-5;

/// What was measured of one variant.
#[derive(Default)]
pub struct Figures {
    /// Median time in milliseconds.
    pub ms: Option<f64>,
    /// Median of the ratios to the hand-written gradient in the same turn.
    pub over_hand: Option<f64>,
    /// Median of the ratios to the primal in the same turn.
    pub over_primal: Option<f64>,
    /// What the process used.
    pub memory: Option<Memory>,
    /// Seconds of compiling.
    pub compile_s: Option<f64>,
    /// Distance from the hand-written gradient.
    pub error: Option<f64>,
    /// Atomic updates and values kept.
    pub shape: Option<Shape>,
    /// Why there are no times.
    pub problem: Option<String>,
}

/// One line of the table.
pub struct Row {
    /// The program's name.
    pub program: String,
    /// The function.
    pub primal: Figures,
    /// The plugin's gradient.
    pub gradient: Figures,
    /// The gradient written by hand.
    pub hand: Figures,
    /// The other plugin's gradient; nothing in it where there is no other plugin.
    pub peer: Figures,
    /// What the errors may be.
    pub tolerance: f64,
}

impl Row {
    /// Whether the plugin has written a gradient that is not the hand-written one.
    pub fn is_wrong(&self) -> bool {
        self.gradient.error.is_some_and(|error| error > self.tolerance)
    }
}

/// A variant on its way.
struct Entry {
    variant: Variant,
    running: Option<Running>,
    times: Vec<Vec<f64>>,
    figures: Figures,
}

/// Problems of gradients are part of the result; those of the primal or the gradient written by hand are errors.
pub fn measure(program: &str, options: &Options) -> Result<Row, String> {
    let mut variants = vec![Variant::Primal, Variant::Gradient, Variant::Hand];
    variants.extend(options.peer.is_some().then_some(Variant::Peer));
    let mut entries: Vec<Entry> = variants.into_iter().map(|variant| begin(program, variant, options)).collect();
    check(program, &mut entries, options, tolerance(program)?)?;
    for turn in 0..options.repeat + 1 {
        for entry in &mut entries {
            let length = if turn == 0 { Duration::ZERO } else { TURN };
            entry.attempt(|running| running.turn(length)).into_iter().for_each(|times| {
                if turn > 0 {
                    entry.times.push(times);
                }
            });
        }
    }
    for entry in &mut entries {
        entry.figures.memory = entry.attempt(Running::memory);
    }
    let row = summarise(program, entries, tolerance(program)?);
    match row.primal.problem.as_ref().or(row.hand.problem.as_ref()) {
        Some(problem) => Err(format!("{program}: {problem}")),
        None => Ok(row),
    }
}

/// What a test looks at, at small sizes: the gradient written by hand against differences, then the plugin's against it.
pub struct Checked {
    /// Of the hand-written gradient along one direction, relative to differences.
    pub hand_error: f64,
    /// Of the plugin's gradient, relative to the hand-written one; or why there is none.
    pub gradient_error: Result<f64, String>,
}

/// Builds and runs as little as this takes.
pub fn check_small(program: &str, options: &Options) -> Result<Checked, String> {
    let run = |variant: Variant| {
        let built = build(program, variant, options)?;
        let mut running = Running::start(&built.path, true)?;
        let file = built.path.with_extension("numbers");
        running.gradient(&file)?;
        Ok::<_, String>((gradient::read(&file)?, running))
    };
    let (expected, mut hand) = run(Variant::Hand)?;
    let gradient_error = run(Variant::Gradient).map(|(got, _)| gradient::distance(&got, &expected));
    Ok(Checked { hand_error: hand.differences()?, gradient_error })
}

/// The bound for the program's numbers: a program in single precision has `(float)` in its first line.
pub fn tolerance(program: &str) -> Result<f64, String> {
    let path = sources().join("programs").join(program).with_extension("c");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let single = text.lines().next().is_some_and(|line| line.contains("(float)"));
    Ok(if single { FLOAT_TOLERANCE } else { TOLERANCE })
}

fn begin(program: &str, variant: Variant, options: &Options) -> Entry {
    let mut entry = Entry { variant, running: None, times: Vec::new(), figures: Figures::default() };
    let started = build(program, variant, options).and_then(|Built { path, compiled_in }| {
        entry.figures.compile_s = Some(compiled_in.as_secs_f64());
        let mut running = Running::start(&path, options.small)?;
        if options.cpu_clock {
            running.ask("clock cpu")?;
        }
        Ok(running)
    });
    match started {
        Ok(running) => entry.running = Some(running),
        Err(problem) => entry.figures.problem = Some(problem),
    }
    if entry.running.is_some() && matches!(variant, Variant::Gradient | Variant::Peer) {
        entry.figures.shape = shape(program, variant, options).ok();
    }
    entry
}

impl Entry {
    /// What the process answers; it is given up when it does not.
    fn attempt<T>(&mut self, what: impl FnOnce(&mut Running) -> Result<T, String>) -> Option<T> {
        match what(self.running.as_mut()?) {
            Ok(answer) => Some(answer),
            Err(problem) => {
                self.running = None;
                self.figures.problem = Some(problem);
                None
            }
        }
    }
}

/// Compares gradients with the hand-written one. A wrong one is not timed.
fn check(program: &str, entries: &mut [Entry], options: &Options, tolerance: f64) -> Result<(), String> {
    let file = options.scratch.join(format!("{program}.gradient"));
    let mut of = |entry: &mut Entry| {
        entry.attempt(|running| {
            running.gradient(&file)?;
            gradient::read(&file)
        })
    };
    let hand = entries.iter_mut().find(|entry| entry.variant == Variant::Hand);
    let expected = hand.and_then(&mut of);
    for entry in entries.iter_mut().filter(|e| matches!(e.variant, Variant::Gradient | Variant::Peer)) {
        let (Some(expected), Some(got)) = (&expected, of(entry)) else {
            continue;
        };
        let error = gradient::distance(&got, expected);
        entry.figures.error = Some(error);
        if error > tolerance {
            entry.running = None;
            entry.figures.problem = Some(format!("wrong, {error:.1e} from the gradient written by hand"));
        }
    }
    let _ = fs::remove_file(file);
    Ok(())
}

fn summarise(program: &str, entries: Vec<Entry>, tolerance: f64) -> Row {
    let medians = |variant: Variant| -> Vec<f64> {
        let entry = entries.iter().find(|entry| entry.variant == variant);
        entry.map(|e| e.times.iter().filter_map(|times| median(times)).collect()).unwrap_or_default()
    };
    let (primal, hand) = (medians(Variant::Primal), medians(Variant::Hand));
    let mut row = Row {
        program: program.to_owned(),
        primal: Figures::default(),
        gradient: Figures::default(),
        hand: Figures::default(),
        peer: Figures::default(),
        tolerance,
    };
    for mut entry in entries {
        let turns: Vec<f64> = entry.times.iter().filter_map(|times| median(times)).collect();
        let over = |base: &[f64]| median(&turns.iter().zip(base).map(|(t, b)| t / b).collect::<Vec<_>>());
        entry.figures.ms = median(&entry.times.concat());
        entry.figures.over_hand = over(&hand);
        entry.figures.over_primal = over(&primal);
        match entry.variant {
            Variant::Primal => row.primal = entry.figures,
            Variant::Gradient => row.gradient = entry.figures,
            Variant::Hand => row.hand = entry.figures,
            Variant::Peer => row.peer = entry.figures,
        }
    }
    row
}

/// Nothing of nothing.
fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

#[test]
fn medians() {
    assert_eq!(median(&[]), None);
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
}

//! Generates C functions, checks their gradients, reduces and keeps what fails.
//!
//! `cargo run -p random -- --seed 1 --count 100 --opt 0,2` (`--help` lists the options)

use random::examine::{Setting, Verdict};
use random::features::{self, FEATURES};
use random::generate::Taste;
use random::judge::{Judged, by_feature, judge};
use random::reduce::reduce;
use random::tree::{Function, print_file};
use random::{generate, run};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io, thread};

const HELP: &str = "\
options:
  --seed N            the programs (1)
  --first M           the number of the first function (0)
  --count M           how many functions (100)
  --features A,B,...  only these features (all)
  --without A,B,...   not these
  --draw N            features drawn for one function (0 to 5)
  --statements N      its size (16)
  --opt 0,2,...       optimisation levels (0,2)
  --sanitize          also under the address and undefined-behaviour sanitizers
  --options TEXT      options of the plugin, e.g. replay=always
  --per-file N        functions in one compilation (12)
  --plugin PATH       the plugin (the one that cargo built)
  --save DIRECTORY    where failing programs are kept (target/random)
  --no-reduce         keep them as they are
  --reduce-refused    also reduce the first function of each kind of refusal
  --print             print the functions and do nothing else
  --jobs N            compilations at a time (all processors)
features:";

struct Options {
    seed: u64,
    first: usize,
    count: usize,
    taste: Taste,
    levels: Vec<String>,
    sanitize: bool,
    options: String,
    per_file: usize,
    plugin: Option<PathBuf>,
    save: PathBuf,
    reduce: bool,
    reduce_refused: bool,
    print: bool,
    jobs: usize,
}

fn main() -> ExitCode {
    let options = parse(env::args().skip(1));
    run::exit_code(options.and_then(|options| go(&options).map_err(|error| error.to_string())))
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        seed: 1,
        first: 0,
        count: 100,
        taste: Taste::of(FEATURES.iter().map(|f| f.name).collect()),
        levels: vec!["-O0".into(), "-O2".into()],
        sanitize: false,
        options: String::new(),
        per_file: 12,
        plugin: None,
        save: run::repository().join("target/random"),
        reduce: true,
        reduce_refused: false,
        print: false,
        jobs: thread::available_parallelism().map_or(1, usize::from),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| text.parse::<usize>().map_err(|_| format!("{text} is not a number"));
        match word.as_str() {
            "--seed" => options.seed = number(value()?)? as u64,
            "--first" => options.first = number(value()?)?,
            "--count" => options.count = number(value()?)?,
            "--draw" => options.taste.drawn = Some(number(value()?)?),
            "--statements" => options.taste.statements = number(value()?)?,
            "--per-file" => options.per_file = number(value()?)?.max(1),
            "--jobs" => options.jobs = number(value()?)?.max(1),
            "--features" => options.taste.allowed = named(&value()?)?,
            "--without" => options.taste.allowed = &options.taste.allowed - &named(&value()?)?,
            "--opt" => options.levels = value()?.split(',').map(|level| format!("-O{level}")).collect(),
            "--plugin" => options.plugin = Some(value()?.into()),
            "--save" => options.save = value()?.into(),
            "--sanitize" => options.sanitize = true,
            "--options" => options.options = value()?,
            "--no-reduce" => options.reduce = false,
            "--reduce-refused" => options.reduce_refused = true,
            "--print" => options.print = true,
            _ => return Err(help()),
        }
    }
    Ok(options)
}

fn help() -> String {
    let features = FEATURES.iter().map(|f| format!("\n  {:18}  {}", f.name, f.about));
    HELP.to_owned() + &features.collect::<String>()
}

/// Features by name; `none` is the empty list.
fn named(list: &str) -> Result<BTreeSet<&'static str>, String> {
    let names = list.split(',').filter(|name| !name.is_empty() && *name != "none");
    names.map(|name| features::by_name(name).ok_or(format!("no feature is named {name}\n{}", help()))).collect()
}

fn go(options: &Options) -> io::Result<bool> {
    let range = options.first..options.first + options.count;
    let functions: Vec<Function> = range.map(|index| generate::function(options.seed, index, &options.taste)).collect();
    if options.print {
        print!("{}", print_file(&functions.iter().collect::<Vec<_>>()).0);
        return Ok(true);
    }
    let settings = settings(options)?;
    let judged = judge(functions, &settings, options.per_file, options.jobs)?;
    fs::create_dir_all(&options.save)?;
    let mut good = true;
    for judged in &judged {
        if let Some((at, verdict)) = judged.verdicts.iter().enumerate().find(|(_, verdict)| verdict.is_failure()) {
            good = false;
            keep(judged, &settings[at], verdict, options)?;
        }
    }
    if options.reduce_refused {
        keep_refused(&judged, &settings, options)?;
    }
    report(&judged, &settings);
    Ok(good)
}

fn settings(options: &Options) -> io::Result<Vec<Setting>> {
    let plugin = match &options.plugin {
        Some(path) => fs::canonicalize(path)?,
        None => run::plugin().map_err(io::Error::other)?,
    };
    let setting = |level: &String, sanitize| Setting {
        plugin: plugin.clone(),
        level: level.clone(),
        sanitize,
        options: options.options.clone(),
    };
    let mut settings: Vec<Setting> = options.levels.iter().map(|level| setting(level, false)).collect();
    if options.sanitize {
        settings.push(setting(&"-O1".to_owned(), true));
    }
    Ok(settings)
}

/// Writes a failing function, reduced, with what is wrong in its first lines.
fn keep(judged: &Judged, setting: &Setting, verdict: &Verdict, options: &Options) -> io::Result<()> {
    let (function, verdict) = if options.reduce && !matches!(verdict, Verdict::Invalid(_)) {
        reduce(&judged.function, setting, verdict, 1500)?
    } else {
        (judged.function.clone(), verdict.clone())
    };
    let name = format!("{}-{}-{}.c", verdict.word(), options.seed, function.name);
    write_program(&function, setting, &verdict, &options.save.join(name))
}

/// The shortest function of each kind of refusal, reduced: what a user meets.
fn keep_refused(judged: &[Judged], settings: &[Setting], options: &Options) -> io::Result<()> {
    let mut shortest: BTreeMap<(String, String), (&Judged, usize)> = BTreeMap::new();
    for judged in judged {
        for (setting, verdict) in judged.verdicts.iter().enumerate() {
            let Verdict::Refused(code, message) = verdict else { continue };
            let found = shortest.entry((code.clone(), kind(message))).or_insert((judged, setting));
            if judged.function.print().len() < found.0.function.print().len() {
                *found = (judged, setting);
            }
        }
    }
    for ((code, _), (judged, setting)) in shortest {
        let (function, verdict) = reduce(&judged.function, &settings[setting], &judged.verdicts[setting], 200)?;
        let path = options.save.join(format!("refused-{code}-{}-{}.c", options.seed, function.name));
        write_program(&function, &settings[setting], &verdict, &path)?;
    }
    Ok(())
}

/// Names in quotes and lines differ, the kind of message does not.
fn kind(message: &str) -> String {
    message.split('\'').step_by(2).flat_map(str::chars).filter(|c| !c.is_ascii_digit()).collect()
}

fn write_program(function: &Function, setting: &Setting, verdict: &Verdict, path: &PathBuf) -> io::Result<()> {
    let (text, _) = print_file(&[function]);
    let sanitize = if setting.sanitize { " -fsanitize=address,undefined" } else { "" };
    fs::write(path, format!("// {verdict}\n// clang {}{sanitize}\n{text}", setting.level))?;
    println!("{verdict}\n    {}", path.display());
    Ok(())
}

fn report(judged: &[Judged], settings: &[Setting]) {
    for (at, setting) in settings.iter().enumerate() {
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in judged.iter().map(|j| &j.verdicts[at]) {
            *words.entry(verdict.word()).or_default() += 1;
            if let Verdict::Refused(code, _) = verdict {
                *codes.entry(code).or_default() += 1;
            }
        }
        let list = |counts: &BTreeMap<&str, usize>| {
            counts.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
        };
        let sanitize = if setting.sanitize { " sanitizers" } else { "" };
        println!("{}{sanitize}: {} ({})", setting.level, list(&words), list(&codes));
    }
    let points: (usize, usize) =
        judged.iter().flat_map(|j| &j.verdicts).filter_map(Verdict::smooth).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!("differences decide at {} of {} points", points.0, points.1);
    let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
    for verdict in judged.iter().flat_map(|j| &j.verdicts) {
        if let Verdict::Refused(code, message) = verdict {
            *kinds.entry((code.clone(), kind(message))).or_default() += 1;
        }
    }
    for ((code, message), count) in kinds {
        println!("{count:5} {code} {message}");
    }
    let refused = |j: &&Judged| j.verdicts.iter().filter(|v| matches!(v, Verdict::Refused(..))).count();
    let uneven = judged.iter().filter(|j| refused(j) > 0 && refused(j) < j.verdicts.len());
    let uneven: Vec<&str> = uneven.map(|j| j.function.name.as_str()).collect();
    if !uneven.is_empty() {
        println!("refused at some levels only: {}", uneven.join(" "));
    }
    println!("{:18} functions  refused  failed", "feature");
    for row in by_feature(judged) {
        println!("{:18} {:9} {:8} {:7}", row.feature, row.functions, row.refused, row.failed);
    }
}

//! Changes IR at random and runs the plugin on it.
//!
//! `cargo run -p random --bin mutate -- --seed 1 --count 1000 [--functions N] [--plugin PATH] [--save DIRECTORY] FILE...`
//!
//! FILE is C or IR. Generated functions, compiled at -O0 and -O2, are inputs as well: `--functions` says how many.

use random::features::FEATURES;
use random::generate::Taste;
use random::mutate::{Reaction, named, survey};
use random::run::{Scratch, exit_code, plugin, repository};
use random::{generate, mutate};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

struct Options {
    seed: u64,
    count: usize,
    functions: usize,
    plugin: Option<PathBuf>,
    save: PathBuf,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let options = parse(env::args().skip(1));
    exit_code(options.and_then(|options| go(&options).map_err(|error| error.to_string())))
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let save = repository().join("target/random");
    let mut options = Options { seed: 1, count: 200, functions: 20, plugin: None, save, files: Vec::new() };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| text.parse::<usize>().map_err(|_| format!("{text} is not a number"));
        match word.as_str() {
            "--seed" => options.seed = number(value()?)? as u64,
            "--count" => options.count = number(value()?)?,
            "--functions" => options.functions = number(value()?)?,
            "--plugin" => options.plugin = Some(value()?.into()),
            "--save" => options.save = value()?.into(),
            file if !file.starts_with('-') => options.files.push(file.into()),
            _ => return Err(format!("{word} is no option: --seed --count --functions --plugin --save FILE...")),
        }
    }
    Ok(options)
}

fn go(options: &Options) -> io::Result<bool> {
    let plugin = match &options.plugin {
        Some(path) => fs::canonicalize(path)?,
        None => plugin().map_err(io::Error::other)?,
    };
    let modules = modules(options)?;
    if modules.is_empty() {
        return Err(io::Error::other("no input is a module with requests"));
    }
    let reactions = survey(&modules, options.seed, options.count, &plugin)?;
    fs::create_dir_all(&options.save)?;
    let count = |wanted: fn(&Reaction) -> bool| reactions.iter().filter(|(_, reaction)| wanted(reaction)).count();
    let mut good = true;
    for (number, (module, reaction)) in reactions.iter().enumerate() {
        if let Reaction::Failed(why) = reaction {
            good = false;
            let path = options.save.join(format!("mutant-{}-{number}.ll", options.seed));
            fs::write(&path, format!("; {why}\n{module}"))?;
            println!("{why}\n    {}", path.display());
        }
    }
    println!(
        "{} modules, {} mutants: not valid {}, derivatives {}, refused {}, failed {}",
        modules.len(),
        reactions.len(),
        count(|r| *r == Reaction::Rejected),
        count(|r| *r == Reaction::Accepted),
        count(|r| *r == Reaction::Refused),
        count(|r| matches!(r, Reaction::Failed(_))),
    );
    Ok(good)
}

/// The inputs as IR with names.
fn modules(options: &Options) -> io::Result<Vec<String>> {
    let scratch = Scratch::new()?;
    let mut modules = Vec::new();
    for file in &options.files {
        let file = fs::canonicalize(file)?;
        let as_ir = if file.extension().is_some_and(|e| e == "ll") {
            named(&scratch, &file)?
        } else {
            mutate::compiled(&scratch, &file, "-O0")?
        };
        modules.extend(as_ir);
    }
    let taste = Taste::of(FEATURES.iter().map(|f| f.name).collect());
    for index in 0..options.functions {
        let function = generate::function(options.seed, index, &taste);
        for level in ["-O0", "-O2"] {
            modules.extend(mutate::generated(&scratch, &function, level)?);
        }
    }
    modules.retain(|module| module.contains("__pardiff") || module.contains("__enzyme"));
    Ok(modules)
}

//! At small sizes: hand-written gradients agree with differences, and the plugin's with the hand-written ones.

use bench::measure::{check_small, tolerance};
use bench::options::Options;
use libtest_mimic::{Arguments, Failed, Trial};
use std::env;
use std::path::PathBuf;
use std::sync::Arc;

/// Programs that the plugin refuses, with a part of the reason. One that it takes is to be struck out.
const REFUSED: &[(&str, &str)] = &[];

fn main() {
    let scratch = tempfile::tempdir().expect("a directory can be made");
    let plugin = env::var_os("PARDIFF_PLUGIN").map_or_else(built_plugin, Into::into);
    let options = Arc::new(Options::new(plugin, scratch.path().to_owned()));
    let trial = |program: String| {
        let options = Arc::clone(&options);
        Trial::test(program.clone(), move || check(&program, &options).map_err(Failed::from))
    };
    let programs = options.programs().expect("programs can be listed");
    let conclusion = libtest_mimic::run(&Arguments::from_args(), programs.into_iter().map(trial).collect());
    drop(scratch);
    conclusion.exit();
}

/// `cargo test` leaves it beside the test's own executable.
fn built_plugin() -> PathBuf {
    env::current_exe().expect("the test has a path").with_file_name("libpardiff.so")
}

fn check(program: &str, options: &Options) -> Result<(), String> {
    let checked = check_small(program, options)?;
    let tolerance = tolerance(program)?;
    // Differences of single precision show an error of the formula and no more.
    let bound = if tolerance < 1e-6 { 1e-6 } else { 2e-2 };
    if checked.hand_error.is_nan() || checked.hand_error > bound {
        return Err(format!("written by hand: {:.1e} from differences", checked.hand_error));
    }
    let refused = REFUSED.iter().find(|(name, _)| *name == program);
    match (checked.gradient_error, refused) {
        (Ok(_), Some(_)) => Err("is no longer refused".to_owned()),
        (Ok(error), None) if error <= tolerance => Ok(()),
        (Ok(error), None) => Err(format!("{error:.1e} from the gradient written by hand")),
        (Err(problem), Some((_, reason))) if problem.contains(reason) => Ok(()),
        (Err(problem), _) => Err(problem),
    }
}

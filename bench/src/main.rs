//! Command line of the bench.

use bench::measure::measure;
use bench::options::{Options, USAGE};
use bench::table::{Table, json};
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether no gradient was wrong.
fn run() -> Result<bool, String> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else {
        print!("{USAGE}");
        return Ok(true);
    };
    fs::create_dir_all(&options.scratch).map_err(|e| format!("{}: {e}", options.scratch.display()))?;
    // An earlier run's may be out of date.
    let _ = fs::remove_file(options.scratch.join("harness.o"));
    let mut table = Table::new(&options);
    let mut rows = Vec::new();
    for program in options.programs()? {
        let row = measure(&program, &options)?;
        table.print(&row);
        rows.push(row);
    }
    table.print_means(&rows);
    if let Some(path) = &options.json {
        fs::write(path, json(&rows, &options)).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(rows.iter().all(|row| !row.is_wrong()))
}

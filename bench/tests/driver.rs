//! The command line: what is printed, what is written, and what a refused or a wrong gradient looks like.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

fn bench(scratch: &Path, words: &[&str]) -> Output {
    let plugin = env::current_exe().expect("the test has a path").with_file_name("libpardiff.so");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(["--small", "--repeat", "1", "--scratch"]).arg(scratch).arg("--plugin").arg(plugin).args(words);
    command.output().expect("the driver can be run")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_table_and_json_are_written() {
    let scratch = tempfile::tempdir().expect("a directory can be made");
    let file = scratch.path().join("out.json");
    let output = bench(scratch.path(), &["--programs", "gmm,nbody", "--json", &file.display().to_string()]);
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    for program in ["gmm", "nbody"] {
        let row = printed.lines().find(|line| line.starts_with(&format!("| {program} |")));
        assert!(row.is_some_and(|row| row.ends_with("| ok |")), "{printed}");
    }
    let json = fs::read_to_string(file).expect("JSON is written");
    let fields = ["program", "threads", "primal_ms", "gradient_ms", "hand_ms", "peer_ms"];
    for field in fields.iter().chain(&["gradient_mb", "hand_mb", "peer_mb", "atomics"]) {
        assert_eq!(json.matches(&format!("\"{field}\": ")).count(), 2, "{field} in {json}");
    }
    assert!(json.contains("\"peer_ms\": null") && !json.contains("\"gradient_ms\": null"), "{json}");
}

#[test]
fn a_refused_gradient_is_shown() {
    let scratch = tempfile::tempdir().expect("a directory can be made");
    let output = bench(scratch.path(), &["--programs", "matvec", "--peer-plugin", "/nonexistent.so"]);
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("| ok |") && printed.contains("/nonexistent.so"), "{printed}");
}

/// Another root in the primal than in the gradient written by hand.
#[test]
fn a_wrong_gradient_is_shown_and_not_timed() {
    let scratch = tempfile::tempdir().expect("a directory can be made");
    let output = bench(scratch.path(), &["--programs", "nbody", "--flags", "-O2 -Dsqrt=cbrt"]);
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let row = printed.lines().find(|line| line.starts_with("| nbody |")).unwrap_or_default();
    assert!(row.contains("from the gradient written by hand") && row.matches("| - |").count() > 0, "{printed}");
}

#[test]
fn mistakes_on_the_command_line_are_said() {
    let scratch = tempfile::tempdir().expect("a directory can be made");
    for (words, message) in [
        (vec!["--programs", "matvec,nosuch"], "there is no program nosuch; there are attention"),
        (vec!["--nosuch"], "--nosuch is no option"),
        (vec!["--repeat"], "--repeat takes a value"),
    ] {
        let output = bench(scratch.path(), &words);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(message), "{}", text(&output));
    }
}

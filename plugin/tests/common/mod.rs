//! What several test targets share.

use std::fs;
use std::path::{Path, PathBuf};

/// The files below a directory that have one of the suffixes, sorted; directories named `left_out` are not entered.
pub fn files_below(directory: &Path, suffixes: &[&str], left_out: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(directory, suffixes, left_out, &mut files);
    files.sort();
    files
}

fn collect(directory: &Path, suffixes: &[&str], left_out: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("directories can be listed") {
        let path = entry.expect("entries can be read").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != left_out) {
                collect(&path, suffixes, left_out, files);
            }
        } else if path.extension().is_some_and(|e| suffixes.iter().any(|s| e == *s)) {
            files.push(path);
        }
    }
}

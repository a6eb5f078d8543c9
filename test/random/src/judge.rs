//! Examines many functions on all processors, and counts what became of each feature.

use crate::examine::{Setting, Verdict, examine};
use crate::features::FEATURES;
use crate::tree::Function;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io, thread};

/// A function and its verdict under each setting.
#[derive(Debug)]
pub struct Judged {
    /// The function.
    pub function: Function,
    /// One per setting.
    pub verdicts: Vec<Verdict>,
}

impl Judged {
    /// Whether the plugin refuses it under some setting.
    pub fn is_refused(&self) -> bool {
        self.verdicts.iter().any(|verdict| matches!(verdict, Verdict::Refused(..)))
    }

    /// Whether it fails under some setting.
    pub fn is_failure(&self) -> bool {
        self.verdicts.iter().any(Verdict::is_failure)
    }
}

/// Examines functions under all settings, `per_file` of them in one compilation, `jobs` compilations at a time.
pub fn judge(functions: Vec<Function>, settings: &[Setting], per_file: usize, jobs: usize) -> io::Result<Vec<Judged>> {
    let chunks: Vec<&[Function]> = functions.chunks(per_file).collect();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || -> io::Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(at / settings.len()) else { return Ok(()) };
            let members: Vec<&Function> = chunk.iter().collect();
            let verdicts = examine(&members, &settings[at % settings.len()])?;
            results.lock().expect("no thread panics").insert(at, verdicts);
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    let results = results.into_inner().expect("no thread panics");
    let verdict = |index: usize, setting: usize| {
        results[&(index / per_file * settings.len() + setting)][index % per_file].clone()
    };
    let verdicts = |index: usize| (0..settings.len()).map(|setting| verdict(index, setting)).collect();
    let all: Vec<Vec<Verdict>> = (0..functions.len()).map(verdicts).collect();
    Ok(functions.into_iter().zip(all).map(|(function, verdicts)| Judged { function, verdicts }).collect())
}

/// How many functions have a feature, and what became of them.
#[derive(Debug)]
pub struct Row {
    /// The feature's name.
    pub feature: &'static str,
    /// Functions that have it.
    pub functions: usize,
    /// Of these, refused.
    pub refused: usize,
    /// Of these, failed.
    pub failed: usize,
}

/// A row per feature, and one named `none` for functions without any.
pub fn by_feature(judged: &[Judged]) -> Vec<Row> {
    let row = |feature: &'static str, belongs: &dyn Fn(&Judged) -> bool| {
        let members: Vec<&Judged> = judged.iter().filter(|j| belongs(j)).collect();
        Row {
            feature,
            functions: members.len(),
            refused: members.iter().filter(|j| j.is_refused()).count(),
            failed: members.iter().filter(|j| j.is_failure()).count(),
        }
    };
    let mut rows = vec![row("none", &|j| j.function.features.is_empty())];
    rows.extend(FEATURES.iter().map(|f| row(f.name, &|j| j.function.features.contains(f.name))));
    rows
}

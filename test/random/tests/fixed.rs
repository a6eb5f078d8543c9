//! A fixed set of random tests: no gradient is wrong, nothing dies, no sanitizer reports anything.
//!
//! `refused.counts` says how many functions of each feature the plugin refuses. More than that is a failure; where it is
//! fewer, `BLESS=1 cargo test -p random` writes the new numbers, and they can only be exceeded again by changing them.

use random::examine::{Setting, Verdict, examine};
use random::features::FEATURES;
use random::generate::Taste;
use random::judge::{Judged, by_feature, judge};
use random::reduce::{cut, reduce};
use random::rng::Rng;
use random::run::{Scratch, plugin};
use random::tree::{Function, Item, Stmt, print_file};
use random::{generate, mutate};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

const SEED: u64 = 7;
const FUNCTIONS: usize = 72;
const MUTANTS: usize = 160;

fn all_features() -> Taste {
    Taste::of(FEATURES.iter().map(|f| f.name).collect())
}

fn functions(count: usize) -> Vec<Function> {
    (0..count).map(|index| generate::function(SEED, index, &all_features())).collect()
}

fn settings() -> Vec<Setting> {
    let plugin = plugin().expect("cargo builds the plugin for these tests");
    let levels = [("-O0", false, "replay=never"), ("-O2", false, ""), ("-O1", true, "replay=always pack")];
    let setting = |(level, sanitize, options): (&str, bool, &str)| Setting {
        plugin: plugin.clone(),
        level: level.to_owned(),
        sanitize,
        options: options.to_owned(),
    };
    levels.into_iter().map(setting).collect()
}

#[test]
fn no_generated_function_has_a_wrong_gradient() {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let judged = judge(functions(FUNCTIONS), &settings(), 12, jobs).expect("compilers can be run");
    let failed: Vec<String> = judged.iter().filter(|j| j.is_failure()).map(describe).collect();
    assert!(failed.is_empty(), "reduce with `cargo run -p random -- --seed {SEED} --sanitize`:\n{}", failed.join("\n"));
    let points = judged.iter().flat_map(|j| &j.verdicts).filter_map(Verdict::smooth);
    let (smooth, all) = points.fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    assert!(smooth * 3 > all, "differences decide at {smooth} of {all} points only");
    check_refusals(&judged);
}

/// The checks see a derivative that both modes get wrong, and one that is wrong in one of two calls.
#[test]
fn checks_find_what_is_wrong() {
    let function = |name: &str, result: &str| Function {
        name: name.to_owned(),
        items: vec![Item { head: format!("static int {name}_calls;"), body: None }],
        body: vec![Stmt::plain(format!("return {result};"), vec![])],
        features: BTreeSet::new(),
        layouts: 1,
        single: false,
    };
    // Finer steps than those of the differences: a slope of 1 whose derivative is 0.
    let steps = function("steps", "x[0] * y[1] + floor(a * 1e9) * 1e-9");
    let changes = function("changes", "x[0] * (++changes_calls % 2 ? y[1] : y[2])");
    let right = function("right", "x[0] * y[1] + a * a");
    let setting = Setting {
        plugin: plugin().expect("cargo builds the plugin"),
        level: "-O1".into(),
        sanitize: false,
        options: String::new(),
    };
    let verdicts = examine(&[&steps, &changes, &right], &setting).expect("compilers can be run");
    let words: Vec<&str> = verdicts.iter().map(Verdict::word).collect();
    assert_eq!(words, ["wrong", "wrong", "right"], "{verdicts:?}");
    assert!(verdicts[0].to_string().contains("against differences"), "{}", verdicts[0]);
    let (small, _) = reduce(&steps, &setting, &verdicts[0], 20).expect("compilers can be run");
    assert_eq!(small.items, [], "what has no part in a fault is cut away");
    assert_eq!(small.body, steps.body);
}

fn describe(judged: &Judged) -> String {
    let verdicts: Vec<String> = judged.verdicts.iter().map(ToString::to_string).collect();
    format!("{}: {}", judged.function.name, verdicts.join("; "))
}

/// Compares what is refused with `refused.counts`.
fn check_refusals(judged: &[Judged]) {
    let path = expectations();
    let rows = by_feature(judged);
    let listed: String =
        rows.iter().map(|row| format!("{} {} of {}\n", row.feature, row.refused, row.functions)).collect();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &listed).expect("expectations can be written");
    }
    let text = fs::read_to_string(&path).expect("expectations can be read");
    let expected: BTreeMap<&str, usize> = text
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let feature = words.next().expect("a feature");
            (feature, words.next().expect("a number").parse().expect("a number"))
        })
        .collect();
    let more: Vec<String> = rows
        .iter()
        .filter(|row| expected.get(row.feature).is_none_or(|&most| row.refused > most))
        .map(|row| format!("{}: {} of {} are refused", row.feature, row.refused, row.functions))
        .collect();
    assert!(more.is_empty(), "more is refused than {} says:\n{}", path.display(), more.join("\n"));
    if listed != text {
        println!("fewer are refused than {} says; now:\n{listed}", path.display());
    }
}

fn expectations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused.counts")
}

#[test]
fn mutants_neither_kill_the_plugin_nor_make_it_write_invalid_ir() {
    let scratch = Scratch::new().expect("a temporary directory");
    let inputs = functions(10);
    let modules: Vec<String> = inputs
        .iter()
        .flat_map(|function| ["-O0", "-O2"].map(|level| mutate::generated(&scratch, function, level)))
        .filter_map(|module| module.expect("clang can be run"))
        .collect();
    assert_eq!(modules.len(), 2 * inputs.len(), "all inputs compile");
    let plugin = plugin().expect("cargo builds the plugin for these tests");
    let reactions = mutate::survey(&modules, SEED, MUTANTS, &plugin).expect("opt can be run");
    let failed: Vec<&str> = reactions
        .iter()
        .filter_map(|(_, reaction)| match reaction {
            mutate::Reaction::Failed(why) => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert!(failed.is_empty(), "`cargo run -p random --bin mutate -- --seed {SEED}`:\n{}", failed.join("\n"));
    let valid = reactions.iter().filter(|(_, reaction)| *reaction != mutate::Reaction::Rejected).count();
    assert!(valid * 5 > MUTANTS, "only {valid} of {MUTANTS} mutants are valid");
}

#[test]
fn a_seed_gives_the_same_program_and_every_feature_appears() {
    let (one, two) = (functions(FUNCTIONS), functions(FUNCTIONS));
    assert_eq!(one, two);
    for feature in FEATURES {
        assert!(one.iter().any(|f| f.features.contains(feature.name)), "no function has {}", feature.name);
    }
}

#[test]
fn features_can_be_left_out() {
    let taste = Taste::of(BTreeSet::from(["while"]));
    for index in 0..50 {
        let function = generate::function(SEED, index, &taste);
        assert!(function.features.is_subset(&taste.allowed));
        let text = function.print();
        assert!(!["malloc", "goto", "struct", "switch", "memcpy"].iter().any(|word| text.contains(word)), "{text}");
    }
}

/// Cutting wherever possible ends, and what is left is next to nothing.
#[test]
fn cuts_make_a_function_smaller() {
    for mut function in functions(10) {
        let mut cuts = 0;
        while let Some(smaller) = cut(&function, 0) {
            assert_ne!(smaller, function);
            function = smaller;
            cuts += 1;
            assert!(cuts < 10_000, "cuts do not end");
        }
        assert!(function.body.is_empty() && function.items.is_empty());
        let (text, starts) = print_file(&[&function]);
        assert!(text.lines().nth(starts[0] - 1).is_some_and(|line| line.contains(&function.name)));
    }
}

#[test]
fn random_numbers_are_spread() {
    let mut rng = Rng::new(SEED, 0);
    let mut counts = [0; 10];
    for _ in 0..10_000 {
        counts[rng.below(10)] += 1;
    }
    assert!(counts.iter().all(|&count| (800..1200).contains(&count)), "{counts:?}");
}

//! Tapes and slots as `-pardiff-print=store` shows them: layout, loops with extents, guards, bytes per point.

use super::poly::Var;
use super::{Content, Growth, Home, RevProg, Shape, Slot, Snapshot};
use crate::primal::{Expr, Primal};
use std::fmt::Write;

/// All tapes, slots and the numbering of slots that are not rectangular.
pub(super) fn show(prog: &RevProg, primal: &Primal) -> String {
    let mut out = String::new();
    for (t, tape) in prog.tapes.iter().enumerate() {
        let line = primal.loops[tape.root.index()].line;
        let growth = match &tape.growth {
            Growth::Fixed => "allocated on entry".to_string(),
            Growth::ByEntry(e) => format!("grows by {} on each entry", e.show(primal)),
            Growth::ByIteration => "grows by iteration".to_string(),
        };
        let starts = tape.starts.map_or(String::new(), |s| format!(", starts in {s:?}"));
        let count = tape.slots.len();
        let _ = writeln!(out, "tape t{t} of loop {:?} (line {line}): {growth}, {count} slots{starts}", tape.root);
    }
    for (l, most, parts) in &prog.checkpoints {
        let line = primal.loops[l.index()].line;
        let _ = writeln!(out, "snapshots of loop {l:?} (line {line}), at most {} and one more:", primal.show(*most));
        for part in parts {
            let _ = writeln!(out, "  {part}");
        }
    }
    for (s, slot) in prog.slots.iter().enumerate() {
        let _ = writeln!(out, "slot s{s}: {}", describe(prog, primal, slot));
    }
    let uneven = prog.shapes.iter().filter(|s| !s.is_rectangular());
    for shape in uneven {
        let innermost = shape.dims[shape.dims.len() - 1].of;
        let before: Vec<_> = shape.dims.iter().map(|d| d.before.show(&name(shape, primal))).collect();
        let points = shape.points.show(&name(shape, primal));
        let _ = writeln!(out, "points of {innermost:?}: {} of {points}", before.join(" + "));
    }
    out
}

fn describe(prog: &RevProg, primal: &Primal, slot: &Slot) -> String {
    let of = match slot.of {
        Content::Value(v) => primal.show(v),
        Content::Start(t) => format!("starts of t{t}"),
        Content::Snapshot(n) => snapshot(&prog.snapshots[n as usize], primal),
    };
    let home = match slot.home {
        Home::Register => "register".to_string(),
        Home::Stack => "stack".to_string(),
        Home::Block(at) => format!("the function's block at {at}"),
        Home::Tape(t) => format!("tape t{t}"),
    };
    let shape = slot.shape.map(|s| &prog.shapes[s as usize]);
    let dims = shape.map_or(&[][..], |s| &s.dims);
    let around = &slot.nest[..slot.nest.len() - dims.len()];
    let mut loops: Vec<String> = around.iter().map(|l| format!("[{l:?}]")).collect();
    loops.extend(dims.iter().map(|d| {
        let extent = match (&d.extent, shape) {
            (Some(e), Some(shape)) => e.show(&name(shape, primal)),
            _ => "?".to_string(),
        };
        format!("[{:?} < {extent}]", d.of)
    }));
    let layout = match shape {
        None => "",
        Some(_) if !around.is_empty() => ", ragged",
        Some(s) if s.is_rectangular() => ", rectangular",
        Some(_) => ", polynomial",
    };
    let loops = if loops.is_empty() { String::new() } else { format!(" {}", loops.concat()) };
    let bytes = match slot.of {
        Content::Snapshot(n) => prog.snapshots[n as usize].bytes.show(primal),
        _ => (slot.ty.bytes() * u64::from(slot.lanes)).to_string(),
    };
    let guards = shape.map_or(String::new(), |s| guards(s, primal));
    let replayed = slot.segment.map_or(String::new(), |l| format!(", replayed in {l:?}"));
    let bytes = if slot.packed { "1 bit".to_string() } else { format!("{bytes} bytes") };
    format!("{of} {:?}{loops}{guards}, {bytes}{layout} in {home}{replayed}", slot.ty)
}

fn snapshot(snapshot: &Snapshot, primal: &Primal) -> String {
    let from = match &snapshot.from {
        Expr::Const(_, 0) => String::new(),
        from => format!(" from {}", from.show(primal)),
    };
    let loads: Vec<String> = snapshot.loads.iter().map(|l| primal.show(*l)).collect();
    format!("copy of {}{from} for {}", primal.show(snapshot.base), loads.join(" "))
}

fn guards(shape: &Shape, primal: &Primal) -> String {
    let one = |&(v, sense): &(_, bool)| format!("{}{}", if sense { "" } else { "not " }, primal.show(v));
    let all: Vec<_> = shape.guards.iter().map(one).collect();
    if all.is_empty() { String::new() } else { format!(" if {}", all.join(" and ")) }
}

fn name<'a>(shape: &'a Shape, primal: &'a Primal) -> impl Fn(Var) -> String + 'a {
    move |v| match v {
        Var::Iter(l) => format!("{l:?}"),
        Var::Number(n) => shape.numbers[n as usize].show(primal),
    }
}

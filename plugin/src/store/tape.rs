//! Groups slots into tapes and puts the statements that get, fill, find and release them into both sweeps.
//!
//! Slots whose shapes have one root share a tape. The tape of an inner root has one more slot, at the iteration points around
//! the root, for where its iterations start; this may bring in a tape further out. Slots outside loops are variables. A
//! variable that lives through a long function costs the compiler time in every block on its way; where that is too much they are
//! in one block of memory, as most of them would be anyway once registers run out. Cost: linear.

use super::shapes::Shapes;
use crate::facts::Facts;
use crate::primal::{LoopId, Primal, Ty};
use crate::revprog::{Act, Content, Growth, Home, Node, NodeId, RevProg, Segment, Slot, SlotId, Source, Tape};
use indexmap::IndexMap;

/// Slots outside loops beyond which they are not variables.
const MOST_VARIABLES: usize = 1_000;
/// The same, times basic blocks.
const MOST_LIVE: usize = 200_000;

/// Puts the statements about slots and tapes, which `group` made, into both sweeps.
pub fn lay_out(prog: &mut RevProg, primal: &Primal) {
    share_block(prog, primal);
    fill(prog);
    let Some(reverse) = prog.reverse else { return };
    let mut replays = vec![];
    prog.walk(reverse, &mut |_, node| {
        if let Node::Replay(l, body) = node {
            replays.push((Some(*l), *body));
        }
    });
    let mut back = Additions::new();
    for (segment, sweep) in replays.into_iter().chain([(None, prog.forward)]) {
        let mut ahead = additions(prog, segment, &mut back);
        find_outer(prog, primal, segment, &mut ahead);
        add(prog, sweep, &ahead);
    }
    add(prog, reverse, &back);
}

/// A replay finds where the entries of inner roots start on the tapes of the segments around it.
fn find_outer(prog: &RevProg, primal: &Primal, segment: Segment, ahead: &mut Additions) {
    let Some(l) = segment else { return };
    let around = primal.nest(primal.loops[l.index()].parent);
    let is_outer = |s: Segment| s.is_none_or(|s| around.contains(&s));
    for (t, tape) in prog.tapes.iter().enumerate() {
        if tape.starts.is_some() && is_outer(tape.segment) {
            ahead.entry(tape.root).or_default().before.push(Act::Find(t as u32));
        }
    }
}

/// What is added to the loops of a segment, and to the same loops in the reverse sweep.
fn additions(prog: &RevProg, segment: Segment, back: &mut Additions) -> Additions {
    let mut ahead = Additions::new();
    let tapes = || prog.tapes.iter().enumerate().filter(|(_, t)| t.segment == segment);
    for (t, tape) in tapes() {
        let t = t as u32;
        ahead.entry(tape.outermost).or_default().before.push(Act::Allocate(t));
        back.entry(tape.outermost).or_default().after.push(Act::Release(t));
    }
    for (t, tape) in tapes() {
        let t = t as u32;
        if tape.starts.is_some() {
            ahead.entry(tape.root).or_default().before.push(Act::Start(t));
            back.entry(tape.root).or_default().before.push(Act::Find(t));
        }
        if tape.growth == Growth::ByIteration {
            ahead.entry(tape.root).or_default().first.push(Act::Grow(t));
        }
    }
    ahead
}

/// Statements to add to a loop.
#[derive(Default)]
struct Addition {
    /// Before it.
    before: Vec<Act>,
    /// At the start of each iteration.
    first: Vec<Act>,
    /// After it.
    after: Vec<Act>,
}

type Additions = IndexMap<LoopId, Addition>;

/// Groups the slots of a program whose sources are decided.
pub fn group(prog: &mut RevProg, primal: &Primal, facts: &Facts, shapes: &mut Shapes) {
    let mut by_root: IndexMap<(Segment, LoopId), u32> = IndexMap::new();
    let mut s = 0;
    // Tapes of inner roots add slots on the way.
    while let Some(slot) = prog.slots.get(s) {
        if let (Home::Tape(_), Some(shape)) = (slot.home, slot.shape) {
            let shape = &shapes.all[shape as usize];
            let (root, outermost, grows) = (shape.dims[0].of, slot.nest[0], shape.grows());
            let segment = slot.segment;
            let t = *by_root.entry((segment, root)).or_insert_with(|| {
                let growth = match (&facts.loops[root.index()].trip, grows) {
                    (_, false) => Growth::Fixed,
                    (Some(e), true) => Growth::ByEntry(e.clone()),
                    (None, true) => Growth::ByIteration,
                };
                prog.tapes.push(Tape { segment, outermost, root, slots: vec![], growth, starts: None });
                prog.tapes.len() as u32 - 1
            });
            if root != outermost && prog.tapes[t as usize].starts.is_none() {
                let around = primal.loops[root.index()].parent;
                prog.tapes[t as usize].starts = Some(SlotId(prog.slots.len() as u32));
                prog.slots.push(shapes.slot(Content::Start(t), Ty::Int(64), segment, around));
            }
            prog.tapes[t as usize].slots.push(SlotId(s as u32));
            prog.slots[s].home = Home::Tape(t);
        }
        s += 1;
    }
    for tape in prog.tapes.iter_mut().filter(|t| t.growth != Growth::Fixed) {
        // Copies of memory have sizes that suit all others.
        tape.slots.sort_by_key(|s| match prog.slots[s.index()] {
            Slot { of: Content::Snapshot(_), .. } => std::cmp::Reverse(u64::MAX),
            Slot { ty, .. } => std::cmp::Reverse(ty.bytes()),
        });
    }
}

/// Lets eight points of a slot share a byte: conditions on tapes of known size. Iterations run one after the other.
pub fn pack(prog: &mut RevProg) {
    for slot in prog.slots.iter_mut().filter(|s| s.ty == Ty::Int(1)) {
        slot.packed = matches!(slot.home, Home::Tape(t) if prog.tapes[t as usize].growth == Growth::Fixed);
    }
}

/// Puts variables in one block if there are too many.
fn share_block(prog: &mut RevProg, primal: &Primal) {
    let mut variables: Vec<&mut Slot> = prog.slots.iter_mut().filter(|s| s.home == Home::Register).collect();
    if variables.len() <= MOST_VARIABLES && variables.len() * primal.blocks.len() <= MOST_LIVE {
        return;
    }
    let mut at = 0u64;
    for slot in &mut variables {
        let bytes = slot.ty.bytes() * u64::from(slot.lanes);
        at = at.next_multiple_of(slot.ty.bytes());
        slot.home = Home::Block(at);
        at += bytes;
    }
}

/// Keeps each value of the forward sweep where it becomes available.
fn fill(prog: &mut RevProg) {
    let mut places = Vec::new();
    prog.walk(prog.forward, &mut |n, node| {
        if let Node::Stmt(Act::Primal(v) | Act::CallForward(v)) = node
            && let Some(Source::Kept(s)) = prog.source(*v)
            && prog.slots[s.index()].segment.is_none()
        {
            places.push((n, Act::Keep(*s, *v)));
        }
    });
    for (n, keep) in places {
        prog.surround(n, &[], &[keep]);
    }
}

fn add(prog: &mut RevProg, sweep: NodeId, additions: &Additions) {
    let mut found = Vec::new();
    prog.walk(sweep, &mut |n, node| {
        if let Node::Loop(l) = node
            && let Some(addition) = additions.get(&l.of)
        {
            found.push((n, l.clone(), addition));
        }
    });
    for (n, mut l, addition) in found {
        if !addition.first.is_empty() {
            let mut parts: Vec<NodeId> = addition.first.iter().map(|a| prog.stmt(a.clone())).collect();
            parts.push(l.body);
            l.body = prog.node(Node::Seq(parts));
            prog.nodes[n.index()] = Node::Loop(l);
        }
        prog.surround(n, &addition.before, &addition.after);
    }
}

//! Groups slots into tapes and puts the statements that fill, get and release them into both sweeps.

use crate::primal::LoopId;
use crate::revprog::{Act, Home, Node, NodeId, RevProg, SlotId, Source, Tape};

/// Lays out the slots of a program whose sources are decided.
pub fn lay_out(prog: &mut RevProg) {
    group(prog);
    fill(prog);
    let Some(reverse) = prog.reverse else { return };
    for t in 0..prog.tapes.len() {
        let Tape { outermost, growable, .. } = prog.tapes[t].clone();
        let t = t as u32;
        for n in loops(prog, prog.forward, outermost) {
            if growable {
                grow(prog, n, t);
            }
            surround(prog, n, Some(Act::Allocate(t)), None);
        }
        for n in loops(prog, reverse, outermost) {
            surround(prog, n, None, Some(Act::Release(t)));
        }
    }
}

fn group(prog: &mut RevProg) {
    for s in 0..prog.slots.len() {
        if !matches!(prog.slots[s].home, Home::Tape(_)) {
            continue;
        }
        let (outermost, extent) = &prog.slots[s].dims[0];
        let (outermost, growable) = (*outermost, extent.is_none());
        let id = SlotId(s as u32);
        let found = prog.tapes.iter().position(|t| t.outermost == outermost && t.growable == growable);
        let t = found.unwrap_or_else(|| {
            prog.tapes.push(Tape { outermost, slots: vec![], growable });
            prog.tapes.len() - 1
        });
        prog.tapes[t].slots.push(id);
        prog.slots[s].home = Home::Tape(t as u32);
    }
}

/// Keeps each value where it becomes available.
fn fill(prog: &mut RevProg) {
    let mut places = Vec::new();
    prog.walk(prog.forward, &mut |n, node| {
        if let Node::Stmt(Act::Primal(v)) = node
            && let Some(Source::Kept(s)) = prog.source(*v)
        {
            places.push((n, *s, *v));
        }
    });
    for (n, s, v) in places {
        surround(prog, n, None, Some(Act::Keep(s, v)));
    }
}

fn loops(prog: &RevProg, under: NodeId, of: LoopId) -> Vec<NodeId> {
    let mut found = Vec::new();
    prog.walk(under, &mut |n, node| {
        if matches!(node, Node::Loop(l) if l.of == of) {
            found.push(n);
        }
    });
    found
}

fn grow(prog: &mut RevProg, n: NodeId, t: u32) {
    let Node::Loop(mut l) = prog.nodes[n.index()].clone() else { return };
    let grow = prog.stmt(Act::Grow(t));
    l.body = prog.node(Node::Seq(vec![grow, l.body]));
    prog.nodes[n.index()] = Node::Loop(l);
}

/// Replaces a node by itself with statements before or after it.
fn surround(prog: &mut RevProg, n: NodeId, before: Option<Act>, after: Option<Act>) {
    let inner = prog.nodes[n.index()].clone();
    let mut parts: Vec<NodeId> = before.into_iter().map(|a| prog.stmt(a)).collect();
    parts.push(prog.node(inner));
    parts.extend(after.map(|a| prog.stmt(a)));
    prog.nodes[n.index()] = Node::Seq(parts);
}

//! Leaves out of the forward sweep what nobody wants: neither the reverse sweep nor the caller.
//!
//! What stays are effects (writes that are read, calls, memory that is given back, paths that never return, loops that may have no end),
//! shadows of pointers that are stored, what is kept, and the function's result if that is wanted; with what these need (`runs`).
//! Writes stay if others may see them or something that is run reads them (`unread`); so do those that repeated loads and
//! replays find in memory. Cost: that of `runs` and `unread`.

use super::address::Address;
use super::runs::{Closure, Needs, Runs, Within};
use super::unread::{self, Unread};
use crate::facts::Facts;
use crate::facts::checkpoints::Checkpoint;
use crate::primal::{Def, Expr, Inst, Op, Primal, Ty, ValueId, cfg};
use crate::revprog::{Act, Content, Growth, Node, RevProg, Shape, Snapshot, Source};

/// What is run of the forward sweep of a program whose sources are decided.
pub fn needed(prog: &RevProg, primal: &Primal, facts: &Facts, shapes: &[Shape], replays: &[Runs]) -> Runs {
    let unread = Unread::new(primal, facts, cfg::live_blocks(primal));
    let sweep = Sweep { primal, facts, unread };
    let mut closure = Closure::new(prog, primal, None, sweep, facts.results.returned);
    prog.walk(prog.forward, &mut |_, node| {
        if let Node::Stmt(act) = node {
            let needs = closure.within.roots(act);
            closure.meet(needs);
        }
    });
    kept(prog, shapes, &mut closure);
    let repeated = (0..primal.values.len()).map(|v| ValueId(v as u32));
    let repeated = repeated.filter(|v| prog.source(*v) == Some(&Source::Reload));
    let replayed = replays.iter().flat_map(|r| r.readers.iter().copied());
    for v in repeated.chain(replayed) {
        let run = closure.within.unread.read_by(v);
        closure.meet(Needs { run, ..Needs::default() });
    }
    loop {
        let before = closure.size();
        closure.round(prog.forward);
        if closure.size() == before {
            return closure.runs;
        }
    }
}

/// Prunes the forward sweep of a program whose sources are decided and whose slots are grouped. Gives what is left.
pub fn prune(prog: &mut RevProg, primal: &Primal, facts: &Facts, shapes: &[Shape], replays: &[Runs]) -> Runs {
    let runs = needed(prog, primal, facts, shapes, replays);
    let forward = runs.copy(prog, prog.forward);
    prog.forward = forward.unwrap_or_else(|| prog.seq(vec![]));
    // What was not stored is not undone.
    for node in &mut prog.nodes {
        if let Node::Stmt(Act::Undo(s) | Act::Redo(s)) = node
            && !runs.values.contains(s)
        {
            *node = Node::Seq(vec![]);
        }
    }
    runs
}

/// Wants the values that the forward sweep keeps, and what the sizes of its tapes are computed from.
fn kept(prog: &RevProg, shapes: &[Shape], closure: &mut Closure<Sweep>) {
    for slot in prog.slots.iter().filter(|s| s.segment.is_none()) {
        match slot.of {
            Content::Value(v) => closure.run(v),
            Content::Snapshot(n) => {
                let needs = copied(&prog.snapshots[n as usize], &mut closure.within.unread);
                closure.meet(needs);
            }
            Content::Start(_) => {}
        }
        let Some(shape) = slot.shape.map(|s| &shapes[s as usize]) else { continue };
        shape.numbers.iter().flat_map(Expr::values).for_each(|v| closure.want(v));
        shape.guards.iter().for_each(|(v, _)| closure.want(*v));
    }
    for tape in prog.tapes.iter().filter(|t| t.segment.is_none()) {
        if let Growth::ByEntry(count) = &tape.growth {
            count.values().into_iter().for_each(|v| closure.want(v));
        }
    }
}

/// What taking a copy needs: its place and size, and what others have written there.
fn copied(snapshot: &Snapshot, unread: &mut Unread) -> Needs {
    let Snapshot { base, from, bytes, guards, loads, .. } = snapshot;
    let want = from.values().into_iter().chain(bytes.values()).chain(guards.iter().map(|g| g.0)).chain([*base]);
    Needs { run: loads.iter().flat_map(|l| unread.read_by(*l)).collect(), want: want.collect(), loops: vec![] }
}

/// The forward sweep, which computes everything in its place.
struct Sweep<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    unread: Unread<'a>,
}

impl Within for Sweep<'_> {
    fn computes(&mut self, v: ValueId) -> bool {
        !matches!(self.primal.value(v).def, Def::Arg(_) | Def::Const | Def::Global(_))
    }

    fn needs(&mut self, v: ValueId, runs: &mut Runs) -> Needs {
        let mut needs = match &self.primal.value(v).def {
            Def::Shadow(of) => self.root_shadow(*of, runs),
            Def::Record(of) => Needs { want: vec![*of], ..Needs::default() },
            Def::Inst(Inst { op: Op::Free, operands, .. }) => self.shadows(&operands[..1]),
            Def::Inst(Inst { op: Op::Callee(_), operands, .. }) => self.shadows(operands),
            _ => Needs::default(),
        };
        needs.run.append(&mut self.unread.read_by(v));
        needs
    }

    fn met(&self) -> usize {
        0
    }
}

impl Sweep<'_> {
    /// What a statement needs that stays in any case; nothing of one that does not.
    fn roots(&self, act: &Act) -> Needs {
        let run = |v: ValueId| Needs { run: vec![v], ..Needs::default() };
        let operands = |v: ValueId| self.primal.inst(v).map_or(&[][..], |i| &i.operands);
        match act {
            Act::Primal(v) => match &self.primal.value(*v).def {
                Def::Inst(inst) if self.stays(*v, inst) => run(*v),
                // What a repeated load finds in the shadow is looked at here.
                Def::Shadow(of) if self.is_checked(*of) => run(*v),
                _ => Needs::default(),
            },
            Act::CallForward(v) => run(*v),
            Act::OpenSnapshots(l) => {
                let Checkpoint { call, snapshots, whole, .. } = &self.facts.checkpoints[l];
                let trip = self.facts.loops[l.index()].trip.iter().flat_map(Expr::values);
                let whole = whole.iter().flat_map(|(base, size)| size.values().into_iter().chain([*base]));
                let want = operands(*call).iter().copied().chain([*snapshots]).chain(trip).chain(whole).collect();
                Needs { want, ..Needs::default() }
            }
            Act::StoreShadow(v) => self.shadows(operands(*v)),
            Act::CopyShadows(v) => {
                let mut needs = self.shadows(&operands(*v)[..2]);
                needs.want.extend(&operands(*v)[2..]);
                needs
            }
            Act::Return(v) if self.facts.results.returned => Needs { want: vec![*v], ..Needs::default() },
            _ => Needs::default(),
        }
    }

    fn stays(&self, v: ValueId, inst: &Inst) -> bool {
        let writes = matches!(inst.op, Op::Store | Op::Fill | Op::Copy);
        unread::has_effect(inst) || writes && !self.unread.is_pending(v)
    }

    fn is_checked(&self, of: ValueId) -> bool {
        self.primal.op(of) == Some(&Op::Load) && self.facts.may_be_as_on_entry(of)
    }

    /// What a shadow that no other leads to is made from.
    fn root_shadow(&self, of: ValueId, runs: &mut Runs) -> Needs {
        let Some(inst) = self.primal.inst(of) else { return Needs::default() };
        match inst.op {
            Op::Phi(_) => {
                runs.chosen.insert(of);
                self.shadows(&inst.operands)
            }
            Op::Load => {
                let mut needs = self.shadows(&inst.operands);
                needs.want.push(of);
                needs
            }
            _ => Needs { want: vec![of], ..Needs::default() },
        }
    }

    /// What the shadows of pointers are formed from.
    fn shadows(&self, pointers: &[ValueId]) -> Needs {
        let mut address = Address::default();
        for &p in pointers.iter().filter(|p| self.primal.ty(**p) == Ty::Ptr) {
            // Null where nothing is known, as in the sweep.
            let _ = address.add(self.primal, self.facts, p);
        }
        Needs { run: vec![], want: address.values, loops: address.loops }
    }
}

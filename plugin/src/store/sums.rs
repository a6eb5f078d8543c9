//! Which sums of the primal may be added up in any order, where they are run for the gradient alone?
//!
//! A loop that adds up in the order of the source cannot be vectorised, and its result is the same to rounding in any order. A
//! sum is free where it is run (the forward sweep, or a replay) if the loop does nothing with it but add (`chain`) and nobody
//! can tell: its bits do not reach what the caller gets, nor an integer, a branch or an address. Compensated sums use what is added up so far,
//! so their loops do more than add. A choice between two numbers (`x > most ? x : most`) may depend on a free sum if
//! nothing but one sweep or replay computes the sum: then all that was chosen was chosen once. Cost: linear in values and, for what is stored,
//! writers of one object.

use super::runs::Runs;
use super::unread::{Unread, has_effect, looks_around};
use crate::facts::Facts;
use crate::facts::objects::ObjectId;
use crate::primal::{Inst, Op, Primal, Term, ValueId, cfg};
use crate::revprog::{RevProg, Segment};
use crate::rules;
use std::collections::{BTreeMap, BTreeSet};

/// The additions, and the products that are added and used for nothing else, of free sums; with where they are run.
pub fn free(prog: &RevProg, primal: &Primal, facts: &Facts, runs: &[&Runs]) -> BTreeSet<(Segment, ValueId)> {
    let users = users(primal);
    let chains: Vec<Vec<ValueId>> = primal.insts().filter_map(|(v, i)| chain(prog, primal, &users, v, i)).collect();
    let mut free = BTreeSet::new();
    if chains.is_empty() {
        return free;
    }
    let present = |v: ValueId| prog.source(v).is_some() || runs.iter().any(|r| r.values.contains(&v));
    let behind = Behind::new(primal, facts, present);
    let [told, chosen] = [tells, chooses].map(|is: fn(&Primal, &Users, ValueId, &Inst) -> bool| {
        let insts = primal.insts().filter(|(v, i)| present(*v) && is(primal, &users, *v, i));
        behind.all(insts.map(|(v, _)| v).collect())
    });
    for run in runs {
        let seen = if run.of.is_none() { seen(primal, facts, run, &behind) } else { BTreeSet::new() };
        for chain in &chains {
            let last = chain[chain.len() - 1];
            let here = run.values.contains(&last);
            let once = runs.iter().filter(|r| r.values.contains(&last)).count() == 1;
            if here && !told.contains(&last) && !seen.contains(&last) && (once || !chosen.contains(&last)) {
                free.extend(chain.iter().map(|v| (run.of, *v)));
                free.extend(chain.iter().flat_map(|v| products(prog, primal, &users, *v)).map(|v| (run.of, v)));
            }
        }
    }
    free
}

/// Per value: the instructions that use it, once per operand; none for a value that control flow or the end of the function uses.
type Users = Vec<Option<Vec<ValueId>>>;

fn users(primal: &Primal) -> Users {
    let mut users: Users = vec![Some(vec![]); primal.values.len()];
    for (v, inst) in primal.insts() {
        for o in &inst.operands {
            users[o.index()].iter_mut().for_each(|known| known.push(v));
        }
    }
    for block in &primal.blocks {
        if let Term::Branch(v, ..) | Term::Return(Some(v)) = block.term {
            users[v.index()] = None;
        }
    }
    users
}

/// The additions by which a header phi gets from one iteration to the next, the last one last. Nothing in the loop uses
/// what is added up in another way, and the reverse sweep does not want it.
fn chain(prog: &RevProg, primal: &Primal, users: &Users, phi: ValueId, inst: &Inst) -> Option<Vec<ValueId>> {
    let Op::Phi(_) = inst.op else { return None };
    let l = primal.loop_of[inst.block.index()].filter(|l| primal.loops[l.index()].header == inst.block)?;
    let mut chain = vec![];
    let mut at = phi;
    while prog.source(at).is_none() && primal.ty(at).is_real() {
        let (inside, outside): (Vec<ValueId>, Vec<ValueId>) =
            users[at.index()].as_ref()?.iter().partition(|u| primal.is_value_in(**u, l));
        let &[user] = inside.as_slice() else { return None };
        if user == phi {
            return Some(chain).filter(|c| !c.is_empty());
        }
        let link = primal.inst(user).filter(|i| primal.loop_of[i.block.index()] == Some(l))?;
        let same = chain.first().is_none_or(|first| kind(primal, *first) == kind(primal, user));
        if !outside.is_empty() || !same || !adds_to(link, at) {
            return None;
        }
        chain.push(user);
        at = user;
    }
    None
}

#[derive(PartialEq, Eq)]
enum Kind {
    Sum,
    Product,
    /// A product that is added, with one rounding or two.
    Either,
}

fn kind(primal: &Primal, v: ValueId) -> Option<Kind> {
    match name(primal.inst(v)?) {
        "fadd" | "fsub" => Some(Kind::Sum),
        "fmul" => Some(Kind::Product),
        "fma" => Some(Kind::Either),
        _ => None,
    }
}

/// Whether an instruction adds to a value, or multiplies it.
fn adds_to(inst: &Inst, to: ValueId) -> bool {
    match (name(inst), inst.operands.as_slice()) {
        ("fadd" | "fmul", _) => true,
        ("fsub", [from, _]) => *from == to,
        ("fma", [a, b, sum]) => *sum == to && ![a, b].contains(&&to),
        _ => false,
    }
}

/// The name of a rule.
fn name(inst: &Inst) -> &'static str {
    match inst.op {
        Op::Rule(rule) => rules::row(rule).name,
        _ => "",
    }
}

/// The products that an addition adds and that nothing else uses.
fn products(prog: &RevProg, primal: &Primal, users: &Users, link: ValueId) -> Vec<ValueId> {
    let Some(inst) = primal.inst(link) else { return vec![] };
    let only = |v: &ValueId| users[v.index()].as_ref().is_some_and(|u| u.len() == 1) && prog.source(*v).is_none();
    let product = |v: &ValueId| kind(primal, *v) == Some(Kind::Product);
    let sum = kind(primal, link) == Some(Kind::Sum);
    inst.operands.iter().copied().filter(|v| sum && product(v) && only(v)).collect()
}

/// Whether an instruction makes something of numbers that tells their bits: integers, conditions, what a call does. Choices
/// between numbers are left to `chooses`.
fn tells(primal: &Primal, users: &Users, v: ValueId, inst: &Inst) -> bool {
    looks_around(inst) || !primal.ty(v).is_real() && inst.written().is_none() && !is_choice(primal, users, v, inst)
}

/// Whether an instruction chooses between numbers, or has a kink.
fn chooses(primal: &Primal, users: &Users, v: ValueId, inst: &Inst) -> bool {
    let kink = matches!(inst.op, Op::Rule(rule) if !rules::row(rule).edge.is_empty());
    kink || is_choice(primal, users, v, inst)
}

/// Whether an instruction is a comparison that is used for choices between numbers alone.
fn is_choice(primal: &Primal, users: &Users, v: ValueId, inst: &Inst) -> bool {
    let chooses = |u: &ValueId| {
        primal.ty(*u).is_real() && primal.inst(*u).is_some_and(|i| i.op == Op::Select && i.operands[0] == v)
    };
    inst.op == Op::Pure && users[v.index()].as_ref().is_some_and(|u| !u.is_empty() && u.iter().all(chooses))
}

/// What is behind all that the caller gets of the forward sweep.
fn seen(primal: &Primal, facts: &Facts, run: &Runs, behind: &Behind) -> BTreeSet<ValueId> {
    let unread = Unread::new(primal, facts, cfg::live_blocks(primal));
    let insts = || primal.insts().filter(|(v, _)| run.values.contains(v));
    let shown = |v: ValueId, i: &Inst| has_effect(i) || i.written().is_some() && !unread.is_pending(v);
    let mut start: Vec<ValueId> = insts().filter(|(v, i)| shown(*v, i)).map(|(v, _)| v).collect();
    if facts.results.returned {
        let returned = |term: &Term| if let Term::Return(v) = term { *v } else { None };
        start.extend(primal.blocks.iter().filter_map(|b| returned(&b.term)));
    }
    behind.all(start)
}

/// Finds what values are computed from.
struct Behind<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    /// Writes to memory that are run, by object.
    writers: BTreeMap<ObjectId, Vec<ValueId>>,
}

impl<'a> Behind<'a> {
    fn new(primal: &'a Primal, facts: &'a Facts, present: impl Fn(ValueId) -> bool) -> Self {
        let mut writers: BTreeMap<ObjectId, Vec<ValueId>> = BTreeMap::new();
        for (v, inst) in primal.insts().filter(|(v, _)| present(*v)) {
            for o in inst.written().into_iter().flat_map(|p| facts.objects.of(p)) {
                writers.entry(o).or_default().push(v);
            }
        }
        Behind { primal, facts, writers }
    }

    /// Everything that these are computed from, in registers and through memory.
    fn all(&self, mut work: Vec<ValueId>) -> BTreeSet<ValueId> {
        let (mut found, mut objects) = (BTreeSet::new(), BTreeSet::new());
        while let Some(v) = work.pop() {
            if !found.insert(v) {
                continue;
            }
            let Some(inst) = self.primal.inst(v) else { continue };
            work.extend(&inst.operands);
            let read = match inst.op {
                Op::Load => inst.operands[0],
                Op::Copy => inst.operands[1],
                _ if looks_around(inst) => {
                    work.extend(self.writers.values().flatten());
                    continue;
                }
                _ => continue,
            };
            for o in self.facts.objects.of(read).filter(|o| objects.insert(*o)) {
                let same = |w: &ObjectId| *w == o || !self.facts.objects_apart(*w, o, true);
                work.extend(self.writers.iter().filter(|(w, _)| same(w)).flat_map(|(_, writes)| writes));
            }
        }
        found
    }
}

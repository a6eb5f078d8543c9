//! Which writes to memory does anything read that is run?
//!
//! A write may be left out if nobody else can tell: it goes to memory of the function's own that no call sees and that nothing
//! from outside leads to, to that of an argument whose contents are not wanted, or to the library's error number. It is needed by what may read the memory and may be
//! executed after it. Arguments may be the same memory under two names unless `Facts::objects_apart` knows better. Cost:
//! readers x writers of one object at worst.

use crate::facts::Facts;
use crate::facts::objects::{Object, ObjectId};
use crate::facts::stability::acts_like_call;
use crate::primal::order::Order;
use crate::primal::{Allocation, Inst, Op, Primal, Term, ValueId};
use crate::rules::{self, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// The writes that nothing was found to read so far.
pub struct Unread<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    /// Asked for writes only.
    order: Option<Order>,
    /// Blocks from which the function returns.
    live: Vec<bool>,
    pending: BTreeSet<ValueId>,
    /// The same by object.
    writers: BTreeMap<ObjectId, Vec<ValueId>>,
}

/// Whether an instruction does something that the function's memory does not show.
pub fn has_effect(inst: &Inst) -> bool {
    acts_like_call(inst) || matches!(inst.op, Op::Allocate(_) | Op::Free)
}

/// Whether an instruction may look at memory that is not its own, behind its operands or elsewhere.
pub fn looks_around(inst: &Inst) -> bool {
    match inst.op {
        Op::Free => false,
        Op::Allocate(allocation) => allocation.own,
        _ => has_effect(inst),
    }
}

impl<'a> Unread<'a> {
    /// All writes that may be left out.
    pub fn new(primal: &'a Primal, facts: &'a Facts, live: Vec<bool>) -> Self {
        let (pending, writers) = (BTreeSet::new(), BTreeMap::new());
        let mut unread = Unread { primal, facts, order: None, live, pending, writers };
        let seen = seen(primal, facts);
        let hidden = |o: ObjectId| facts.objects.is_own(o) && !seen.contains(&o);
        let library = facts.objects.named(&Object::Unknown);
        for (v, inst) in primal.insts() {
            if let Some(library) = library.filter(|_| sets_error_number(inst)) {
                unread.pending.insert(v);
                unread.writers.entry(library).or_default().push(v);
            }
            let Some(to) = inst.written() else { continue };
            let objects: Vec<ObjectId> = facts.objects.of(to).collect();
            if !objects.is_empty() && objects.iter().all(|&o| hidden(o) || facts.results.unneeded.contains(&o)) {
                unread.pending.insert(v);
                objects.into_iter().for_each(|o| unread.writers.entry(o).or_default().push(v));
            }
        }
        unread.order = (!unread.pending.is_empty()).then(|| Order::new(primal));
        unread
    }

    /// Whether nothing was found to read what an instruction writes.
    pub fn is_pending(&self, v: ValueId) -> bool {
        self.pending.contains(&v)
    }

    /// The writes that an instruction may read, as far as they are not known to be read.
    pub fn read_by(&mut self, v: ValueId) -> Vec<ValueId> {
        let Some((inst, order)) = self.primal.inst(v).zip(self.order.as_ref()) else { return vec![] };
        let (mut found, block) = (vec![], inst.block);
        for o in self.objects_read(inst) {
            for &w in &self.writers[&o] {
                let at = self.primal.inst(w).expect("a store, fill or copy").block;
                if self.pending.contains(&w) && order.after((w, at), (v, block)) {
                    self.pending.remove(&w);
                    found.push(w);
                }
            }
            if !found.is_empty() {
                let pending = &self.pending;
                self.writers.get_mut(&o).expect("just read").retain(|w| pending.contains(w));
            }
        }
        found
    }

    /// The objects with such writes that an instruction may read.
    fn objects_read(&self, inst: &Inst) -> Vec<ObjectId> {
        let objects = &self.facts.objects;
        let read: BTreeSet<ObjectId> = match inst.op {
            Op::Load => objects.of(inst.operands[0]).collect(),
            Op::Copy => objects.of(inst.operands[1]).collect(),
            // What is called on the way to the end of the program sees what it is given.
            _ if looks_around(inst) && self.live[inst.block.index()] => {
                return self.writers.keys().copied().filter(|o| !objects.is_own(*o)).collect();
            }
            Op::Inactive(_) => objects.reach(inst.operands.iter().flat_map(|o| objects.of(*o)).collect()),
            _ if looks_around(inst) => objects.reach(inst.operands.iter().flat_map(|o| objects.of(*o)).collect()),
            _ => return vec![],
        };
        let mut found = BTreeSet::new();
        for o in read {
            if objects.is_own(o) {
                found.extend(self.writers.contains_key(&o).then_some(o));
            } else {
                // The library's memory has no name.
                let unnamed = |w: ObjectId| objects.all[w.index()] == Object::Unknown;
                let same = |w: &ObjectId| *w == o || !unnamed(*w) && !self.facts.objects_apart(*w, o, true);
                found.extend(self.writers.keys().copied().filter(same));
            }
        }
        found.into_iter().collect()
    }
}

/// Whether an instruction may write to memory of the library's, which is read through pointers that the library gives.
fn sets_error_number(inst: &Inst) -> bool {
    matches!(inst.op, Op::Rule(rule) if rules::row(rule).origin != Origin::Instruction)
}

/// Memory that others may look at: from outside, returned, or given to a call.
fn seen(primal: &Primal, facts: &Facts) -> BTreeSet<ObjectId> {
    let objects = &facts.objects;
    let plain = |o: ObjectId| match objects.all[o.index()] {
        Object::Stack(_) => true,
        Object::Heap(v) => matches!(primal.op(v), Some(Op::Allocate(Allocation { own: false, .. }))),
        _ => false,
    };
    let mut start: Vec<ObjectId> = (0..objects.all.len()).map(|i| ObjectId(i as u32)).filter(|o| !plain(*o)).collect();
    for (_, inst) in primal.insts().filter(|(_, i)| looks_around(i)) {
        start.extend(inst.operands.iter().flat_map(|o| objects.of(*o)));
    }
    for block in &primal.blocks {
        if let Term::Return(Some(v)) = block.term {
            start.extend(objects.of(v));
        }
    }
    objects.reach(start)
}

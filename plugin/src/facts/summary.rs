//! What does a function do to the memory of those who call it?
//!
//! Read off its mirrored form, for calls that stay calls. Calls inside it are described by what is known of them so far: the
//! summaries of functions that call each other grow together to a fixpoint.

use super::blocks::{Accesses, may_be_number};
use super::import::{Imported, written};
use super::objects::{Object, ObjectId, Objects};
use crate::llvm::ir;
use crate::primal::{
    Accessed, Allocation, Callee, Def, Effect, Holding, Inst, Kind, Offset, Op, Primal, Term, Touch, Ty, ValueId,
};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a function that is called.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// What it does; touches of its parameters come first, then those of `globals`.
    pub callee: Callee,
    /// The global variables that it works on.
    pub globals: Vec<ir::Value>,
}

impl Summary {
    /// What a function may do of which only the type is known: it reads and writes behind its pointers, and may return one
    /// of them, or memory that it makes.
    pub fn assumed(function: ir::Value) -> Summary {
        let pointer = function.return_type().kind() == ir::Kind::Pointer;
        let touch = |(n, parameter): (u32, ir::Value)| {
            if parameter.ty().kind() != ir::Kind::Pointer {
                return Touch::default();
            }
            let reads = !function.parameter_has(n, c"writeonly");
            let writes = !function.parameter_has(n, c"readonly");
            let returned = pointer.then_some(Offset::ANY);
            Touch { reads, writes, modifies: writes, returned, ..Touch::default() }
        };
        let touches = (0u32..).zip(function.parameters()).map(touch).collect();
        let made =
            Callee { allocates: pointer, fills: pointer, fresh: pointer.then_some(Offset::ANY), ..Callee::default() };
        Summary { callee: Callee { name: function.name(), touches, ..made }, globals: vec![] }
    }
}

/// Summaries of the functions that are called and not inlined.
pub type Summaries = IndexMap<ir::Value, Summary>;

/// The summary of a mirrored function.
pub fn summarise(imported: &Imported, objects: &Objects, accesses: &Accesses) -> Summary {
    let primal = &imported.primal;
    let mut summary = Summary { callee: Callee { name: primal.name.clone(), ..Callee::default() }, globals: vec![] };
    let mut places: Vec<ValueId> = primal.args.clone();
    for o in &objects.all {
        if let Object::Global(v) = o
            && primal.value(*v).def != Def::Global(Holding::Constants)
        {
            places.push(*v);
            summary.globals.push(imported.origin[v.index()]);
        }
    }
    summary.callee.globals = summary.globals.len();
    summary.callee.touches = vec![Touch::default(); places.len()];
    let mut reader = Reader { primal, objects, accesses, places, callee: summary.callee };
    for (v, inst) in primal.insts() {
        reader.instruction(v, inst);
    }
    for block in &primal.blocks {
        if let Term::Return(Some(v)) = block.term {
            reader.returned(v);
        }
    }
    reader.places();
    Summary { callee: reader.callee, globals: summary.globals }
}

struct Reader<'a> {
    primal: &'a Primal,
    objects: &'a Objects,
    accesses: &'a Accesses,
    /// What the touches are about: parameters and globals.
    places: Vec<ValueId>,
    callee: Callee,
}

impl Reader<'_> {
    fn instruction(&mut self, v: ValueId, inst: &Inst) {
        let number = |r: &Self| may_be_number(r.primal, r.objects, r.accesses, v, inst);
        match &inst.op {
            Op::Load if number(self) => self.touch(inst.operands[0], |t| t.reads = true),
            Op::Store => {
                let number = number(self);
                self.touch(inst.operands[1], |t| {
                    t.modifies = true;
                    t.writes |= number;
                });
                self.callee.fills |= number && self.is_fresh(inst.operands[1]);
                self.linked(inst.operands[0], inst.operands[1]);
            }
            Op::Fill | Op::Copy => {
                self.touch(inst.operands[0], |t| (t.modifies, t.writes) = (true, true));
                self.callee.fills |= self.is_fresh(inst.operands[0]);
                if inst.op == Op::Copy {
                    self.touch(inst.operands[1], |t| t.reads = true);
                    if self.objects.of(inst.operands[0]).any(|o| !self.is_stack(o)) {
                        self.callee.links = Some(Offset::ANY);
                    }
                }
            }
            Op::Allocate(Allocation { local: false, own, .. }) => {
                self.callee.allocates = true;
                self.callee.touches.iter_mut().for_each(|t| t.modifies |= *own);
            }
            Op::Allocate(_) => self.callee.frees = true,
            Op::Free => {
                self.callee.frees = true;
                self.touch(inst.operands[0], |t| t.frees = true);
            }
            Op::Inactive(Effect::Anything) => {
                self.callee.touches.iter_mut().for_each(|t| t.modifies = true);
            }
            Op::Inactive(_) | Op::Rule(_) => {
                let pointers: Vec<ValueId> = written(self.primal, inst).collect();
                pointers.into_iter().for_each(|p| self.touch(p, |t| (t.modifies, t.writes) = (true, true)));
            }
            Op::Callee(inner) => self.call(inst, inner),
            _ => {}
        }
    }

    fn is_stack(&self, o: ObjectId) -> bool {
        matches!(self.objects.all[o.index()], Object::Stack(_))
    }

    fn is_fresh(&self, pointer: ValueId) -> bool {
        self.objects.of(pointer).any(|o| matches!(self.objects.all[o.index()], Object::Heap(_)))
    }

    /// Which touch an object belongs to.
    fn place_of(&self, o: ObjectId) -> Option<usize> {
        match self.objects.all[self.objects.root(o).index()] {
            Object::Arg(v) | Object::Global(v) => self.places.iter().position(|p| *p == v),
            _ => None,
        }
    }

    fn touch(&mut self, pointer: ValueId, with: impl Fn(&mut Touch)) {
        for o in self.objects.of(pointer) {
            self.place_of(o).into_iter().for_each(|k| with(&mut self.callee.touches[k]));
        }
    }

    /// A pointer is stored where others may find it.
    fn linked(&mut self, value: ValueId, to: ValueId) {
        if self.primal.ty(value) != Ty::Ptr || self.objects.of(to).all(|o| self.is_stack(o)) {
            return;
        }
        for (&o, &at) in self.objects.targets(value) {
            self.link(o, at);
        }
    }

    fn link(&mut self, o: ObjectId, at: Offset) {
        let known = match (&self.objects.all[o.index()], self.place_of(o)) {
            (Object::Arg(_) | Object::Global(_), Some(k)) => &mut self.callee.touches[k].linked,
            _ => &mut self.callee.links,
        };
        *known = Some(known.map_or(at, |known| known.join(at)));
    }

    fn call(&mut self, inst: &Inst, inner: &Callee) {
        for (&p, touch) in inst.operands.iter().zip(&inner.touches) {
            for o in self.objects.reach(self.objects.of(p).collect()) {
                if let Some(k) = self.place_of(o) {
                    let mine = &mut self.callee.touches[k];
                    mine.reads |= touch.reads;
                    mine.writes |= touch.writes;
                    mine.modifies |= touch.modifies;
                    mine.frees |= touch.frees;
                }
            }
        }
        for (p, touch) in inst.operands.iter().zip(&inner.touches) {
            for (&o, &at) in self.objects.targets(*p) {
                touch.linked.into_iter().for_each(|l| self.link(o, at.plus(l)));
            }
        }
        if let Some(place) = inner.links {
            self.callee.links = Some(self.callee.links.map_or(place, |known| known.join(place)));
        }
        let filled = inst.operands.iter().zip(&inner.touches).any(|(p, t)| t.writes && self.is_fresh(*p));
        self.callee.fills |= inner.fills || filled;
        self.callee.allocates |= inner.allocates;
        self.callee.frees |= inner.frees;
    }

    fn returned(&mut self, v: ValueId) {
        let join = |known: &mut Option<Offset>, at: Offset| *known = Some(known.map_or(at, |k| k.join(at)));
        for (&o, &at) in self.objects.targets(v) {
            match (&self.objects.all[o.index()], self.place_of(o)) {
                (Object::Arg(_) | Object::Global(_), Some(k)) => join(&mut self.callee.touches[k].returned, at),
                _ => join(&mut self.callee.fresh, at),
            }
        }
    }

    /// Where memory is accessed as what.
    fn places(&mut self) {
        for (o, places) in self.accesses.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
            let (mut slots, mut at) = (vec![], ObjectId(o as u32));
            while let Object::Content(of, slot) = self.objects.all[at.index()] {
                slots.insert(0, slot);
                at = of;
            }
            let operand = self.place_of(at);
            if operand.is_some() || matches!(self.objects.all[at.index()], Object::Heap(_)) {
                let mut places = places.clone();
                widen(&mut places);
                self.callee.accesses.push(Accessed { operand, slots, places });
            }
        }
        join_paths(&mut self.callee.accesses);
    }
}

/// Paths that others contain become part of these, and many of one length from one operand one, for the reason that `widen`
/// has.
fn join_paths(accesses: &mut Vec<Accessed>) {
    const MOST: usize = 8;
    let mut groups: BTreeMap<(Option<usize>, usize), Vec<Accessed>> = BTreeMap::new();
    for accessed in std::mem::take(accesses) {
        groups.entry((accessed.operand, accessed.slots.len())).or_default().push(accessed);
    }
    for group in groups.into_values() {
        let join = |a: &[Offset], b: &[Offset]| -> Vec<Offset> { a.iter().zip(b).map(|(a, b)| a.join(*b)).collect() };
        let all = group.iter().map(|a| a.slots.clone()).reduce(|a, b| join(&a, &b)).unwrap_or_default();
        let many = group.len() > MOST;
        let wide = |slots: &[Offset]| {
            let around = |a: &&Accessed| join(&a.slots, slots) == a.slots;
            let widest =
                group.iter().filter(around).map(|a| &a.slots).reduce(|a, b| if join(a, b) == *a { a } else { b });
            if many { all.clone() } else { widest.cloned().unwrap_or_default() }
        };
        let mut joined: BTreeMap<Vec<Offset>, BTreeSet<(Offset, Kind)>> = BTreeMap::new();
        for accessed in &group {
            joined.entry(wide(&accessed.slots)).or_default().extend(&accessed.places);
        }
        let operand = group[0].operand;
        for (slots, mut places) in joined {
            widen(&mut places);
            accesses.push(Accessed { operand, slots, places });
        }
    }
}

/// Classes that others contain go, and many become one: functions that pass on `p + 1` would find new places for ever.
fn widen(places: &mut BTreeSet<(Offset, Kind)>) {
    const MOST: usize = 16;
    let mut classes: BTreeMap<Kind, Vec<Offset>> = BTreeMap::new();
    places.iter().for_each(|(at, kind)| classes.entry(*kind).or_default().push(*at));
    for (kind, all) in classes {
        let one = all.iter().copied().reduce(Offset::join).filter(|_| all.len() > MOST);
        let inside = |at: Offset, wide: Offset| at != wide && at.join(wide) == wide;
        places.retain(|(at, k)| *k != kind || one.is_none() && !all.iter().any(|wide| inside(*at, *wide)));
        places.extend(one.map(|at| (at, kind)));
    }
}

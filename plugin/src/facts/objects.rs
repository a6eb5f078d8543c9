//! Which memory each pointer may lead to, and where in it.
//!
//! Flow-insensitive points-to sets over named objects (parameters, stack and heap objects, globals, what pointers in
//! memory lead to), with the byte offset in each as a residue class, by fixpoint. What is stored into memory from outside
//! may be found again through any other pointer from outside, since these may be the same; only what was declared
//! constant is taken to be apart from the rest. Sets and classes only
//! grow; the cost is values x objects at worst.

use super::assigned::Assigned;
use crate::primal::{Callee, Def, Holding, Inst, Kind, Offset, Op, Primal, Term, Ty, ValueId, id};
use std::collections::{BTreeMap, BTreeSet};

id!(
    /// A region of memory that the function can tell from others by name.
    ObjectId, "m");

/// How many pointers are followed from an argument or a global before what they lead to counts as one object.
const DEPTH: usize = 4;
/// Places of an object that pointers are told apart by; beyond it they count as anywhere.
const PLACES: usize = 64;

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// A region of memory.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Object {
    /// What a parameter points to.
    Arg(ValueId),
    /// A stack object.
    Stack(ValueId),
    /// What an allocation gave.
    Heap(ValueId),
    /// A global variable.
    Global(ValueId),
    /// What pointers stored at that place of that object on entry lead to.
    Content(ObjectId, Offset),
    /// Anything at all.
    Unknown,
}

/// What a pointer may lead to, with the offsets.
pub type Targets = BTreeMap<ObjectId, Offset>;

/// Points-to sets.
#[derive(Default)]
pub struct Objects {
    /// The objects by id.
    pub all: Vec<Object>,
    of: Vec<Targets>,
    ids: BTreeMap<Object, ObjectId>,
    /// By object: which pointers were stored where in it.
    stored: Vec<BTreeMap<(Offset, ObjectId), Offset>>,
    /// By object: which objects were copied into it, and how far what was at 0 there is from 0 here.
    copied: Vec<Targets>,
    /// Per object: whether blocks are copied between it and memory from outside.
    mingled: Vec<bool>,
    /// Pointers stored into memory from outside; first into such that was declared constant.
    escaped: [Targets; 2],
    /// Those that were stored through pointers from outside, which may lead into global variables.
    wandering: Targets,
    /// Which pointers in global variables are not those of the entry.
    assigned: Assigned,
    /// Parameters that were declared constant: what they lead to is apart from what others lead to.
    constant: Vec<ValueId>,
}

impl Objects {
    /// Points-to sets of all values, given the parameters that were declared constant.
    pub fn new(primal: &Primal, constant: &[ValueId]) -> Self {
        let constant = constant.to_vec();
        let of = vec![Targets::new(); primal.values.len()];
        let mut objects = Objects { of, constant, assigned: Assigned::new(primal), ..Objects::default() };
        for i in 0..primal.values.len() {
            let v = ValueId(i as u32);
            if primal.ty(v) != Ty::Ptr {
                continue;
            }
            let object = match &primal.value(v).def {
                Def::Arg(_) => Object::Arg(v),
                Def::Global(_) => Object::Global(v),
                Def::Inst(Inst { op: Op::Alloca, .. }) => Object::Stack(v),
                Def::Inst(Inst { op: Op::Allocate(_), .. }) => Object::Heap(v),
                _ => continue,
            };
            let id = objects.enter(object);
            objects.of[i].insert(id, Offset::START);
        }
        for (v, inst) in primal.insts() {
            if matches!(&inst.op, Op::Callee(callee) if callee.allocates) {
                objects.enter(Object::Heap(v));
            }
        }
        while objects.sweep(primal) {}
        objects.mingle(primal);
        objects
    }

    /// All memory that a called function may get at, and what it allocates.
    pub fn reached_by(&self, call: ValueId, inst: &Inst, callee: &Callee) -> BTreeSet<ObjectId> {
        let direct = inst.operands.iter().flat_map(|p| self.of(*p));
        let fresh = self.named(&Object::Heap(call)).filter(|_| callee.allocates);
        self.reach(direct.chain(fresh).collect())
    }

    /// What pointers at these places lead to, one after the other; a structure that repeats itself is followed to its end.
    pub fn follow(&self, call: ValueId, mut from: Targets, slots: &[Offset]) -> Targets {
        for slot in slots {
            let mut next = Targets::new();
            let mut work: Vec<(ObjectId, Offset)> = from.into_iter().collect();
            while let Some((o, at)) = work.pop() {
                let mut found = Targets::new();
                self.stored_at(call, o, at.plus(*slot), &mut vec![], &mut found);
                for (target, place) in found {
                    if add(&mut next, target, place) {
                        work.push((target, place));
                    }
                }
            }
            from = next;
        }
        from
    }

    /// As `load`, of what is known without entering new objects.
    fn stored_at(&self, by: ValueId, from: ObjectId, at: Offset, seen: &mut Vec<ObjectId>, into: &mut Targets) {
        if seen.contains(&from) {
            return;
        }
        let old = self.is_as_on_entry(by, from, at, !seen.is_empty());
        seen.push(from);
        for (&(place, target), &offset) in &self.stored[from.index()] {
            if place.overlaps(POINTER, at, POINTER) {
                add(into, target, offset);
            }
        }
        if !self.is_own(from) {
            for (&target, &offset) in self.escaped_to(from) {
                add(into, target, offset);
            }
            for o in self.contents_of(from).filter(|_| old) {
                let same =
                    matches!(self.all[o.index()], Object::Content(_, slot) if slot.overlaps(POINTER, at, POINTER));
                if same || o == from {
                    add(into, o, Offset::START);
                }
            }
        }
        for (source, distance) in &self.copied[from.index()] {
            self.stored_at(by, *source, at.minus(*distance), seen, into);
        }
    }

    /// Whether a load or call may find there what was there on entry, directly or in a copy.
    fn is_as_on_entry(&self, by: ValueId, from: ObjectId, at: Offset, copied: bool) -> bool {
        match self.all[from.index()] {
            Object::Global(v) if copied => !self.assigned.before_copies(v, at),
            Object::Global(v) => !self.assigned.before(by, v, at),
            _ => true,
        }
    }

    /// Objects and what pointers in them lead to, and so on.
    pub fn reach(&self, mut work: Vec<ObjectId>) -> BTreeSet<ObjectId> {
        let mut reached = BTreeSet::new();
        while let Some(o) = work.pop() {
            if reached.insert(o) {
                work.extend(self.held_by(o));
            }
        }
        reached
    }

    /// Allocations that the caller, or code that is not known here, may look at in the end: they are returned, stored in memory
    /// from outside, or were shown to a library function.
    pub fn leaving(&self, primal: &Primal) -> BTreeSet<ObjectId> {
        let shown = primal.insts().filter(|(_, i)| matches!(i.op, Op::Call(_) | Op::Inactive(_) | Op::Unsupported(_)));
        let shown = shown.flat_map(|(_, i)| &i.operands);
        let returned = primal.blocks.iter().filter_map(|b| match &b.term {
            Term::Return(v) => v.as_ref(),
            _ => None,
        });
        let seen = shown.chain(returned).flat_map(|v| self.of(*v));
        let outside = (0..self.all.len()).map(|i| ObjectId(i as u32)).filter(|o| !self.is_own(*o));
        let mut leaving = self.reach(outside.chain(seen).collect());
        leaving.retain(|o| matches!(self.all[o.index()], Object::Heap(_)));
        leaving
    }

    /// What a value may lead to; nothing for values that are not pointers, and for null.
    pub fn of(&self, pointer: ValueId) -> impl Iterator<Item = ObjectId> + '_ {
        self.targets(pointer).keys().copied()
    }

    /// As `of`, with offsets.
    pub fn targets(&self, pointer: ValueId) -> &Targets {
        static NOTHING: Targets = Targets::new();
        self.of.get(pointer.index()).unwrap_or(&NOTHING)
    }

    /// The object of a stack object, allocation, parameter or global.
    pub fn named(&self, object: &Object) -> Option<ObjectId> {
        self.ids.get(object).copied()
    }

    /// Whether memory is made by the function itself, so that nothing from outside leads to it unless stored there.
    pub fn is_own(&self, o: ObjectId) -> bool {
        matches!(self.all[o.index()], Object::Stack(_) | Object::Heap(_))
    }

    /// Whether blocks may be copied between an object and memory whose accesses are not all known.
    pub fn is_mingled(&self, o: ObjectId) -> bool {
        self.mingled[o.index()]
    }

    /// Whether blocks are copied to or from an object.
    pub fn is_copied(&self, o: ObjectId) -> bool {
        !self.copied[o.index()].is_empty() || self.copied.iter().any(|from| from.contains_key(&o))
    }

    /// The objects of which blocks are copied into another, with how far what was at 0 there is from 0 here.
    pub fn copied_into(&self, o: ObjectId) -> &Targets {
        &self.copied[o.index()]
    }

    /// Marks what is copied to or from memory from outside, or by called functions, over any number of copies.
    fn mingle(&mut self, primal: &Primal) {
        let mut next = vec![vec![]; self.all.len()];
        let mut work = vec![];
        // Constants are nobody's either: what is never looked at as a number there is none.
        let constant =
            |o: &Object| matches!(o, Object::Global(v) if primal.value(*v).def == Def::Global(Holding::Constants));
        let outside = |o: &ObjectId| !self.is_own(*o) && !constant(&self.all[o.index()]);
        for (o, sources) in self.copied.iter().enumerate() {
            let o = ObjectId(o as u32);
            for &source in sources.keys() {
                next[o.index()].push(source);
                next[source.index()].push(o);
                work.extend([o, source].into_iter().filter(outside));
            }
        }
        for (v, inst) in primal.insts() {
            if let Op::Callee(callee) = &inst.op
                && callee.links == Some(Offset::ANY)
            {
                work.extend(self.reached_by(v, inst, callee));
            }
        }
        while let Some(o) = work.pop() {
            if !std::mem::replace(&mut self.mingled[o.index()], true) {
                work.extend(&next[o.index()]);
            }
        }
    }

    /// Whether memory belongs to a parameter that was declared constant.
    pub fn is_constant(&self, o: ObjectId) -> bool {
        matches!(&self.all[self.root(o).index()], Object::Arg(v) if self.constant.contains(v))
    }

    /// What was stored into memory from outside that may be this. What is stored into a variable by name is in no other.
    fn escaped_to(&self, o: ObjectId) -> &Targets {
        if let Object::Global(_) = self.all[o.index()] {
            return &self.wandering;
        }
        &self.escaped[usize::from(!self.is_constant(o))]
    }

    /// The object from which pointers were followed to this one.
    pub fn root(&self, mut o: ObjectId) -> ObjectId {
        while let Object::Content(of, _) = self.all[o.index()] {
            o = of;
        }
        o
    }

    /// Whether pointers that a table in a global variable holds on entry lead to this, where the function stores others at
    /// places that are told apart while running only.
    pub fn is_in_filled_table(&self, mut o: ObjectId) -> bool {
        let mut place = Offset::START;
        while let Object::Content(of, at) = self.all[o.index()] {
            (o, place) = (of, at);
        }
        let fills = |at: &Offset| (at.step != 0 || place.step != 0) && at.overlaps(POINTER, place, POINTER);
        matches!(self.all[o.index()], Object::Global(_)) && self.stored[o.index()].keys().any(|(at, _)| fills(at))
    }

    /// What pointers in an object may lead to, as far as the program loads or stores any.
    pub fn held_by(&self, o: ObjectId) -> Vec<ObjectId> {
        let (mut held, mut seen, mut stack) = (vec![], vec![], vec![o]);
        while let Some(from) = stack.pop() {
            if seen.contains(&from) {
                continue;
            }
            seen.push(from);
            held.extend(self.stored[from.index()].keys().map(|(_, target)| *target));
            if !self.is_own(from) {
                held.extend(self.escaped_to(from).keys());
                held.extend(self.contents_of(from));
            }
            stack.extend(self.copied[from.index()].keys());
        }
        held
    }

    fn contents_of(&self, o: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
        let inside = move |object: &Object| matches!(object, Object::Content(of, _) if *of == o);
        let collapsed = matches!(self.all[o.index()], Object::Content(..)).then_some(o);
        (0..self.all.len()).filter(move |&i| inside(&self.all[i])).map(|i| ObjectId(i as u32)).chain(collapsed)
    }

    /// An object as messages show it.
    pub fn show(&self, primal: &Primal, id: ObjectId) -> String {
        let named = |v: ValueId| Some(&primal.value(v).name).filter(|n| !n.is_empty());
        match self.all[id.index()] {
            Object::Arg(v) => match (named(v), &primal.value(v).def) {
                (Some(name), _) => format!("argument '{name}'"),
                (None, Def::Arg(n)) => format!("argument {}", n + 1),
                _ => "an argument".to_string(),
            },
            Object::Stack(v) => named(v).map_or("a local variable".to_string(), |n| format!("local variable '{n}'")),
            Object::Heap(v) => match primal.inst(v).map_or(0, |i| i.loc.0) {
                0 => "allocated memory".to_string(),
                line => format!("memory allocated in line {line}"),
            },
            Object::Global(v) => format!("global '{}'", primal.value(v).name),
            Object::Content(of, at) if at == Offset::START => {
                format!("memory that {} points to", self.show(primal, of))
            }
            Object::Content(of, at) => format!("memory that {} points to at {at:?}", self.show(primal, of)),
            Object::Unknown => "memory of unknown origin".to_string(),
        }
    }

    fn enter(&mut self, object: Object) -> ObjectId {
        if let Some(&id) = self.ids.get(&object) {
            return id;
        }
        let id = ObjectId(self.all.len() as u32);
        self.ids.insert(object.clone(), id);
        self.all.push(object);
        self.stored.push(BTreeMap::new());
        self.copied.push(BTreeMap::new());
        self.mingled.push(false);
        id
    }

    /// What pointers that were at a place of `from` on entry lead to. A chain that is long or turns in a circle ends in
    /// one object that leads to itself.
    fn content(&mut self, from: ObjectId, at: Offset) -> ObjectId {
        let (mut depth, mut o) = (0, from);
        while let Object::Content(of, place) = self.all[o.index()] {
            if place == at {
                return o;
            }
            (depth, o) = (depth + 1, of);
        }
        if depth >= DEPTH { from } else { self.enter(Object::Content(from, at)) }
    }

    /// What a pointer loaded from a place may lead to.
    fn load(&mut self, by: ValueId, from: ObjectId, at: Offset, into: &mut Targets) {
        // Content comes into being where it is looked for.
        let (mut seen, mut work) = (vec![], vec![(from, at)]);
        while let Some((o, at)) = work.pop() {
            if seen.contains(&o) {
                continue;
            }
            let old = self.is_as_on_entry(by, o, at, !seen.is_empty());
            seen.push(o);
            match self.all[o.index()] {
                Object::Stack(_) | Object::Heap(_) => {}
                Object::Unknown => drop(into.insert(o, Offset::ANY)),
                Object::Arg(_) | Object::Global(_) | Object::Content(..) if old => drop(self.content(o, at)),
                Object::Arg(_) | Object::Global(_) | Object::Content(..) => {}
            }
            work.extend(self.copied[o.index()].iter().map(|(source, distance)| (*source, at.minus(*distance))));
        }
        self.stored_at(by, from, at, &mut vec![], into);
    }

    fn sweep(&mut self, primal: &Primal) -> bool {
        let mut changed = false;
        for (v, inst) in primal.insts() {
            let mut into = Targets::new();
            match &inst.op {
                Op::Gep(by) => {
                    into.extend(self.of[inst.operands[0].index()].iter().map(|(o, at)| (*o, at.plus(*by))));
                }
                Op::Freeze => into.clone_from(&self.of[inst.operands[0].index()]),
                Op::Phi(_) => inst.operands.iter().for_each(|o| self.join(*o, &mut into)),
                Op::Select => inst.operands[1..].iter().for_each(|o| self.join(*o, &mut into)),
                Op::Load if primal.ty(v) == Ty::Ptr => {
                    for (from, at) in self.of[inst.operands[0].index()].clone() {
                        self.load(v, from, at, &mut into);
                    }
                }
                Op::Store => {
                    changed |= self.store(inst.operands[0], inst.operands[1]);
                    continue;
                }
                Op::Copy => {
                    changed |= self.copy(v, inst.operands[0], inst.operands[1]);
                    continue;
                }
                Op::Callee(callee) => {
                    self.look_behind(v, inst, callee);
                    changed |= self.call(v, inst, callee);
                    self.returned(v, inst, callee, &mut into);
                }
                Op::Alloca | Op::Allocate(_) => continue,
                _ if primal.ty(v) == Ty::Ptr => drop(into.insert(self.enter(Object::Unknown), Offset::ANY)),
                _ => continue,
            }
            if primal.ty(v) == Ty::Ptr {
                let known = &mut self.of[v.index()];
                for (o, at) in into {
                    changed |= add(known, o, at);
                }
            }
        }
        changed
    }

    /// What a called function finds behind pointers in memory from outside comes into being here, where it passes such
    /// pointers on; where they are in global variables also if it does not, since the caller answers for their shadows.
    fn look_behind(&mut self, v: ValueId, inst: &Inst, callee: &Callee) {
        let passed_on = callee.fresh.is_some() || callee.links.is_some();
        for accessed in &callee.accesses {
            let Some(k) = accessed.operand else { continue };
            let mut from = self.targets(inst.operands[k]).clone();
            from.retain(|o, _| passed_on || matches!(self.all[o.index()], Object::Global(_)));
            let held = accessed.places.iter().filter(|(_, kind)| passed_on && *kind == Kind::Pointer);
            for path in accessed.slots.iter().copied().map(Some).chain([None]) {
                let mut found = Targets::new();
                for (o, at) in &from {
                    match path {
                        Some(slot) => self.load(v, *o, at.plus(slot), &mut found),
                        None => held.clone().for_each(|(place, _)| self.load(v, *o, at.plus(*place), &mut found)),
                    }
                }
                from = found;
            }
        }
    }

    /// A called function may store any pointer that it has or makes into any memory that it writes to.
    fn call(&mut self, v: ValueId, inst: &Inst, callee: &Callee) -> bool {
        if !callee.stores_pointers() {
            return false;
        }
        let mut pointers = Targets::new();
        if let Some(place) = callee.links {
            self.inner(v, inst, callee).into_iter().for_each(|o| {
                add(&mut pointers, o, place);
            });
        }
        let (mut written, mut changed) = (vec![], false);
        for (p, touch) in inst.operands.iter().zip(&callee.touches) {
            if let Some(place) = touch.linked {
                for (&o, at) in &self.of[p.index()] {
                    add(&mut pointers, o, at.plus(place));
                }
            }
            written.extend(self.of(*p).filter(|_| touch.modifies));
        }
        let fresh = self.named(&Object::Heap(v)).filter(|_| callee.allocates);
        for o in self.reach(written).into_iter().chain(fresh) {
            changed |= self.put(o, Offset::ANY, &pointers);
        }
        changed
    }

    /// What a called function may get at beside the memory that its arguments point to.
    fn inner(&self, v: ValueId, inst: &Inst, callee: &Callee) -> BTreeSet<ObjectId> {
        let mut all = self.reached_by(v, inst, callee);
        inst.operands.iter().flat_map(|p| self.of(*p)).for_each(|o| {
            all.remove(&o);
        });
        all
    }

    /// What a called function returns a pointer to.
    fn returned(&self, v: ValueId, inst: &Inst, callee: &Callee, into: &mut Targets) {
        for (p, touch) in inst.operands.iter().zip(&callee.touches) {
            if let Some(place) = touch.returned {
                self.of[p.index()].iter().for_each(|(o, at)| {
                    add(into, *o, at.plus(place));
                });
            }
        }
        if let Some(place) = callee.fresh {
            self.inner(v, inst, callee).into_iter().for_each(|o| {
                add(into, o, place);
            });
        }
    }

    fn join(&self, pointer: ValueId, into: &mut Targets) {
        for (&o, &at) in &self.of[pointer.index()] {
            add(into, o, at);
        }
    }

    fn store(&mut self, pointer: ValueId, to: ValueId) -> bool {
        let mut changed = false;
        let pointers = self.of[pointer.index()].clone();
        for (o, place) in self.of[to.index()].clone() {
            changed |= self.put(o, place, &pointers);
        }
        changed
    }

    /// Pointers are stored at a place of an object.
    fn put(&mut self, o: ObjectId, place: Offset, pointers: &Targets) -> bool {
        let mut changed = false;
        let stored = &mut self.stored[o.index()];
        for (&target, &at) in pointers {
            let place = if stored.len() < PLACES { place } else { Offset::ANY };
            let known = stored.entry((place, target)).or_insert_with(|| {
                changed = true;
                at
            });
            let joined = known.join(at);
            changed |= *known != joined;
            *known = joined;
        }
        changed | self.escape(o, pointers)
    }

    fn escape(&mut self, into: ObjectId, pointers: &Targets) -> bool {
        let mut changed = false;
        if !self.is_own(into) {
            let group = usize::from(!self.is_constant(into));
            let named = matches!(self.all[into.index()], Object::Global(_));
            for (&target, &at) in pointers {
                changed |= add(&mut self.escaped[group], target, at);
                changed |= !named && add(&mut self.wandering, target, at);
            }
        }
        changed
    }

    fn copy(&mut self, by: ValueId, to: ValueId, from: ValueId) -> bool {
        let mut changed = false;
        for (o, place) in self.of[to.index()].clone() {
            for (source, at) in self.of[from.index()].clone() {
                changed |= add(&mut self.copied[o.index()], source, place.minus(at));
                if !self.is_own(o) {
                    let mut held = Targets::new();
                    self.load(by, source, Offset::ANY, &mut held);
                    changed |= self.escape(o, &held);
                }
            }
        }
        changed
    }
}

/// Adds a target, or widens the offset of one; whether that changed something.
fn add(targets: &mut Targets, o: ObjectId, at: Offset) -> bool {
    match targets.get_mut(&o) {
        None => {
            targets.insert(o, at);
            true
        }
        Some(known) => {
            let joined = known.join(at);
            let changed = joined != *known;
            *known = joined;
            changed
        }
    }
}

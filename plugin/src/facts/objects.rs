//! Which memory each pointer may lead to.
//!
//! Flow-insensitive points-to sets over named objects (parameters, stack objects, globals, what pointers in
//! memory lead to), by fixpoint. Sets only grow; the cost is values x objects at worst.

use crate::primal::{Def, Inst, Op, Primal, Ty, ValueId, id};
use std::collections::BTreeSet;

id!(
    /// A region of memory that the function can tell from others by name.
    ObjectId, "m");

/// A region of memory.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Object {
    /// What a parameter points to.
    Arg(ValueId),
    /// A stack object.
    Stack(ValueId),
    /// A global variable.
    Global(ValueId),
    /// What pointers stored in that object on entry lead to.
    Content(ObjectId),
    /// Anything at all.
    Unknown,
}

/// Points-to sets.
pub struct Objects {
    /// The objects by id.
    pub all: Vec<Object>,
    /// What each value may point into; empty for values that are not pointers, and for null.
    pub of: Vec<BTreeSet<ObjectId>>,
    stored: Vec<BTreeSet<ObjectId>>,
}

impl Objects {
    /// Points-to sets of all values.
    pub fn new(primal: &Primal) -> Self {
        let mut objects = Objects { all: vec![], of: vec![BTreeSet::new(); primal.values.len()], stored: vec![] };
        for i in 0..primal.values.len() {
            let v = ValueId(i as u32);
            if primal.ty(v) != Ty::Ptr {
                continue;
            }
            let object = match &primal.value(v).def {
                Def::Arg(_) => Object::Arg(v),
                Def::Global(_) => Object::Global(v),
                Def::Inst(Inst { op: Op::Alloca, .. }) => Object::Stack(v),
                _ => continue,
            };
            let id = objects.enter(object);
            objects.of[i].insert(id);
        }
        while objects.sweep(primal) {}
        objects
    }

    /// The object that a set consists of, where it is one only.
    pub fn single(&self, pointer: ValueId) -> Option<ObjectId> {
        let set = &self.of[pointer.index()];
        (set.len() == 1).then(|| *set.first().expect("not empty"))
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
            Object::Global(v) => format!("global '{}'", primal.value(v).name),
            Object::Content(of) => format!("memory that {} points to", self.show(primal, of)),
            Object::Unknown => "memory of unknown origin".to_string(),
        }
    }

    fn enter(&mut self, object: Object) -> ObjectId {
        if let Some(i) = self.all.iter().position(|o| *o == object) {
            return ObjectId(i as u32);
        }
        self.all.push(object);
        self.stored.push(BTreeSet::new());
        ObjectId((self.all.len() - 1) as u32)
    }

    /// What a pointer loaded from `from` may lead to. Contents of contents are one object.
    fn content(&mut self, from: ObjectId) -> BTreeSet<ObjectId> {
        let mut set = self.stored[from.index()].clone();
        match self.all[from.index()] {
            Object::Stack(_) => {}
            Object::Content(_) => drop(set.insert(from)),
            Object::Unknown => drop(set.insert(self.enter(Object::Unknown))),
            Object::Arg(_) | Object::Global(_) => drop(set.insert(self.enter(Object::Content(from)))),
        }
        set
    }

    fn sweep(&mut self, primal: &Primal) -> bool {
        let mut changed = false;
        for (v, inst) in primal.insts() {
            let operand = |n: usize| inst.operands[n].index();
            let mut into: BTreeSet<ObjectId> = BTreeSet::new();
            match &inst.op {
                Op::Gep | Op::Freeze => into.extend(&self.of[operand(0)]),
                Op::Phi(_) => inst.operands.iter().for_each(|o| into.extend(&self.of[o.index()])),
                Op::Select => {
                    into.extend(&self.of[operand(1)]);
                    into.extend(&self.of[operand(2)]);
                }
                Op::Load => {
                    for from in self.of[operand(0)].clone() {
                        into.extend(self.content(from));
                    }
                }
                Op::Store => changed |= self.store(&self.of[operand(0)].clone(), &self.of[operand(1)].clone()),
                Op::Copy => {
                    let mut moved = BTreeSet::new();
                    for from in self.of[operand(1)].clone() {
                        moved.extend(self.content(from));
                    }
                    changed |= self.store(&moved, &self.of[operand(0)].clone());
                }
                Op::Alloca => continue,
                _ if primal.ty(v) == Ty::Ptr => drop(into.insert(self.enter(Object::Unknown))),
                _ => {}
            }
            if primal.ty(v) == Ty::Ptr {
                let before = self.of[v.index()].len();
                self.of[v.index()].extend(into);
                changed |= self.of[v.index()].len() != before;
            }
        }
        changed
    }

    fn store(&mut self, pointers: &BTreeSet<ObjectId>, to: &BTreeSet<ObjectId>) -> bool {
        let mut changed = false;
        for o in to {
            let before = self.stored[o.index()].len();
            self.stored[o.index()].extend(pointers);
            changed |= self.stored[o.index()].len() != before;
        }
        changed
    }
}

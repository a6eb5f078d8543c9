//! What generated accesses say about each other: the primal's memory, shadows and tapes are different memory.
//!
//! A shadow that the program gives is taken to be no memory of the primal; that of a pointer from memory is tested. Among shadows, an access that belongs
//! to a store of the primal is apart from those that belong to other memory if the primal's own pointers promise that (`restrict`), since
//! it writes there. Two that belong to loads are not, since memory that is only read may be given twice.

use super::Emit;
use crate::facts::Facts;
use crate::facts::objects::ObjectId;
use crate::llvm::ir;
use crate::llvm::transform;
use crate::primal::ValueId;
use indexmap::{IndexMap, IndexSet};

/// Classes beyond this number are not told apart.
const MOST_CLASSES: usize = 32;

/// What an access goes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    /// The primal's memory.
    Primal,
    /// A slot on a tape.
    Tape,
    /// What the function knows of a tape.
    Record,
    /// Shadows: of which object where that is known, and whether the primal writes where its shadow is accessed.
    Shadow(Option<ObjectId>, bool),
}

impl Class {
    fn is_apart(self, other: Class, facts: &Facts) -> bool {
        match (self, other) {
            (Class::Shadow(a, writes), Class::Shadow(b, also)) => {
                a.zip(b).is_some_and(|(a, b)| facts.objects_apart(a, b, writes || also))
            }
            _ => self != other,
        }
    }
}

impl Emit<'_> {
    /// Notes what an access goes to.
    pub(super) fn note_access(&mut self, access: ir::Value, class: Class) -> ir::Value {
        self.accesses.insert(access, class);
        access
    }

    /// The class of the shadow that a pointer leads to, in an access for a store or a load.
    pub(super) fn shadow_class(&self, pointer: ValueId, writes: bool) -> Class {
        let mut objects = self.input.facts.objects.of(pointer);
        let only = objects.next().filter(|_| objects.next().is_none());
        Class::Shadow(only, writes)
    }

    /// Tells LLVM what is known of the accesses of the function.
    pub(super) fn separate_accesses(&mut self) {
        let accesses: IndexMap<ir::Value, Class> = std::mem::take(&mut self.accesses);
        let classes: IndexSet<Class> = accesses.values().copied().collect();
        if classes.len() < 2 {
            return;
        }
        let general = |class: Class| match class {
            Class::Shadow(..) if classes.len() > MOST_CLASSES => Class::Shadow(None, false),
            class => class,
        };
        let classes: IndexSet<Class> = classes.iter().map(|c| general(*c)).collect();
        let number = |c: Class| classes.get_index_of(&general(c)).expect("one of the classes") as u32;
        let apart: Vec<bool> =
            classes.iter().flat_map(|a| classes.iter().map(|b| a.is_apart(*b, self.input.facts))).collect();
        let accesses: Vec<(ir::Value, u32)> = accesses.into_iter().map(|(v, c)| (v, number(c))).collect();
        transform::separate(&accesses, &apart);
    }
}

//! Stores that are undone while the reverse sweep goes through what comes before them, and done again at the end.

use super::Emit;
use crate::llvm::ir;
use crate::primal::ValueId;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;

/// The variables of one such store.
pub(super) struct Undone {
    /// Where it stored; null as long as it was not executed.
    place: ir::Value,
    /// What was in memory before; once it is undone, what the store had put there.
    other: ir::Value,
}

impl Emit<'_> {
    pub(super) fn save(&mut self, store: ValueId) {
        let pointer = self.primal.inst(store).expect("a store").operands[1];
        let (origin, ty) = (self.origin(store), self.stored_type(store));
        let undone = Undone {
            place: self.top.alloca(self.input.module.pointer(), "stored"),
            other: self.top.alloca(ty, "overwritten"),
        };
        self.top.store(self.input.module.pointer().zero(), undone.place);
        let place = self.value(pointer);
        let old = self.b.load(ty, place);
        old.set_alignment(origin.alignment());
        self.b.store(old, undone.other);
        self.b.store(place, undone.place);
        self.undone.insert(store, undone);
    }

    pub(super) fn undo(&mut self, store: ValueId) {
        let Undone { place, .. } = self.undone[&store];
        let place = self.b.load(self.input.module.pointer(), place);
        self.swap(store, place);
    }

    pub(super) fn redo(&mut self, store: ValueId) {
        let Undone { place, .. } = self.undone[&store];
        let place = self.b.load(self.input.module.pointer(), place);
        let never = self.b.icmp(LLVMIntEQ, place, place.ty().zero());
        let [again, on] = ["redo", "redone"].map(|n| self.b.new_block(self.function, n));
        self.b.branch(never, on, again);
        self.b.at_end(again);
        self.swap(store, place);
        self.b.jump(on);
        self.b.at_end(on);
    }

    /// Exchanges what is in memory with what is remembered.
    fn swap(&mut self, store: ValueId, place: ir::Value) {
        let (ty, align) = (self.stored_type(store), self.origin(store).alignment());
        let Undone { other, .. } = self.undone[&store];
        let new = self.b.load(ty, place);
        new.set_alignment(align);
        let old = self.b.load(ty, other);
        self.b.store(old, place).set_alignment(align);
        self.b.store(new, other);
    }

    fn stored_type(&self, store: ValueId) -> ir::Type {
        let value = self.primal.inst(store).expect("a store").operands[0];
        self.origin(value).ty()
    }
}

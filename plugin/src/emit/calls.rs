//! Calls of functions that stay calls: their augmented forward sweeps, reverse sweeps, and tangents.

use super::{Emit, Key};
use crate::callees::Generated;
use crate::llvm::ir;
use crate::primal::{Ty, ValueId};
use crate::request::Mode;

/// What a call of derived code gave beside the primal's result.
#[derive(Clone, Copy, Default)]
pub(super) struct Given {
    /// What the reverse sweep of the called function needs.
    pub record: Option<ir::Value>,
    /// The shadow of the returned pointer.
    pub shadow: Option<ir::Value>,
}

impl Emit<'_> {
    /// The arguments of a call, each with its shadow where it has one.
    fn call_arguments(&mut self, call: ValueId) -> Vec<ir::Value> {
        let operands = self.primal.inst(call).expect("a call").operands.clone();
        let variant = &self.input.facts.calls[&call];
        let mut all = Vec::new();
        for (&operand, activity) in operands.iter().zip(&variant.arguments) {
            all.push(self.value(operand));
            if activity.has_shadow() {
                let pointer = self.primal.ty(operand) == Ty::Ptr;
                let shadow = if pointer { self.existing_shadow(operand) } else { self.tangent_of(operand) };
                all.push(shadow);
            }
        }
        all
    }

    /// Calls the forward sweep of a function.
    pub(super) fn call_forward(&mut self, call: ValueId) {
        let Generated::Split { forward, .. } = self.input.called[&call] else { return };
        let mut arguments = self.call_arguments(call);
        arguments.push(self.deferred());
        let result = self.b.call(forward, &arguments);
        let variant = &self.input.facts.calls[&call];
        let mut fields = 0..;
        let mut next = |e: &Self, wanted: bool| wanted.then(|| e.b.extract(result, fields.next().expect("endless")));
        let record = next(self, true);
        self.forward[call.index()] = next(self, variant.primal_return);
        let shadow = next(self, variant.shadow_return);
        self.given.insert(call, Given { record, shadow });
    }

    /// Calls the reverse sweep of a function, which takes what the forward sweep left.
    pub(super) fn call_back(&mut self, call: ValueId, outs: &[ValueId]) {
        let mut arguments = self.call_arguments(call);
        let reverse = match self.input.called[&call] {
            Generated::Split { reverse, .. } => reverse,
            // An iteration of a checkpointed loop: both sweeps.
            Generated::Whole(gradient) => gradient,
        };
        if self.input.facts.calls[&call].active_return {
            arguments.push(self.recall(Key::Bar(call)).expect("adjoints are taken before they are passed on"));
        }
        if let Some(record) = self.primal.added(&crate::primal::Def::Record(call)) {
            arguments.push(self.value(record));
        }
        let result = self.b.call(reverse, &arguments);
        for (n, &out) in outs.iter().enumerate() {
            let adjoint = self.b.extract(result, n as u32);
            self.add_to_register(out, adjoint);
        }
    }

    /// Calls a function together with its tangent.
    pub(super) fn call_tangent(&mut self, call: ValueId) {
        let Generated::Whole(function) = self.input.called[&call] else { return };
        let arguments = self.call_arguments(call);
        let result = self.b.call(function, &arguments);
        let variant = &self.input.facts.calls[&call];
        debug_assert_eq!(variant.mode, Mode::Forward);
        let mut fields = 0..;
        let mut next = |e: &Self, wanted: bool| wanted.then(|| e.b.extract(result, fields.next().expect("endless")));
        self.forward[call.index()] = next(self, variant.primal_return);
        let tangent = next(self, variant.active_return);
        self.tangents.extend(tangent.map(|t| (call, t)));
        let shadow = next(self, variant.shadow_return);
        self.given.insert(call, Given { record: None, shadow });
    }
}

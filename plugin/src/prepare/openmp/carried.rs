//! What does a thread carry out of iterations that are shared out: to its next ones, or to what comes after?

use super::called;
use super::own::{base, is_own};
use super::regions::{Region, Who, is_called};
use crate::llvm::ir::{Block, Value};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMOpcode::*;

impl Region {
    /// What a thread carries from one iteration that is shared out to its next.
    pub(super) fn check_carried(&mut self) {
        let phis = || self.who.keys().copied().filter(|i| i.opcode() == LLVMPHI);
        let counters: IndexSet<Value> =
            phis().filter(|phi| phi.incoming().iter().any(|(v, _)| self.is_bound(*v))).collect();
        let headers: IndexSet<Block> = counters.iter().map(|phi| phi.block()).collect();
        let others = phis().filter(|phi| headers.contains(&phi.block()) && !counters.contains(phi));
        let carried = others.filter(|phi| !self.sums.contains(phi) && self.has_first(*phi));
        let has_line = |user: &Value| user.as_instruction().is_some_and(|i| i.line().0 > 0);
        let shown = |phi: Value| phi.users().into_iter().find(has_line).unwrap_or(phi);
        let used: Vec<Value> = carried.filter(|phi| !phi.users().is_empty()).map(shown).collect();
        for at in used {
            self.refuse(
                at,
                "what a thread carries here from one iteration to its next depends on how iterations are shared out",
            );
        }
    }

    /// Whether a variable of a loop that is shared out has a value before it.
    fn has_first(&self, phi: Value) -> bool {
        let (mut work, mut seen) = (vec![phi], IndexSet::new());
        while let Some(v) = work.pop() {
            if v.is_undef() || !seen.insert(v) {
                continue;
            }
            match v.as_instruction() {
                Some(i) if i.opcode() == LLVMPHI => work.extend(i.incoming().into_iter().map(|(v, _)| v)),
                // What its own iterations compute.
                Some(i) if self.who.get(&i) == self.who.get(&phi) => {}
                _ => return true,
            }
        }
        false
    }

    /// What a construct whose parts are executed once computes in variables of a thread's own, and other code uses.
    pub(super) fn check_left(&mut self) {
        let mut left: IndexMap<Value, Who> = IndexMap::new();
        let mut wrong = vec![];
        let shared_out = self.who.iter().filter(|(i, _)| self.is_shared_out(**i)).map(|(i, w)| (*i, *w));
        let mut work: Vec<(Value, Who)> = shared_out.collect();
        work.retain(|(i, _)| !is_called(*i) || !called(*i).starts_with("__kmpc_"));
        while let Some((value, of)) = work.pop() {
            for user in value.users().into_iter().filter(|u| self.who.contains_key(u)) {
                let who = self.who[&user];
                if who == of || who == Who::Last || self.sums.contains(&value) {
                    continue;
                }
                if user.opcode() == LLVMPHI {
                    if left.insert(user, of).is_none() {
                        work.push((user, of));
                    }
                } else {
                    wrong.push(user);
                }
            }
        }
        for at in wrong {
            self.refuse(
                at,
                "what a thread has here from its own iterations depends on how they are shared out; use 'lastprivate', \
                 'reduction' or 'copyprivate'",
            );
        }
    }

    /// Memory of the thread's own that is set before iterations that are shared out change it.
    pub(super) fn check_own_memory(&mut self) {
        // All memory that a thread has asked for is one, since it is found through several variables.
        let mut set: IndexMap<Option<Value>, [Option<Value>; 2]> = IndexMap::new();
        let is_stack = |p: &Value| p.as_instruction().is_some_and(|i| i.opcode() == LLVMAlloca);
        for (&i, &who) in &self.who {
            let place = match i.opcode() {
                LLVMStore => i.operand(1),
                LLVMCall if called(i).starts_with("llvm.mem") => i.call_arguments().first().copied(),
                _ => None,
            };
            let Some(place) = place.map(base).filter(|p| is_own(*p)) else { continue };
            let known = self.bounds.contains(&place) || self.last.contains(&place) || self.merged.contains(&place);
            if !known {
                set.entry(Some(place).filter(is_stack)).or_default()[usize::from(matches!(who, Who::One(_)))] = Some(i);
            }
        }
        for [each, one] in set.into_values() {
            if let (Some(_), Some(at)) = (each, one) {
                self.refuse(
                    at,
                    "memory of each thread's own is set before iterations that are shared out, and changed by them: what is in it \
                     depends on how they are shared out; declare it inside the loop, or name it in a 'reduction' clause",
                );
            }
        }
    }
}

//! Statements of both sweeps.

use super::{Emit, Key};
use crate::llvm::ir;
use crate::primal::{Def, Op, ValueId};
use crate::revprog::{Act, Factor, Place, Term};
use llvm_sys::LLVMRealPredicate;

impl Emit<'_> {
    pub(super) fn act(&mut self, act: &Act) {
        self.locate(act);
        match act {
            Act::Primal(v) => self.execute(*v),
            Act::LoadCopy(v, n) => {
                let value = self.load_snapshot(*v, *n);
                self.forward[v.index()] = Some(value);
            }
            Act::Move(moves) => self.moves(moves),
            Act::MoveShadows(moves) => {
                let values: Vec<_> = moves.iter().map(|(_, v)| self.existing_shadow(*v)).collect();
                for ((phi, _), value) in moves.iter().zip(values) {
                    self.b.store(value, self.chosen[phi]);
                }
            }
            Act::Note(join, k) => {
                let variable = self.note_variable(*join);
                self.b.store(self.input.module.int(8).int(i64::from(*k)), variable);
            }
            Act::Save(s) => self.save(*s),
            Act::Undo(s) => self.undo(*s),
            Act::Redo(s) => self.redo(*s),
            Act::Unreachable => {
                self.b.unreachable();
                let nowhere = self.b.new_block(self.function, "nowhere");
                self.b.at_end(nowhere);
            }
            Act::Return(v) => self.give(*v),
            Act::Keep(s, v) => self.keep(*s, *v),
            Act::Snapshot(n) => self.take_snapshot(*n),
            Act::Allocate(t) => self.allocate(*t),
            Act::Start(t) => self.start_tape(*t),
            Act::Grow(t) => self.grow(*t),
            Act::Find(t) => self.find(*t),
            Act::Release(t) => self.release(*t),
            Act::OpenSnapshots(l) => self.open_snapshots(*l),
            Act::PassSnapshots(l) => self.pass_snapshots(*l, self.iterations[l]),
            Act::TurnSnapshots(l) => self.ask_snapshots(*l, "__pardiff_snapshots_turn"),
            Act::RunAgain(l) => self.run_again(*l),
            Act::CloseSnapshots(l) => self.ask_snapshots(*l, "__pardiff_snapshots_close"),
            Act::CallForward(v) => self.call_forward(*v),
            Act::CallBack(v, outs) => self.call_back(*v, outs),
            Act::CallTangent(v) => self.call_tangent(*v),
            Act::StoreShadow(s) => self.store_shadow(*s),
            Act::CopyShadows(c) => self.copy_shadows(*c),
            Act::ReleaseMemory => self.release_memory(),
            Act::Seed(v) => {
                let seed = self.seed.expect("an active return has a seed");
                self.add_to_register(*v, seed);
            }
            Act::Take(v) => self.take(*v),
            Act::TakeAll(vs) => vs.iter().for_each(|&v| self.take(v)),
            Act::TakeShadow(s) => self.take_shadow(*s, true),
            Act::ReadShadow(s) => self.take_shadow(*s, false),
            Act::Add(place, term) => self.add(*place, term),
            Act::Clear(s) => self.clear(*s),
            Act::AddBlock(s) => self.add_block(*s),
            Act::Tangent(v, terms) => self.tangent(*v, terms),
            Act::LoadTangent(v) => self.load_tangent(*v),
            Act::StoreTangent(s, active) => self.store_tangent(*s, *active),
            Act::ShadowBlock(s) => self.shadow_block(*s),
            Act::MoveTangents(moves) => self.move_tangents(moves),
        }
    }

    /// What a statement is built from gets the source line of the instruction that it is about.
    fn locate(&self, act: &Act) {
        let about = match act {
            Act::Primal(v)
            | Act::LoadCopy(v, _)
            | Act::Take(v)
            | Act::TakeShadow(v)
            | Act::ReadShadow(v)
            | Act::Clear(v)
            | Act::AddBlock(v)
            | Act::Keep(_, v)
            | Act::Tangent(v, _)
            | Act::LoadTangent(v)
            | Act::StoreTangent(v, _)
            | Act::CallForward(v)
            | Act::CallBack(v, _)
            | Act::CallTangent(v)
            | Act::StoreShadow(v)
            | Act::CopyShadows(v)
            | Act::ShadowBlock(v) => Some(*v),
            Act::Add(_, term) => Some(term.from),
            _ => None,
        };
        // `finish` moves locations from the primal's scope to that of the generated function.
        match about.filter(|&v| self.primal.inst(v).is_some()) {
            Some(v) => self.b.locate_like(self.origin(v)),
            None => self.b.locate_nowhere(),
        }
    }

    fn execute(&mut self, v: ValueId) {
        let value = match &self.primal.value(v).def {
            Def::Which(join) => {
                let variable = self.note_variable(*join);
                self.b.load(self.input.module.int(8), variable)
            }
            Def::Trip(l) => self.trips[l],
            Def::Shadow(of) => self.root_shadow(*of),
            Def::Record(of) => self.given[of].record.expect("a forward sweep leaves a record"),
            Def::Inst(inst) => match inst.op {
                Op::Alloca => return,
                Op::Free => return self.free(v),
                Op::Allocate(allocation) => self.allocate_memory(v, allocation),
                Op::Phi(_) => {
                    if let Some(&tangent) = self.registers.get(&v)
                        && self.input.prog.reverse.is_none()
                    {
                        let t = self.b.load(self.real(v), tangent);
                        self.tangents.insert(v, t);
                    }
                    self.b.load(self.origin(v).ty(), self.phis[&v])
                }
                _ => {
                    let copy = if self.reverse { self.copy_again(v) } else { self.copy(v) };
                    if self.input.prog.free.contains(&(self.segment, v)) {
                        copy.allow_fast_math(super::FREE_SUM);
                    }
                    copy
                }
            },
            _ => return,
        };
        self.forward[v.index()] = Some(value);
    }

    fn moves(&mut self, moves: &[(ValueId, ValueId)]) {
        // All values are read before any phi changes.
        let values: Vec<_> = moves.iter().map(|(_, v)| self.value(*v)).collect();
        for ((phi, _), value) in moves.iter().zip(values) {
            self.b.store(value, self.phis[phi]);
        }
    }

    fn give(&mut self, v: ValueId) {
        let value = self.value(v);
        let variable = self.returned.expect("a returned value has a variable");
        self.b.store(value, variable);
        if self.input.prog.reverse.is_none() && self.primal.ty(v).is_real() {
            let tangent = self.tangent_of(v);
            let variable = self.returned_tangent.expect("a returned value has a variable");
            self.b.store(tangent, variable);
        }
        if self.input.variant.shadow_return {
            let shadow = self.existing_shadow(v);
            let variable = self.returned_tangent.expect("a returned value has a variable");
            self.b.store(shadow, variable);
        }
    }

    fn take(&mut self, v: ValueId) {
        let ty = self.real(v);
        if self.direct.sums.contains(&v) {
            let sum = self.frames.last_mut().and_then(|frame| frame.shift_remove(&Key::Sum(v)));
            self.remember(Key::Bar(v), sum.unwrap_or(ty.zero()));
            return;
        }
        let register = self.registers[&v];
        let bar = self.b.load(ty, register);
        self.b.store(ty.zero(), register);
        self.remember(Key::Bar(v), bar);
    }

    fn take_shadow(&mut self, store: ValueId, clear: bool) {
        let inst = self.primal.inst(store).expect("a store");
        let (value, pointer) = (inst.operands[0], inst.operands[1]);
        let ty = self.real(value);
        let align = self.origin(store).alignment();
        let exists = self.exists(pointer);
        let place = self.shadow(pointer);
        let class = self.shadow_class(pointer, true);
        let bar = self.guarded_value(exists, ty, |e| {
            let bar = e.b.load(ty, place);
            e.note_access(bar, class).set_alignment(align);
            if clear {
                let store = e.b.store(ty.zero(), place);
                e.note_access(store, class).set_alignment(align);
            }
            bar
        });
        self.remember(Key::Bar(store), bar);
    }

    fn add(&mut self, place: Place, term: &Term) {
        let d = self.recall(Key::Bar(term.from)).expect("adjoints are taken before they are passed on");
        let contribution = self.scaled(d, &term.factor);
        match place {
            Place::Register(v) => {
                let contribution = self.b.float_cast(contribution, self.real(v));
                self.add_to_register(v, contribution);
            }
            Place::Shadow(p) => {
                let align = self.origin(term.from).alignment();
                let exists = self.exists(p);
                let place = self.shadow(p);
                let class = self.shadow_class(p, false);
                self.guarded(exists, |e| {
                    let old = e.b.load(contribution.ty(), place);
                    e.note_access(old, class).set_alignment(align);
                    let sum = e.sum(old, contribution);
                    let store = e.b.store(sum, place);
                    e.note_access(store, class).set_alignment(align);
                });
            }
        }
    }

    pub(super) fn add_to_register(&mut self, v: ValueId, contribution: ir::Value) {
        if self.direct.sums.contains(&v) {
            let sum = match self.recall(Key::Sum(v)) {
                Some(old) => self.sum(old, contribution),
                None => contribution,
            };
            self.remember(Key::Sum(v), sum);
            return;
        }
        let Some(&register) = self.registers.get(&v) else { return };
        let old = self.b.load(self.real(v), register);
        let sum = self.sum(old, contribution);
        self.b.store(sum, register);
    }

    pub(super) fn sum(&mut self, a: ir::Value, b: ir::Value) -> ir::Value {
        self.b.set_flags(self.sum_flags());
        let sum = self.b.add(a, b);
        self.b.set_flags(0);
        sum
    }

    /// A derivative times a factor.
    pub(super) fn scaled(&mut self, d: ir::Value, factor: &Factor) -> ir::Value {
        match factor {
            Factor::One => d,
            Factor::Chosen(c, sense) => {
                let c = self.value(*c);
                let zero = d.ty().zero();
                if *sense { self.b.select(c, d, zero) } else { self.b.select(c, zero, d) }
            }
            Factor::Partial { rule, operand, of, strong } => {
                self.b.set_flags(self.origin(*of).copyable_fast_math());
                let product = self.times_partial(d, *rule, *operand, *of);
                self.b.set_flags(0);
                if !strong {
                    return product;
                }
                let zero = d.ty().zero();
                let none = self.b.fcmp(LLVMRealPredicate::LLVMRealOEQ, d, zero);
                self.b.select(none, product.ty().zero(), product)
            }
        }
    }

    fn clear(&mut self, v: ValueId) {
        let inst = self.primal.inst(v).expect("a store, fill or copy");
        if inst.op != Op::Store {
            return self.clear_block(v);
        }
        let (value, pointer) = (inst.operands[0], inst.operands[1]);
        let (zero, align) = (self.origin(value).ty().zero(), self.origin(v).alignment());
        let exists = self.exists(pointer);
        let place = self.shadow(pointer);
        let class = self.shadow_class(pointer, true);
        self.guarded(exists, |e| {
            let store = e.b.store(zero, place);
            e.note_access(store, class).set_alignment(align);
        });
    }
}

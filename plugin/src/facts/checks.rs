//! What stands in the way of a right derivative: everything that is not known to be safe is a problem.

use super::Facts;
use super::activity::RealType;
use super::import::Imported;
use super::objects::{Object, ObjectId};
use crate::primal::{Inst, Op, Primal, Ty, ValueId};
use crate::problem::{Code, Problem};
use crate::request::Variant;

/// All problems of one primal, in program order.
pub fn check(imported: &Imported, facts: &Facts, variant: &Variant) -> Vec<Problem> {
    let checker = Checker { primal: &imported.primal, facts, variant };
    let (mut calls, mut problems) = (Vec::new(), Vec::new());
    for (v, inst) in imported.primal.insts() {
        if let Some((code, text)) = checker.instruction(v, inst) {
            let unknown = matches!(inst.op, Op::Call(_)) || imported.primal.ty(v) == Ty::Ptr;
            let list = if unknown { &mut calls } else { &mut problems };
            list.push(Problem::at(code, imported.origin[v.index()], text));
        }
    }
    // Where a pointer comes from nowhere known, problems with its memory would only repeat the first.
    if calls.is_empty() { problems } else { calls }
}

struct Checker<'a> {
    primal: &'a Primal,
    facts: &'a Facts,
    variant: &'a Variant,
}

type Finding = Option<(Code, String)>;

impl Checker<'_> {
    fn instruction(&self, v: ValueId, inst: &Inst) -> Finding {
        match &inst.op {
            Op::Call(name) if name.starts_with("llvm.threadlocal.address.") => Some((
                Code::ActiveGlobal,
                format!(
                    "the thread-local variable '{}' in a differentiated function is not supported yet; \
                     pass its address as an argument",
                    self.primal.value(inst.operands[0]).name
                ),
            )),
            Op::Call(name) => Some(unknown_call(name)),
            Op::Unsupported(what) => self.unsupported(v, inst, what),
            Op::Bits | Op::Pure | Op::Trapping | Op::Freeze | Op::Select | Op::Phi(_) => self.bits(v),
            Op::Load if self.facts.is_active(v) => self.access(inst.operands[0]).or_else(|| self.bits(v)),
            Op::Store => self.store(inst),
            Op::Fill => self.block_memory(&inst.operands[..1]),
            Op::Copy => self.block_memory(&inst.operands[..2]),
            Op::Rule(_) | Op::Inactive(_) => self.outputs(inst),
            Op::Load | Op::Gep | Op::Alloca | Op::Terminator => None,
        }
    }

    fn touches_active(&self, inst: &Inst) -> bool {
        inst.operands.iter().any(|&o| self.facts.active.varied[o.index()] || self.facts.points_to_active(o))
    }

    fn unsupported(&self, v: ValueId, inst: &Inst, what: &str) -> Finding {
        let concerned =
            self.facts.active.useful[v.index()] || self.touches_active(inst) || self.facts.points_to_active(v);
        concerned
            .then(|| (Code::UnknownInstruction, format!("{what} has no derivative yet and works on active values")))
    }

    /// Integers and other types that would need an adjoint.
    fn bits(&self, v: ValueId) -> Finding {
        let ty = self.primal.ty(v);
        let converted = self.primal.op(v) == Some(&Op::Pure);
        if !self.facts.is_active(v) || ty.is_real() && !converted {
            return None;
        }
        Some(match ty {
            Ty::Int(_) | Ty::Float | Ty::Double | Ty::Extended => (
                Code::UnknownInstruction,
                "the bits of an active floating-point value are used as an integer, which has no derivative"
                    .to_string(),
            ),
            _ => (
                Code::UnknownType,
                "an active value has a type that is not supported yet (only float, double and x86 long double are)"
                    .to_string(),
            ),
        })
    }

    /// The memory that an active access goes to must have one shadow.
    fn access(&self, pointer: ValueId) -> Finding {
        if !self.facts.points_to_active(pointer) {
            return None;
        }
        self.facts.objects.of[pointer.index()].iter().find_map(|&o| self.shadowless(o))
    }

    fn shadowless(&self, o: ObjectId) -> Finding {
        let name = self.facts.objects.show(self.primal, o);
        match self.facts.objects.all[o.index()] {
            Object::Arg(v) if self.facts.active.objects[o.index()] && !self.has_shadow(v) => Some((
                Code::ConstArgument,
                format!("active values pass through {name}, which was declared constant; give it a shadow"),
            )),
            Object::Arg(_) | Object::Stack(_) if self.facts.active.objects[o.index()] => None,
            Object::Arg(_) | Object::Stack(_) => Some((
                Code::ActivePointer,
                format!(
                    "a pointer may lead to active memory or to {name}, which has no shadow; this is not supported yet"
                ),
            )),
            Object::Global(_) => Some((
                Code::ActiveGlobal,
                format!("active values are kept in {name}; globals have no shadow yet, pass it as an argument"),
            )),
            Object::Content(_) | Object::Unknown => Some((
                Code::ActivePointer,
                format!(
                    "active values are kept in {name}; pointers to active memory that are themselves in memory are not supported yet"
                ),
            )),
        }
    }

    fn store(&self, inst: &Inst) -> Finding {
        let (value, pointer) = (inst.operands[0], inst.operands[1]);
        if self.primal.ty(value) == Ty::Ptr && self.facts.points_to_active(value) {
            return Some((
                Code::ActivePointer,
                "a pointer to active memory is stored to memory; this is not supported yet".to_string(),
            ));
        }
        if let Some(found) = self.access(pointer) {
            return Some(found);
        }
        if self.primal.ty(value) == Ty::Ptr && self.facts.points_to_active(pointer) {
            let text = "a pointer is stored to memory that holds active values; this is not supported yet";
            return Some((Code::ActivePointer, text.to_string()));
        }
        let other = self.facts.active.varied[value.index()] && !self.primal.ty(value).is_real();
        (other && self.facts.points_to_active(pointer)).then(|| {
            (
                Code::UnknownType,
                "active memory is written with a type that is not supported yet (only float, double and x86 long double are)"
                    .to_string(),
            )
        })
    }

    fn has_shadow(&self, argument: ValueId) -> bool {
        let position = self.primal.args.iter().position(|a| *a == argument);
        position.is_some_and(|n| self.variant.arguments[n].has_shadow())
    }

    /// Fills and copies: destination first, then the source of a copy.
    fn block_memory(&self, pointers: &[ValueId]) -> Finding {
        if !self.facts.points_to_active(pointers[0]) {
            return None;
        }
        let active: Vec<_> = pointers.iter().copied().filter(|&p| self.facts.points_to_active(p)).collect();
        for p in &active {
            let set = &self.facts.objects.of[p.index()];
            if let Some(found) = set.iter().find_map(|&o| self.shadowless(o)) {
                return Some(found);
            }
        }
        if active.len() == 1 || copied_type(self.facts, pointers).is_some() {
            return None;
        }
        let text = "a block of active memory is copied whose element type is not known; copy its elements in a loop";
        Some((Code::BlockMemory, text.to_string()))
    }

    /// Functions that store through a pointer must not store to active memory.
    fn outputs(&self, inst: &Inst) -> Finding {
        let bad = super::import::written(self.primal, inst).any(|o| self.facts.points_to_active(o));
        bad.then(|| {
            (Code::BlockMemory, "a library function writes to active memory; give it a variable of its own".to_string())
        })
    }
}

/// The one real type of the memory that a copy goes between, if it is known.
pub fn copied_type(facts: &Facts, pointers: &[ValueId]) -> Option<RealType> {
    let mut types =
        pointers.iter().flat_map(|p| &facts.objects.of[p.index()]).flat_map(|o| &facts.active.reals[o.index()]);
    let first = *types.next()?;
    (first != RealType::Other && types.all(|t| *t == first)).then_some(first)
}

fn unknown_call(name: &str) -> (Code, String) {
    if name.is_empty() {
        return (
            Code::IndirectCall,
            "a call through a pointer: the function is not known at compile time; this is not supported yet"
                .to_string(),
        );
    }
    match name {
        "malloc" | "calloc" | "realloc" | "free" | "aligned_alloc" | "posix_memalign" => (
            Code::Allocation,
            format!(
                "'{name}' in a differentiated function is not supported yet; allocate outside and pass the memory with its shadow"
            ),
        ),
        _ => (
            Code::UnknownCall,
            format!(
                "the function '{name}' has no definition here and no derivative rule; define it in this file or pass its result as an argument"
            ),
        ),
    }
}

//! What stands in the way of a right derivative: everything that is not known to be safe is a problem.

use super::Facts;
use super::activity;
use super::blocks;
use super::import::Imported;
use super::objects::{Object, ObjectId};
use crate::primal::{Effect, Inst, Kind, Offset, Op, Primal, Term, Ty, ValueId};
use crate::problem::{Code, Problem};

/// All problems of one primal, in program order.
pub fn check(imported: &Imported, facts: &Facts) -> Vec<Problem> {
    let checker = Checker { imported, primal: &imported.primal, facts };
    let (mut calls, mut problems) = (Vec::new(), Vec::new());
    for (v, inst) in imported.primal.insts() {
        if let Some((code, text)) = checker.instruction(v, inst) {
            let unknown = matches!(inst.op, Op::Call(_)) || imported.primal.ty(v) == Ty::Ptr;
            let list = if unknown { &mut calls } else { &mut problems };
            list.push(Problem::at(code, imported.origin[v.index()], text));
        }
    }
    problems.extend(checker.result());
    // Where a pointer comes from nowhere known, problems with its memory would only repeat the first.
    if calls.is_empty() { problems } else { calls }
}

/// Global variables that hold pointers to active memory, in a derivative of which the program may hold several tapes at a
/// time: all would have one shadow.
pub fn shared_between_tapes(imported: &Imported, facts: &Facts) -> Vec<Problem> {
    let objects = &facts.objects;
    let shared = objects.all.iter().enumerate().find_map(|(n, object)| {
        let Object::Global(v) = object else { return None };
        facts.active.carriers[n].then(|| imported.primal.value(*v).name.clone())
    });
    let text = |name| {
        format!(
            "the global variable '{name}' holds pointers to active memory; that is not supported in split mode yet, \
             pass it as an argument"
        )
    };
    shared.map(|name| Problem::new(Code::ActiveGlobal, text(name))).into_iter().collect()
}

struct Checker<'a> {
    imported: &'a Imported,
    primal: &'a Primal,
    facts: &'a Facts,
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
            Op::Callee(_) => self.called(v, inst),
            Op::Call(name) => Some(unknown_call(name)),
            Op::Unsupported(what) => self.unsupported(v, inst, what),
            Op::Bits | Op::Pure | Op::Trapping | Op::Freeze | Op::Select | Op::Phi(_) => self.bits(v),
            Op::Load if self.facts.is_active(v) => self.access(inst.operands[0]).or_else(|| self.bits(v)),
            Op::Load if self.facts.may_be_as_on_entry(v) => self.table_entry(v),
            Op::Store => self.store(inst),
            Op::Fill => self.block_memory(v, &inst.operands[..1]),
            Op::Copy => self.block_memory(v, &inst.operands[..2]),
            Op::Rule(_) | Op::Inactive(_) => self.outputs(inst),
            Op::Load | Op::Gep(_) | Op::Alloca | Op::Allocate(_) | Op::Free | Op::Terminator => None,
        }
    }

    /// Memory that a called function works on must have a shadow where it holds active numbers.
    fn called(&self, v: ValueId, inst: &Inst) -> Finding {
        let active = |o: &ObjectId| self.facts.active.objects[o.index()];
        if let Some(o) = blocks::moved_as_integers(self.facts, v, inst).into_iter().find(active) {
            let name = self.facts.objects.show(self.primal, o);
            let text =
                format!("the bits of active floating-point values in {name} may be moved as integers by this call");
            return Some((Code::UnknownInstruction, format!("{text}, which has no derivative")));
        }
        if !self.facts.calls.contains_key(&v) {
            return None;
        }
        let numbers = activity::numbers(&self.facts.objects, &self.facts.accesses, inst, |t| t.reads || t.writes);
        // What such a function finds in a table is not looked at while running.
        let table = |o| (!self.facts.inner && self.facts.objects.is_in_filled_table(o)).then(|| self.as_on_entry(o));
        numbers
            .into_iter()
            .filter(active)
            .find_map(|o| self.shadowless(o).or_else(|| table(o)).or_else(|| self.mixed(o)))
    }

    /// A struct of a number and an integer may be returned in one register, as an integer.
    fn result(&self) -> Option<Problem> {
        let active = &self.facts.active;
        let returned = self.primal.blocks.iter().filter_map(|b| if let Term::Return(v) = b.term { v } else { None });
        let mut parts = returned.filter(|v| active.bits[v.index()] || active.varied[v.index()]);
        parts.find(|v| matches!(self.primal.ty(*v), Ty::Int(_))).map(|_| {
            let text = format!(
                "'{}' returns active numbers as parts of an integer (a struct of a number and an integer in one register); \
                 return it through a pointer",
                self.primal.name
            );
            Problem::new(Code::UnknownInstruction, text)
        })
    }

    fn touches_active(&self, inst: &Inst) -> bool {
        inst.operands.iter().any(|&o| {
            let carries = self.facts.points_to_carrier(o);
            self.facts.active.varied[o.index()] || self.facts.points_to_active(o) || carries
        })
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

    /// The active memory that an access goes to must have a shadow that it can be told from other memory by.
    fn access(&self, pointer: ValueId) -> Finding {
        let active = |o: &ObjectId| self.facts.active.objects[o.index()];
        self.facts.objects.of(pointer).filter(active).find_map(|o| self.shadowless(o).or_else(|| self.mixed(o)))
    }

    /// A place that holds now a number and now a pointer would need two shadows.
    fn mixed(&self, o: ObjectId) -> Finding {
        (self.facts.active.carriers[o.index()] && blocks::is_mixed(self.facts, o)).then(|| {
            let name = self.facts.objects.show(self.primal, o);
            let text = format!("{name} may hold a number and a pointer to active memory at the same place");
            (Code::ActivePointer, format!("{text}; this is not supported yet"))
        })
    }

    /// Memory that would need a shadow and has none.
    fn shadowless(&self, o: ObjectId) -> Finding {
        let objects = &self.facts.objects;
        let name = objects.show(self.primal, o);
        if objects.is_constant(o) {
            return Some((
                Code::ConstArgument,
                format!("active values pass through {name}, which was declared constant; give it a shadow"),
            ));
        }
        match objects.all[o.index()] {
            Object::Global(v) if self.is_elsewhere(v) => Some((
                Code::ActiveGlobal,
                format!(
                    "active values are kept in {name}, which is not defined in this file and has no shadow; pass it as an argument"
                ),
            )),
            Object::Arg(_) | Object::Stack(_) | Object::Heap(_) | Object::Global(_) => None,
            Object::Content(..) if objects.is_in_filled_table(o) => None,
            Object::Content(..) if !self.facts.inner && self.is_in_global(o) => Some(self.as_on_entry(o)),
            Object::Content(..) => None,
            Object::Unknown => Some((
                Code::ActivePointer,
                format!("active values are kept in {name}, whose shadow is not known; this is not supported yet"),
            )),
        }
    }

    fn as_on_entry(&self, o: ObjectId) -> (Code, String) {
        let name = self.facts.objects.show(self.primal, o);
        let text = format!("active values are kept in {name} when the function starts, which has no shadow");
        (Code::ActiveGlobal, format!("{text}; set the pointer in the function, or pass it as an argument"))
    }

    /// A pointer from a table: a shadow that is missing at run time must mean that nobody has set it.
    fn table_entry(&self, v: ValueId) -> Finding {
        let objects = &self.facts.objects;
        let shadowless = |o: &ObjectId| !self.facts.active.is_shadowed(*o);
        let constant = objects.of(v).find(shadowless)?;
        let text = format!(
            "a table in a global variable may hold pointers to {}, which has no shadow, and to memory that has one",
            objects.show(self.primal, constant)
        );
        Some((Code::ActiveGlobal, format!("{text}; this is not supported yet")))
    }

    /// Whether a global variable has no definition in this module.
    fn is_elsewhere(&self, v: ValueId) -> bool {
        self.imported.origin[v.index()].is_declaration()
    }

    /// Whether pointers that a global variable holds on entry lead to this.
    fn is_in_global(&self, o: ObjectId) -> bool {
        matches!(self.facts.objects.all[self.facts.objects.root(o).index()], Object::Global(_))
    }

    fn store(&self, inst: &Inst) -> Finding {
        let (value, pointer) = (inst.operands[0], inst.operands[1]);
        if self.primal.ty(value) == Ty::Ptr {
            return self.pointer_store(value, pointer);
        }
        let varied = self.facts.active.varied[value.index()];
        if varied && let Some(found) = self.access(pointer) {
            return Some(found);
        }
        let other = varied && !self.primal.ty(value).is_real();
        (other && self.facts.points_to_active(pointer)).then(|| {
            (
                Code::UnknownType,
                "active memory is written with a type that is not supported yet (only float, double and x86 long double are)"
                    .to_string(),
            )
        })
    }

    /// A pointer that has a shadow is stored: where it is stored, its shadow must have a place too.
    fn pointer_store(&self, value: ValueId, pointer: ValueId) -> Finding {
        if !self.facts.has_shadow(value) {
            return None;
        }
        let objects = &self.facts.objects;
        objects.of(pointer).find_map(|o| {
            let name = objects.show(self.primal, o);
            if objects.is_constant(o) {
                let text = format!("a pointer to active memory is stored in {name}, which was declared constant");
                return Some((Code::ConstArgument, format!("{text}; give it a shadow")));
            }
            let carried = match objects.all[o.index()] {
                Object::Global(v) => !self.is_elsewhere(v),
                Object::Unknown => false,
                _ => true,
            };
            if carried {
                return self.mixed(o);
            }
            Some((
                Code::ActivePointer,
                format!(
                    "a pointer to active memory is stored in {name}, which has no shadow; this is not supported yet"
                ),
            ))
        })
    }

    /// Fills and copies: destination first, then the source of a copy.
    fn block_memory(&self, v: ValueId, pointers: &[ValueId]) -> Finding {
        let facts = self.facts;
        let concerned = |p: &ValueId| facts.points_to_active(*p) || facts.points_to_carrier(*p);
        if !pointers.iter().any(concerned) {
            return None;
        }
        if let Some(found) = pointers.iter().find_map(|p| self.access(*p)) {
            return Some(found);
        }
        // A fill, or a copy of what has no shadow, clears the shadow whatever it holds.
        let copied = pointers.len() == 2 && pointers.iter().all(concerned);
        if !copied || blocks::fields(self.primal, facts, v).is_some() {
            return None;
        }
        let text = "a block of active memory is copied whose element type is not known; copy its elements in a loop";
        Some((Code::BlockMemory, text.to_string()))
    }

    /// Functions that store through a pointer must not store to active numbers, nor move pointers to such.
    fn outputs(&self, inst: &Inst) -> Finding {
        let anything = inst.op == Op::Inactive(Effect::Anything);
        if anything && inst.operands.iter().any(|&o| self.facts.points_to_carrier(o)) {
            let text =
                "a function that may move pointers to active memory is called, so that their shadows are not known";
            return Some((Code::ActivePointer, text.to_string()));
        }
        let bad = super::import::written(self.primal, inst).any(|o| self.leads_to_number(o));
        bad.then(|| {
            (Code::BlockMemory, "a library function writes to active memory; give it a variable of its own".to_string())
        })
    }

    /// Whether a pointer may lead to an active number, and not only into an object that holds some elsewhere.
    fn leads_to_number(&self, pointer: ValueId) -> bool {
        self.facts.objects.targets(pointer).iter().any(|(&o, &place)| {
            let accesses = &self.facts.accesses[o.index()];
            let real = |(_, kind): &&(Offset, Kind)| matches!(kind, Kind::Real(_));
            let mut reals = accesses.iter().filter(real).peekable();
            let unknown = reals.peek().is_none();
            self.facts.active.objects[o.index()]
                && (unknown || reals.any(|(at, kind)| place.overlaps(1, *at, kind.bytes())))
        })
    }
}

fn unknown_call(name: &str) -> (Code, String) {
    if name.is_empty() {
        return (
            Code::IndirectCall,
            "a call through a pointer: the function is not known at compile time; this is not supported yet"
                .to_string(),
        );
    }
    if matches!(name, "reallocarray" | "mmap" | "sbrk" | "alloca")
        || name.starts_with("_Znwm")
        || name.starts_with("_Znam")
    {
        let text = format!(
            "'{name}' in a differentiated function is not supported; use malloc, calloc, realloc or aligned_alloc"
        );
        return (Code::Allocation, text);
    }
    let text = format!(
        "the function '{name}' has no definition here and no derivative rule; define it in this file or pass its result as an argument"
    );
    (Code::UnknownCall, text)
}

//! Turns a reverse program into an LLVM function. Decides nothing.
//!
//! The generated function first allocates its variables (phis, adjoint registers, slots), then runs the forward
//! sweep, seeds, the reverse sweep, and returns. Everything that is not in SSA form at first is a stack variable, which
//! `finish` promotes. Values that the reverse sweep fetched are remembered per block nest (`frames`), so that each
//! is fetched once where control flow allows. Linear in the program.

mod adjoint;
mod calls;
mod checkpoints;
mod flow;
mod memory;
mod partial;
mod registers;
mod scopes;
mod snapshots;
mod tangent;
mod tape;
mod undo;
mod values;
mod versions;

pub use checkpoints::extents;
pub use versions::choose;

use crate::allocation;
use crate::callees::Generated;
use crate::facts::Facts;
use crate::facts::import::Imported;
use crate::facts::objects::Object;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{self, Module, Type};
use crate::llvm::transform;
use crate::primal::{Def, Join, LoopId, Op, Primal, Ty, ValueId};
use crate::request::{Activity, Mode, Variant};
use crate::revprog::{RevProg, Segment};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::{LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMFastMathNoSignedZeros};

/// Flags of sums of the primal that may be computed in any order.
const FREE_SUM: u32 = LLVMFastMathAllowReassoc | LLVMFastMathAllowContract;

/// What is emitted: a program and all that it refers to.
pub struct Input<'a> {
    /// The module to emit into.
    pub module: Module,
    /// The prepared function whose instructions are copied.
    pub prepared: ir::Value,
    /// Its mirror.
    pub imported: &'a Imported,
    /// Facts, for types of memory only.
    pub facts: &'a Facts,
    /// The program.
    pub prog: &'a RevProg,
    /// What it is for.
    pub variant: &'a Variant,
    /// Derived functions of the calls that stay calls.
    pub called: &'a IndexMap<ValueId, Generated>,
    /// Functions that say what is copied of arguments of a step, by checkpointed loop.
    pub extents: &'a IndexMap<LoopId, ir::Value>,
    /// Whether sums keep their order.
    pub fixed_order: bool,
}

/// Emits the functions of one variant, as `declare` made them.
pub fn emit(input: &Input, into: Generated) {
    let (forward, reverse) = match into {
        Generated::Whole(function) => (function, None),
        Generated::Split { forward, reverse } => (forward, Some(reverse)),
    };
    let mut emit = Emit::new(input, forward);
    emit.start_function(Part::of(input.variant, false));
    emit.node(input.prog.forward);
    if let Some(reverse) = reverse {
        emit.finish_function();
        emit.continue_in(reverse);
        emit.start_function(Part::Reverse);
    }
    if let Some(reverse) = input.prog.reverse {
        emit.reverse = true;
        emit.frames = vec![IndexMap::new()];
        emit.iterations.clear();
        emit.node(reverse);
    }
    emit.finish_function();
}

/// Which sweeps a generated function holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Both, or forward mode.
    Whole,
    /// The forward sweep of a split derivative.
    Forward,
    /// The reverse sweep of a split derivative.
    Reverse,
}

impl Part {
    fn of(variant: &Variant, reverse: bool) -> Part {
        match (variant.mode, reverse) {
            (Mode::Forward | Mode::Reverse, _) => Part::Whole,
            (_, false) => Part::Forward,
            (_, true) => Part::Reverse,
        }
    }
}

/// Something that a block nest remembers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// A value of the primal, fetched in the reverse sweep.
    Value(ValueId),
    /// The shadow address of a pointer.
    Shadow(ValueId),
    /// The adjoint taken from a value's register, or for a store from the shadow.
    Bar(ValueId),
    /// The adjoint of a value as summed up so far, where it needs no variable.
    Sum(ValueId),
}

struct Emit<'a> {
    input: &'a Input<'a>,
    primal: &'a Primal,
    b: Builder,
    /// Fills the entry block with variables.
    top: Builder,
    start: ir::Block,
    function: ir::Value,
    part: Part,
    /// The memory that crosses from the forward to the reverse function of a split derivative.
    record: Option<ir::Value>,
    record_size: u64,
    /// What writes or checks the mark of a tape that the program holds.
    mark: Option<ir::Value>,
    reverse: bool,
    /// What the present replay runs an iteration of.
    segment: Segment,
    /// The values that the present replay computes.
    replayed: IndexSet<ValueId>,
    forward: Vec<Option<ir::Value>>,
    frames: Vec<IndexMap<Key, ir::Value>>,
    /// Stack variables of phis.
    phis: IndexMap<ValueId, ir::Value>,
    direct: registers::Direct,
    /// Adjoint registers; in forward mode the tangents of phis.
    registers: IndexMap<ValueId, ir::Value>,
    tangents: IndexMap<ValueId, ir::Value>,
    shadows: IndexMap<ValueId, ir::Value>,
    /// Stack variables of the shadows of pointer phis.
    chosen: IndexMap<ValueId, ir::Value>,
    notes: IndexMap<Join, ir::Value>,
    trips: IndexMap<LoopId, ir::Value>,
    /// Present iteration number of each open loop, and the last one of those that run down.
    iterations: IndexMap<LoopId, ir::Value>,
    last: IndexMap<LoopId, ir::Value>,
    /// What calls of derived code gave.
    given: IndexMap<ValueId, calls::Given>,
    /// The variables with the snapshots of loops.
    checkpoints: IndexMap<LoopId, ir::Value>,
    /// The list of memory to be given back at the end.
    deferred: Option<ir::Value>,
    slots: Vec<tape::SlotHome>,
    shapes: Vec<tape::ShapeHome>,
    tapes: Vec<tape::TapeHome>,
    /// The variables with the sizes of copies of memory.
    snapshots: IndexMap<u32, ir::Value>,
    /// The memory of slots that are not variables.
    block: Option<ir::Value>,
    undone: IndexMap<ValueId, undo::Undone>,
    /// What accesses to memory go to.
    accesses: IndexMap<ir::Value, scopes::Class>,
    returned: Option<ir::Value>,
    returned_tangent: Option<ir::Value>,
    seed: Option<ir::Value>,
}

impl<'a> Emit<'a> {
    fn new(input: &'a Input<'a>, function: ir::Value) -> Self {
        let primal = &input.imported.primal;
        let module = input.module;
        let (b, top) = (Builder::new(module), Builder::new(module));
        let start = b.new_block(function, "start");
        Emit {
            input,
            primal,
            b,
            top,
            start,
            function,
            part: Part::Whole,
            record: None,
            record_size: 0,
            mark: None,
            reverse: false,
            segment: None,
            replayed: IndexSet::new(),
            forward: vec![None; primal.values.len()],
            frames: vec![IndexMap::new()],
            phis: IndexMap::new(),
            direct: registers::analyse(input.prog),
            registers: IndexMap::new(),
            tangents: IndexMap::new(),
            shadows: IndexMap::new(),
            chosen: IndexMap::new(),
            notes: IndexMap::new(),
            trips: IndexMap::new(),
            iterations: IndexMap::new(),
            last: IndexMap::new(),
            given: IndexMap::new(),
            checkpoints: IndexMap::new(),
            deferred: None,
            slots: vec![],
            shapes: vec![],
            tapes: vec![],
            snapshots: IndexMap::new(),
            block: None,
            undone: IndexMap::new(),
            accesses: IndexMap::new(),
            returned: None,
            returned_tangent: None,
            seed: None,
        }
    }

    /// Goes on in another function, which knows nothing of the values of the first.
    fn continue_in(&mut self, function: ir::Value) {
        self.function = function;
        self.start = self.b.new_block(function, "start");
        self.forward = vec![None; self.primal.values.len()];
        for map in [&mut self.phis, &mut self.registers, &mut self.tangents, &mut self.shadows, &mut self.chosen] {
            map.clear();
        }
        self.notes.clear();
        self.deferred = None;
        (self.slots, self.shapes, self.tapes) = (vec![], vec![], vec![]);
        self.snapshots.clear();
    }

    /// Makes everything that the function starts with.
    fn start_function(&mut self, part: Part) {
        self.part = part;
        transform::set_generated_attributes(self.function, self.input.prepared);
        let entry = self.b.new_block(self.function, "entry");
        self.start.move_after(entry);
        self.top.at_end(entry);
        self.b.at_end(self.start);
        if part != Part::Whole {
            self.direct.slots.clear();
        }
        self.parameters();
        self.open_record();
        self.variables();
        self.homes();
        self.close_record();
        self.lasting_shadows();
    }

    /// Names the parameters and remembers primals, shadows and the seed.
    fn parameters(&mut self) {
        let mut parameters = self.function.parameters().into_iter().enumerate();
        let mut next = || parameters.next().expect("the signature has all parameters");
        for (&arg, activity) in self.primal.args.iter().zip(&self.input.variant.arguments) {
            let name = &self.primal.value(arg).name;
            let (n, p) = next();
            p.set_name(name);
            // The primal's memory is accessed as by the primal, and shadows are other memory.
            let facts = self.input.facts;
            if facts.objects.named(&Object::Arg(arg)).is_some_and(|o| facts.restricted.contains(&o)) {
                self.function.restrict_parameter(n as u32);
            }
            let alone = facts.alone.contains(&arg);
            if alone {
                self.function.restrict_parameter(n as u32);
            }
            self.forward[arg.index()] = Some(p);
            if activity.has_shadow() {
                let (n, shadow) = next();
                if alone && self.primal.ty(arg) == Ty::Ptr {
                    self.function.restrict_parameter(n as u32);
                }
                shadow.set_name(&format!("{name}'"));
                if self.primal.ty(arg) == Ty::Ptr {
                    let shadow = if self.input.variant.maybe { self.known_shadow(p, shadow) } else { shadow };
                    self.shadows.insert(arg, shadow);
                } else {
                    self.tangents.insert(arg, shadow);
                }
            }
        }
        let variant = self.input.variant;
        if variant.active_return && variant.mode != Mode::Forward && self.part != Part::Forward {
            self.seed = Some(next().1);
        }
        match self.part {
            Part::Reverse => self.record = Some(next().1),
            Part::Forward if variant.inner => self.deferred = Some(next().1),
            _ => {}
        }
    }

    /// The shadow of an argument that may have none: null then.
    fn known_shadow(&self, primal: ir::Value, shadow: ir::Value) -> ir::Value {
        let same = self.top.icmp(LLVMIntEQ, primal, shadow);
        self.top.select(same, shadow.ty().zero(), shadow)
    }

    /// Stack variables for what is not in SSA form at first, and shadows of stack objects.
    fn variables(&mut self) {
        for (v, inst) in self.primal.insts() {
            if inst.op == Op::Alloca {
                self.stack_object(v);
            }
            if matches!(inst.op, Op::Phi(_)) {
                let variable = self.top.alloca(self.origin(v).ty(), "phi");
                self.phis.insert(v, variable);
            }
        }
        for i in 0..self.primal.values.len() {
            let v = ValueId(i as u32);
            if let Def::Shadow(of) = self.primal.value(v).def
                && matches!(self.primal.op(of), Some(Op::Phi(_)))
            {
                let variable = self.top.alloca(self.input.module.pointer(), "shadow");
                self.chosen.insert(of, variable);
            }
            let phi = matches!(self.primal.op(v), Some(Op::Phi(_)));
            let wanted = if self.input.prog.reverse.is_some() { !self.direct.sums.contains(&v) } else { phi };
            if self.input.facts.is_active(v) && self.primal.ty(v).is_real() && wanted {
                let ty = self.real(v);
                let register = self.top.alloca(ty, "d");
                self.top.store(ty.zero(), register);
                self.registers.insert(v, register);
            }
        }
        let returned = self.input.prepared.return_type();
        if returned.kind() != ir::Kind::Void {
            self.returned = Some(self.top.alloca(returned, "returned"));
            let tangent = self.top.alloca(returned, "returned'");
            self.top.store(returned.zero(), tangent);
            self.returned_tangent = Some(tangent);
        }
    }

    /// Closes the entry block and returns.
    fn finish_function(&mut self) {
        self.separate_accesses();
        self.release_block();
        let variant = self.input.variant;
        let mut fields = Vec::new();
        if self.part == Part::Forward {
            fields.push(self.record.expect("a forward sweep of its own has a record"));
        }
        if self.part != Part::Reverse
            && variant.primal_return
            && let Some(variable) = self.returned
        {
            fields.push(self.b.load(self.input.prepared.return_type(), variable));
        }
        let tangent = variant.mode == Mode::Forward && variant.active_return;
        if self.part != Part::Reverse && (tangent || variant.shadow_return) {
            let variable = self.returned_tangent.expect("an active return returns something");
            fields.push(self.b.load(self.input.prepared.return_type(), variable));
        }
        if variant.mode != Mode::Forward && self.part != Part::Forward {
            for (&arg, activity) in self.primal.args.iter().zip(&variant.arguments) {
                if *activity == Activity::Out {
                    let ty = self.origin(arg).ty();
                    let register = self.registers.get(&arg).copied();
                    fields.push(register.map_or_else(|| ty.zero(), |r| self.b.load(ty, r)));
                }
            }
        }
        if self.part == Part::Reverse {
            let record = self.record.expect("a reverse sweep of its own has a record");
            self.runtime(allocation::TAPE_RELEASE, self.input.module.void(), &[record]);
        }
        let result = self.function.return_type();
        if fields.is_empty() {
            self.b.ret(None);
        } else {
            let all = fields.into_iter().enumerate();
            let value = all.fold(result.poison(), |s, (i, f)| self.b.insert_field(s, f, i as u32));
            self.b.ret(Some(value));
        }
        self.top.jump(self.start);
    }

    /// The LLVM value in the prepared function.
    fn origin(&self, v: ValueId) -> ir::Value {
        self.input.imported.origin[v.index()]
    }

    /// The type of a value's derivative.
    fn real(&self, v: ValueId) -> Type {
        match self.primal.ty(v) {
            Ty::Float => self.input.module.float(),
            Ty::Extended => self.input.module.extended(),
            _ => self.input.module.double(),
        }
    }

    /// Flags of the additions that the tool makes. The sign of a derivative that is zero says nothing, so that adding zero
    /// changes nothing: where all that a loop adds is zero, LLVM leaves it out.
    fn sum_flags(&self) -> u32 {
        if self.input.fixed_order { 0 } else { FREE_SUM | LLVMFastMathNoSignedZeros }
    }
}

/// Declares the functions of a variant of `function`.
pub fn declare(module: Module, function: ir::Value, variant: &Variant) -> Generated {
    let add = |word: &str, part: Part| {
        let ty = signature(module, function, variant, part);
        let made = module.add_function(&format!("pardiff.{word}.{}", function.name()), ty);
        made.set_internal();
        made
    };
    match variant.mode {
        Mode::Reverse => Generated::Whole(add("gradient", Part::Whole)),
        Mode::Forward => Generated::Whole(add("tangent", Part::Whole)),
        Mode::AugmentedForward | Mode::SplitReverse => {
            Generated::Split { forward: add("forward", Part::Forward), reverse: add("reverse", Part::Reverse) }
        }
    }
}

/// Declares a version of a gradient.
pub fn declare_version(module: Module, function: ir::Value, variant: &Variant, word: &str) -> ir::Value {
    let ty = signature(module, function, variant, Part::Whole);
    let made = module.add_function(&format!("pardiff.gradient.{word}.{}", function.name()), ty);
    made.set_internal();
    made
}

/// The type of a generated function.
fn signature(module: Module, function: ir::Value, variant: &Variant, part: Part) -> Type {
    let returned = function.return_type();
    let types: Vec<Type> = function.parameters().iter().map(|p| p.ty()).collect();
    let mut parameters = Vec::new();
    for (&ty, activity) in types.iter().zip(&variant.arguments) {
        parameters.push(ty);
        if activity.has_shadow() {
            parameters.extend(std::iter::repeat_n(ty, variant.width as usize));
        }
    }
    let backward = variant.mode != Mode::Forward && part != Part::Forward;
    if backward && variant.active_return {
        parameters.push(returned);
    }
    match part {
        Part::Reverse => parameters.push(module.pointer()),
        Part::Forward if variant.inner => parameters.push(module.pointer()),
        _ => {}
    }
    let mut fields = Vec::new();
    if part == Part::Forward {
        fields.push(module.pointer());
    }
    if part != Part::Reverse {
        if variant.primal_return && returned.kind() != ir::Kind::Void {
            fields.push(returned);
        }
        if variant.mode == Mode::Forward && variant.active_return || variant.shadow_return {
            fields.extend(std::iter::repeat_n(returned, variant.width as usize));
        }
    }
    if backward {
        let out = types.iter().zip(&variant.arguments).filter(|(_, a)| **a == Activity::Out);
        fields.extend(out.map(|(ty, _)| *ty));
    }
    let result = if fields.is_empty() { module.void() } else { module.structure(&fields) };
    result.function(&parameters)
}

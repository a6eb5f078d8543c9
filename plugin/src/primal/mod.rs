//! The primal as plain data: values, blocks and loops under dense ids.
//!
//! A mirror of the prepared LLVM function that holds what the pure phases ask about: which operation, which
//! operands, which block. Everything else about an instruction stays in LLVM, where `emit`
//! copies it from. Built by `facts::import`; has a text form (`text`), so that `build`, `schedule` and `store` are
//! tested without LLVM.

pub mod cfg;
pub mod expr;
pub mod offset;
pub mod order;
pub mod text;

use crate::rules::RuleId;
use indexmap::IndexMap;
use std::collections::BTreeSet;

pub use cfg::{Loop, Schedule};
pub use expr::Expr;
pub use offset::Offset;

macro_rules! id {
    ($(#[$m:meta])* $name:ident, $prefix:literal) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}
pub(crate) use id;
id!(
    /// A value of the primal: argument, constant, instruction (with or without result), or one that
    /// `build` adds.
    ValueId, "%");
id!(
    /// A basic block.
    BlockId, "b");
id!(
    /// A natural loop.
    LoopId, "L");

/// The types that the pure phases tell apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ty {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// IEEE single precision.
    Float,
    /// IEEE double precision.
    Double,
    /// The x87 format of 80 bits: C's `long double` on x86.
    Extended,
    /// A pointer.
    Ptr,
    /// Any other type: half, quadruple precision, vectors, aggregates, tokens.
    Other,
}

impl Ty {
    /// Whether adjoints of this type are supported.
    pub fn is_real(self) -> bool {
        matches!(self, Ty::Float | Ty::Double | Ty::Extended)
    }
    /// Bytes that a value of this type takes on the tape.
    pub fn bytes(self) -> u64 {
        match self {
            Ty::Void | Ty::Other => 0,
            Ty::Int(bits) => u64::from(bits.div_ceil(8)).next_power_of_two(),
            Ty::Float => 4,
            Ty::Double | Ty::Ptr => 8,
            Ty::Extended => 16,
        }
    }
}

/// Where several edges meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Join {
    /// At the start of a block.
    Block(BlockId),
    /// At the end of an iteration of a loop: edge 0 goes on, the others leave.
    End(LoopId),
}

/// What a global holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holding {
    /// What it was initialised with, or code.
    Constants,
    /// What the program stores in it.
    Variables,
    /// The same, of which the program says that it has no derivative.
    Inactive,
}

/// What defines a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// Parameter of the function.
    Arg(u32),
    /// A constant; its text is the value's name.
    Const,
    /// A global variable or function.
    Global(Holding),
    /// An instruction.
    Inst(Inst),
    /// The number of the edge by which a join was reached (added by `build`).
    Which(Join),
    /// The number of iterations that a loop started (added by `build`).
    Trip(LoopId),
    /// What the forward sweep of a called function left for its reverse sweep (added by `build`).
    Record(ValueId),
    /// The shadow of a pointer that is loaded, allocated or chosen at run time; null where there is none (added by
    /// `build`).
    Shadow(ValueId),
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// What it works on; for `Op::Rule` one per operand of the rule.
    pub operands: Vec<ValueId>,
    /// The block it is in.
    pub block: BlockId,
    /// Source line and column, zero where unknown.
    pub loc: (u32, u32),
}

/// What an instruction does, as far as the pure phases care.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A phi; the predecessor of each operand.
    Phi(Vec<BlockId>),
    /// A real function with a row in the rules table.
    Rule(RuleId),
    /// No memory, no derivative, may be executed anywhere: integer arithmetic, comparisons, casts from and to
    /// integers.
    Pure,
    /// As `Pure`, but traps for some operands (integer division).
    Trapping,
    /// Address arithmetic; the first operand is the pointer, the offset what is added to it.
    Gep(Offset),
    /// `operands[0] ? operands[1] : operands[2]`
    Select,
    /// The same bits, with undefined values fixed.
    Freeze,
    /// Bits of a real number seen as an integer, or the other way.
    Bits,
    /// A load from `operands[0]`.
    Load,
    /// A store of `operands[0]` to `operands[1]`.
    Store,
    /// A stack object.
    Alloca,
    /// Fresh memory from a function such as `malloc`.
    Allocate(Allocation),
    /// Gives back the memory that `operands[0]` points to.
    Free,
    /// `operands[2]` bytes at `operands[0]` set to byte `operands[1]`.
    Fill,
    /// `operands[2]` bytes copied from `operands[1]` to `operands[0]`.
    Copy,
    /// A call of a function with known facts and without derivative.
    Inactive(Effect),
    /// A call that stays a call, of a function with a definition; after its arguments come the global variables that it
    /// works on.
    Callee(Box<Callee>),
    /// A call of a function that nothing is known about.
    Call(String),
    /// A terminator.
    Terminator,
    /// Anything else, named for messages.
    Unsupported(String),
}

/// What is known about fresh memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Allocation {
    /// It holds zeros.
    pub zeroed: bool,
    /// It ends with the function that asks for it, as a local array does.
    pub local: bool,
    /// It comes from a function of the program, which may keep books in any memory.
    pub own: bool,
}

/// What a function does that is called and not inlined.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Callee {
    /// Its name.
    pub name: String,
    /// Per operand: what happens to the memory behind it.
    pub touches: Vec<Touch>,
    /// How many of the operands, the last ones, are global variables and not arguments.
    pub globals: usize,
    /// Which memory it accesses where as what.
    pub accesses: Vec<Accessed>,
    /// It stores pointers to memory that it allocated, or that is behind pointers in memory, at this place.
    pub links: Option<Offset>,
    /// It gives back a pointer to memory that it allocated, or that is behind pointers in memory, at this place.
    pub fresh: Option<Offset>,
    /// Memory that it allocates outlives it.
    pub allocates: bool,
    /// It writes numbers to memory that it allocates.
    pub fills: bool,
    /// It gives memory back, or has local arrays of variable length.
    pub frees: bool,
}

/// What happens to the memory behind one operand of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Touch {
    /// Numbers are read.
    pub reads: bool,
    /// Numbers are written.
    pub writes: bool,
    /// Something is written.
    pub modifies: bool,
    /// Memory is given back.
    pub frees: bool,
    /// A pointer to this place of it is returned.
    pub returned: Option<Offset>,
    /// A pointer to this place of it is stored.
    pub linked: Option<Offset>,
}

/// Memory that a called function accesses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Accessed {
    /// The operand that leads there; none for memory that the function allocates.
    pub operand: Option<usize>,
    /// The places of the pointers that lead on from there.
    pub slots: Vec<Offset>,
    /// Where it is accessed as what.
    pub places: BTreeSet<(Offset, Kind)>,
}

/// What a part of memory holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A real number.
    Real(Ty),
    /// A pointer.
    Pointer,
    /// An integer of that many bytes.
    Integer(u64),
}

impl Callee {
    /// Whether it stores pointers that others may find.
    pub fn stores_pointers(&self) -> bool {
        self.links.is_some() || self.touches.iter().any(|t| t.linked.is_some())
    }
}

impl Inst {
    /// The pointer that a store, fill or copy writes through.
    pub fn written(&self) -> Option<ValueId> {
        match self.op {
            Op::Store => Some(self.operands[1]),
            Op::Fill | Op::Copy => Some(self.operands[0]),
            _ => None,
        }
    }
}

impl Kind {
    /// What a value of this type is in memory.
    pub fn of(ty: Ty) -> Option<Kind> {
        match ty {
            Ty::Void => None,
            Ty::Int(_) => Some(Kind::Integer(ty.bytes())),
            Ty::Ptr => Some(Kind::Pointer),
            Ty::Float | Ty::Double | Ty::Extended | Ty::Other => Some(Kind::Real(ty)),
        }
    }
    /// Bytes from one element of an array to the next.
    pub fn bytes(self) -> u64 {
        match self {
            Kind::Real(Ty::Other) | Kind::Pointer => 8,
            Kind::Real(ty) => ty.bytes(),
            Kind::Integer(bytes) => bytes,
        }
    }
}

/// What an inactive call does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Writes memory through those of its pointer operands whose bit is set.
    Writes(u32),
    /// Speaks to the outside (prints, aborts) but leaves the program's memory alone.
    Outside,
    /// May write any memory.
    Anything,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// Its type, `Void` for instructions without result.
    pub ty: Ty,
    /// What defines it.
    pub def: Def,
    /// For messages and printed phases: the source name where known, or the constant.
    pub name: String,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// Goes on.
    Goto(BlockId),
    /// Goes to the first block if the condition holds, else to the second.
    Branch(ValueId, BlockId, BlockId),
    /// Returns.
    Return(Option<ValueId>),
    /// Never ends.
    Unreachable,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Instructions in order, terminator left out.
    pub insts: Vec<ValueId>,
    /// How it ends.
    pub term: Term,
}

/// The primal function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Primal {
    /// Name of the function as the user wrote it.
    pub name: String,
    /// All values by id.
    pub values: Vec<Value>,
    /// The parameters.
    pub args: Vec<ValueId>,
    /// Blocks by id; the first is the entry.
    pub blocks: Vec<Block>,
    /// Loops by id, outer loops before inner ones.
    pub loops: Vec<Loop>,
    /// Innermost loop of each block.
    pub loop_of: Vec<Option<LoopId>>,
    /// Loads and stores of integers that the source declares as integers, not as parts of numbers.
    pub integers: BTreeSet<ValueId>,
    /// Loads and stores of bytes that were counted from somewhere, or copied: whatever their type, the memory may be declared as another.
    pub pieces: BTreeSet<ValueId>,
    /// The values that `build` added, by definition.
    added: IndexMap<Def, ValueId>,
}

impl Primal {
    /// A function without values and blocks.
    pub fn named(name: &str) -> Self {
        Primal { name: name.to_string(), ..Primal::default() }
    }
    /// The value under an id.
    pub fn value(&self, v: ValueId) -> &Value {
        &self.values[v.index()]
    }
    /// The type of a value.
    pub fn ty(&self, v: ValueId) -> Ty {
        self.value(v).ty
    }
    /// The instruction that defines a value, if one does.
    pub fn inst(&self, v: ValueId) -> Option<&Inst> {
        match &self.value(v).def {
            Def::Inst(inst) => Some(inst),
            _ => None,
        }
    }
    /// The operation of an instruction.
    pub fn op(&self, v: ValueId) -> Option<&Op> {
        self.inst(v).map(|i| &i.op)
    }
    /// All ids of instructions, in block order.
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = (ValueId, &Inst)> {
        self.blocks.iter().flat_map(|b| &b.insts).filter_map(|&v| Some((v, self.inst(v)?)))
    }
    /// Successors of a block.
    pub fn successors(&self, b: BlockId) -> Vec<BlockId> {
        match self.blocks[b.index()].term {
            Term::Goto(to) => vec![to],
            Term::Branch(_, then, other) => vec![then, other],
            Term::Return(_) | Term::Unreachable => vec![],
        }
    }
    /// The text of a constant, if the value is one.
    pub fn constant(&self, v: ValueId) -> Option<&str> {
        let value = self.value(v);
        (value.def == Def::Const).then_some(value.name.as_str())
    }
    /// The value of an integer constant, if the value is one.
    pub fn int_constant(&self, v: ValueId) -> Option<i64> {
        self.constant(v)?.parse().ok()
    }
    /// Whether no operand of an instruction is undefined: it may differ from time to time.
    pub fn is_defined(&self, inst: &Inst) -> bool {
        inst.operands.iter().all(|&o| !matches!(self.constant(o), Some("undef" | "poison")))
    }
    /// Whether a block is in a loop.
    pub fn is_block_in(&self, b: BlockId, l: LoopId) -> bool {
        self.nest(self.loop_of[b.index()]).contains(&l)
    }
    /// Whether a value is computed in a loop.
    pub fn is_value_in(&self, v: ValueId, l: LoopId) -> bool {
        self.nest(self.loop_of_value(v)).contains(&l)
    }
    /// The innermost loop around the definition of a value.
    pub fn loop_of_value(&self, v: ValueId) -> Option<LoopId> {
        match &self.value(v).def {
            Def::Arg(_) | Def::Const | Def::Global(_) => None,
            Def::Inst(inst) => self.loop_of[inst.block.index()],
            Def::Which(Join::Block(b)) => self.loop_of[b.index()],
            Def::Which(Join::End(l)) | Def::Trip(l) => self.loops[l.index()].parent,
            Def::Shadow(of) | Def::Record(of) => self.loop_of_value(*of),
        }
    }
    /// The loops around a loop, itself included, outermost first.
    pub fn nest(&self, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut nest: Vec<_> = std::iter::successors(innermost, |l| self.loops[l.index()].parent).collect();
        nest.reverse();
        nest
    }
    /// Adds a value; `build` uses it for edge numbers and trip counts.
    pub fn add(&mut self, ty: Ty, def: Def, name: String) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        if matches!(def, Def::Which(_) | Def::Trip(_) | Def::Shadow(_) | Def::Record(_)) {
            self.added.insert(def.clone(), id);
        }
        self.values.push(Value { ty, def, name });
        id
    }
    /// The value that `build` added with this definition, if it did.
    pub fn added(&self, def: &Def) -> Option<ValueId> {
        self.added.get(def).copied()
    }
    /// A value as messages and printed phases show it.
    pub fn show(&self, v: ValueId) -> String {
        let value = self.value(v);
        match &value.def {
            Def::Const => value.name.clone(),
            Def::Global(_) => format!("@{}", value.name),
            Def::Which(Join::Block(b)) => format!("which({b:?})"),
            Def::Which(Join::End(l)) => format!("which({l:?})"),
            Def::Trip(l) => format!("trip({l:?})"),
            Def::Shadow(of) => format!("shadow({})", self.show(*of)),
            Def::Record(of) => format!("record({})", self.show(*of)),
            Def::Arg(_) | Def::Inst(_) => {
                format!("%{}", if value.name.is_empty() { v.0.to_string() } else { value.name.clone() })
            }
        }
    }
}

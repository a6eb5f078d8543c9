//! Reads a prepared LLVM function into a `Primal`.

use super::summary::{Summaries, Summary};
use crate::allocation;
use crate::library::{self, Memory};
use crate::llvm::analyses::{gep_offset, is_integer, is_piece};
use crate::llvm::ir::{self, Kind};
use crate::primal::{Block, BlockId, Def, Effect, Holding, Inst, Offset, Op, Primal, Term, Touch, Ty, ValueId, cfg};
use crate::problem::{Code, Problem};
use crate::registered::{INACTIVE, LIKE};
use crate::rules;
use indexmap::IndexMap;
use llvm_sys::LLVMOpcode::{self, *};

/// The primal and where its values and blocks are in LLVM.
pub struct Imported {
    /// The mirror.
    pub primal: Primal,
    /// LLVM's value for each id; `None` for the values that `build` adds.
    pub origin: Vec<ir::Value>,
    /// The id of each LLVM value.
    pub ids: IndexMap<ir::Value, ValueId>,
    /// The id of each LLVM block.
    pub blocks: IndexMap<ir::Block, BlockId>,
}

/// Mirrors `function`; `name` is what the user calls it.
pub fn import(function: ir::Value, name: &str, summaries: &Summaries) -> Result<Imported, Vec<Problem>> {
    let mut import =
        Imported { primal: Primal::named(name), origin: vec![], ids: IndexMap::new(), blocks: IndexMap::new() };
    for (i, p) in function.parameters().into_iter().enumerate() {
        let id = import.enter(p, Def::Arg(i as u32));
        import.primal.args.push(id);
    }
    let llvm_blocks = function.blocks();
    for (i, b) in llvm_blocks.iter().enumerate() {
        import.blocks.insert(*b, BlockId(i as u32));
    }
    // Ids first, since phis read values defined later.
    for b in &llvm_blocks {
        for i in b.instructions() {
            import.enter(i, Def::Const);
        }
    }
    let mut problems = Vec::new();
    for b in &llvm_blocks {
        let block = import.block(*b, summaries, &mut problems);
        import.primal.blocks.push(block);
    }
    if problems.is_empty()
        && let Err((b, what)) = cfg::find_loops(&mut import.primal)
    {
        let at = llvm_blocks[b.index()].terminator();
        problems.push(Problem {
            code: Code::ControlFlow,
            text: format!("the control flow of '{name}' cannot be reversed: {what}"),
            at,
        });
    }
    if problems.is_empty() { Ok(import) } else { Err(problems) }
}

fn type_of(ty: ir::Type) -> Ty {
    match ty.kind() {
        Kind::Void => Ty::Void,
        Kind::Int(bits) => Ty::Int(bits),
        Kind::Float => Ty::Float,
        Kind::Double => Ty::Double,
        Kind::Extended => Ty::Extended,
        Kind::Pointer => Ty::Ptr,
        _ => Ty::Other,
    }
}

impl Imported {
    fn enter(&mut self, value: ir::Value, def: Def) -> ValueId {
        if let Some(&id) = self.ids.get(&value) {
            return id;
        }
        let name = match def {
            Def::Const if value.as_instruction().is_none() => short_constant(value),
            _ => value.name(),
        };
        let id = self.primal.add(type_of(value.ty()), def, name);
        self.origin.push(value);
        self.ids.insert(value, id);
        id
    }

    fn operand(&mut self, value: ir::Value) -> ValueId {
        let def = match underlying_global(value) {
            Some(global) => Def::Global(holding(global)),
            None => Def::Const,
        };
        self.enter(value, def)
    }

    fn block(&mut self, block: ir::Block, summaries: &Summaries, problems: &mut Vec<Problem>) -> Block {
        let id = self.blocks[&block];
        let mut insts = Vec::new();
        for i in block.instructions() {
            if i.opcode() == LLVMBr || i.opcode() == LLVMRet || i.opcode() == LLVMUnreachable {
                continue;
            }
            let Some(inst) = self.instruction(i, id, summaries) else { continue };
            let v = self.ids[&i];
            if matches!(inst.op, Op::Load | Op::Store) && is_integer(i) {
                self.primal.integers.insert(v);
            }
            if matches!(inst.op, Op::Load | Op::Store) && is_piece(i) {
                self.primal.pieces.insert(v);
            }
            self.primal.values[v.index()].def = Def::Inst(inst);
            insts.push(v);
        }
        let term = self.terminator(block, problems);
        Block { insts, term }
    }

    fn terminator(&mut self, block: ir::Block, problems: &mut Vec<Problem>) -> Term {
        let t = block.terminator().expect("verified blocks have a terminator");
        let targets: Vec<_> = t.successors().iter().map(|b| self.blocks[b]).collect();
        match (t.opcode(), targets.as_slice()) {
            (LLVMRet, _) => Term::Return(t.operand(0).map(|v| self.operand(v))),
            (LLVMBr, &[to]) => Term::Goto(to),
            // A screen (plugin/cpp/screens.cpp), or a condition that decides nothing.
            (LLVMBr, &[then, other]) if then == other => Term::Goto(then),
            (LLVMBr, &[then, other]) => {
                let condition = self.operand(t.operand(0).expect("a conditional branch has a condition"));
                Term::Branch(condition, then, other)
            }
            (LLVMUnreachable, _) => Term::Unreachable,
            (opcode, _) => {
                let text = format!("'{}' in a differentiated function is not supported yet", describe(opcode));
                problems.push(Problem::at(Code::ControlFlow, t, text));
                Term::Unreachable
            }
        }
    }

    /// The mirror of an instruction; `None` for those without meaning to the primal.
    fn instruction(&mut self, i: ir::Value, block: BlockId, summaries: &Summaries) -> Option<Inst> {
        let loc = i.line();
        let mut inst = Inst { op: Op::Pure, operands: vec![], block, loc };
        match i.opcode() {
            LLVMCall => {
                let (op, arguments) = match summaries.get(&i.callee()) {
                    Some(summary) => called(i, summary),
                    None => call(i)?,
                };
                inst.op = op;
                inst.operands = arguments.into_iter().map(|v| self.operand(v)).collect();
            }
            LLVMPHI => {
                let incoming = i.incoming();
                inst.op = Op::Phi(incoming.iter().map(|(_, b)| self.blocks[b]).collect());
                inst.operands = incoming.into_iter().map(|(v, _)| self.operand(v)).collect();
            }
            // Connectives are choices: what decides about a loop can then be taken apart.
            LLVMAnd | LLVMOr if i.ty().kind() == Kind::Int(1) => {
                let (a, b) = (i.operand(0)?, i.operand(1)?);
                let constant = i.ty().int(if i.opcode() == LLVMAnd { 0 } else { -1 });
                inst.op = Op::Select;
                let choice = if i.opcode() == LLVMAnd { [a, b, constant] } else { [a, constant, b] };
                inst.operands = choice.into_iter().map(|v| self.operand(v)).collect();
            }
            opcode => {
                inst.op = classify(i, opcode);
                inst.operands = (0..i.operand_count()).filter_map(|n| i.operand(n)).map(|v| self.operand(v)).collect();
            }
        }
        Some(inst)
    }
}

/// The global or function that a constant pointer leads into.
fn underlying_global(mut value: ir::Value) -> Option<ir::Value> {
    while value.constant_opcode().is_some() {
        value = value.operand(0)?;
    }
    (value.as_global().is_some() || value.as_function().is_some()).then_some(value)
}

fn short_constant(value: ir::Value) -> String {
    if let Some(i) = value.as_int() {
        return i.to_string();
    }
    if let Some(r) = value.as_real() {
        return format!("{r:?}");
    }
    if value.as_global().is_some() || value.as_function().is_some() {
        return value.name();
    }
    let text = value.text();
    text.split_once(' ').map_or(text.clone(), |(_, v)| v.to_string())
}

fn describe(opcode: LLVMOpcode) -> &'static str {
    match opcode {
        LLVMInvoke => "invoke",
        LLVMSwitch => "switch",
        LLVMIndirectBr => "indirectbr",
        LLVMResume | LLVMLandingPad => "exception handling",
        LLVMCallBr => "asm goto",
        _ => "this control flow",
    }
}

fn holding(global: ir::Value) -> Holding {
    if global.as_function().is_some() || global.is_constant_global() {
        return Holding::Constants;
    }
    if global.has_variable_mark(INACTIVE) { Holding::Inactive } else { Holding::Variables }
}

fn classify(i: ir::Value, opcode: LLVMOpcode) -> Op {
    let real = |name: &str| rules::by_name(name).map_or_else(|| Op::Unsupported(name.to_string()), Op::Rule);
    let unsupported = |what: &str| Op::Unsupported(what.to_string());
    let scalar = type_of(i.ty());
    match opcode {
        LLVMFNeg | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPExt | LLVMFPTrunc
            if !scalar.is_real() || !i.operand(0).is_some_and(|o| type_of(o.ty()).is_real()) =>
        {
            let types = [i.operand(0).map_or(i.ty(), |o| o.ty()), i.ty()];
            let odd = types.into_iter().find(|t| !type_of(*t).is_real()).unwrap_or(i.ty());
            unsupported(&format!("arithmetic on '{}'", odd.text()))
        }
        LLVMFNeg => real("fneg"),
        LLVMFAdd => real("fadd"),
        LLVMFSub => real("fsub"),
        LLVMFMul => real("fmul"),
        LLVMFDiv => real("fdiv"),
        LLVMFRem => real("frem"),
        LLVMFPExt => real("fpext"),
        LLVMFPTrunc => real("fptrunc"),
        LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc
        | LLVMZExt | LLVMSExt | LLVMICmp | LLVMFCmp | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP => Op::Pure,
        LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => Op::Trapping,
        LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast => Op::Bits,
        LLVMGetElementPtr => {
            let (at, step) = gep_offset(i);
            Op::Gep(Offset::new(at, step))
        }
        LLVMSelect => Op::Select,
        LLVMFreeze => Op::Freeze,
        LLVMAlloca if i.operand(0).and_then(|n| n.as_int()).is_some() => Op::Alloca,
        LLVMAlloca => unsupported("an array of variable length on the stack"),
        LLVMLoad if i.is_volatile() => unsupported("a volatile load"),
        LLVMLoad if i.is_atomic() => unsupported("an atomic load"),
        LLVMLoad => Op::Load,
        LLVMStore if i.is_volatile() => unsupported("a volatile store"),
        LLVMStore if i.is_atomic() => unsupported("an atomic store"),
        LLVMStore => Op::Store,
        LLVMFence => unsupported("a memory fence"),
        LLVMAtomicCmpXchg | LLVMAtomicRMW => unsupported("an atomic operation"),
        LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => unsupported("an operation on vectors"),
        LLVMExtractValue if i.operand(0).is_some_and(|o| of_integers(o.ty())) => Op::Pure,
        LLVMExtractValue | LLVMInsertValue => unsupported("an operation on whole structs"),
        _ => unsupported("this instruction"),
    }
}

/// A call that stays a call.
fn called(i: ir::Value, summary: &Summary) -> (Op, Vec<ir::Value>) {
    let arguments = i.call_arguments().into_iter().chain(summary.globals.iter().copied()).collect();
    if i.callee().as_function().is_some_and(|f| f.mark(INACTIVE).is_some()) {
        return (Op::Inactive(effect_of(summary)), arguments);
    }
    (Op::Callee(Box::new(summary.callee.clone())), arguments)
}

/// What a function without derivative does to memory.
fn effect_of(summary: &Summary) -> Effect {
    let callee = &summary.callee;
    // What lies behind pointers in memory is not among the operands.
    let deep = callee.accesses.iter().any(|a| !a.slots.is_empty());
    let anything = callee.allocates
        || callee.frees
        || callee.stores_pointers()
        || callee.touches.iter().any(|t| t.frees || deep && t.modifies);
    if anything {
        return Effect::Anything;
    }
    let bit = |(n, t): (usize, &Touch)| if t.modifies { 1 << n.min(31) } else { 0 };
    match callee.touches.iter().enumerate().map(bit).fold(0, |all: u32, one: u32| all | one) {
        0 => Effect::Outside,
        which => Effect::Writes(which),
    }
}

/// What a call does, and its operands; `None` for calls without meaning to the primal.
fn call(i: ir::Value) -> Option<(Op, Vec<ir::Value>)> {
    let callee = i.callee();
    let arguments: Vec<_> = i.call_arguments().into_iter().filter(|a| !a.is_metadata()).collect();
    if callee.is_inline_asm() {
        return Some((Op::Unsupported("inline assembly".into()), arguments));
    }
    let Some(function) = callee.as_function() else {
        return Some((Op::Call(String::new()), arguments));
    };
    let name = function.name();
    if name.starts_with("llvm.dbg.") {
        return None;
    }
    let real = |v: ir::Value| type_of(v.ty()).is_real();
    if is_integer_intrinsic(&name) {
        return Some((Op::Pure, arguments));
    }
    if name.starts_with("llvm.memset.") || name == "memset" {
        return Some((Op::Fill, arguments[..3].to_vec()));
    }
    if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") || name == "memcpy" || name == "memmove" {
        return Some((Op::Copy, arguments[..3].to_vec()));
    }
    if let Some(rule) = rules::by_callee(&function.mark(LIKE).unwrap_or(name.clone())) {
        let row = rules::row(rule);
        let typed = (real(i) || matches!(i.ty().kind(), Kind::Int(_)))
            && arguments.iter().zip(row.float_args).all(|(a, &float)| !float || real(*a));
        if !typed {
            return Some((Op::Unsupported(format!("'{name}' on '{}'", i.ty().text())), arguments));
        }
        return Some((Op::Rule(rule), arguments));
    }
    if let Some((known, operands)) = allocation::of_call(i) {
        return Some((known.op, operands));
    }
    let memory = library::by_name(&name).map(|f| f.memory.for_call(|n| arguments.get(n)?.constant_text()));
    let op = memory.map_or(Op::Call(name), |memory| Op::Inactive(effect(memory)));
    Some((op, arguments))
}

/// Intrinsics that compute integers from integers, or classify reals.
fn is_integer_intrinsic(name: &str) -> bool {
    let Some(base) = name.strip_prefix("llvm.").and_then(|n| n.rsplit_once('.')).map(|(base, _)| base) else {
        return false;
    };
    matches!(
        base,
        "smax"
            | "smin"
            | "umax"
            | "umin"
            | "abs"
            | "ctpop"
            | "ctlz"
            | "cttz"
            | "bswap"
            | "bitreverse"
            | "fshl"
            | "fshr"
            | "is.fpclass"
            | "expect"
            | "sadd.with.overflow"
            | "uadd.with.overflow"
            | "ssub.with.overflow"
            | "usub.with.overflow"
            | "smul.with.overflow"
            | "umul.with.overflow"
            | "sadd.sat"
            | "uadd.sat"
            | "ssub.sat"
            | "usub.sat"
            | "scmp"
            | "ucmp"
            | "is.constant"
    )
}

/// Whether all fields of an aggregate are integers, as those of the intrinsics that report overflow.
fn of_integers(ty: ir::Type) -> bool {
    (0..ty.len() as u32).all(|n| ty.element(n).is_some_and(|e| matches!(e.kind(), Kind::Int(_))))
}

/// What a known function without derivative does to memory.
fn effect(memory: Memory) -> Effect {
    match memory {
        Memory::None | Memory::ReadsArguments => Effect::None,
        Memory::Writes(0) | Memory::Hidden | Memory::Shared => Effect::Outside,
        Memory::Writes(which) => Effect::Writes(which),
        Memory::Prints { .. } => Effect::Writes(library::ALL),
        Memory::Anything => Effect::Anything,
    }
}

/// The pointer operands through which an inactive call may write.
pub fn written<'a>(primal: &'a Primal, inst: &'a Inst) -> impl Iterator<Item = ValueId> + 'a {
    let bits = match inst.op {
        Op::Inactive(Effect::Writes(which)) => which,
        Op::Inactive(Effect::None | Effect::Outside) => 0,
        _ => library::ALL,
    };
    let is_written = move |n: usize| bits >> n.min(31) & 1 == 1;
    let operands = inst.operands.iter().enumerate().filter(move |(n, _)| is_written(*n)).map(|(_, &o)| o);
    operands.filter(|&o| primal.ty(o) == Ty::Ptr)
}

//! Constructs that need more than a call of a function for one thread: loops that ask for chunks, tasks, and updates that are tried
//! until nobody else comes between.

use super::regions::schedule_of;
use super::{called, calls_in, first};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Block, Module, Type, Value};
use crate::primal::Schedule;
use crate::problem::{Code, Problem};
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMOpcode::{LLVMAnd, LLVMAtomicCmpXchg, LLVMLoad, LLVMPHI};

/// A loop whose chunks are asked for: what is iterated, and then for each chunk.
const CHUNKS: &str = "__kmpc_dispatch_init_";
/// The next chunk.
pub(super) const NEXT: &str = "__kmpc_dispatch_next_";
/// Memory of a task.
pub(super) const MAKE_TASK: &str = "__kmpc_omp_task_alloc";
/// Runs a task at some time.
const RUN_TASK: [&str; 2] = ["__kmpc_omp_task", "__kmpc_omp_task_with_deps"];
/// Bit of a task that waits for an event of the program after it has run.
const DETACHED: i64 = 0x40;

/// Whether there is something to rewrite.
pub fn has_work(function: Value) -> bool {
    calls_in(function).any(|call| {
        let name = called(call);
        name.starts_with(CHUNKS) || name == MAKE_TASK
    })
}

/// Rewrites the constructs of one function.
pub fn rewrite(module: Module, function: Value) -> Result<(), Vec<Problem>> {
    chunks(module, function);
    let turns: Vec<Value> = calls_in(function).filter(|call| takes_turns(*call)).collect();
    turns.into_iter().for_each(|start| one_turn(module, function, start));
    let made: Vec<Value> = calls_in(function).filter(|call| called(*call) == MAKE_TASK).collect();
    let problems: Vec<Problem> = made.into_iter().filter_map(|made| task(module, function, made).err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The first chunk has all iterations, and there is no second one. Loops that are inside each other can share the variables: the outer one
/// has had its chunk.
fn chunks(module: Module, function: Value) {
    let calls: Vec<(Value, String)> = calls_in(function).map(|call| (call, called(call))).collect();
    let is_ours = |(_, name): &&(Value, String)| name.starts_with(CHUNKS) || name.starts_with(NEXT);
    let calls: Vec<&(Value, String)> = calls.iter().filter(is_ours).collect();
    if calls.is_empty() {
        return;
    }
    let builder = Builder::new(module);
    builder.before(first(function));
    let (long, flag) = (module.int(64), module.int(32));
    let [lower, upper, step] = ["lower", "upper", "step"].map(|name| builder.alloca(long, name));
    let pending = builder.alloca(flag, "pending");
    for place in [lower, upper, step] {
        builder.store(long.zero(), place);
    }
    builder.store(flag.zero(), pending);
    for (call, name) in calls {
        let arguments = call.call_arguments();
        builder.before(*call);
        builder.locate_like(*call);
        if name.starts_with(CHUNKS) {
            for (place, value) in [lower, upper, step].into_iter().zip(&arguments[3..6]) {
                builder.store(*value, place);
            }
            builder.store(flag.int(1), pending);
        } else {
            let ty: Type = if name.contains('4') { module.int(32) } else { long };
            builder.store(flag.int(1), arguments[2]);
            for (place, to) in [lower, upper, step].into_iter().zip(&arguments[3..6]) {
                builder.store(builder.load(ty, place), *to);
            }
            let is_pending = builder.load(flag, pending);
            builder.store(flag.zero(), pending);
            call.replace_uses(is_pending);
        }
        call.erase();
    }
}

/// Whether a call starts a loop in which threads take turns, some iterations at a time: it has a loop around it.
fn takes_turns(call: Value) -> bool {
    called(call).starts_with("__kmpc_for_static_init_") && schedule_of(call) == Some(Schedule::Chunked)
}

/// The first turn has all iterations. That there is no second one is said where the loop around tests for it.
fn one_turn(module: Module, function: Value, start: Value) {
    let step = start.call_arguments()[6];
    let loads = step.users().into_iter().filter(|u| u.opcode() == LLVMLoad && u.operand(0) == Some(step));
    let ends: IndexSet<Block> = loads.map(|l| l.block()).collect();
    let (Some(&end), 1) = (ends.first(), ends.len()) else { return };
    let around = before_end(function, end, start.block());
    let leaves = |b: &&Block| {
        let ways = b.terminator().map(Value::successors).unwrap_or_default();
        ways.len() == 2 && ways.iter().any(|to| !around.contains(to))
    };
    let exits: Vec<&Block> = around.iter().filter(leaves).collect();
    let [test] = exits[..] else { return };
    let branch = test.terminator().expect("it has successors");
    if !around.contains(&branch.successors()[0]) {
        return;
    }
    let builder = Builder::new(module);
    let flag = module.int(1);
    builder.before(first(function));
    let is_first = builder.alloca(flag, "first");
    builder.before(start);
    builder.store(flag.int(1), is_first);
    builder.before(end.terminator().expect("it has a successor"));
    builder.store(flag.zero(), is_first);
    builder.before(branch);
    let condition = branch.operand(0).expect("it decides");
    let more = builder.binary(LLVMAnd, condition, builder.load(flag, is_first));
    branch.set_operand(0, more);
}

/// Blocks with a way to the end of an iteration that does not pass the start of its loop.
fn before_end(function: Value, end: Block, start: Block) -> IndexSet<Block> {
    let mut ways: IndexMap<Block, Vec<Block>> = IndexMap::new();
    for block in function.blocks() {
        for to in block.terminator().map(Value::successors).unwrap_or_default() {
            ways.entry(to).or_default().push(block);
        }
    }
    let (mut work, mut found) = (vec![end], IndexSet::new());
    while let Some(block) = work.pop() {
        if block != start && found.insert(block) {
            work.extend(ways.get(&block).into_iter().flatten());
        }
    }
    found
}

/// A task runs where it is started, in memory of the function that makes it: there is one at a time.
fn task(module: Module, function: Value, made: Value) -> Result<(), Problem> {
    let refused = |text: &str| Problem::at(Code::ParallelRegion, made, text);
    let arguments = made.call_arguments();
    let numbers: Option<Vec<i64>> = arguments[2..5].iter().map(|v| v.as_int()).collect();
    let (Some([flags, own, shared]), Some(entry)) = (numbers.as_deref(), arguments[5].as_function()) else {
        return Err(refused("a task whose code and size are not known at compile time is not supported"));
    };
    if flags & DETACHED != 0 {
        return Err(refused("a task that waits for an event ('detach') is not supported"));
    }
    let builder = Builder::new(module);
    builder.before(first(function));
    let byte = module.int(8);
    let own = (own + 15) & !15;
    let memory = builder.alloca(byte.array((own + shared) as u64), "task");
    memory.set_alignment(16);
    builder.before(made);
    builder.locate_like(made);
    builder.store(builder.offset(byte, memory, module.int(64).int(own)), memory);
    let thread = module.int(32).zero();
    let starts: Vec<Value> = calls_in(function).filter(|call| call.call_arguments().get(2) == Some(&made)).collect();
    for call in starts {
        if RUN_TASK.contains(&called(call).as_str()) {
            builder.before(call);
            builder.locate_like(call);
            builder.call(entry, &[thread, memory]);
            call.replace_uses(thread);
            call.erase();
        }
    }
    made.replace_uses(memory);
    made.erase();
    Ok(())
}

/// An update that reads, computes and writes if nobody has written between: nobody has.
pub fn settle_updates(module: Module, function: Value) {
    let exchanges = function.blocks().into_iter().flat_map(|b| b.instructions());
    for exchange in exchanges.filter(|i| i.opcode() == LLVMAtomicCmpXchg).collect::<Vec<Value>>() {
        let [Some(place), Some(expected), Some(new)] = [0, 1, 2].map(|n| exchange.operand(n)) else { continue };
        if !is_what_was_read(expected, place, exchange) {
            continue;
        }
        let builder = Builder::new(module);
        builder.before(exchange);
        builder.locate_like(exchange);
        builder.store(new, place);
        let result = builder.insert_field(exchange.ty().poison(), expected, 0);
        let result = builder.insert_field(result, module.int(1).int(1), 1);
        exchange.replace_uses(result);
        exchange.erase();
    }
}

/// Whether a value is what a place had when it was read atomically, or when the update was tried the time before.
fn is_what_was_read(value: Value, place: Value, exchange: Value) -> bool {
    let (mut work, mut seen) = (vec![value], IndexSet::new());
    let mut read = false;
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        match v.as_instruction() {
            Some(i) if i.opcode() == LLVMPHI => work.extend(i.incoming().into_iter().map(|(v, _)| v)),
            Some(i) if i.opcode() == LLVMLoad && i.is_atomic() && i.operand(0) == Some(place) => read = true,
            Some(i) if i.operand(0) == Some(exchange) => {}
            _ => return false,
        }
    }
    read
}

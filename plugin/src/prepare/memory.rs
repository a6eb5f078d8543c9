//! Brings the ways to get memory down to few: arrays of variable length and `realloc` become allocations, copies and frees.

use crate::allocation::LOCAL_ARRAY;
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Module, Value};
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntULT};
use llvm_sys::LLVMOpcode::{LLVMAlloca, LLVMCall};

/// Rewrites one function.
pub fn simplify(module: Module, function: Value) {
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        match instruction.opcode() {
            LLVMAlloca if instruction.operand(0).is_some_and(|n| n.as_int().is_none()) => {
                local_array(module, instruction)
            }
            LLVMCall if instruction.callee().name() == "realloc" => reallocation(module, instruction),
            LLVMCall if instruction.callee().name() == "posix_memalign" => aligned_memory(module, instruction),
            _ => {}
        }
    }
}

/// An array whose size is known only while running gets its memory from the runtime, which also has a shadow for it.
fn local_array(module: Module, alloca: Value) {
    let builder = before(module, alloca);
    let long = module.int(64);
    let count = builder.int_cast(alloca.operand(0).expect("an alloca has a count"), long, false);
    let size = builder.mul(count, long.int(module.size_of(alloca.allocated_type()) as i64));
    let function = module.declare(LOCAL_ARRAY, module.pointer().function(&[long]));
    // As the array was: without this what is stored elsewhere would count as stored in it too.
    function.promise_fresh_result();
    let memory = builder.call(function, &[size]);
    memory.set_name(&alloca.name());
    alloca.replace_uses(memory);
    alloca.erase();
}

/// `realloc` is new memory, a copy of what fits, and the old memory given back. The old size is what the allocator says that
/// it can hold.
fn reallocation(module: Module, call: Value) {
    let builder = before(module, call);
    let (long, pointer) = (module.int(64), module.pointer());
    let arguments = call.call_arguments();
    let (old, wanted) = (arguments[0], arguments[1]);
    let size = module.declare("malloc_usable_size", long.function(&[pointer]));
    let held = builder.call(size, &[old]);
    let memory = builder.call(module.declare("malloc", pointer.function(&[long])), &[wanted]);
    let fits = builder.icmp(LLVMIntULT, held, wanted);
    let kept = builder.select(fits, held, wanted);
    builder.intrinsic("llvm.memmove", &[pointer, pointer, long], &[memory, old, kept, module.int(1).zero()]);
    builder.call(module.declare("free", module.void().function(&[pointer])), &[old]);
    call.replace_uses(memory);
    call.erase();
}

/// `posix_memalign` is `memalign`, with the result where its first argument points.
fn aligned_memory(module: Module, call: Value) {
    const OUT_OF_MEMORY: i64 = 12;
    let builder = before(module, call);
    let (long, pointer) = (module.int(64), module.pointer());
    let arguments = call.call_arguments();
    let function = module.declare("memalign", pointer.function(&[long, long]));
    let memory = builder.call(function, &arguments[1..3]);
    builder.store(memory, arguments[0]);
    let failed = builder.icmp(LLVMIntEQ, memory, pointer.zero());
    let ty = call.ty();
    call.replace_uses(builder.select(failed, ty.int(OUT_OF_MEMORY), ty.zero()));
    call.erase();
}

fn before(module: Module, instruction: Value) -> Builder {
    let builder = Builder::new(module);
    builder.before(instruction);
    builder.locate_like(instruction);
    builder
}

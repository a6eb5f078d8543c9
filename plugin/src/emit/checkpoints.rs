//! Snapshots of loops, by the runtime (`runtime/src/snapshots.c`): generated code says what the state is, passes iterations, and runs them again.

use super::{Emit, Input};
use crate::facts::extents::Extent;
use crate::llvm::ir;
use crate::primal::{Expr, LoopId, Op};
use indexmap::IndexMap;
use llvm_sys::LLVMIntPredicate::LLVMIntULT;
use llvm_sys::LLVMOpcode::LLVMAnd;

const ADD: &str = "__pardiff_snapshots_add";

/// Emits into `function`, which takes the arguments of a step and snapshots, what adds these ranges to the state. Where something is not below its
/// limit, the state has more bytes than can be had.
pub fn extents(input: &Input, function: ir::Value, extents: &[Extent], limits: &[(Expr, i64)]) {
    let mut emit = Emit::of_arguments(input, function);
    let (byte, long) = (input.module.int(8), input.module.int(64));
    let snapshots = *function.parameters().last().expect("snapshots are the last parameter");
    let small = emit.are_small(limits);
    for extent in extents {
        let (from, to) = (emit.at_entry(&extent.from), emit.at_entry(&extent.to));
        let mut holds = input.module.int(1).int(-1);
        for (condition, sense) in &extent.guards {
            let condition = emit.early_condition(*condition, *sense);
            holds = emit.b.binary(LLVMAnd, holds, condition);
        }
        let bytes = emit.b.select(small, emit.b.sub(to, from), long.int(-1));
        let bytes = emit.b.select(holds, bytes, long.zero());
        let from = emit.b.select(holds, from, long.zero());
        let base = emit.forward[extent.of.index()].expect("parameters are known");
        let start = emit.b.offset(byte, base, from);
        emit.runtime(ADD, input.module.void(), &[snapshots, start, bytes]);
    }
    emit.b.ret(None);
    emit.top.jump(emit.start);
}

impl Emit<'_> {
    pub(super) fn open_snapshots(&mut self, l: LoopId) {
        let module = self.input.module;
        let long = module.int(64);
        let checkpoint = &self.input.facts.checkpoints[&l];
        let trip =
            self.input.facts.loops[l.index()].trip.as_ref().expect("the iterations of checkpointed loops are counted");
        let trip = self.expression(trip);
        let most = self.value(checkpoint.snapshots);
        let most = self.b.int_cast(most, long, true);
        let line = self.primal.loops[l.index()].line;
        let place = if line == 0 { String::new() } else { format!(" in line {line}") };
        let what = module.c_string(&format!("the loop{place} of '{}'", self.primal.name));
        let snapshots = self.runtime("__pardiff_snapshots_open", module.pointer(), &[trip, most, what]);
        let home = self.crossing(module.pointer(), "snapshots");
        self.checkpoints.insert(l, home);
        self.b.store(snapshots, home);
        for (base, size) in &checkpoint.whole {
            let (base, size) = (self.value(*base), self.expression(size));
            self.runtime(ADD, module.void(), &[snapshots, base, size]);
        }
        if let Some(&extents) = self.input.extents.get(&l) {
            let mut arguments = self.step_arguments(l, true);
            arguments.push(snapshots);
            self.b.call(extents, &arguments);
        }
    }

    /// The arguments of a step at the present iteration; before the loop, nothing looks at those that are computed in it.
    fn step_arguments(&mut self, l: LoopId, before: bool) -> Vec<ir::Value> {
        let call = self.input.facts.checkpoints[&l].call;
        let inst = self.primal.inst(call).expect("a call");
        let Op::Callee(callee) = &inst.op else { unreachable!("a step stays a call") };
        let arguments = &inst.operands[..inst.operands.len() - callee.globals];
        let argument = |&v| {
            if before && self.primal.is_value_in(v, l) { self.origin(v).ty().zero() } else { self.value(v) }
        };
        arguments.iter().map(argument).collect()
    }

    fn snapshots_of(&self, l: LoopId) -> ir::Value {
        self.b.load(self.input.module.pointer(), self.checkpoints[&l])
    }

    pub(super) fn pass_snapshots(&mut self, l: LoopId, iteration: ir::Value) {
        let snapshots = self.snapshots_of(l);
        self.runtime("__pardiff_snapshots_pass", self.input.module.void(), &[snapshots, iteration]);
    }

    pub(super) fn ask_snapshots(&mut self, l: LoopId, what: &str) {
        let snapshots = self.snapshots_of(l);
        self.runtime(what, self.input.module.void(), &[snapshots]);
    }

    /// Runs iterations from the last snapshot up to the present one.
    pub(super) fn run_again(&mut self, l: LoopId) {
        let long = self.input.module.int(64);
        let step = self.origin(self.input.facts.checkpoints[&l].call).callee();
        let (present, snapshots) = (self.iterations[&l], self.snapshots_of(l));
        let first = self.runtime("__pardiff_snapshots_back", long, &[snapshots, present]);
        let before = self.b.block();
        let [head, again, here] = ["again", "step", "here"].map(|n| self.b.new_block(self.function, n));
        self.b.jump(head);
        self.b.at_end(head);
        let it = self.b.phi(long, "it");
        it.add_incoming(first, before);
        let more = self.b.icmp(LLVMIntULT, it, present);
        self.b.branch(more, again, here);
        self.b.at_end(again);
        self.iterations.insert(l, it);
        self.frames.push(IndexMap::new());
        self.pass_snapshots(l, it);
        let arguments = self.step_arguments(l, false);
        self.b.call(step, &arguments);
        self.frames.pop();
        self.iterations.insert(l, present);
        let next = self.b.add(it, long.int(1));
        it.add_incoming(next, self.b.block());
        self.b.jump(head);
        self.b.at_end(here);
    }
}

//! A gradient that is made twice: for arguments that lead to different memory, and for any.

use super::{Emit, Input};
use crate::facts::overlap::Test;
use crate::llvm::ir;
use crate::llvm::transform;
use crate::primal::{Expr, ValueId};
use llvm_sys::LLVMIntPredicate::{LLVMIntSGT, LLVMIntSLE, LLVMIntSLT};
use llvm_sys::LLVMOpcode::{LLVMAnd, LLVMOr, LLVMPtrToInt};

/// Offsets are cut to this, so that their sums with addresses do not wrap.
const FAR: i64 = 1 << 62;

/// Emits into `choice` a test of what the arguments of a gradient overlap, and calls of its two versions.
pub fn choose(input: &Input, choice: ir::Value, apart: ir::Value, general: ir::Value, test: &Test) {
    let mut emit = Emit::of_arguments(input, choice);
    let condition = emit.are_apart(test);
    let [yes, no] = ["apart", "general"].map(|n| emit.b.new_block(choice, n));
    emit.b.branch(condition, yes, no);
    for (block, version) in [(yes, apart), (no, general)] {
        emit.b.at_end(block);
        let result = emit.b.call(version, &choice.parameters());
        let none = choice.return_type().kind() == ir::Kind::Void;
        emit.b.ret((!none).then_some(result));
    }
    emit.top.jump(emit.start);
}

impl<'a> Emit<'a> {
    /// Starts a function without sweeps, which computes something of its arguments.
    pub(super) fn of_arguments(input: &'a Input<'a>, function: ir::Value) -> Self {
        let mut emit = Emit::new(input, function);
        transform::set_generated_attributes(function, input.prepared);
        let entry = emit.b.new_block(function, "entry");
        emit.start.move_after(entry);
        emit.top.at_end(entry);
        emit.b.at_end(emit.start);
        emit.parameters();
        emit.b.locate_nowhere();
        emit
    }

    /// Whether expressions are below their bounds in magnitude.
    pub(super) fn are_small(&mut self, limits: &[(Expr, i64)]) -> ir::Value {
        let long = self.input.module.int(64);
        let mut all = self.input.module.int(1).int(-1);
        for (e, bound) in limits {
            let value = self.at_entry(e);
            let below = self.b.icmp(LLVMIntSLT, value, long.int(*bound));
            let above = self.b.icmp(LLVMIntSGT, value, long.int(-bound));
            let small = self.b.binary(LLVMAnd, below, above);
            all = self.b.binary(LLVMAnd, all, small);
        }
        all
    }

    /// No argument that is written overlaps another, and no two shadows overlap.
    fn are_apart(&mut self, test: &Test) -> ir::Value {
        let intervals = &test.intervals;
        let bounds: Vec<(ir::Value, ir::Value)> =
            intervals.iter().map(|i| (self.at_entry(&i.from), self.at_entry(&i.to))).collect();
        let mut all = self.are_small(&test.limits);
        for (n, a) in intervals.iter().enumerate() {
            for (m, b) in intervals.iter().enumerate().take(n) {
                let primal = |e: &Self, of: ValueId| e.forward[of.index()].expect("parameters are known");
                if a.written || b.written {
                    let (p, q) = (primal(self, a.of), primal(self, b.of));
                    let test = self.disjoint((p, bounds[n]), (q, bounds[m]));
                    all = self.b.binary(LLVMAnd, all, test);
                }
                let shadows = (self.shadows.get(&a.of).copied(), self.shadows.get(&b.of).copied());
                if let (Some(p), Some(q)) = shadows {
                    let test = self.disjoint((p, bounds[n]), (q, bounds[m]));
                    all = self.b.binary(LLVMAnd, all, test);
                }
            }
        }
        all
    }

    fn disjoint(
        &self,
        (p, (from, to)): (ir::Value, (ir::Value, ir::Value)),
        (q, (start, end)): (ir::Value, (ir::Value, ir::Value)),
    ) -> ir::Value {
        let long = self.input.module.int(64);
        let at = |p: ir::Value, offset: ir::Value| self.b.add(self.b.cast(LLVMPtrToInt, p, long), offset);
        // Addresses are far below this; what loops that are not entered would reach may be anything.
        let least = |e: ir::Value| self.b.select(self.b.icmp(LLVMIntSGT, e, long.int(-FAR)), e, long.int(-FAR));
        let most = |e: ir::Value| self.b.select(self.b.icmp(LLVMIntSLT, e, long.int(FAR)), e, long.int(FAR));
        let below = self.b.icmp(LLVMIntSLE, at(p, most(to)), at(q, least(start)));
        let above = self.b.icmp(LLVMIntSLE, at(q, most(end)), at(p, least(from)));
        self.b.binary(LLVMOr, below, above)
    }

    pub(super) fn at_entry(&mut self, e: &Expr) -> ir::Value {
        let value = self.early(e);
        self.b.int_cast(value, self.input.module.int(64), true)
    }
}

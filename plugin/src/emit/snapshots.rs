//! Copies of memory on tapes, and loads from them.

use super::Emit;
use super::scopes::Class;
use crate::llvm::ir;
use crate::primal::ValueId;
use llvm_sys::LLVMOpcode::{LLVMPtrToInt, LLVMSub};

impl Emit<'_> {
    /// Makes the variable for the size of each copy, which crosses to the reverse sweep.
    pub(super) fn snapshot_homes(&mut self) {
        let long = self.input.module.int(64);
        for (n, snapshot) in self.input.prog.snapshots.iter().enumerate() {
            if snapshot.slot.is_some() {
                let size = self.crossing(long, "size");
                self.snapshots.insert(n as u32, size);
            }
        }
    }

    /// The bytes that a copy takes on its tape, so that what follows is aligned; computed before the loops.
    pub(super) fn snapshot_size(&mut self, n: u32) -> ir::Value {
        let snapshot = &self.input.prog.snapshots[n as usize];
        let long = self.input.module.int(64);
        let bytes = self.early(&snapshot.bytes);
        let mut size = self.runtime("__pardiff_size_round", long, &[bytes, long.int(16)]);
        for (condition, sense) in &snapshot.guards {
            let entered = self.early_condition(*condition, *sense);
            size = self.b.select(entered, size, long.zero());
        }
        self.b.store(size, self.snapshots[&n]);
        size
    }

    /// Where the copied memory starts, in bytes from its base.
    fn snapshot_start(&mut self, n: u32) -> (ir::Value, ir::Value) {
        let snapshot = &self.input.prog.snapshots[n as usize];
        let base = self.value(snapshot.base);
        let from = self.expression(&snapshot.from);
        (base, from)
    }

    /// Copies memory to the tape.
    pub(super) fn take_snapshot(&mut self, n: u32) {
        let snapshot = &self.input.prog.snapshots[n as usize];
        let module = self.input.module;
        let slot = snapshot.slot.expect("copies that are taken have a slot");
        let to = self.place_of(slot);
        let (base, from) = self.snapshot_start(n);
        let source = self.b.offset(module.int(8), base, from);
        let bytes = self.expression(&snapshot.bytes);
        let arguments = [to, source, bytes, module.int(1).zero()];
        self.b.intrinsic("llvm.memcpy", &[to.ty(), source.ty(), bytes.ty()], &arguments);
    }

    /// Repeats a load on a copy of its memory.
    pub(super) fn load_snapshot(&mut self, v: ValueId, n: u32) -> ir::Value {
        let module = self.input.module;
        let (byte, long) = (module.int(8), module.int(64));
        let slot = self.input.prog.snapshots[n as usize].slot.expect("copies that are taken have a slot");
        let copy = self.place_of(slot);
        let (base, from) = self.snapshot_start(n);
        let address = self.primal.inst(v).expect("a load").operands[0];
        let address = self.value(address);
        let [address, base] = [address, base].map(|p| self.b.cast(LLVMPtrToInt, p, long));
        let distance = self.b.binary(LLVMSub, address, base);
        let within = self.b.binary(LLVMSub, distance, from);
        let place = self.b.offset(byte, copy, within);
        let load = self.b.load(self.origin(v).ty(), place);
        // The copy may start where numbers of another size are.
        load.set_alignment(1);
        self.note_access(load, Class::Tape)
    }
}

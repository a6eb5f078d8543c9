// Calls through pointers: where addresses of functions are taken, and one call made a chain of direct ones.

#include "shim.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

namespace {

using Report = void (*)(void *, LLVMValueRef, LLVMValueRef, int64_t);

bool isTable(const GlobalVariable &G) {
  return G.hasInitializer() && (G.getName().starts_with("_ZTV") || G.getName().starts_with("_ZTC"));
}

// Reports each use of a function's address but those in tables of virtual functions: the instruction, or the
// function itself where it is in static data.
void reportUses(Function &F, Value &V, Report Seen, void *Context) {
  for (Use &U : V.uses()) {
    User *By = U.getUser();
    if (auto *I = dyn_cast<Instruction>(By)) {
      auto *Call = dyn_cast<CallBase>(I);
      if (!Call || !Call->isCallee(&U))
        Seen(Context, wrap(&F), wrap(I), -1);
    } else if (auto *G = dyn_cast<GlobalVariable>(By)) {
      if (!isTable(*G) && !G->getName().starts_with("llvm."))
        Seen(Context, wrap(&F), wrap(&F), -1);
    } else if (isa<Constant>(By) && !isa<BlockAddress>(By) && !isa<Function>(By)) {
      reportUses(F, *By, Seen, Context);
    }
  }
}

// Reports the functions of one array of a table, with their distance in bytes from the address that
// objects hold: that of the first function.
void reportTable(ConstantArray &Entries, uint64_t Word, Report Seen, void *Context) {
  int64_t Offset = -1;
  for (Value *Entry : Entries.operand_values()) {
    auto *F = dyn_cast<Function>(Entry->stripPointerCastsAndAliases());
    Offset = Offset < 0 ? (F ? 0 : -1) : Offset + int64_t(Word);
    if (F)
      Seen(Context, wrap(F), wrap(F), Offset);
  }
}

// Tells `Seen` the functions whose addresses static data holds.
void reportContents(Constant &Data, void (*Seen)(void *, LLVMValueRef), void *Context) {
  if (auto *F = dyn_cast<Function>(Data.stripPointerCastsAndAliases()))
    return Seen(Context, wrap(F));
  if (isa<ConstantAggregate>(Data))
    for (Value *Part : Data.operand_values())
      reportContents(*cast<Constant>(Part), Seen, Context);
}

} // namespace

extern "C" {

// Tells `Seen` each place where the address of a function is taken: the function, the instruction that does it
// or else the function again, and the place in a table of virtual functions or else -1.
void pardiff_addresses_taken(LLVMModuleRef Raw, Report Seen, void *Context) {
  Module &M = *unwrap(Raw);
  for (Function &F : M)
    if (!F.isIntrinsic())
      reportUses(F, F, Seen, Context);
  for (GlobalVariable &G : M.globals()) {
    if (!isTable(G))
      continue;
    for (Value *Part : cast<User>(G.getInitializer())->operand_values())
      if (auto *Entries = dyn_cast<ConstantArray>(Part))
        reportTable(*Entries, M.getDataLayout().getPointerSize(), Seen, Context);
  }
}

// The distance from some pointer at which the callee of a call is loaded: in a virtual call the place in the table.
// -1 where it comes from elsewhere, or the distance is not constant.
int64_t pardiff_slot_of_callee(LLVMValueRef Raw) {
  auto *Call = cast<CallBase>(unwrap(Raw));
  auto *Load = dyn_cast<LoadInst>(Call->getCalledOperand());
  if (!Load)
    return -1;
  const DataLayout &DL = Call->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
  Value *Base = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true);
  return !isa<GEPOperator>(Base) && !Offset.isNegative() ? Offset.getSExtValue() : -1;
}

// Tells `Seen` the functions that the callee of a call is chosen from, where it is loaded from constant data.
// Answers whether it is.
bool pardiff_callee_from_table(LLVMValueRef Raw, void (*Seen)(void *, LLVMValueRef), void *Context) {
  auto *Load = dyn_cast<LoadInst>(cast<CallBase>(unwrap(Raw))->getCalledOperand());
  auto *Table = Load ? dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand())) : nullptr;
  if (!Table || !Table->isConstant() || !Table->hasDefinitiveInitializer())
    return false;
  reportContents(*Table->getInitializer(), Seen, Context);
  return true;
}

// Makes a call through a pointer compare it with each candidate and call that one directly. A pointer to
// none of them calls `Fail` with `What`, which does not return.
void pardiff_call_one_of(LLVMValueRef Raw, const LLVMValueRef *Candidates, size_t Count, LLVMValueRef Fail,
                         LLVMValueRef What) {
  auto *Call = cast<CallBase>(unwrap(Raw));
  for (size_t I = 0; I < Count; ++I)
    promoteCallWithIfThenElse(*Call, &function(Candidates[I]));
  IRBuilder<> B(Call);
  CallInst *End = B.CreateCall(&function(Fail), unwrap(What));
  End->setDoesNotReturn();
  changeToUnreachable(Call);
}
}

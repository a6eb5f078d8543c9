// Which loops make progress: they end, or do something that can be observed. C says so of loops with a condition, C++ of whole
// functions. Without it, scalar evolution does not count `for (unsigned i = 0; i < n; i += 2)`.

#include "shim.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace pardiff {

static constexpr const char *Progress = "llvm.loop.mustprogress";

static MDNode *progressOnly(LLVMContext &C) {
  MDNode *Option = MDNode::get(C, MDString::get(C, Progress));
  MDNode *Loop = MDNode::getDistinct(C, {nullptr, Option});
  Loop->replaceOperandWith(0, Loop);
  return Loop;
}

void keepProgressOnly(Function &F) {
  // The latches of one loop share their metadata.
  DenseMap<MDNode *, MDNode *> Kept;
  for (BasicBlock &B : F)
    if (MDNode *Claims = B.getTerminator()->getMetadata(LLVMContext::MD_loop)) {
      auto [Known, Missing] = Kept.try_emplace(Claims);
      if (Missing && findOptionMDForLoopID(Claims, Progress))
        Known->second = progressOnly(F.getContext());
      B.getTerminator()->setMetadata(LLVMContext::MD_loop, Known->second);
    }
}

void markProgress(Function &F, const SmallPtrSetImpl<BasicBlock *> &Except) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (!Except.contains(L->getHeader()))
      L->setLoopID(progressOnly(F.getContext()));
}

bool hasLoops(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> Edges;
  FindFunctionBackedges(F, Edges);
  return !Edges.empty();
}

} // namespace pardiff

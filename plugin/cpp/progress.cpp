// What is said of loops. Which make progress: they end, or do something that can be observed. C says so of loops with a condition, C++ of whole
// functions. Without it, scalar evolution does not count `for (unsigned i = 0; i < n; i += 2)`. And which are parallel in the program.

#include "shim.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace pardiff {

static constexpr const char *Progress = "llvm.loop.mustprogress";

// With a number: how the program shares iterations out.
static constexpr const char *Parallel = "pardiff.parallel";

static MDNode *loopWith(LLVMContext &C, ArrayRef<Metadata *> Options) {
  SmallVector<Metadata *, 3> All = {nullptr};
  All.append(Options.begin(), Options.end());
  MDNode *Loop = MDNode::getDistinct(C, All);
  Loop->replaceOperandWith(0, Loop);
  return Loop;
}

static MDNode *progressOnly(LLVMContext &C) {
  return loopWith(C, {MDNode::get(C, MDString::get(C, Progress))});
}

void keepProgressOnly(Function &F) {
  // The latches of one loop share their metadata.
  DenseMap<MDNode *, MDNode *> Kept;
  for (BasicBlock &B : F)
    if (MDNode *Claims = B.getTerminator()->getMetadata(LLVMContext::MD_loop)) {
      auto [Known, Missing] = Kept.try_emplace(Claims);
      if (Missing) {
        SmallVector<Metadata *, 2> Options;
        for (const char *Name : {Progress, Parallel})
          if (MDNode *Option = findOptionMDForLoopID(Claims, Name))
            Options.push_back(Option);
        if (!Options.empty())
          Known->second = loopWith(F.getContext(), Options);
      }
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

using namespace pardiff;

extern "C" {

// Says of the loop with a header how the program shares its iterations out.
void pardiff_mark_parallel(LLVMBasicBlockRef Header, unsigned Schedule) {
  BasicBlock *B = unwrap(Header);
  LLVMContext &C = B->getContext();
  DominatorTree DT(*B->getParent());
  LoopInfo LI(DT);
  Loop *L = LI.getLoopFor(B);
  if (!L || L->getHeader() != B)
    return;
  SmallVector<Metadata *, 2> Options;
  if (MDNode *Claims = L->getLoopID())
    if (MDNode *Option = findOptionMDForLoopID(Claims, Progress))
      Options.push_back(Option);
  Metadata *Number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Schedule));
  Options.push_back(MDNode::get(C, {static_cast<Metadata *>(MDString::get(C, Parallel)), Number}));
  L->setLoopID(loopWith(C, Options));
}

// What the loop with a latch has been said to be; zero for nothing.
unsigned pardiff_parallel(LLVMBasicBlockRef Latch) {
  MDNode *Claims = unwrap(Latch)->getTerminator()->getMetadata(LLVMContext::MD_loop);
  MDNode *Option = Claims ? findOptionMDForLoopID(Claims, Parallel) : nullptr;
  return Option ? mdconst::extract<ConstantInt>(Option->getOperand(1))->getZExtValue() : 0;
}
}

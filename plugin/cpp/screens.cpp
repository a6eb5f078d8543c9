// Screens: where LLVM's searches for what is known before a loop end.
//
// For each loop, scalar evolution goes through the conditions on the way from the function's start (ScalarEvolution::
// isBasicBlockEntryGuardedByCond), and an update of MemorySSA goes back to the last write. Where many loops follow each
// other both are the whole function for each loop. A screen before a loop is an edge that is there twice, from which nothing is
// known, and, for MemorySSA, a write to memory that nothing else accesses. What screens hide is what conditions before far away loops say
// of a loop that is not guarded by them itself; nests stay whole unless they are long functions of their own. Cost: linear.

#include "shim.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace pardiff;

namespace {

// Loops up to which there are no screens between them, and from one screen to the next.
constexpr unsigned Few = 64, Apart = 8;

// Metadata of the memory that screens write.
constexpr const char *Kind = "pardiff-screen";

unsigned countLoops(const Loop &L) {
  unsigned Count = 1;
  for (const Loop *Inner : L)
    Count += countLoops(*Inner);
  return Count;
}

// Chooses among loops that follow each other, and inside those that hold many.
template <typename Loops> void choose(const Loops &All, SmallVectorImpl<BasicBlock *> &Before) {
  unsigned Total = 0, Since = Apart;
  for (Loop *L : All)
    Total += countLoops(*L);
  if (Total <= Few)
    return;
  for (Loop *L : All) {
    if (Since >= Apart && L->getLoopPreheader()) {
      Before.push_back(L->getLoopPreheader());
      Since = 0;
    }
    Since += countLoops(*L);
    choose(L->getSubLoops(), Before);
  }
}

} // namespace

bool pardiff::addScreens(Function &F, bool Writes) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallVector<BasicBlock *, 16> Places;
  SmallVector<Loop *, 16> InOrder(Loops.rbegin(), Loops.rend());
  choose(InOrder, Places);
  if (Places.empty())
    return false;
  IntegerType *Bit = Type::getInt1Ty(F.getContext());
  AllocaInst *Memory = nullptr;
  if (Writes) {
    Memory = new AllocaInst(Bit, F.getParent()->getDataLayout().getAllocaAddrSpace(), "", F.getEntryBlock().begin());
    Memory->setMetadata(Kind, MDNode::get(F.getContext(), {}));
  }
  for (BasicBlock *Before : Places) {
    BasicBlock *After = Before->splitBasicBlock(Before->getTerminator()->getIterator());
    if (Writes)
      new StoreInst(ConstantInt::getTrue(Bit), Memory, After->begin());
    Instruction *Jump = Before->getTerminator();
    BranchInst::Create(After, After, ConstantInt::getTrue(Bit), Jump->getIterator())->setDebugLoc(Jump->getDebugLoc());
    Jump->eraseFromParent();
  }
  return true;
}

bool pardiff::dropScreens(Function &F) {
  bool Changed = false;
  for (BasicBlock &B : F) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) != Branch->getSuccessor(1))
      continue;
    Branch->getSuccessor(0)->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
    BranchInst::Create(Branch->getSuccessor(0), Branch->getIterator())->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();
    Changed = true;
  }
  for (Instruction &I : make_early_inc_range(F.getEntryBlock())) {
    if (!I.getMetadata(Kind))
      continue;
    for (User *U : make_early_inc_range(I.users())) {
      // Where LICM moved a write out of an outer loop it may have made reads.
      if (!isa<StoreInst>(U))
        U->replaceAllUsesWith(ConstantInt::getTrue(I.getContext()));
      cast<Instruction>(U)->eraseFromParent();
    }
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

// One latch per loop, before LLVM makes its own: where a loop goes back to its header by several edges (`continue` in a
// while loop), LoopSimplify may take the edges that leave a value alone for an inner loop, whose extent nobody knows.

#include "shim.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

extern "C" void pardiff_one_latch(LLVMValueRef Raw) {
  Function &F = function(Raw);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 8> Latches;
    L->getLoopLatches(Latches);
    if (Latches.size() < 2)
      continue;
    MDNode *Claims = L->getLoopID(); // where all latches say the same
    BasicBlock *One = SplitBlockPredecessors(L->getHeader(), Latches, ".latch", &DT, &LI);
    if (One && Claims)
      One->getTerminator()->setMetadata(LLVMContext::MD_loop, Claims);
  }
}

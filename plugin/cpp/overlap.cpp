// Lets LLVM's vectoriser see at each entry of an inner loop of a reverse sweep whether its accesses overlap.
//
// The vectoriser tests that while running, if it can before the loop around: over the range of all its iterations, which it takes
// to go up. Where that loop runs down, as all of a reverse sweep do, its test always says that accesses may
// overlap, and the vectorised loop is never run. What hides here how the outer loop goes on makes the test one of the entry.

#include "shim.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace pardiff;

static constexpr const char *Down = "pardiff.down";

// Marks the loop that a branch goes back in as one that runs down, around others.
extern "C" void pardiff_mark_down(LLVMValueRef Raw) {
  auto *Branch = cast<Instruction>(unwrap(Raw));
  LLVMContext &C = Branch->getContext();
  MDNode *Loop = MDNode::getDistinct(C, {nullptr, MDNode::get(C, MDString::get(C, Down))});
  Loop->replaceOperandWith(0, Loop);
  Branch->setMetadata(LLVMContext::MD_loop, Loop);
}

// Gives what is computed from a counter in its loop, all but the counting itself, the same number with its bits reversed twice,
// which scalar evolution does not see through. The host's next simplification, after the vectorisers, takes that out.
static void hide(Value *Counter, Value *Other, Loop &L, BasicBlock::iterator At) {
  SmallVector<Use *, 8> Uses;
  for (Use &U : Counter->uses()) {
    auto *User = cast<Instruction>(U.getUser());
    bool Counts = User == Other || isa<ICmpInst>(User);
    if (!Counts && L.contains(User) && !(isa<PHINode>(User) && User->getParent() == L.getHeader()))
      Uses.push_back(&U);
  }
  if (Uses.empty())
    return;
  IRBuilder<> B(At->getParent(), At);
  Value *Hidden = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, Counter);
  Hidden = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, Hidden);
  for (Use *U : Uses)
    U->set(Hidden);
}

static bool hideCounters(Loop &L, ScalarEvolution &SE) {
  SmallVector<std::pair<PHINode *, Instruction *>, 2> Counters;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!Phi.getType()->isIntegerTy())
      continue;
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (Recurrence && Next && !isa<PHINode>(Next) && SE.isKnownNegative(Recurrence->getStepRecurrence(SE)))
      Counters.push_back({&Phi, Next});
  }
  for (auto [Phi, Next] : Counters) {
    hide(Phi, Next, L, L.getHeader()->getFirstInsertionPt());
    hide(Next, Phi, L, std::next(Next->getIterator()));
  }
  return !Counters.empty();
}

// Changes the loops around those that need such a test.
bool pardiff::testAtEntry(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 8> Inner;
  for (Loop *L : LI.getLoopsInPreorder()) {
    Loop *Around = L->getParentLoop();
    if (L->isInnermost() && Around && Around->getLoopLatch() && findOptionMDForLoop(Around, Down))
      Inner.push_back(L);
  }
  if (Inner.empty())
    return false;
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  // As the passes that come next would do: what is known of accesses is known of loops in this form.
  for (Loop *L : Inner)
    Changed |= simplifyLoop(L, &FAM.getResult<DominatorTreeAnalysis>(F), &LI, &SE,
                            &FAM.getResult<AssumptionAnalysis>(F), nullptr, /*PreserveLCSSA=*/false);
  SmallSetVector<Loop *, 8> Around;
  auto &Accesses = FAM.getResult<LoopAccessAnalysis>(F);
  for (Loop *L : Inner)
    if (Accesses.getInfo(*L).getNumRuntimePointerChecks() > 0)
      Around.insert(L->getParentLoop());
  for (Loop *L : Around)
    Changed |= hideCounters(*L, SE);
  return Changed;
}

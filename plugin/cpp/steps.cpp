// A function of its own for what one iteration of a loop does, so that iterations can be run again by calling it. What goes from one iteration
// to the next and is not counted by the loop, and what the loop leaves, is in memory afterwards.

#include "shim.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace pardiff;

namespace {

struct Outliner {
  Function &F;
  Loop &L;
  SmallSetVector<PHINode *, 8> Counted; // header phis that stay: counters of iterations, and what goes with them
  SmallPtrSet<Value *, 16> Apart;       // pointers that alone lead to what the loop accesses through them

  // Whether a value is computed from counters and from what the loop leaves alone, and can be computed anywhere.
  bool isCounted(Value *V, unsigned Depth = 8) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    if (auto *P = dyn_cast<PHINode>(I))
      return Counted.contains(P);
    bool Plain = isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(I) && !I->isIntDivRem();
    return Depth > 0 && Plain && all_of(I->operands(), [&](Value *O) { return isCounted(O, Depth - 1); });
  }

  void findCounters(ScalarEvolution &SE) {
    for (PHINode &P : L.getHeader()->phis())
      if (P.getType()->isIntOrPtrTy() && SE.isSCEVable(P.getType()))
        if (auto *R = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P)); R && R->getLoop() == &L && R->isAffine())
          Counted.insert(&P);
    while (Counted.remove_if([&](PHINode *P) { return !isCounted(P->getIncomingValueForBlock(L.getLoopLatch())); }))
      ;
  }

  AllocaInst *slot(Type *T, const Twine &Name) {
    unsigned Space = F.getParent()->getDataLayout().getAllocaAddrSpace();
    auto *Place = new AllocaInst(T, Space, Name, F.getEntryBlock().begin());
    Apart.insert(Place);
    return Place;
  }

  // Stores at the end of an iteration, under the line of the loop.
  void storeAtEnd(Value *V, AllocaInst *Place) {
    Instruction *End = L.getLoopLatch()->getTerminator();
    auto *Store = new StoreInst(V, Place, End->getIterator());
    Store->setDebugLoc(End->getDebugLoc() ? End->getDebugLoc() : L.getStartLoc());
  }

  // What iterations hand on is loaded at the start of one and stored at its end.
  void demote(PHINode *P) {
    AllocaInst *Place = slot(P->getType(), P->getName() + ".carried");
    Value *First = P->getIncomingValueForBlock(L.getLoopPreheader());
    Value *Next = P->getIncomingValueForBlock(L.getLoopLatch());
    new StoreInst(First, Place, L.getLoopPreheader()->getTerminator()->getIterator());
    auto *Now = new LoadInst(P->getType(), Place, P->getName(), L.getHeader()->getFirstInsertionPt());
    P->replaceAllUsesWith(Now);
    P->eraseFromParent();
    storeAtEnd(Next == P ? Now : Next, Place);
  }

  // What is wanted after the loop and is not computed from counters goes through memory.
  void demoteResults() {
    BasicBlock *Exit = L.getExitBlock();
    for (PHINode &P : make_early_inc_range(Exit->phis())) {
      Value *V = P.getIncomingValueForBlock(L.getLoopLatch());
      if (isCounted(V))
        continue;
      AllocaInst *Place = slot(P.getType(), P.getName() + ".result");
      storeAtEnd(V, Place);
      P.replaceAllUsesWith(new LoadInst(P.getType(), Place, P.getName(), Exit->getFirstInsertionPt()));
      P.eraseFromParent();
    }
  }

  // Computes a value once more at the end of a block.
  Value *again(Value *V, BasicBlock *End, DenseMap<Value *, Value *> &Copies) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I) || isa<PHINode>(I))
      return V;
    if (Value *Known = Copies.lookup(I))
      return Known;
    Instruction *Copy = I->clone();
    for (Use &U : Copy->operands())
      U.set(again(U.get(), End, Copies));
    Copy->insertBefore(End->getTerminator()->getIterator());
    Copy->setName(I->getName());
    return Copies[I] = Copy;
  }

  // What the end of an iteration and the way out of the loop use is computed behind the rest.
  void separateEnd(BasicBlock *End) {
    DenseMap<Value *, Value *> Copies;
    for (PHINode *P : Counted)
      P->setIncomingValueForBlock(End, again(P->getIncomingValueForBlock(End), End, Copies));
    auto *Branch = cast<BranchInst>(End->getTerminator());
    Branch->setCondition(again(Branch->getCondition(), End, Copies));
    for (PHINode &P : L.getExitBlock()->phis())
      P.setIncomingValueForBlock(End, again(P.getIncomingValueForBlock(End), End, Copies));
  }

  // Memory that the function made and gave to nobody, and what a parameter alone leads to.
  void findApart(const TargetLibraryInfo &TLI) {
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (auto *Call = dyn_cast<CallBase>(&I))
          for (Use &U : Call->args())
            if (U.get() == getFreedOperand(Call, &TLI)) // it is not remembered
              Call->addParamAttr(Call->getArgOperandNo(&U), Attribute::NoCapture);
    auto Look = [&](Value *V) {
      auto *A = dyn_cast<Argument>(V);
      bool Alone = A ? A->hasNoAliasAttr() : isa<AllocaInst>(V) || isNoAliasCall(V);
      if (Alone && !PointerMayBeCaptured(V, true, true))
        Apart.insert(V);
    };
    for (Argument &A : F.args())
      Look(&A);
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (I.getType()->isPointerTy())
          Look(&I);
  }

  // Says so of the parameters of the new function, unless several of them are made from one such pointer.
  void markApart(CallInst &Call, Function &Step) {
    SmallPtrSet<Value *, 16> Shared;
    for (Use &U : Call.args())
      if (U->getType()->isPointerTy()) {
        SmallVector<const Value *, 4> Roots;
        getUnderlyingObjects(U.get(), Roots, nullptr, 0);
        for (const Value *R : Roots)
          if (R != U.get())
            Shared.insert(const_cast<Value *>(R));
      }
    for (Use &U : Call.args())
      if (Apart.contains(U.get()) && !Shared.contains(U.get()))
        Step.addParamAttr(Call.getArgOperandNo(&U), Attribute::NoAlias);
  }
};

// Why the iterations of a loop cannot be run again one by one; null where they can.
const char *obstacle(Loop *L, CallInst &Mark, ScalarEvolution &SE) {
  if (!L)
    return ""; // it had one iteration
  if (L->getParentLoop())
    return "the loop is in another loop";
  if (!L->isLoopSimplifyForm() || !L->getExitBlock() || L->getExitingBlock() != L->getLoopLatch())
    return "the loop may end within an iteration";
  if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)))
    return "the number of iterations is not known before the loop";
  if (!L->isLoopInvariant(Mark.getArgOperand(0)))
    return "the number of snapshots changes in the loop";
  return nullptr;
}

} // namespace

// Outlines the body of the loop around a call, which is moved before the loop; all loops are in simple and LCSSA form. Answers the call of the new
// function, or null with the reason in `Why`.
extern "C" LLVMValueRef pardiff_outline_step(void *MAM, LLVMValueRef RawMark, const char *Name, const char **Why) {
  auto &Mark = *cast<CallInst>(unwrap(RawMark));
  Function &F = *Mark.getFunction();
  auto &FAM = functionAnalyses(MAM, F);
  FAM.invalidate(F, PreservedAnalyses::none());
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  Loop *L = LI.getLoopFor(Mark.getParent());
  if ((*Why = obstacle(L, Mark, SE)))
    return nullptr;
  Outliner O{F, *L, {}, {}};
  O.findCounters(SE);
  BasicBlock *Header = L->getHeader(), *Latch = L->getLoopLatch();
  if (!O.isCounted(cast<BranchInst>(Latch->getTerminator())->getCondition())) {
    *Why = "what ends the loop is computed in its iterations";
    return nullptr;
  }
  O.findApart(FAM.getResult<TargetLibraryAnalysis>(F));
  O.demoteResults();
  for (PHINode &P : make_early_inc_range(Header->phis()))
    if (!O.Counted.contains(&P))
      O.demote(&P);
  Mark.moveBefore(L->getLoopPreheader()->getTerminator());
  DominatorTree *Trees = nullptr; // made again below
  BasicBlock *End = SplitBlock(Latch, Latch->getTerminator(), Trees, &LI);
  O.separateEnd(End);
  BasicBlock *Body = SplitBlock(Header, Header->getFirstNonPHI(), Trees, &LI);
  SmallVector<BasicBlock *, 16> Blocks{Body};
  for (BasicBlock *B : L->blocks())
    if (B != Header && B != End && B != Body)
      Blocks.push_back(B);
  FAM.invalidate(F, PreservedAnalyses::none());
  DominatorTree DT(F);
  AssumptionCache AC(F);
  CodeExtractor Extractor(Blocks, &DT, false, nullptr, nullptr, &AC, false, false, nullptr, "step");
  CodeExtractorAnalysisCache Cache(F);
  SetVector<Value *> Inputs, Outputs;
  Function *Step = Extractor.isEligible() ? Extractor.extractCodeRegion(Cache, Inputs, Outputs) : nullptr;
  FAM.invalidate(F, PreservedAnalyses::none());
  if (!Step || !Outputs.empty() || !Step->getReturnType()->isVoidTy()) {
    *Why = "an iteration cannot be made a function of its own";
    return nullptr;
  }
  Step->setName(Name);
  Step->setLinkage(GlobalValue::InternalLinkage);
  auto *Call = cast<CallInst>(*Step->user_begin());
  O.markApart(*Call, *Step);
  return wrap(Call);
}

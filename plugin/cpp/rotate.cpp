// Rotates loops whose header decides about leaving: the header's test is repeated before the loop, and the header becomes the
// latch. The conditions are those of LLVM's LoopRotate, which keeps dominators up to date loop by loop: with many loops one after the other
// each change concerns all blocks that follow. Here values that have two definitions afterwards pass through memory, and one
// promotion (promote.cpp) makes phis of it for all loops. Cost: linear. Loops are in loop-simplify and LCSSA form before; not after.

#include "shim.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace pardiff;

namespace {

// Instructions of a header that may be repeated.
constexpr unsigned Largest = 16;

// Whether what a latch does before it jumps back may run although the loop is left before it: one step of a counter.
bool isStep(const BasicBlock &Latch, const Loop &L) {
  bool Steps = false;
  for (const Instruction &I : Latch) {
    if (I.isTerminator())
      return true;
    if (!isSafeToSpeculativelyExecute(&I))
      return false;
    if (isa<TruncInst, ZExtInst, SExtInst>(I))
      continue;
    auto *G = dyn_cast<GetElementPtrInst>(&I);
    bool Cheap = G ? G->hasAllConstantIndices()
                   : is_contained({Instruction::Add, Instruction::Sub, Instruction::And, Instruction::Or, Instruction::Xor,
                                   Instruction::Shl, Instruction::LShr, Instruction::AShr},
                                  I.getOpcode());
    const Value *Stepped = nullptr;
    for (const Value *V : I.operands())
      Stepped = Stepped || isa<Constant>(V) ? Stepped : V;
    auto Outside = [&](const User *U) { return !L.contains(cast<Instruction>(U)); };
    if (!Cheap || Steps || !Stepped || (!L.getExitingBlock() && any_of(Stepped->users(), Outside)))
      return false;
    Steps = true;
  }
  return true;
}

// Joins a latch with the block before it, if that decides about leaving.
bool joinLatch(Loop &L, LoopInfo &Loops) {
  BasicBlock *Latch = L.getLoopLatch(), *Before = Latch ? Latch->getSinglePredecessor() : nullptr;
  auto *Jump = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Before || !Jump || Jump->isConditional() || Latch->hasAddressTaken() || !L.isLoopExiting(Before) ||
      !isa<BranchInst>(Before->getTerminator()) || !isStep(*Latch, L))
    return false;
  return MergeBlockIntoPredecessor(Latch, nullptr, &Loops, nullptr, nullptr, /*PredecessorWithTwoSuccessors=*/true);
}

// Whether some phi of the header is only wanted where the header leaves the loop.
bool hasPhiOfExit(const BasicBlock &Header, const BasicBlock &Exit) {
  auto OnlyThere = [&](const PHINode &P) {
    return all_of(P.users(), [&](const User *U) { return cast<Instruction>(U)->getParent() == &Exit; });
  };
  return any_of(Header.phis(), OnlyThere);
}

class Rotation {
public:
  Rotation(Loop &L, LoopInfo &Loops, const TargetTransformInfo &TTI)
      : L(L), Loops(Loops), TTI(TTI), Header(L.getHeader()), Before(L.getLoopPreheader()) {}

  bool run(bool Joined) {
    if (!isWanted(Joined))
      return false;
    Instruction *Entry = Before->getTerminator();
    for (PHINode &P : Header->phis())
      Copies[&P] = P.getIncomingValueForBlock(Before);
    for (Instruction &I : make_early_inc_range(*Header))
      if (!isa<PHINode>(I))
        repeat(I, Entry);
    for (BasicBlock *Next : successors(Header))
      for (PHINode &P : Next->phis())
        P.addIncoming(copyOf(P.getIncomingValueForBlock(Header)), Before);
    Entry->eraseFromParent();
    for (Instruction &I : make_early_inc_range(*Header))
      passOn(I);
    for (PHINode &P : make_early_inc_range(Header->phis()))
      P.removeIncomingValue(Before);
    L.moveToHeader(Body);
    foldEntry();
    return true;
  }

private:
  Loop &L;
  LoopInfo &Loops;
  const TargetTransformInfo &TTI;
  BasicBlock *Header, *Before, *Body = nullptr, *Exit = nullptr;
  ValueToValueMapTy Copies;

  bool isWanted(bool Joined) {
    auto *Branch = dyn_cast<BranchInst>(Header->getTerminator());
    BasicBlock *Latch = L.getLoopLatch();
    if (L.getNumBlocks() == 1 || !Branch || Branch->isUnconditional() || !L.isLoopExiting(Header) || !Latch || !Before ||
        !L.hasDedicatedExits())
      return false;
    bool Stays = L.contains(Branch->getSuccessor(0));
    Body = Branch->getSuccessor(Stays ? 0 : 1);
    Exit = Branch->getSuccessor(Stays ? 1 : 0);
    if (Body == Header || (L.isLoopExiting(Latch) && !Joined && !hasPhiOfExit(*Header, *Exit)))
      return false;
    CodeMetrics Size;
    Size.analyzeBasicBlock(Header, TTI, SmallPtrSet<const Value *, 1>());
    auto IsToken = [](Instruction &I) { return I.getType()->isTokenTy(); };
    return !Size.notDuplicatable && Size.Convergence == ConvergenceKind::None && Size.NumInsts.isValid() &&
           Size.NumInsts <= Largest && none_of(*Header, IsToken);
  }

  Value *copyOf(Value *V) {
    auto Found = Copies.find(V);
    return Found == Copies.end() ? V : static_cast<Value *>(Found->second);
  }

  // An instruction of the header before the loop: there only, where it does not change in the loop.
  void repeat(Instruction &I, Instruction *Entry) {
    if (L.hasLoopInvariantOperands(&I) && !I.mayReadOrWriteMemory() && !I.isTerminator() && !isa<AllocaInst>(I)) {
      I.moveBefore(Entry);
      return;
    }
    Instruction *Copy = I.clone();
    Copy->insertBefore(Entry);
    RemapInstruction(Copy, Copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Value *Simple = simplifyInstruction(Copy, SimplifyQuery(I.getModule()->getDataLayout()));
    Copies[&I] = Simple ? Simple : static_cast<Value *>(Copy);
    if (Simple && !Copy->mayHaveSideEffects())
      Copy->eraseFromParent();
    else
      Copy->setName(I.getName());
  }

  // Values that are used elsewhere come from the header or from before the loop.
  void passOn(Instruction &I) {
    AllocaInst *Variable = nullptr;
    for (Use &U : make_early_inc_range(I.uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      BasicBlock *In = Phi ? Phi->getIncomingBlock(U) : User->getParent();
      if (In == Header)
        continue;
      if (!Variable)
        Variable = variable(I);
      Instruction *At = Phi ? In->getTerminator() : User;
      U.set(new LoadInst(I.getType(), Variable, "", At->getIterator()));
    }
  }

  AllocaInst *variable(Instruction &I) {
    Function &F = *Header->getParent();
    const DataLayout &DL = F.getParent()->getDataLayout();
    auto *Variable = new AllocaInst(I.getType(), DL.getAllocaAddrSpace(), I.getName(), F.getEntryBlock().begin());
    new StoreInst(copyOf(&I), Variable, Before->getTerminator()->getIterator());
    auto After = isa<PHINode>(I) ? Header->getFirstInsertionPt() : std::next(I.getIterator());
    new StoreInst(&I, Variable, After);
    return Variable;
  }

  // A loop that is known to be entered needs no test; any other gets a block that is only passed if it is entered.
  void foldEntry() {
    auto *Branch = cast<BranchInst>(Before->getTerminator());
    auto *Known = dyn_cast<ConstantInt>(Branch->getCondition());
    if (Known && Branch->getSuccessor(Known->isZero()) == Body) {
      Exit->removePredecessor(Before, /*KeepOneInputPHIs=*/true);
      BranchInst::Create(Body, Branch->getIterator())->setDebugLoc(Branch->getDebugLoc());
      Branch->eraseFromParent();
      return;
    }
    auto *Entered = BasicBlock::Create(Body->getContext(), "", Body->getParent(), Body);
    BranchInst::Create(Body, Entered)->setDebugLoc(Branch->getDebugLoc());
    Branch->setSuccessor(Branch->getSuccessor(0) == Body ? 0 : 1, Entered);
    Body->replacePhiUsesWith(Before, Entered);
    if (Loop *Around = L.getParentLoop())
      Around->addBasicBlockToLoop(Entered, Loops);
  }
};

} // namespace

bool pardiff::rotateLoops(Function &F, const TargetTransformInfo &TTI) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  bool Changed = false;
  auto Order = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(Order)) {
    MDNode *Claims = L->getLoopID();
    bool Joined = joinLatch(*L, Loops), Rotated = Rotation(*L, Loops, TTI).run(Joined);
    if ((Joined || Rotated) && Claims)
      L->setLoopID(Claims);
    Changed |= Joined || Rotated;
  }
  return promote(F) || Changed;
}

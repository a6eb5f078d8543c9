// Steps towards the canonical form for which LLVM has no pass, and the check of that form.

#include "shim.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

namespace {

// Whether an instruction may run although its branch is not taken. Beyond being free of side effects
// it must have constant partial derivatives: 0 times the infinite partial of a division that was
// not meant to run would be NaN.
bool mayRunAnyway(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return !I.getType()->isVectorTy();
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::GetElementPtr:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Select:
    return true;
  default:
    return false;
  }
}

// A side of an if that falls through: its only predecessor decides, and what it does is cheap.
bool isCheapSide(const BasicBlock &Side, const BasicBlock &Head, const BasicBlock &Join) {
  if (Side.getSinglePredecessor() != &Head || Side.getSingleSuccessor() != &Join ||
      Side.hasAddressTaken() || isa<PHINode>(Side.front()))
    return false;
  unsigned Count = 0;
  for (const Instruction &I : Side)
    if (!I.isTerminator() && !I.isDebugOrPseudoInst() && (!mayRunAnyway(I) || ++Count > 3))
      return false;
  return true;
}

void hoist(BasicBlock &Side, Instruction *Before) {
  for (Instruction &I : make_early_inc_range(Side)) {
    if (I.isTerminator())
      break;
    I.dropPoisonGeneratingAnnotations();
    I.moveBefore(Before);
  }
}

// Turns the phis of `Join` into selects where it ends an if whose sides are cheap.
bool foldIf(BasicBlock &Join) {
  if (!isa<PHINode>(Join.front()) || pred_size(&Join) != 2)
    return false;
  BasicBlock *A = *pred_begin(&Join), *B = *std::next(pred_begin(&Join));
  BasicBlock *Head = A == B ? nullptr
                     : B->getSinglePredecessor() == A ? A
                     : A->getSinglePredecessor() == B ? B
                                                      : A->getSinglePredecessor();
  auto *Branch = Head ? dyn_cast<BranchInst>(Head->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || Head == &Join ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return false;
  for (BasicBlock *Side : {A, B})
    if (Side != Head && !isCheapSide(*Side, *Head, Join))
      return false;
  unsigned Phis = 0;
  for (PHINode &P : Join.phis())
    if (++Phis > 4 || P.getType()->isPointerTy() || !P.getType()->isSingleValueType())
      return false;
  for (BasicBlock *Side : {A, B})
    if (Side != Head)
      hoist(*Side, Branch);
  // The side that is entered when the condition holds.
  BasicBlock *Then = Branch->getSuccessor(0) == &Join ? Head : Branch->getSuccessor(0);
  BasicBlock *Else = Then == A ? B : A;
  IRBuilder<> Build(Branch);
  for (PHINode &P : make_early_inc_range(Join.phis())) {
    Value *T = P.getIncomingValueForBlock(Then), *E = P.getIncomingValueForBlock(Else);
    Value *Chosen = T == E ? T : Build.CreateSelect(Branch->getCondition(), T, E);
    P.replaceAllUsesWith(Chosen);
    P.eraseFromParent();
  }
  Build.CreateBr(&Join);
  Branch->eraseFromParent();
  for (BasicBlock *Side : {A, B})
    if (Side != Head)
      DeleteDeadBlock(Side);
  return true;
}

// Whether a pointer that an if chooses is only loaded from, in the block where the if ends, before
// anything there writes.
bool isOnlyLoadedHere(PHINode &P, DominatorTree &Dominators) {
  BasicBlock &Block = *P.getParent();
  for (BasicBlock *Before : predecessors(&Block))
    if (Dominators.dominates(&Block, Before) || !isa<BranchInst>(Before->getTerminator()))
      return false;
  unsigned Loads = 0;
  for (Instruction &I : Block) {
    auto *Load = dyn_cast<LoadInst>(&I);
    Loads += Load && Load->isSimple() && Load->getPointerOperand() == &P;
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      break;
  }
  return Loads && P.hasNUses(Loads);
}

// Blocks from which control can reach a return.
SmallPtrSet<BasicBlock *, 32> returningBlocks(Function &F) {
  SmallPtrSet<BasicBlock *, 32> Returning;
  SmallVector<BasicBlock *, 32> Work;
  for (BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()))
      Work.push_back(&Block);
  while (!Work.empty()) {
    BasicBlock *Block = Work.pop_back_val();
    if (Returning.insert(Block).second)
      Work.append(pred_begin(Block), pred_end(Block));
  }
  return Returning;
}

// The edge at which control turns towards a block from which there is no way back: the successor
// index of the deciding branch. Null where it is not one branch that decides.
BranchInst *turnTowards(BasicBlock &End, const SmallPtrSetImpl<BasicBlock *> &Returning, unsigned &Index) {
  for (BasicBlock *Block = &End;;) {
    BasicBlock *Before = Block->getUniquePredecessor();
    if (!Before)
      return nullptr;
    if (Returning.contains(Before)) {
      auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
      if (!Branch || !Branch->isConditional())
        return nullptr;
      Index = Branch->getSuccessor(0) == Block ? 0 : 1;
      return Branch;
    }
    Block = Before;
  }
}

// Whether a block reports undefined behaviour for a sanitizer.
bool isReport(const BasicBlock *Block) {
  return any_of(*Block, [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && (Callee->getName().starts_with("__ubsan_handle_") ||
                      Callee->getIntrinsicID() == Intrinsic::ubsantrap);
  });
}

// Whether the overflow bit of `Checked` only decides about such reports.
bool onlySanitizerAsks(const WithOverflowInst &Checked) {
  SmallVector<const Value *, 4> Work{&Checked};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (auto *Branch = dyn_cast<BranchInst>(U)) {
        if (none_of(Branch->successors(), isReport))
          return false;
        continue;
      }
      auto *Field = dyn_cast<ExtractValueInst>(U);
      if (Field && Field->getIndices()[0] == 0)
        continue;
      if (!Field && !(isa<BinaryOperator>(U) && U->getType()->isIntegerTy(1)))
        return false;
      Work.push_back(U);
    }
  return true;
}

std::string nameOf(const BasicBlock &Block) {
  std::string Text;
  raw_string_ostream Stream(Text);
  Block.printAsOperand(Stream, /*PrintType=*/false);
  return Text;
}

} // namespace

extern "C" {

// Undoes what InstCombine does to loads on both sides of an if: it makes one load of a chosen pointer,
// where two loads of known places and a chosen value say more.
void pardiff_unmerge_loads(LLVMValueRef Raw) {
  Function &F = function(Raw);
  DominatorTree Dominators(F);
  SmallVector<PHINode *, 8> Pointers;
  for (BasicBlock &Block : F)
    for (PHINode &P : Block.phis())
      if (P.getType()->isPointerTy() && isOnlyLoadedHere(P, Dominators))
        Pointers.push_back(&P);
  for (PHINode *P : Pointers) {
    for (unsigned I = 0; I < P->getNumIncomingValues(); ++I)
      if (P->getIncomingBlock(I)->getTerminator()->getNumSuccessors() > 1)
        SplitEdge(P->getIncomingBlock(I), P->getParent());
    for (User *U : make_early_inc_range(P->users())) {
      auto *Load = cast<LoadInst>(U);
      auto *Chosen = PHINode::Create(Load->getType(), P->getNumIncomingValues(), "", P->getIterator());
      for (unsigned I = 0; I < P->getNumIncomingValues(); ++I) {
        auto *Copy = cast<LoadInst>(Load->clone());
        Copy->insertBefore(P->getIncomingBlock(I)->getTerminator());
        Copy->setOperand(LoadInst::getPointerOperandIndex(), P->getIncomingValue(I));
        Chosen->addIncoming(Copy, P->getIncomingBlock(I));
      }
      Load->replaceAllUsesWith(Chosen);
      Load->eraseFromParent();
    }
    P->eraseFromParent();
  }
}

// Turns ifs that only choose between values into selects.
void pardiff_fold_cheap_ifs(LLVMValueRef Raw) {
  Function &F = function(Raw);
  // Folding one makes no other foldable. Sides that are folded are gone.
  SmallVector<WeakVH, 32> Blocks;
  for (BasicBlock &Block : F)
    Blocks.push_back(&Block);
  for (WeakVH &Block : Blocks)
    if (Block)
      foldIf(*cast<BasicBlock>(Block));
}

// Expands arithmetic that tells whether it overflows, which is opaque to ScalarEvolution. Where only
// a sanitizer asks, the answer is no, as drop_sanitizer_checks says.
void pardiff_expand_overflow(LLVMValueRef Raw) {
  Function &F = function(Raw);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Checked = dyn_cast<WithOverflowInst>(&I);
    if (!Checked || !Checked->getLHS()->getType()->isIntegerTy())
      continue;
    IRBuilder<> B(Checked);
    auto Opcode = Checked->getBinaryOp();
    bool Signed = Checked->isSigned(), Assumed = onlySanitizerAsks(*Checked);
    Value *A = Checked->getLHS(), *C = Checked->getRHS();
    Value *Result = B.CreateBinOp(Opcode, A, C), *Overflow = B.getFalse();
    if (auto *Made = dyn_cast<BinaryOperator>(Result); Made && Assumed) {
      Made->setHasNoSignedWrap(Signed);
      Made->setHasNoUnsignedWrap(!Signed);
    }
    if (!Assumed) {
      Type *Wide = A->getType()->getExtendedType();
      auto Widen = [&](Value *V) { return B.CreateIntCast(V, Wide, Signed); };
      Overflow = B.CreateICmpNE(Widen(Result), B.CreateBinOp(Opcode, Widen(A), Widen(C)));
    }
    Value *Both = B.CreateInsertValue(PoisonValue::get(Checked->getType()), Result, 0);
    Checked->replaceAllUsesWith(B.CreateInsertValue(Both, Overflow, 1));
    Checked->eraseFromParent();
  }
}

// Drops the front end's checks for undefined behaviour. They make addresses of locals escape and
// loops opaque; the code that they check is checked where the program itself runs it.
void pardiff_drop_sanitizer_checks(LLVMValueRef Raw) {
  Function &F = function(Raw);
  bool Changed = false;
  for (BasicBlock &Block : F) {
    auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    bool First = isReport(Branch->getSuccessor(0)), Second = isReport(Branch->getSuccessor(1));
    if (First == Second)
      continue;
    Branch->getSuccessor(First ? 0 : 1)->removePredecessor(&Block);
    BranchInst::Create(Branch->getSuccessor(First ? 1 : 0), Branch->getIterator());
    Branch->eraseFromParent();
    Changed = true;
  }
  if (Changed)
    removeUnreachableBlocks(F);
}

// Makes calls that never return look like calls that do, so that no pass cuts the code after them.
void pardiff_hide_no_return(LLVMValueRef Raw) {
  Function &F = function(Raw);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Real = Call ? Call->getCalledFunction() : nullptr;
    if (!Real || !Call->doesNotReturn())
      continue;
    Call->removeFnAttr(Attribute::NoReturn);
    FunctionCallee Stand = F.getParent()->getOrInsertFunction(Hidden + Real->getName().str(),
                                                              Real->getFunctionType());
    Call->setCalledFunction(Stand);
  }
}

// Lets calls that do not return fall through to where control would go without them, so that each
// block has a way to the return and loops do not get exits for them.
void pardiff_join_dead_ends(LLVMValueRef Raw) {
  Function &F = function(Raw);
  SmallPtrSet<BasicBlock *, 32> Returning = returningBlocks(F);
  SmallVector<BasicBlock *, 8> Ends;
  for (BasicBlock &Block : F)
    if (isa<UnreachableInst>(Block.getTerminator()))
      Ends.push_back(&Block);
  for (BasicBlock *End : Ends) {
    unsigned Index = 0;
    BranchInst *Branch = turnTowards(*End, Returning, Index);
    if (!Branch)
      continue;
    BasicBlock *From = Branch->getParent(), *Onwards = Branch->getSuccessor(1 - Index);
    // A block of its own for the join: it has no phis, and those of `Onwards` keep their values.
    BasicBlock *Join = BasicBlock::Create(F.getContext(), "", &F, Onwards);
    BranchInst::Create(Onwards, Join)->setDebugLoc(Branch->getDebugLoc());
    Branch->setSuccessor(1 - Index, Join);
    Onwards->replacePhiUsesWith(From, Join);
    Instruction *Unreachable = End->getTerminator();
    BranchInst::Create(Join, Unreachable->getIterator())->setDebugLoc(Unreachable->getDebugLoc());
    Unreachable->eraseFromParent();
    Returning.insert(Join);
  }
}

// Turns each invoke into a call: an exception then passes through without running clean-ups.
// `Caught` gets each invoke whose exception would not end the function; if there is one, nothing changes.
void pardiff_drop_unwinding(LLVMValueRef Raw, void (*Caught)(void *, LLVMValueRef), void *Context) {
  Function &F = function(Raw);
  SmallVector<InvokeInst *, 8> Invokes;
  for (BasicBlock &Block : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(Block.getTerminator()))
      Invokes.push_back(Invoke);
  if (Invokes.empty())
    return;
  SmallPtrSet<BasicBlock *, 32> Returning = returningBlocks(F);
  bool AnyCaught = false;
  for (InvokeInst *Invoke : Invokes)
    if (!Invoke->doesNotThrow() && Returning.contains(Invoke->getUnwindDest())) {
      Caught(Context, wrap(Invoke));
      AnyCaught = true;
    }
  if (AnyCaught)
    return;
  for (InvokeInst *Invoke : Invokes)
    changeToCall(Invoke);
  removeUnreachableBlocks(F);
}

// Brings back the callees that hide_no_return and hide_block_memory replaced.
void pardiff_restore_hidden(LLVMValueRef Raw) {
  Function &F = function(Raw);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Stand = Call ? Call->getCalledFunction() : nullptr;
    if (!Stand || !Stand->getName().starts_with(Hidden))
      continue;
    Call->setCalledFunction(F.getParent()->getFunction(Stand->getName().drop_front(strlen(Hidden))));
    if (Stand->use_empty())
      Stand->eraseFromParent();
  }
}

// Checks the canonical form. Answers null, or what is not so.
char *pardiff_check_canonical(void *MAM, LLVMValueRef Raw) {
  Function &F = function(Raw);
  auto &FAM = functionAnalyses(MAM, F);
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  unsigned Returns = 0;
  for (BasicBlock &Block : F) {
    Instruction *End = Block.getTerminator();
    Returns += isa<ReturnInst>(End);
    if (!isa<ReturnInst>(End) && !isa<BranchInst>(End) && !isa<UnreachableInst>(End))
      return text("block " + nameOf(Block) + " ends in " + End->getOpcodeName());
  }
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *, const ReversePostOrderTraversal<const Function *>,
                             const LoopInfo>(Order, Loops))
    return text("a loop has several entries");
  if (Returns != 1)
    return text("the function has " + std::to_string(Returns) + " return blocks");
  for (Loop *L : Loops.getLoopsInPreorder()) {
    // A name takes as long to find as the function is.
    auto Wrong = [&](const char *What) { return text("loop " + nameOf(*L->getHeader()) + What); };
    if (!L->isLoopSimplifyForm())
      return Wrong(" is not in loop-simplify form");
    if (!L->getUniqueExitBlock())
      return Wrong(L->hasNoExitBlocks() ? " has no exit" : " has several exit blocks");
    if (!L->isLCSSAForm(Dominators))
      return Wrong(" is not in LCSSA form");
  }
  return nullptr;
}

/// Turns constant expressions over global variables into instructions.
void pardiff_spell_out_constants(LLVMValueRef FunctionRef) {
  Function &F = function(FunctionRef);
  SmallVector<Constant *, 16> Globals;
  for (GlobalVariable &G : F.getParent()->globals())
    Globals.push_back(&G);
  convertUsersOfConstantsToInstructions(Globals, &F, /*RemoveDeadConstants=*/false);
}

} // extern "C"

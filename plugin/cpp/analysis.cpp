// Facts that only LLVM's C++ API gives: scalar evolution and alias analysis.
// Expressions cross the border as flat token lists; plugin/src/llvm/analyses.rs decodes them.
#include "llvm-c/Core.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include <numeric>

using namespace llvm;

namespace {

// Keep in step with `Token` in plugin/src/llvm/analyses.rs.
enum Token : int64_t {
  Constant, Unknown, Recurrence, Sum, Product, UnsignedQuotient, SignedMax, UnsignedMax, SignedMin,
  UnsignedMin, ZeroExtend, SignExtend, Truncate, PointerToInt
};

using Tokens = SmallVector<int64_t, 32>;

FunctionAnalysisManager &functionAnalyses(void *Analyses, Function &F) {
  auto &MAM = *static_cast<ModuleAnalysisManager *>(Analyses);
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
}

bool isPositive(const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return !C->getValue()->isZero();
  if (auto *M = dyn_cast<SCEVUMaxExpr>(S))
    return any_of(M->operands(), isPositive);
  if (auto *Z = dyn_cast<SCEVZeroExtendExpr>(S))
    return isPositive(Z->getOperand());
  return false;
}

bool encode(const SCEV *S, ScalarEvolution &SE, Tokens &Out) {
  auto Bits = [&](const SCEV *E) { return (int64_t)SE.getTypeSizeInBits(E->getType()); };
  auto Nary = [&](Token T) {
    auto *N = cast<SCEVNAryExpr>(S);
    Out.push_back(T);
    Out.push_back(N->getNumOperands());
    return all_of(N->operands(), [&](const SCEV *Op) { return encode(Op, SE, Out); });
  };
  auto Cast = [&](Token T) {
    Out.push_back(T);
    Out.push_back(Bits(S));
    return encode(cast<SCEVCastExpr>(S)->getOperand(), SE, Out);
  };
  if (Bits(S) > 64)
    return false;
  switch (S->getSCEVType()) {
  case scConstant:
    Out.append({Constant, Bits(S), cast<SCEVConstant>(S)->getAPInt().getSExtValue()});
    return true;
  case scUnknown:
    Out.append({Unknown, (int64_t)(intptr_t)wrap(cast<SCEVUnknown>(S)->getValue())});
    return true;
  case scAddRecExpr: {
    auto *R = cast<SCEVAddRecExpr>(S);
    if (!R->isAffine())
      return false;
    const SCEV *Step = R->getStepRecurrence(SE);
    Out.append({Recurrence, Bits(Step), (int64_t)(intptr_t)wrap(R->getLoop()->getHeader())});
    return encode(R->getStart(), SE, Out) && encode(Step, SE, Out);
  }
  case scAddExpr: return Nary(Sum);
  case scMulExpr: return Nary(Product);
  case scSMaxExpr: return Nary(SignedMax);
  case scUMaxExpr: return Nary(UnsignedMax);
  case scSMinExpr: return Nary(SignedMin);
  case scUMinExpr:
  case scSequentialUMinExpr: return Nary(UnsignedMin);
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    // The expression is evaluated where the program may not have divided.
    if (!isPositive(D->getRHS()))
      return false;
    Out.push_back(UnsignedQuotient);
    return encode(D->getLHS(), SE, Out) && encode(D->getRHS(), SE, Out);
  }
  case scZeroExtend: return Cast(ZeroExtend);
  case scSignExtend: return Cast(SignExtend);
  case scTruncate: return Cast(Truncate);
  case scPtrToInt: return Cast(PointerToInt);
  default: return false;
  }
}

// The integers At plus multiples of Step (0: only At).
struct Class {
  int64_t At;
  uint64_t Step;
};

// What an index is a multiple of, and what is added. Products that leave the 64 bits lead into no object.
Class classOf(Value *V, unsigned Depth) {
  const Class Anything = {0, 1};
  auto *C = dyn_cast<ConstantInt>(V);
  if (C && C->getBitWidth() <= 64)
    return {C->getSExtValue(), 0};
  auto *O = dyn_cast<BinaryOperator>(V);
  if (!O || Depth == 0 || !O->getType()->isIntegerTy(64))
    return Anything;
  auto *Right = dyn_cast<ConstantInt>(O->getOperand(1));
  int64_t Factor = 0;
  if (O->getOpcode() == Instruction::Mul && Right)
    Factor = Right->getSExtValue();
  if (O->getOpcode() == Instruction::Shl && Right && Right->getValue().ult(32))
    Factor = int64_t(1) << Right->getZExtValue();
  Class A = classOf(O->getOperand(0), Depth - 1);
  int64_t At;
  if (Factor > 0)
    return __builtin_mul_overflow(A.At, Factor, &At) || A.Step > uint64_t(INT64_MAX / Factor)
               ? Anything
               : Class{At, A.Step * Factor};
  if (O->getOpcode() != Instruction::Add && O->getOpcode() != Instruction::Sub)
    return Anything;
  Class B = classOf(O->getOperand(1), Depth - 1);
  bool Over = O->getOpcode() == Instruction::Add ? __builtin_add_overflow(A.At, B.At, &At)
                                                 : __builtin_sub_overflow(A.At, B.At, &At);
  return Over ? Anything : Class{At, std::gcd(A.Step, B.Step)};
}

using Receive = void (*)(void *Context, const int64_t *Tokens, size_t Count);

void give(const SCEV *S, ScalarEvolution &SE, Receive CB, void *Context) {
  Tokens Out;
  if (!isa<SCEVCouldNotCompute>(S) && encode(S, SE, Out))
    CB(Context, Out.data(), Out.size());
}

} // namespace

extern "C" {

/// The closed form of an integer or pointer value over the iterations of its loops.
void pardiff_closed_form(void *Analyses, LLVMValueRef Value, LLVMValueRef FunctionRef, Receive CB,
                         void *Context) {
  Function &F = *cast<Function>(unwrap(FunctionRef));
  auto &SE = functionAnalyses(Analyses, F).getResult<ScalarEvolutionAnalysis>(F);
  llvm::Value *V = unwrap(Value);
  if (SE.isSCEVable(V->getType()))
    give(SE.getSCEV(V), SE, CB, Context);
}

/// How many iterations of the loop with this header are started once it is entered: exactly, or at most. In 64 bits; widened
/// before one is added, unless what decides about the loop's entry excludes an overflow.
void pardiff_iterations(void *Analyses, LLVMBasicBlockRef Header, int AtMost, Receive CB, void *Context) {
  BasicBlock *B = unwrap(Header);
  Function &F = *B->getParent();
  auto &FAM = functionAnalyses(Analyses, F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(B);
  if (!L)
    return;
  const SCEV *BackEdges =
      AtMost ? SE.getSymbolicMaxBackedgeTakenCount(L) : SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(BackEdges))
    return;
  if (!BackEdges->getType()->isIntegerTy())
    return;
  give(SE.getTripCountFromExitCount(BackEdges, Type::getInt64Ty(F.getContext()), L), SE, CB, Context);
}

/// Whether memory reached from two base pointers, in any iteration and at any offset, may be the same.
/// The accesses give the type-based information that holds at any iteration.
int pardiff_may_alias(void *Analyses, LLVMValueRef BaseA, LLVMValueRef AccessA, LLVMValueRef BaseB,
                      LLVMValueRef AccessB) {
  auto *A = cast<Instruction>(unwrap(AccessA)), *B = cast<Instruction>(unwrap(AccessB));
  Function &F = *A->getFunction();
  auto &AA = functionAnalyses(Analyses, F).getResult<AAManager>(F);
  auto Anywhere = [](llvm::Value *Base, Instruction *Access) {
    AAMDNodes Tags = Access->getAAMetadata();
    // Scopes speak of one iteration's accesses only when the pointers do.
    Tags.Scope = Tags.NoAlias = nullptr;
    return MemoryLocation(Base, LocationSize::beforeOrAfterPointer(), Tags);
  };
  return AA.alias(Anywhere(unwrap(BaseA), A), Anywhere(unwrap(BaseB), B)) != AliasResult::NoAlias;
}

/// The byte offsets that a getelementptr adds: At plus multiples of Step (0: only At; 1: anything).
void pardiff_gep_offset(LLVMValueRef Ref, int64_t *At, uint64_t *Step) {
  auto *G = cast<GEPOperator>(unwrap(Ref));
  const DataLayout &DL = cast<Instruction>(G)->getModule()->getDataLayout();
  unsigned Width = DL.getIndexTypeSizeInBits(G->getType());
  MapVector<Value *, APInt> Variable;
  APInt Constant(Width, 0);
  *At = 0;
  *Step = 1;
  if (Width > 64 || !G->collectOffset(DL, Width, Variable, Constant))
    return;
  *At = Constant.getSExtValue();
  *Step = 0;
  for (auto &[Index, Scale] : Variable) {
    Class Of = classOf(Index, 4);
    int64_t By = Scale.getSExtValue(), Product;
    uint64_t Apart;
    if (__builtin_mul_overflow(Of.At, By, &Product) || __builtin_add_overflow(*At, Product, At) ||
        __builtin_mul_overflow(Of.Step, (uint64_t)std::abs(By), &Apart))
      Apart = 1;
    *Step = std::gcd(*Step, Apart);
  }
}

/// What a getelementptr adds, in bytes, as tokens: whether it is inbounds, a constant, and pairs of an index and its factor. Indices
/// are signed; a wider one than a pointer is no answer.
void pardiff_gep_parts(LLVMValueRef Ref, Receive CB, void *Context) {
  auto *G = cast<GEPOperator>(unwrap(Ref));
  const DataLayout &DL = cast<Instruction>(G)->getModule()->getDataLayout();
  unsigned Width = DL.getIndexTypeSizeInBits(G->getType());
  MapVector<Value *, APInt> Variable;
  APInt Constant(Width, 0);
  if (Width != 64 || !G->collectOffset(DL, Width, Variable, Constant))
    return;
  Tokens Out = {G->isInBounds(), Constant.getSExtValue()};
  for (auto &[Index, Factor] : Variable) {
    if (Index->getType()->getIntegerBitWidth() > Width)
      return;
    Out.append({(int64_t)(intptr_t)wrap(Index), Factor.getSExtValue()});
  }
  CB(Context, Out.data(), Out.size());
}
}

// Operations on vectors that LLVM's scalarizer leaves alone: reductions and what x86 has of its own.

#include "shim.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include <functional>

using namespace llvm;
using namespace pardiff;

namespace {

using Combine = std::function<Value *(IRBuilder<> &, Value *, Value *)>;

Combine binary(Instruction::BinaryOps Opcode) {
  return [=](IRBuilder<> &B, Value *X, Value *Y) { return B.CreateBinOp(Opcode, X, Y); };
}

Combine intrinsic(Intrinsic::ID ID) {
  return [=](IRBuilder<> &B, Value *X, Value *Y) { return B.CreateBinaryIntrinsic(ID, X, Y); };
}

// How a reduction combines two lanes; empty for what is no reduction.
Combine combineOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::vector_reduce_fadd:
    return binary(Instruction::FAdd);
  case Intrinsic::vector_reduce_fmul:
    return binary(Instruction::FMul);
  case Intrinsic::vector_reduce_add:
    return binary(Instruction::Add);
  case Intrinsic::vector_reduce_mul:
    return binary(Instruction::Mul);
  case Intrinsic::vector_reduce_and:
    return binary(Instruction::And);
  case Intrinsic::vector_reduce_or:
    return binary(Instruction::Or);
  case Intrinsic::vector_reduce_xor:
    return binary(Instruction::Xor);
  case Intrinsic::vector_reduce_smax:
    return intrinsic(Intrinsic::smax);
  case Intrinsic::vector_reduce_smin:
    return intrinsic(Intrinsic::smin);
  case Intrinsic::vector_reduce_umax:
    return intrinsic(Intrinsic::umax);
  case Intrinsic::vector_reduce_umin:
    return intrinsic(Intrinsic::umin);
  case Intrinsic::vector_reduce_fmax:
    return intrinsic(Intrinsic::maxnum);
  case Intrinsic::vector_reduce_fmin:
    return intrinsic(Intrinsic::minnum);
  case Intrinsic::vector_reduce_fmaximum:
    return intrinsic(Intrinsic::maximum);
  case Intrinsic::vector_reduce_fminimum:
    return intrinsic(Intrinsic::minimum);
  default:
    return nullptr;
  }
}

// A reduction lane by lane, from the first: the order that one without `reassoc` has.
Value *reduced(IntrinsicInst &I, const Combine &Two) {
  IRBuilder<> B(&I);
  if (isa<FPMathOperator>(I))
    B.setFastMathFlags(I.getFastMathFlags());
  Value *Vector = I.getArgOperand(I.arg_size() - 1);
  Value *Sum = I.arg_size() == 2 ? I.getArgOperand(0) : nullptr;
  auto *Ty = dyn_cast<FixedVectorType>(Vector->getType());
  if (!Ty)
    return nullptr;
  for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
    Value *Next = B.CreateExtractElement(Vector, uint64_t(Lane));
    Sum = Sum ? Two(B, Sum, Next) : Next;
  }
  return Sum;
}

// One vector of pairs of neighbours within each 128 bits, those of X before those of Y.
Value *neighbours(IRBuilder<> &B, Value *X, Value *Y, unsigned Odd) {
  unsigned Count = cast<FixedVectorType>(X->getType())->getNumElements();
  unsigned Part = 128 / X->getType()->getScalarSizeInBits();
  SmallVector<int, 8> Mask;
  for (unsigned Start = 0; Start < Count; Start += Part)
    for (unsigned From : {0u, Count})
      for (unsigned I = 0; I < Part; I += 2)
        Mask.push_back(From + Start + I + Odd);
  return B.CreateShuffleVector(X, Y, Mask);
}

// X86's operations on vectors of reals, in LLVM's own; null for others.
Value *expanded(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  auto Arg = [&](unsigned N) { return I.getArgOperand(N); };
  auto Horizontal = [&](Instruction::BinaryOps Opcode) {
    return B.CreateBinOp(Opcode, neighbours(B, Arg(0), Arg(1), 0), neighbours(B, Arg(0), Arg(1), 1));
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::x86_sse_max_ps:
  case Intrinsic::x86_sse2_max_pd:
  case Intrinsic::x86_avx_max_ps_256:
  case Intrinsic::x86_avx_max_pd_256:
    return B.CreateSelect(B.CreateFCmpOGT(Arg(0), Arg(1)), Arg(0), Arg(1));
  case Intrinsic::x86_sse_min_ps:
  case Intrinsic::x86_sse2_min_pd:
  case Intrinsic::x86_avx_min_ps_256:
  case Intrinsic::x86_avx_min_pd_256:
    return B.CreateSelect(B.CreateFCmpOLT(Arg(0), Arg(1)), Arg(0), Arg(1));
  case Intrinsic::x86_sse3_hadd_ps:
  case Intrinsic::x86_sse3_hadd_pd:
  case Intrinsic::x86_avx_hadd_ps_256:
  case Intrinsic::x86_avx_hadd_pd_256:
    return Horizontal(Instruction::FAdd);
  case Intrinsic::x86_sse3_hsub_ps:
  case Intrinsic::x86_sse3_hsub_pd:
  case Intrinsic::x86_avx_hsub_ps_256:
  case Intrinsic::x86_avx_hsub_pd_256:
    return Horizontal(Instruction::FSub);
  case Intrinsic::x86_sse41_blendvps:
  case Intrinsic::x86_sse41_blendvpd:
  case Intrinsic::x86_avx_blendv_ps_256:
  case Intrinsic::x86_avx_blendv_pd_256: {
    auto *Integers = VectorType::getInteger(cast<VectorType>(I.getType()));
    Value *Sign = B.CreateICmpSLT(B.CreateBitCast(Arg(2), Integers), Constant::getNullValue(Integers));
    return B.CreateSelect(Sign, Arg(1), Arg(0));
  }
  default:
    return nullptr;
  }
}

} // namespace

extern "C" {

// Expands reductions lane by lane, and x86's own operations on vectors into LLVM's.
void pardiff_expand_vectors(LLVMValueRef Raw) {
  for (Instruction &I : make_early_inc_range(instructions(function(Raw)))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    Combine Two = combineOf(Call->getIntrinsicID());
    Value *Made = Two ? reduced(*Call, Two) : expanded(*Call);
    if (!Made)
      continue;
    Call->replaceAllUsesWith(Made);
    Call->eraseFromParent();
  }
}
}

// Small block copies and fills, which LLVM would turn into integer loads and stores.
//
// A copy of a small struct is expanded into one load and store per field, so that numbers stay
// numbers. The fields come from what is known about either side: tbaa.struct, an alloca, a global,
// the type a GEP steps through. What stays unknown is hidden from InstCombine behind another name.

#include "shim.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

namespace {

constexpr unsigned MostFields = 32;

struct Field {
  uint64_t Offset;
  Type *Ty;
  MDNode *Tag;
  // A member of a struct that is no union: its type is what the source declares.
  bool Declared;
};
using Fields = SmallVector<Field, 8>;

// What a scalar is a member of; a struct inside a union is part of the union.
enum class Within { Nothing, Struct, Union };

// Adds the scalars of an object of type `Ty` that start below `End`; false where one is unfit.
bool flatten(const DataLayout &DL, Type *Ty, uint64_t Offset, uint64_t End, Within In, Fields &Out) {
  if (Offset >= End)
    return true;
  if (auto *S = dyn_cast<StructType>(Ty)) {
    if (S->isOpaque())
      return false;
    const StructLayout *Layout = DL.getStructLayout(S);
    bool IsUnion = In == Within::Union || (S->hasName() && S->getName().starts_with("union."));
    In = IsUnion ? Within::Union : Within::Struct;
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      if (!flatten(DL, S->getElementType(I), Offset + Layout->getElementOffset(I), End, In, Out))
        return false;
    return true;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty)) {
    // Raw bytes are what a union or a character buffer looks like: they say nothing.
    if (A->getElementType()->isIntegerTy(8) && A->getNumElements() > 1)
      return false;
    uint64_t Stride = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I < A->getNumElements() && Offset + I * Stride < End; ++I)
      if (!flatten(DL, A->getElementType(), Offset + I * Stride, End, In, Out))
        return false;
    return true;
  }
  if (!Ty->isFloatingPointTy() && !Ty->isIntegerTy() && !Ty->isPointerTy() && !Ty->isVectorTy())
    return false;
  if (isa<ScalableVectorType>(Ty) || Offset + DL.getTypeStoreSize(Ty) > End ||
      DL.getTypeStoreSizeInBits(Ty) != DL.getTypeSizeInBits(Ty) || Out.size() >= MostFields)
    return false;
  Out.push_back({Offset, Ty, nullptr, In == Within::Struct});
  return true;
}

// Objects of type `Ty` that lie one after another over `Length` bytes.
std::optional<Fields> repeated(const DataLayout &DL, Type *Ty, uint64_t Length) {
  if (!Ty->isSized() || DL.getTypeAllocSize(Ty).isScalable() || DL.getTypeAllocSize(Ty) == 0)
    return std::nullopt;
  Fields Out;
  uint64_t Stride = DL.getTypeAllocSize(Ty);
  for (uint64_t Offset = 0; Offset < Length; Offset += Stride)
    if (!flatten(DL, Ty, Offset, Length, Within::Nothing, Out))
      return std::nullopt;
  if (Out.empty())
    return std::nullopt;
  return Out;
}

// The type of the object that starts at `Pointer`, by how the pointer is made.
Type *typeBehind(Value *Pointer) {
  Value *Base = Pointer->stripPointerCasts();
  if (auto *A = dyn_cast<AllocaInst>(Base))
    return A->getAllocatedType();
  if (auto *G = dyn_cast<GlobalVariable>(Base))
    return G->getValueType();
  if (auto *A = dyn_cast<Argument>(Base))
    if (Type *Ty = A->getPointeeInMemoryValueType())
      return Ty;
  // An address of element 0 is as good as any other: stripping casts takes it for one.
  for (Value *V : {Pointer, Base})
    if (auto *G = dyn_cast<GEPOperator>(V))
      return G->getResultElementType()->isIntegerTy(8) ? nullptr : G->getResultElementType();
  return nullptr;
}

// The fields that a `tbaa.struct` lists.
std::optional<Fields> listed(const DataLayout &DL, MDNode *List, uint64_t Length) {
  Fields Out;
  for (unsigned I = 0; I + 2 < List->getNumOperands(); I += 3) {
    uint64_t Offset = mdconst::extract<ConstantInt>(List->getOperand(I))->getZExtValue();
    uint64_t Size = mdconst::extract<ConstantInt>(List->getOperand(I + 1))->getZExtValue();
    auto *Tag = dyn_cast<MDNode>(List->getOperand(I + 2));
    auto *Access = Tag && Tag->getNumOperands() > 1 ? dyn_cast<MDNode>(Tag->getOperand(1)) : nullptr;
    auto *Name = Access && Access->getNumOperands() ? dyn_cast<MDString>(Access->getOperand(0)) : nullptr;
    if (!Name)
      return std::nullopt;
    LLVMContext &C = List->getContext();
    Type *Ty = StringSwitch<Type *>(Name->getString())
                   .Case("double", Type::getDoubleTy(C))
                   .Case("float", Type::getFloatTy(C))
                   .Case("long double", Type::getX86_FP80Ty(C))
                   .Case("any pointer", PointerType::get(C, 0))
                   .Case("int", Type::getInt32Ty(C))
                   .Cases("long", "long long", Type::getInt64Ty(C))
                   .Case("short", Type::getInt16Ty(C))
                   .Cases("bool", "_Bool", Type::getInt8Ty(C))
                   .Default(nullptr);
    if (!Ty || Size % DL.getTypeAllocSize(Ty) != 0)
      return std::nullopt;
    for (uint64_t At = Offset; At < Offset + Size && At < Length; At += DL.getTypeAllocSize(Ty)) {
      if (Out.size() >= MostFields)
        return std::nullopt;
      Out.push_back({At, Ty, Tag, true});
    }
  }
  if (Out.empty())
    return std::nullopt;
  return Out;
}

// Keeps a member declared only where both sides of a copy declare it so: bytes may be moved through anything.
void compare(const DataLayout &DL, MemIntrinsic &M, uint64_t Length, Fields &Parts) {
  auto *Transfer = dyn_cast<MemTransferInst>(&M);
  if (!Transfer)
    return;
  for (Value *Side : {M.getRawDest(), Transfer->getRawSource()}) {
    Type *Ty = typeBehind(Side);
    auto Other = Ty ? repeated(DL, Ty, Length) : std::nullopt;
    for (Field &P : Parts)
      P.Declared &= Other && any_of(*Other, [&](const Field &Q) {
        return Q.Declared && Q.Offset == P.Offset && Q.Ty == P.Ty;
      });
  }
}

std::optional<Fields> fieldsOf(MemIntrinsic &M, uint64_t Length) {
  const DataLayout &DL = M.getDataLayout();
  if (MDNode *List = M.getMetadata(LLVMContext::MD_tbaa_struct))
    if (auto Out = listed(DL, List, Length))
      return Out;
  std::optional<Fields> Out;
  if (Type *Ty = typeBehind(M.getRawDest()))
    Out = repeated(DL, Ty, Length);
  if (auto *Transfer = dyn_cast<MemTransferInst>(&M); Transfer && !Out)
    if (Type *Ty = typeBehind(Transfer->getRawSource()))
      Out = repeated(DL, Ty, Length);
  if (Out)
    compare(DL, M, Length, *Out);
  return Out;
}

Value *at(IRBuilder<> &B, Value *Pointer, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, Offset) : Pointer;
}

void expandCopy(MemTransferInst &M, const Fields &Parts) {
  IRBuilder<> B(&M);
  SmallVector<Value *, 8> Values;
  Align From = M.getSourceAlign().valueOrOne(), To = M.getDestAlign().valueOrOne();
  // All loads come first, so that overlapping moves are right too.
  for (const Field &P : Parts) {
    LoadInst *L = B.CreateAlignedLoad(P.Ty, at(B, M.getRawSource(), P.Offset),
                                      commonAlignment(From, P.Offset));
    L->setMetadata(LLVMContext::MD_tbaa, P.Tag);
    if (P.Ty->isIntegerTy() || isOfBytes(*L))
      markInteger(*L, P.Ty->isIntegerTy() && P.Declared);
    Values.push_back(L);
  }
  for (auto [P, V] : zip(Parts, Values)) {
    StoreInst *S = B.CreateAlignedStore(V, at(B, M.getRawDest(), P.Offset),
                                        commonAlignment(To, P.Offset));
    S->setMetadata(LLVMContext::MD_tbaa, P.Tag);
    if (P.Ty->isIntegerTy() || isOfBytes(*S))
      markInteger(*S, P.Ty->isIntegerTy() && P.Declared);
  }
  M.eraseFromParent();
}

void expandZero(MemSetInst &M, const Fields &Parts) {
  IRBuilder<> B(&M);
  Align To = M.getDestAlign().valueOrOne();
  for (const Field &P : Parts)
    B.CreateAlignedStore(Constant::getNullValue(P.Ty), at(B, M.getRawDest(), P.Offset),
                         commonAlignment(To, P.Offset));
  M.eraseFromParent();
}

bool isZero(MemSetInst &M) {
  auto *Byte = dyn_cast<ConstantInt>(M.getValue());
  return Byte && Byte->isZero();
}

// InstCombine turns block operations of these lengths into one integer load and store.
bool isFragile(const MemIntrinsic &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  return Length && Length->getZExtValue() <= 8;
}

// The intrinsic for a call of a library function that moves or sets blocks, the checked ones included;
// null for other calls. The first argument but for bcopy is where to.
Value *asIntrinsic(CallInst &Call, StringRef Name) {
  IRBuilder<> B(&Call);
  Name.consume_front("__");
  Name.consume_back("_chk");
  auto Arg = [&](unsigned N) { return Call.getArgOperand(N); };
  unsigned Needed = Name == "bzero" ? 2 : 3;
  if (Call.arg_size() < Needed || !Arg(0)->getType()->isPointerTy() ||
      !Arg(Needed - 1)->getType()->isIntegerTy(64))
    return nullptr;
  MaybeAlign One(1);
  if (Name == "memcpy" || Name == "mempcpy")
    B.CreateMemCpy(Arg(0), One, Arg(1), One, Arg(2));
  else if (Name == "memmove")
    B.CreateMemMove(Arg(0), One, Arg(1), One, Arg(2));
  else if (Name == "bcopy")
    B.CreateMemMove(Arg(1), One, Arg(0), One, Arg(2));
  else if (Name == "memset")
    B.CreateMemSet(Arg(0), B.CreateTrunc(Arg(1), B.getInt8Ty()), Arg(2), One);
  else if (Name == "bzero")
    B.CreateMemSet(Arg(0), B.getInt8(0), Arg(1), One);
  else
    return nullptr;
  return Name == "mempcpy" ? B.CreateGEP(B.getInt8Ty(), Arg(0), Arg(2)) : Arg(0);
}

} // namespace

extern "C" {

// Makes intrinsics of calls of library functions that move or set blocks of memory.
void pardiff_plain_block_memory(LLVMValueRef Raw) {
  for (Instruction &I : make_early_inc_range(instructions(function(Raw)))) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isIntrinsic() || Callee->hasLocalLinkage())
      continue;
    Value *Result = asIntrinsic(*Call, Callee->getName());
    if (!Result)
      continue;
    if (Call->getType()->isPointerTy())
      Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

// Expands block copies (and zero fills of one word) of known fields.
void pardiff_expand_block_memory(LLVMValueRef Raw) {
  for (Instruction &I : make_early_inc_range(instructions(function(Raw)))) {
    auto *M = dyn_cast<MemIntrinsic>(&I);
    auto *Length = M ? dyn_cast<ConstantInt>(M->getLength()) : nullptr;
    if (!Length || M->isVolatile() || Length->isZero() || Length->getValue().ugt(8 * MostFields))
      continue;
    auto *Fill = dyn_cast<MemSetInst>(M);
    if (Fill && !(isFragile(*M) && isZero(*Fill)))
      continue;
    auto Parts = fieldsOf(*M, Length->getZExtValue());
    if (!Parts)
      continue;
    if (Fill)
      expandZero(*Fill, *Parts);
    else
      expandCopy(*cast<MemTransferInst>(M), *Parts);
  }
}

// Hides block operations that InstCombine would turn into integers, until restore_hidden.
void pardiff_hide_block_memory(LLVMValueRef Raw) {
  Function &F = function(Raw);
  for (Instruction &I : instructions(F)) {
    auto *M = dyn_cast<MemIntrinsic>(&I);
    if (!M || M->isVolatile() || !isFragile(*M))
      continue;
    Function *Real = M->getCalledFunction();
    std::string Name = Hidden + Real->getName().str();
    FunctionCallee Stand = F.getParent()->getOrInsertFunction(Name, Real->getFunctionType());
    auto *Declared = cast<Function>(Stand.getCallee());
    Declared->setMemoryEffects(MemoryEffects::argMemOnly());
    Declared->setDoesNotThrow();
    Declared->setWillReturn();
    M->setCalledFunction(Declared);
  }
}
}

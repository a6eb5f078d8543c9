// Which loads and stores of integers does the source declare as integers?
//
// An integer access to memory that holds numbers may move a part of one (a copy through long *), unless the type that the
// address was formed with, or the tag of the access, says what is there. Passes forget types of addresses, so that
// this is noted before them. A mark with an operand says that the access is a piece of a block copy, whatever the address says; so is
// an access of any type, without a tag, to bytes that are counted from somewhere.

#include "shim.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

namespace {

// The field of a struct or the variable of the file that an address leads to, if its type says so.
Type *declaredAt(Value *Pointer) {
  if (auto *Variable = dyn_cast<GlobalVariable>(Pointer))
    return Variable->getValueType();
  auto *G = dyn_cast<GEPOperator>(Pointer);
  if (!G || G->getNumIndices() < 2)
    return nullptr;
  auto *Variable = dyn_cast<GlobalVariable>(G->getPointerOperand());
  bool Whole = Variable && Variable->getValueType() == G->getSourceElementType();
  return Whole || isa<StructType>(G->getSourceElementType()) ? G->getResultElementType() : nullptr;
}

// Names that clang gives to the integer types of C and C++ in tags; "char" may stand for anything.
bool isIntegerTag(MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 2)
    return false;
  auto *Access = dyn_cast<MDNode>(Tag->getOperand(1));
  auto *Name = Access && Access->getNumOperands() ? dyn_cast<MDString>(Access->getOperand(0)) : nullptr;
  if (!Name)
    return false;
  for (StringRef Integer : {"bool", "_Bool", "short", "int", "long", "long long", "__int128"})
    if (Name->getString() == Integer)
      return true;
  return false;
}

} // namespace

bool pardiff::isOfBytes(Instruction &I) {
  if (I.getMetadata(LLVMContext::MD_tbaa))
    return false;
  auto *G = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&I));
  while (G && G->hasAllConstantIndices() && isa<GEPOperator>(G->getPointerOperand()))
    G = cast<GEPOperator>(G->getPointerOperand());
  return G && G->getSourceElementType()->isIntegerTy(8) && !G->hasAllConstantIndices();
}

void pardiff::markInteger(Instruction &I, bool IsInteger) {
  LLVMContext &C = I.getContext();
  Metadata *Piece[] = {ConstantAsMetadata::get(ConstantInt::getFalse(C))};
  I.setMetadata(Integer, IsInteger ? MDNode::get(C, {}) : MDNode::get(C, Piece));
}

extern "C" {

/// Marks them with metadata.
void pardiff_mark_integers(LLVMValueRef FunctionRef) {
  Function &F = function(FunctionRef);
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst, StoreInst>(I) || I.hasMetadata(Integer))
      continue;
    Type *Ty = getLoadStoreType(&I);
    if (isOfBytes(I)) {
      markInteger(I, false);
      continue;
    }
    if (!Ty->isIntegerTy())
      continue;
    if (declaredAt(getLoadStorePointerOperand(&I)) == Ty || isIntegerTag(I.getMetadata(LLVMContext::MD_tbaa)))
      markInteger(I, true);
  }
}

/// Whether a load or store was marked.
int pardiff_is_integer(LLVMValueRef Ref) {
  MDNode *Mark = cast<Instruction>(unwrap(Ref))->getMetadata(Integer);
  return Mark && Mark->getNumOperands() == 0;
}

/// Whether a load or store was marked as a piece of something untyped.
int pardiff_is_piece(LLVMValueRef Ref) {
  MDNode *Mark = cast<Instruction>(unwrap(Ref))->getMetadata(Integer);
  return Mark && Mark->getNumOperands() != 0;
}
}

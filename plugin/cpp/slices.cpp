// Splits stack memory into scalar variables where all accesses are at constant places: arrays that are indexed by constants,
// structs. It is what LLVM's SROA does in the plain cases; but SROA also promotes the variables, by looking through the blocks that
// use them for each variable, and the arrays of inlined functions and their shadows give thousands. Cost: linear.

#include "shim.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>
#include <vector>

using namespace llvm;
using namespace pardiff;

namespace {

// The pieces of one stack object.
class Splitter {
public:
  explicit Splitter(AllocaInst &A) : A(A), DL(A.getModule()->getDataLayout()) {}

  bool run() {
    if (!A.isStaticAlloca() || !A.getAllocationSize(DL) || A.getAllocationSize(DL)->isScalable() || !collect() ||
        !areApart())
      return false;
    for (auto &[At, Piece] : Pieces)
      Piece.Variable = new AllocaInst(Piece.Ty, DL.getAllocaAddrSpace(), A.getName(), A.getIterator());
    for (auto &[I, At] : Accesses)
      I->setOperand(isa<LoadInst>(I) ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex(),
                    Pieces[At].Variable);
    for (auto &[Set, At] : Sets)
      replace(*Set, At);
    for (Instruction *Address : reverse(Addresses))
      Address->eraseFromParent();
    A.eraseFromParent();
    return true;
  }

private:
  struct Piece {
    Type *Ty;
    AllocaInst *Variable;
  };
  AllocaInst &A;
  const DataLayout &DL;
  std::map<uint64_t, Piece> Pieces;
  std::vector<std::pair<Instruction *, uint64_t>> Accesses;
  std::vector<std::pair<MemSetInst *, uint64_t>> Sets;
  std::vector<Instruction *> Addresses;

  uint64_t size(Type *Ty) const { return DL.getTypeStoreSize(Ty).getFixedValue(); }
  static uint64_t length(const MemSetInst &Set) { return cast<ConstantInt>(Set.getLength())->getZExtValue(); }

  // An access of one scalar, which is a piece; another access there must be of the same type.
  bool add(Instruction &I, Type *Ty, bool Simple, uint64_t At) {
    if (!Simple || !(Ty->isIntegerTy() || Ty->isFloatingPointTy() || Ty->isPointerTy()))
      return false;
    Accesses.push_back({&I, At});
    return Pieces.insert({At, {Ty, nullptr}}).first->second.Ty == Ty;
  }

  bool add(User *U, Value *Address, uint64_t At, SmallVectorImpl<std::pair<Instruction *, uint64_t>> &Work) {
    if (auto *Load = dyn_cast<LoadInst>(U))
      return add(*Load, Load->getType(), Load->isSimple(), At);
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getValueOperand() != Address &&
             add(*Store, Store->getValueOperand()->getType(), Store->isSimple(), At);
    if (auto *Set = dyn_cast<MemSetInst>(U)) {
      auto *Byte = dyn_cast<ConstantInt>(Set->getValue());
      Sets.push_back({Set, At});
      return Byte && Byte->isZero() && isa<ConstantInt>(Set->getLength()) && !Set->isVolatile();
    }
    auto *G = dyn_cast<GetElementPtrInst>(U);
    APInt Offset(DL.getIndexTypeSizeInBits(A.getType()), 0);
    if (!G || G->getType()->isVectorTy() || !G->accumulateConstantOffset(DL, Offset))
      return false;
    Work.push_back({G, At + Offset.getSExtValue()});
    return true;
  }

  // Everything that uses the memory; fails where that is more than plain accesses.
  bool collect() {
    SmallVector<std::pair<Instruction *, uint64_t>, 8> Work{{&A, 0}};
    while (!Work.empty()) {
      auto [Address, At] = Work.pop_back_val();
      if (Address != &A)
        Addresses.push_back(Address);
      for (User *U : Address->users())
        if (!add(U, Address, At, Work))
          return false;
    }
    // A scalar as a whole needs no pieces.
    bool Whole = Pieces.size() == 1 && Pieces.begin()->second.Ty == A.getAllocatedType() && Sets.empty();
    return !Whole && !Pieces.empty();
  }

  // Whether no two pieces overlap, none is outside, and what is cleared is whole pieces.
  bool areApart() {
    uint64_t End = 0, Size = A.getAllocationSize(DL)->getFixedValue();
    for (auto &[At, Piece] : Pieces) {
      if (At < End || At >= Size)
        return false;
      End = At + size(Piece.Ty);
    }
    auto Cuts = [&](uint64_t Border) {
      auto After = Pieces.upper_bound(Border);
      if (After == Pieces.begin())
        return false;
      auto &[At, Piece] = *std::prev(After);
      return At < Border && Border < At + size(Piece.Ty);
    };
    auto Whole = [&](std::pair<MemSetInst *, uint64_t> Set) {
      return Set.second <= Size && length(*Set.first) <= Size - Set.second && !Cuts(Set.second) &&
             !Cuts(Set.second + length(*Set.first));
    };
    return End <= Size && all_of(Sets, Whole);
  }

  void replace(MemSetInst &Set, uint64_t From) {
    for (auto It = Pieces.lower_bound(From); It != Pieces.end() && It->first < From + length(Set); ++It) {
      Piece &P = It->second;
      auto *Store = new StoreInst(Constant::getNullValue(P.Ty), P.Variable, Set.getIterator());
      Store->setDebugLoc(Set.getDebugLoc());
    }
    Set.eraseFromParent();
  }
};

} // namespace

bool pardiff::splitStackObjects(Function &F) {
  SmallVector<AllocaInst *, 16> Objects;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Objects.push_back(A);
  bool Changed = false;
  for (AllocaInst *A : Objects)
    Changed |= Splitter(*A).run();
  return Changed;
}

// Long functions in parts: functions that each do a piece of the code. Much of LLVM, from the vectoriser of straight-line code
// to the allocation of registers, takes time that grows faster than a block or a function.
//
// A function is cut at points that each run of it passes, or each iteration of a loop, and that are in no inner loop: what is
// between two of them has one way in and one way out.

#include "shim.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace pardiff;

namespace {

using Blocks = SmallVector<BasicBlock *, 0>;

// Cuts a block after each `Length` instructions. What has to stay at its start does.
void cutBlock(BasicBlock &B, unsigned Length) {
  BasicBlock *Rest = SplitBlock(&B, B.getFirstNonPHIOrDbgOrAlloca());
  for (unsigned Left = Rest->size(); Left > Length; Left -= Length)
    Rest = SplitBlock(Rest, std::next(Rest->begin(), Length));
}

struct Structure {
  DominatorTree DT;
  PostDominatorTree PDT;
  LoopInfo LI;
  explicit Structure(Function &F) : DT(F), PDT(F), LI(DT) {}
  // Points that each iteration of the loop with a header passes, or each run after an entry.
  Blocks points(BasicBlock *Start) const {
    Loop *L = LI.getLoopFor(Start);
    BasicBlock *At = Start;
    if (L && L->isLoopExiting(Start))
      At = *find_if(successors(Start), [&](BasicBlock *Next) { return L->contains(Next); });
    Blocks Found;
    for (; At && (!L || L->contains(At)); At = afterwards(At))
      if (LI.getLoopFor(At) == L)
        Found.push_back(At);
    return Found;
  }
  BasicBlock *afterwards(BasicBlock *At) const {
    auto *Node = PDT.getNode(At);
    return Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  }
};

// Pieces of at least `Length` instructions between points, each with its first block first. What comes before the
// second point and after the last one stays.
std::vector<Blocks> pieces(const Structure &Known, const Blocks &Points, unsigned Length) {
  std::vector<Blocks> All;
  if (Points.size() < 3)
    return All;
  DenseSet<const BasicBlock *> Ends(Points.begin(), Points.end());
  Blocks Piece;
  unsigned Size = 0;
  for (size_t I = 1; I + 1 < Points.size(); ++I) {
    // What this point dominates and the next does not.
    SmallVector<DomTreeNode *, 8> Pending = {Known.DT.getNode(Points[I])};
    while (!Pending.empty()) {
      DomTreeNode *Node = Pending.pop_back_val();
      Piece.push_back(Node->getBlock());
      Size += Node->getBlock()->size();
      for (DomTreeNode *Child : Node->children())
        if (!Ends.count(Child->getBlock()))
          Pending.push_back(Child);
    }
    if (Size >= Length) {
      All.push_back(std::move(Piece));
      Piece.clear();
      Size = 0;
    }
  }
  return All;
}

} // namespace

extern "C" {

// Moves pieces of a function with more than `Most` instructions to functions of at least `Length`, which `Seen` gets.
void pardiff_split(LLVMValueRef Raw, unsigned Most, unsigned Length, void (*Seen)(void *, LLVMValueRef), void *Context) {
  Function &F = function(Raw);
  if (F.getInstructionCount() <= Most)
    return;
  Blocks Long;
  for (BasicBlock &B : F)
    if (B.size() > 2 * Length)
      Long.push_back(&B);
  for (BasicBlock *B : Long)
    cutBlock(*B, Length);
  Structure Known(F);
  // Inner loops first: what is moved is no longer in the loops around.
  Blocks Starts;
  for (Loop *L : Known.LI.getLoopsInPreorder())
    Starts.insert(Starts.begin(), L->getHeader());
  Starts.push_back(&F.getEntryBlock());
  for (BasicBlock *Start : Starts) {
    std::vector<Blocks> Pieces = pieces(Known, Known.points(Start), Length);
    if (Pieces.empty())
      continue;
    CodeExtractorAnalysisCache Cache(F);
    for (Blocks &Piece : Pieces) {
      CodeExtractor Extractor(Piece, &Known.DT, /*AggregateArgs=*/false, /*BFI=*/nullptr, /*BPI=*/nullptr,
                              /*AC=*/nullptr, /*AllowVarArgs=*/false, /*AllowAlloca=*/false,
                              /*AllocationBlock=*/nullptr, /*Suffix=*/"part");
      if (!Extractor.isEligible())
        continue;
      if (Function *Part = Extractor.extractCodeRegion(Cache)) {
        Part->addFnAttr(Attribute::NoInline);
        // The vectoriser of straight-line code would take as long as all other passes together, for little.
        if (!hasLoops(*Part))
          Part->addFnAttr(Attribute::NoImplicitFloat);
        Seen(Context, wrap(Part));
      }
    }
    Known = Structure(F);
  }
}
}

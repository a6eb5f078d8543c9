// Puts scalar stack variables into SSA form. The result is that of LLVM's mem2reg, which looks at all blocks after the
// first one that writes a variable, for every variable. Here dominance frontiers are computed once and one walk renames
// all variables (Cytron and others, "Efficiently computing static single assignment form and the control dependence
// graph", 1991): linear but for the depth of nests.

#include "shim.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <vector>

using namespace llvm;
using namespace pardiff;

namespace {

class Promoter {
public:
  explicit Promoter(Function &F) : F(F), Tree(F) {}

  bool run() {
    collect();
    if (Variables.empty())
      return false;
    findFrontiers();
    findExposed();
    for (unsigned V = 0; V < Variables.size(); ++V)
      if (Exposed[V])
        placePhis(V);
    rename();
    dropPlainPhis();
    dropDeadPhis();
    for (AllocaInst *A : Variables) {
      // What is left is in blocks that nothing leads to.
      A->replaceAllUsesWith(PoisonValue::get(A->getType()));
      A->eraseFromParent();
    }
    return true;
  }

private:
  Function &F;
  DominatorTree Tree;
  std::vector<AllocaInst *> Variables;
  DenseMap<Value *, unsigned> Number;
  std::vector<SmallVector<BasicBlock *, 4>> Writers;
  std::vector<bool> Exposed;
  DenseMap<BasicBlock *, SmallVector<BasicBlock *, 2>> Frontier;
  DenseMap<BasicBlock *, SmallVector<PHINode *, 4>> PhisOf;
  DenseMap<PHINode *, unsigned> VariableOf;
  std::vector<PHINode *> Phis;
  std::vector<Value *> Current;
  // What `Current` was before, to go back to when a subtree of the dominator tree is done.
  std::vector<std::pair<unsigned, Value *>> Before;

  void collect() {
    for (Instruction &I : F.getEntryBlock()) {
      auto *A = dyn_cast<AllocaInst>(&I);
      auto Plain = [](User *U) { return isa<LoadInst, StoreInst>(U); };
      if (!A || !isAllocaPromotable(A) || !all_of(A->users(), Plain))
        continue;
      Number[A] = Variables.size();
      Variables.push_back(A);
      Writers.emplace_back();
      for (User *U : A->users())
        if (isa<StoreInst>(U))
          Writers.back().push_back(cast<Instruction>(U)->getParent());
    }
  }

  // Which variables some block reads before it writes them: the others need no phis (Briggs and others, "Practical
  // improvements to the construction and destruction of static single assignment form", 1998).
  void findExposed() {
    Exposed.assign(Variables.size(), false);
    std::vector<BasicBlock *> Written(Variables.size());
    for (BasicBlock &B : F)
      for (Instruction &I : B) {
        auto Found = Number.find(isa<LoadInst, StoreInst>(I) ? getLoadStorePointerOperand(&I) : nullptr);
        if (Found == Number.end())
          continue;
        if (isa<StoreInst>(I))
          Written[Found->second] = &B;
        else if (Written[Found->second] != &B)
          Exposed[Found->second] = true;
      }
  }

  BasicBlock *above(BasicBlock *B) {
    DomTreeNode *Parent = Tree.getNode(B)->getIDom();
    return Parent ? Parent->getBlock() : nullptr;
  }

  void findFrontiers() {
    for (BasicBlock &B : F) {
      if (!Tree.isReachableFromEntry(&B) || !B.hasNPredecessorsOrMore(2))
        continue;
      for (BasicBlock *From : predecessors(&B)) {
        if (!Tree.isReachableFromEntry(From))
          continue;
        for (BasicBlock *At = From; At && At != above(&B); At = above(At)) {
          auto &Known = Frontier[At];
          if (Known.empty() || Known.back() != &B)
            Known.push_back(&B);
        }
      }
    }
  }

  void placePhis(unsigned V) {
    SmallVector<BasicBlock *, 8> Work(ArrayRef<BasicBlock *>(Writers[V]));
    SmallPtrSet<BasicBlock *, 8> Placed;
    while (!Work.empty()) {
      auto Found = Frontier.find(Work.pop_back_val());
      if (Found == Frontier.end())
        continue;
      for (BasicBlock *B : Found->second) {
        if (!Placed.insert(B).second)
          continue;
        auto *Phi = PHINode::Create(Variables[V]->getAllocatedType(), pred_size(B),
                                    Variables[V]->getName(), B->begin());
        for (BasicBlock *From : predecessors(B))
          if (!Tree.isReachableFromEntry(From))
            Phi->addIncoming(PoisonValue::get(Phi->getType()), From);
        PhisOf[B].push_back(Phi);
        VariableOf[Phi] = V;
        Phis.push_back(Phi);
        Work.push_back(B);
      }
    }
  }

  void set(unsigned V, Value *Now) {
    Before.push_back({V, Current[V]});
    Current[V] = Now;
  }

  void rename() {
    for (AllocaInst *A : Variables)
      Current.push_back(UndefValue::get(A->getAllocatedType()));
    struct Open {
      DomTreeNode *Node;
      DomTreeNode::iterator Next;
      size_t Mark;
    };
    std::vector<Open> Stack;
    auto Enter = [&](DomTreeNode *Node) {
      Stack.push_back({Node, Node->begin(), Before.size()});
      block(*Node->getBlock());
    };
    Enter(Tree.getRootNode());
    while (!Stack.empty()) {
      Open &Top = Stack.back();
      if (Top.Next != Top.Node->end()) {
        Enter(*Top.Next++);
        continue;
      }
      for (; Before.size() > Top.Mark; Before.pop_back())
        Current[Before.back().first] = Before.back().second;
      Stack.pop_back();
    }
  }

  void block(BasicBlock &B) {
    if (auto Found = PhisOf.find(&B); Found != PhisOf.end())
      for (PHINode *Phi : Found->second)
        set(VariableOf[Phi], Phi);
    for (Instruction &I : make_early_inc_range(B)) {
      Value *Place = isa<LoadInst, StoreInst>(I) ? getLoadStorePointerOperand(&I) : nullptr;
      auto Found = Place ? Number.find(Place) : Number.end();
      if (Found == Number.end())
        continue;
      if (auto *Store = dyn_cast<StoreInst>(&I))
        set(Found->second, Store->getValueOperand());
      else
        I.replaceAllUsesWith(Current[Found->second]);
      I.eraseFromParent();
    }
    for (BasicBlock *Next : successors(&B))
      if (auto Found = PhisOf.find(Next); Found != PhisOf.end())
        for (PHINode *Phi : Found->second)
          Phi->addIncoming(Current[VariableOf[Phi]], &B);
  }

  // The one value that a phi stands for, if its operands are that and the phi itself.
  static Value *only(PHINode *Phi) {
    Value *Found = nullptr;
    for (Value *V : Phi->incoming_values()) {
      if (V != Phi && Found && V != Found)
        return nullptr;
      if (V != Phi)
        Found = V;
    }
    return Found;
  }

  // Phis that choose between equal values; that may show others to be such.
  void dropPlainPhis() {
    SmallVector<PHINode *, 16> Work(ArrayRef<PHINode *>(Phis).rbegin(), ArrayRef<PHINode *>(Phis).rend());
    SmallPtrSet<PHINode *, 16> Gone;
    while (!Work.empty()) {
      PHINode *Phi = Work.pop_back_val();
      Value *Same = Gone.contains(Phi) ? nullptr : only(Phi);
      if (!Same)
        continue;
      for (User *U : Phi->users())
        if (auto *Next = dyn_cast<PHINode>(U); Next && Next != Phi && VariableOf.count(Next))
          Work.push_back(Next);
      Phi->replaceAllUsesWith(Same);
      Gone.insert(Phi);
    }
    erase_if(Phis, [&](PHINode *Phi) { return Gone.contains(Phi); });
    for (PHINode *Phi : Gone) {
      VariableOf.erase(Phi);
      Phi->eraseFromParent();
    }
  }

  // Phis that only serve each other.
  void dropDeadPhis() {
    SmallPtrSet<PHINode *, 16> Live;
    SmallVector<PHINode *, 16> Work;
    auto Ours = [&](Value *V) {
      auto *Phi = dyn_cast<PHINode>(V);
      return Phi && VariableOf.count(Phi) ? Phi : nullptr;
    };
    for (PHINode *Phi : Phis)
      if (any_of(Phi->users(), [&](User *U) { return !Ours(U); }))
        Work.push_back(Phi);
    while (!Work.empty()) {
      PHINode *Phi = Work.pop_back_val();
      if (!Live.insert(Phi).second)
        continue;
      for (Value *V : Phi->incoming_values())
        if (PHINode *Source = Ours(V))
          Work.push_back(Source);
    }
    erase_if(Phis, [&](PHINode *Phi) { return Live.contains(Phi); });
    for (PHINode *Phi : Phis)
      Phi->dropAllReferences();
    for (PHINode *Phi : Phis)
      Phi->eraseFromParent();
  }
};

} // namespace

bool pardiff::promote(Function &F) {
  bool Split = splitStackObjects(F);
  return Promoter(F).run() || Split;
}

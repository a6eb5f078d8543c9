// What the C++ files of the shim share. The shim gives the Rust side what LLVM's C API lacks;
// it decides nothing about derivatives.
#ifndef PARDIFF_SHIM_H
#define PARDIFF_SHIM_H

#include "llvm-c/Core.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cstring>
#include <string>

namespace llvm {
class TargetTransformInfo;
}

namespace pardiff {

inline llvm::Function &function(LLVMValueRef F) {
  return *llvm::cast<llvm::Function>(llvm::unwrap(F));
}

inline llvm::FunctionAnalysisManager &functionAnalyses(void *MAM, llvm::Module &M) {
  return static_cast<llvm::ModuleAnalysisManager *>(MAM)
      ->getResult<llvm::FunctionAnalysisManagerModuleProxy>(M)
      .getManager();
}

inline llvm::FunctionAnalysisManager &functionAnalyses(void *MAM, llvm::Function &F) {
  return functionAnalyses(MAM, *F.getParent());
}

// Of what metadata says about loops, keeps that they make progress.
void keepProgressOnly(llvm::Function &F);
// Says of all loops but those with one of these headers that they make progress.
void markProgress(llvm::Function &F, const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &Except);
bool hasLoops(const llvm::Function &F);

// Passes of our own, for textual pipelines (`transform.cpp`). Each answers whether it changed something.
bool rotateLoops(llvm::Function &F, const llvm::TargetTransformInfo &TTI); // "rotate-loops"
bool promote(llvm::Function &F);           // "promote"
bool splitStackObjects(llvm::Function &F); // before it
bool addScreens(llvm::Function &F, bool Writes); // "add-screens" with writes, "screen-edges" without
bool dropScreens(llvm::Function &F);             // "drop-screens"

// Before the host's vectorisers: see `overlap.cpp`. Answers whether it changed something.
bool testAtEntry(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

// Prefix of stand-ins for functions that a pass must not recognise.
constexpr const char *Hidden = "pardiff.hidden.";

// Kind of the metadata on accesses that the source declares as integers: one that passes keep when they merge accesses,
// unlike kinds of our own. (It means something on addresses only, for BPF.)
constexpr unsigned Integer = llvm::LLVMContext::MD_preserve_access_index;
// Marks an access as one of them, or as a piece of a block copy that may be of anything.
void markInteger(llvm::Instruction &I, bool IsInteger);

// Whether the address of a load or store is formed by counting bytes, and no tag says what is there.
bool isOfBytes(llvm::Instruction &I);

// A string that the Rust side releases with pardiff_release_text.
inline char *text(const std::string &S) { return strdup(S.c_str()); }

} // namespace pardiff
#endif

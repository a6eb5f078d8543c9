// Changes to IR for which the C API has no entry: pipelines on one function, cloning, inlining,
// attributes, debug locations, linking bitcode.

#include "shim.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

namespace {

// An error that concerns no place in the program.
struct GeneralError : DiagnosticInfo {
  StringRef Text;
  explicit GeneralError(StringRef Text) : DiagnosticInfo(kind(), DS_Error), Text(Text) {}
  void print(DiagnosticPrinter &Printer) const override { Printer << Text; }
  static int kind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
};

// A step of our own as a pass.
struct Step : PassInfoMixin<Step> {
  bool (*Run)(Function &, FunctionAnalysisManager &);
  explicit Step(bool (*Run)(Function &, FunctionAnalysisManager &)) : Run(Run) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    return Run(F, FAM) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Marks an access that is volatile only to keep what it accesses in memory.
constexpr const char *InMemory = "pardiff.in.memory";

// Makes a load or store volatile, or not.
void setVolatile(Instruction &I, bool Is) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(Is);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Store->setVolatile(Is);
}

// Adds one of the passes that LLVM's text form does not know. `scalarizer-all` splits loads and stores of vectors too.
bool addPass(StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
  using FAM = FunctionAnalysisManager;
  static constexpr std::pair<const char *, bool (*)(Function &, FAM &)> Steps[] = {
      {"promote", [](Function &F, FAM &) { return promote(F); }},
      {"rotate-loops", [](Function &F, FAM &A) { return rotateLoops(F, A.getResult<TargetIRAnalysis>(F)); }},
      {"add-screens", [](Function &F, FAM &) { return addScreens(F, true); }},
      {"screen-edges", [](Function &F, FAM &) { return addScreens(F, false); }},
      {"drop-screens", [](Function &F, FAM &) { return dropScreens(F); }}};
  for (auto [Known, Run] : Steps)
    if (Name == Known) {
      FPM.addPass(Step(Run));
      return true;
    }
  if (Name != "scalarizer-all")
    return false;
  ScalarizerPassOptions Options;
  Options.ScalarizeLoadStore = true;
  FPM.addPass(ScalarizerPass(Options));
  return true;
}

} // namespace

extern "C" {

void pardiff_release_text(char *Text) { free(Text); }

// Runs a textual function pipeline with the host's analyses. Answers null, or what is wrong.
char *pardiff_run_pipeline(void *MAM, LLVMValueRef Raw, const char *Text) {
  Function &F = function(Raw);
  PassBuilder Parser;
  Parser.registerPipelineParsingCallback(addPass);
  FunctionPassManager FPM;
  if (Error E = Parser.parsePassPipeline(FPM, Text))
    return text(toString(std::move(E)));
  auto &FAM = functionAnalyses(MAM, F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, FPM.run(F, FAM));
  return nullptr;
}

void pardiff_invalidate(void *MAM, LLVMValueRef Raw) {
  Function &F = function(Raw);
  functionAnalyses(MAM, F).invalidate(F, PreservedAnalyses::none());
}

// Forgets the function's analyses, which must happen before it is erased.
void pardiff_forget(void *MAM, LLVMValueRef Raw) {
  Function &F = function(Raw);
  functionAnalyses(MAM, F).clear(F, F.getName());
}

LLVMValueRef pardiff_clone_function(LLVMValueRef Raw, const char *Name) {
  ValueToValueMapTy Map;
  Function *Clone = CloneFunction(&function(Raw), Map);
  Clone->setComdat(nullptr);
  Clone->setLinkage(GlobalValue::InternalLinkage);
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDSOLocal(true);
  Clone->setName(Name);
  return wrap(Clone);
}

// Inlines a direct call, whose loops keep that they make progress; `Seen` gets each call that this brings in. Answers null, or why not.
const char *pardiff_inline_call(void *MAM, LLVMValueRef Raw, void (*Seen)(void *, LLVMValueRef),
                                void *Context) {
  auto &Call = *cast<CallBase>(unwrap(Raw));
  auto &FAM = functionAnalyses(MAM, *Call.getFunction());
  auto Assumptions = [&](Function &F) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(F);
  };
  // A function makes progress if both did. Where one did not, the loops of the other keep it.
  Function &Into = *Call.getFunction(), &Callee = *Call.getCalledFunction();
  bool Before = Into.mustProgress(), Inner = Callee.mustProgress() && !Before && hasLoops(Callee);
  if (Before && !Callee.mustProgress())
    markProgress(Into, SmallPtrSet<BasicBlock *, 1>());
  SmallPtrSet<BasicBlock *, 16> Own;
  if (Inner)
    for (BasicBlock &B : Into)
      Own.insert(&B);
  InlineFunctionInfo Info(Assumptions);
  InlineResult Result = InlineFunction(Call, Info, /*MergeAttributes=*/true,
                                       /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  if (!Result.isSuccess())
    return Result.getFailureReason();
  if (Inner)
    markProgress(Into, Own);
  for (CallBase *Inner : Info.InlinedCallSites)
    Seen(Context, wrap(Inner));
  return nullptr;
}

char *pardiff_verify_function(LLVMValueRef Raw) {
  std::string Text;
  raw_string_ostream Stream(Text);
  return verifyFunction(function(Raw), &Stream) ? text(Text) : nullptr;
}

char *pardiff_verify_module(LLVMModuleRef Raw) {
  std::string Text;
  raw_string_ostream Stream(Text);
  return verifyModule(*unwrap(Raw), &Stream) ? text(Text) : nullptr;
}

// Removes what a clone for differentiation must not claim about itself.
void pardiff_strip_claims(LLVMValueRef Raw) {
  Function &F = function(Raw);
  for (auto Kind : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
                    Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::NoReturn,
                    Attribute::OptimizeForSize, Attribute::MinSize, Attribute::Cold, Attribute::Hot,
                    Attribute::WillReturn, Attribute::NoRecurse})
    F.removeFnAttr(Kind);
  for (const char *Name :
       {"no-nans-fp-math", "no-infs-fp-math", "no-signed-zeros-fp-math", "unsafe-fp-math",
        "approx-func-fp-math", "patchable-function", "patchable-function-entry"})
    F.removeFnAttr(Name);
  F.removeRetAttrs(AttributeMask(F.getAttributes().getRetAttrs()));
  for (Argument &A : F.args()) {
    bool NoAlias = A.hasNoAliasAttr();
    // The type of a result in memory says what its members are.
    Attribute Result = F.getParamAttribute(A.getArgNo(), Attribute::StructRet);
    F.removeParamAttrs(A.getArgNo(), AttributeMask(F.getAttributes().getParamAttrs(A.getArgNo())));
    if (NoAlias)
      A.addAttr(Attribute::NoAlias);
    if (Result.isValid())
      A.addAttr(Result);
  }
}

// Removes metadata that holds for one execution of the code only, markers of lifetimes, and what a
// debugger would need to show variables.
void pardiff_strip_instructions(LLVMValueRef Raw) {
  // Scopes go with their declarations: without these they would speak of all iterations at once.
  static const unsigned Kept[] = {LLVMContext::MD_dbg, LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct,
                                  LLVMContext::MD_loop, Integer};
  keepProgressOnly(function(Raw));
  for (Instruction &I : make_early_inc_range(instructions(function(Raw)))) {
    if (I.hasMetadata(InMemory))
      setVolatile(I, false);
    I.dropUBImplyingAttrsAndUnknownMetadata(Kept);
    // Generated code has other variables than the source; its lines stay.
    I.dropDbgRecords();
    I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
    // A call of generated code may pass the address of a local where the primal's does not.
    if (auto *Any = dyn_cast<CallInst>(&I))
      Any->setTailCallKind(CallInst::TCK_None);
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    switch (Call->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::assume:
    case Intrinsic::stackrestore:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::var_annotation:
      Call->eraseFromParent();
      break;
    default:
      break;
    }
  }
}

// An instruction that is executed again keeps its meaning, not its promises: flags and metadata that make other
// operands poison or undefined, and scopes that speak of the first execution.
void pardiff_drop_claims(LLVMValueRef Raw) {
  auto *I = cast<Instruction>(unwrap(Raw));
  I->dropPoisonGeneratingFlags();
  I->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
}

// Says which accesses never go to the same memory: `Classes` gives each a class, `Apart` is a square matrix of classes.
void pardiff_separate(const LLVMValueRef *Accesses, const unsigned *Classes, size_t Count, const bool *Apart,
                      size_t ClassCount) {
  if (!Count)
    return;
  LLVMContext &Context = unwrap<Instruction>(Accesses[0])->getContext();
  MDBuilder Builder(Context);
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain("pardiff");
  SmallVector<Metadata *, 32> Scopes;
  for (size_t I = 0; I < ClassCount; ++I)
    Scopes.push_back(Builder.createAnonymousAliasScope(Domain));
  SmallVector<MDNode *, 32> Others;
  for (size_t I = 0; I < ClassCount; ++I) {
    SmallVector<Metadata *, 32> List;
    for (size_t J = 0; J < ClassCount; ++J)
      if (Apart[I * ClassCount + J])
        List.push_back(Scopes[J]);
    Others.push_back(List.empty() ? nullptr : MDNode::get(Context, List));
  }
  for (size_t I = 0; I < Count; ++I) {
    auto *Access = unwrap<Instruction>(Accesses[I]);
    Access->setMetadata(LLVMContext::MD_alias_scope, MDNode::get(Context, Scopes[Classes[I]]));
    Access->setMetadata(LLVMContext::MD_noalias, Others[Classes[I]]);
  }
}

// Lets no pass replace what a load or store accesses by values.
void pardiff_keep_in_memory(LLVMValueRef Raw) {
  auto *Access = cast<Instruction>(unwrap(Raw));
  setVolatile(*Access, true);
  Access->setMetadata(InMemory, MDNode::get(Access->getContext(), {}));
}

// Drops what metadata claims about where an instruction was.
void pardiff_drop_metadata(LLVMValueRef Raw) {
  cast<Instruction>(unwrap(Raw))->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
}

// Reports an error, at an instruction (where it has a line) or function, or in general where both are
// null. Answers whether the host took it.
int pardiff_diagnose(LLVMModuleRef ModuleRaw, LLVMValueRef FunctionRaw, LLVMValueRef At,
                     const char *Text) {
  auto *Handler =
      const_cast<DiagnosticHandler *>(unwrap(ModuleRaw)->getContext().getDiagHandlerPtr());
  if (!Handler)
    return 0;
  Handler->HasErrors = true;
  if (!FunctionRaw)
    return Handler->handleDiagnostics(GeneralError(Text));
  auto *I = At ? dyn_cast<Instruction>(unwrap(At)) : nullptr;
  DebugLoc Where = I ? I->getDebugLoc() : DebugLoc();
  return Handler->handleDiagnostics(
      DiagnosticInfoUnsupported(function(FunctionRaw), Text, Where, DS_Error));
}

// Warns at the line of an instruction, or of a function where that has none.
void pardiff_warn(LLVMValueRef FunctionRaw, LLVMValueRef At, const char *Text) {
  Function &F = function(FunctionRaw);
  DebugLoc Where = cast<Instruction>(unwrap(At))->getDebugLoc();
  F.getContext().diagnose(DiagnosticInfoUnsupported(F, Text, Where, DS_Warning));
}

// A function's name as its language spells it, without parameters and result.
char *pardiff_demangle(const char *Symbol) {
  ItaniumPartialDemangler Parts;
  if (Parts.partialDemangle(Symbol) || !Parts.isFunction())
    return text(demangle(Symbol));
  char *Context = Parts.getFunctionDeclContextName(nullptr, nullptr);
  char *Base = Parts.getFunctionBaseName(nullptr, nullptr);
  std::string Name = Context && *Context ? std::string(Context) + "::" : "";
  Name += Base ? Base : "";
  free(Context);
  free(Base);
  return text(Name);
}

// `file:line:column` of an instruction, the innermost place where it was written.
char *pardiff_location(LLVMValueRef At) {
  auto *I = dyn_cast<Instruction>(unwrap(At));
  if (!I || !I->getDebugLoc())
    return nullptr;
  const DILocation *L = I->getDebugLoc();
  return text((L->getFilename() + ":" + Twine(L->getLine()) + ":" + Twine(L->getColumn())).str());
}

// Makes an invoke of a call in a block that ends in another invoke, with the same unwind destination.
LLVMValueRef pardiff_call_to_invoke(LLVMValueRef CallRaw, LLVMValueRef LikeRaw) {
  auto *Call = cast<CallInst>(unwrap(CallRaw));
  auto *Like = cast<InvokeInst>(unwrap(LikeRaw));
  BasicBlock *Block = Call->getParent(), *Unwind = Like->getUnwindDest();
  BasicBlock *Rest = changeToInvokeAndSplitBasicBlock(Call, Unwind);
  for (PHINode &P : Unwind->phis())
    P.addIncoming(P.getIncomingValueForBlock(Rest), Block);
  return wrap(Block->getTerminator());
}

void pardiff_remove_predecessor(LLVMBasicBlockRef Block, LLVMBasicBlockRef From) {
  unwrap(Block)->removePredecessor(unwrap(From));
}
}

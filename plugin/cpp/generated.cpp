// What a generated function needs beside its body: attributes, debug locations, the runtime.

#include "shim.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace pardiff;

namespace {

DISubprogram *artificialSubprogram(Function &F, const DISubprogram *Like) {
  DIBuilder Debug(*F.getParent(), /*AllowUnresolved=*/false, Like->getUnit());
  auto *Type = Debug.createSubroutineType(Debug.getOrCreateTypeArray({}));
  auto *Made = Debug.createFunction(
      Like->getFile(), F.getName(), F.getName(), Like->getFile(), Like->getLine(), Type,
      Like->getScopeLine(), DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized);
  Debug.finalizeSubprogram(Made);
  return Made;
}

// `Location` seen as code inlined into a function at the place `Into`.
const DILocation *inlinedInto(const DILocation *Location, DILocation *Into) {
  const DILocation *Outer = Location->getInlinedAt();
  Outer = Outer ? inlinedInto(Outer, Into) : Into;
  return DILocation::get(Location->getContext(), Location->getLine(), Location->getColumn(),
                         Location->getScope(), const_cast<DILocation *>(Outer));
}

// Says of the functions behind tapes what LLVM knows of malloc and free: that a tape which nothing reads is not needed,
// and that other memory is left alone. Their state is the runtime's own.
void describeTapes(Module &M) {
  auto Describe = [&](StringRef Name, AllocFnKind Kind, ModRefInfo Argument) {
    Function *F = M.getFunction(Name);
    if (!F)
      return;
    AttrBuilder Known(M.getContext());
    Known.addAllocKindAttr(Kind).addAttribute("alloc-family", "pardiff_tape");
    Known.addAttribute(Attribute::NoUnwind);
    Known.addMemoryAttr(MemoryEffects::inaccessibleOrArgMemOnly(ModRefInfo::ModRef)
                            .getWithModRef(MemoryEffects::Location::ArgMem, Argument));
    F->addFnAttrs(Known);
    if (Kind == AllocFnKind::Free)
      F->addParamAttr(0, Attribute::AllocatedPointer);
  };
  Describe("__pardiff_tape_allocate", AllocFnKind::Alloc | AllocFnKind::Uninitialized, ModRefInfo::Ref);
  Describe("__pardiff_tape_release", AllocFnKind::Free, ModRefInfo::ModRef);
}

} // namespace

extern "C" {

// Makes a generated function agree with the primal about the target, the sanitizers and unwinding.
void pardiff_adopt_attributes(LLVMValueRef Raw, LLVMValueRef FromRaw) {
  Function &F = function(Raw), &From = function(FromRaw);
  for (auto Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress, Attribute::SanitizeMemory,
        Attribute::SanitizeThread, Attribute::SanitizeMemTag,
        Attribute::SanitizeNumericalStability, Attribute::SafeStack, Attribute::ShadowCallStack,
        Attribute::StackProtect, Attribute::StackProtectStrong, Attribute::StackProtectReq,
        Attribute::UWTable, Attribute::NoUnwind, Attribute::StrictFP, Attribute::NullPointerIsValid,
        Attribute::NoRedZone, Attribute::NoImplicitFloat})
    if (From.hasFnAttribute(Kind))
      F.addFnAttr(From.getFnAttribute(Kind));
  for (const char *Name :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
        "denormal-fp-math", "denormal-fp-math-f32", "probe-stack", "stack-probe-size",
        "no-stack-arg-probe", "use-soft-float", "prefer-vector-width", "no-trapping-math",
        "no-builtins"})
    if (From.hasFnAttribute(Name))
      F.addFnAttr(From.getFnAttribute(Name));
}

// Gives a generated function a subprogram of its own, under which the primal's lines appear as
// inlined code. LLVM demands a location on each call of a function that has debug information.
void pardiff_adopt_locations(LLVMValueRef Raw, LLVMValueRef FromRaw) {
  Function &F = function(Raw);
  const DISubprogram *Like = function(FromRaw).getSubprogram();
  if (!Like || !Like->getUnit()) {
    for (Instruction &I : instructions(F))
      I.setDebugLoc(DebugLoc());
    return;
  }
  DISubprogram *Own = artificialSubprogram(F, Like);
  F.setSubprogram(Own);
  DILocation *Place = DILocation::get(F.getContext(), 0, 0, Own);
  for (Instruction &I : instructions(F)) {
    if (const DILocation *Location = I.getDebugLoc())
      I.setDebugLoc(DebugLoc(inlinedInto(Location, Place)));
    else if (isa<CallBase>(I))
      I.setDebugLoc(DebugLoc(Place));
  }
}

// Links what the module declares of `Bitcode` into it, as internal functions. Answers null, or what
// went wrong.
char *pardiff_link_bitcode(LLVMModuleRef Raw, const char *Bitcode, size_t Size) {
  Module &M = *unwrap(Raw);
  auto Parsed = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode, Size), "pardiff runtime"), M.getContext());
  if (!Parsed)
    return text(toString(Parsed.takeError()));
  std::unique_ptr<Module> Runtime = std::move(*Parsed);
  Triple Target(M.getTargetTriple());
  if (!M.getTargetTriple().empty() &&
      Target.getArch() != Triple(Runtime->getTargetTriple()).getArch())
    return text("gradients that need memory at run time are not supported for the target '" +
                M.getTargetTriple() + "' yet");
  // Flags of the runtime would override what the program was compiled with (cf-protection, PIC).
  for (NamedMDNode &Node : make_early_inc_range(Runtime->named_metadata()))
    Runtime->eraseNamedMetadata(&Node);
  Runtime->setTargetTriple(M.getTargetTriple());
  Runtime->setDataLayout(M.getDataLayout());
  auto IsChecked = [](const Function &F) {
    return F.hasFnAttribute(Attribute::SanitizeAddress) || F.hasFnAttribute(Attribute::SanitizeMemory) ||
           F.hasFnAttribute(Attribute::SanitizeThread) || F.hasFnAttribute(Attribute::SanitizeHWAddress);
  };
  if (GlobalVariable *Checked = Runtime->getGlobalVariable("__pardiff_is_checked"); Checked && any_of(M, IsChecked))
    Checked->setInitializer(ConstantInt::get(Checked->getValueType(), 1));
  bool Failed = Linker::linkModules(
      M, std::move(Runtime), Linker::LinkOnlyNeeded,
      [](Module &Linked, const StringSet<> &Names) {
        internalizeModule(Linked, [&](const GlobalValue &Value) {
          // Weak variables are shared by the modules of a program.
          return !Value.hasName() || !Names.count(Value.getName()) || Value.hasWeakLinkage();
        });
      });
  if (Failed)
    return text("the runtime does not link into this module");
  describeTapes(M);
  return nullptr;
}
}

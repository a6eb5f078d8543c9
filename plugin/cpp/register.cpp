// Registers the pass with the host compiler and its options with the host's command line.

#include "shim.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

using namespace llvm;

// Implemented in Rust (plugin/src/llvm/plugin.rs).
extern "C" int pardiff_run(LLVMModuleRef M, void *MAM, const char *Parameters, int Stage);
extern "C" const char *pardiff_option_name(unsigned Index);
extern "C" const char *pardiff_option_help(unsigned Index);

namespace {

// Where in a compilation the pass runs; the numbers are known to Rust as `Stage`.
enum Stage { Explicit = 0, Start = 1, Link = 2 };

struct ParDiffPass : PassInfoMixin<ParDiffPass> {
  std::string Parameters;
  Stage At;
  ParDiffPass(StringRef Parameters, Stage At) : Parameters(Parameters), At(At) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    return pardiff_run(wrap(&M), &MAM, Parameters.c_str(), At) ? PreservedAnalyses::none()
                                                               : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  // What -ftime-report and -ftime-trace show.
  static StringRef name() { return "pardiff"; }
};

struct TestAtEntry : PassInfoMixin<TestAtEntry> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    return pardiff::testAtEntry(F, FAM) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// The options exist from the moment the shared object is loaded: clang parses -mllvm before it
// registers pass plugins, but after -fplugin loaded them.
struct CommandLine {
  std::vector<std::unique_ptr<cl::opt<std::string>>> Options;
  CommandLine() {
    for (unsigned I = 0; const char *Name = pardiff_option_name(I); ++I)
      Options.push_back(std::make_unique<cl::opt<std::string>>(
          StringRef(Name), cl::desc(pardiff_option_help(I)), cl::ValueOptional));
  }
};
CommandLine TheCommandLine;

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  if (!Name.consume_front("pardiff") && !Name.consume_front("enzyme"))
    return false;
  if (!Name.empty() && !(Name.consume_front("<") && Name.consume_back(">")))
    return false;
  MPM.addPass(ParDiffPass(Name, Explicit));
  return true;
}

} // namespace

extern "C" {

// The text given for option `Index` on the command line, null where it was not given.
const char *pardiff_option_text(unsigned Index) {
  auto &Option = *TheCommandLine.Options[Index];
  return Option.getNumOccurrences() ? Option.getValue().c_str() : nullptr;
}

void pardiff_register(void *Builder) {
  auto &PB = *static_cast<PassBuilder *>(Builder);
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        return parsePass(Name, MPM);
      });
  // One pass builder makes one pipeline. Where it has a start, that is where we run; the back end
  // of ThinLTO has none, and gets the pass at its first simplification.
  auto Started = std::make_shared<bool>(false);
  PB.registerPipelineStartEPCallback([Started](ModulePassManager &MPM, OptimizationLevel) {
    *Started = true;
    MPM.addPass(ParDiffPass("", Start));
  });
  PB.registerPipelineEarlySimplificationEPCallback(
      [Started](ModulePassManager &MPM, OptimizationLevel) {
        if (!*Started)
          MPM.addPass(ParDiffPass("", Link));
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(TestAtEntry()); });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(ParDiffPass("", Link)); });
}
}

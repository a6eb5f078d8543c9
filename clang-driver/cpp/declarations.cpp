// What declarations say about derivatives, where stock clang would drop it.
//
// Attributes become annotations, which the pass reads (plugin/src/registered/marks.rs):
//
//     __attribute__((pardiff_inactive))                 on functions and variables
//     __attribute__((pardiff_function_like("log1p")))   on functions
//
// and the same under Enzyme's names, with those of its attributes that only advise. Variables that register something
// (__pardiff_register_gradient_f and the like) are kept where they are static.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"

using namespace clang;

namespace {

// What an attribute may stand on.
enum class On { Functions, FunctionsAndGlobals };

void report(const Decl *D, SourceLocation At, const char *Text) {
  DiagnosticsEngine &Diagnostics = D->getASTContext().getDiagnostics();
  Diagnostics.Report(At, Diagnostics.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, Text));
}

class Attribute : public ParsedAttrInfo {
public:
  AttrHandling handleDeclAttribute(Sema &, Decl *D, const ParsedAttr &Attr) const override {
    if (!isa<FunctionDecl>(D) && !(Places == On::FunctionsAndGlobals && isGlobal(D))) {
      report(D, Attr.getLoc(),
             Places == On::Functions ? "this attribute is for functions"
                                     : "this attribute is for functions and global variables");
      return AttributeNotApplied;
    }
    std::string Text;
    if (annotation(D, Attr, Text)) {
      D->addAttr(AnnotateAttr::Create(D->getASTContext(), Text, nullptr, 0, Attr.getRange()));
    }
    return AttributeApplied;
  }

protected:
  explicit Attribute(ArrayRef<Spelling> Names, unsigned Arguments, On Places) : Places(Places) {
    NumArgs = Arguments;
    Spellings = Names;
  }

private:
  On Places;

  static bool isGlobal(const Decl *D) {
    const auto *Variable = dyn_cast<VarDecl>(D);
    return Variable && Variable->hasGlobalStorage();
  }

  // Whether there is something to tell the pass, and what.
  virtual bool annotation(const Decl *, const ParsedAttr &, std::string &) const { return false; }
};

// The spellings of an attribute: bare and in both families' namespaces.
#define SPELLINGS(NAME)                                                                                              \
  static constexpr Spelling Names[] = {                                                                             \
      {ParsedAttr::AS_GNU, "pardiff_" NAME},   {ParsedAttr::AS_CXX11, "pardiff_" NAME},                              \
      {ParsedAttr::AS_CXX11, "pardiff::" NAME}, {ParsedAttr::AS_C23, "pardiff_" NAME},                               \
      {ParsedAttr::AS_C23, "pardiff::" NAME},  {ParsedAttr::AS_GNU, "enzyme_" NAME},                                 \
      {ParsedAttr::AS_CXX11, "enzyme_" NAME},  {ParsedAttr::AS_CXX11, "enzyme::" NAME},                              \
      {ParsedAttr::AS_C23, "enzyme_" NAME},    {ParsedAttr::AS_C23, "enzyme::" NAME}}

struct Inactive : Attribute {
  SPELLINGS("inactive");
  Inactive() : Attribute(Names, 0, On::FunctionsAndGlobals) {}
  bool annotation(const Decl *, const ParsedAttr &, std::string &Text) const override {
    Text = "pardiff_inactive";
    return true;
  }
};

struct FunctionLike : Attribute {
  SPELLINGS("function_like");
  FunctionLike() : Attribute(Names, 0, On::Functions) { OptArgs = 1; }
  bool annotation(const Decl *D, const ParsedAttr &Attr, std::string &Text) const override {
    if (Attr.getNumArgs() == 0) {
      // Clang skips what stands in parentheses after [[namespace::name]] where a plugin knows the name.
      report(D, Attr.getLoc(), "this attribute takes the name of a function; a namespace before it hides the name: write "
                               "pardiff_function_like(\"name\")");
      return false;
    }
    const auto *Name =
        Attr.isArgExpr(0) ? dyn_cast<StringLiteral>(Attr.getArgAsExpr(0)->IgnoreParenCasts()) : nullptr;
    if (!Name) {
      report(D, Attr.getLoc(), "this attribute takes the name of a function as a string");
      return false;
    }
    Text = ("pardiff_function_like=" + Name->getString()).str();
    return true;
  }
};

// What these say is read off the functions themselves.
struct NoFree : Attribute {
  SPELLINGS("nofree");
  NoFree() : Attribute(Names, 0, On::FunctionsAndGlobals) {}
};
struct ShouldRecompute : Attribute {
  SPELLINGS("shouldrecompute");
  ShouldRecompute() : Attribute(Names, 0, On::FunctionsAndGlobals) {}
};

ParsedAttrInfoRegistry::Add<Inactive> X1("pardiff_inactive", "no derivative");
ParsedAttrInfoRegistry::Add<FunctionLike> X2("pardiff_function_like", "the derivative of a known function");
ParsedAttrInfoRegistry::Add<NoFree> X3("pardiff_nofree", "gives no memory back");
ParsedAttrInfoRegistry::Add<ShouldRecompute> X4("pardiff_shouldrecompute", "is to be repeated, not kept");

// Whether a variable registers something by its name.
bool isRegistration(const VarDecl *Variable) {
  if (!Variable->getIdentifier()) return false;
  StringRef Name = Variable->getName();
  for (StringRef Family : {"__pardiff_", "__enzyme_"})
    for (StringRef What : {"register_gradient", "register_derivative", "inactivefn", "inactive_global", "function_like",
                           "allocation_like", "nofree", "shouldrecompute"})
      if (Name.contains((Family + What).str())) return true;
  return false;
}

class Keeper : public ASTConsumer {
  static void keep(Decl *D) {
    if (auto *Variable = dyn_cast<VarDecl>(D)) {
      if (isRegistration(Variable) && !Variable->hasAttr<UsedAttr>())
        Variable->addAttr(UsedAttr::CreateImplicit(Variable->getASTContext()));
    } else if (isa<LinkageSpecDecl, NamespaceDecl, CXXRecordDecl>(D)) {
      for (Decl *Inner : cast<DeclContext>(D)->decls()) keep(Inner);
    }
  }

public:
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group) keep(D);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *Variable) override { keep(Variable); }
};

// Runs before clang generates code.
class KeepRegistrations : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<Keeper>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};
FrontendPluginRegistry::Add<KeepRegistrations> X5("pardiff", "keeps what is registered about derivatives");

} // namespace

//! How is each row's operation written in a program?
//!
//! A C body per row, in which `$T` stands for the type and `$s` for the suffix of the function's name (`sin$s`); with
//! `long double` and `l` it is the oracle too, unless the row says otherwise. What no C program reaches is a function
//! in LLVM IR ([`FROM_IR`]).

use pardiff::rules::{Origin, OutKind, Row, rows};

/// One parameter of the function under test.
pub struct Parameter {
    pub name: &'static str,
    /// Its C type, `$T` in it.
    pub ty: &'static str,
    /// Its place among the row's operands.
    pub operand: usize,
}

impl Parameter {
    /// Whether it is differentiated.
    pub fn active(&self) -> bool {
        self.ty == "$T"
    }
}

/// A function that contains a row's operation.
pub struct Form {
    pub row: &'static Row,
    /// Name of the function, a C identifier.
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub body: String,
    pub oracle: String,
    /// Whether its derivatives are the row's partials, so that the stated edge values hold for it.
    pub plain: bool,
}

/// An operation that cannot be reached from C.
pub struct FromIr {
    /// The row.
    pub row: &'static str,
    /// The function in LLVM IR that holds it, a C identifier.
    pub function: &'static str,
    /// Why it is not written in C.
    pub why: &'static str,
    /// The instruction. `$t` is LLVM's type, `$o` its name in the overloads of intrinsics.
    pub instruction: &'static str,
    pub oracle: &'static str,
}

/// All of them. Where a row is in no other table of this file, C has no way to it at all.
pub const FROM_IR: &[FromIr] = &[
    FromIr {
        row: "frem",
        function: "llvm_frem",
        why: "the operator % is for integers, and fmod is a call unless errno is ignored",
        instruction: "frem $t %x, %y",
        oracle: "return fmodl(x, y);",
    },
    FromIr {
        row: "arithmetic.fence",
        function: "llvm_arithmetic_fence",
        why: "clang drops __arithmetic_fence outside of -ffast-math",
        instruction: "call $t @llvm.arithmetic.fence.$o($t %x)",
        oracle: "return x;",
    },
    FromIr {
        row: "canonicalize",
        function: "llvm_canonicalize",
        why: "LLVM 19 makes no code from __builtin_canonicalize on x86; a definition here need not be compiled",
        instruction: "call $t @llvm.canonicalize.$o($t %x)",
        oracle: "return x;",
    },
    FromIr {
        row: "fmax",
        function: "llvm_maximum",
        why: "clang 19 has no builtin for llvm.maximum",
        instruction: "call $t @llvm.maximum.$o($t %x, $t %y)",
        oracle: "return fmaxl(x, y);",
    },
    FromIr {
        row: "fmin",
        function: "llvm_minimum",
        why: "clang 19 has no builtin for llvm.minimum",
        instruction: "call $t @llvm.minimum.$o($t %x, $t %y)",
        oracle: "return fminl(x, y);",
    },
];

/// Rows that are an operator, a builtin or a function with another name than the row's: the body, and the oracle if
/// it is not the same in long double. The conversions stand around an addition that LLVM cannot narrow to float, or
/// none would be left of a conversion there and back.
const SPELLED: &[(&str, &str, &str)] = &[
    ("fneg", "return -x;", ""),
    ("fadd", "return a + b;", ""),
    ("fsub", "return a - b;", ""),
    ("fmul", "return a * b;", ""),
    ("fdiv", "return a / b;", ""),
    ("fpext", "return ($T)(float)((double)x + 0.1);", "return x + 0.1;"),
    ("fptrunc", "return ($T)(float)((double)x + 0.1);", "return x + 0.1;"),
    ("powi", "return __builtin_powi$s(x, n);", ""),
    ("rsqrt", "return __nv_rsqrt$s(x);", "return 1 / sqrtl(x);"),
    ("rcbrt", "return __nv_rcbrt$s(x);", "return 1 / cbrtl(x);"),
    ("nan", "return x + nan$s(\"1\");", "return x;"),
];

/// Other ways to the same row, checked at the points and edges of the row.
const ALSO: &[(&str, &str, &str, &str)] = &[
    ("fma", "contracted", "return x * y + z;", ""),
    ("fmax", "maxnum", "return __builtin_elementwise_max(x, y);", "return fmaxl(x, y);"),
    ("fmin", "minnum", "return __builtin_elementwise_min(x, y);", "return fminl(x, y);"),
];

/// Every form of every row, in the order of the table.
pub fn all() -> Vec<Form> {
    rows().iter().flat_map(forms).collect()
}

fn forms(row: &'static Row) -> Vec<Form> {
    let form = |name: &str, body: &str, oracle: &str, plain: bool| Form {
        row,
        name: name.replace('.', "_"),
        parameters: parameters(row),
        body: body.to_owned(),
        oracle: if oracle.is_empty() { body } else { oracle }.to_owned(),
        plain,
    };
    let name = row.name;
    let mut forms = Vec::new();
    if let Some((_, body, oracle)) = SPELLED.iter().find(|s| s.0 == name) {
        forms.push(form(&format!("plain_{name}"), body, oracle, true));
    } else if row.origin == Origin::Library {
        forms.push(form(&format!("plain_{name}"), &plain(row), "", true));
        forms.extend(used(row).map(|body| form(&format!("used_{name}"), &body, "", false)));
    }
    for other in ALSO.iter().filter(|other| other.0 == name) {
        forms.push(form(&format!("{}_{name}", other.1), other.2, other.3, true));
    }
    for ir in FROM_IR.iter().filter(|ir| ir.row == name) {
        let body = format!("return {}$s({});", ir.function, row.params.join(", "));
        forms.push(form(&format!("from_{}", ir.function), &body, ir.oracle, true));
    }
    assert!(!forms.is_empty(), "{name}: how is it written?");
    forms
}

fn parameters(row: &'static Row) -> Vec<Parameter> {
    if row.name == "nan" {
        // A number beside the operation, which has none.
        return vec![Parameter { name: "x", ty: "$T", operand: 0 }];
    }
    let written = row.out.map(|out| out.operand);
    let ty = |i: usize| match row.name {
        _ if row.float_args[i] => "$T",
        "nexttoward" => "long double",
        "scalbln" => "long",
        _ => "int",
    };
    let operands = (0..row.arity).filter(|i| Some(*i) != written);
    operands.map(|operand| Parameter { name: row.params[operand], ty: ty(operand), operand }).collect()
}

/// The call of a function of the C library, and the declaration of what it writes to.
fn call(row: &Row) -> (String, String) {
    let name = match row.name.strip_suffix("_r") {
        Some(base) => format!("{base}$s_r"),
        None => format!("{}$s", row.name),
    };
    let written = row.out.map(|out| out.operand);
    let operand = |i: usize| if Some(i) == written { "&out" } else { row.params[i] };
    let operands: Vec<&str> = (0..row.arity).map(operand).collect();
    let out = match row.out.map(|out| out.kind) {
        None => "",
        Some(OutKind::Int) => "int out; ",
        Some(OutKind::Float) => "$T out; ",
    };
    (out.to_owned(), format!("{name}({})", operands.join(", ")))
}

fn plain(row: &Row) -> String {
    let (out, call) = call(row);
    format!("{out}return ($T){call};")
}

/// Functions with a result that has no derivative: it is used as a factor.
fn used(row: &Row) -> Option<String> {
    let (out, call) = call(row);
    if row.integer_result {
        return Some(format!("return x * ($T){call};"));
    }
    row.out.map(|_| format!("{out}$T r = {call}; return r * ($T)out;"))
}

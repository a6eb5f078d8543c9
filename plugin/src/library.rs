//! What do library functions do that have no derivative?
//!
//! One row per family: names, what memory a call may touch, whether it may throw. Scalar functions
//! with a derivative are rows of `rules`; what is in neither table and has no body is refused.

use crate::rules;

/// What memory a call may touch, beyond what its pointer arguments reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// None at all.
    None,
    /// It reads through its pointer arguments.
    ReadsArguments,
    /// It reads and writes through its pointer arguments, and state that the program does not see
    /// (streams, the error number).
    Arguments,
    /// Only state that the program does not see.
    Hidden,
}

/// One family of functions.
#[derive(Debug)]
pub struct Family {
    /// What the family is, for messages and the documentation.
    pub title: &'static str,
    /// Names; one that ends in `*` stands for all that start so.
    pub names: &'static [&'static str],
    /// What memory a call may touch.
    pub memory: Memory,
    /// Whether a call may throw a C++ exception.
    pub throws: bool,
}

const fn family(title: &'static str, names: &'static [&'static str], memory: Memory) -> Family {
    Family { title, names, memory, throws: false }
}

const fn throwing(title: &'static str, names: &'static [&'static str], memory: Memory) -> Family {
    Family { title, names, memory, throws: true }
}

/// Every family. None of these functions has a derivative: results are inactive.
pub static FAMILIES: &[Family] = &[
    family(
        "ends of the program",
        &[
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "__assert_fail",
            "__assert_perror_fail",
            "__assert_rtn",
            "__stack_chk_fail",
            "__chk_fail",
            "_ZSt9terminatev",
            "__clang_call_terminate",
            "__pardiff_unknown_function",
        ],
        Memory::Arguments,
    ),
    throwing(
        "throwing exceptions",
        &[
            "__cxa_throw",
            "__cxa_rethrow",
            "__cxa_bad_*",
            "_ZSt*__throw_*",
            "_ZNSt*errorC*",
            "_ZNSt*errorD*",
            "_ZNSt9exceptionD*",
        ],
        Memory::Arguments,
    ),
    family("exceptions", &["__cxa_allocate_exception"], Memory::Hidden),
    family("caught exceptions", &["__cxa_free_exception", "__cxa_begin_catch", "__cxa_end_catch"], Memory::Arguments),
    family("sanitizers", &["__ubsan_handle_*", "__asan_handle_no_return", "__sanitizer_*"], Memory::Hidden),
    family("coverage and profiling", &["llvm.instrprof.*", "__llvm_profile_*", "gcov_*"], Memory::Hidden),
    family(
        "output",
        &[
            "printf",
            "fprintf",
            "vprintf",
            "vfprintf",
            "dprintf",
            "puts",
            "fputs",
            "putchar",
            "fputc",
            "putc",
            "fflush",
            "perror",
            "fwrite",
            "__printf_chk",
            "__fprintf_chk",
            "__vprintf_chk",
            "__vfprintf_chk",
        ],
        Memory::Arguments,
    ),
    throwing(
        "output of C++ streams",
        &[
            "_ZNSo*",
            "_ZStls*",
            "_ZSt16__ostream_insert*",
            "_ZSt4endl*",
            "_ZSt5flush*",
            "_ZSt4ends*",
            "_ZNSt8ios_base*",
            "_ZNKSt8ios_base*",
            "_ZNSt9basic_ios*",
            "_ZNKSt9basic_ios*",
            "_ZNSt13basic_ostream*",
            "_ZStorSt13_Ios*",
        ],
        Memory::Arguments,
    ),
    family(
        "classification of numbers",
        &[
            "isnan",
            "isnanf",
            "isnanl",
            "isinf",
            "isinff",
            "isinfl",
            "finite",
            "finitef",
            "finitel",
            "__isnan",
            "__isnanf",
            "__isinf",
            "__isinff",
            "__finite",
            "__finitef",
            "__fpclassify",
            "__fpclassifyf",
            "__signbit",
            "__signbitf",
            "llvm.is.fpclass.*",
        ],
        Memory::None,
    ),
    family(
        "integers",
        &[
            "abs",
            "labs",
            "llabs",
            "div",
            "ldiv",
            "lldiv",
            "llvm.smax.*",
            "llvm.smin.*",
            "llvm.umax.*",
            "llvm.umin.*",
            "llvm.abs.*",
            "llvm.ctpop.*",
            "llvm.ctlz.*",
            "llvm.cttz.*",
            "llvm.bswap.*",
            "llvm.bitreverse.*",
            "llvm.fshl.*",
            "llvm.fshr.*",
            "llvm.sadd.sat.*",
            "llvm.uadd.sat.*",
            "llvm.ssub.sat.*",
            "llvm.usub.sat.*",
            "llvm.sshl.sat.*",
            "llvm.ushl.sat.*",
            "llvm.scmp.*",
            "llvm.ucmp.*",
            "llvm.sadd.with.overflow.*",
            "llvm.uadd.with.overflow.*",
            "llvm.ssub.with.overflow.*",
            "llvm.usub.with.overflow.*",
            "llvm.smul.with.overflow.*",
            "llvm.umul.with.overflow.*",
        ],
        Memory::None,
    ),
    family(
        "text",
        &["strlen", "strnlen", "strcmp", "strncmp", "memcmp", "bcmp", "strchr", "atoi", "atol"],
        Memory::ReadsArguments,
    ),
    family("time", &["time", "gettimeofday", "clock_gettime"], Memory::Arguments),
    family(
        "clock and chance",
        &["clock", "rand", "srand", "omp_get_wtime", "getenv", "__errno_location"],
        Memory::Hidden,
    ),
    family(
        "hints to the compiler",
        &[
            "llvm.dbg.*",
            "llvm.assume",
            "llvm.expect.*",
            "llvm.lifetime.*",
            "llvm.invariant.*",
            "llvm.annotation.*",
            "llvm.var.annotation.*",
            "llvm.ptr.annotation.*",
            "llvm.donothing",
            "llvm.sideeffect",
            "llvm.pseudoprobe",
            "llvm.experimental.noalias.scope.decl",
            "llvm.objectsize.*",
            "llvm.is.constant.*",
            "llvm.prefetch.*",
            "llvm.debugtrap",
            "llvm.trap",
            "llvm.ubsantrap",
            "llvm.fake.use",
        ],
        Memory::Hidden,
    ),
];

/// The family of a function, by its symbol name.
pub fn by_name(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.names.iter().any(|pattern| matches(pattern, name)))
}

/// Whether a function has a row here or in `rules`, or a body in the runtime that is differentiated in its place.
pub fn is_known(name: &str) -> bool {
    by_name(name).is_some() || rules::by_callee(name).is_some() || pardiff_runtime::has_body(name)
}

/// `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| {
            if end.is_empty() {
                return true;
            }
            (0..=rest.len()).filter(|i| rest.is_char_boundary(*i)).any(|i| matches(end, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(by_name("__ubsan_handle_add_overflow_abort").is_some());
        assert!(by_name("_ZSt17__throw_bad_allocv").is_some_and(|f| f.throws));
        assert!(by_name("_ZNSt12domain_errorC1EPKc").is_some_and(|f| f.throws));
        assert!(by_name("llvm.dbg.value").is_some());
        assert!(by_name("abortive").is_none());
    }
}

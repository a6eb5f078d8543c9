//! What do library functions do that have no derivative?
//!
//! One row per family: names, what memory a call may touch, whether it may throw. Scalar functions
//! with a derivative are rows of `rules`; what is in neither table and has no body is refused.

use crate::allocation;
use crate::rules;

/// What memory a call may touch. Pointers in a set of arguments are one bit each, from the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// None at all.
    None,
    /// It reads through its pointer arguments.
    ReadsArguments,
    /// It writes through these pointer arguments and reads through all, and has state that the program does not see
    /// (streams, seeds).
    Writes(u32),
    /// As `Writes`, unless the format, which is this argument, is not known or has a `%n`: then it writes
    /// through any.
    Prints {
        /// The argument that is the format.
        format: usize,
        /// What is written in any case.
        writes: u32,
    },
    /// Only state that the program does not see.
    Hidden,
    /// Memory of the library's own that the program has pointers to.
    Shared,
    /// Any: it runs functions of the program, follows pointers in memory, or writes later to what it is given now.
    Anything,
}

/// Every argument.
pub const ALL: u32 = u32::MAX;
/// The first argument.
pub const FIRST: u32 = 1;
/// The second argument.
pub const SECOND: u32 = 2;
/// The third argument.
pub const THIRD: u32 = 4;
/// The second argument and all after it.
pub const FROM_SECOND: u32 = !1;
/// The third argument and all after it.
pub const FROM_THIRD: u32 = !3;

impl Memory {
    /// What one call does, whose constant texts `text` tells by argument.
    pub fn for_call(self, text: impl Fn(usize) -> Option<String>) -> Memory {
        match self {
            Memory::Prints { format, writes } => {
                let counts = text(format).is_none_or(|format| stores_counts(&format));
                Memory::Writes(if counts { ALL } else { writes })
            }
            other => other,
        }
    }
}

/// Whether a format has a `%n`, which stores a number.
fn stores_counts(format: &str) -> bool {
    let mut directives = format.split('%').skip(1);
    while let Some(directive) = directives.next() {
        if directive.is_empty() {
            // `%%`: what follows is text.
            directives.next();
            continue;
        }
        let conversion = directive.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*'$hlqjztL".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
    }
    false
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

/// The function that tells where the error number is.
pub const ERROR_NUMBER: &str = "__errno_location";

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
            "__fortify_fail",
            "__clang_call_terminate",
            "__pardiff_unknown_function",
        ],
        Memory::Writes(ALL),
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
        Memory::Writes(ALL),
    ),
    family("exceptions", &["__cxa_allocate_exception"], Memory::Hidden),
    family("caught exceptions", &["__cxa_free_exception", "__cxa_begin_catch", "__cxa_end_catch"], Memory::Writes(ALL)),
    family("sanitizers", &["__ubsan_handle_*", "__asan_handle_no_return", "__sanitizer_*"], Memory::Hidden),
    family("coverage and profiling", &["llvm.instrprof.*", "__llvm_profile_*", "gcov_*"], Memory::Hidden),
    family(
        "numbers of terms",
        &["__pardiff_iter*", "__enzyme_iter*", "_Z14__pardiff_iter*", "_Z13__enzyme_iter*"],
        Memory::None,
    ),
    // What a loop is to be differentiated by, and nothing of what it does.
    family("marks of loops", &["__pardiff_checkpoint*"], Memory::None),
    // Of derived code, whose memory derivatives of it give back themselves.
    family("memory that is given back", &[allocation::DEFER, "__pardiff_release_deferred"], Memory::Writes(FIRST)),
    family("numbers without derivative", &["__pardiff_inactive_number.*"], Memory::None),
    family("formatted output", &["printf", "wprintf"], Memory::Prints { format: 0, writes: 0 }),
    family(
        "formatted output with a stream or a flag first",
        &["fprintf", "dprintf", "__printf_chk", "fwprintf"],
        Memory::Prints { format: 1, writes: 0 },
    ),
    family(
        "formatted output with a stream and a flag",
        &["__fprintf_chk", "__dprintf_chk"],
        Memory::Prints { format: 2, writes: 0 },
    ),
    family("text from a format", &["sprintf"], Memory::Prints { format: 1, writes: FIRST }),
    family("text of bounded length from a format", &["snprintf"], Memory::Prints { format: 2, writes: FIRST }),
    family("checked text from a format", &["__sprintf_chk"], Memory::Prints { format: 3, writes: FIRST }),
    family(
        "checked text of bounded length from a format",
        &["__snprintf_chk"],
        Memory::Prints { format: 4, writes: FIRST },
    ),
    family(
        "output",
        &[
            "puts",
            "fputs",
            "putchar",
            "fputc",
            "putc",
            "fflush",
            "perror",
            "fwrite",
            "write",
            "putchar_unlocked",
            "psignal",
        ],
        Memory::Writes(0),
    ),
    family(
        "files",
        &[
            "fopen", "fopen64", "fdopen", "freopen", "tmpfile", "popen", "pclose", "fclose", "fseek", "fseeko",
            "ftell", "ftello", "rewind", "feof", "ferror", "clearerr", "fileno", "ungetc", "fgetc", "getc", "getchar",
            "remove", "rename", "unlink", "open", "close", "access", "_IO_getc", "_IO_putc",
        ],
        Memory::Writes(0),
    ),
    family(
        "input to the first argument",
        &["fgets", "fread", "gets", "__fgets_chk", "__fread_chk", "fread_unlocked"],
        Memory::Writes(FIRST),
    ),
    family("input to the second argument", &["read", "__read_chk"], Memory::Writes(SECOND)),
    family("formatted input", &["scanf", "__isoc99_scanf", "__isoc23_scanf"], Memory::Writes(FROM_SECOND)),
    family(
        "formatted input from a file or text",
        &["fscanf", "sscanf", "__isoc99_fscanf", "__isoc99_sscanf", "__isoc23_fscanf", "__isoc23_sscanf"],
        Memory::Writes(FROM_THIRD),
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
        Memory::Writes(ALL),
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
            "__isnanl",
            "__isinf",
            "__isinff",
            "__isinfl",
            "__finite",
            "__finitef",
            "__finitel",
            "__fpclassify",
            "__fpclassifyf",
            "__fpclassifyl",
            "__signbit",
            "__signbitf",
            "__signbitl",
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
            "imaxabs",
            "ffs",
            "ffsl",
            "ffsll",
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
        "questions about text",
        &[
            "strlen",
            "strnlen",
            "strcmp",
            "strncmp",
            "strcasecmp",
            "strncasecmp",
            "strcoll",
            "memcmp",
            "bcmp",
            "strchr",
            "strrchr",
            "strchrnul",
            "strstr",
            "strcasestr",
            "strpbrk",
            "strspn",
            "strcspn",
            "memchr",
            "memrchr",
            "rawmemchr",
            "memmem",
            "atoi",
            "atol",
            "atoll",
            "atof",
        ],
        Memory::ReadsArguments,
    ),
    family(
        "copies of text",
        &[
            "strcpy",
            "strncpy",
            "strcat",
            "strncat",
            "stpcpy",
            "stpncpy",
            "strlcpy",
            "strlcat",
            "strxfrm",
            "memccpy",
            "strfromd",
            "strfromf",
            "__strcpy_chk",
            "__strncpy_chk",
            "__strcat_chk",
            "__strncat_chk",
            "__stpcpy_chk",
            "__stpncpy_chk",
            "__strlcpy_chk",
            "__strlcat_chk",
        ],
        Memory::Writes(FIRST),
    ),
    family("copies of text in memory of their own", &["strdup", "strndup", "__strdup", "__strndup"], Memory::Writes(0)),
    family(
        "numbers from text",
        &[
            "strtol",
            "strtoll",
            "strtoul",
            "strtoull",
            "strtod",
            "strtof",
            "strtold",
            "strtoimax",
            "strtoumax",
            "__isoc23_strtol",
            "__isoc23_strtoll",
            "__isoc23_strtoul",
            "__isoc23_strtoull",
            "__strtod_internal",
        ],
        Memory::Writes(SECOND),
    ),
    family(
        "characters",
        &[
            "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
            "ispunct", "isspace", "isupper", "isxdigit", "toascii", "tolower", "toupper",
        ],
        Memory::None,
    ),
    family("sizes of allocated memory", &["malloc_usable_size"], Memory::Hidden),
    family("times", &["difftime"], Memory::None),
    family("the time", &["time", "mktime", "timegm", "timespec_get", "strftime"], Memory::Writes(FIRST)),
    family(
        "the time in the second argument",
        &["clock_gettime", "clock_getres", "gmtime_r", "localtime_r", "nanosleep"],
        Memory::Writes(SECOND),
    ),
    family("the time and its zone", &["gettimeofday"], Memory::Writes(FIRST | SECOND)),
    family(
        "random numbers with a state of the program",
        &["rand_r", "erand48", "nrand48", "jrand48"],
        Memory::Writes(FIRST),
    ),
    family(
        "clock and chance",
        &[
            "clock",
            "sleep",
            "usleep",
            "rand",
            "srand",
            "random",
            "srandom",
            "drand48",
            "lrand48",
            "mrand48",
            "srand48",
            "omp_get_*",
            "omp_set_num_threads",
            "omp_set_dynamic",
            "omp_set_nested",
            "omp_set_schedule",
            "omp_set_max_active_levels",
            "omp_in_*",
            "omp_is_*",
            "getpid",
            "isatty",
            "__ctype_b_loc",
            "__ctype_tolower_loc",
            "__ctype_toupper_loc",
            "__ctype_get_mb_cur_max",
        ],
        Memory::Hidden,
    ),
    family(
        "memory of the library",
        &[
            ERROR_NUMBER,
            "getenv",
            "secure_getenv",
            "setenv",
            "unsetenv",
            "putenv",
            "strerror",
            "strsignal",
            "asctime",
            "ctime",
            "gmtime",
            "localtime",
            "setlocale",
            "tmpnam",
            "system",
        ],
        Memory::Shared,
    ),
    family(
        "what calls back, remembers its argument, or follows pointers in memory",
        &[
            "vprintf",
            "vfprintf",
            "vsprintf",
            "vsnprintf",
            "vdprintf",
            "__vprintf_chk",
            "__vfprintf_chk",
            "__vsprintf_chk",
            "__vsnprintf_chk",
            "getline",
            "getdelim",
            "qsort",
            "qsort_r",
            "bsearch",
            "atexit",
            "on_exit",
            "signal",
            "strtok",
            "strtok_r",
            "__strtok_r",
            "strsep",
            "setbuf",
            "setvbuf",
        ],
        Memory::Anything,
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
    by_name(name).is_some()
        || rules::by_callee(name).is_some()
        || allocation::by_name(name).is_some()
        || pardiff_runtime::has_body(pardiff_runtime::BODY, name)
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

    #[test]
    fn formats() {
        let memory =
            |name: &str, format: &str| by_name(name).expect(name).memory.for_call(|_| Some(format.to_string()));
        assert_eq!(memory("printf", "%5.2f%% of %-3d"), Memory::Writes(0));
        assert_eq!(memory("printf", "%d%lln"), Memory::Writes(ALL));
        assert_eq!(memory("printf", "%%n and %%%d"), Memory::Writes(0));
        assert_eq!(memory("printf", "%%%n"), Memory::Writes(ALL));
        assert_eq!(memory("snprintf", "%g"), Memory::Writes(FIRST));
        assert_eq!(by_name("sprintf").expect("known").memory.for_call(|_| None), Memory::Writes(ALL));
    }

    #[test]
    fn each_function_is_in_one_family() {
        for (i, family) in FAMILIES.iter().enumerate() {
            for name in family.names.iter().filter(|name| !name.contains('*')) {
                let first = FAMILIES.iter().position(|f| f.names.iter().any(|pattern| matches(pattern, name)));
                assert_eq!(first, Some(i), "{name}");
                assert!(rules::by_callee(name).is_none(), "{name} has a row");
            }
        }
    }
}

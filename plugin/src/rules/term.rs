//! How is a partial derivative written down?
//!
//! As a small expression tree over the operands and the result of one
//! operation. The one text `1.0 - r * r` is read as LLVM instructions (by the
//! emitter), as a number ([`Term::eval`]), as the set of values the reverse
//! sweep must keep ([`Term::needs`]), as a printed formula
//! ([`Term::formula`]) and as a price ([`Term::cost`]).
//!
//! Operand places have a type. All places are floating point, save the
//! exponent of [`Func::Powi`], [`Func::Ldexp`] and [`Func::Scalbln`] and the
//! order of [`Func::Jn`] and [`Func::Yn`] ([`Func::int_arg`]): the term there is computed in the operand's integer
//! type. An integer operand met at a floating-point place is converted.
//!
//! `Select` becomes an LLVM `select`: both arms are computed, and the arm that
//! is not chosen may be infinite or NaN, so no instruction of a partial may
//! carry `nnan` or `ninf`.
//!
//! Cost: trees have at most some twenty nodes and are built once.

use std::f64::consts as k;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

pub use super::func::Func;

/// A comparison of two floating-point numbers, for [`Term::Select`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cmp {
    /// Ordered and less.
    Lt,
    /// Ordered and less or equal.
    Le,
    /// Ordered and greater.
    Gt,
    /// Ordered and greater or equal.
    Ge,
    /// Ordered and equal.
    Eq,
    /// Unordered or not equal: `x Ne x` asks whether x is NaN.
    Ne,
}

impl Cmp {
    /// The predicate of the `fcmp` instruction.
    pub fn predicate(self) -> &'static str {
        match self {
            Cmp::Lt => "olt",
            Cmp::Le => "ole",
            Cmp::Gt => "ogt",
            Cmp::Ge => "oge",
            Cmp::Eq => "oeq",
            Cmp::Ne => "une",
        }
    }

    /// The sign used in printed formulas.
    pub fn sign(self) -> &'static str {
        match self {
            Cmp::Lt => "<",
            Cmp::Le => "<=",
            Cmp::Gt => ">",
            Cmp::Ge => ">=",
            Cmp::Eq => "==",
            Cmp::Ne => "!=",
        }
    }

    /// The comparison of two numbers.
    pub fn holds(self, lhs: f64, rhs: f64) -> bool {
        match self {
            Cmp::Lt => lhs < rhs,
            Cmp::Le => lhs <= rhs,
            Cmp::Gt => lhs > rhs,
            Cmp::Ge => lhs >= rhs,
            Cmp::Eq => lhs == rhs,
            Cmp::Ne => lhs != rhs,
        }
    }
}

/// An expression over the operands and the result of one operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// The operand with this index.
    Arg(usize),
    /// The result of the operation.
    Result,
    /// A constant, rounded to the operation's type when emitted.
    Num(f64),
    /// -a
    Neg(Arc<Term>),
    /// a + b
    Add(Arc<Term>, Arc<Term>),
    /// a - b
    Sub(Arc<Term>, Arc<Term>),
    /// a * b
    Mul(Arc<Term>, Arc<Term>),
    /// a / b
    Div(Arc<Term>, Arc<Term>),
    /// A function of the mathematical library.
    Call(Func, Vec<Term>),
    /// `(lhs cmp rhs) ? then : other`, in this order.
    Select(Cmp, Arc<Term>, Arc<Term>, Arc<Term>, Arc<Term>),
}

/// The values that a term reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Needs {
    /// Bit i is set when operand i is read.
    pub args: u32,
    /// Whether the result is read.
    pub result: bool,
}

impl Needs {
    /// Whether operand `index` is read.
    pub fn arg(self, index: usize) -> bool {
        self.args >> index & 1 == 1
    }

    /// What either of two terms reads.
    pub fn union(self, other: Needs) -> Needs {
        Needs { args: self.args | other.args, result: self.result | other.result }
    }

    /// Whether nothing is read.
    pub fn is_empty(self) -> bool {
        self == Needs::default()
    }
}

impl Term {
    /// The term `(lhs cmp rhs) ? then : other`.
    pub fn select(
        lhs: impl Into<Term>,
        cmp: Cmp,
        rhs: impl Into<Term>,
        then: impl Into<Term>,
        other: impl Into<Term>,
    ) -> Term {
        let node = |t: Term| Arc::new(t);
        Term::Select(cmp, node(lhs.into()), node(rhs.into()), node(then.into()), node(other.into()))
    }

    /// The direct subterms, from left to right.
    pub fn children(&self) -> Vec<&Term> {
        match self {
            Term::Arg(_) | Term::Result | Term::Num(_) => vec![],
            Term::Neg(a) => vec![a],
            Term::Add(a, b) | Term::Sub(a, b) | Term::Mul(a, b) | Term::Div(a, b) => vec![a, b],
            Term::Call(_, args) => args.iter().collect(),
            Term::Select(_, a, b, c, d) => vec![a, b, c, d],
        }
    }

    /// Which operands are read, and whether the result is.
    pub fn needs(&self) -> Needs {
        match self {
            Term::Arg(i) => Needs { args: 1 << i, result: false },
            Term::Result => Needs { args: 0, result: true },
            _ => self.children().into_iter().fold(Needs::default(), |n, t| n.union(t.needs())),
        }
    }

    /// The term's value in double precision. Integer operands are given as
    /// the floating-point number of the same value.
    pub fn eval(&self, args: &[f64], result: f64) -> f64 {
        let v = |t: &Term| t.eval(args, result);
        match self {
            Term::Arg(i) => args[*i],
            Term::Result => result,
            Term::Num(c) => *c,
            Term::Neg(a) => -v(a),
            Term::Add(a, b) => v(a) + v(b),
            Term::Sub(a, b) => v(a) - v(b),
            Term::Mul(a, b) => v(a) * v(b),
            Term::Div(a, b) => v(a) / v(b),
            Term::Call(f, operands) => {
                let values: Vec<f64> = operands.iter().map(v).collect();
                f.eval(&values)
            }
            Term::Select(cmp, a, b, then, other) => v(if cmp.holds(v(a), v(b)) { then } else { other }),
        }
    }

    /// The value of a term that is a constant as it stands.
    pub fn as_const(&self) -> Option<f64> {
        match self {
            Term::Num(c) => Some(*c),
            _ => None,
        }
    }

    /// Whether the term is the constant 0: no derivative flows.
    pub fn is_zero(&self) -> bool {
        self.as_const() == Some(0.0)
    }

    /// Whether the term is the constant 1: the adjoint is passed on as it is.
    pub fn is_one(&self) -> bool {
        self.as_const() == Some(1.0)
    }

    /// A price in about the unit of one multiplication's time on a current
    /// CPU; shared subterms are counted each time.
    pub fn cost(&self) -> u32 {
        let own = match self {
            Term::Arg(_) | Term::Result | Term::Num(_) => 0,
            Term::Neg(_) | Term::Add(..) | Term::Sub(..) | Term::Mul(..) => 1,
            Term::Div(..) => 4,
            Term::Call(f, _) => f.cost(),
            Term::Select(..) => 2,
        };
        own + self.children().into_iter().map(Term::cost).sum::<u32>()
    }

    /// The formula as text, with `r` for the result and the given names for
    /// the operands; parentheses only where the reading needs them.
    pub fn formula(&self, arg_names: &[&str]) -> String {
        self.print(arg_names, 0)
    }

    /// Prints at a place that binds with strength `outer` (0 none, 1 sum,
    /// 2 product, 3 unary minus or right factor).
    fn print(&self, names: &[&str], outer: u8) -> String {
        let at = |t: &Term, strength: u8| t.print(names, strength);
        let (text, strength) = match self {
            Term::Arg(i) => (names[*i].to_string(), 4),
            Term::Result => ("r".to_string(), 4),
            Term::Num(c) => (number(*c), if *c < 0.0 { 2 } else { 4 }),
            Term::Neg(a) => (format!("-{}", at(a, 3)), 1),
            Term::Add(a, b) => (format!("{} + {}", at(a, 1), at(b, 2)), 1),
            Term::Sub(a, b) => (format!("{} - {}", at(a, 1), at(b, 2)), 1),
            Term::Mul(a, b) => (format!("{}*{}", at(a, 2), at(b, 3)), 2),
            Term::Div(a, b) => (format!("{}/{}", at(a, 2), at(b, 3)), 2),
            Term::Call(f, args) => {
                let list: Vec<String> = args.iter().map(|t| at(t, 0)).collect();
                (format!("{}({})", f.printed(), list.join(", ")), 4)
            }
            Term::Select(cmp, a, b, then, other) => {
                let test = format!("{} {} {}", at(a, 1), cmp.sign(), at(b, 1));
                (format!("{test} ? {} : {}", at(then, 1), at(other, 0)), 0)
            }
        };
        if strength < outer { format!("({text})") } else { text }
    }
}

/// Constants that have a name: value, digits enough for every format, name.
const NAMED: [(f64, &str, &str); 6] = [
    (k::LN_2, "0.693147180559945309417232121458176568", "ln 2"),
    (k::LN_10, "2.30258509299404568401799145468436421", "ln 10"),
    (k::LOG2_E, "1.44269504088896340735992468100189214", "log2 e"),
    (k::LOG10_E, "0.434294481903251827651128918916605082", "log10 e"),
    (k::FRAC_2_SQRT_PI, "1.12837916709551257389615890312154517", "2/sqrt(pi)"),
    (-k::FRAC_2_SQRT_PI, "-1.12837916709551257389615890312154517", "2/sqrt(pi)"),
];

/// The digits of a constant that double precision does not hold exactly.
pub fn digits(c: f64) -> Option<&'static str> {
    NAMED.iter().find(|(value, ..)| *value == c).map(|(_, digits, _)| *digits)
}

/// A constant as the tables print it: by its usual name when it has one.
fn number(c: f64) -> String {
    match NAMED.iter().find(|(value, ..)| *value == c.abs()) {
        Some((.., name)) if c < 0.0 => format!("-({name})"),
        Some((.., name)) => format!("({name})"),
        None => format!("{c}"),
    }
}

impl From<f64> for Term {
    fn from(c: f64) -> Term {
        Term::Num(c)
    }
}

impl From<&Term> for Term {
    fn from(t: &Term) -> Term {
        t.clone()
    }
}

macro_rules! binary {
    ($($trait:ident $method:ident: $($lhs:ty, $rhs:ty);+)*) => { $($(
        impl $trait<$rhs> for $lhs {
            type Output = Term;
            fn $method(self, rhs: $rhs) -> Term {
                Term::$trait(Arc::new(Term::from(self)), Arc::new(Term::from(rhs)))
            }
        }
    )+)* };
}

macro_rules! binaries {
    ($($trait:ident $method:ident),*) => { $( binary! { $trait $method:
        Term, Term; Term, &Term; &Term, Term; &Term, &Term;
        Term, f64; &Term, f64; f64, Term; f64, &Term } )* };
}

binaries!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Term {
    type Output = Term;
    fn neg(self) -> Term {
        Term::Neg(Arc::new(self))
    }
}

impl Neg for &Term {
    type Output = Term;
    fn neg(self) -> Term {
        Term::Neg(Arc::new(self.clone()))
    }
}

//! Which functions do derivative formulas call, and what are they called?
//!
//! One table: the C library's name, the LLVM intrinsic where LLVM 19 has one
//! (overloaded on the type: `.f64`, `.f32`, `.v4f64`), a price, and the value
//! in double precision. `Powi`, `Ldexp` and `Scalbln` take an integer second
//! operand, `Jn` and `Yn` an integer first one; `llvm.powi` and `llvm.ldexp` are overloaded on its type too.

use super::digamma::digamma as digamma_value;
use super::names::Precision;
use super::term::Term;

/// A function that a partial may call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Func {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// e to the power x.
    Exp,
    /// Natural logarithm.
    Log,
    /// Square root.
    Sqrt,
    /// x to the power y.
    Pow,
    /// x to the integer power n.
    Powi,
    /// Absolute value.
    Fabs,
    /// The first operand's magnitude with the second's sign.
    Copysign,
    /// sqrt(x*x + y*y) without overflow.
    Hypot,
    /// x times 2 to the power n, n of type int.
    Ldexp,
    /// x times 2 to the power n, n of type long.
    Scalbln,
    /// The logarithmic derivative of the gamma function.
    Digamma,
    /// Bessel function of the first kind, of order 0.
    J0,
    /// The same of order 1.
    J1,
    /// The same of an order of type int, which is the first operand.
    Jn,
    /// Bessel function of the second kind, of order 0.
    Y0,
    /// The same of order 1.
    Y1,
    /// The same of an order of type int, which is the first operand.
    Yn,
}

impl Func {
    /// Every function, in the order of declaration.
    pub const ALL: [Func; 21] = [
        Func::Sin,
        Func::Cos,
        Func::Sinh,
        Func::Cosh,
        Func::Exp,
        Func::Log,
        Func::Sqrt,
        Func::Pow,
        Func::Powi,
        Func::Fabs,
        Func::Copysign,
        Func::Hypot,
        Func::Ldexp,
        Func::Scalbln,
        Func::Digamma,
        Func::J0,
        Func::J1,
        Func::Jn,
        Func::Y0,
        Func::Y1,
        Func::Yn,
    ];

    /// Name in the C library (or in ParDiff's runtime) of the double version,
    /// intrinsic without its type suffix, price in multiplications.
    /// `powi` is no C function: only its intrinsic can be called.
    fn facts(self) -> (&'static str, Option<&'static str>, u32) {
        match self {
            Func::Sin => ("sin", Some("llvm.sin"), 20),
            Func::Cos => ("cos", Some("llvm.cos"), 20),
            Func::Sinh => ("sinh", Some("llvm.sinh"), 25),
            Func::Cosh => ("cosh", Some("llvm.cosh"), 25),
            Func::Exp => ("exp", Some("llvm.exp"), 15),
            Func::Log => ("log", Some("llvm.log"), 15),
            Func::Sqrt => ("sqrt", Some("llvm.sqrt"), 5),
            Func::Pow => ("pow", Some("llvm.pow"), 40),
            Func::Powi => ("powi", Some("llvm.powi"), 15),
            Func::Fabs => ("fabs", Some("llvm.fabs"), 1),
            Func::Copysign => ("copysign", Some("llvm.copysign"), 1),
            Func::Hypot => ("hypot", None, 15),
            Func::Ldexp => ("ldexp", Some("llvm.ldexp"), 8),
            Func::Scalbln => ("scalbln", None, 8),
            Func::Digamma => ("__pardiff_digamma", None, 60),
            Func::J0 => ("j0", None, 50),
            Func::J1 => ("j1", None, 50),
            Func::Jn => ("jn", None, 150),
            Func::Y0 => ("y0", None, 50),
            Func::Y1 => ("y1", None, 50),
            Func::Yn => ("yn", None, 150),
        }
    }

    /// Name of the double-precision library function; the others have an `f`
    /// or `l` appended (see [`Func::symbol`]).
    pub fn base(self) -> &'static str {
        self.facts().0
    }

    /// Name of the library function in single, double or extended precision.
    pub fn symbol(self, precision: Precision) -> String {
        let suffix = match precision {
            Precision::Single => "f",
            Precision::Extended => "l",
            _ => "",
        };
        format!("{}{suffix}", self.base())
    }

    /// The LLVM intrinsic without its type suffix, where LLVM 19 has one.
    pub fn intrinsic(self) -> Option<&'static str> {
        self.facts().1
    }

    /// Price in multiplications, the operands not included.
    pub fn cost(self) -> u32 {
        self.facts().2
    }

    /// How many operands the function has.
    pub fn arity(self) -> usize {
        match self {
            Func::Pow | Func::Powi | Func::Copysign | Func::Hypot | Func::Ldexp | Func::Scalbln => 2,
            Func::Jn | Func::Yn => 2,
            _ => 1,
        }
    }

    /// The operand that is an integer, if there is one.
    pub fn int_arg(self) -> Option<usize> {
        match self {
            Func::Powi | Func::Ldexp | Func::Scalbln => Some(1),
            Func::Jn | Func::Yn => Some(0),
            _ => None,
        }
    }

    /// The name in printed formulas.
    pub fn printed(self) -> &'static str {
        match self {
            Func::Digamma => "digamma",
            _ => self.base(),
        }
    }

    /// The value in double precision; `args` holds [`Func::arity`] numbers.
    pub fn eval(self, args: &[f64]) -> f64 {
        let x = args[0];
        match self {
            Func::Sin => x.sin(),
            Func::Cos => x.cos(),
            Func::Sinh => x.sinh(),
            Func::Cosh => x.cosh(),
            Func::Exp => x.exp(),
            Func::Log => x.ln(),
            Func::Sqrt => x.sqrt(),
            Func::Pow => x.powf(args[1]),
            Func::Powi => x.powi(args[1] as i32),
            Func::Fabs => x.abs(),
            Func::Copysign => x.copysign(args[1]),
            Func::Hypot => x.hypot(args[1]),
            Func::Ldexp | Func::Scalbln => scale(x, args[1]),
            Func::Digamma => digamma_value(x),
            Func::J0 => libm::j0(x),
            Func::J1 => libm::j1(x),
            Func::Jn => libm::jn(x as i32, args[1]),
            Func::Y0 => libm::y0(x),
            Func::Y1 => libm::y1(x),
            Func::Yn => libm::yn(x as i32, args[1]),
        }
    }
}

/// x times 2 to the power n (an integer) in four factors, none of which
/// overflows before the product does.
fn scale(x: f64, n: f64) -> f64 {
    let n = n.clamp(-4000.0, 4000.0) as i32;
    let part = n / 4;
    let factor = 2f64.powi(part);
    x * factor * factor * factor * 2f64.powi(n - 3 * part)
}

macro_rules! calls {
    ($($name:ident($($arg:ident),*) = $func:ident;)*) => { $(
        #[doc = concat!("The term `", stringify!($name), "` of its operands.")]
        pub(super) fn $name($($arg: impl Into<Term>),*) -> Term {
            Term::Call(Func::$func, vec![$($arg.into()),*])
        }
    )* };
}

calls! {
    sin(x) = Sin;
    cos(x) = Cos;
    sinh(x) = Sinh;
    cosh(x) = Cosh;
    exp(x) = Exp;
    log(x) = Log;
    sqrt(x) = Sqrt;
    pow(x, y) = Pow;
    powi(x, n) = Powi;
    fabs(x) = Fabs;
    copysign(x, y) = Copysign;
    hypot(x, y) = Hypot;
    ldexp(x, n) = Ldexp;
    scalbln(x, n) = Scalbln;
    digamma(x) = Digamma;
    j0(x) = J0;
    j1(x) = J1;
    jn(n, x) = Jn;
    y0(x) = Y0;
    y1(x) = Y1;
    yn(n, x) = Yn;
}

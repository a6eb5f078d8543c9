//! The program that evaluates all forms: what is compiled with the plugin, and what is not.
//!
//! `rows.c` holds the functions and the requests, in double, float and long double, and is compiled with the plugin after
//! `rows.bc`, the functions in LLVM IR, has been linked into it. `oracle.c` is compiled without the plugin and holds
//! the same functions in long double, their central differences and `main`, which prints one [`Sample`] a line.

use super::data;
use super::forms::{FROM_IR, Form};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The direction of the forward derivative along all operands at once; numbers that float has.
pub const DIRECTION: [f64; 3] = [0.75, -1.125, 0.375];

/// A precision of the C functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precision {
    Double,
    Float,
    /// `long double`, where it is the x87 format.
    Extended,
}

impl Precision {
    pub const ALL: [Precision; 3] = [Precision::Double, Precision::Float, Precision::Extended];

    fn c_type(self) -> &'static str {
        ["double", "float", "extended"][self as usize]
    }

    fn ir_type(self) -> &'static str {
        ["double", "float", "x86_fp80"][self as usize]
    }

    fn suffix(self) -> &'static str {
        ["", "f", "l"][self as usize]
    }

    fn bits(self) -> &'static str {
        ["f64", "f32", "f80"][self as usize]
    }
}

/// What the program prints for a function at a point: one number per differentiated operand and a last one.
#[derive(Default, Debug)]
pub struct Sample {
    /// Reverse mode's gradient.
    pub reverse: Vec<f64>,
    /// Forward mode along each operand, the others held fixed.
    pub forward: Vec<f64>,
    /// Central differences.
    pub differences: Vec<f64>,
    /// Forward mode along [`DIRECTION`].
    pub along: f64,
}

/// Samples by form, precision and point (see [`points_of`]).
pub type Samples = BTreeMap<(usize, Precision, usize), Sample>;

/// Operands of the row at a point.
pub type Point = &'static [f64];

/// What is known of the derivatives at a point.
pub enum Expected {
    /// The differences.
    Differences,
    /// These partials, exactly.
    Exactly(&'static [f64]),
    /// These partials, in double, to so many units of 2^-52 relative.
    InDouble(&'static [f64], f64),
}

/// Points inside the domain, and then, if the form's derivatives are the row's partials, those where they are stated.
pub fn points_of(form: &Form) -> Vec<(Point, Expected)> {
    let row = form.row.name;
    let mut points: Vec<_> = data::points(row).iter().map(|point| (*point, Expected::Differences)).collect();
    if form.plain {
        let edges = data::edges().filter(|edge| edge.0 == row);
        points.extend(edges.map(|(_, point, partials)| (*point, Expected::Exactly(partials))));
        let extremes = data::EXTREMES.iter().filter(|extreme| extreme.0 == row);
        points.extend(extremes.map(|(_, point, units, partials)| (*point, Expected::InDouble(partials, *units))));
    }
    points
}

const ROWS_START: &str = "\
#define _GNU_SOURCE
#include <math.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
typedef long double extended;
struct extended2 { extended d[2]; };
struct extended3 { extended d[3]; };
extended __enzyme_autodiff_extended1(void *, ...);
struct extended2 __enzyme_autodiff_extended2(void *, ...);
struct extended3 __enzyme_autodiff_extended3(void *, ...);
extended __enzyme_fwddiff_extended(void *, ...);
struct double2 { double d[2]; };
struct double3 { double d[3]; };
struct float2 { float d[2]; };
struct float3 { float d[3]; };
double __enzyme_autodiff_double1(void *, ...);
float __enzyme_autodiff_float1(void *, ...);
struct double2 __enzyme_autodiff_double2(void *, ...);
struct float2 __enzyme_autodiff_float2(void *, ...);
struct double3 __enzyme_autodiff_double3(void *, ...);
struct float3 __enzyme_autodiff_float3(void *, ...);
double __enzyme_fwddiff_double(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
double __nv_rsqrt(double), __nv_rcbrt(double);
float __nv_rsqrtf(float), __nv_rcbrtf(float);
extended __nv_rsqrtl(extended), __nv_rcbrtl(extended);
";

/// `rows.c`.
pub fn rows(forms: &[Form]) -> String {
    let mut text = ROWS_START.to_owned();
    for ir in FROM_IR {
        for precision in Precision::ALL {
            text += &format!("{};\n", declaration(ir.function, form_of(ir.row, forms), precision));
        }
    }
    for form in forms {
        for precision in Precision::ALL {
            text += &under_test(form, precision);
        }
    }
    text
}

fn spell(template: &str, ty: &str, suffix: &str) -> String {
    template.replace("$T", ty).replace("$s", suffix)
}

fn declaration(name: &str, form: &Form, precision: Precision) -> String {
    let (ty, suffix) = (precision.c_type(), precision.suffix());
    let parameters: Vec<String> =
        form.parameters.iter().map(|p| format!("{} {}", p.ty.replace("$T", ty), p.name)).collect();
    format!("{ty} {name}{suffix}({})", parameters.join(", "))
}

/// One function, and one that writes its derivatives to `out`.
fn under_test(form: &Form, precision: Precision) -> String {
    let (ty, suffix) = (precision.c_type(), precision.suffix());
    let name = format!("{}{suffix}", form.name);
    let body = spell(&form.body, ty, suffix);
    let mut text = format!("static {} {{ {body} }}\n", declaration(&form.name, form, precision));
    let _ = writeln!(text, "void derive_{name}(const double *point, double *out) {{");
    for p in &form.parameters {
        let own = p.ty.replace("$T", ty);
        let _ = writeln!(text, "  {own} {} = ({own})point[{}];", p.name, p.operand);
    }
    let active: Vec<usize> = (0..form.parameters.len()).filter(|&i| form.parameters[i].active()).collect();
    let reverse = arguments(form, |_| "enzyme_out".into(), |_| String::new());
    match active.len() {
        1 => {
            let _ = writeln!(text, "  *out++ = __enzyme_autodiff_{ty}1((void *){name}{reverse});");
        }
        n => {
            let _ = writeln!(text, "  struct {ty}{n} g = __enzyme_autodiff_{ty}{n}((void *){name}{reverse});");
            let _ = writeln!(text, "  for (int i = 0; i < {n}; i++) *out++ = g.d[i];");
        }
    }
    for &one in &active {
        let marker = |i| if i == one { "enzyme_dup".into() } else { "enzyme_const".into() };
        let tangent = |i| if i == one { format!(", ({ty})1") } else { String::new() };
        let forward = arguments(form, marker, tangent);
        let _ = writeln!(text, "  *out++ = __enzyme_fwddiff_{ty}((void *){name}{forward});");
    }
    let place = |i| active.iter().position(|&a| a == i).unwrap_or_default();
    let along = arguments(form, |_| "enzyme_dup".into(), |i| format!(", ({ty}){}", DIRECTION[place(i)]));
    let _ = writeln!(text, "  *out++ = __enzyme_fwddiff_{ty}((void *){name}{along});\n}}");
    text
}

/// The operands of a request: a marker and what follows it for differentiated ones.
fn arguments(form: &Form, marker: impl Fn(usize) -> String, tangent: impl Fn(usize) -> String) -> String {
    let argument = |(i, p): (usize, &super::forms::Parameter)| match p.active() {
        true => format!(", {}, {}{}", marker(i), p.name, tangent(i)),
        false => format!(", enzyme_const, {}", p.name),
    };
    form.parameters.iter().enumerate().map(argument).collect()
}

/// `rows.ll`: the functions that C cannot express. LLVM 19 makes no code from `canonicalize`, and from some of the
/// others not in long double: what is linked is the oracle's.
pub fn ir(forms: &[Form]) -> String {
    let mut text = String::new();
    for ir in FROM_IR {
        let form = form_of(ir.row, forms);
        let _ = writeln!(text, "; {}: {}", ir.row, ir.why);
        for precision in Precision::ALL {
            let elsewhere = ir.row == "canonicalize" || precision == Precision::Extended;
            let linkage = if elsewhere { "available_externally" } else { "linkonce_odr" };
            let (ty, suffix) = (precision.ir_type(), precision.suffix());
            let typed = |sign: &str| {
                let names = form.parameters.iter().map(|p| format!("{ty} {sign}{}", p.name));
                names.collect::<Vec<_>>().join(", ")
            };
            let instruction = ir.instruction.replace("$t", ty).replace("$o", precision.bits());
            let function = format!("{ty} @{}{suffix}({})", ir.function, typed("%"));
            let _ = writeln!(text, "define {linkage} {function} {{\n  %r = {instruction}\n  ret {ty} %r\n}}");
            if let Some((callee, _)) = instruction.split_once('@').and_then(|(_, call)| call.split_once('(')) {
                let _ = writeln!(text, "declare {ty} @{callee}({})", typed("%"));
            }
        }
    }
    text
}

fn form_of<'a>(row: &str, forms: &'a [Form]) -> &'a Form {
    forms.iter().find(|form| form.row.name == row).expect("each row has a form")
}

const ORACLE_START: &str = "\
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
double __nv_rsqrt(double x) { return 1 / sqrt(x); }
float __nv_rsqrtf(float x) { return 1 / sqrtf(x); }
double __nv_rcbrt(double x) { return 1 / cbrt(x); }
float __nv_rcbrtf(float x) { return 1 / cbrtf(x); }
long double __nv_rsqrtl(long double x) { return 1 / sqrtl(x); }
long double __nv_rcbrtl(long double x) { return 1 / cbrtl(x); }
double llvm_canonicalize(double x) { return x; }
float llvm_canonicalizef(float x) { return x; }
typedef long double real;

// Ridders' method: differences at shrinking steps, extrapolated to step 0; of all, the one of least estimated error.
static real difference(real (*f)(const real *), const double *point, int operand) {
  enum { LEVELS = 12 };
  const real shrink = 1.6L;
  real x[3] = {point[0], point[1], point[2]}, at = x[operand], table[LEVELS][LEVELS];
  real step = at == 0 ? 0.05L : 0.05L * fabsl(at), best = NAN, least = INFINITY;
  for (int i = 0; i < LEVELS; i++, step /= shrink) {
    real up = at + step, down = at - step, factor = shrink * shrink;
    x[operand] = up;
    real above = f(x);
    x[operand] = down;
    table[i][0] = (above - f(x)) / (up - down);
    for (int j = 1; j <= i; j++, factor *= shrink * shrink) {
      table[i][j] = (table[i][j - 1] * factor - table[i - 1][j - 1]) / (factor - 1);
      real error = fmaxl(fabsl(table[i][j] - table[i][j - 1]), fabsl(table[i][j] - table[i - 1][j - 1]));
      if (error <= least) least = error, best = table[i][j];
    }
  }
  return best;
}

struct form {
  int active, operands[3], points;
  const double (*point)[3];
  real (*oracle)(const real *);
  void (*derive[3])(const double *, double *);
};

static void sample(int number, const struct form *f) {
  for (int precision = 0; precision < 3; precision++)
    for (int i = 0; i < f->points; i++) {
      double point[3], out[7];
      for (int k = 0; k < 3; k++) point[k] = precision == 1 ? (float)f->point[i][k] : f->point[i][k];
      f->derive[precision](point, out);
      printf(\"%d %d %d\", number, precision, i);
      for (int k = 0; k < 2 * f->active + 1; k++) printf(\" %.17g\", out[k]);
      for (int k = 0; k < f->active; k++) printf(\" %.17Lg\", difference(f->oracle, point, f->operands[k]));
      puts(\"\");
    }
}
";

/// `oracle.c`.
pub fn oracle(forms: &[Form]) -> String {
    let mut text = ORACLE_START.to_owned();
    for ir in FROM_IR {
        let parameters = form_of(ir.row, forms).parameters.iter().map(|p| format!("real {}", p.name));
        let parameters: Vec<String> = parameters.collect();
        let _ = writeln!(text, "real {}l({}) {{ {} }}", ir.function, parameters.join(", "), ir.oracle);
    }
    let mut table = String::from("static const struct form forms[] = {\n");
    for form in forms {
        let name = &form.name;
        let _ = writeln!(text, "static real oracle_{name}(const real *point) {{");
        for p in &form.parameters {
            let ty = p.ty.replace("$T", "real");
            let _ = writeln!(text, "  {ty} {} = ({ty})point[{}];", p.name, p.operand);
        }
        let _ = writeln!(text, "  {}\n}}", spell(&form.oracle, "real", "l"));
        let points: Vec<Point> = points_of(form).into_iter().map(|(point, _)| point).collect();
        let number = |x: &f64| match x {
            _ if x.is_nan() => "NAN".to_owned(),
            _ if x.is_infinite() => format!("{}INFINITY", if *x < 0.0 { "-" } else { "" }),
            _ => format!("{x:?}"),
        };
        let rows: Vec<String> =
            points.iter().map(|p| format!("{{{}}}", p.iter().map(number).collect::<Vec<_>>().join(", "))).collect();
        let _ = writeln!(text, "static const double points_{name}[][3] = {{{}}};", rows.join(", "));
        let _ =
            writeln!(text, "void derive_{name}(const double *, double *), derive_{name}f(const double *, double *);");
        let _ = writeln!(text, "void derive_{name}l(const double *, double *);");
        let active: Vec<String> =
            form.parameters.iter().filter(|p| p.active()).map(|p| p.operand.to_string()).collect();
        let _ = writeln!(
            table,
            "  {{{}, {{{}}}, {}, points_{name}, oracle_{name}, {{derive_{name}, derive_{name}f, derive_{name}l}}}},",
            active.len(),
            active.join(", "),
            points.len()
        );
    }
    text + &table
        + "};\nint main(void) {\n  for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++) sample(i, forms + i);\n}\n"
}

/// Reads what the program printed.
pub fn parse(printed: &str, forms: &[Form]) -> Option<Samples> {
    let mut samples = Samples::new();
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let mut integer = || words.next()?.parse::<usize>().ok();
        let (number, precision, point) = (integer()?, integer()?, integer()?);
        let active = forms.get(number)?.parameters.iter().filter(|p| p.active()).count();
        let numbers: Vec<f64> = words.map(|w| w.parse().ok()).collect::<Option<_>>()?;
        let part = |from: usize| Some(numbers.get(from..from + active)?.to_vec());
        let sample = Sample {
            reverse: part(0)?,
            forward: part(active)?,
            along: *numbers.get(2 * active)?,
            differences: part(2 * active + 1)?,
        };
        samples.insert((number, *Precision::ALL.get(precision)?, point), sample);
    }
    Some(samples)
}

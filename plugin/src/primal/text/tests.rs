//! The text form says what is wrong, and says nothing twice.

use super::{parse, print};

/// A loop with every kind of fact.
const LOOP: &str = "reverse f(ptr %x dup, i32 %n const) -> double active returned
loop L0 b1 trip (1 + zext64((i32 -1 + %n))) most smax(1, umin(7, (8 /u 2))) parallel static
b0:
  goto b1
b1:
  i32 %i = phi [i32 0, b0], [%next, b2] at 3 ; closed i32 L0
  double %s = phi [double 0.0, b0], [%sum, b2] ; active
  ptr %p = gep %x, %i ; closed (%x + (8 * sext64(i32 L0)) + ptrtoint64(const @table) + trunc64(value(i128 undef)))
  double %v = load %p at 4:5 ; overwritten by %w ; active
  i128 %u = pure i128 undef, const @table
  i1 %c = pure %v, double -inf
  branch %c, b3, b2
b2:
  double %sum = rule fadd %s, %v ; active
  void %w = store double 0.5, %p
  inactive outside @\"a \\\"name\\\"\", other \"<2 x i8> zeroinitializer\"
  i32 %next = pure %i, i32 1
  i1 %more = pure %next, %n
  branch %more, b1, b3
b3:
  double %r = phi [%s, b1], [%sum, b2] ; active
  return %r
";

#[test]
fn printed_text_is_read_as_the_same() {
    let parsed = parse(LOOP).expect("the text is well formed");
    let printed = print(&parsed.primal, &parsed.variant, &parsed.facts());
    assert_eq!(parse(&printed).expect("printed text is well formed"), parsed);
    let without_comments: Vec<_> = printed.lines().filter(|l| !l.starts_with('#')).collect();
    let line = "loop L0 b1 trip (1 + zext64((i32 -1 + %n))) most smax(1, umin(7, (8 /u 2))) parallel static  # line 3";
    assert_eq!(without_comments[1], line);
    assert_eq!(without_comments[4..], LOOP.lines().collect::<Vec<_>>()[4..]);
}

#[test]
fn products_bind_more_tightly() {
    let tight = LOOP.replace("(8 * sext64(i32 L0))", "8 * sext64(i32 L0)");
    assert_eq!(parse(&tight), parse(LOOP));
}

/// Each change of `LOOP` and the message that it leads to.
#[test]
fn mistakes_are_named() {
    let cases = [
        ("reverse", "backward", "line 1: expected reverse or forward, found 'backward'"),
        ("%x dup", "%x twice", "line 1: expected const, dup, dupnoneed or out, found 'twice'"),
        ("i32 %n", "i32 %x", "line 1: %x is defined twice"),
        ("-> double", "-> float", "line 22: the function returns another type"),
        ("loop L0 b1", "loop L0 b2", "line 2: the loop at b2 is not L0"),
        ("trip (1", "trip (L0", "line 2: an iteration number of L0 outside that loop"),
        ("parallel static", "parallel stated", "line 2: there is no schedule stated"),
        ("closed i32 L0", "closed i32 L1", "line 6: there is no loop L1"),
        ("sext64(", "sqrt(", "line 8: there is no function 'sqrt'"),
        ("b1:", "b4:", "line 5: blocks are numbered in order: this is b1"),
        ("  goto b1\n", "", "line 3: the block has no end"),
        ("  goto b1\n", "  goto b1\n  goto b1\n", "line 5: the block has ended"),
        ("goto b1", "goto b9", "line 4: there is no block b9"),
        ("rule fadd", "rule plus", "line 14: there is no rule 'plus'"),
        ("fadd %s, %v", "fadd %s", "line 14: expected 2 operands, found 1"),
        ("fadd %s, %v", "fadd %s, %next", "line 14: %next may not be computed yet"),
        (
            "[%sum, b2] ; active\n  ptr",
            "[%sum, b3] ; active\n  ptr",
            "line 7: a phi stands first, with an operand for each of [b0, b2]",
        ),
        ("load %p", "load %q", "line 9: this value is not defined"),
        ("by %w", "by %z", "line 9: this value is not defined"),
        (
            "double 0.5, %p",
            "double 0.5, %p ; stable",
            "line 15: expected bytes, closed, overwritten, stable, integer, piece or active, found 'stable'",
        ),
        ("i1 %more = pure", "i2 %more = pure", "line 19: a branch needs an i1"),
        ("%next, %n\n", "%next, %n ; active\n", "line 18: %more is not active"),
        ("branch %more, b1, b3", "goto b3", "line 6: a phi stands first, with an operand for each of [b0]"),
        ("i128 undef, const", "i128 \"undef, const", "line 10: a quotation mark is missing"),
    ];
    let mut wrong = Vec::new();
    for (from, to, message) in cases {
        assert!(LOOP.contains(from), "{from}");
        let found = parse(&LOOP.replacen(from, to, 1)).map(|_| ());
        if found != Err(message.to_string()) {
            wrong.push(format!("'{to}' for '{from}': {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

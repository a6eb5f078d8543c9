//! Closed forms as text: `(%n + 8 * i32 L0)`, `zext64(%m)`, `smax(1, %n)`.
//!
//! Numbers and iteration numbers have 64 bits unless a type comes before them.

use super::lex::{Line, Token};
use super::read::{Reader, type_of};
use super::write::Writer;
use crate::primal::expr::{Cast, Nary};
use crate::primal::{Def, Expr, LoopId, Ty, ValueId};

const NARY: [(&str, Nary); 4] =
    [("smax", Nary::SignedMax), ("umax", Nary::UnsignedMax), ("smin", Nary::SignedMin), ("umin", Nary::UnsignedMin)];

const CASTS: [(&str, Cast); 4] =
    [("zext", Cast::Zero), ("sext", Cast::Sign), ("trunc", Cast::Truncate), ("ptrtoint", Cast::Pointer)];

impl Reader {
    /// An expression; products bind more tightly than sums.
    pub(super) fn expr(&self, line: &mut Line) -> Result<Expr, String> {
        let mut parts = vec![self.product(line)?];
        while line.eat("+") {
            parts.push(self.product(line)?);
        }
        Ok(one_or(Nary::Sum, parts))
    }

    fn product(&self, line: &mut Line) -> Result<Expr, String> {
        let mut parts = vec![self.atom(line)?];
        loop {
            if line.eat("*") {
                parts.push(self.atom(line)?);
            } else if line.eat("/u") {
                let dividend = one_or(Nary::Product, std::mem::take(&mut parts));
                parts.push(Expr::Quotient(Box::new(dividend), Box::new(self.atom(line)?)));
            } else {
                return Ok(one_or(Nary::Product, parts));
            }
        }
    }

    fn atom(&self, line: &mut Line) -> Result<Expr, String> {
        match line.peek().cloned() {
            Some(Token::Local(_) | Token::Global(_)) => Ok(Expr::Value(self.known(line)?)),
            Some(Token::Word(word)) if word == "const" => Ok(Expr::Value(self.known(line)?)),
            Some(Token::Sign("(")) => {
                line.expect("(")?;
                let inner = self.expr(line)?;
                line.expect(")")?;
                Ok(inner)
            }
            Some(Token::Word(word)) if line.peek_second() == Some(&Token::Sign("(")) => {
                line.next();
                self.call(line, &word)
            }
            Some(Token::Word(word)) => {
                let bits = match type_of(&word) {
                    Some(Ty::Int(bits)) => {
                        line.next();
                        bits
                    }
                    _ => 64,
                };
                self.number(line, bits)
            }
            _ => Err(line.wanted("an expression")),
        }
    }

    fn number(&self, line: &mut Line, bits: u32) -> Result<Expr, String> {
        let what = "a number or a loop";
        let before = line.clone();
        let word = line.word(what)?;
        if let Ok(number) = word.parse() {
            return Ok(Expr::Const(bits, number));
        }
        match word.strip_prefix('L').and_then(|n| n.parse().ok()) {
            Some(l) if (l as usize) < self.primal.loops.len() => Ok(Expr::Iter(bits, LoopId(l))),
            Some(_) => Err(before.error(&format!("there is no loop {word}"))),
            None => Err(before.wanted(what)),
        }
    }

    fn call(&self, line: &mut Line, name: &str) -> Result<Expr, String> {
        line.expect("(")?;
        let value = match NARY.iter().find(|(n, _)| *n == name) {
            _ if name == "value" => Expr::Value(self.known(line)?),
            Some((_, kind)) => {
                let mut parts = vec![self.expr(line)?];
                while line.eat(",") {
                    parts.push(self.expr(line)?);
                }
                Expr::Nary(*kind, parts)
            }
            None => {
                let cast = CASTS.iter().find_map(|(n, c)| Some((*c, name.strip_prefix(n)?.parse().ok()?)));
                let (cast, bits) = cast.ok_or_else(|| line.error(&format!("there is no function '{name}'")))?;
                Expr::Cast(cast, bits, Box::new(self.expr(line)?))
            }
        };
        line.expect(")")?;
        Ok(value)
    }
}

fn one_or(kind: Nary, mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Nary(kind, parts) }
}

impl Writer<'_> {
    /// An expression, sums and products in parentheses.
    pub(super) fn expr(&self, e: &Expr) -> String {
        let list = |parts: &[Expr], sign: &str| parts.iter().map(|p| self.expr(p)).collect::<Vec<_>>().join(sign);
        let typed = |bits: u32, text: String| if bits == 64 { text } else { format!("i{bits} {text}") };
        match e {
            Expr::Const(bits, c) => typed(*bits, c.to_string()),
            Expr::Iter(bits, l) => typed(*bits, format!("{l:?}")),
            Expr::Value(v) => self.in_expr(*v),
            Expr::Nary(Nary::Sum, parts) => format!("({})", list(parts, " + ")),
            Expr::Nary(Nary::Product, parts) => format!("({})", list(parts, " * ")),
            Expr::Nary(kind, parts) => {
                let name = NARY.iter().find(|(_, k)| k == kind).map_or("", |(name, _)| name);
                format!("{name}({})", list(parts, ", "))
            }
            Expr::Quotient(a, b) => format!("({} /u {})", self.expr(a), self.expr(b)),
            Expr::Cast(kind, bits, e) => {
                let name = CASTS.iter().find(|(_, k)| k == kind).map_or("", |(name, _)| name);
                format!("{name}{bits}({})", self.expr(e))
            }
        }
    }

    fn in_expr(&self, v: ValueId) -> String {
        let text = self.operand(v);
        if self.primal.value(v).def == Def::Const { format!("value({text})") } else { text }
    }
}

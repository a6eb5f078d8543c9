//! Helper functions and calls of them.

use super::{Array, Choices, Generator, Helper, Returns, UNKNOWN};
use crate::tree::{Item, Kind, Node, Stmt};
use std::collections::BTreeSet;

impl<'a> Generator<'a> {
    pub(super) fn call_choices(&mut self, choices: &mut Choices<'a>) {
        if self.helpers.iter().any(|h| h.returns == Returns::Nothing) {
            choices.push((16, Self::call_statement));
        }
    }

    /// Writes the helpers that the features ask for.
    pub(super) fn helpers(&mut self, items: &mut Vec<Item>) {
        if self.has("call") || self.has("function-pointer") {
            for _ in 0..2 {
                self.scalar_helper(items);
            }
            if self.has("call") {
                self.array_helper(items);
            }
        }
        if self.has("recursion") {
            self.recursive_helper(items);
        }
        if self.has("function-pointer") {
            self.table_of_helpers(items);
        }
        if self.has("struct-copy") {
            self.struct_helper(items);
        }
    }

    /// A name for something at the level of the file.
    fn of_file(&mut self, stem: &str) -> String {
        let name = self.fresh(stem);
        format!("{}_{name}", self.prefix)
    }

    fn attribute(&mut self) -> &'static str {
        self.rng.word(&["", "", "__attribute__((noinline)) "])
    }

    /// A generator for a function of its own that sees the helpers so far.
    fn inner<'b>(&'b mut self, name: &str, returns: Returns) -> Generator<'b> {
        let helpers = self.helpers.clone();
        let mut inner = Generator::new(self.rng, self.on, name);
        inner.helpers = helpers;
        inner.returns = returns;
        inner.sums.push("s".into());
        inner
    }

    /// Statements between a helper's first, which declares the sum, and its last.
    fn body(inner: &mut Generator<'_>, last: &str, budget: usize) -> Vec<Stmt> {
        let mut body = vec![Stmt::plain("double s = 0;", vec![])];
        inner.depth = if inner.returns == Returns::Number { 2 } else { 1 };
        inner.budget = inner.rng.between(1, budget);
        while inner.budget > 0 {
            let stmt = inner.statement();
            body.push(stmt);
        }
        if inner.returns == Returns::Number {
            let value = inner.expression(1).0;
            body.push(Stmt::plain(last, vec![value]));
        }
        body
    }

    fn scalar_helper(&mut self, items: &mut Vec<Item>) {
        let name = self.of_file("h");
        let attribute = self.attribute();
        let mut inner = self.inner(&name, Returns::Number);
        inner.numbers.extend(["a".into(), "b".into()]);
        let mut body = vec![Stmt::plain("double own[4] = {a, b, 0.5};", vec![])];
        inner.array("own", 4, 1);
        let mut rest = Self::without_arguments(&mut inner, |inner| Self::body(inner, "return sin($ + s);", 4));
        body.append(&mut rest);
        items.push(Item {
            head: format!("{attribute}static double {name}(double a, double b, int n)"),
            body: Some(body),
        });
        self.helpers.push(Helper { name, operands: "nni", returns: Returns::Number });
    }

    /// What names the arguments of the function itself cannot be written in a helper.
    fn without_arguments<T>(inner: &mut Generator<'_>, make: impl Fn(&mut Generator<'_>) -> T) -> T {
        let on: BTreeSet<&'static str> = inner.on.iter().copied().filter(|f| *f != "struct").collect();
        let helpers = std::mem::take(&mut inner.helpers);
        let (arrays, numbers) = (std::mem::take(&mut inner.arrays), std::mem::take(&mut inner.numbers));
        let mut narrowed = Generator::new(inner.rng, &on, &inner.prefix);
        (narrowed.helpers, narrowed.arrays, narrowed.numbers) = (helpers, arrays, numbers);
        (narrowed.returns, narrowed.sums) = (inner.returns, inner.sums.clone());
        make(&mut narrowed)
    }

    fn array_helper(&mut self, items: &mut Vec<Item>) {
        let name = self.of_file("h");
        let attribute = self.attribute();
        let mut inner = self.inner(&name, Returns::Nothing);
        inner.numbers.push("a".into());
        inner.array("p", 4, UNKNOWN);
        inner.array("q", 4, UNKNOWN);
        let body = Self::without_arguments(&mut inner, |inner| Self::body(inner, "", 5));
        let alone = self.rng.chance(40);
        let (word, operands) = if alone { ("restrict ", "rrni") } else { ("", "ppni") };
        let head = format!("{attribute}static void {name}(double *{word}p, double *{word}q, double a, int n)");
        items.push(Item { head, body: Some(body) });
        self.helpers.push(Helper { name, operands, returns: Returns::Nothing });
    }

    fn recursive_helper(&mut self, items: &mut Vec<Item>) {
        let name = self.of_file("h");
        let mut inner = self.inner(&name, Returns::Number);
        inner.numbers.push("a".into());
        inner.array("p", 4, UNKNOWN);
        let mut body = vec![Stmt::plain("if (n <= 0) return 0.5 * a * a;", vec![])];
        let call = match inner.rng.below(3) {
            0 => format!("return 0.7 * sin($ + {name}(p, 0.9 * a * p[n & 3], n - 1));"),
            1 => format!(
                "p[n & 3] = 0.8 * p[n & 3] * {name}(p, a * 0.5 + 0.3 * p[1], n - 1); return 0.5 * sin($) * p[2];"
            ),
            _ => format!("return tanh({name}(p, 0.5 * a, n - 1) + {name}(p, $ * 0.3, n - 2));"),
        };
        let mut rest = Self::without_arguments(&mut inner, |inner| Self::body(inner, &call, 3));
        body.append(&mut rest);
        items.push(Item { head: format!("static double {name}(double *p, double a, int n)"), body: Some(body) });
        self.helpers.push(Helper { name, operands: "pni", returns: Returns::Number });
    }

    /// A call through a table that an index selects from, or through a pointer that a condition selects.
    fn table_of_helpers(&mut self, items: &mut Vec<Item>) {
        let names: Vec<String> =
            self.helpers.iter().filter(|h| h.operands == "nni").map(|h| h.name.clone()).take(2).collect();
        let name = self.of_file("table");
        let list = names.join(", ");
        let constant = if self.rng.chance(60) { " const" } else { "" };
        let head = format!("static double (*{constant} {name}[2])(double, double, int) = {{{list}}};");
        items.push(Item { head, body: None });
        let chosen = format!("(n > 2 ? {} : {})", names[0], names[1]);
        let index = self.rng.below(2);
        let callee = self.rng.pick(&[format!("{name}[n & 1]"), format!("{name}[{index}]"), chosen]).clone();
        self.helpers.push(Helper { name: callee, operands: "nni", returns: Returns::Number });
    }

    fn struct_helper(&mut self, items: &mut Vec<Item>) {
        let name = self.of_file("h");
        let change = self.number_node();
        let made = vec![
            Stmt::plain("struct node c = {a, n, {b, a, 1}, {{b, 2, 3}}};", vec![]),
            Stmt::plain("c.v[n & 1] *= $;", vec![change]),
            Stmt::plain("return c;", vec![]),
        ];
        let used = vec![Stmt::plain("return sin(c.u * c.v[1] + c.v[0] * c.in[0].p) + c.k * 0.1;", vec![])];
        let attribute = self.attribute();
        let head = format!("{attribute}static struct node {name}_make(double a, double b, int n)");
        items.push(Item { head, body: Some(made) });
        let head = format!("{attribute}static double {name}_use(struct node c)");
        items.push(Item { head, body: Some(used) });
        let whole = vec![Stmt::plain(format!("return {name}_use({name}_make(a, b, n));"), vec![])];
        let head = format!("static double {name}(double a, double b, int n)");
        items.push(Item { head, body: Some(whole) });
        self.helpers.push(Helper { name, operands: "nni", returns: Returns::Number });
    }

    /// A call of a helper that returns this, if there is one.
    pub(super) fn call(&mut self, returns: Returns) -> Option<Node> {
        let candidates: Vec<Helper> = self.helpers.iter().filter(|h| h.returns == returns).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let helper = self.rng.pick(&candidates).clone();
        let pair = if helper.operands.contains('r') { Some(self.apart()?) } else { None };
        let mut pair = pair.into_iter().flatten();
        let operand = |operand| match operand {
            'r' => Node::leaf(Kind::Place, pair.next().expect("two of them")),
            _ => self.operand(operand),
        };
        let args: Vec<Node> = helper.operands.chars().map(operand).collect();
        let holes = vec!["$"; args.len()].join(", ");
        Some(Node::new(Kind::Real, format!("{}({holes})", helper.name), args))
    }

    /// Two arrays of at least 4 numbers that share no memory.
    fn apart(&mut self) -> Option<[String; 2]> {
        let known = |a: &&Array| a.object != UNKNOWN && a.base.is_some() && !a.sum && !a.single && a.dims[0] >= 4;
        let candidates: Vec<Array> = self.arrays.iter().filter(known).cloned().collect();
        let first = candidates.get(self.rng.below(candidates.len().max(1)))?;
        let other = candidates.iter().find(|a| a.object != first.object)?;
        Some([first.base.clone()?, other.base.clone()?])
    }

    fn operand(&mut self, operand: char) -> Node {
        match operand {
            'n' => self.bounded_leaf(),
            'i' => self.index(4),
            _ => {
                let candidates: Vec<Array> = self
                    .arrays
                    .iter()
                    .filter(|a| a.base.is_some() && !a.sum && !a.single && a.dims[0] >= 4)
                    .cloned()
                    .collect();
                let array = self.rng.pick(&candidates);
                let (base, shift) = (array.base.clone().expect("filtered"), array.dims[0] - 4);
                let shift = self.rng.below(shift + 1);
                Node::leaf(Kind::Place, if shift > 0 { format!("{base} + {shift}") } else { base })
            }
        }
    }

    fn bounded_leaf(&mut self) -> Node {
        let (value, bound) = self.expression(3);
        if bound <= super::BOUND { value } else { Node::new(Kind::Real, "sin($)", vec![value]) }
    }

    fn call_statement(&mut self) -> Stmt {
        match self.call(Returns::Nothing) {
            Some(call) => Stmt::plain("$;", vec![Node { kind: Kind::Place, ..call }]),
            None => self.assign(),
        }
    }
}

//! A program as a tree: what the generator makes, the printer writes as C, and the reducer cuts.
//!
//! Nodes carry their C text with holes, so that no pass over the tree has to know the kinds of C constructs: `$` is
//! an operand, `@` a nested block. A statement holds together what must not be taken apart: a declaration and what
//! initialises it, an allocation and the block after which it is freed. Whatever is cut from such a tree, a program
//! that still compiles reads no memory that was not written.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What stands in a place of a given kind can be replaced by anything else of this kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number of type `double` or `float`.
    Real,
    /// An index or another integer, 0 or more.
    Int,
    /// A condition.
    Cond,
    /// An lvalue or a pointer: stays what it is.
    Place,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What may replace it.
    pub kind: Kind,
    /// C text, one `$` per operand.
    pub text: String,
    /// Operands.
    pub args: Vec<Node>,
}

impl Node {
    /// An expression with operands.
    pub fn new(kind: Kind, text: impl Into<String>, args: Vec<Node>) -> Self {
        let node = Self { kind, text: text.into(), args };
        debug_assert_eq!(node.text.matches('$').count(), node.args.len(), "{}", node.text);
        node
    }

    /// An expression without operands.
    pub fn leaf(kind: Kind, text: impl Into<String>) -> Self {
        Self::new(kind, text, Vec::new())
    }

    fn print(&self, out: &mut String) {
        let mut args = self.args.iter();
        for (index, part) in self.text.split('$').enumerate() {
            if index > 0 {
                args.next().expect("one operand per hole").print(out);
            }
            out.push_str(part);
        }
    }
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// C text, one `$` per operand, one `@` per nested block.
    pub text: String,
    /// Operands.
    pub args: Vec<Node>,
    /// Nested blocks.
    pub bodies: Vec<Vec<Stmt>>,
}

impl Stmt {
    /// A statement without nested blocks.
    pub fn plain(text: impl Into<String>, args: Vec<Node>) -> Self {
        Self::nested(text, args, Vec::new())
    }

    /// A statement with nested blocks.
    pub fn nested(text: impl Into<String>, args: Vec<Node>, bodies: Vec<Vec<Stmt>>) -> Self {
        let stmt = Self { text: text.into(), args, bodies };
        debug_assert_eq!(stmt.text.matches('$').count(), stmt.args.len(), "{}", stmt.text);
        debug_assert_eq!(stmt.text.matches('@').count(), stmt.bodies.len(), "{}", stmt.text);
        stmt
    }

    fn print(&self, depth: usize, out: &mut String) {
        let (mut args, mut bodies) = (self.args.iter(), self.bodies.iter());
        indent(depth, out);
        for letter in self.text.chars() {
            match letter {
                '$' => args.next().expect("one operand per hole").print(out),
                '@' => {
                    out.push('\n');
                    print_block(bodies.next().expect("one block per hole"), depth + 1, out);
                    indent(depth, out);
                }
                _ => out.push(letter),
            }
        }
        out.push('\n');
    }
}

fn print_block(block: &[Stmt], depth: usize, out: &mut String) {
    for stmt in block {
        stmt.print(depth, out);
    }
}

fn indent(depth: usize, out: &mut String) {
    out.push_str(&"  ".repeat(depth));
}

/// A helper of a generated function, or a variable of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// The first line: a function's head without brace, or the whole declaration of a variable.
    pub head: String,
    /// The function's statements; none for a variable.
    pub body: Option<Vec<Stmt>>,
}

/// A function to differentiate, with all that it uses.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Unique in its file.
    pub name: String,
    /// Helpers and variables of the file, in order.
    pub items: Vec<Item>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Names of the features it was drawn with.
    pub features: BTreeSet<&'static str>,
    /// Ways in which its array arguments lie in memory, a sum of `ALIAS_` constants of `random.h`.
    pub layouts: u32,
    /// Whether `float` takes part, which makes the tolerance of the checks wider.
    pub single: bool,
}

impl Function {
    /// C text of the function, its helpers and its check.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for item in &self.items {
            match &item.body {
                None => writeln!(out, "{}", item.head).expect("writing to a string"),
                Some(body) => print_function(&item.head, body, &mut out),
            }
        }
        let head = format!("static double {}(double *x, double *y, float *z, double a, int n)", self.name);
        print_function(&head, &self.body, &mut out);
        let layouts: Vec<&str> = LAYOUTS.iter().filter(|(bit, _)| self.layouts & bit != 0).map(|l| l.1).collect();
        writeln!(out, "CHECK({}, {}, {})", self.name, layouts.join(" | "), u8::from(self.single)).expect("a string");
        out
    }
}

/// How `x` and `y` may lie: the bit and its name in `random.h`.
pub const LAYOUTS: [(u32, &str); 3] = [(1, "APART"), (2, "SAME"), (4, "OVERLAPPING")];

fn print_function(head: &str, body: &[Stmt], out: &mut String) {
    out.push_str(head);
    out.push_str(" {\n");
    print_block(body, 1, out);
    out.push_str("}\n");
}

/// A file with some functions, and at which of its lines each begins, counted from 1.
pub fn print_file(functions: &[&Function]) -> (String, Vec<usize>) {
    let mut text = String::from("#include \"random.h\"\n");
    let mut starts = Vec::new();
    for function in functions {
        text.push('\n');
        starts.push(text.lines().count() + 1);
        text.push_str(&function.print());
    }
    (text, starts)
}

//! Generates functions without undefined behaviour, from a seed.
//!
//! Every variable keeps an invariant that makes whatever is written next valid: numbers are at most `BOUND` in size
//! (sums, which only grow slowly, are read through a function that bounds them), integers are from 0 to 63, each
//! array knows its extents and each index is below them, and what is declared is initialised by the same statement.

mod calls;
mod control;
mod expressions;
mod memory;

use crate::features;
use crate::rng::Rng;
use crate::tree::{Function, Item, Kind, Node, Stmt};
use std::collections::BTreeSet;

/// The object of what may share memory with anything.
const UNKNOWN: usize = 0;

/// No number in a variable is larger.
const BOUND: f64 = 2.0;

/// Numbers that an index selects from.
#[derive(Clone, Debug)]
struct Array {
    /// An element, with a `$` per dimension.
    place: String,
    /// Extents.
    dims: Vec<usize>,
    /// A pointer to the first of `dims[0]` contiguous elements.
    base: Option<String>,
    /// Holds sums, whose size is not bounded.
    sum: bool,
    /// Holds `float`.
    single: bool,
    /// Arrays with the same number, and those of an unknown object, may share memory.
    object: usize,
}

/// What surrounds a statement and can be left.
#[derive(Clone, Debug)]
struct Around {
    /// The iteration number, where there is one.
    counter: Option<Counter>,
    /// How many allocations were live when it was entered.
    owned: usize,
    /// Whether `break` leaves a loop here, not a `switch`.
    breaks_loop: bool,
}

/// An integer variable that counts: at least 0, below `limit`.
#[derive(Clone, Debug)]
struct Counter {
    name: String,
    limit: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Returns {
    Number,
    Nothing,
}

/// Functions of the file that can be called.
#[derive(Clone, Debug)]
struct Helper {
    name: String,
    /// A call, with operands: `n` a number, `p` a pointer to 4 numbers, `i` a small integer, `r` a pointer to 4 numbers that
    /// no other `r` of the call shares memory with.
    operands: &'static str,
    returns: Returns,
}

/// The lengths of the lists of what is visible, to leave a scope by.
struct Mark([usize; 8]);

/// Weights, and what makes the statement.
type Choices<'a> = Vec<(usize, fn(&mut Generator<'a>) -> Stmt)>;

struct Generator<'a> {
    rng: &'a mut Rng,
    on: &'a BTreeSet<&'static str>,
    prefix: String,
    serial: usize,
    budget: usize,
    depth: usize,
    returns: Returns,
    numbers: Vec<String>,
    sums: Vec<String>,
    integers: Vec<String>,
    pointers: Vec<(String, usize)>,
    arrays: Vec<Array>,
    around: Vec<Around>,
    labels: Vec<(String, usize)>,
    owned: Vec<String>,
    helpers: Vec<Helper>,
    objects: usize,
}

/// What functions are like.
#[derive(Clone, Debug)]
pub struct Taste {
    /// Features that may be drawn.
    pub allowed: BTreeSet<&'static str>,
    /// How many are drawn; few by default, so that a refusal of one does not hide the others.
    pub drawn: Option<usize>,
    /// About how many statements a function has at most.
    pub statements: usize,
}

impl Taste {
    /// Few features of those that are allowed, short functions.
    pub fn of(allowed: BTreeSet<&'static str>) -> Self {
        Self { allowed, drawn: None, statements: 16 }
    }
}

/// Function number `index` of a seed.
pub fn function(seed: u64, index: usize, taste: &Taste) -> Function {
    let mut rng = Rng::new(seed, index as u64);
    let on = features::draw(&taste.allowed, taste.drawn, &mut rng);
    let name = format!("f{index}");
    let mut items = Vec::new();
    let mut generator = Generator::new(&mut rng, &on, &name);
    generator.helpers(&mut items);
    let body = generator.main(taste.statements, &mut items);
    let layouts = 1 + if on.contains("same") { 2 } else { 0 } + if on.contains("overlap") { 4 } else { 0 };
    let mut function = Function { name, items, body, layouts, single: false, features: on };
    // Unions hold floats too, whether or not the feature of this name was drawn.
    function.single = function.print().replace("float *z", "").contains("float");
    function
}

impl<'a> Generator<'a> {
    fn new(rng: &'a mut Rng, on: &'a BTreeSet<&'static str>, prefix: &str) -> Self {
        Self {
            rng,
            on,
            prefix: prefix.to_owned(),
            serial: 0,
            budget: 0,
            depth: 0,
            returns: Returns::Number,
            numbers: Vec::new(),
            sums: Vec::new(),
            integers: Vec::new(),
            pointers: Vec::new(),
            arrays: Vec::new(),
            around: Vec::new(),
            labels: Vec::new(),
            owned: Vec::new(),
            helpers: Vec::new(),
            objects: 1,
        }
    }

    fn has(&self, feature: &str) -> bool {
        self.on.contains(feature)
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.serial += 1;
        format!("{stem}{}", self.serial)
    }

    /// An object that shares memory with nothing seen before.
    fn object(&mut self) -> usize {
        self.objects += 1;
        self.objects
    }

    fn mark(&self) -> Mark {
        Mark([
            self.numbers.len(),
            self.sums.len(),
            self.integers.len(),
            self.arrays.len(),
            self.around.len(),
            self.labels.len(),
            self.owned.len(),
            self.pointers.len(),
        ])
    }

    fn leave(&mut self, mark: &Mark) {
        self.numbers.truncate(mark.0[0]);
        self.sums.truncate(mark.0[1]);
        self.integers.truncate(mark.0[2]);
        self.arrays.truncate(mark.0[3]);
        self.around.truncate(mark.0[4]);
        self.labels.truncate(mark.0[5]);
        self.owned.truncate(mark.0[6]);
        self.pointers.truncate(mark.0[7]);
    }

    /// Declares a one-dimensional array of numbers that are at most [`BOUND`].
    fn array(&mut self, name: &str, length: usize, object: usize) {
        self.arrays.push(Array {
            place: format!("{name}[$]"),
            dims: vec![length],
            base: Some(name.to_owned()),
            sum: false,
            single: false,
            object,
        });
    }

    /// The body of the function itself.
    fn main(&mut self, statements: usize, items: &mut Vec<Item>) -> Vec<Stmt> {
        self.numbers.push("a".into());
        self.array("x", 8, 1);
        let apart = !self.has("same") && !self.has("overlap");
        let second = if apart { self.object() } else { 1 };
        self.array("y", 8, second);
        if apart && self.rng.chance(40) {
            self.arrays.last_mut().expect("y").sum = true;
        }
        if self.has("float") {
            let (place, base) = ("z[$]".into(), Some("z".into()));
            let object = self.object();
            self.arrays.push(Array { place, dims: vec![4], base, sum: false, single: true, object });
        }
        let mut body = Vec::new();
        self.budget = self.rng.between(statements.min(4), statements);
        let start = self.bounded();
        body.push(Stmt::plain("double b = $, s = 0;", vec![start]));
        self.numbers.push("b".into());
        self.sums.push("s".into());
        if self.has("integers") {
            body.push(Stmt::plain("int k = n & 3;", vec![]));
            self.integers.push("k".into());
        }
        self.declare_features(items, &mut body);
        while self.budget > 0 {
            let stmt = self.statement();
            body.push(stmt);
        }
        let result = self.expression(1).0;
        body.push(Stmt::plain("return $ + b + 0.25 * s;", vec![result]));
        body
    }

    /// A block of up to `most` statements in a scope of its own.
    fn block(&mut self, most: usize) -> Vec<Stmt> {
        let mark = self.mark();
        let count = self.rng.between(1, most);
        let mut block = Vec::new();
        for _ in 0..count {
            block.push(self.statement());
        }
        self.leave(&mark);
        block
    }

    fn statement(&mut self) -> Stmt {
        self.budget = self.budget.saturating_sub(1);
        let nests = self.depth < 3 && self.budget > 0;
        let mut choices: Choices<'a> =
            vec![(20, Self::assign), (18, Self::store), (8, Self::accumulate), (6, Self::declare)];
        if nests {
            choices.extend([(10, Self::branch as fn(&mut Self) -> Stmt), (16, Self::counted_loop)]);
        }
        self.control_choices(nests, &mut choices);
        self.memory_choices(nests, &mut choices);
        self.call_choices(&mut choices);
        let weights: Vec<usize> = choices.iter().map(|c| c.0).collect();
        choices[self.rng.weighted(&weights)].1(self)
    }

    fn assign(&mut self) -> Stmt {
        let name = self.rng.pick(&self.numbers).clone();
        let value = self.bounded();
        Stmt::plain(format!("{name} = $;"), vec![value])
    }

    fn store(&mut self) -> Stmt {
        let array = self.rng.pick(&self.arrays).clone();
        let place = self.element(&array);
        if array.sum || self.rng.chance(25) {
            let value = self.bounded();
            return match (array.sum, self.rng.chance(50)) {
                (true, true) => Stmt::plain("$ += $;", vec![place, value]),
                (true, false) => Stmt::plain("$ = $;", vec![place, value]),
                (false, true) => Stmt::plain("$ = 0.5 * ($ + $);", vec![place.clone(), place, value]),
                (false, false) => Stmt::plain("$ *= 0.5 * $;", vec![place, value]),
            };
        }
        let value = self.bounded();
        Stmt::plain("$ = $;", vec![place, value])
    }

    fn accumulate(&mut self) -> Stmt {
        let name = self.rng.pick(&self.sums).clone();
        let value = self.bounded();
        let sign = if self.rng.chance(80) { '+' } else { '-' };
        Stmt::plain(format!("{name} {sign}= $;"), vec![value])
    }

    fn declare(&mut self) -> Stmt {
        if self.rng.chance(60) {
            let name = self.fresh("b");
            let value = self.bounded();
            self.numbers.push(name.clone());
            return Stmt::plain(format!("double {name} = $;"), vec![value]);
        }
        let (name, length) = (self.fresh("t"), self.rng.between(3, 6));
        let set = self.rng.between(1, length);
        let values: Vec<Node> = (0..set).map(|_| self.bounded()).collect();
        let object = self.object();
        self.array(&name, length, object);
        let holes = vec!["$"; set].join(", ");
        Stmt::plain(format!("double {name}[{length}] = {{{holes}}};"), values)
    }

    fn branch(&mut self) -> Stmt {
        let condition = self.condition();
        self.depth += 1;
        let yes = self.block(3);
        let stmt = if self.rng.chance(50) {
            let no = self.block(2);
            Stmt::nested("if ($) {@} else {@}", vec![condition], vec![yes, no])
        } else {
            Stmt::nested("if ($) {@}", vec![condition], vec![yes])
        };
        self.depth -= 1;
        stmt
    }

    /// What must be there for features to show at all: one declaration for some of them.
    fn declare_features(&mut self, items: &mut Vec<Item>, body: &mut Vec<Stmt>) {
        if self.has("global") {
            let name = format!("{}_global", self.prefix);
            items.push(Item { head: format!("static double {name}[4];"), body: None });
            let values: Vec<Node> = (0..4).map(|_| self.bounded()).collect();
            let text: Vec<String> = (0..4).map(|i| format!("{name}[{i}] = $;")).collect();
            body.push(Stmt::plain(text.join(" "), values));
            let object = self.object();
            self.array(&name, 4, object);
        }
        for (feature, declare) in [
            ("array-2d", Self::declare_matrix as fn(&mut Self) -> Stmt),
            ("struct", Self::declare_struct),
            ("struct-copy", Self::declare_struct),
            ("union", Self::declare_union),
            ("float", Self::declare_single),
            ("vla", Self::declare_vla),
            ("pointer-pointer", Self::declare_rows),
        ] {
            if self.has(feature) {
                let stmt = declare(self);
                body.push(stmt);
            }
        }
    }

    fn number_node(&mut self) -> Node {
        let value = self.rng.real();
        Node::leaf(Kind::Real, if value < 0.0 { format!("({value:.2})") } else { format!("{value:.2}") })
    }
}

//! Arrays, structs, unions, blocks of memory, pointers.

use super::{Array, Choices, Generator, UNKNOWN};
use crate::tree::{Kind, Node, Stmt};

impl<'a> Generator<'a> {
    pub(super) fn memory_choices(&mut self, nests: bool, choices: &mut Choices<'a>) {
        let mut add = |feature: &str, weight: usize, make: fn(&mut Self) -> Stmt| {
            if self.on.contains(feature) {
                choices.push((weight, make));
            }
        };
        add("array-2d", 6, Self::declare_matrix);
        add("float", 6, Self::declare_single);
        add("integers", 10, Self::integer);
        add("memcpy", 16, Self::copy);
        add("memset", 12, Self::clear);
        add("pointer", 14, Self::declare_pointer);
        if !self.pointers.is_empty() {
            add("pointer", 16, Self::move_pointer);
        }
        add("pointer-pointer", 6, Self::declare_rows);
        add("struct", 6, Self::declare_struct);
        add("struct-copy", 14, Self::copy_struct);
        add("union", 12, Self::declare_union);
        add("vla", 6, Self::declare_vla);
        if nests {
            add("malloc", 12, Self::allocate);
            add("pointer", 10, Self::walk);
            add("swap", 22, Self::exchange);
        }
    }

    /// An array of numbers with contiguous elements, and its pointer.
    fn contiguous(&mut self) -> (Array, String) {
        let candidates: Vec<Array> =
            self.arrays.iter().filter(|a| a.base.is_some() && !a.sum && !a.single).cloned().collect();
        let array = self.rng.pick(&candidates).clone();
        let base = array.base.clone().expect("filtered");
        (array, base)
    }

    fn values(&mut self, count: usize) -> Vec<Node> {
        (0..count).map(|_| self.bounded()).collect()
    }

    pub(super) fn declare_matrix(&mut self) -> Stmt {
        let (name, rows, columns) = (self.fresh("m"), self.rng.between(2, 4), self.rng.between(2, 4));
        let values = self.values(3);
        let object = self.object();
        let place = format!("{name}[$][$]");
        let base = format!("{name}[{}]", self.rng.below(rows));
        self.arrays.push(Array { place, dims: vec![rows, columns], base: None, sum: false, single: false, object });
        self.arrays.push(Array {
            place: format!("{base}[$]"),
            dims: vec![columns],
            base: Some(base),
            sum: false,
            single: false,
            object,
        });
        Stmt::plain(format!("double {name}[{rows}][{columns}] = {{{{$, $}}, {{$}}}};"), values)
    }

    pub(super) fn declare_single(&mut self) -> Stmt {
        let name = self.fresh("w");
        if self.rng.chance(40) {
            let value = self.bounded();
            self.numbers.push(name.clone());
            return Stmt::plain(format!("float {name} = (float)($);"), vec![value]);
        }
        let values = self.values(2);
        let object = self.object();
        let (place, base) = (format!("{name}[$]"), Some(name.clone()));
        self.arrays.push(Array { place, dims: vec![4], base, sum: false, single: true, object });
        Stmt::plain(format!("float {name}[4] = {{(float)$, (float)$, 0.25f}};"), values)
    }

    fn integer(&mut self) -> Stmt {
        if self.integers.is_empty() || self.rng.chance(35) {
            let (name, value) = (self.fresh("k"), self.index(8));
            self.integers.push(name.clone());
            return Stmt::plain(format!("int {name} = $;"), vec![value]);
        }
        if self.rng.chance(25) {
            let (name, value) = (self.fresh("k"), self.index(8));
            let counter = self.around.iter().rev().find_map(|a| a.counter.clone());
            let at = counter.map_or("n & 3".to_owned(), |c| format!("{} & 3", c.name));
            self.integers.extend([format!("{name}[{at}]"), format!("{name}[1]"), format!("{name}[n & 3]")]);
            return Stmt::plain(format!("int {name}[4] = {{2, $, 0, 3}};"), vec![value]);
        }
        let (name, value) = (self.rng.pick(&self.integers).clone(), self.index(8));
        let text = self.rng.word(&["k = (k + $) & 7;", "k = $;", "k = (3 * k + $) % 11;", "k ^= $ & 3;"]);
        Stmt::plain(text.replace('k', &name), vec![value])
    }

    fn copy(&mut self) -> Stmt {
        let ((to, into), (from, out)) = (self.contiguous(), self.contiguous());
        let most = to.dims[0].min(from.dims[0]);
        let count = self.rng.between(1, most);
        if to.object == from.object || to.object == UNKNOWN || from.object == UNKNOWN {
            let shift = self.rng.below(to.dims[0] - count + 1);
            return Stmt::plain(format!("memmove({into} + {shift}, {out}, {count} * sizeof(double));"), vec![]);
        }
        let size = match self.rng.below(3) {
            0 if most >= 5 => "(size_t)n * sizeof(double)".to_owned(),
            1 => format!("{}", 8 * count),
            _ => format!("{count} * sizeof *{into}"),
        };
        let call = self.rng.pick(&["memcpy", "memcpy", "memmove"]);
        Stmt::plain(format!("{call}({into}, {out}, {size});"), vec![])
    }

    fn clear(&mut self) -> Stmt {
        let (array, base) = self.contiguous();
        if self.rng.chance(20) {
            let (name, object) = (self.fresh("t"), self.object());
            self.array(&name, 4, object);
            return Stmt::plain(format!("double {name}[4]; memset({name}, 0, sizeof {name});"), vec![]);
        }
        let size = if array.dims[0] >= 5 && self.rng.chance(30) {
            "(size_t)n * sizeof(double)".to_owned()
        } else {
            format!("{} * sizeof(double)", self.rng.between(1, array.dims[0]))
        };
        Stmt::plain(format!("memset({base}, 0, {size});"), vec![])
    }

    /// A pointer to one of two arrays, or into one.
    fn declare_pointer(&mut self) -> Stmt {
        let name = self.fresh("q");
        let (one, first) = self.contiguous();
        match self.rng.below(4) {
            0 | 1 => {
                let (other, second) = self.contiguous();
                let condition = self.condition();
                // What is written through the pointer may change either array.
                let length = one.dims[0].min(other.dims[0]);
                self.array(&name, length, UNKNOWN);
                self.pointers.push((name.clone(), length));
                Stmt::plain(format!("double *{name} = $ ? {first} : {second};"), vec![condition])
            }
            2 => {
                let index = self.index(one.dims[0]);
                self.numbers.push(format!("(*{name})"));
                Stmt::plain(format!("double *{name} = &{first}[$];"), vec![index])
            }
            _ => {
                let shift = self.rng.below(one.dims[0]);
                self.array(&name, one.dims[0] - shift, one.object);
                Stmt::plain(format!("double *{name} = {first} + {shift};"), vec![])
            }
        }
    }

    /// A pointer that leads elsewhere from here on.
    fn move_pointer(&mut self) -> Stmt {
        let (name, length) = self.rng.pick(&self.pointers).clone();
        let (array, base) = self.contiguous();
        if array.dims[0] < length {
            return self.store();
        }
        let condition = self.condition();
        let shift = self.rng.below(array.dims[0] - length + 1);
        let text = self.rng.word(&["% = $ ? # : %;", "if ($) % = #;", "% = !($) ? % : #;"]);
        Stmt::plain(text.replace('%', &name).replace('#', &format!("{base} + {shift}")), vec![condition])
    }

    /// A loop over the elements of an array by a moving pointer.
    fn walk(&mut self) -> Stmt {
        let (name, (array, base)) = (self.fresh("p"), self.contiguous());
        let length = array.dims[0];
        let mark = self.mark();
        self.numbers.push(format!("(*{name})"));
        self.around.push(super::Around { counter: None, owned: self.owned.len(), breaks_loop: true });
        self.depth += 1;
        let body = self.block(3);
        self.depth -= 1;
        self.leave(&mark);
        let head = if self.rng.chance(50) {
            // The end is fixed before the body can let the base point elsewhere.
            format!("for (double *{name} = {base}, *{name}_end = {base} + {length}; {name} < {name}_end; {name}++)")
        } else {
            format!(
                "for (double *{name} = {base} + {}, *{name}_end = {base}; {name} > {name}_end; {name}--)",
                length - 1
            )
        };
        Stmt::nested(format!("{head} {{@}}"), vec![], vec![body])
    }

    pub(super) fn declare_rows(&mut self) -> Stmt {
        let name = self.fresh("rows");
        let ((one, first), (other, second)) = (self.contiguous(), self.contiguous());
        let length = one.dims[0].min(other.dims[0]);
        if self.rng.chance(30) {
            let place = format!("{name}.at[$]");
            let base = Some(format!("{name}.at"));
            let dims = vec![one.dims[0]];
            self.arrays.push(Array { place, dims, base, sum: false, single: false, object: UNKNOWN });
            return Stmt::plain(format!("struct view {name} = {{{first}, {}}};", one.dims[0]), vec![]);
        }
        let through = self.rng.chance(40);
        let place = if through { format!("{name}_at[$][$]") } else { format!("{name}[$][$]") };
        self.arrays.push(Array {
            place,
            dims: vec![2, length],
            base: None,
            sum: false,
            single: false,
            object: UNKNOWN,
        });
        let more = if through { format!(" double **{name}_at = {name};") } else { String::new() };
        Stmt::plain(format!("double *{name}[2] = {{{first}, {second}}};{more}"), vec![])
    }

    pub(super) fn declare_struct(&mut self) -> Stmt {
        let name = self.fresh("c");
        match self.rng.below(3) {
            0 => {
                let values = self.values(4);
                self.numbers.push(format!("{name}.u"));
                self.members(&format!("{name}.v[$]"), &[3]);
                self.members(&format!("{name}.in[$].p"), &[2]);
                if self.has("integers") {
                    self.integers.push(format!("{name}.k"));
                }
                Stmt::plain(format!("struct node {name} = {{$, 1, {{$, $}}, {{{{$, 0.5f, 2}}}}}};"), values)
            }
            1 => {
                let length = self.rng.between(2, 4);
                let values = self.values(2);
                self.members(&format!("{name}[$].p"), &[length]);
                Stmt::plain(format!("struct leaf {name}[{length}] = {{{{$, 1, 2}}, {{$, 0, 1}}}};"), values)
            }
            _ => {
                self.members(&format!("{name}->v[$]"), &[3]);
                self.members(&format!("{name}->in[$].q"), &[2]);
                // It may share memory with x where y does.
                Stmt::plain(format!("struct box *{name} = (struct box *){};", self.numbers_pointer()), vec![])
            }
        }
    }

    /// A pointer to the 8 numbers of an argument that holds no sums.
    fn numbers_pointer(&self) -> &'static str {
        let second = self.arrays.iter().find(|a| a.place == "y[$]");
        match second {
            Some(array) if !array.sum => "y",
            Some(_) => "x",
            None => "p",
        }
    }

    fn members(&mut self, place: &str, dims: &[usize]) {
        let (place, dims) = (place.to_owned(), dims.to_vec());
        self.arrays.push(Array { place, dims, base: None, sum: false, single: false, object: UNKNOWN });
    }

    /// A copy of a struct that is made here, changed and copied back.
    fn copy_struct(&mut self) -> Stmt {
        let (one, two) = (self.fresh("c"), self.fresh("c"));
        let mut values = self.values(3);
        let index = self.index(2);
        self.numbers.push(format!("{two}.p"));
        self.numbers.push(format!("{one}.p"));
        if self.rng.chance(50) {
            return Stmt::plain(
                format!("struct leaf {one} = {{$, 0.5f, 1}}, {two} = {one}; {one}.p = $ + 0 * $;"),
                values,
            );
        }
        self.members(&format!("{two}_all.in[$].p"), &[2]);
        values.push(index);
        Stmt::plain(
            format!(
                "struct node {one}_all = {{$, 1, {{$}}, {{{{$}}}}}}, {two}_all; {two}_all = {one}_all; \
                 struct leaf {one} = {one}_all.in[0], {two} = {two}_all.in[$];"
            ),
            values,
        )
    }

    /// A union that holds a number of one type at a time; behind the statement it holds a double.
    pub(super) fn declare_union(&mut self) -> Stmt {
        let name = self.fresh("u");
        let target = self.rng.pick(&self.numbers).clone();
        let values = self.values(2);
        let index = self.index(8);
        self.numbers.push(format!("{name}.d"));
        let text = match self.rng.below(3) {
            0 => format!("union {{ double d; float f[2]; long l; }} {name}; {name}.d = 0.5 * $ + 0.5 * $ + 0 * $;"),
            1 => format!(
                "union {{ double d; float f[2]; long l; }} {name}; {name}.f[0] = (float)($); \
                 {target} = {name}.f[0]; {name}.d = $ + 0 * $;"
            ),
            _ => format!(
                "union {{ double d; long l; }} {name}; {name}.d = $; {target} = {name}.d; {name}.d = $; \
                 {{ union {{ double d; long l; }} i; i.l = $; {name}.d = 0.9 * {name}.d + 0.01 * i.l; }}"
            ),
        };
        Stmt::plain(text, vec![values[0].clone(), values[1].clone(), index])
    }

    pub(super) fn declare_vla(&mut self) -> Stmt {
        let (name, value) = (self.fresh("v"), self.bounded());
        let object = self.object();
        self.arrays.push(Array {
            place: format!("{name}[$]"),
            dims: vec![2],
            base: Some(name.clone()),
            sum: false,
            single: false,
            object,
        });
        Stmt::plain(
            format!("double {name}[n + 2]; for (int j = 0; j < n + 2; j++) {name}[j] = 0.5 * cos(j + $);"),
            vec![value],
        )
    }

    /// Memory that is allocated, filled, used and freed.
    fn allocate(&mut self) -> Stmt {
        let (name, length) = (self.fresh("h"), self.rng.between(2, 6));
        let value = self.bounded();
        let mark = self.mark();
        let object = self.object();
        self.array(&name, length, object);
        self.owned.push(name.clone());
        self.depth += 1;
        let body = self.block(4);
        self.depth -= 1;
        self.leave(&mark);
        let size = if self.rng.chance(50) { format!("(size_t)(n + {length})") } else { length.to_string() };
        if self.has("memset") && self.rng.chance(50) {
            return Stmt::nested(
                format!("double *{name} = calloc({size}, sizeof *{name}); {name}[1] = $;@ free({name});"),
                vec![value],
                vec![body],
            );
        }
        let fill = format!("for (int j = 0; j < (int)({size}); j++) {name}[j] = 0.9 * sin(j + $);");
        Stmt::nested(
            format!("double *{name} = malloc({size} * sizeof(double)); {fill}@ free({name});"),
            vec![value],
            vec![body],
        )
    }

    /// Two arrays that take turns at being read and written.
    fn exchange(&mut self) -> Stmt {
        let (from, to, count) = (self.fresh("from"), self.fresh("to"), self.fresh("i"));
        let mut sides = [self.contiguous(), self.contiguous()];
        let declared = sides[0].1 == sides[1].1;
        if declared {
            sides[1] = (sides[0].0.clone(), format!("{from}_own"));
        }
        let length = sides[0].0.dims[0].min(sides[1].0.dims[0]);
        let mark = self.mark();
        self.array(&from, length, UNKNOWN);
        self.array(&to, length, UNKNOWN);
        let counter = Some(super::Counter { name: count.clone(), limit: 6 });
        self.around.push(super::Around { counter, owned: self.owned.len(), breaks_loop: true });
        self.depth += 1;
        let update = self.bounded();
        let mut body = self.block(2);
        self.depth -= 1;
        self.leave(&mark);
        body.push(Stmt::plain(
            format!(
                "for (int j = 0; j < {length}; j++) {to}[j] = 0.6 * {from}[({length} - 1) - j] + 0.3 * {from}[j] * $;"
            ),
            vec![Node::new(Kind::Real, "sin($)", vec![update])],
        ));
        let own = if declared { format!("double {from}_own[{length}] = {{0.25, -0.5}}; ") } else { String::new() };
        let (first, second) = (&sides[0].1, &sides[1].1);
        Stmt::nested(
            format!(
                "{own}double *{from} = {first}, *{to} = {second}; \
                 for (int {count} = 0; {count} < n; {count}++) {{@  double *old = {from}; {from} = {to}; {to} = old; }}"
            ),
            vec![],
            vec![body],
        )
    }
}

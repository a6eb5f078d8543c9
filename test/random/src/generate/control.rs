//! Loops, jumps and switches.

use super::{Around, Choices, Counter, Generator, Returns};
use crate::tree::{Kind, Node, Stmt};

impl<'a> Generator<'a> {
    pub(super) fn control_choices(&mut self, nests: bool, choices: &mut Choices<'a>) {
        let in_loop = self.around.iter().any(|a| a.counter.is_some());
        let breaks = self.around.last().is_some_and(|a| a.breaks_loop);
        if nests {
            if self.has("triangular") && in_loop {
                choices.push((25, Self::triangular));
            }
            if self.has("do") {
                choices.push((14, Self::do_loop));
            }
            if self.has("while") && !in_loop || self.has("while-inside") && in_loop {
                choices.push((18, Self::while_loop));
            }
            if self.has("switch") {
                choices.push((14, Self::switch));
            }
            if self.has("goto") {
                choices.push((8, Self::loop_of_labels));
                choices.push((8, Self::labelled));
            }
        }
        if self.has("break") && breaks {
            choices.push((14, Self::leave_loop));
        }
        if self.has("continue") && in_loop {
            choices.push((14, Self::next_iteration));
        }
        if self.has("goto") && !self.labels.is_empty() {
            choices.push((14, Self::jump));
        }
        if self.has("early-return") && self.depth > 0 {
            choices.push((8, Self::early_return));
        }
    }

    /// The extent of a loop as C text, and what it is at most.
    fn extent(&mut self) -> (String, usize) {
        if self.has("integers") && !self.integers.is_empty() && self.rng.chance(25) {
            // It may change in the loop.
            return (format!("{} % 5", self.rng.pick(&self.integers)), 4);
        }
        let (text, most) =
            *self.rng.pick(&[("n", 5), ("n", 5), ("n", 5), ("3", 3), ("4", 4), ("n - 1", 4), ("n + 1", 6), ("2", 2)]);
        (text.to_owned(), most)
    }

    /// A loop's body, in which `name` is below `limit`.
    fn iteration(&mut self, name: &str, limit: usize, most: usize) -> Vec<Stmt> {
        let mark = self.mark();
        let counter = Some(Counter { name: name.to_owned(), limit });
        self.around.push(Around { counter, owned: self.owned.len(), breaks_loop: true });
        self.depth += 1;
        let body = self.block(most);
        self.depth -= 1;
        self.leave(&mark);
        body
    }

    pub(super) fn counted_loop(&mut self) -> Stmt {
        let (name, (extent, limit)) = (self.fresh("i"), self.extent());
        let body = self.iteration(&name, limit + 1, 4);
        // The counter takes the values 0 to limit in the worst of these forms.
        let head = match self.rng.below(6) {
            0 => format!("for (int {name} = {extent}; {name} > 0; {name}--)"),
            1 => format!("for (int {name} = 0; {name} < {extent}; {name} += 2)"),
            2 => format!("for (int {name} = 1; {name} <= {extent}; {name}++)"),
            3 => format!("for (size_t {name} = 0; (int){name} < {extent}; {name}++)"),
            _ => format!("for (int {name} = 0; {name} < {extent}; {name}++)"),
        };
        Stmt::nested(format!("{head} {{@}}"), vec![], vec![body])
    }

    fn triangular(&mut self) -> Stmt {
        let outer: Vec<Counter> = self.around.iter().filter_map(|a| a.counter.clone()).collect();
        let (outer, name) = (self.rng.pick(&outer).clone(), self.fresh("i"));
        let (head, limit) = match self.rng.below(5) {
            0 => (format!("for (int {name} = (int){}; {name} < n; {name}++)", outer.name), 6),
            1 => (format!("for (int {name} = 0; {name} <= (int){}; {name}++)", outer.name), outer.limit),
            2 => (format!("for (int {name} = (int){}; {name} > 0; {name}--)", outer.name), outer.limit),
            3 => (format!("for (int {name} = (int){} + 1; {name} < 5; {name}++)", outer.name), 6),
            _ => (format!("for (int {name} = 0; {name} < (int){}; {name}++)", outer.name), outer.limit),
        };
        let body = self.iteration(&name, limit + 1, 3);
        Stmt::nested(format!("{head} {{@}}"), vec![], vec![body])
    }

    fn do_loop(&mut self) -> Stmt {
        let name = self.fresh("i");
        let body = self.iteration(&name, 6, 3);
        if self.has("while") && self.depth == 0 && self.rng.chance(40) {
            let condition = self.condition();
            return Stmt::nested(
                format!("int {name} = 0; do {{@}} while (++{name} < 6 && $);"),
                vec![condition],
                vec![body],
            );
        }
        Stmt::nested(format!("int {name} = 0; do {{@}} while (++{name} < n);"), vec![], vec![body])
    }

    /// A condition on a variable that is likely to hold at first.
    fn while_loop(&mut self) -> Stmt {
        let (name, limit) = (self.fresh("i"), self.rng.between(3, 9));
        let value = self.expression(2).0;
        let edge = Node::leaf(Kind::Real, format!("{:.2}", 0.4 + 0.1 * self.rng.below(14) as f64));
        let body = self.iteration(&name, limit + 1, 3);
        let text = match self.rng.below(3) {
            0 => format!("int {name} = 0; while ({name} < {limit} && fabs($) < $) {{ {name}++;@}}"),
            1 => format!("for (int {name} = 0; fabs($) < $ && {name} < {limit}; {name}++) {{@}}"),
            _ => format!("int {name} = 0; for (;;) {{ if ({name} >= {limit} || fabs($) > $) break; {name}++;@}}"),
        };
        Stmt::nested(text, vec![value, edge], vec![body])
    }

    fn switch(&mut self) -> Stmt {
        let index = self.index(4);
        self.depth += 1;
        let mark = self.mark();
        self.around.push(Around { counter: None, owned: self.owned.len(), breaks_loop: false });
        let bodies: Vec<Vec<Stmt>> = (0..4).map(|_| self.block(2)).collect();
        self.leave(&mark);
        self.depth -= 1;
        let through = if self.rng.chance(50) { "" } else { " break;" };
        let text = format!(
            "switch ($) {{ case 0: {{@}}{through} case 1: {{@}} break; case 7: case 2: {{@}}{through} default: {{@}} }}"
        );
        Stmt::nested(text, vec![index], bodies)
    }

    /// A loop made of a label and a jump back.
    fn loop_of_labels(&mut self) -> Stmt {
        let (name, label) = (self.fresh("i"), self.fresh("again"));
        let mark = self.mark();
        // break and continue mean the loop around, so this one counts as none.
        self.depth += 1;
        let body = self.block(3);
        self.depth -= 1;
        self.leave(&mark);
        Stmt::nested(format!("int {name} = 0; {label}: {{@}} if (++{name} < n) goto {label};"), vec![], vec![body])
    }

    /// A block with a label behind it to jump to.
    fn labelled(&mut self) -> Stmt {
        let label = self.fresh("out");
        let mark = self.mark();
        self.labels.push((label.clone(), self.owned.len()));
        self.depth += 1;
        let body = self.block(4);
        self.depth -= 1;
        self.leave(&mark);
        Stmt::nested(format!("{{@}} {label}:;"), vec![], vec![body])
    }

    /// What frees the memory that a jump out of its block leaves behind.
    fn frees(&self, kept: usize) -> String {
        self.owned[kept..].iter().map(|name| format!("free({name}); ")).collect()
    }

    fn leave_loop(&mut self) -> Stmt {
        let condition = self.condition();
        let frees = self.frees(self.around.last().expect("a loop").owned);
        Stmt::plain(format!("if ($) {{ {frees}break; }}"), vec![condition])
    }

    fn next_iteration(&mut self) -> Stmt {
        let condition = self.condition();
        let inner = self.around.iter().rev().find(|a| a.breaks_loop).expect("a loop");
        let frees = self.frees(inner.owned);
        Stmt::plain(format!("if ($) {{ {frees}continue; }}"), vec![condition])
    }

    fn jump(&mut self) -> Stmt {
        let condition = self.condition();
        let (label, owned) = self.rng.pick(&self.labels).clone();
        let frees = self.frees(owned);
        Stmt::plain(format!("if ($) {{ {frees}goto {label}; }}"), vec![condition])
    }

    fn early_return(&mut self) -> Stmt {
        let condition = self.condition();
        let frees = self.frees(0);
        if self.returns == Returns::Nothing {
            return Stmt::plain(format!("if ($) {{ {frees}return; }}"), vec![condition]);
        }
        let value = self.bounded();
        if frees.is_empty() {
            return Stmt::plain("if ($) return $;", vec![condition, value]);
        }
        let name = self.fresh("r");
        Stmt::plain(format!("if ($) {{ double {name} = $; {frees}return {name}; }}"), vec![condition, value])
    }
}

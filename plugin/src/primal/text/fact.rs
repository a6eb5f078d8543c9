//! Reads what is known of loops and instructions: what `facts` would ask LLVM about.

use super::Parsed;
use super::lex::Line;
use super::read::Reader;
use crate::facts::scalar::LoopFacts;
use crate::primal::{BlockId, Expr, LoopId, Op, Schedule, ValueId};

impl Reader {
    /// `loop L0 b2 trip EXPR most EXPR parallel SCHEDULE`, `loop` already taken.
    pub(super) fn loops(&self, lines: Vec<Line>) -> Result<Vec<LoopFacts>, String> {
        let mut facts = vec![LoopFacts::default(); self.primal.loops.len()];
        for mut line in lines {
            let l = line.id("L", "a loop")?;
            let header = BlockId(line.id("b", "a block")?);
            if self.primal.loops.get(l as usize).is_none_or(|l| l.header != header) {
                return Err(line.error(&format!("the loop at {header:?} is not L{l}")));
            }
            let parent = self.primal.loops[l as usize].parent;
            let LoopFacts { trip, most, parallel } = &mut facts[l as usize];
            for (word, fact) in [("trip", trip), ("most", most)] {
                if line.eat_word(word) {
                    let e = self.expr(&mut line)?;
                    self.within(&e, parent, &line)?;
                    *fact = Some(e);
                }
            }
            if line.eat_word("parallel") {
                let word = line.word("a schedule")?;
                let known = Schedule::ALL.iter().find(|(_, name)| *name == word);
                *parallel = Some(known.ok_or_else(|| line.error(&format!("there is no schedule {word}")))?.0);
            }
            line.end()?;
        }
        Ok(facts)
    }

    /// An expression reads the iteration numbers of the loops around it only.
    fn within(&self, e: &Expr, innermost: Option<LoopId>, line: &Line) -> Result<(), String> {
        let nest = self.primal.nest(innermost);
        match e.loops().into_iter().find(|l| !nest.contains(l)) {
            Some(l) => Err(line.error(&format!("an iteration number of {l:?} outside that loop"))),
            None => Ok(()),
        }
    }

    /// The facts behind an instruction; whether it is said to be active.
    pub(super) fn facts(&self, v: ValueId, mut line: Line, parsed: &mut Parsed) -> Result<bool, String> {
        let mut active = false;
        let load = self.primal.op(v) == Some(&Op::Load);
        while line.eat(";") {
            let before = line.clone();
            match line.word("a fact")?.as_str() {
                "active" => active = true,
                "closed" => {
                    let e = self.expr(&mut line)?;
                    self.within(&e, self.primal.loop_of_value(v), &before)?;
                    parsed.closed[v.index()] = Some(e);
                }
                "bytes" if matches!(self.primal.op(v), Some(Op::Alloca | Op::Allocate(_))) => {
                    drop(parsed.sizes.insert(v, self.expr(&mut line)?));
                }
                "stable" if load => {}
                "integer" if load || self.primal.op(v) == Some(&Op::Store) => {
                    parsed.primal.integers.insert(v);
                }
                "piece" if load || self.primal.op(v) == Some(&Op::Store) => {
                    parsed.primal.pieces.insert(v);
                }
                "overwritten" if load || self.primal.op(v) == Some(&Op::Copy) => {
                    if !line.eat_word("by") {
                        return Err(line.wanted("'by'"));
                    }
                    parsed.overwriters[v.index()] = Some(self.known(&mut line)?);
                }
                _ => return Err(before.wanted("bytes, closed, overwritten, stable, integer, piece or active")),
            }
        }
        line.end()?;
        Ok(active)
    }
}

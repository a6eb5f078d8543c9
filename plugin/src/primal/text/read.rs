//! Reads the text form: definitions first, since phis use values defined later; then operands; then facts.
//!
//! Ids are given in the order in which `facts::import` gives them: parameters, instructions and terminators block by block,
//! then constants and globals where they are first used.

use super::lex::{Line, Token};
use super::{Parsed, check};
use crate::library;
use crate::primal::{
    Allocation, Block, BlockId, Def, Effect, Holding, Inst, Offset, Op, Primal, Term, Ty, ValueId, cfg,
};
use crate::request::{Activity, Mode, Variant};
use crate::rules;
use indexmap::IndexMap;

pub(super) const MODES: [(&str, Mode); 4] = [
    ("reverse", Mode::Reverse),
    ("forward", Mode::Forward),
    ("augmented", Mode::AugmentedForward),
    ("split", Mode::SplitReverse),
];

pub(super) const ACTIVITIES: [(&str, Activity); 4] =
    [("const", Activity::Const), ("dup", Activity::Dup), ("dupnoneed", Activity::DupNoNeed), ("out", Activity::Out)];

/// Operations that are a single word, with their number of operands where it is fixed.
pub(super) const OPS: [(&str, Op, Option<usize>); 16] = [
    ("pure", Op::Pure, None),
    ("trapping", Op::Trapping, Some(2)),
    ("select", Op::Select, Some(3)),
    ("freeze", Op::Freeze, Some(1)),
    ("bits", Op::Bits, Some(1)),
    ("load", Op::Load, Some(1)),
    ("store", Op::Store, Some(2)),
    ("alloca", Op::Alloca, Some(1)),
    ("allocate", Op::Allocate(Allocation { zeroed: false, local: false, own: false }), None),
    ("allocate_zeroed", Op::Allocate(Allocation { zeroed: true, local: false, own: false }), None),
    ("allocate_local", Op::Allocate(Allocation { zeroed: false, local: true, own: false }), None),
    ("allocate_own", Op::Allocate(Allocation { zeroed: false, local: false, own: true }), None),
    ("free", Op::Free, Some(1)),
    ("fill", Op::Fill, Some(3)),
    ("copy", Op::Copy, Some(3)),
    ("terminator", Op::Terminator, None),
];

/// Effects by name; where some arguments are written, by which.
pub(super) const EFFECTS: [(&str, Effect); 11] = [
    ("nothing", Effect::None),
    ("anything", Effect::Anything),
    ("outside", Effect::Outside),
    ("arguments", Effect::Writes(library::ALL)),
    ("first", Effect::Writes(library::FIRST)),
    ("second", Effect::Writes(library::SECOND)),
    ("third", Effect::Writes(library::THIRD)),
    ("first-two", Effect::Writes(library::FIRST | library::SECOND)),
    ("first-and-third", Effect::Writes(library::FIRST | library::THIRD)),
    ("from-second", Effect::Writes(library::FROM_SECOND)),
    ("from-third", Effect::Writes(library::FROM_THIRD)),
];

/// A type by its name.
pub(super) fn type_of(word: &str) -> Option<Ty> {
    Some(match word {
        "void" => Ty::Void,
        "float" => Ty::Float,
        "double" => Ty::Double,
        "extended" => Ty::Extended,
        "ptr" => Ty::Ptr,
        "other" => Ty::Other,
        _ => Ty::Int(word.strip_prefix('i')?.parse().ok()?),
    })
}

/// `8 step 16`; nothing: anywhere.
fn offset(line: &mut Line) -> Result<Offset, String> {
    let number = |line: &mut Line| match line.peek() {
        Some(Token::Word(word)) => word.parse::<i64>().ok().inspect(|_| drop(line.next())),
        _ => None,
    };
    let Some(at) = number(line) else { return Ok(Offset::ANY) };
    if !line.eat_word("step") {
        return Ok(Offset::new(at, 0));
    }
    let step =
        number(line).and_then(|step| u64::try_from(step).ok()).ok_or_else(|| line.wanted("a number of bytes"))?;
    Ok(Offset::new(at, step))
}

fn lookup<T: Clone>(table: &[(&str, T)], line: &mut Line, what: &str) -> Result<T, String> {
    let before = line.clone();
    let word = line.word(what)?;
    table.iter().find(|(name, _)| *name == word).map(|(_, t)| t.clone()).ok_or_else(|| before.wanted(what))
}

/// What has been read.
pub(super) struct Reader {
    pub(super) primal: Primal,
    names: IndexMap<String, ValueId>,
    constants: IndexMap<(Ty, String), ValueId>,
    globals: IndexMap<String, ValueId>,
    returns: Ty,
}

/// A block with the unread rest of its instructions.
pub(super) struct Body {
    pub(super) label: Line,
    pub(super) insts: Vec<(ValueId, Line)>,
    pub(super) term: Option<Line>,
}

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<Parsed, String> {
    let (mut reader, variant, mut bodies, loops) = define(text)?;
    for (b, body) in bodies.iter_mut().enumerate() {
        let block = reader.block(BlockId(b as u32), body)?;
        reader.primal.blocks.push(block);
    }
    reader.targets(&bodies)?;
    check::flow(&reader.primal, &bodies)?;
    cfg::find_loops(&mut reader.primal).map_err(|(b, what)| bodies[b.index()].label.error(what))?;
    check::loops(&reader.primal, &bodies)?;
    let count = reader.primal.values.len();
    let loop_facts = reader.loops(loops)?;
    let mut parsed = Parsed {
        variant,
        loops: loop_facts,
        closed: vec![None; count],
        sizes: Default::default(),
        overwriters: vec![None; count],
        primal: Primal::default(),
    };
    let mut active = Vec::new();
    for (v, line) in bodies.into_iter().flat_map(|b| b.insts) {
        if reader.facts(v, line.clone(), &mut parsed)? {
            active.push((v, line));
        }
    }
    parsed.primal = reader.primal;
    let facts = parsed.facts();
    match active.iter().find(|(v, _)| !facts.is_active(*v)) {
        Some((v, line)) => Err(line.error(&format!("{} is not active", parsed.primal.show(*v)))),
        None => Ok(parsed),
    }
}

type Defined = (Reader, Variant, Vec<Body>, Vec<Line>);

/// The first pass: gives ids to everything that is defined.
fn define(text: &str) -> Result<Defined, String> {
    let lines = text.lines().enumerate().map(|(i, text)| Line::new(i + 1, text));
    let lines: Vec<Line> = lines.filter(|l| !l.as_ref().is_ok_and(Line::is_empty)).collect::<Result<_, _>>()?;
    let mut lines = lines.into_iter();
    let (mut reader, variant) = header(lines.next().ok_or("the text is empty")?)?;
    let mut bodies: Vec<Body> = Vec::new();
    let mut loops = Vec::new();
    for mut line in lines {
        if line.eat_word("loop") {
            loops.push(line);
        } else if line.peek_second() == Some(&Token::Sign(":")) {
            let label = line.clone();
            let number = line.id("b", "a block")? as usize;
            line.expect(":")?;
            line.end()?;
            if number != bodies.len() {
                return Err(label.error(&format!("blocks are numbered in order: this is b{}", bodies.len())));
            }
            bodies.push(Body { label, insts: vec![], term: None });
        } else {
            let body = bodies.last_mut().ok_or_else(|| line.wanted("a block"))?;
            reader.define(line, body)?;
        }
    }
    match bodies.iter().find(|b| b.term.is_none()) {
        Some(body) => Err(body.label.error("the block has no end")),
        None if bodies.is_empty() => Err("there is no block".to_string()),
        None => Ok((reader, variant, bodies, loops)),
    }
}

/// `reverse f(ptr %x dup, i32 %n const) -> double active returned`
fn header(mut line: Line) -> Result<(Reader, Variant), String> {
    let mode = lookup(&MODES, &mut line, "reverse or forward")?;
    let name = line.text("the name of the function")?;
    let mut reader = Reader {
        primal: Primal::named(&name),
        names: IndexMap::new(),
        constants: IndexMap::new(),
        globals: IndexMap::new(),
        returns: Ty::Void,
    };
    let mut arguments = Vec::new();
    line.expect("(")?;
    while !line.eat(")") {
        if !arguments.is_empty() {
            line.expect(",")?;
        }
        let ty = reader.ty(&mut line)?;
        let id = reader.name(&mut line, ty, Def::Arg(arguments.len() as u32))?;
        reader.primal.args.push(id);
        arguments.push(lookup(&ACTIVITIES, &mut line, "const, dup, dupnoneed or out")?);
    }
    line.expect("->")?;
    reader.returns = reader.ty(&mut line)?;
    let active_return = line.eat_word("active");
    let primal_return = line.eat_word("returned");
    let width = if line.eat_word("width") {
        let word = line.word("a number")?;
        word.parse().map_err(|_| line.error("the width is a number"))?
    } else {
        1
    };
    line.end()?;
    Ok((
        reader,
        Variant {
            function: name,
            mode,
            arguments,
            active_return,
            primal_return,
            shadow_return: false,
            maybe: false,
            inner: false,
            globals: std::collections::BTreeSet::new(),
            width,
        },
    ))
}

impl Reader {
    fn ty(&self, line: &mut Line) -> Result<Ty, String> {
        let before = line.clone();
        type_of(&line.word("a type")?).ok_or_else(|| before.wanted("a type"))
    }

    /// A new name.
    fn name(&mut self, line: &mut Line, ty: Ty, def: Def) -> Result<ValueId, String> {
        let Some(Token::Local(name)) = line.next() else { return Err(line.error("a name is missing")) };
        let id = self.primal.add(ty, def, name.clone());
        match self.names.insert(name.clone(), id) {
            None => Ok(id),
            Some(_) => Err(line.error(&format!("%{name} is defined twice"))),
        }
    }

    fn define(&mut self, mut line: Line, body: &mut Body) -> Result<(), String> {
        if body.term.is_some() {
            return Err(line.error("the block has ended"));
        }
        let word = match line.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => return Err(line.wanted("an instruction")),
        };
        if matches!(word.as_str(), "goto" | "branch" | "return" | "unreachable") {
            self.primal.add(Ty::Void, Def::Const, String::new());
            body.term = Some(line);
        } else if matches!(line.peek_second(), Some(Token::Local(_))) && type_of(&word).is_some() {
            let ty = self.ty(&mut line)?;
            let id = self.name(&mut line, ty, Def::Const)?;
            line.expect("=")?;
            body.insts.push((id, line));
        } else {
            let id = self.primal.add(Ty::Void, Def::Const, String::new());
            body.insts.push((id, line));
        }
        Ok(())
    }

    /// An operand that some instruction has or defines.
    pub(super) fn known(&self, line: &mut Line) -> Result<ValueId, String> {
        let found = match line.next() {
            Some(Token::Local(name)) => self.names.get(&name),
            Some(Token::Global(name)) => self.globals.get(&name),
            Some(Token::Word(word)) if word == "const" => match line.next() {
                Some(Token::Global(name)) => self.globals.get(&name),
                _ => None,
            },
            Some(Token::Word(word)) => match type_of(&word) {
                Some(ty) => self.constants.get(&(ty, line.text("a constant")?)),
                None => None,
            },
            _ => None,
        };
        found.copied().ok_or_else(|| line.error("this value is not defined"))
    }

    fn operand(&mut self, line: &mut Line) -> Result<ValueId, String> {
        let holding = match (line.eat_word("const"), line.eat_word("inactive")) {
            (true, _) => Holding::Constants,
            (_, true) => Holding::Inactive,
            _ => Holding::Variables,
        };
        match line.peek().cloned() {
            Some(Token::Global(name)) => {
                line.next();
                if let Some(&id) = self.globals.get(&name) {
                    let same = self.primal.value(id).def == Def::Global(holding);
                    return if same { Ok(id) } else { Err(line.error(&format!("@{name} holds two kinds of things"))) };
                }
                let id = self.primal.add(Ty::Ptr, Def::Global(holding), name.clone());
                self.globals.insert(name, id);
                Ok(id)
            }
            Some(Token::Local(_)) if holding == Holding::Variables => self.known(line),
            Some(Token::Word(_)) if holding == Holding::Variables => {
                let ty = self.ty(line)?;
                let text = line.text("a constant")?;
                let key = (ty, text.clone());
                if let Some(&id) = self.constants.get(&key) {
                    return Ok(id);
                }
                let id = self.primal.add(ty, Def::Const, text);
                self.constants.insert(key, id);
                Ok(id)
            }
            _ => Err(line.wanted("an operand")),
        }
    }

    /// The second pass over a block.
    fn block(&mut self, id: BlockId, body: &mut Body) -> Result<Block, String> {
        let mut insts = Vec::new();
        for (v, line) in &mut body.insts {
            let inst = self.instruction(id, line)?;
            self.primal.values[v.index()].def = Def::Inst(inst);
            insts.push(*v);
        }
        let line = body.term.as_mut().expect("every block has an end");
        let term = match line.word("the end of the block")?.as_str() {
            "goto" => Term::Goto(BlockId(line.id("b", "a block")?)),
            "branch" => {
                let condition = self.operand(line)?;
                line.expect(",")?;
                let then = BlockId(line.id("b", "a block")?);
                line.expect(",")?;
                let other = BlockId(line.id("b", "a block")?);
                match (self.primal.ty(condition), then == other) {
                    (Ty::Int(1), false) => Term::Branch(condition, then, other),
                    (_, true) => return Err(line.error("a branch has two targets; write 'goto'")),
                    _ => return Err(line.error("a branch needs an i1")),
                }
            }
            "return" => {
                let value = if line.is_empty() { None } else { Some(self.operand(line)?) };
                if value.map_or(Ty::Void, |v| self.primal.ty(v)) != self.returns {
                    return Err(line.error("the function returns another type"));
                }
                Term::Return(value)
            }
            _ => Term::Unreachable,
        };
        line.end()?;
        Ok(Block { insts, term })
    }

    fn instruction(&mut self, block: BlockId, line: &mut Line) -> Result<Inst, String> {
        let (op, arity) = self.op(line)?;
        let mut inst = Inst { op, operands: vec![], block, loc: (0, 0) };
        let ends = |line: &Line| {
            line.is_empty() || line.peek() == Some(&Token::Sign(";")) || line.peek() == Some(&Token::Word("at".into()))
        };
        while !ends(line) {
            if !inst.operands.is_empty() {
                line.expect(",")?;
            }
            match &mut inst.op {
                Op::Phi(blocks) => {
                    line.expect("[")?;
                    inst.operands.push(self.operand(line)?);
                    line.expect(",")?;
                    blocks.push(BlockId(line.id("b", "a block")?));
                    line.expect("]")?;
                }
                _ => inst.operands.push(self.operand(line)?),
            }
        }
        if let Some(n) = arity.filter(|&n| n != inst.operands.len()) {
            return Err(line.error(&format!("expected {n} operands, found {}", inst.operands.len())));
        }
        if line.eat_word("at") {
            inst.loc.0 = line.id("", "a line")?;
            if line.eat(":") {
                inst.loc.1 = line.id("", "a column")?;
            }
        }
        Ok(inst)
    }

    fn op(&self, line: &mut Line) -> Result<(Op, Option<usize>), String> {
        let before = line.clone();
        let word = line.word("an operation")?;
        Ok(match word.as_str() {
            "phi" => (Op::Phi(vec![]), None),
            "gep" => (Op::Gep(offset(line)?), None),
            "rule" => {
                let name = line.word("a rule")?;
                let rule = rules::by_name(&name).ok_or_else(|| before.error(&format!("there is no rule '{name}'")))?;
                (Op::Rule(rule), Some(rules::row(rule).arity))
            }
            "inactive" => (Op::Inactive(lookup(&EFFECTS, line, "nothing, arguments or outside")?), None),
            "call" => (Op::Call(line.text("a name")?), None),
            "unsupported" => (Op::Unsupported(line.text("a text")?), None),
            _ => {
                let found = OPS.iter().find(|(name, ..)| *name == word);
                found.map(|(_, op, n)| (op.clone(), *n)).ok_or_else(|| before.wanted("an operation"))?
            }
        })
    }

    /// Every block that is named exists.
    fn targets(&self, bodies: &[Body]) -> Result<(), String> {
        for (i, body) in bodies.iter().enumerate() {
            let count = bodies.len() as u32;
            let inst = |v: &ValueId| self.primal.inst(*v).map(|i| &i.op);
            let phis = body.insts.iter().filter_map(|(v, line)| match inst(v) {
                Some(Op::Phi(blocks)) => Some((blocks.clone(), line)),
                _ => None,
            });
            let end = (self.primal.successors(BlockId(i as u32)), body.term.as_ref().unwrap_or(&body.label));
            for (blocks, line) in phis.chain([end]) {
                if let Some(b) = blocks.iter().find(|b| b.0 >= count) {
                    return Err(line.error(&format!("there is no block {b:?}")));
                }
            }
        }
        Ok(())
    }
}

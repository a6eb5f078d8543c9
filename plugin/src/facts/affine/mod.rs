//! Which stores never write what a load read before, by exact integer sets.
//!
//! `stability` says that a store may overwrite what a load read if it may be executed later and the memory is the same at any offset. In
//! `A[i*n + j] -= A[i*n + k] * A[k*n + j]` all that is loaded would be overwritten then. Here both addresses are polynomials in
//! iteration numbers and in numbers that never change, from one base (`exact`, `place`), and the points at which each is executed are bounded by
//! trip counts and conditions (`points`). A store never hits a load's memory if no pair of such points exists where the store comes after
//! the load and both places have a byte in common: a set of integers that isl shows to be empty.
//!
//! What is a superset (points that are not executed, an order that is not possible) is safe, what may wrap is not: all is shown for exact
//! integers. Sizes of 64 bits wrap for all that is known; numbers that can be tested on entry may be taken to be small, and a gradient is then made
//! twice, for the two outcomes (`emit/versions.rs`). Cost: isl has so many operations for a function (`WORK`); when they are used up, what is asked then is not known.

mod exact;
mod place;
mod points;
mod question;

use super::import::Imported;
use super::overlap;
use super::scalar::LoopFacts;
use crate::primal::{BlockId, Expr, LoopId, Op, Primal, Ty, ValueId, cfg};
use crate::revprog::poly::Poly;
use indexmap::IndexMap;
use place::Place;
use points::Points;
use polly_sys::{Ctx, Set};
use question::{Question, Side};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Operations of isl for a function: some tens of milliseconds.
const WORK: u64 = 2_000_000;
/// Where numbers are taken to be small, they are neither negative nor larger than this.
pub const SMALL: i64 = 1 << 26;
/// Blocks beyond which nothing is asked.
const LARGE: usize = 1000;

/// An integer that is computed once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Number {
    /// A value, seen as a signed number.
    Signed(ValueId),
    /// A value, seen as an unsigned number.
    Unsigned(ValueId),
}

/// What is known of such an integer beside its type.
enum Meaning {
    Nothing,
    /// It is this sum.
    Sum(Poly),
    /// It is the quotient of a sum by a positive constant, rounded towards zero.
    Quotient(Poly, i64),
}

/// Answers questions about one function.
pub struct Affine<'a> {
    imported: &'a Imported,
    primal: &'a Primal,
    loops: &'a [LoopFacts],
    closed: &'a [Option<Expr>],
    dominators: cfg::Dominators,
    predecessors: Vec<Vec<BlockId>>,
    ctx: Ctx,
    /// Whether sets are empty, by their text.
    answers: BTreeMap<String, Option<bool>>,
    /// Integers that are computed once; polynomials have them by their places here.
    numbers: IndexMap<Number, Meaning>,
    exact: BTreeMap<ValueId, Option<Poly>>,
    points: BTreeMap<BlockId, Rc<Points>>,
    places: BTreeMap<ValueId, Option<Place>>,
    /// Whether numbers that are known on entry are taken to be small.
    small: bool,
    /// Those of which that was used.
    limited: RefCell<BTreeSet<ValueId>>,
    /// Whether some question had no answer.
    undecided: bool,
    /// By block and innermost loop around both: the blocks that follow in the same iteration.
    following: BTreeMap<(BlockId, Option<LoopId>), BTreeSet<BlockId>>,
}

impl<'a> Affine<'a> {
    /// Nothing is asked yet.
    pub fn new(imported: &'a Imported, loops: &'a [LoopFacts], closed: &'a [Option<Expr>], small: bool) -> Self {
        let primal = &imported.primal;
        let ctx = Ctx::new();
        ctx.limit(WORK);
        Affine {
            imported,
            primal,
            loops,
            closed,
            dominators: cfg::Dominators::new(primal),
            predecessors: cfg::predecessors(primal),
            ctx,
            answers: BTreeMap::new(),
            numbers: IndexMap::new(),
            exact: BTreeMap::new(),
            points: BTreeMap::new(),
            places: BTreeMap::new(),
            small,
            limited: RefCell::new(BTreeSet::new()),
            undecided: false,
            following: BTreeMap::new(),
        }
    }

    /// Whether no execution of a store writes what an earlier execution of a load read.
    pub fn never_overwrites(&mut self, store: ValueId, load: ValueId) -> bool {
        let answer = self.overwrites(store, load);
        self.undecided |= answer.is_none() && self.is_in_reach(store, load);
        answer == Some(false)
    }

    /// The numbers that have to be small for all answers to hold.
    pub fn limited(&self) -> Vec<ValueId> {
        self.limited.borrow().iter().copied().collect()
    }

    /// Whether small numbers might have led to more answers.
    pub fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Whether a load in a loop and a store through one base have no answer.
    fn is_in_reach(&self, store: ValueId, load: ValueId) -> bool {
        let pointer = |v: ValueId| self.primal.inst(v).and_then(|i| i.operands.last().copied());
        let root = |v: ValueId| {
            let mut at = pointer(v)?;
            while let Some(inst) = self.primal.inst(at).filter(|i| matches!(i.op, Op::Gep(_))) {
                at = inst.operands[0];
            }
            Some(at)
        };
        let stores = self.primal.op(store) == Some(&Op::Store);
        stores && self.primal.loop_of_value(load).is_some() && root(store) == root(load)
    }

    /// The least and the most that a number can be.
    fn bounds(&self, number: u32) -> (i128, i128) {
        let (v, signed) = match self.numbers.get_index(number as usize) {
            Some((Number::Signed(v), _)) => (*v, true),
            Some((Number::Unsigned(v), _)) => (*v, false),
            None => unreachable!("numbers are entered first"),
        };
        let Ty::Int(bits) = self.primal.ty(v) else { unreachable!("numbers are integers") };
        let small = i128::from(SMALL);
        if self.small && signed && 1 << (bits - 1) > small && overlap::is_early(self.primal, v, overlap::DEPTH) {
            self.limited.borrow_mut().insert(v);
            return (0, small);
        }
        if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// Whether a set is empty.
    fn answered(&mut self, text: String) -> Option<bool> {
        if let Some(&known) = self.answers.get(&text) {
            return known;
        }
        let answer = Set::read(&self.ctx, &text).and_then(|s| s.is_empty()).ok();
        self.answers.insert(text, answer);
        answer
    }

    fn overwrites(&mut self, store: ValueId, load: ValueId) -> Option<bool> {
        if self.primal.blocks.len() > LARGE {
            return None;
        }
        let (writer, reader) = (self.primal.inst(store)?, self.primal.inst(load)?);
        if writer.op != Op::Store || reader.op != Op::Load {
            return None;
        }
        let size = |v: ValueId| Some(self.primal.ty(v).bytes() as i64).filter(|n| *n > 0);
        let (written, read) = (size(writer.operands[0])?, size(load)?);
        let [to, from] = [self.place(writer.operands[1])?, self.place(reader.operands[0])?];
        if to.base != from.base {
            return None;
        }
        let strides = place::strides(&[&to.bytes, &from.bytes]);
        // Where the first row starts is not known: at the base, or at a constant that is in an address.
        let starts = [0, place::constant(&to.bytes), place::constant(&from.bytes)];
        let (to, from) = starts.into_iter().take(if strides.is_empty() { 1 } else { 3 }).find_map(|start| {
            let [to, from] = [&to.bytes, &from.bytes].map(|bytes| bytes.plus(&Poly::constant(start.checked_neg()?)));
            let to = self.subscripts(&to?, written, &strides, writer.block)?;
            Some((to, self.subscripts(&from?, read, &strides, reader.block)?))
        })?;
        let mut meet = Question::default();
        self.executed(&mut meet, reader.block, Side::First)?;
        self.executed(&mut meet, writer.block, Side::Second)?;
        for (a, b) in from.rows.iter().zip(&to.rows) {
            meet.equal(self, (a, Side::First), (b, Side::Second))?;
        }
        // The byte ranges have one in common.
        meet.less(self, (&from.column, Side::First), (&to.column.plus(&Poly::constant(written))?, Side::Second))?;
        meet.less(self, (&to.column, Side::Second), (&from.column.plus(&Poly::constant(read))?, Side::First))?;
        self.ever_later(&meet, (load, reader.block), (store, writer.block))
    }

    /// Whether a condition on two executions holds for any two of which the second is later.
    fn ever_later(
        &mut self,
        meet: &Question,
        (first, a): (ValueId, BlockId),
        (second, b): (ValueId, BlockId),
    ) -> Option<bool> {
        let nests = [a, b].map(|block| self.primal.nest(self.primal.loop_of[block.index()]));
        let common: Vec<LoopId> = nests[0].iter().zip(&nests[1]).take_while(|(x, y)| x == y).map(|(x, _)| *x).collect();
        if self.follows((first, a), (second, b), common.last().copied()) {
            let mut same = meet.clone();
            common.iter().for_each(|l| same.same_iteration(*l));
            if !same.is_empty(self)? {
                return Some(true);
            }
        }
        for (depth, l) in common.iter().enumerate() {
            let mut later = meet.clone();
            common[..depth].iter().for_each(|outer| later.same_iteration(*outer));
            later.later_iteration(*l);
            if !later.is_empty(self)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether an instruction may be executed after another one in the same iteration of the innermost loop around both.
    fn follows(&mut self, (first, a): (ValueId, BlockId), (second, b): (ValueId, BlockId), l: Option<LoopId>) -> bool {
        let place = |v: ValueId, block: BlockId| self.primal.blocks[block.index()].insts.iter().position(|i| *i == v);
        if a == b && place(second, b) > place(first, a) {
            return true;
        }
        let primal = self.primal;
        let found = self.following.entry((a, l)).or_insert_with(|| {
            let header = l.map(|l| primal.loops[l.index()].header);
            let goes_on = |s: &BlockId| Some(*s) != header && l.is_none_or(|l| primal.is_block_in(*s, l));
            let (mut found, mut work) = (BTreeSet::new(), vec![a]);
            while let Some(block) = work.pop() {
                work.extend(primal.successors(block).into_iter().filter(goes_on).filter(|s| found.insert(*s)));
            }
            found
        });
        found.contains(&b)
    }
}

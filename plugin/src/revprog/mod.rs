//! The reverse program: what a derivative does, as data.
//!
//! A small tree of loops and statements over the ids of the primal. `build` makes it, `schedule` rewrites loops in it,
//! `store` decides where its values come from, `emit` turns it into LLVM and decides nothing.
//!
//! Every iteration of a loop has a number from 0; a loop executes its body, and between two iterations `between`, which
//! moves values from one iteration to the next. A sweep that goes down visits the same iterations in the opposite order.
//! Values are wanted at the iteration point of the statement that wants them.

pub mod poly;
pub mod show;
mod slots;

use crate::primal::{Expr, Join, LoopId, Ty, ValueId, id};
use crate::rules::RuleId;
use poly::Poly;
use std::collections::BTreeSet;

id!(
    /// A node of the tree.
    NodeId, "n");
id!(
    /// A tape slot.
    SlotId, "s");

/// A derivative as a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RevProg {
    /// All nodes; the tree refers to them by id.
    pub nodes: Vec<Node>,
    /// The forward sweep.
    pub forward: NodeId,
    /// The reverse sweep; none in forward mode.
    pub reverse: Option<NodeId>,
    /// Where each value that the reverse sweep wants comes from (by value id; filled by `store`).
    pub sources: Vec<Option<Source>>,
    /// Tape slots (made by `store`).
    pub slots: Vec<Slot>,
    /// How slots number their iteration points (made by `store`).
    pub shapes: Vec<Shape>,
    /// Copies of memory that could be taken; those that are have a slot (made by `store`).
    pub snapshots: Vec<Snapshot>,
    /// Loops of which snapshots are kept, for reports: how many at most, and what one of them holds.
    pub checkpoints: Vec<(LoopId, ValueId, Vec<String>)>,
    /// Groups of slots that are allocated together (made by `store`).
    pub tapes: Vec<Tape>,
    /// Sums of the primal, and products that are added to them, whose bits nobody sees: where they are run they may be
    /// computed in any order (found by `store`).
    pub free: BTreeSet<(Segment, ValueId)>,
    /// Every decision, for reports.
    pub why: Vec<Decision>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// One after the other.
    Seq(Vec<NodeId>),
    /// A loop.
    Loop(LoopNode),
    /// One of two.
    If(Condition, NodeId, NodeId),
    /// Control flow that does not nest: a DAG of items, entered at the first one, never transformed.
    Region(Vec<Item>),
    /// In the reverse sweep, what is wanted of one iteration of a loop, run forward again.
    Replay(LoopId, NodeId),
    /// A statement.
    Stmt(Act),
}

/// A loop over the iterations of a primal loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopNode {
    /// Whose iterations.
    pub of: LoopId,
    /// How many.
    pub trip: Trip,
    /// In which order.
    pub direction: Direction,
    /// How they may be executed.
    pub exec: Exec,
    /// One iteration.
    pub body: NodeId,
    /// What happens between two consecutive iterations.
    pub between: NodeId,
}

/// How many iterations a loop has; at least one.
#[derive(Clone, Debug, PartialEq)]
pub enum Trip {
    /// A closed form, in 64 bits.
    Closed(Expr),
    /// A value: the count kept by the forward sweep.
    Value(ValueId),
    /// As long as the iteration ends by edge 0 of `Join::End`.
    WhileGoingOn,
    /// As long as a condition holds at the end of an iteration.
    While(Condition),
}

/// Order of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// 0, 1, 2 ...
    Up,
    /// Last first.
    Down,
}

/// How iterations may be executed. Parallel forms are added with the phases that make them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exec {
    /// One after the other.
    Serial,
}

/// A condition of the control flow.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A value of the primal is true (or false).
    Value(ValueId, bool),
    /// The iteration of that loop ends by one of these edges of its `Join::End`.
    EndsBy(LoopId, Vec<u32>),
    /// The adjoint in the register of one of these values is not zero.
    PassesOn(Vec<ValueId>),
}

/// A node of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What happens.
    pub body: NodeId,
    /// Where it goes on.
    pub next: Next,
}

/// Where a region goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// To an item.
    Goto(usize),
    /// To the first item if the condition holds, else to the second.
    Branch(Condition, usize, usize),
    /// By the number of the edge that a join was reached by.
    Which(Join, Vec<usize>),
    /// The end of the region.
    End,
}

/// A place that adjoints and tangents are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The register of a value.
    Register(ValueId),
    /// The shadow of the memory that a pointer leads to, at the pointer's present value.
    Shadow(ValueId),
}

/// What a derivative is multiplied by.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// One: the value is passed on.
    One,
    /// A partial derivative of a rule.
    Partial {
        /// The rule.
        rule: RuleId,
        /// The operand that is differentiated by.
        operand: usize,
        /// The instruction that applies the rule.
        of: ValueId,
        /// Whether a derivative of exactly zero stays zero whatever the partial is (0 * inf).
        strong: bool,
    },
    /// One if the condition has this value, else zero.
    Chosen(ValueId, bool),
}

/// One addition to a derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The derivative that is passed on: the adjoint taken from, or the tangent of, this value.
    pub from: ValueId,
    /// What it is multiplied by.
    pub factor: Factor,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Executes an instruction of the primal, or makes a value added by `build` available.
    Primal(ValueId),
    /// Executes a load of the primal on a copy of its memory; which snapshot.
    LoadCopy(ValueId, u32),
    /// Gives phis their values, all at once, for an edge of the control flow.
    Move(Vec<(ValueId, ValueId)>),
    /// Gives pointer phis the shadow addresses that go with their values, for an edge.
    MoveShadows(Vec<(ValueId, ValueId)>),
    /// Notes by which edge a join is reached.
    Note(Join, u32),
    /// Remembers what a store is about to overwrite.
    Save(ValueId),
    /// Undoes a store: memory holds what it held before, the value that was stored is remembered.
    Undo(ValueId),
    /// Stores again what was undone.
    Redo(ValueId),
    /// Ends a path that never returns.
    Unreachable,
    /// Sets the value that the function returns.
    Return(ValueId),
    /// Keeps a value on the tape.
    Keep(SlotId, ValueId),
    /// Copies memory to the tape: which snapshot.
    Snapshot(u32),
    /// Gets the memory of a tape, before the outermost loop of its slots.
    Allocate(u32),
    /// Notes where the iterations of an inner root start on its tape, in the slot for that, and makes room for them where
    /// their number is known.
    Start(u32),
    /// Makes room for one more iteration of the root of a tape.
    Grow(u32),
    /// Finds in the reverse sweep what `Start` noted.
    Find(u32),
    /// Gives the memory of a tape back.
    Release(u32),
    /// Stores the shadow of a pointer to the shadow of the memory that the pointer is stored to; the store.
    StoreShadow(ValueId),
    /// Copies the pointers in the shadow of a block that is copied; the copy.
    CopyShadows(ValueId),
    /// Gives back the memory that the primal gave back, and local arrays, with their shadows.
    ReleaseMemory,

    /// Prepares for snapshots of the state of a checkpointed loop.
    OpenSnapshots(LoopId),
    /// Before an iteration of it: takes a snapshot if one is planned.
    PassSnapshots(LoopId),
    /// The reverse sweep has come to it: remembers what is in memory.
    TurnSnapshots(LoopId),
    /// Brings back the state before an iteration: from the last snapshot before it, iterations are run forward again.
    RunAgain(LoopId),
    /// Puts back what was in memory, and gives the snapshots back.
    CloseSnapshots(LoopId),

    /// Calls the forward sweep of a function that stays a call; the call.
    CallForward(ValueId),
    /// Runs the reverse sweep of a called function, which adds to the adjoints of these arguments and to shadows.
    CallBack(ValueId, Vec<ValueId>),
    /// Calls the forward derivative of a function; the call.
    CallTangent(ValueId),
    /// Starts the adjoint of the returned value with the seed.
    Seed(ValueId),
    /// Takes the adjoint of a value from its register, which is zero then.
    Take(ValueId),
    /// As `Take`, of several values at once, for the phis of an edge.
    TakeAll(Vec<ValueId>),
    /// Takes what a store's value was worth from the shadow of the memory, which is zero then; the store and its value.
    TakeShadow(ValueId),
    /// As `TakeShadow` of a store that adds to what its memory held: the shadow stays as it is.
    ReadShadow(ValueId),
    /// Adds to an adjoint.
    Add(Place, Term),
    /// Clears the shadow of memory that is overwritten with something inactive; the store or fill.
    Clear(ValueId),
    /// Adds the adjoint of a copied block to that of its source and clears it; the copy.
    AddBlock(ValueId),

    /// Computes the tangent of an instruction's result, from terms.
    Tangent(ValueId, Vec<Term>),
    /// Loads the tangent of a load's result from the shadow.
    LoadTangent(ValueId),
    /// Stores the tangent of a store's value to the shadow; false: zero.
    StoreTangent(ValueId, bool),
    /// Repeats a fill or copy on the shadow.
    ShadowBlock(ValueId),
    /// Gives phis their tangents, with the `Move` of the same edge.
    MoveTangents(Vec<(ValueId, Option<ValueId>)>),
}

/// Where the reverse sweep gets a value of the primal from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// It is at hand: an argument, a constant, a stack object.
    AtHand,
    /// Evaluated from its closed form.
    Closed(Expr),
    /// The instruction is executed again.
    Again,
    /// The load is repeated; its memory is not overwritten.
    Reload,
    /// The load is repeated; the replay of its iteration has stored what it reads.
    Replayed,
    /// The load is repeated on a copy of its memory: which snapshot.
    Snapshot(u32),
    /// Kept on the tape.
    Kept(SlotId),
}

/// A copy of memory, taken at a point of an iteration, for loads that come after it and before that memory is overwritten.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// A pointer to the memory.
    pub base: ValueId,
    /// Where the copied part starts, in bytes from there, at the iteration point of the copy.
    pub from: Expr,
    /// How many bytes it has; known before the outermost loop starts.
    pub bytes: Expr,
    /// Conditions known before the outermost loop starts without which no copy is taken: value and sense.
    pub guards: Vec<(ValueId, bool)>,
    /// The node of the forward sweep before which it is taken.
    pub before: NodeId,
    /// The innermost loop around that node.
    pub of: LoopId,
    /// The loads.
    pub loads: Vec<ValueId>,
    /// Its slot, if it is taken.
    pub slot: Option<SlotId>,
}

/// What is run forward at once: the function as a whole, or an iteration of a loop that the reverse sweep replays.
pub type Segment = Option<LoopId>;

/// A tape slot: one element for each iteration point of the loops that index it.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// What it keeps.
    pub of: Content,
    /// Type of an element.
    pub ty: Ty,
    /// Elements per point: seeds carried at once (values of the primal need one).
    pub lanes: u32,
    /// What fills it: the forward sweep, or the replay of an iteration of this loop.
    pub segment: Segment,
    /// Loops in the segment that index it, outermost first.
    pub nest: Vec<LoopId>,
    /// How its points are numbered, in `RevProg::shapes`; none outside loops.
    pub shape: Option<u32>,
    /// Where it lives.
    pub home: Home,
    /// Whether eight points share a byte.
    pub packed: bool,
}

/// What a slot keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value of the primal.
    Value(ValueId),
    /// At which point of a tape the iterations of its root start.
    Start(u32),
    /// A copy of memory.
    Snapshot(u32),
}

/// How the iteration points of a loop nest are numbered. The loops from a root inwards are numbered by a closed form; what
/// is around the root is in the start of the root's iterations, which its tape keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The loops from the root inwards.
    pub dims: Vec<Dim>,
    /// What `Var::Number` stands for: expressions that are known before the outermost loop starts.
    pub numbers: Vec<Expr>,
    /// How many points there are, of one iteration of the root where that grows.
    pub points: Poly,
    /// Conditions known before the outermost loop starts without which there are no points: value and sense. The
    /// numbers are right only where they hold.
    pub guards: Vec<(ValueId, bool)>,
}

/// A loop of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Dim {
    /// The loop.
    pub of: LoopId,
    /// How many iterations it has, given those around it; none for a root whose iterations are counted on the tape.
    pub extent: Option<Poly>,
    /// An upper bound of the extent without iteration numbers and negative terms.
    pub most: Poly,
    /// Points that come before an iteration of this loop in one iteration of the loops around it. (For a growing root: its
    /// iteration number.)
    pub before: Poly,
}

impl Shape {
    /// The root's iterations are not in the number of points.
    pub fn grows(&self) -> bool {
        self.dims[0].extent.is_none()
    }
    /// Whether each extent is the same in all iterations of the loops around it.
    pub fn is_rectangular(&self) -> bool {
        self.dims.iter().filter_map(|d| d.extent.as_ref()).all(|e| !e.has_iterations())
    }
}

/// Where a slot lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A variable of the generated function.
    Register,
    /// A stack object of fixed size.
    Stack,
    /// At this offset in a block of memory of the function's own.
    Block(u64),
    /// Part of a tape.
    Tape(u32),
}

/// Slots under one root loop, in one block of memory.
///
/// Each slot is an array; the arrays follow one another. A tape that grows has room for `capacity` iterations of its root, the
/// same in all arrays, and is moved to a larger block when they are used up.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    /// What fills it.
    pub segment: Segment,
    /// The loop before which memory is allocated, and after whose reverse it is released.
    pub outermost: LoopId,
    /// The loop from which on points are numbered by a closed form.
    pub root: LoopId,
    /// Its slots; where it grows in descending order of their elements' sizes, so that each array is aligned.
    pub slots: Vec<SlotId>,
    /// How it gets room.
    pub growth: Growth,
    /// The slot that keeps where the iterations of the root start, if the root is not outermost.
    pub starts: Option<SlotId>,
}

/// How a tape gets room for the iterations of its root.
#[derive(Clone, Debug, PartialEq)]
pub enum Growth {
    /// All at once when it is allocated.
    Fixed,
    /// For each entry of the root, which has this many iterations.
    ByEntry(Expr),
    /// For each iteration.
    ByIteration,
}

/// A decision and why it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// About which value.
    pub of: ValueId,
    /// What was chosen.
    pub chose: String,
    /// For which reason, with what stood in the way of something cheaper.
    pub because: String,
}

impl RevProg {
    /// A program that does nothing.
    pub fn empty() -> Self {
        RevProg { nodes: vec![Node::Seq(vec![])], ..RevProg::default() }
    }
    /// Adds a node.
    pub fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId((self.nodes.len() - 1) as u32)
    }
    /// Adds a statement.
    pub fn stmt(&mut self, act: Act) -> NodeId {
        self.node(Node::Stmt(act))
    }
    /// Adds a sequence; a sequence of one is that one.
    pub fn seq(&mut self, parts: Vec<NodeId>) -> NodeId {
        match parts.as_slice() {
            [one] => *one,
            _ => self.node(Node::Seq(parts)),
        }
    }
    /// The children of a node.
    pub fn children(&self, n: NodeId) -> Vec<NodeId> {
        match &self.nodes[n.index()] {
            Node::Seq(parts) => parts.clone(),
            Node::Loop(l) => vec![l.body, l.between],
            Node::If(_, then, other) => vec![*then, *other],
            Node::Region(items) => items.iter().map(|i| i.body).collect(),
            Node::Replay(_, body) => vec![*body],
            Node::Stmt(_) => vec![],
        }
    }
    /// Calls `visit` on every node under `n`, parents first, in program order. A replay is visited and not entered: it is
    /// a sweep of its own.
    pub fn walk(&self, n: NodeId, visit: &mut impl FnMut(NodeId, &Node)) {
        visit(n, &self.nodes[n.index()]);
        if matches!(self.nodes[n.index()], Node::Replay(..)) {
            return;
        }
        for child in self.children(n) {
            self.walk(child, visit);
        }
    }
    /// The loop of a sweep over the iterations of a primal loop.
    pub fn loop_node(&self, sweep: NodeId, of: LoopId) -> Option<(NodeId, &LoopNode)> {
        let mut found = None;
        self.walk(sweep, &mut |n, node| {
            if matches!(node, Node::Loop(l) if l.of == of) {
                found = Some(n);
            }
        });
        match found.map(|n| (n, &self.nodes[n.index()])) {
            Some((n, Node::Loop(l))) => Some((n, l)),
            _ => None,
        }
    }
    /// Replaces a node by itself with statements before and after it.
    pub fn surround(&mut self, n: NodeId, before: &[Act], after: &[Act]) {
        if before.is_empty() && after.is_empty() {
            return;
        }
        let inner = self.nodes[n.index()].clone();
        let mut parts: Vec<NodeId> = before.iter().map(|a| self.stmt(a.clone())).collect();
        parts.push(self.node(inner));
        parts.extend(after.iter().map(|a| self.stmt(a.clone())));
        self.nodes[n.index()] = Node::Seq(parts);
    }
    /// The source of a value, if `store` gave it one.
    pub fn source(&self, v: ValueId) -> Option<&Source> {
        self.sources.get(v.index())?.as_ref()
    }
}

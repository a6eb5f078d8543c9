//! What the reverse sweep wants of the primal: values, and addresses whose shadows it updates.

use crate::primal::{Def, Inst, Join, Op, Primal, Ty, ValueId};
use crate::revprog::{Act, Condition, Factor, Next, Node, NodeId, Place, RevProg, Trip};
use crate::rules;
use indexmap::IndexSet;

/// Wanted values and pointers; values in the order of the primal, so that what an instruction works on is decided first.
pub struct Wants {
    /// Pointers whose shadow addresses are formed again.
    pub addresses: Vec<ValueId>,
    /// Values.
    pub values: Vec<ValueId>,
}

/// Everything that the nodes under `reverse` want.
pub fn collect(prog: &RevProg, reverse: NodeId, primal: &Primal) -> Wants {
    let mut wants = Collector { primal, addresses: IndexSet::new(), values: IndexSet::new() };
    prog.walk(reverse, &mut |_, node| wants.node(node));
    let mut values: Vec<_> = wants.values.into_iter().collect();
    values.sort();
    Wants { addresses: wants.addresses.into_iter().collect(), values }
}

struct Collector<'a> {
    primal: &'a Primal,
    addresses: IndexSet<ValueId>,
    values: IndexSet<ValueId>,
}

impl Collector<'_> {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Loop(l) => match &l.trip {
                Trip::Closed(e) => self.values.extend(e.values()),
                Trip::Value(v) => drop(self.values.insert(*v)),
                Trip::While(c) => self.condition(c),
                Trip::WhileGoingOn => {}
            },
            Node::If(c, _, _) => self.condition(c),
            Node::Region(items) => {
                for item in items {
                    match &item.next {
                        Next::Branch(c, _, _) => self.condition(c),
                        Next::Which(join, _) => self.join(*join),
                        Next::Goto(_) | Next::End => {}
                    }
                }
            }
            Node::Stmt(act) => self.act(act),
            Node::Seq(_) | Node::Replay(..) => {}
        }
    }

    fn join(&mut self, join: Join) {
        self.values.extend(self.primal.added(&Def::Which(join)));
    }

    fn condition(&mut self, c: &Condition) {
        match c {
            Condition::Value(v, _) => drop(self.values.insert(*v)),
            Condition::PassesOn(_) => {}
            Condition::EndsBy(l, _) => self.join(Join::End(*l)),
        }
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Add(place, term) => {
                if let Place::Shadow(p) = place {
                    self.addresses.insert(*p);
                }
                self.factor(&term.factor);
            }
            Act::CallBack(v, _) => self.call(*v),
            Act::TakeShadow(s) | Act::ReadShadow(s) | Act::Clear(s) => self.memory(*s, false),
            Act::AddBlock(s) => self.memory(*s, true),
            _ => {}
        }
    }

    /// A call's arguments, with the shadows of pointers, and what its forward sweep left.
    fn call(&mut self, v: ValueId) {
        let Some(Inst { op: Op::Callee(callee), operands, .. }) = self.primal.inst(v) else { return };
        let arguments = &operands[..operands.len() - callee.globals];
        self.values.extend(arguments);
        self.addresses.extend(arguments.iter().filter(|o| self.primal.ty(**o) == Ty::Ptr));
        self.values.extend(self.primal.added(&Def::Record(v)));
    }

    fn factor(&mut self, factor: &Factor) {
        match factor {
            Factor::One => {}
            Factor::Chosen(c, _) => drop(self.values.insert(*c)),
            Factor::Partial { rule, operand, of, .. } => {
                let needs = rules::row(*rule).partials[*operand].needs();
                if needs.result {
                    self.values.insert(*of);
                }
                let operands = self.primal.inst(*of).map_or(&[][..], |i| &i.operands);
                let wanted = operands.iter().enumerate().filter(|(n, _)| needs.arg(*n)).map(|(_, &v)| v);
                self.values.extend(wanted);
            }
        }
    }

    /// The memory that an instruction writes, and for a copied block also what it reads.
    fn memory(&mut self, v: ValueId, read: bool) {
        let Some(inst) = self.primal.inst(v) else { return };
        match inst.op {
            Op::Store => drop(self.addresses.insert(inst.operands[1])),
            Op::Fill | Op::Copy => {
                let pointers = if read { &inst.operands[..2] } else { &inst.operands[..1] };
                self.addresses.extend(pointers);
                self.values.insert(inst.operands[2]);
            }
            _ => {}
        }
    }
}

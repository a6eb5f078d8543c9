//! Which variables need no memory while they are built.
//!
//! A value whose adjoint is added to and taken in one block nest only is summed up in SSA form, and a value kept by a block that
//! is always executed is simply used; the rest are stack variables that `finish` promotes.

use crate::primal::ValueId;
use crate::revprog::{Act, Node, NodeId, Place, RevProg, SlotId};
use indexmap::{IndexMap, IndexSet};

/// The result: what can do without a variable.
#[derive(Default)]
pub(super) struct Direct {
    /// Values whose adjoints are sums in SSA form.
    pub sums: IndexSet<ValueId>,
    /// Slots that are filled where the forward sweep, or a replay, always passes.
    pub slots: IndexSet<SlotId>,
}

/// Looks at where a program uses its registers.
pub(super) fn analyse(prog: &RevProg) -> Direct {
    let mut search = Search {
        prog,
        nests: 0,
        starts: IndexSet::from([0]),
        uses: IndexMap::new(),
        taken: IndexSet::new(),
        filled: IndexMap::new(),
    };
    search.node(prog.forward, 0);
    if let Some(reverse) = prog.reverse {
        search.node(reverse, 0);
    }
    let sums = search.uses.iter().filter(|(v, nest)| nest.is_some() && search.taken.contains(*v)).map(|(v, _)| *v);
    let always = |nest: &Option<u32>| nest.is_some_and(|n| search.starts.contains(&n));
    let slots = search.filled.iter().filter(|(_, nest)| always(nest)).map(|(s, _)| *s);
    Direct { sums: sums.collect(), slots: slots.collect() }
}

struct Search<'a> {
    prog: &'a RevProg,
    nests: u32,
    /// The nests that sweeps and replays start in.
    starts: IndexSet<u32>,
    /// The one block nest that uses a register; none if there are several.
    uses: IndexMap<ValueId, Option<u32>>,
    taken: IndexSet<ValueId>,
    filled: IndexMap<SlotId, Option<u32>>,
}

impl Search<'_> {
    fn node(&mut self, n: NodeId, nest: u32) {
        match &self.prog.nodes[n.index()] {
            Node::Seq(parts) => parts.iter().for_each(|&p| self.node(p, nest)),
            Node::Stmt(act) => self.act(act, nest),
            Node::Replay(_, body) => {
                self.starts.insert(nest);
                self.node(*body, nest);
            }
            _ => {
                for child in self.prog.children(n) {
                    self.nests += 1;
                    self.node(child, self.nests);
                }
            }
        }
    }

    fn act(&mut self, act: &Act, nest: u32) {
        match act {
            Act::CallBack(_, outs) => outs.iter().for_each(|&v| self.uses(v, nest)),
            Act::Seed(v) | Act::Add(Place::Register(v), _) => self.uses(*v, nest),
            Act::Take(v) => self.takes(*v, nest),
            Act::TakeAll(vs) => vs.iter().for_each(|&v| self.takes(v, nest)),
            Act::Keep(s, _) => {
                let only = self.filled.entry(*s).or_insert(Some(nest));
                *only = only.filter(|known| *known == nest);
            }
            _ => {}
        }
    }

    fn takes(&mut self, v: ValueId, nest: u32) {
        self.uses(v, nest);
        self.taken.insert(v);
    }

    fn uses(&mut self, v: ValueId, nest: u32) {
        let only = self.uses.entry(v).or_insert(Some(nest));
        *only = only.filter(|known| *known == nest);
    }
}

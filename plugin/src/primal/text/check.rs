//! What `prepare` promises of every primal, for texts written by hand: SSA form and loop-simplify form.

use super::lex::Line;
use super::read::Body;
use crate::primal::{BlockId, Def, Op, Primal, Term, ValueId, cfg};

/// Phis agree with the predecessors, and definitions come before uses.
pub(super) fn flow(primal: &Primal, bodies: &[Body]) -> Result<(), String> {
    let dominators = cfg::Dominators::new(primal);
    let predecessors = cfg::predecessors(primal);
    if !predecessors[0].is_empty() {
        return Err(bodies[0].label.error("the entry has predecessors"));
    }
    for &b in dominators.order() {
        let body = &bodies[b.index()];
        let mut phis = true;
        for (place, (v, line)) in body.insts.iter().enumerate() {
            let Some(inst) = primal.inst(*v) else { continue };
            match &inst.op {
                Op::Phi(blocks) => {
                    let (mut from, mut expected) = (blocks.clone(), predecessors[b.index()].clone());
                    from.sort();
                    expected.sort();
                    if !phis || from != expected {
                        return Err(
                            line.error(&format!("a phi stands first, with an operand for each of {expected:?}"))
                        );
                    }
                    for (&operand, &from) in inst.operands.iter().zip(blocks) {
                        reaches(primal, &dominators, operand, (from, usize::MAX), line)?;
                    }
                }
                _ => {
                    phis = false;
                    for &operand in &inst.operands {
                        reaches(primal, &dominators, operand, (b, place), line)?;
                    }
                }
            }
        }
        let end = body.term.as_ref().unwrap_or(&body.label);
        if let Term::Branch(v, ..) | Term::Return(Some(v)) = primal.blocks[b.index()].term {
            reaches(primal, &dominators, v, (b, usize::MAX), end)?;
        }
    }
    Ok(())
}

/// A value is defined before a place in a block, on every path.
fn reaches(
    primal: &Primal,
    dominators: &cfg::Dominators,
    v: ValueId,
    (block, place): (BlockId, usize),
    line: &Line,
) -> Result<(), String> {
    let Def::Inst(inst) = &primal.value(v).def else { return Ok(()) };
    let before = |b: BlockId| primal.blocks[b.index()].insts.iter().position(|i| *i == v).is_some_and(|i| i < place);
    let fine = if inst.block == block { before(block) } else { dominators.dominates(inst.block, block) };
    if fine { Ok(()) } else { Err(line.error(&format!("{} may not be computed yet", primal.show(v)))) }
}

/// A preheader leads to its loop only, and an exit is reached from its loop only.
pub(super) fn loops(primal: &Primal, bodies: &[Body]) -> Result<(), String> {
    let predecessors = cfg::predecessors(primal);
    for l in &primal.loops {
        if !matches!(primal.blocks[l.preheader.index()].term, Term::Goto(_)) {
            return Err(bodies[l.preheader.index()].label.error("the block before a loop leads to the loop only"));
        }
        if predecessors[l.exit.index()].iter().any(|p| !l.exiting.contains(p)) {
            return Err(bodies[l.exit.index()].label.error("the exit of a loop is reached from the loop only"));
        }
    }
    Ok(())
}

//! Why a value is kept, in words: what stands in the way of having it again, and what would help.

use crate::facts::Facts;
use crate::facts::objects::{Object, ObjectId};
use crate::primal::{Def, Inst, Op, Primal, ValueId};
use crate::rules;

/// The reason for keeping a value in a loop; it could be had again at a price, or not.
pub fn kept(primal: &Primal, facts: &Facts, v: ValueId, could: bool) -> String {
    match primal.op(v) {
        Some(Op::Load) => match facts.overwriters[v.index()] {
            Some(w) if w == v => "its memory may be overwritten by the caller before the reverse sweep".to_string(),
            Some(w) => {
                let line = primal.inst(w).map_or(0, |i| i.loc.0);
                let at = if line == 0 { String::new() } else { format!(" in line {line}") };
                let remedy = match is_by_another_name(primal, facts, v, w) {
                    true => "; 'restrict' on the parameter that is written through would rule that out",
                    false => "",
                };
                format!("its memory may be overwritten{at} before the reverse sweep{remedy}")
            }
            None => "its address would have to be kept as well".to_string(),
        },
        None if matches!(primal.value(v).def, Def::Shadow(_)) => {
            "which memory it is was decided while running".to_string()
        }
        Some(Op::Phi(_)) => "it depends on the path taken or on earlier iterations".to_string(),
        Some(Op::Rule(rule)) if could && rules::row(*rule).expensive => {
            format!("'{}' is expensive", rules::row(*rule).name)
        }
        None => "the reverse sweep follows the path that was taken".to_string(),
        _ => "what it is computed from would have to be kept as well".to_string(),
    }
}

/// Whether a store goes to the memory of a load only if different parameters lead to the same memory.
fn is_by_another_name(primal: &Primal, facts: &Facts, load: ValueId, store: ValueId) -> bool {
    let objects = |p: Option<ValueId>| -> Vec<ObjectId> { p.map_or(vec![], |p| facts.objects.of(p).collect()) };
    let read = objects(primal.inst(load).map(|i| i.operands[0]));
    let written = objects(primal.inst(store).and_then(Inst::written));
    let is_argument = |o: &ObjectId| matches!(facts.objects.all[o.index()], Object::Arg(_));
    !written.is_empty() && written.iter().chain(&read).all(is_argument) && !written.iter().any(|o| read.contains(o))
}

//! What a block of memory consists of that is copied or filled as a whole.
//!
//! From the accesses to the objects that the block may be in, as residue classes of byte offsets. Memory that is only
//! accessed as one kind of real is that throughout; memory of several kinds must be known byte by byte, or the block is refused.

use super::Facts;
use super::objects::{Object, ObjectId, Objects};
use crate::primal::offset::gcd;
use crate::primal::{Callee, Inst, Kind, Offset, Op, Primal, Ty, ValueId};
use std::collections::BTreeSet;

/// One member of the pattern that a block repeats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Field {
    /// Bytes from the start of the block to the first one.
    pub at: u64,
    /// Bytes from one to the next; 0 if there is only one.
    pub step: u64,
    /// What it holds.
    pub kind: Kind,
}

/// The members of a block that is copied from memory with a shadow to such memory; `None` if they are not all known.
pub fn fields(primal: &Primal, facts: &Facts, block: ValueId) -> Option<Vec<Field>> {
    let inst = primal.inst(block)?;
    let parts = parts(facts, inst);
    let real = |(_, kind): &(Offset, Kind)| if let Kind::Real(real) = kind { Some(*real) } else { None };
    let reals: BTreeSet<Ty> = parts.iter().filter_map(real).collect();
    let carries = block_pointers(inst).iter().any(|p| facts.points_to_carrier(*p));
    if !carries
        && let Some(&real) = reals.first()
        && reals.len() == 1
    {
        return (real != Ty::Other).then(|| vec![Field { at: 0, step: real.bytes(), kind: Kind::Real(real) }]);
    }
    let (fields, whole) = pattern(&parts, size(primal, inst));
    // Nothing is in memory of the function's own where it is never accessed, padding for one.
    let own = |p: &ValueId| facts.objects.of(*p).all(|o| facts.objects.is_own(o) && !facts.objects.is_mingled(o));
    let most = if block_pointers(inst).iter().all(own) { u64::MAX } else { PADDING };
    covers(&fields, whole?, most).then_some(fields)
}

/// The pointers that are known to be in a block.
pub fn pointers(primal: &Primal, facts: &Facts, block: ValueId) -> Vec<Field> {
    let Some(inst) = primal.inst(block) else { return vec![] };
    let (mut fields, _) = pattern(&parts(facts, inst), size(primal, inst));
    fields.retain(|f| f.kind == Kind::Pointer);
    fields
}

/// The destination of a fill or copy, and the source of a copy.
fn block_pointers(inst: &Inst) -> &[ValueId] {
    match inst.op {
        Op::Fill => &inst.operands[..1],
        Op::Copy => &inst.operands[..2],
        _ => &[],
    }
}

fn size(primal: &Primal, inst: &Inst) -> Option<u64> {
    primal.constant(inst.operands[2])?.parse().ok()
}

/// What is accessed in a block and where, from its start.
fn parts(facts: &Facts, inst: &Inst) -> BTreeSet<(Offset, Kind)> {
    let mut parts = BTreeSet::new();
    for p in block_pointers(inst) {
        for (o, start) in facts.objects.targets(*p) {
            parts.extend(facts.accesses[o.index()].iter().map(|(at, kind)| (at.minus(*start), *kind)));
        }
    }
    parts
}

/// Puts the parts side by side: the members, and the size of the pattern that repeats or of the whole.
fn pattern(parts: &BTreeSet<(Offset, Kind)>, size: Option<u64>) -> (Vec<Field>, Option<u64>) {
    let step = parts.iter().fold(0, |step, (at, _)| gcd(step, at.step));
    let whole = if step == 0 { size } else { Some(step) };
    let mut fields: BTreeSet<Field> = BTreeSet::new();
    for (offset, kind) in parts {
        let at = u64::try_from(Offset::new(offset.at, step).at).ok();
        if let Some(at) = at.filter(|at| whole.is_none_or(|whole| *at < whole)) {
            fields.insert(Field { at, step, kind: *kind });
        }
    }
    (fields.into_iter().collect(), whole)
}

/// Bytes between members that no real fits into.
const PADDING: u64 = size_of::<f32>() as u64 - 1;

/// Whether members fill a pattern without contradiction, with no more than that many bytes between them. Integers may be
/// looked at in pieces and as a whole.
fn covers(fields: &[Field], whole: u64, most: u64) -> bool {
    // Where all members so far end, and those that are no integers.
    let (mut end, mut firm) = (0, 0);
    for field in fields {
        let integer = matches!(field.kind, Kind::Integer(_));
        if field.at < if integer { firm } else { end } || field.at.saturating_sub(end) > most {
            return false;
        }
        end = end.max(field.at + field.kind.bytes());
        firm = if integer { firm } else { end };
    }
    end <= whole && whole - end <= most
}

/// Accesses of an object that are told apart by place when those of others are added.
const MOST_ACCESSES: usize = 128;

/// Per object: where it is accessed as what.
pub type Accesses = Vec<BTreeSet<(Offset, Kind)>>;

/// Whether a load or store may move a number or a part of one. Integers of the function's own memory, and where the source
/// declares them so, are integers unless some access to the same place, or to where blocks of it are copied, says otherwise.
pub fn may_be_number(primal: &Primal, objects: &Objects, accesses: &Accesses, v: ValueId, inst: &Inst) -> bool {
    let (value, pointer) = accessed(v, inst).expect("a load or store");
    match Kind::of(primal.ty(value)) {
        Some(Kind::Integer(bytes)) => objects.targets(pointer).iter().any(|(&o, at)| {
            let declared = primal.integers.contains(&v);
            let real = || is_real_at(&accesses[o.index()], *at, bytes, objects.is_copied(o));
            if declared && (real() || is_piece_at(primal, objects, o, *at, bytes)) {
                // What pointers in memory lead to may be several things under one name.
                return !matches!(objects.all[o.index()], Object::Content(..) | Object::Unknown);
            }
            let known = objects.is_own(o) && !objects.is_mingled(o);
            !declared && (!known || reals(&accesses[o.index()]).any(|(place, size)| place.overlaps(size, *at, bytes)))
        }),
        Some(Kind::Pointer) | None => false,
        Some(Kind::Real(_)) => true,
    }
}

/// Where numbers are accessed, and how many bytes they have.
fn reals(accesses: &BTreeSet<(Offset, Kind)>) -> impl Iterator<Item = (Offset, u64)> {
    accesses.iter().filter(|(_, kind)| matches!(kind, Kind::Real(_))).map(|(at, kind)| (*at, kind.bytes()))
}

/// Whether a number is accessed at a place, by accesses whose own places are known. A class that is wider than the place's
/// own may be that of an array inside a struct, and counts only where blocks are copied: these may be of another type.
fn is_real_at(accesses: &BTreeSet<(Offset, Kind)>, at: Offset, bytes: u64, copied: bool) -> bool {
    let fits = |place: Offset| place.step != 1 && (copied || at.step == 0 || gcd(place.step, at.step) == at.step);
    at.step != 1 && reals(accesses).any(|(place, size)| fits(place) && place.overlaps(size, at, bytes))
}

/// Whether what may be a number or a part of one is accessed at a place in a way that knows nothing of the declared type.
fn is_piece_at(primal: &Primal, objects: &Objects, o: ObjectId, at: Offset, bytes: u64) -> bool {
    primal.pieces.iter().any(|&v| {
        let Some((value, pointer)) = primal.inst(v).and_then(|i| accessed(v, i)) else { return false };
        let size = primal.ty(value).bytes();
        let number = size >= Ty::Float.bytes() && primal.ty(value) != Ty::Ptr;
        let meets = |(p, place): (&ObjectId, &Offset)| {
            *p == o && place.overlaps(size, at, bytes) || *p != o && objects.is_copied(o) && objects.is_copied(*p)
        };
        number && objects.targets(pointer).iter().any(meets)
    })
}

/// The memory with numbers at places where a called function may move them as integers: it sees nothing else there.
pub fn moved_as_integers(facts: &Facts, call: ValueId, inst: &Inst) -> Vec<ObjectId> {
    let Op::Callee(callee) = &inst.op else { return vec![] };
    let mut found = vec![];
    for accessed in &callee.accesses {
        let Some(k) = accessed.operand.filter(|k| callee.touches[*k].modifies) else { continue };
        let integers = accessed.places.iter().filter(|(at, kind)| {
            matches!(kind, Kind::Integer(_)) && !is_real_at(&accessed.places, *at, kind.bytes(), true)
        });
        for (o, start) in facts.objects.follow(call, facts.objects.targets(inst.operands[k]).clone(), &accessed.slots) {
            let known = &facts.accesses[o.index()];
            let copied = facts.objects.is_copied(o);
            if integers.clone().any(|(at, kind)| is_real_at(known, start.plus(*at), kind.bytes(), copied)) {
                found.push(o);
            }
        }
    }
    found
}

/// Whether memory that a called function works on may hold numbers. What is only accessed as integers or pointers holds
/// none, if all accesses are known; a constant argument holds none that matter, and called functions refuse to store any there.
pub fn may_hold_numbers(objects: &Objects, accesses: &Accesses, o: ObjectId) -> bool {
    let known = objects.is_constant(o) || objects.is_own(o) && !objects.is_mingled(o);
    !known || accesses[o.index()].iter().any(|(_, kind)| matches!(kind, Kind::Real(_)))
}

/// Where every object is accessed as what.
pub fn accesses(primal: &Primal, objects: &Objects) -> Accesses {
    let mut all = vec![BTreeSet::new(); objects.all.len()];
    for (v, inst) in primal.insts() {
        if let Op::Callee(callee) = &inst.op {
            called(objects, v, inst, callee, &mut all);
        }
        let Some((value, pointer)) = accessed(v, inst) else { continue };
        let Some(kind) = Kind::of(primal.ty(value)) else { continue };
        for (o, at) in objects.targets(pointer) {
            all[o.index()].insert((*at, kind));
        }
    }
    while spread(objects, &mut all) {}
    all
}

/// A copied block is accessed on either side as what it is on the other.
fn spread(objects: &Objects, all: &mut Accesses) -> bool {
    let mut changed = false;
    for to in (0..all.len()).map(|o| ObjectId(o as u32)) {
        for (&from, &distance) in objects.copied_into(to) {
            let back = Offset::START.minus(distance);
            for (a, b, by) in [(from, to, distance), (to, from, back)] {
                let moved: Vec<_> = all[a.index()].iter().map(|(at, kind)| (at.plus(by), *kind)).collect();
                let known = &mut all[b.index()];
                for (at, kind) in moved {
                    let place = if known.len() < MOST_ACCESSES { at } else { Offset::ANY };
                    changed |= known.insert((place, kind));
                }
            }
        }
    }
    changed
}

/// What a called function accesses. What no path of its leads to may be anything that it accesses.
fn called(objects: &Objects, call: ValueId, inst: &Inst, callee: &Callee, all: &mut Accesses) {
    let mut covered = BTreeSet::new();
    for accessed in &callee.accesses {
        let start = match accessed.operand {
            Some(k) => objects.targets(inst.operands[k]).clone(),
            None => objects.named(&Object::Heap(call)).map(|o| (o, Offset::START)).into_iter().collect(),
        };
        for (o, at) in objects.follow(call, start, &accessed.slots) {
            covered.insert(o);
            all[o.index()].extend(accessed.places.iter().map(|(place, kind)| (at.plus(*place), *kind)));
        }
    }
    let direct = |o: &ObjectId| inst.operands.iter().any(|p| objects.of(*p).any(|direct| direct == *o));
    for o in objects.reached_by(call, inst, callee) {
        if !covered.contains(&o) && !direct(&o) && objects.is_own(o) {
            callee.accesses.iter().for_each(|a| all[o.index()].extend(&a.places));
        }
    }
}

fn accessed(v: ValueId, inst: &Inst) -> Option<(ValueId, ValueId)> {
    match inst.op {
        Op::Load => Some((v, inst.operands[0])),
        Op::Store => Some((inst.operands[0], inst.operands[1])),
        _ => None,
    }
}

/// Whether some place of an object holds both pointers with a shadow and numbers.
pub fn is_mixed(facts: &Facts, o: ObjectId) -> bool {
    let all = &facts.accesses[o.index()];
    let pointers = || all.iter().filter(|(_, k)| *k == Kind::Pointer);
    all.iter()
        .filter(|(_, k)| matches!(k, Kind::Real(_)))
        .any(|(at, kind)| pointers().any(|(place, _)| place.overlaps(Kind::Pointer.bytes(), *at, kind.bytes())))
}

//! Inlines everything reachable that has a body.

use super::openmp;
use crate::allocation;
use crate::library;
use crate::llvm::analyses::Analyses;
use crate::llvm::ir::{Module, Value};
use crate::llvm::transform;
use crate::problem::{Code, Problem};
use crate::registered::{self, LIKE};
use crate::requests::FLAT;
use indexmap::{IndexMap, IndexSet};
use llvm_sys::LLVMOpcode::{LLVMCall, LLVMInvoke};
use std::rc::Rc;

/// Instructions in one clone beyond which calls stay calls.
const LIMIT: usize = 50_000;
/// Instructions, with everything inlined, beyond which a function that is called several times is not inlined.
const LARGE: usize = 4_000;

/// Note on a call that stays a call.
const KEPT: &str = "pardiff-kept";

/// Note on a call through a pointer: the functions that it stands in, innermost first, one a line.
pub const WITHIN: &str = "pardiff-within";

/// The functions that a call stands in, innermost first.
struct Chain {
    function: Value,
    outer: Option<Rc<Chain>>,
}

fn contains(mut chain: Option<&Rc<Chain>>, function: Value) -> bool {
    while let Some(link) = chain {
        if link.function == function {
            return true;
        }
        chain = link.outer.as_ref();
    }
    false
}

/// The functions that a call which is there at the start of a round stands in.
fn chain_of(module: Module, call: Value, root: &Rc<Chain>) -> Rc<Chain> {
    let note = call.note(WITHIN).unwrap_or_default();
    let functions = note.lines().rev().filter_map(|name| module.function(name));
    functions.fold(root.clone(), |outer, function| Rc::new(Chain { function, outer: Some(outer) }))
}

/// Notes the functions that a call through a pointer stands in, for when it becomes a direct one.
fn note(call: Value, chain: &Rc<Chain>) {
    if call.callee().as_function().is_some() {
        return;
    }
    let links = std::iter::successors(Some(chain), |link| link.outer.as_ref());
    let names: Vec<String> = links.map(|link| link.function.name()).collect();
    call.set_note(WITHIN, &names.join("\n"));
}

/// Lets calls of library functions that have a body of one kind in the runtime call that; true where there was one.
pub fn give_bodies(module: Module, clone: Value, kind: &str) -> Result<bool, Vec<Problem>> {
    let mut asked = None;
    for call in calls_in(clone) {
        let Some(callee) = call.callee().as_function() else { continue };
        let ours = (callee.is_declaration() || callee.is_inline_copy()) && !registered::stays(callee);
        if !ours || !pardiff_runtime::has_body(kind, &callee.name()) || calls_unknown(call) {
            continue;
        }
        let body = module.declare(&format!("{kind}{}", callee.name()), call.call_type());
        if body.global_type() == call.call_type() {
            call.set_operand(call.operand_count() - 1, body);
            asked = Some(call);
        }
    }
    let Some(call) = asked else { return Ok(false) };
    match transform::link_bodies(module) {
        Ok(()) => Ok(true),
        Err(wrong) => Err(vec![Problem::at(Code::UnsupportedRequest, call, wrong)]),
    }
}

/// Whether a library function is to call back something that is not known: then its row, which says so, is all there is.
fn calls_unknown(call: Value) -> bool {
    let unknown = |f: Value| f.is_declaration() && !library::is_known(&f.name());
    call.call_arguments().into_iter().filter_map(Value::as_function).any(unknown)
}

/// Inlines into `clone`, a copy of `original`.
pub fn inline_all(module: Module, analyses: Analyses, original: Value, clone: Value) -> Result<(), Vec<Problem>> {
    let root = Rc::new(Chain { function: original, outer: None });
    let mut problems = Vec::new();
    let mut size = size_of(clone);
    let mut graph = Graph::new(original);
    let mut work: Vec<(Value, Rc<Chain>)> =
        calls_in(clone).into_iter().rev().map(|call| (call, chain_of(module, call, &root))).collect();
    while let Some((call, chain)) = work.pop() {
        let Some(callee) = body_of(call).filter(|_| call.note(KEPT).is_none()) else { continue };
        if !registered::stays(callee) && reads_variable_arguments(callee) {
            let text = format!(
                "'{}' reads a variable number of arguments, which is not supported; declare it inactive if it only prints",
                callee.name()
            );
            problems.push(Problem::at(Code::Opaque, call, text));
            continue;
        }
        let more = graph.own(callee);
        let stays = registered::stays(callee) || contains(Some(&chain), callee) || graph.stays(callee);
        // What takes or returns the numbers of a function in another way stands for that function.
        let mut links = std::iter::successors(Some(&chain), |link| link.outer.as_ref());
        let stands_for_it = links.all(|link| link.function.name().starts_with(FLAT));
        if !stands_for_it && (stays || size + more > LIMIT) {
            keep(call);
            continue;
        }
        size += more;
        match transform::inline_call(analyses, call) {
            Ok(inner) => {
                let link = Rc::new(Chain { function: callee, outer: Some(chain) });
                inner.iter().for_each(|c| note(*c, &link));
                work.extend(inner.into_iter().rev().map(|c| (c, link.clone())));
            }
            Err(why) => {
                let text = format!("a call of '{}' cannot be inlined: {why}", callee.name());
                problems.push(Problem::at(Code::Opaque, call, text));
            }
        }
    }
    transform::invalidate(analyses, clone);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// What `va_start` finds is gone once the function is inlined.
fn reads_variable_arguments(function: Value) -> bool {
    let starts = |f: Value| f.name().starts_with("llvm.va_start");
    function.is_variadic() && calls_in(function).into_iter().any(|c| c.callee().as_function().is_some_and(starts))
}

/// Lets a call stay a call.
pub fn keep(call: Value) {
    call.set_note(KEPT, "");
}

/// The calls that stay calls.
pub fn kept(clone: Value) -> Vec<Value> {
    calls_in(clone).into_iter().filter(|call| call.note(KEPT).is_some()).collect()
}

/// The definition that a call runs, if it is known; also a function with a derivative of its own.
fn body_of(call: Value) -> Option<Value> {
    if let Some(real) = call.callee().aliasee().and_then(Value::as_function) {
        call.set_operand(call.operand_count() - 1, real);
    }
    let callee = call.callee().as_function()?;
    if callee.mark(LIKE).is_some() {
        return None;
    }
    if registered::stays(callee) {
        return (callee.global_type() == call.call_type()).then_some(callee);
    }
    // What a header or the standard library defines inline is better known by its row.
    let name = callee.name();
    let known = (callee.is_inline_copy() || name.starts_with("__pardiff_")) && library::is_known(&name);
    if known || allocation::of(callee).is_some() || openmp::is_region(callee) {
        return None;
    }
    (!callee.is_declaration() && callee.global_type() == call.call_type()).then_some(callee)
}

/// Whether there is something left to inline.
pub fn has_work(function: Value) -> bool {
    calls_in(function).into_iter().any(|call| body_of(call).is_some() && call.note(KEPT).is_none())
}

/// The functions with a body that calls run, each once.
pub fn callees(function: Value) -> Vec<Value> {
    let found: IndexSet<Value> = calls_in(function).into_iter().filter_map(body_of).collect();
    found.into_iter().collect()
}

/// What is known of the functions that can be reached: their calls and sizes.
struct Graph {
    callees: IndexMap<Value, Vec<Value>>,
    /// How many calls name a function.
    sites: IndexMap<Value, usize>,
    sizes: IndexMap<Value, usize>,
    /// Sizes with everything inlined; none while it is being computed, and for functions that call themselves.
    whole: IndexMap<Value, Option<usize>>,
}

impl Graph {
    fn new(root: Value) -> Self {
        let (callees, sites) = (IndexMap::new(), IndexMap::new());
        let mut graph = Graph { callees, sites, sizes: IndexMap::new(), whole: IndexMap::new() };
        let mut work = vec![root];
        while let Some(f) = work.pop() {
            if graph.callees.contains_key(&f) {
                continue;
            }
            let called: Vec<Value> = calls_in(f).into_iter().filter_map(body_of).collect();
            called.iter().for_each(|c| *graph.sites.entry(*c).or_insert(0) += 1);
            work.extend(&called);
            graph.callees.insert(f, called);
        }
        graph
    }

    fn own(&mut self, function: Value) -> usize {
        *self.sizes.entry(function).or_insert_with(|| size_of(function))
    }

    /// Whether calls of a function stay calls: it calls itself, or is large and called several times.
    fn stays(&mut self, function: Value) -> bool {
        let several = self.sites.get(&function).is_some_and(|n| *n > 1);
        self.expanded(function).is_none_or(|size| several && size > LARGE)
    }

    fn expanded(&mut self, function: Value) -> Option<usize> {
        if let Some(&known) = self.whole.get(&function) {
            return known;
        }
        self.whole.insert(function, None);
        let mut total = self.own(function);
        let mut circular = false;
        for callee in self.callees.get(&function).cloned().unwrap_or_else(|| callees(function)) {
            match self.expanded(callee) {
                Some(_) if self.stays(callee) => {}
                Some(size) => total += size,
                None => circular |= self.reaches(callee, function),
            }
        }
        let size = (!circular).then_some(total);
        self.whole.insert(function, size);
        size
    }

    fn reaches(&self, from: Value, to: Value) -> bool {
        let (mut work, mut seen) = (vec![from], IndexSet::new());
        while let Some(f) = work.pop() {
            if f == to {
                return true;
            }
            if seen.insert(f) {
                work.extend(self.callees.get(&f).into_iter().flatten());
            }
        }
        false
    }
}

fn size_of(function: Value) -> usize {
    function.blocks().iter().map(|b| b.instructions().len()).sum()
}

fn calls_in(function: Value) -> Vec<Value> {
    let is_call = |i: &Value| matches!(i.opcode(), LLVMCall | LLVMInvoke);
    function.blocks().iter().flat_map(|b| b.instructions()).filter(is_call).collect()
}

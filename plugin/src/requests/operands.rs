//! What the operands of one marker call mean.
//!
//! The operands are those of the differentiated function, with markers and shadows between them,
//! after the C calling convention had its way: a struct may arrive as several operands, numbers
//! are promoted. Parameters of the function say what belongs together.

use super::by_value::{self, Flat, Operands};
use super::names::{self, Said, Word};
use super::resolve::{named_global, origin};
use super::returned;
use super::split::{self, Buffer};
use crate::leaves::{leaves, offset};
use crate::llvm::analyses::gep_offset;
use crate::llvm::ir::{Kind, Module, Type, Value};
use crate::problem::{Code, Problem};
use crate::request::{Activity, Mode, Place, Request, Variant};

/// One operand after the function: a marker, or a value.
enum Item {
    Word(Word),
    Value(Value),
}

/// Reads a marker call.
pub fn read(module: Module, call: Value, marker: &str, mode: Mode) -> Result<Request, Problem> {
    let bad = |text: String| Problem::at(Code::BadRequest, call, text);
    let mut operands = call.call_arguments();
    let sret = call.call_argument_type(0, c"sret").map(|_| operands.remove(0));
    if operands.is_empty() {
        return Err(bad(format!("{marker} needs the function to differentiate as its first argument")));
    }
    let function = function_of(call, marker, operands.remove(0))?;
    let (items, settings) = items(call, marker, &operands)?;
    let result = result(call, function, marker, mode, &settings)?;
    let split = matches!(mode, Mode::AugmentedForward | Mode::SplitReverse);
    let primal_return = if split { result.ty.is_some() } else { settings.primal_return };
    // A result in registers that has no derivative is returned as it is.
    let through_sret = function.parameter_has(0, c"sret");
    let place = returned::composite(function)
        .filter(|_| result.active || through_sret)
        .map(|ty| returned::place(module, call, ty, result.active, primal_return && mode != Mode::SplitReverse));
    let groups = groups(function, through_sret);
    let (arguments, values, rest) =
        assign(call, function, mode, &items, &groups, place.filter(|_| through_sret), settings.interleave)?;
    let (seeds, tape) = split::operands(call, function, mode, result.active, &rest, settings.buffer)?;
    let mut flat = by_value::flatten(module, call, Flat { function, arguments, operands: values })?;
    if let Some(place) = place {
        let given = (mode == Mode::SplitReverse).then_some(&seeds[..]);
        returned::start(module, call, &place, mode, given)?;
        if !through_sret {
            flat = returned::through_memory(module, mode, flat, &place);
        }
    }
    let Flat { function, arguments, operands } = flat;
    let variant = Variant {
        function: function.name(),
        mode,
        arguments,
        active_return: result.active && place.is_none(),
        primal_return: primal_return && place.is_none(),
        shadow_return: result.shadow,
        maybe: settings.maybe,
        inner: false,
        globals: std::collections::BTreeSet::new(),
        width: 1,
    };
    let seed = seeds.first().copied().filter(|_| place.is_none());
    Ok(Request { call, function, variant, operands, sret, seed, tape, place })
}

/// What a request wants of the function's result.
struct Wanted {
    /// Its type; none where there is no result.
    ty: Option<Type>,
    /// Whether its numbers have derivatives.
    active: bool,
    /// Whether the shadow of a pointer is returned.
    shadow: bool,
}

fn result(call: Value, function: Value, marker: &str, mode: Mode, settings: &Settings) -> Result<Wanted, Problem> {
    let bad = |text: String| Err(Problem::at(Code::BadRequest, call, text));
    let name = function.name();
    let whole = returned::composite(function);
    let plain = Some(function.return_type()).filter(|ty| ty.kind() != Kind::Void);
    let ty = whole.or(plain);
    let is_active = |ty: Type| returned::is_active(ty, mode) && (whole.is_some() || ty.kind().is_float());
    let default = ty.is_some_and(is_active);
    let active = settings.active_return.unwrap_or(default);
    if active && !default {
        let what = if ty.is_none() { "nothing" } else { "no floating-point number" };
        return bad(format!("pardiff_active_return: '{name}' returns {what}"));
    }
    if settings.primal_return && ty.is_none() {
        return bad(format!("pardiff_primal_return: '{name}' returns nothing"));
    }
    if mode == Mode::Reverse && settings.dup_return {
        let text = format!("'pardiff_dup_return' in a call of {marker} is not supported yet");
        return Err(Problem::at(Code::UnsupportedRequest, call, text));
    }
    if active && let Some(ty) = whole {
        returned::supported(call, function, ty, mode)?;
    }
    let pointer = ty.is_some_and(|ty| ty.kind() == Kind::Pointer);
    Ok(Wanted { ty, active, shadow: mode != Mode::Reverse && pointer && settings.active_return.is_none() })
}

/// The function that the first operand names.
fn function_of(call: Value, marker: &str, operand: Value) -> Result<Value, Problem> {
    let problem = |code, text: String| Err(Problem::at(code, call, text));
    let source = origin(operand);
    let Some(function) = source.as_function() else {
        return problem(
            Code::NoDefinition,
            format!(
                "the function to differentiate is not known at compile time; name it in the call of {marker}, \
                 or make the function that contains the call static or a template so that it can be inlined"
            ),
        );
    };
    if function.is_variadic() {
        return problem(
            Code::UnsupportedRequest,
            format!(
                "'{}' takes a variable number of arguments; differentiate one with fixed arguments",
                function.name()
            ),
        );
    }
    Ok(function)
}

#[derive(Default)]
struct Settings {
    primal_return: bool,
    active_return: Option<bool>,
    interleave: Option<usize>,
    maybe: bool,
    dup_return: bool,
    buffer: Buffer,
}

/// Tells markers from values, and takes out those that concern the whole call.
fn items(call: Value, marker: &str, operands: &[Value]) -> Result<(Vec<Item>, Settings), Problem> {
    let mut settings = Settings::default();
    let mut items = Vec::new();
    let mut operands = operands.iter();
    while let Some(operand) = operands.next() {
        let said = match operand.as_metadata_string() {
            Some(text) => names::word(&text),
            None => named_global(*operand).and_then(|g| match names::word(&g.name()) {
                // A variable of the program's own that happens to have such a name is a value.
                Some(Said::Unknown(_)) if !g.is_declaration() => None,
                said => said,
            }),
        };
        match said {
            None => items.push(Item::Value(*operand)),
            Some(Said::Known(_, Word::RuntimeActivity)) => settings.maybe = true,
            Some(Said::Known(_, Word::DupReturn)) => settings.dup_return = true,
            Some(Said::Known(_, Word::Allocated)) => settings.buffer.size = operands.next().copied(),
            Some(Said::Known(_, Word::Tape)) => settings.buffer.place = operands.next().copied(),
            Some(Said::Known(_, Word::PrimalReturn)) => settings.primal_return = true,
            Some(Said::Known(_, Word::ActiveReturn)) => settings.active_return = Some(true),
            Some(Said::Known(_, Word::Advice)) => {}
            Some(Said::Known(_, Word::NoReturn)) => settings.primal_return = false,
            Some(Said::Known(_, Word::ConstReturn)) => settings.active_return = Some(false),
            Some(Said::Known(_, Word::Interleave)) => settings.interleave = Some(items.len()),
            Some(Said::Known(name, Word::Later)) => {
                return Err(Problem::at(
                    Code::UnsupportedRequest,
                    call,
                    format!("'{name}' in a call of {marker} is not supported yet"),
                ));
            }
            Some(Said::Known(_, word)) => items.push(Item::Word(word)),
            Some(Said::Unknown(hint)) => {
                let name = named_global(*operand).map_or(String::new(), |g| g.name());
                return Err(Problem::at(Code::BadRequest, call, format!("'{name}' is no marker{hint}")));
            }
        }
    }
    Ok((items, settings))
}

/// How many LLVM parameters each C parameter takes: a small struct arrives in registers and is
/// put together again in one local variable at the start of the function.
pub fn groups(function: Value, through_sret: bool) -> Vec<usize> {
    let mut groups: Vec<(Option<Value>, usize)> = Vec::new();
    for parameter in function.parameters().into_iter().skip(usize::from(through_sret)) {
        let home = home(parameter).map(|(place, _)| place);
        match groups.last_mut() {
            Some((Some(last), count)) if Some(*last) == home => *count += 1,
            _ => groups.push((home, 1)),
        }
    }
    groups.into_iter().map(|(_, count)| count).collect()
}

/// The local variable that a parameter is a part of, and where in it.
fn home(parameter: Value) -> Option<(Value, u64)> {
    use llvm_sys::LLVMOpcode::{LLVMAlloca, LLVMGetElementPtr, LLVMStore};
    let users = parameter.users();
    let [store] = users.as_slice() else { return None };
    if store.opcode() != LLVMStore || store.operand(0) != Some(parameter) {
        return None;
    }
    let mut place = store.operand(1)?.as_instruction()?;
    let mut start = 0;
    while place.opcode() == LLVMGetElementPtr {
        start += u64::try_from(gep_offset(place).0).ok()?;
        place = place.operand(0)?.as_instruction()?;
    }
    (place.opcode() == LLVMAlloca).then_some((place, start))
}

/// Whether an integer is a part of a struct in which there is a number at its place.
fn hides_number(module: Module, parameter: Value) -> bool {
    let Some((place, start)) = home(parameter).filter(|_| matches!(parameter.ty().kind(), Kind::Int(_))) else {
        return false;
    };
    let whole = place.allocated_type();
    let here = start..start + module.size_of(parameter.ty());
    leaves(whole).iter().any(|leaf| leaf.ty.kind().is_float() && here.contains(&offset(module, whole, &leaf.path)))
}

/// Gives each parameter its operand and shadow; what follows belongs to the mode.
fn assign(
    call: Value,
    function: Value,
    mode: Mode,
    items: &[Item],
    groups: &[usize],
    first: Option<Place>,
    interleave: Option<usize>,
) -> Result<(Vec<Activity>, Operands, Vec<Value>), Problem> {
    let parameters = function.parameters();
    let bad = |text: String| Problem::at(Code::BadRequest, call, text);
    let mut reader = Reader { items, next: 0, end: interleave.unwrap_or(items.len()) };
    let mut activities = Vec::new();
    let mut operands: Operands = Vec::new();
    if let Some(place) = first {
        activities.push(place.activity(mode));
        operands.push((place.memory, place.shadow.into_iter().collect()));
    }
    let mut first = operands.len();
    for (argument, &count) in groups.iter().enumerate() {
        let name = || format!("argument {} of '{}'", argument + 1, function.name());
        let marked = reader.word();
        let start = operands.len();
        for index in first..first + count {
            let activity = activity(function, index, mode, marked, count > 1)
                .map_err(|(code, what)| Problem::at(code, call, format!("{}: {what}", name())))?;
            activities.push(activity);
            let value = reader.value().ok_or_else(|| bad(format!("{} is missing in the call", name())))?;
            operands.push((value, Vec::new()));
        }
        if interleave.is_none() {
            for index in start..start + count {
                if activities[index].has_shadow() {
                    let what = parameters[index].ty().kind();
                    let shadow = reader.value().ok_or_else(|| bad(format!("{} {}", name(), missing_shadow(what))))?;
                    operands[index].1.push(shadow);
                }
            }
        }
        first += count;
    }
    if let Some(start) = interleave {
        reader = Reader { items, next: start, end: items.len() };
        let given = |index: &usize| operands[*index].1.is_empty();
        let missing = (0..activities.len()).filter(|n| activities[*n].has_shadow()).filter(given).collect::<Vec<_>>();
        for (index, activity) in missing.into_iter().map(|n| (n, activities[n])) {
            let what =
                format!("the shadow of parameter {} of '{}' ({activity:?}) is missing", index + 1, function.name());
            operands[index].1.push(reader.value().ok_or_else(|| bad(what))?);
        }
    }
    let rest: Vec<Value> = match mode {
        Mode::SplitReverse => std::iter::from_fn(|| reader.value()).collect(),
        _ => vec![],
    };
    if reader.next < reader.end {
        return Err(bad(format!(
            "'{}' takes {} arguments; the call has {} operands more than they and their shadows need",
            function.name(),
            groups.len(),
            reader.end - reader.next
        )));
    }
    Ok((activities, operands, rest))
}

fn missing_shadow(kind: Kind) -> &'static str {
    if kind == Kind::Pointer {
        "is a pointer without a shadow; pass its shadow after it, or mark it pardiff_const"
    } else {
        "has no tangent; pass its tangent after it, or mark it pardiff_const"
    }
}

/// Walks the operands.
struct Reader<'a> {
    items: &'a [Item],
    next: usize,
    end: usize,
}

impl Reader<'_> {
    fn word(&mut self) -> Option<Activity> {
        match self.items[..self.end].get(self.next) {
            Some(Item::Word(Word::Is(activity))) => {
                self.next += 1;
                Some(*activity)
            }
            _ => None,
        }
    }
    fn value(&mut self) -> Option<Value> {
        match self.items[..self.end].get(self.next) {
            Some(Item::Value(value)) => {
                self.next += 1;
                Some(*value)
            }
            _ => None,
        }
    }
}

/// What a parameter is, from its marker and type.
fn activity(
    function: Value,
    index: usize,
    mode: Mode,
    marked: Option<Activity>,
    part_of_struct: bool,
) -> Result<Activity, (Code, String)> {
    let by_value = function.parameter_type(index as u32, c"byval").is_some();
    let composite = by_value::composite(function, index as u32);
    if by_value && composite.is_none() && marked != Some(Activity::Const) {
        let text = "a struct passed by value that holds more than numbers is supported as pardiff_const only; \
                    pass a pointer to it";
        return Err((Code::UnsupportedRequest, text.into()));
    }
    // What one of its numbers is, all are.
    let numbers = composite.map(leaves).unwrap_or_default();
    let number = numbers.iter().map(|leaf| leaf.ty.kind()).find(|kind| kind.is_float());
    let whole = function.parameters()[index].ty().kind();
    let scalar = number.or(numbers.first().map(|leaf| leaf.ty.kind())).unwrap_or(whole);
    let is_number = scalar.is_float();
    let forward = matches!(mode, Mode::Forward);
    let default = match scalar {
        Kind::Pointer => Activity::Dup,
        _ if is_number && forward => Activity::Dup,
        _ if is_number => Activity::Out,
        _ => Activity::Const,
    };
    match marked {
        None if scalar != Kind::Pointer && !is_number && hides_number(function.module(), function.parameters()[index]) => Err((
            Code::UnsupportedRequest,
            "a struct passed by value has a number and an integer in one register, which is supported as pardiff_const \
             only; pass a pointer to it"
                .into(),
        )),
        None => Ok(default),
        // The integer fields of a struct have no derivative, whatever its other fields have.
        Some(Activity::Out) if part_of_struct && !is_number => Ok(Activity::Const),
        Some(Activity::Out) if forward => Err((
            Code::BadRequest,
            "pardiff_out belongs to reverse mode; forward mode takes pardiff_dup and a tangent".into(),
        )),
        Some(Activity::Out) if !is_number => {
            Err((Code::BadRequest, "pardiff_out needs a floating-point number passed by value".into()))
        }
        Some(a) if a.has_shadow() && is_number && !forward => Err((
            Code::BadRequest,
            "pardiff_dup needs a pointer in reverse mode; a number passed by value is pardiff_out".into(),
        )),
        Some(activity) => Ok(activity),
    }
}

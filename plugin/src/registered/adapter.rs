//! Generated functions that call what the program gives, in the place and with the types of generated derivatives.

use super::{Given, Sweeps, Tangent, shape};
use crate::callees::Generated;
use crate::leaves::{extract, leaves};
use crate::llvm::builder::Builder;
use crate::llvm::ir::{Kind, Module, Value};
use crate::problem::{Code, Problem};
use crate::request::{Activity, Mode, Variant};

/// One parameter of the function in a generated one.
struct Argument {
    primal: Value,
    shadow: Option<Value>,
    activity: Activity,
}

struct Adapter<'a> {
    module: Module,
    b: Builder,
    function: Value,
    variant: &'a Variant,
    made: Value,
    arguments: Vec<Argument>,
    /// Parameters after those of the function.
    rest: std::vec::IntoIter<Value>,
    fields: Vec<Value>,
}

/// What the forward sweep gives.
struct Forward {
    tape: Value,
    result: Option<Value>,
    shadow: Option<Value>,
}

/// Builds the functions of a variant of `function`; each with the given function that it is like. `repeatable`: the
/// function itself may be called for its result beside what is given.
pub fn build(
    module: Module,
    function: Value,
    given: Given,
    variant: &Variant,
    into: Generated,
    repeatable: bool,
) -> Result<Vec<(Value, Value)>, Vec<Problem>> {
    let refuse = |text: String| Err(vec![Problem::at(Code::BadRequest, function, text)]);
    let name = function.name();
    let start = |made| Adapter::new(module, function, variant, made);
    let repeats = |result: bool| variant.primal_return && !result && !repeatable;
    match (variant.mode, given.sweeps, given.tangent) {
        (Mode::Forward, _, None) => refuse(format!(
            "'{name}' has a gradient of its own and no derivative for forward mode; give it one with \
             '__pardiff_register_derivative_{name}'"
        )),
        (Mode::Forward, _, Some(t)) if repeats(t.result) => refuse(must_return(&name, t.function)),
        (Mode::Forward, _, Some(t)) => {
            let Generated::Whole(made) = into else { unreachable!("forward mode has one function") };
            start(made).tangent(t);
            Ok(vec![(made, t.function)])
        }
        (_, None, _) => refuse(format!(
            "'{name}' has a derivative of its own for forward mode and none for reverse mode; give it one with \
             '__pardiff_register_gradient_{name}'"
        )),
        (_, Some(s), _) if repeats(s.result) => refuse(must_return(&name, s.augmented)),
        (_, Some(s), _) => {
            match into {
                Generated::Whole(made) => start(made).both(s),
                Generated::Split { forward, reverse } => {
                    start(forward).forward(s);
                    start(reverse).reverse(s);
                }
            }
            let like = [s.augmented, s.gradient];
            let made = into.functions();
            Ok(made.iter().copied().zip(like.into_iter().skip(2 - made.len())).collect())
        }
    }
}

fn must_return(name: &str, given: Value) -> String {
    format!(
        "'{}' must return the result of '{name}' too: calling '{name}' for it would repeat what it writes to memory",
        given.name()
    )
}

impl<'a> Adapter<'a> {
    fn new(module: Module, function: Value, variant: &'a Variant, made: Value) -> Self {
        let b = Builder::new(module);
        b.at_end(b.new_block(made, ""));
        let mut parameters = made.parameters().into_iter();
        let mut next = || parameters.next().expect("the signature has all parameters");
        let mut arguments = vec![];
        for &activity in &variant.arguments {
            let primal = next();
            arguments.push(Argument { primal, shadow: activity.has_shadow().then(&mut next), activity });
        }
        let rest = parameters.collect::<Vec<_>>().into_iter();
        Adapter { module, b, function, variant, made, arguments, rest, fields: vec![] }
    }

    /// Arguments as given functions take them: the shadow of what has none is null, or a tangent of 0.
    fn shared(&self) -> Vec<Value> {
        let mut all = vec![];
        for parameters in shape::arguments(self.function) {
            let parts = || parameters.iter().map(|n| &self.arguments[*n]);
            all.extend(parts().map(|part| part.primal));
            let kinds: Vec<Kind> = parts().map(|part| part.primal.ty().kind()).collect();
            if shape::has_shadow(&kinds, self.variant.mode == Mode::Forward) {
                all.extend(parts().map(|part| part.shadow.unwrap_or(part.primal.ty().zero())));
            }
        }
        all
    }

    /// Calls a function of the program; the numbers and pointers that it returns.
    fn call(&self, function: Value, mut arguments: Vec<Value>) -> Vec<Value> {
        let ty = shape::returned(function);
        let place = (ty != function.return_type()).then(|| self.b.alloca(ty, "returned"));
        arguments.splice(0..0, place);
        let call = self.b.call(function, &arguments);
        call.pass_as_declared(function);
        let whole = place.map_or(call, |place| self.b.load(ty, place));
        leaves(ty).iter().map(|leaf| extract(&self.b, whole, &leaf.path)).collect()
    }

    /// The result of the function itself.
    fn result(&self) -> Option<Value> {
        let result = self.call(self.function, self.arguments.iter().map(|a| a.primal).collect());
        result.first().copied()
    }

    fn run_forward(&self, sweeps: Sweeps) -> Forward {
        let mut given = self.call(sweeps.augmented, self.shared()).into_iter();
        let mut next = |wanted: bool| if wanted { given.next() } else { None };
        let tape = next(sweeps.tape).unwrap_or(self.module.pointer().zero());
        let result = next(sweeps.result);
        let shadow = next(sweeps.shadow);
        let repeat = self.variant.primal_return && !sweeps.result;
        Forward { tape, result: if repeat { self.result() } else { result }, shadow }
    }

    /// Calls the gradient; its adjoints for numbers that are active are returned.
    fn run_reverse(&mut self, sweeps: Sweeps, seed: Option<Value>, tape: Value) {
        let returned = self.function.return_type();
        let mut arguments = self.shared();
        if returned.kind().is_float() {
            arguments.push(seed.unwrap_or(returned.zero()));
        }
        if sweeps.tape {
            arguments.push(tape);
        }
        let mut adjoints = self.call(sweeps.gradient, arguments).into_iter();
        for argument in self.arguments.iter().filter(|a| a.primal.ty().kind().is_float()) {
            let adjoint = adjoints.next().expect("the gradient returns an adjoint for each number");
            if argument.activity == Activity::Out {
                self.fields.push(adjoint);
            }
        }
    }

    fn seed(&mut self) -> Option<Value> {
        if self.variant.active_return { self.rest.next() } else { None }
    }

    fn forward(mut self, sweeps: Sweeps) {
        let given = self.run_forward(sweeps);
        self.fields.push(given.tape);
        self.fields.extend(given.result.filter(|_| self.variant.primal_return));
        self.fields.extend(given.shadow.filter(|_| self.variant.shadow_return));
        self.finish();
    }

    fn reverse(mut self, sweeps: Sweeps) {
        let seed = self.seed();
        let tape = self.rest.next().expect("a reverse sweep has a record");
        self.run_reverse(sweeps, seed, tape);
        self.finish();
    }

    fn both(mut self, sweeps: Sweeps) {
        let seed = self.seed();
        let given = self.run_forward(sweeps);
        self.fields.extend(given.result.filter(|_| self.variant.primal_return));
        self.run_reverse(sweeps, seed, given.tape);
        self.finish();
    }

    fn tangent(mut self, tangent: Tangent) {
        let mut given = self.call(tangent.function, self.shared()).into_iter();
        let result = if tangent.result { given.next() } else { None };
        if self.variant.primal_return {
            let result = if tangent.result { result } else { self.result() };
            self.fields.extend(result);
        }
        let wanted = self.variant.active_return || self.variant.shadow_return;
        self.fields.extend(given.next().filter(|_| wanted));
        self.finish();
    }

    fn finish(self) {
        let result = self.made.return_type();
        if self.fields.is_empty() {
            self.b.ret(None);
            return;
        }
        let fields = (0u32..).zip(&self.fields);
        let value = fields.fold(result.poison(), |whole, (n, field)| self.b.insert_field(whole, *field, n));
        self.b.ret(Some(value));
    }
}

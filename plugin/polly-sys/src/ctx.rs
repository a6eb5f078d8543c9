//! Contexts, which objects live in, and what can go wrong.

use crate::raw;
use std::ffi::{CStr, c_ulong};
use std::fmt;
use std::rc::Rc;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It would have taken more operations than the context allows.
    Limit,
    /// The question has no meaning: a text that cannot be read, spaces that do not match.
    Invalid(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Limit => f.write_str("the limit on operations is reached"),
            Error::Invalid(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

/// A context. Clones are the same context, which lives as long as any of them or any object in it.
#[derive(Clone)]
pub struct Ctx(Rc<Owned>);

struct Owned(*mut raw::isl_ctx);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the context is ours, and objects in it, which hold a clone, are gone.
        unsafe { raw::isl_ctx_free(self.0) }
    }
}

impl Default for Ctx {
    fn default() -> Self {
        Ctx::new()
    }
}

impl Ctx {
    /// A context without limit.
    pub fn new() -> Self {
        // SAFETY: no preconditions. With this option no error prints or aborts.
        unsafe {
            let ctx = raw::isl_ctx_alloc();
            assert!(!ctx.is_null(), "out of memory");
            raw::isl_options_set_on_error(ctx, raw::ISL_ON_ERROR_CONTINUE as i32);
            Ctx(Rc::new(Owned(ctx)))
        }
    }

    /// From now on so many operations are allowed, in all; 0: any number.
    pub fn limit(&self, operations: u64) {
        // SAFETY: a live context.
        unsafe {
            raw::isl_ctx_reset_operations(self.raw());
            raw::isl_ctx_set_max_operations(self.raw(), operations as c_ulong);
        }
    }

    pub(crate) fn raw(&self) -> *mut raw::isl_ctx {
        self.0.0
    }

    /// What went wrong last; the context forgets it.
    pub(crate) fn error(&self) -> Error {
        // SAFETY: a live context; the message is copied before anything else happens in it.
        unsafe {
            let error = match raw::isl_ctx_last_error(self.raw()) {
                raw::isl_error_quota => Error::Limit,
                _ => {
                    let message = raw::isl_ctx_last_error_msg(self.raw());
                    let text = match message.is_null() {
                        true => "isl gave no reason".into(),
                        false => CStr::from_ptr(message).to_string_lossy().into_owned(),
                    };
                    Error::Invalid(text)
                }
            };
            raw::isl_ctx_reset_error(self.raw());
            error
        }
    }
}

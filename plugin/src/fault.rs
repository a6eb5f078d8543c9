//! Turns a panic, which is a fault of the plugin, into a problem that says how to report it.

use crate::problem::{Code, Problem};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Inside `guarded`: where the last panic was, if there was one.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    static GUARDED: RefCell<bool> = const { RefCell::new(false) };
}

/// Keeps the place of a panic inside `guarded`, and leaves others to the hook that was there.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            if GUARDED.with(|g| *g.borrow()) {
                let place = info.location().map(|l| format!("{}:{}", l.file(), l.line()));
                PLACE.with(|p| *p.borrow_mut() = place);
            } else {
                before(info);
            }
        }));
    });
}

/// Runs `work` on the function of this name; a panic becomes a problem.
pub fn guarded<T>(function: &str, work: impl FnOnce() -> Result<T, Vec<Problem>>) -> Result<T, Vec<Problem>> {
    install_hook();
    GUARDED.with(|g| *g.borrow_mut() = true);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.with(|g| *g.borrow_mut() = false);
    result.unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let place = PLACE.with(|p| p.borrow_mut().take()).unwrap_or_default();
        let text = format!(
            "a fault inside the plugin while differentiating '{function}' ({what}, {place}); to report it, attach the \
             file that 'clang -S -emit-llvm -Xclang -disable-llvm-passes' makes of this program"
        );
        Err(vec![Problem::new(Code::Internal, text)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_problem_with_its_place() {
        let problems = guarded::<()>("f", || panic!("no such key")).err().unwrap_or_default();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].text.contains("'f' (no such key, plugin/src/fault.rs:"), "{}", problems[0].text);
    }
}

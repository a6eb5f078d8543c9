//! How does the table of rules read for a user?
//!
//! One Markdown table: the operation, a formula per operand, what the reverse
//! sweep keeps when every operand is active, and the stated edge values.

use super::{Row, rows};

/// The documentation's table of rules, one line per row.
pub fn markdown() -> String {
    let mut text = String::from("| operation | partial derivatives | kept | at the edges |\n|---|---|---|---|\n");
    for row in rows() {
        let operation = format!("{}({})", row.name, row.params.join(", "));
        let line = format!("| `{}` | {} | {} | {} |\n", operation, partials(row), kept(row), row.edge);
        text.push_str(&line);
    }
    text
}

/// The formulas, each after the name of its operand.
fn partials(row: &Row) -> String {
    if row.integer_result {
        return "none: the result is an integer".to_string();
    }
    let active = (0..row.arity).filter(|i| row.float_args[*i]);
    let formulas: Vec<String> = active
        .map(|i| {
            let formula = row.partials[i].formula(row.params);
            format!("`d{} = {}`", row.params[i], formula)
        })
        .collect();
    if formulas.is_empty() {
        return "none".to_string();
    }
    formulas.join(", ")
}

/// The operands and the result that the partials read.
fn kept(row: &Row) -> String {
    let needs = row.needs(row.float_args);
    let mut names: Vec<&str> = (0..row.arity).filter(|i| needs.arg(*i)).map(|i| row.params[i]).collect();
    if needs.result {
        names.push("r");
    }
    if names.is_empty() {
        return "nothing".to_string();
    }
    names.join(", ")
}

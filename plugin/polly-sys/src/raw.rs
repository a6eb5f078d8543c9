//! The bindings, as made from the headers.

#![expect(
    non_upper_case_globals,
    non_camel_case_types,
    dead_code,
    clippy::upper_case_acronyms,
    reason = "names and extent are those of the headers"
)]

include!(concat!(env!("OUT_DIR"), "/isl.rs"));

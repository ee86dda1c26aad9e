//! A baton.toml that came with a project.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baton_fuzz::run("baton_toml", bytes));

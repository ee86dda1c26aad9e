//! Plain text and Markdown.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baton_fuzz::run("plain", bytes));

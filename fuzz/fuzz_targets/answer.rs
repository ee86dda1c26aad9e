//! Answers of model servers, whole and streamed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baton_fuzz::run("answer", bytes));

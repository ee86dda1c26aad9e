//! Files of `baton export`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baton_fuzz::run("parcel", bytes));

//! What is drawn equals what was given: read back from pictures, pages and workbooks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking, its helpers too"
)]

mod browser;
mod driver;
mod hostile;
mod office;
mod picture;
mod readback;
mod workbook;

//! The sample workflow and what this crate says about it.

mod advancing;
mod drawing;
mod explaining;
mod replaying;
mod sample;
mod stored;

use baton_testkit::snapshot;

/// Compares with a file kept beside the tests.
fn same_as_file(name: &str, text: &str) {
    snapshot::same_as_file(format!("{}/src/tests/{name}", env!("CARGO_MANIFEST_DIR")), text);
}

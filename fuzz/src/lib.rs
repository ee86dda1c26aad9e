//! What each fuzz target does with its bytes. An ordinary test runs the same functions over the corpora, so that neither
//! rots; see docs/fuzzing.md.
//!
//! A function here fails by panicking, and only where a promise of the parser is broken.

mod parcels;
mod reading;
mod replies;
mod written;

/// A target by its name: what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target, by the name of its file in `fuzz_targets` and of its folder in `corpus`.
pub const TARGETS: &[Target] = &[
    ("answer", replies::answer),
    ("baton_toml", written::baton_toml),
    ("csv", reading::csv),
    ("debate_file", written::debate_file),
    ("docx", reading::docx),
    ("html", reading::html),
    ("mcp", replies::mcp),
    ("parcel", parcels::parcel),
    ("pdf", reading::pdf),
    ("plain", reading::plain),
    ("record", written::record),
    ("reply", replies::reply),
    ("robots", reading::robots),
    ("search", replies::search),
    ("sse", replies::sse),
    ("task_md", written::task_md),
];

/// Runs the target of that name.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a known target");
    target(bytes);
}

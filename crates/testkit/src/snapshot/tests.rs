//! A snapshot that differs is noticed, and the message says where.

use std::path::Path;

use super::{compared, same_as_file};

fn own_manifest() -> String {
    format!("{}/Cargo.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_same_text_passes() {
    let path = own_manifest();
    same_as_file(&path, &std::fs::read_to_string(&path).unwrap());
}

#[test]
fn another_line_is_named() {
    let path = own_manifest();
    let text = std::fs::read_to_string(&path).unwrap();
    let said = compared(Path::new(&path), &text.replace("baton-testkit", "another")).unwrap_err();
    assert!(
        said.ends_with("in line 2:\n  kept: name = \"baton-testkit\"\n  made: name = \"another\"\n"),
        "{said}"
    );
}

#[test]
fn a_cut_text_and_a_missing_file_are_noticed() {
    let path = own_manifest();
    assert!(compared(Path::new(&path), "").unwrap_err().ends_with("bytes kept, 0 made"));
    assert!(compared(Path::new("nowhere.txt"), "").unwrap_err().starts_with("cannot read nowhere.txt"));
}

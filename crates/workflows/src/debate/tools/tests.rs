//! The tools show documents: no hidden file, no pipe, no device, nothing too large, nothing outside.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

use super::*;

/// A context folder with one of everything, beside a file that is none of its business.
fn context() -> tempfile::TempDir {
    let outer = tempfile::tempdir().unwrap();
    let at = |name: &str| outer.path().join(name);
    fs::create_dir_all(at("in/docs/.git")).unwrap();
    fs::write(at("secret"), "word: outside").unwrap();
    fs::write(at("in/note.md"), "word: note").unwrap();
    fs::write(at("in/docs/deep.md"), "word: deep").unwrap();
    fs::write(at("in/.env"), "word: KEY=hidden").unwrap();
    fs::write(at("in/docs/.git/config"), "word: hidden").unwrap();
    File::create(at("in/sparse.md")).unwrap().set_len(3 << 30).unwrap();
    assert!(Command::new("mkfifo").arg(at("in/pipe.md")).status().unwrap().success());
    for (target, link) in
        [(".env", "env.md"), ("docs/.git", "git"), ("../secret", "out.md"), ("/dev/zero", "zero.md")]
    {
        symlink(target, at("in").join(link)).unwrap();
    }
    outer
}

fn used(tool: Tool, argument: &str) -> String {
    let outer = context();
    let folder = outer.path().join("in");
    let done = match tool {
        Tool::Search => search(&folder, argument),
        Tool::List => list(&folder, argument),
        Tool::Read => read(&folder, argument),
        Tool::History => unreachable!("it is not in the folder"),
    };
    done.unwrap_or_else(|why| why)
}

#[test]
fn only_visible_regular_files_of_the_folder_are_read() {
    let denied = |path: &str| format!("Access denied: {path} is hidden");
    let outside = |path: &str| format!("Access denied: {path} is outside the context directory");
    for (path, outcome) in [
        ("note.md", "note.md:\nword: note".to_owned()),
        ("./docs/deep.md", "./docs/deep.md:\nword: deep".to_owned()),
        (".env", denied(".env")),
        ("./.env", denied("./.env")),
        (" .env", denied(" .env")),
        ("docs/.git/config", denied("docs/.git/config")),
        ("env.md", denied("env.md")),
        ("git/config", denied("git/config")),
        ("out.md", outside("out.md")),
        ("../secret", outside("../secret")),
        ("zero.md", outside("zero.md")),
        ("pipe.md", "pipe.md: is a named pipe, not a regular file".to_owned()),
        ("docs", "docs: is a folder, not a regular file".to_owned()),
        ("sparse.md", "sparse.md: is 3221225472 bytes, more than the limit of 1000000".to_owned()),
    ] {
        assert_eq!(used(Tool::Read, path), outcome);
    }
}

#[test]
fn lists_and_searches_show_no_more_than_reading() {
    assert_eq!(used(Tool::List, ""), "files in :\ndocs/deep.md\nnote.md\nsparse.md");
    for path in ["docs/.git", ".git", "git"] {
        assert!(!used(Tool::List, path).contains("config"), "{path}");
    }
    assert_eq!(
        used(Tool::Search, "word"),
        "search for \"word\":\ndocs/deep.md:1: word: deep\nnote.md:1: word: note"
    );
}

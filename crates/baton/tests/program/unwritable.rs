//! Homes that may be read and not written: whoever only looks sees what is there, and leaves nothing behind.
//!
//! Rights mean nothing to the administrator, so where the tests run as one the program runs as somebody else.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use crate::support::{Home, Output};

const SOMEBODY: u32 = 65_534;

/// A home that nothing may be written to, until dropped.
struct Closed<'a> {
    home: &'a Home,
}

impl<'a> Closed<'a> {
    fn new(home: &'a Home) -> Self {
        let outside = home.desk().parent().expect("a folder").to_owned();
        set(&outside, 0o700);
        set(&home.desk(), 0o700);
        for path in below(&home.path()) {
            set(&path, if path.is_dir() { 0o500 } else { 0o400 });
        }
        Self { home }
    }

    fn baton(&self, words: &[&str]) -> Output {
        let mut command = self.home.command(words);
        if is_administrator() {
            command.uid(SOMEBODY).gid(SOMEBODY);
        }
        let output = command.output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Output { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        // Ours again, and it can vanish.
        let us = rustix::process::geteuid().as_raw();
        below(&self.home.path()).iter().for_each(|path| give(path, us, 0o700));
    }
}

fn is_administrator() -> bool {
    rustix::process::geteuid().is_root()
}

fn set(path: &Path, mode: u32) {
    give(path, if is_administrator() { SOMEBODY } else { rustix::process::geteuid().as_raw() }, mode);
}

fn give(path: &Path, to: u32, mode: u32) {
    chown(path, Some(to), None).expect("handed over");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
}

/// A folder and everything in it, the folder first.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(below(&path)) } else { found.push(path) }
    }
    found
}

/// Everything in a folder, with its length and the time it was written.
fn traces(folder: &Path) -> BTreeMap<PathBuf, (u64, i64)> {
    let about = |path: PathBuf| {
        let about = path.metadata().expect("there");
        (path, (about.len(), about.mtime_nsec()))
    };
    below(folder).into_iter().map(about).collect()
}

const LOOKS: [&[&str]; 9] = [
    &["runs"],
    &["runs", "--json", "--all"],
    &["show", "last", "--memory"],
    &["log", "last"],
    &["log", "last", "--follow", "--json"],
    &["files", "last", "--names"],
    &["explain", "last"],
    &["diagram", "last"],
    &["watch", "last"],
];

#[test]
fn a_home_at_rest_can_be_looked_at() {
    let home = Home::new();
    home.waiting();
    let before = LOOKS.map(|words| home.plain(&home.baton(words).out));
    let closed = Closed::new(&home);
    let lies = traces(&home.path());
    let after = LOOKS.map(|words| {
        let said = closed.baton(words);
        assert_eq!(said.code, if words[0] == "watch" { Some(5) } else { Some(0) }, "{words:?} {said:?}");
        said.out
    });
    assert_eq!(traces(&home.path()), lies);
    drop(closed);
    assert_eq!(after.map(|out| home.plain(&out)), before);
}

#[test]
fn what_must_write_says_that_it_cannot() {
    let home = Home::new();
    home.waiting();
    let closed = Closed::new(&home);
    for words in [&["answer", "last", "yes"][..], &["cancel", "last"], &["start", "approval", "release.toml"]]
    {
        let said = closed.baton(words);
        assert_eq!(said.code, Some(1), "{words:?} {said:?}");
        assert!(said.err.contains("cannot write to the home folder"), "{words:?} {said:?}");
    }
    // Its folder is written, and only that: the journal was read.
    let said = closed.baton(&["files", "last"]);
    assert!(said.err.contains("locking the run's folder"), "{said:?}");
}

/// A writer that lives, or died with its log beside it: what it committed is seen.
#[test]
fn what_stands_in_the_log_alone_is_seen() {
    let home = Home::new();
    home.waiting();
    let writer = rusqlite::Connection::open(home.path().join("baton.db")).expect("a database");
    writer.execute_batch("UPDATE run SET title = 'Only in the log'").expect("changed");
    let titles = |closed: &Closed<'_>| {
        let said = closed.baton(&["runs", "--json"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        said.json()[0]["title"].clone()
    };
    assert_eq!(titles(&Closed::new(&home)), "Only in the log");

    // As a crash leaves it: the same files, and nobody who has them open.
    let left = Home::new();
    std::fs::create_dir(left.path()).expect("a folder");
    for name in ["baton.db", "baton.db-wal", "baton.db-shm", "baton.anchor"] {
        std::fs::copy(home.path().join(name), left.path().join(name)).expect("copied");
    }
    assert_eq!(titles(&Closed::new(&left)), "Only in the log");

    // Without its shared memory the log cannot be read here; the file without the log would be an older truth.
    std::fs::remove_file(left.path().join("baton.db-shm")).expect("removed");
    let said = Closed::new(&left).baton(&["runs"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("opening the journal for reading"), "{said:?}");
    drop(writer);
}

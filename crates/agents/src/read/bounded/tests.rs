use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::*;

const LIMIT: u64 = 1000;

/// A folder with one of everything that must not be read.
fn surprises() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("small"), "words").unwrap();
    fs::write(at("latin1"), b"caf\xe9").unwrap();
    fs::write(at("full"), vec![b'x'; 1000]).unwrap();
    fs::write(at("over"), vec![b'x'; 1001]).unwrap();
    File::create(at("sparse")).unwrap().set_len(3 << 30).unwrap();
    fs::create_dir(at("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("pipe", at("link to pipe")).unwrap();
    std::os::unix::fs::symlink("small", at("link to small")).unwrap();
    folder
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folder = surprises();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let outcomes = [
        ("small", "words"),
        ("link to small", "words"),
        ("latin1", "is not UTF-8 text"),
        ("over", "is 1001 bytes, more than the limit of 1000"),
        ("sparse", "is 3221225472 bytes, more than the limit of 1000"),
        ("folder", "is a folder, not a regular file"),
        ("pipe", "is a named pipe, not a regular file"),
        ("link to pipe", "is a named pipe, not a regular file"),
        ("socket", "is a socket, not a regular file"),
        ("/dev/zero", "is a device, not a regular file"),
        ("/dev/tty", "is a device, not a regular file"),
        ("gone", "No such file or directory (os error 2)"),
    ];
    for (name, outcome) in outcomes {
        let read = text(&folder.path().join(name), LIMIT);
        assert_eq!(read.unwrap_or_else(|refusal| refusal.to_string()), outcome, "{name}");
    }
    assert_eq!(text(&folder.path().join("full"), LIMIT).unwrap().len(), 1000);
    assert!(text(&folder.path().join("gone"), LIMIT).unwrap_err().is_missing());
}

/// What stands at a path can be exchanged after it was looked at: opening a pipe does not wait either.
#[test]
fn a_pipe_cannot_hang_the_opening_itself() {
    let folder = surprises();
    let file = without_waiting().open(folder.path().join("pipe")).unwrap();
    assert!(matches!(regular(file.metadata().unwrap().file_type()), Err(Refusal::Special("a named pipe"))));
}

/// Files of the kernel say they hold nothing; a file may also grow. Neither fills memory.
#[test]
fn more_than_was_announced_is_not_read() {
    let endless = stream(io::repeat(b'x'), LIMIT).unwrap_err();
    assert_eq!(endless.to_string(), "is 1001 bytes, more than the limit of 1000");
    let folder = surprises();
    let path = folder.path().join("full");
    let file = open(&path).unwrap();
    fs::write(&path, vec![b'x'; 5000]).unwrap();
    assert!(matches!(all(&file, LIMIT), Err(Refusal::TooLarge { size: 5000, .. })));
}

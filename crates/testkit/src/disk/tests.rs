//! The simulated disk on traces written by hand.

use std::path::Path;

use super::{Disk, Fate, Op, read};

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("\\x{byte:02x}")).collect()
}

#[test]
fn a_trace_is_read_call_by_call() {
    let (file, marks) = (hex("/h/a"), hex("/m"));
    let text = [
        format!(
            "7 openat(AT_FDCWD<{}>, \"{file}\", O_RDWR|O_CREAT|O_TRUNC|O_CLOEXEC, 0644) = 5<{file}>",
            hex("/h")
        ),
        format!("7 write(5<{file}>, \"{}\", 2) = 2", hex("ab")),
        format!("7 write(5<{file}>, \"{}\", 2 <unfinished ...>", hex("cd")),
        format!("8 write(6<{marks}>, \"{}\", 4) = 4", hex("one\n")),
        "7 <... write resumed>)           = 2".to_owned(),
        format!("7 pwrite64(5<{file}>, \"{}\", 1, 9) = 1", hex("z")),
        format!("7 fsync(5<{file}>) = -1 EIO (Input/output error) (INJECTED)"),
        format!("7 fdatasync(5<{file}>) = 0"),
        format!("7 rename(\"{file}\", \"{}\") = 0", hex("/h/b")),
        format!("7 unlink(\"{}\") = 0", hex("/elsewhere")),
    ];
    let ops = read(&text.join("\n"), Path::new("/h"), Path::new("/m"));
    let write = |at, bytes: &str| Op::Write { path: "a".into(), at, bytes: bytes.as_bytes().to_vec() };
    let wanted = [
        Op::Open { path: "a".into(), empties: true },
        write(0, "ab"),
        Op::Mark("one".to_owned()),
        write(2, "cd"),
        write(9, "z"),
        Op::Sync { path: "a".into() },
        Op::Rename { from: "a".into(), to: "b".into() },
    ];
    assert_eq!(ops, wanted);
}

#[test]
fn what_was_synchronised_is_there_and_the_rest_has_its_fate() {
    let write = |at, byte: u8, length| Op::Write { path: "a".into(), at, bytes: vec![byte; length] };
    let mut disk = Disk::default();
    [write(0, 1, 600), Op::Sync { path: "a".into() }, write(0, 2, 1024), Op::Remove { path: "a".into() }]
        .iter()
        .for_each(|op| disk.apply(op));
    let image = |fate| {
        let folder = tempfile::tempdir().unwrap();
        disk.image(fate, folder.path()).unwrap();
        std::fs::read(folder.path().join("a")).ok()
    };
    assert_eq!(image(Fate::Lost), Some(vec![1; 600]));
    assert_eq!(image(Fate::Kept), None);
    let torn: Vec<_> = (0..60).filter_map(|seed| image(Fate::Torn(seed))).collect();
    let halves = |content: &Vec<u8>| (content[0], content[512], content.len());
    for wanted in [(1, 1, 600), (2, 1, 600), (1, 2, 1024)] {
        assert!(torn.iter().any(|content| halves(content) == wanted), "{wanted:?}");
    }
}

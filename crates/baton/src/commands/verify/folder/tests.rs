use super::*;

fn spots(wanted: &str, found: &str) -> Vec<(usize, usize, usize)> {
    let spots = differences(wanted.as_bytes(), found.as_bytes());
    spots.into_iter().map(|Spot { offset, line, bytes }| (offset, line, bytes)).collect()
}

#[test]
fn every_place_that_differs_is_named() {
    assert_eq!(spots("one\ntwo\nthree", "one\ntWo\nthrEE"), [(5, 2, 1), (11, 3, 2)]);
    assert_eq!(spots("one two", "one new two"), [(4, 1, 4)]);
    assert_eq!(spots("one two", "one"), [(3, 1, 0)]);
    assert_eq!(spots("aaa", "aaaa"), [(3, 1, 1)]);
    assert_eq!(spots("", "x"), [(0, 1, 1)]);
    assert_eq!(spots("same", "same"), []);
}

#[test]
fn a_folder_is_compared_with_what_is_rendered() {
    let home = tempfile::tempdir().expect("a folder");
    let (folder, archive) = (home.path().join("run"), Archive::new(&home.path().join("archive")));
    std::fs::create_dir_all(folder.join("assets")).expect("a folder");
    let hash = archive.put(b"the source").expect("archived");
    let lost = baton_agents::hash::sha256_hex(b"never archived");
    let files = [
        RunFile::text("report.md", "As it was."),
        RunFile::text("gone.md", "Gone."),
        RunFile::copy("assets/a.txt", Archive::place(&hash)),
        RunFile::copy("assets/b.txt", Archive::place(&lost)),
    ];
    for (name, text) in [("report.md", "As it is!"), ("assets/a.txt", "the sourcE"), ("notes.txt", "mine")] {
        std::fs::write(folder.join(name), text).expect("written");
    }
    let compared = compare(&folder, &files, &archive);
    let words: Vec<String> = compared.flaws.iter().map(FileFlaw::words).collect();
    assert_eq!(
        words[..3],
        [
            "report.md is not the file that was written: it differs at byte 6 (line 1, 3 bytes)",
            "gone.md is gone",
            "assets/a.txt is not the file that was written: it differs at byte 9 (line 1)",
        ]
    );
    assert!(words[3].starts_with("the archived original of assets/b.txt: "), "{words:?}");
    assert_eq!((compared.files, compared.extra), (4, vec!["notes.txt".to_owned()]));
}

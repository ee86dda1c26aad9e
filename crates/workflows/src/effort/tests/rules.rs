//! What the rules find in a diff, and how they cut one.

use super::{order, snapped};
use crate::coding::order::{Severity, SizeLimits};
use crate::effort::{Memory, review, split};
use crate::git::parse_diff;

fn found(diff: &str, tests: &[&str]) -> Vec<(String, Severity)> {
    let mut order = order();
    order.paths = vec!["src/**".to_owned(), "tests/**".to_owned(), "*.lock".to_owned()];
    order.tests = tests.iter().map(|path| (*path).to_owned()).collect();
    order.protected = vec!["src/gate.cfg".to_owned()];
    let memory = Memory::new(order);
    let findings = review::rules(&parse_diff(diff), &memory, &snapped());
    findings.into_iter().map(|finding| (finding.rule, finding.severity)).collect()
}

fn file(path: &str, lines: &[&str]) -> String {
    let (old, new) = (
        lines.iter().filter(|line| !line.starts_with('+')).count(),
        lines.iter().filter(|line| !line.starts_with('-')).count(),
    );
    format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,{old} +1,{new} @@\n{}\n",
        lines.join("\n")
    )
}

#[test]
fn each_rule_finds_what_it_is_for() {
    let key = format!("+key = \"{}{}\"", "AKIA", "ABCDEFGHIJKLMNOP");
    let cases: [(&str, &[&str], &str, Severity); 10] = [
        ("other/a.rs", &["+fn a() {}"], "scope", Severity::Blocker),
        ("src/a.rs", &["+<<<<<<< ours"], "conflict marker", Severity::Blocker),
        ("src/a.rs", &[&key], "secret", Severity::Blocker),
        ("src/a.rs", &[concat!("+    db", "g!(x);")], "debug leftover", Severity::Minor),
        ("src/a.rs", &["+// TODO later"], "unfinished", Severity::Minor),
        ("src/gate.cfg", &["+x"], "gate configuration", Severity::Blocker),
        ("tests/a.py", &["+    @unittest.skip", " x"], "skipped test", Severity::Blocker),
        (
            "tests/a.py",
            &["-    assert a == 1", "-    assert b", "+    assert a"],
            "fewer assertions",
            Severity::Blocker,
        ),
        ("Cargo.lock", &["+x"], "lockfile", Severity::Major),
        ("src/a.rs", &["+fn plain() {}"], "", Severity::Minor),
    ];
    for (path, lines, rule, severity) in cases {
        let found = found(&file(path, lines), &["tests/**"]);
        if rule.is_empty() {
            assert_eq!(found, [], "{path}");
        } else {
            assert_eq!(found, [(rule.to_owned(), severity)], "{path}");
        }
    }
}

#[test]
fn a_removed_test_and_a_binary_are_found() {
    let gone = "diff --git a/tests/a.py b/tests/a.py\ndeleted file mode 100644\n--- a/tests/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-assert 1\n";
    assert_eq!(found(gone, &["tests/**"]), [("removed test".to_owned(), Severity::Blocker)]);
    let binary = "diff --git a/src/a.bin b/src/a.bin\nnew file mode 100644\nBinary files /dev/null and b/src/a.bin differ\n";
    assert_eq!(found(binary, &[]), [("binary".to_owned(), Severity::Major)]);
}

fn new_file(path: &str, lines: usize) -> String {
    let body = "+x\n".repeat(lines);
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{lines} @@\n{body}"
    )
}

#[test]
fn files_are_cut_by_folder_with_their_tests_up_to_the_soft_limit() {
    let diff =
        [new_file("src/a.py", 400), new_file("tests/test_a.py", 200), new_file("src/b.py", 300)].concat();
    let tests = ["tests/**".to_owned()];
    let parts = split::parts(&parse_diff(&diff), &SizeLimits::default(), &tests).unwrap();
    let files: Vec<Vec<String>> = parts.iter().map(|part| part.files.clone()).collect();
    assert_eq!(files, [vec!["src/a.py", "tests/test_a.py"], vec!["src/b.py"]]);
    assert!(parts.iter().all(|part| part.lines <= 700));
}

#[test]
fn a_planned_cut_holds_only_if_nothing_is_lost_doubled_invented_or_too_large() {
    let diff = [new_file("src/a.py", 400), new_file("src/b.py", 300), new_file("src/c.py", 450)].concat();
    let diff = parse_diff(&diff);
    let planned = |parts: &[&[&str]]| {
        let parts: Vec<Vec<String>> =
            parts.iter().map(|files| files.iter().map(|file| (*file).to_owned()).collect()).collect();
        split::planned(&diff, &SizeLimits::default(), &parts)
    };
    let good = planned(&[&["src/c.py"], &["src/b.py", "src/a.py"]]).unwrap();
    assert_eq!(good.iter().map(|part| part.lines).collect::<Vec<_>>(), [450, 700]);
    assert_eq!(good[1].files, ["src/b.py", "src/a.py"], "in the order of the plan");
    let cases: [(&[&[&str]], &str); 6] = [
        (&[&["src/a.py", "src/b.py", "src/c.py"]], "fewer than two parts"),
        (&[&["src/a.py"], &["src/b.py"]], "src/c.py is in none of its parts"),
        (&[&["src/a.py", "src/b.py"], &["src/b.py", "src/c.py"]], "src/b.py stands in two places"),
        (&[&["src/a.py", "src/b.py"], &["src/c.py", "../etc/passwd"]], "../etc/passwd is none of"),
        (&[&["src/a.py", "src/c.py"], &["src/b.py"]], "its part 1 adds 850 lines, more than 800"),
        (&[&["src/a.py", "src/b.py"], &[], &["src/c.py"]], "its part 2 is empty"),
    ];
    for (parts, why) in cases {
        let said = planned(parts).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_file_too_large_for_any_part_is_left_to_a_person() {
    let diff = [new_file("src/a.py", 900), new_file("src/b.py", 3)].concat();
    let why = split::parts(&parse_diff(&diff), &SizeLimits::default(), &[]).unwrap_err();
    assert!(why.contains("src/a.py alone adds 900 lines"), "{why}");
}

#[test]
fn hunks_of_a_large_file_are_parts_of_their_own() {
    let hunk = |at: usize| format!("@@ -{at},1 +{},501 @@\n x\n{}", at + 1000, "+y\n".repeat(500));
    let diff = format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{}{}", hunk(1), hunk(40));
    let parts = split::parts(&parse_diff(&diff), &SizeLimits::default(), &[]).unwrap();
    assert_eq!(
        parts.iter().map(|part| (part.patches.len(), part.lines)).collect::<Vec<_>>(),
        [(1, 500), (1, 500)]
    );
}

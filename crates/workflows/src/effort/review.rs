//! The rules reviewer: what can be said of a change without understanding it. It reads, and changes nothing.

use std::collections::BTreeSet;

use super::Memory;
use crate::coding::order::{EffortOrder, Finding, Severity};
use crate::coding::paths::any_covers;
use crate::git::{Diff, DiffFile, Snapped};

/// Lines that people leave behind when they look for something.
const LEFTOVERS: [&str; 9] = [
    concat!("db", "g!("),
    "console.log(",
    "debugger;",
    "import pdb",
    "pdb.set_trace(",
    "breakpoint()",
    "binding.pry",
    "var_dump(",
    "print(\"DEBUG",
];
/// What people write where something is missing.
const UNFINISHED: [&str; 3] = ["TODO", concat!("FIX", "ME"), concat!("XX", "X")];
/// How tests are told not to run.
const SKIPS: [&str; 10] = [
    concat!("#[ig", "nore"),
    "@unittest.skip",
    "@pytest.mark.skip",
    "@pytest.mark.xfail",
    "pytest.skip(",
    "self.skipTest(",
    "it.skip(",
    "describe.skip(",
    "t.Skip(",
    "@Disabled",
];
/// How secrets begin.
const SECRETS: [&str; 8] = [
    "-----BEGIN RSA PRIVATE",
    "-----BEGIN PRIVATE",
    "-----BEGIN OPENSSH",
    "AKIA",
    "ghp_",
    "xoxb-",
    "xoxp-",
    "sk-ant-",
];
/// Lockfiles and what they are made from.
const LOCKS: [(&str, &[&str]); 8] = [
    ("Cargo.lock", &["Cargo.toml"]),
    ("package-lock.json", &["package.json"]),
    ("yarn.lock", &["package.json"]),
    ("pnpm-lock.yaml", &["package.json"]),
    ("poetry.lock", &["pyproject.toml"]),
    ("Gemfile.lock", &["Gemfile"]),
    ("composer.lock", &["composer.json"]),
    ("go.sum", &["go.mod"]),
];

/// What the rules find in a change.
pub fn rules(diff: &Diff, memory: &Memory, snapped: &Snapped) -> Vec<Finding> {
    let order = &memory.order;
    let mut found = Findings::default();
    scope(&mut found, diff, order);
    size(&mut found, memory);
    for file in &diff.files {
        content(&mut found, file);
        tests(&mut found, file, order);
    }
    locks(&mut found, diff);
    for path in &snapped.nested {
        let what = "a repository inside the worktree; what is in it would be lost";
        found.add("nested repository", Severity::Blocker, path, what);
    }
    for path in &snapped.outward {
        found.add("outward link", Severity::Blocker, path, "it leads out of the project");
    }
    if !snapped.ignored.is_empty() {
        let what = format!("ignored and therefore in no commit: {}", snapped.ignored.join(", "));
        found.add("ignored files", Severity::Minor, "", what);
    }
    found.0
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, rule: &str, severity: Severity, path: &str, what: impl Into<String>) {
        let (rule, path, by) = (rule.to_owned(), path.to_owned(), "rules".to_owned());
        self.0.push(Finding { rule, severity, path, what: what.into(), by });
    }
}

fn scope(found: &mut Findings, diff: &Diff, order: &EffortOrder) {
    let touched = diff.files.iter().flat_map(|file| std::iter::once(&file.path).chain(&file.old_path));
    for path in touched.collect::<BTreeSet<_>>() {
        if !order.paths.is_empty() && !any_covers(&order.paths, path) {
            let what = format!("the effort may change {}", order.paths.join(", "));
            found.add("scope", Severity::Blocker, path, what);
        }
        if any_covers(&order.protected, path) {
            let what = "it configures the gates, and is not the effort's to change";
            found.add("gate configuration", Severity::Blocker, path, what);
        }
    }
}

fn size(found: &mut Findings, memory: &Memory) {
    let (lines, limits) = (memory.size.lines, &memory.order.size);
    if lines > limits.soft {
        let what =
            format!("{lines} added lines, more than {}; above {} it is split", limits.soft, limits.hard);
        found.add("size", Severity::Minor, "", what);
    }
}

fn content(found: &mut Findings, file: &DiffFile) {
    if file.binary && !file.is_gone {
        found.add("binary", Severity::Major, &file.path, "nobody can review a binary file");
    }
    let mut told = BTreeSet::new();
    let mut once = |rule: &'static str, severity, line: &str| {
        if told.insert(rule) {
            found.add(rule, severity, &file.path, line.trim().chars().take(80).collect::<String>());
        }
    };
    for line in file.added() {
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") {
            once("conflict marker", Severity::Blocker, line);
        }
        if let Some(secret) = secret(line) {
            // What is found is not told: reports are read by more people than files.
            once("secret", Severity::Blocker, secret);
        }
        if LEFTOVERS.iter().any(|words| line.contains(words)) {
            once("debug leftover", Severity::Minor, line);
        }
        if UNFINISHED.iter().any(|word| line.contains(word)) {
            once("unfinished", Severity::Minor, line);
        }
    }
}

/// What looks like a secret, by how it begins.
fn secret(line: &str) -> Option<&'static str> {
    let begins = SECRETS.iter().find(|begin| {
        line.split(**begin).nth(1).is_some_and(|rest| {
            begin.starts_with("-----")
                || rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-').count()
                    >= 16
        })
    });
    begins.copied()
}

/// Whether a line asserts something, in the languages people write tests in.
fn asserts(line: &str) -> bool {
    let line = line.trim_start();
    ["assert", "self.assert", "expect(", "require.", "t.Error", "t.Fatal", "EXPECT_", "ASSERT_", "test "]
        .iter()
        .any(|words| line.starts_with(words))
        || line.contains(".should")
}

fn tests(found: &mut Findings, file: &DiffFile, order: &EffortOrder) {
    let was_test = any_covers(&order.tests, file.old_path.as_ref().unwrap_or(&file.path));
    if order.changes_tests || !was_test {
        return;
    }
    if file.is_gone {
        found.add("removed test", Severity::Blocker, &file.path, "a test that was there is gone");
        return;
    }
    if let Some(line) = file.added().find(|line| SKIPS.iter().any(|words| line.contains(words))) {
        found.add("skipped test", Severity::Blocker, &file.path, line.trim());
    }
    let count = |lines: &mut dyn Iterator<Item = &str>| lines.filter(|line| asserts(line)).count();
    let (gone, new) = (count(&mut file.removed()), count(&mut file.added()));
    if gone > new {
        let what = format!("{gone} assertions removed, {new} added");
        found.add("fewer assertions", Severity::Blocker, &file.path, what);
    }
}

fn locks(found: &mut Findings, diff: &Diff) {
    let changed = |name: &str| {
        diff.files.iter().any(|file| file.path == name || file.path.ends_with(&format!("/{name}")))
    };
    for (lock, manifests) in LOCKS {
        if changed(lock) && !manifests.iter().any(|manifest| changed(manifest)) {
            let what = format!("it changed, and {} did not", manifests.join(", "));
            found.add("lockfile", Severity::Major, lock, what);
        }
    }
}

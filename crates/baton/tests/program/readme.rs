//! What the README shows is what the program does: its sample is written by a test, its table has every command.

use std::path::{Path, PathBuf};

use crate::help::COMMANDS;
use crate::research::{HEADLINE, research};
use crate::support::Home;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")
}

fn readme() -> String {
    std::fs::read_to_string(path()).expect("the README")
}

/// The end of the headline run, without what differs from machine to machine.
#[test]
fn the_sample_is_what_the_program_prints() {
    const BEFORE: &str = "and ends like this:\n\n```\n";
    let home = Home::new();
    let said = research(&home, HEADLINE, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let is_progress = |line: &&str| line.starts_with(' ') || line.starts_with("run ");
    let lines: Vec<&str> = said.out.lines().skip_while(is_progress).collect();
    let sample: Vec<String> = lines.iter().filter_map(|line| shown(line)).collect();
    let text = readme();
    assert!(text.contains(HEADLINE), "the README asks another question");
    let (head, rest) = text.split_once(BEFORE).expect("a sample");
    let (_, tail) = rest.split_once("```\n").expect("its end");
    baton_testkit::snapshot::same_as_file(
        path(),
        &format!("{head}{BEFORE}{}\n```\n{tail}", sample.join("\n")),
    );
}

/// A line as the README shows it; what to type next names a run that a reader does not have.
fn shown(line: &str) -> Option<String> {
    if line.starts_with("report ") {
        let (name, _) = line.split_once('/').expect("a path");
        return Some(format!("{name}…/report.md"));
    }
    if line.starts_with("spent ") {
        let (rest, _) = line.rsplit_once(", ").expect("a time");
        return Some(format!("{rest}, 0:01"));
    }
    (!line.starts_with("Next:") && !line.starts_with("  baton ")).then(|| line.to_owned())
}

#[test]
fn the_table_has_every_command_once() {
    let text = readme();
    let (_, rest) = text.split_once("## What you can type\n").expect("a table");
    let (table, _) = rest.split_once("\n\nEvery command takes").expect("its end");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let mut named: Vec<&str> = rows
        .flat_map(|row| row.split(" | ").next().unwrap_or_default().split('`').skip(1).step_by(2))
        .collect();
    let mut commands = COMMANDS.to_vec();
    named.sort_unstable();
    commands.sort_unstable();
    assert_eq!(named, commands);
}

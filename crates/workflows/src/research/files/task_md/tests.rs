//! What is written can be read, and what is damaged is named by line and column.

use std::collections::BTreeSet;

use baton_engine::dag::TaskId;

use super::{TaskFile, parse, plan_form};
use crate::research::plan::{Dimension, Duty, Plan, covering, order};

/// A small generator: the same plans every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn words(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "heat",
            "(Status: DONE)",
            "|",
            "a;b",
            "[x]",
            "*so*",
            "snake_case",
            "1.",
            "# not a heading",
            "€ 1,450",
            "\\",
            "none",
            "- [ ]",
            ": colon:",
            "ümlaut",
            "`code`",
        ];
        (0..=self.below(4)).map(|_| WORDS[self.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }

    fn maybe(&mut self) -> bool {
        self.below(2) == 0
    }
}

fn any_plan(seed: u64) -> Plan {
    let mut chance = Chance(seed);
    let dimension = |chance: &mut Chance| Dimension {
        name: chance.words(),
        question: chance.words(),
        focus: (0..chance.below(3)).map(|_| format!("f {}", chance.words())).collect(),
    };
    let dimensions: Vec<Dimension> = (0..=chance.below(4)).map(|_| dimension(&mut chance)).collect();
    let mut plan = Plan::of(&chance.words(), dimensions, "rules");
    plan.revision = 1 + u32::try_from(chance.below(5)).unwrap();
    plan.exclusions = (0..chance.below(3)).map(|_| format!("e {}", chance.words())).collect();
    for number in 0..chance.below(3) {
        let earlier: Vec<TaskId> = plan.tasks.iter().map(|duty| duty.id.clone()).collect();
        let depends_on: BTreeSet<TaskId> = earlier.into_iter().filter(|_| chance.maybe()).collect();
        plan.tasks.push(Duty {
            id: TaskId(format!("{}{}", ["S", "R", "C"][chance.below(3)], 50 + number)),
            description: chance.words(),
            dimension: chance.maybe().then_some(0),
            query: chance.words(),
            depends_on,
            critical: chance.maybe(),
            conflict: chance.maybe().then(|| "R1.1~R2.1".to_owned()),
            makes_up_for: chance.maybe().then(|| TaskId::from("S1")),
        });
    }
    plan.tasks.sort_by_key(|duty| order(&duty.id.0));
    for duty in &plan.tasks {
        if duty.depends_on.is_subset(&plan.done) && chance.maybe() {
            plan.done.insert(duty.id.clone());
        }
    }
    plan
}

#[test]
fn a_plan_that_is_written_is_read_as_it_was() {
    for seed in 0..500 {
        let plan = any_plan(seed);
        let form = plan_form(&plan);
        let read = parse(&form).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{form}"));
        assert_eq!(read.plan(), plan, "seed {seed}\n{form}");
    }
}

/// What a person may write, or leave out, without the next form of the same plan becoming another or unreadable.
#[test]
fn a_plan_that_is_read_is_written_as_it_was() {
    for (from, to) in [
        ("**Plan**: revision 1, drafted by rules\n", ""),
        ("drafted by rules", "drafted by "),
        ("- D1: Heat?", "- D1: \u{200b}"),
        ("- D1: Heat?", "- D1:"),
    ] {
        let read = parse(&changed(from, to)).unwrap().plan();
        assert_eq!(parse(&plan_form(&read)).unwrap().plan(), read, "{to:?} for {from:?}");
    }
    let unseen = changed("DependsOn: P1)\n", "DependsOn: P1)\n  - Query: \u{200b}\n");
    assert_eq!(parse(&unseen).unwrap_err().what, "a name, a colon and a value are expected here");
}

fn plan() -> Plan {
    let dimension =
        |name: &str| Dimension { name: name.to_owned(), question: format!("{name}?"), focus: Vec::new() };
    Plan::of("What is it?", vec![dimension("Heat"), dimension("Price")], "rules")
}

/// The form of a plan with one thing changed.
fn changed(from: &str, to: &str) -> String {
    let form = plan_form(&plan());
    assert!(form.contains(from), "{from} is not in\n{form}");
    form.replacen(from, to, 1)
}

#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let form = changed(from, to);
    let error = parse(&form).expect_err("it was taken");
    let line = form.lines().nth(error.line - 1).unwrap();
    assert_eq!(format!("{}: {}", error.column, error.what), expected, "in line {}: {line}", error.line);
    // The named line is the one that was changed, or the heading under which something is missing.
    assert!(
        to.is_empty() || line.contains(to.trim()) || line.starts_with('#'),
        "line {}: {line}",
        error.line
    );
}

#[test]
fn damage_is_named_by_line_and_column() {
    check("- [ ] S1:", "- [] S1:", "4: the box is [], but the status is BLOCKED");
    check("- [ ] S1:", "- [x] S1:", "4: the box is [x], but the status is BLOCKED");
    check("- [ ] S1:", "* [ ] S1:", "1: \"- [\" is expected here");
    check("S1: Search", "X1: Search", "7: `X1` is no task id: P, S, R or C and a number");
    check("S1: Search", "S: Search", "7: `S` is no task id: P, S, R or C and a number");
    check("S1: Search", "R1: Search", "11: the type of R1 is Read, not Search");
    check("S1: Search", "S1: Serch", "11: the type of S1 is Search, not Serch");
    check("S2: Search: Price", "S1: Search: Price", "7: S1 is already in line 36");
    check("S1: Search: Heat", "S1: Search: ", "19: the description is missing");
    check(
        "Heat (Status: BLOCKED",
        "Heat (Status: WAITING",
        "33: `WAITING` is no status; there are PENDING, BLOCKED, IN_PROGRESS, COMPLETED, FAILED, SKIPPED, CANCELLED",
    );
    check(
        "Heat (Status: BLOCKED, DependsOn: P1)",
        "Heat",
        "23: \" (Status: STATUS, DependsOn: IDs)\" is missing",
    );
    check(
        "Heat (Status: BLOCKED, DependsOn: P1)",
        "Heat (Status: BLOCKED, DependsOn: P1",
        "55: the closing bracket is missing",
    );
    check(
        "Heat (Status: BLOCKED, DependsOn: P1)",
        "Heat (Status: BLOCKED, DependsOn: P1, P7)",
        "57: S1 depends on P7, which does not exist",
    );
    check(
        "Heat (Status: BLOCKED, DependsOn: P1)",
        "Heat (Status: BLOCKED, DependsOn: S1)",
        "53: S1 depends on itself",
    );
    check("| 2 | Price", "| 3 | Price", "3: dimension 2 is expected here, not 3");
    check("| 2 | Price | none |", "| 2 | Price |", "1: a dimension has a number, a name and focus areas");
    check("- D2: Price?", "- D5: Price?", "3: there is no dimension 5");
    check(
        "**Core Question**: What is it?",
        "**Core Question**:",
        "1: the line **Core Question**: is missing or empty",
    );
    check("revision 1", "revision one", "20: a revision is a number");
}

#[test]
fn a_cycle_is_named_by_one_of_its_lines() {
    let form = changed("Heat (Status: BLOCKED, DependsOn: P1)", "Heat (Status: BLOCKED, DependsOn: R1)");
    let error = parse(&form).unwrap_err();
    assert!(form.lines().nth(error.line - 1).unwrap().starts_with("- [ ] R1: Read"), "{error}");
    assert_eq!(
        (error.column, error.what.as_str()),
        (51, "these tasks would wait for each other: R1 → S1 → R1")
    );
}

#[test]
fn a_missing_section_is_named() {
    for section in [0, 1] {
        let form = plan_form(&plan()).replace(super::SECTIONS[section], "");
        let error = parse(&form).unwrap_err();
        assert_eq!(error.what, format!("the section \"{}\" is missing", super::SECTIONS[section]));
    }
    assert_eq!(parse("").unwrap_err().line, 1);
    assert_eq!(
        parse("---\niteration: -1\n---\n").unwrap_err().to_string(),
        "line 2, column 12: -1 is no number from 0 up"
    );
    assert_eq!(
        parse("---\ntopic: \"x\n---\n").unwrap_err().to_string(),
        "line 2, column 8: the quoted text does not end well"
    );
    assert_eq!(parse("---\niteration: 1\n").unwrap_err().line, 1);
}

#[test]
fn nothing_a_line_lost_goes_unnoticed() {
    // Taking any one letter of the structure away is an error of that line.
    let form = plan_form(&plan());
    let (index, line) = form.lines().enumerate().find(|(_, line)| line.contains("R2:")).unwrap();
    let text = line.find("Price").unwrap();
    for (at, letter) in line.char_indices() {
        let free = (text..text + "Price".len()).contains(&at) || letter == ' ';
        let mut damaged = line.to_owned();
        damaged.remove(at);
        if free || damaged == line {
            continue;
        }
        match parse(&form.replacen(line, &damaged, 1)) {
            Err(error) => assert_eq!(error.line, index + 1, "without {at}: {damaged}: {error}"),
            Ok(_) => panic!("without {at}: {damaged} was taken"),
        }
    }
}

#[test]
fn older_names_and_empty_lists_are_taken() {
    let form = changed("DependsOn: none", "DependsOn: ").replace("S1", "E1");
    assert_eq!(parse(&form).unwrap().plan(), plan());
}

#[test]
fn a_person_may_add_a_task_without_saying_more_than_its_line() {
    let line = "- [ ] S3: Search: noise at night (Status: PENDING, DependsOn: P1)\n- [ ] R1:";
    let read = parse(&changed("- [ ] R1:", line)).unwrap().plan();
    let added = read.tasks.iter().find(|duty| duty.id.0 == "S3").unwrap();
    assert_eq!((added.query.as_str(), added.dimension), ("noise at night", None));
    assert_eq!(read.tasks.len(), 6);
}

/// A file whose scratchpad has these checkpoints.
fn with_checkpoints(lines: &str, form: &str) -> TaskFile {
    parse(&format!("{form}\n# 5. Scratchpad\n\n## Iteration Log\n\n{lines}\n")).unwrap()
}

fn done(file: &TaskFile) -> Vec<String> {
    file.plan().done.into_iter().map(|id| id.0).collect()
}

#[test]
fn the_newest_consistent_checkpoint_wins() {
    let form = plan_form(&plan());
    let good =
        "- **Iteration 2**: x; checkpoint {\"P1\":\"COMPLETED\",\"S1\":\"IN_PROGRESS\",\"S2\":\"PENDING\"}";
    let unfounded = "- **Iteration 3**: x; checkpoint {\"P1\":\"PENDING\",\"S1\":\"COMPLETED\"}";
    let torn = "- **Iteration 4**: x; checkpoint {\"P1\":\"COMPL";
    let unknown = "- **Iteration 5**: x; checkpoint {\"P1\":\"COMPLETED\",\"S9\":\"COMPLETED\"}";
    let newer = "- **Iteration 6**: x; checkpoint {\"P1\":\"COMPLETED\",\"S1\":\"COMPLETED\"}";
    assert_eq!(done(&with_checkpoints(good, &form)), ["P1"]);
    assert_eq!(done(&with_checkpoints(&format!("{good}\n{unfounded}\n{torn}\n{unknown}"), &form)), ["P1"]);
    assert_eq!(done(&with_checkpoints(&format!("{newer}\n{good}"), &form)), ["P1", "S1"]);
}

#[test]
fn without_a_checkpoint_the_boxes_count_if_they_are_consistent() {
    let ticked = |from: &str, to: &str, form: &str| form.replace(from, to);
    let first = ticked(
        "- [ ] P1: Plan: Prepare the places to search (Status: PENDING",
        "- [x] P1: Plan: Prepare the places to search (Status: COMPLETED",
        &plan_form(&plan()),
    );
    assert_eq!(done(&parse(&first).unwrap()), ["P1"]);
    let alone = ticked(
        "- [ ] R1: Read: Heat (Status: BLOCKED",
        "- [x] R1: Read: Heat (Status: COMPLETED",
        &plan_form(&plan()),
    );
    assert_eq!(done(&parse(&alone).unwrap()), Vec::<String>::new());
}

#[test]
fn a_covering_pair_needs_no_notes() {
    let dimension = plan().dimensions[0].clone();
    for duty in covering(0, 1, &dimension, BTreeSet::new()) {
        let lines =
            super::task_line(&duty, baton_engine::dag::TaskStatus::Pending, std::slice::from_ref(&dimension));
        assert_eq!(lines.lines().count(), 1, "{lines}");
    }
}

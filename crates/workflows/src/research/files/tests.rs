//! The files of a small run, whole, and what hostile words do to them.

mod hostile;
pub(in crate::research) mod sample;
mod verifying;

use baton_testkit::snapshot::same_as_file;
use sample::{Sample, finished, plan};

use super::task_md;
use crate::research::Event;

#[track_caller]
fn same(name: &str, text: &str) {
    same_as_file(format!("{}/src/research/files/tests/{name}.txt", env!("CARGO_MANIFEST_DIR")), text);
}

#[test]
fn the_files_of_a_finished_run() {
    let sample = finished();
    for path in [
        "task.md",
        "plan.md",
        "report.md",
        "report.html",
        "sources.bib",
        "sources.json",
        "evidence.json",
        "logs/orchestrator.log",
        "logs/orchestrator.md",
        "logs/archive.md",
    ] {
        same(&path.replace('/', "-"), &sample.file(path));
    }
}

#[test]
fn files_that_tell_the_way_are_history_and_the_rest_is_not() {
    let files = finished().files();
    let history: Vec<&str> =
        files.iter().filter(|file| file.is_history).map(|file| file.path.as_str()).collect();
    assert_eq!(history, ["logs/orchestrator.log", "logs/orchestrator.md", "task.md", "logs/archive.md"]);
    let copies: Vec<_> = files.iter().filter_map(|file| file.copy_of.clone()).collect();
    assert_eq!(copies.len(), 3);
    assert!(copies.iter().all(|from| from.starts_with("archive/") && from.len() == "archive/ab/".len() + 64));
}

#[test]
fn a_plan_is_shown_before_it_is_approved_and_an_aborted_run_has_no_task_file() {
    let mut sample = Sample::new("How warm is Quayside?");
    let paths = |sample: &Sample| sample.files().into_iter().map(|file| file.path).collect::<Vec<_>>();
    assert_eq!(paths(&sample), ["logs/orchestrator.log", "logs/orchestrator.md"]);
    sample.plan(plan());
    assert_eq!(paths(&sample), ["logs/orchestrator.log", "logs/orchestrator.md", "plan.md"]);
    sample.event(&Event::Refused { by: "ada".to_owned() });
    assert_eq!(paths(&sample), ["logs/orchestrator.log", "logs/orchestrator.md", "plan.md"]);
    assert!(
        sample
            .file("logs/orchestrator.log")
            .contains("[PLAN_REFUSED] [0] | ada ended it | response=no, by=ada")
    );
}

#[test]
fn the_task_file_of_a_run_gives_back_its_plan_and_what_was_done() {
    let sample = finished();
    let file = task_md::parse(&sample.file("task.md")).unwrap();
    let read = file.plan();
    assert_eq!(read.dimensions, plan().dimensions);
    let ids =
        |plan: &crate::research::Plan| plan.tasks.iter().map(|duty| duty.id.0.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&read), ["P1", "S1", "S2", "S102", "R1", "R2", "C1"]);
    let done: Vec<&str> = read.done.iter().map(|id| id.0.as_str()).collect();
    assert_eq!(done, ["C1", "P1", "R1", "R2", "S1", "S102"]);
    assert!(read.dag().is_ok());
    let front = file.front.unwrap();
    assert_eq!((front.status.as_str(), front.iteration, front.max_iterations), ("COMPLETED", 7, Some(50)));
}

#[test]
fn a_task_that_is_under_way_is_shown_so_and_counts_as_not_begun() {
    let mut sample = Sample::new("How warm is Quayside?");
    sample.plan(plan());
    sample.approve();
    sample.task("P1", |_| {});
    sample.dispatch("S1");
    let text = sample.file("task.md");
    assert!(
        text.contains("- [ ] S1: Search: Supply temperature (Status: IN_PROGRESS, DependsOn: P1)"),
        "{text}"
    );
    assert!(text.contains("- [ ] S2: Search: Connection fee (Status: PENDING, DependsOn: P1)"), "{text}");
    assert!(text.contains("- [ ] R1: Read: Supply temperature (Status: BLOCKED, DependsOn: S1)"), "{text}");
    let done = task_md::parse(&text).unwrap().plan().done;
    assert_eq!(done.into_iter().map(|id| id.0).collect::<Vec<_>>(), ["P1"]);
}

#[test]
fn what_is_kept_apart_because_it_is_long_is_told_like_the_rest() {
    let whole = finished();
    let mut apart = finished();
    apart.keep_apart();
    assert!(apart.payloads.0.len() > 10);
    assert_eq!(apart.files(), whole.files());
}

#[test]
fn a_long_answer_is_told_and_what_is_lost_is_said() {
    let mut sample = Sample::new("How warm is Quayside?");
    sample.plan(plan());
    sample.answer("approve-1", "yes, and look at the fees");
    sample.keep_apart();
    let log = sample.file("logs/orchestrator.log");
    assert!(log.contains("| ada answered | response=\"yes, and look at the fees\", by=ada"), "{log}");
    assert!(log.contains("| plan 1 drafted: first draft |"), "{log}");
    sample.payloads.0.clear();
    let log = sample.file("logs/orchestrator.log");
    assert!(log.contains("| ada answered | response=lost, by=ada"), "{log}");
    assert!(log.contains("| an event that cannot be read any more | type=damage"), "{log}");
}

#[test]
fn a_limit_with_nothing_found_is_an_error_with_a_way_out() {
    let mut sample = Sample::new("How warm is Quayside?");
    sample.plan(plan());
    sample.approve();
    sample.event(&Event::LimitReached { what: "the limit of 1 iterations".to_owned() });
    let log = sample.file("logs/orchestrator.log");
    let error = log.lines().find(|line| line.contains("[ERROR] [ERROR]")).unwrap();
    assert!(error.contains("type=limit, message=\"the limit of 1 iterations\", recovery=\""), "{error}");
    assert!(sample.file("task.md").contains("status: \"ERROR\""));
}

#[test]
fn the_answer_comes_first() {
    let report = finished().file("report.md");
    let body = report.splitn(3, "---\n").nth(2).unwrap();
    assert!(body.starts_with("\n# How warm is Quayside and what does it cost?\n\n## Answer\n\n"), "{body}");
}

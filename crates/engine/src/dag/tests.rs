//! Small graphs and what becomes of them, as lists. A graph is written `a b?<a,c c|d d`: `b` is optional
//! and depends on `a` and `c`; `d` stands in for `c`. Endings are written `a- b~`: `a` fails, `b` is skipped,
//! everything else completes.

mod crash;
mod flow;
mod random;

use std::collections::BTreeMap;

use super::*;

fn task(text: &str) -> Task {
    let (text, fallback) = text.split_once('|').map_or((text, None), |(text, name)| (text, Some(name)));
    let (name, needs) = text.split_once('<').unwrap_or((text, ""));
    let mut task =
        Task::new(name.trim_end_matches('?')).after(needs.split(',').filter(|need| !need.is_empty()));
    task.critical = !name.ends_with('?');
    task.fallback = fallback.map(TaskId::from);
    task
}

fn tasks(text: &str) -> Vec<Task> {
    text.split_whitespace().map(task).collect()
}

fn dag(text: &str) -> Dag {
    Dag::new(tasks(text)).unwrap()
}

fn ending(mark: char) -> TaskEnding {
    match mark {
        '-' => TaskEnding::Failed { why: "broken".to_owned() },
        '~' => TaskEnding::Skipped { why: "enough".to_owned() },
        _ => TaskEnding::Completed,
    }
}

fn endings(text: &str) -> BTreeMap<TaskId, TaskEnding> {
    text.split_whitespace()
        .map(|word| word.split_at(word.len() - 1))
        .map(|(name, mark)| (TaskId::from(name), ending(mark.chars().next().unwrap())))
        .collect()
}

/// Runs what is ready, by name, until nothing is.
fn play(dag: &mut Dag, endings: &BTreeMap<TaskId, TaskEnding>) -> String {
    let mut order = Vec::new();
    while let Some(id) = dag.ready().first().map(|task| task.id.clone()) {
        dag.start(&id).unwrap();
        dag.finish(&id, endings.get(&id).unwrap_or(&TaskEnding::Completed)).unwrap();
        order.push(id.0);
    }
    order.join(" ")
}

fn statuses(dag: &Dag) -> String {
    let lines: Vec<String> = dag.tasks().map(|task| format!("{}:{}", task.id, task.status())).collect();
    lines.join(" ")
}

fn lost(dag: &Dag) -> String {
    dag.lost().iter().map(|task| task.id.0.as_str()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(graph: &str, ends: &str, order: &str, ended: &str, gone: &str) {
    let mut dag = dag(graph);
    assert_eq!(play(&mut dag, &endings(ends)), order, "the order");
    assert_eq!(statuses(&dag), ended);
    assert_eq!(lost(&dag), gone, "what is lost");
    assert!(dag.is_over());
}

#[test]
fn tasks_run_in_the_order_of_what_they_need_and_then_of_their_names() {
    check("b a<c c", "", "b c a", "a:COMPLETED b:COMPLETED c:COMPLETED", "");
    check("", "", "", "", "");
}

#[test]
fn a_critical_failure_skips_what_needs_it_and_nothing_else() {
    check("a b<a c<b d", "a-", "a d", "a:FAILED b:SKIPPED c:SKIPPED d:COMPLETED", "a");
    check("a b c<a,b", "b-", "a b", "a:COMPLETED b:FAILED c:SKIPPED", "b");
}

#[test]
fn an_optional_failure_counts_as_satisfied() {
    check("a? b<a c<b", "a-", "a b c", "a:FAILED b:COMPLETED c:COMPLETED", "");
    check("a b?<a c<b", "a-", "a c", "a:FAILED b:SKIPPED c:COMPLETED", "a");
}

#[test]
fn a_task_skipped_on_purpose_is_not_lost_but_missing() {
    check("a b<a", "a~", "a", "a:SKIPPED b:SKIPPED", "");
    check("a? b<a", "a~", "a b", "a:SKIPPED b:COMPLETED", "");
    check("a|f b<a f", "a~", "a", "a:SKIPPED b:SKIPPED f:SKIPPED", "");
}

#[test]
fn a_fallback_stands_in_and_dependants_wait_for_it() {
    check("a|f b<a f", "a-", "a f b", "a:FAILED b:COMPLETED f:COMPLETED", "");
    check("a|f b<a f", "", "a b", "a:COMPLETED b:COMPLETED f:SKIPPED", "");
    check("a|f b<a f", "a- f-", "a f", "a:FAILED b:SKIPPED f:FAILED", "a");
    check("a?|f b<a f", "a- f-", "a f b", "a:FAILED b:COMPLETED f:FAILED", "");
    check("a|f b<a f|g g", "a- f-", "a f g b", "a:FAILED b:COMPLETED f:FAILED g:COMPLETED", "");
}

#[test]
fn a_fallback_waits_for_what_it_needs_itself() {
    check("a|f b<a f<z z", "a-", "a z f b", "a:FAILED b:COMPLETED f:COMPLETED z:COMPLETED", "");
    check("a|f b<a f<z z", "a- z-", "a z", "a:FAILED b:SKIPPED f:SKIPPED z:FAILED", "a z");
}

#[test]
fn one_fallback_can_stand_in_for_several() {
    check("a|f b|f c<a,b f", "a-", "a b f c", "a:FAILED b:COMPLETED c:COMPLETED f:COMPLETED", "");
    check("a|f b|f c<a,b f", "", "a b c", "a:COMPLETED b:COMPLETED c:COMPLETED f:SKIPPED", "");
}

#[test]
fn reasons_are_kept() {
    let mut dag = dag("a|f b c<a,b f");
    play(&mut dag, &endings("a- b- f-"));
    let why = |name: &str| dag.get(&name.into()).unwrap().why().unwrap();
    assert_eq!([why("a"), why("c")], ["broken", "it needs a, b"]);
}

#[track_caller]
fn refused(there: &str, added: &str, message: &str) {
    let mut dag = dag(there);
    let before = dag.clone();
    assert_eq!(dag.add(tasks(added)).unwrap_err().to_string(), message);
    assert_eq!(dag, before, "a refused batch leaves nothing behind");
}

#[test]
fn unsound_graphs_are_refused() {
    refused("a", "b a", "there is already a task a");
    refused("", "a a", "there is already a task a");
    refused("a", "b<a,c", "task b depends on c, which does not exist");
    refused("", "a b<b", "task b depends on itself");
    refused("", "a|f", "task a falls back to f, which does not exist");
    refused("f", "a|f", "task a falls back to f, which was there before: a fallback comes with its task");
    refused("", "a~b", "`a~b` cannot name a task: names may not be empty or contain / ~ or ?");
    refused("", "a/b", "`a/b` cannot name a task: names may not be empty or contain / ~ or ?");
    refused("", "x a<c,x b<a c<b y<c", "these tasks would wait for each other: a → c → b → a");
}

#[test]
fn waiting_in_a_circle_through_fallbacks_is_refused() {
    refused("", "a|a", "these tasks would wait for each other: a → a");
    refused("", "a|b b|a", "these tasks would wait for each other: a → b → a");
    refused("", "a|f f<a", "these tasks would wait for each other: f → f");
    refused("", "a|f f<b b<a", "these tasks would wait for each other: b → f → b");
    refused("", "a|f f|g g<b b<a", "these tasks would wait for each other: b → g → b");
}

#[test]
fn only_new_tasks_are_added() {
    let mut first = dag("a");
    play(&mut first, &endings(""));
    let done = first.get(&"a".into()).unwrap().clone();
    let error = Dag::new(vec![done]).unwrap_err();
    assert_eq!(error, DagError::NotNew { id: "a".into(), status: TaskStatus::Completed });
}

#[test]
fn tasks_are_started_and_finished_once() {
    let mut dag = dag("a b<a");
    let (a, b, x) = (TaskId::from("a"), TaskId::from("b"), TaskId::from("x"));
    assert_eq!(dag.start(&b).unwrap_err(), DagError::NotReady { id: b.clone(), status: TaskStatus::Blocked });
    let error = dag.finish(&a, &TaskEnding::Completed).unwrap_err();
    assert_eq!(error, DagError::NotStarted { id: a.clone(), status: TaskStatus::Pending });
    assert_eq!(dag.start(&x).unwrap_err(), DagError::Unknown(x));
    dag.start(&a).unwrap();
    assert_eq!(dag.ready().len(), 0);
    dag.finish(&a, &TaskEnding::Completed).unwrap();
    assert_eq!(dag.start(&a).unwrap_err(), DagError::NotReady { id: a, status: TaskStatus::Completed });
}

#[test]
fn tasks_are_added_while_others_run_and_after() {
    let mut dag = dag("a b<a");
    dag.start(&"a".into()).unwrap();
    dag.add(tasks("c<a d<b,c")).unwrap();
    assert_eq!(statuses(&dag), "a:IN_PROGRESS b:BLOCKED c:BLOCKED d:BLOCKED");
    dag.finish(&"a".into(), &ending('-')).unwrap();
    assert_eq!(statuses(&dag), "a:FAILED b:SKIPPED c:SKIPPED d:SKIPPED");
    dag.add(tasks("e<a g")).unwrap();
    assert_eq!(statuses(&dag), "a:FAILED b:SKIPPED c:SKIPPED d:SKIPPED e:SKIPPED g:PENDING");
}

#[test]
fn the_end_of_a_task_brings_new_ones_and_a_fallback_found_late() {
    let mut dag = dag("a b<a");
    let end = TaskEnd { add: tasks("f g<a"), fallback: Some("f".into()), ..TaskEnd::new("a", ending('-')) };
    dag.apply(&end).unwrap();
    assert_eq!(statuses(&dag), "a:FAILED b:BLOCKED f:PENDING g:BLOCKED");
    assert_eq!(lost(&dag), "");
    assert_eq!(play(&mut dag, &endings("")), "f b g");
    assert_eq!(
        dag.apply(&end).unwrap_err().to_string(),
        "task a falls back to f, which was there before: a fallback comes with its task"
    );
}

#[test]
fn an_end_that_does_not_fit_changes_nothing() {
    let there = dag("a|f b<a c<b f");
    let cases = [
        (
            TaskEnd { add: tasks("d<x"), ..TaskEnd::new("a", ending('+')) },
            "task d depends on x, which does not exist",
        ),
        (
            TaskEnd { add: tasks("g"), fallback: Some("g".into()), ..TaskEnd::new("a", ending('-')) },
            "task a already falls back to f",
        ),
        (
            TaskEnd { add: tasks("g<c"), fallback: Some("g".into()), ..TaskEnd::new("b", ending('-')) },
            "these tasks would wait for each other: c → g → c",
        ),
        (
            TaskEnd { fallback: Some("g".into()), ..TaskEnd::new("b", ending('-')) },
            "task b falls back to g, which does not exist",
        ),
        (TaskEnd::new("b", ending('+')), "task b cannot be started, it is BLOCKED"),
        (TaskEnd::new("x", ending('+')), "there is no task x"),
    ];
    for (end, message) in cases {
        let mut dag = there.clone();
        assert_eq!(dag.apply(&end).unwrap_err().to_string(), message);
        assert_eq!(dag, there);
    }
}

#[test]
fn everything_else_is_called_off() {
    let mut dag = dag("a b c<b d");
    dag.apply(&TaskEnd::new("d", ending('+'))).unwrap();
    dag.start(&"b".into()).unwrap();
    dag.apply(&TaskEnd { cancel_rest: Some("a is lost".to_owned()), ..TaskEnd::new("a", ending('-')) })
        .unwrap();
    assert_eq!(statuses(&dag), "a:FAILED b:CANCELLED c:CANCELLED d:COMPLETED");
    assert_eq!(dag.get(&"c".into()).unwrap().why(), Some("a is lost"));
    dag.add(tasks("e<b")).unwrap();
    assert_eq!(dag.get(&"e".into()).unwrap().status(), TaskStatus::Skipped);
}

#[test]
fn the_stored_form_is_plain_and_checked() {
    let mut dag = Dag::new(vec![task("a?|f").within_ms(500), task("b<a"), task("f")]).unwrap();
    dag.apply(&TaskEnd::new("a", ending('-'))).unwrap();
    let stored = serde_json::to_value(&dag).unwrap();
    let expected = serde_json::json!([
        {"id": "a", "status": "FAILED", "critical": false, "timeout_ms": 500, "fallback": "f", "why": "broken"},
        {"id": "b", "depends_on": ["a"], "status": "BLOCKED", "critical": true},
        {"id": "f", "status": "PENDING", "critical": true},
    ]);
    assert_eq!(stored, expected);
    assert_eq!(serde_json::from_value::<Dag>(stored).unwrap(), dag);
    let names: Vec<&str> = <TaskStatus as baton_machine::Word>::ALL
        .iter()
        .map(|status| baton_machine::Word::name(*status))
        .collect();
    assert_eq!(names, ["PENDING", "BLOCKED", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED"]);
    let circle = serde_json::json!([
        {"id": "a", "depends_on": ["b"], "status": "BLOCKED", "critical": true},
        {"id": "b", "depends_on": ["a"], "status": "BLOCKED", "critical": true},
    ]);
    let error = serde_json::from_value::<Dag>(circle).unwrap_err();
    assert_eq!(error.to_string(), "these tasks would wait for each other: a → b → a");
}

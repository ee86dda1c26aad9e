use super::*;
use crate::research::task_md;

const TOPIC: &str = "How many buildings does the Harlund network heat, and what does a connection cost?";

fn plan() -> Plan {
    Plan::of(TOPIC, rules_for(TOPIC), "rules")
}

/// What becomes of the plan if a person replaces this by that in its form.
fn edited(changes: &[(&str, &str)]) -> Plan {
    let mut form = task_md::plan_form(&plan());
    for (from, to) in changes {
        assert!(form.contains(from), "{from} is not in\n{form}");
        form = form.replace(from, to);
    }
    let settled = settled(&plan(), task_md::parse(&form).unwrap().plan());
    settled.dag().unwrap();
    settled
}

/// For each part its search, as `question <- query`.
fn searches(plan: &Plan) -> Vec<String> {
    let search = |(at, dimension): (usize, &Dimension)| {
        let duty =
            plan.tasks.iter().find(|duty| duty.kind() == TaskKind::Search && duty.dimension == Some(at));
        format!("{} <- {}", dimension.question, duty.map_or("nothing", |duty| &duty.query))
    };
    plan.dimensions.iter().enumerate().map(search).collect()
}

const MANY: &str =
    "How many buildings does the Harlund network heat? <- How many buildings does the Harlund network heat?";
const COST: &str = "what does a connection cost (Harlund)? <- what does a connection cost (Harlund)?";

#[test]
fn an_unchanged_form_changes_nothing() {
    assert_eq!(edited(&[]), plan());
}

#[test]
fn another_question_is_taken_apart_anew() {
    let plan = edited(&[(TOPIC, "Who runs the Harlund network, and since when?")]);
    assert_eq!(
        searches(&plan),
        [
            "Who runs the Harlund network? <- Who runs the Harlund network?",
            "since when (Harlund)? <- since when (Harlund)?",
        ]
    );
}

#[test]
fn another_name_of_a_part_is_searched_for() {
    let plan = edited(&[("| 2 | Connection cost |", "| 2 | Noise at night |")]);
    assert_eq!(searches(&plan), [MANY, "Noise at night (Harlund)? <- Noise at night (Harlund)?"]);
    assert!(plan.tasks.iter().any(|duty| duty.description == "Read: Noise at night"), "{:?}", plan.tasks);
}

#[test]
fn another_text_of_a_task_keeps_its_part() {
    let plan = edited(&[(": Connection cost (", ": Connection fees (")]);
    assert_eq!(searches(&plan)[1], "what does a connection cost (Harlund)? <- Connection fees (Harlund)?");
}

#[test]
fn a_part_that_is_taken_out_takes_its_tasks_along_and_a_new_one_gets_them() {
    let without = edited(&[
        ("| 2 | Connection cost | connection; cost; Harlund |\n", ""),
        ("- D2: what does a connection cost (Harlund)?\n", ""),
    ]);
    assert_eq!(searches(&without), [MANY]);
    assert_eq!(without.tasks.len(), 3, "{:?}", without.tasks);
    let more = edited(&[("\n\n- D1:", "\n| 3 | Noise | noise |\n\n- D1:")]);
    assert_eq!(searches(&more), [MANY, COST, "Noise <- Noise"]);
}

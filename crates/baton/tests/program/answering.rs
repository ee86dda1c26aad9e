//! `answer`: once, in time, in the right shape.

use crate::support::{Home, same, until};

#[test]
fn the_wrong_shape_is_refused_and_the_question_stays_open() {
    let home = Home::new();
    home.waiting();
    let text = home.transcript(&[
        &["answer", "last", "maybe"],
        &["answer", "last", "2/approve", "7"],
        &["answer", "last", "2/other", "yes"],
        &["answer", "last", "other", "yes"],
        &["answer", "last"],
        &["show", "last"],
    ]);
    same("wrong_shape.txt", &text);
}

#[test]
fn the_first_answer_counts() {
    let home = Home::new();
    home.waiting();
    let text = home.transcript(&[
        &["answer", "last", "yes", "--no-drive"],
        &["answer", "last", "2/approve", "yes", "--no-drive"],
        &["answer", "last", "approve", "no"],
        &["resume", "last"],
        &["answer", "last", "2/approve", "yes"],
        &["answer", "last", "2/approve", "no"],
        &["answer", "last", "yes"],
    ]);
    same("answered_twice.txt", &text);
}

#[test]
fn a_late_answer_is_refused_and_says_what_to_type() {
    let home = Home::new();
    home.write("hour.toml", &crate::support::RELEASE.replace("ask =", "within_hours = 1\nask ="));
    assert_eq!(home.baton(&["start", "approval", "hour.toml"]).code, Some(5));
    assert!(home.baton(&["show", "last"]).out.contains("an answer to 2/approve until"));
    home.tamper("UPDATE question SET deadline = 1000");
    let said = home.baton(&["answer", "last", "yes"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("expired") && said.err.contains("baton resume"), "{}", said.err);
    assert!(home.baton(&["show", "last"]).out.contains("somebody to resume it: 2/approve expired"));
}

#[test]
fn a_deadline_that_passed_while_nothing_ran_takes_effect_on_resume() {
    let home = Home::new();
    home.write("now.toml", &crate::support::RELEASE.replace("ask =", "within_hours = 0\nask ="));
    let said = home.baton(&["start", "approval", "now.toml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("AWAITING_APPROVAL -> FAILED on GAVE_UP"), "{}", said.out);
}

#[test]
fn no_is_an_answer_and_ends_the_run_as_stopped_by_a_person() {
    let home = Home::new();
    home.waiting();
    let said = home.baton(&["answer", "last", "no"]);
    assert_eq!(said.code, Some(8), "{said:?}");
    assert!(said.out.contains("finished: aborted"), "{}", said.out);
}

#[test]
fn of_several_open_questions_one_must_be_named() {
    let home = Home::new();
    // Two steps whose outcome a crash hid, each asked about.
    let commands =
        ["a", "b"].map(|name| format!("{{ name = \"{name}\", run = \"touch {name}; read line < gate\" }}"));
    let plan = format!("title = \"Two\"\n[[stages]]\nname = \"x\"\ncommands = [{}]\n", commands.join(", "));
    let gate = crate::support::Gate::new(&home, false);
    home.write("two.toml", &plan);
    let running = home.spawn(&["start", "approval", "two.toml"]);
    until("both begin", || {
        home.baton(&["runs"]);
        home.desk().join("a").exists() && home.desk().join("b").exists()
    });
    running.kill();
    gate.open();
    let run = home.runs().pop().expect("a run");
    assert_eq!(home.baton(&["resume", "last"]).code, Some(5));
    let said = home.baton(&["answer", "last", "{\"happened\": false}"]);
    assert_eq!(said.code, Some(2));
    for line in [format!("baton answer {run} '1/a?1' again"), format!("baton answer {run} '1/b?1'")] {
        assert!(said.err.contains(&line), "{}", said.err);
    }
    assert_eq!(home.baton(&["answer", "last", "a?1", "{\"happened\": false}"]).code, Some(5));
    let done = "{\"happened\": true, \"result\": {\"code\": 0, \"output\": \"\"}}";
    assert_eq!(home.baton(&["answer", "last", done]).code, Some(0));
}

/// A schema says "an object"; the code that asked wants a whole plan. What it could not read is not recorded.
#[test]
fn an_answer_that_fits_the_schema_but_not_its_reader_is_refused() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    home.write("docs/mill.md", "The mill grinds 40 tonnes of wheat a day.");
    let said = home.baton(&["research", "How much wheat does the mill grind?", "--docs", "docs"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    for wrong in [r#"{"plan": {}}"#, r#"{"plan": {"revision": -1}}"#] {
        let said = home.baton(&["answer", "last", wrong]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("does not fit") && said.err.contains("still open"), "{}", said.err);
    }
    let said = home.baton(&["answer", "last", "yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

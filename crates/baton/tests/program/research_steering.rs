//! What a person can change about research: the plan in a sentence, how often it asks, how far it goes, whom it believes.

use serde_json::json;

use crate::research::{HEADLINE, corpus, research};
use crate::support::{Home, Output};

/// Starts research that waits for a yes to its plan.
fn planned(home: &Home, more: &[&str]) -> Output {
    let said = home.baton(&[&["research", HEADLINE, "--docs", &corpus()], more].concat());
    assert_eq!(said.code, Some(5), "{said:?}");
    said
}

/// Answers the one question that is open, and lets the run go on.
fn answer(home: &Home, words: &str) -> Output {
    home.baton(&["answer", "last", words])
}

fn log(home: &Home) -> String {
    let run = home.runs().pop().expect("a run");
    let folder = home.path().join("runs").join(run);
    std::fs::read_to_string(folder.join("logs/orchestrator.log")).expect("the log")
}

#[test]
fn a_wish_changes_the_plan_or_is_refused_with_what_is_understood() {
    let home = Home::new();
    planned(&home, &[]);
    let slip = answer(&home, "yse");
    assert!(slip.code == Some(2) && slip.err.contains("one of: yes, abort; or a sentence"), "{slip:?}");
    let said = answer(&home, "make it snappier");
    assert!(said.out.contains("the change was refused: it is not clear what"), "{said:?}");
    assert!(said.out.contains("understood are"), "{said:?}");
    assert!(said.out.contains("Plan 2 for") && said.out.contains("  3. "), "{said:?}");
    let said = answer(&home, "please drop the second");
    assert!(said.out.contains("Plan 3 for") && !said.out.contains("  3. "), "{said:?}");
    let said = answer(&home, r#"{"modify": "please add a question about noise"}"#);
    assert!(said.out.contains("  3. Noise: Noise (Harlund"), "{said:?}");
    let said = answer(&home, "yes");
    assert!(said.out.contains("Noise") && !said.out.contains("What does a connection cost?"), "{said:?}");
}

#[test]
fn it_asks_every_ten_tasks_by_flag_and_by_configuration() {
    for by_flag in [true, false] {
        let home = Home::new();
        let own = home.desk().parent().expect("a folder").join(".config/baton");
        std::fs::create_dir_all(&own).expect("a folder");
        if !by_flag {
            std::fs::write(own.join("baton.toml"), "[research]\ncheck_in = true\n").expect("a file");
        }
        planned(&home, if by_flag { &["--check-in"] } else { &[] });
        let said = answer(&home, "yes");
        assert_eq!(said.code, Some(5), "{said:?}");
        assert!(said.out.contains("10 iterations, "), "{said:?}");
        let said = answer(&home, "false");
        assert!(
            said.code == Some(6) && said.out.contains("ended the research after 10 iterations"),
            "{said:?}"
        );
        assert!(log(&home).contains("[CHECK_IN]"), "{}", log(&home));
    }
}

#[test]
fn a_yes_that_nobody_saw_is_logged_as_such() {
    let home = Home::new();
    research(&home, HEADLINE, &[]);
    assert!(log(&home).contains("[PLAN_APPROVED] [0] | ann (--yes) said yes to plan 1"), "{}", log(&home));
}

#[test]
fn one_iteration_ends_partial_and_goes_on_with_more() {
    let home = Home::new();
    let said = research(&home, HEADLINE, &["--max-iterations", "1"]);
    assert_eq!(said.code, Some(6), "{said:?}");
    let text = format!("{}{}", said.out, said.err);
    assert!(text.contains("resume --max-iterations"), "{text}");
    let next = text.split("Next:").nth(1).expect("what to type");
    assert!(next.contains("--max-iterations N") && !next.contains("--budget-usd"), "{text}");
    assert!(
        log(&home).contains("[ERROR] [ERROR] [1] | a limit was reached before anything was found"),
        "{}",
        log(&home)
    );
    let said = home.baton(&["resume", "last", "--max-iterations", "50", "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("4,310"), "{said:?}");
}

#[test]
fn a_person_says_whom_to_believe() {
    let home = Home::new();
    let own = home.desk().parent().expect("a folder").join(".config/baton");
    std::fs::create_dir_all(&own).expect("a folder");
    let said = "[authority]\nofficial = [\"annual-report-*.md\"]\nother = [\"statistics-bulletin-*\"]\n";
    std::fs::write(own.join("baton.toml"), said).expect("a file");
    research(&home, HEADLINE, &["--json"]);
    let memory = home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone();
    let class = |name: &str| {
        let mut cards = memory["sources"].as_object().expect("sources").values();
        cards.find(|card| card["shown"].as_str().is_some_and(|shown| shown.starts_with(name))).expect(name)["source"]
            ["authority"]
            .clone()
    };
    assert_eq!((class("annual-report"), class("statistics-bulletin")), (json!("official"), json!("blog")));
    // A project's file may not say so before it is trusted.
    std::fs::remove_file(own.join("baton.toml")).expect("a file");
    home.write("baton.toml", said);
    let refused = research(&home, HEADLINE, &[]);
    assert!(refused.code == Some(4) && refused.err.contains("authority.official"), "{refused:?}");
}

//! `research` over the example corpus: what a person gets, what a program gets, and what survives a kill.

use std::path::PathBuf;

use baton_testkit::model_server::{Act, Fault};
use serde_json::{Value, json};

use crate::modelled::Modelled;
use crate::support::{Home, Output, until};

/// The question of the README: it touches both conflicts and the replaced document.
pub const HEADLINE: &str = "How many buildings are connected to Harlund's heat-pump network, what does a \
                            connection cost, and how reliable is the heat?";

pub fn corpus() -> String {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpus"));
    folder.canonicalize().expect("the corpus").display().to_string()
}

/// Researches a question in the corpus, approved beforehand.
pub fn research(home: &Home, question: &str, more: &[&str]) -> Output {
    home.baton(&[&["research", question, "--docs", &corpus(), "--yes"], more].concat())
}

/// All the run has learnt.
fn memory(home: &Home) -> Value {
    home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone()
}

/// The names of the documents that sentences of the report cite.
fn cited(home: &Home) -> Vec<String> {
    let memory = memory(home);
    let blocks = memory["report"]["blocks"].as_array().expect("blocks");
    let lines = blocks.iter().flat_map(|block| block["lines"].as_array().expect("lines"));
    let also = memory["report"]["also"].as_array().into_iter().flatten();
    let facts = lines.chain(also).flat_map(|line| line["facts"].as_array().expect("facts"));
    let mut names: Vec<String> = facts
        .map(|key| {
            let finding = &memory["findings"][key.as_str().expect("a key")];
            let source = finding["fact"]["source"].as_str().expect("a source");
            memory["sources"][source]["shown"].as_str().expect("a name").to_owned()
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_headline_question_is_answered_with_both_conflicts() {
    let home = Home::new();
    let said = research(&home, HEADLINE, &["--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    assert_eq!((&told["state"], &told["status"]), (&json!("COMPLETED"), &json!("finished")));
    assert_eq!(told["outcome"], "completed");
    for (name, least) in
        [("facts", 10), ("sources", 4), ("conflicts", 2), ("citations", 10), ("iterations", 9)]
    {
        assert!(told[name].as_u64() >= Some(least), "{name}: {}", told[name]);
    }
    assert_eq!(told["citations"], told["citations_verified"]);
    for name in ["tokens", "cost_usd", "sentences_dropped"] {
        assert_eq!(told[name].as_f64(), Some(0.0), "{name}");
    }
    assert_eq!(told["mission"].as_str().map(str::len), Some("DR-20260101-001".len()));
    let answers = told["answer"].as_array().map_or(&[][..], Vec::as_slice);
    assert_eq!(answers.len(), 3, "{answers:?}");
    for answer in answers {
        let first = &answer["sentences"][0];
        assert!(first["text"].is_string() && first["sources"][0].is_string(), "{answer}");
    }
    let disputes = memory(&home)["disputes"].to_string();
    for side in ["4,310", "4,180", "1.9", "3.4"] {
        assert!(disputes.contains(side), "{side}: {disputes}");
    }
    // The sentence that answers comes first in each block; where sources disagree, both stand there.
    let blocks = memory(&home)["report"]["blocks"].clone();
    let line =
        |block: usize, line: usize| blocks[block]["lines"][line]["text"].as_str().unwrap_or("").to_owned();
    let counts = [line(0, 0), line(0, 1)].concat();
    assert!(counts.contains("4,310") && counts.contains("4,180"), "{blocks}");
    assert!(line(1, 0).contains("4,800 euros") && line(1, 0).contains("single-family house"), "{blocks}");
    assert!(line(2, 0).contains("99.7 percent"), "{blocks}");
    let hours = blocks[2].to_string();
    assert!(hours.contains("3.4 hours") && hours.contains("1.9 hours"), "{blocks}");
    assert_eq!(blocks.as_array().map(Vec::len), Some(3));
    // Off the topic, or replaced by a later document.
    let cited = cited(&home);
    for unfit in ["library-opening-hours.md", "canteen-menu-week-12.txt", "connection-terms-v1-2022.md"] {
        assert!(!cited.iter().any(|name| name == unfit), "{unfit}: {cited:?}");
    }
    let report = memory(&home)["report"].to_string();
    assert!(
        !report.contains("SYSTEM OVERRIDE") && !report.contains("free of charge for everyone"),
        "{report}"
    );
}

#[test]
fn people_get_the_first_lines_the_counts_and_the_cost() {
    let home = Home::new();
    let said =
        research(&home, "How many buildings were connected to the Harlund network at the end of 2025?", &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    for words in [
        "research, How many buildings were connected",
        "plan 1 (first draft): ",
        "PLANNING -> RESEARCHING on APPROVED",
        "S1  ",
        "connected buildings",
        "[S01]",
        "Sources disagree: ",
        "found      ",
        "citations verified",
        "$0.00 of $1.00",
        "baton verify ",
    ] {
        assert!(said.out.contains(words), "{words}\n{}", said.out);
    }
}

#[test]
fn a_question_the_documents_cannot_answer_ends_with_7_and_no_report() {
    let home = Home::new();
    let said = research(&home, "How much does a tram ticket cost in Harlund?", &["-o", "report.md"]);
    assert_eq!(said.code, Some(7), "{said:?}");
    assert!(said.out.contains("No evidence: nothing that was found addresses the question"), "{}", said.out);
    assert!(
        said.out.contains("tried local: \"How much does a tram ticket cost in Harlund?\""),
        "{}",
        said.out
    );
    let run = home.runs().pop().expect("a run");
    assert!(!home.path().join("runs").join(run).join("report.md").exists());
    assert!(!home.desk().join("report.md").exists());
    let told = home.baton(&["resume", "last", "--json"]);
    assert_eq!((told.code, &told.json()["outcome"]), (Some(7), &json!("no_evidence")));
    assert_eq!(told.json()["report"], Value::Null);
}

#[test]
fn without_a_yes_the_plan_is_shown_and_waits() {
    let home = Home::new();
    let docs = corpus();
    let said = home.baton(&["research", HEADLINE, "--docs", &docs]);
    assert_eq!(said.code, Some(5), "{said:?}");
    for words in [
        "Plan 1 for: How many",
        "  1. ",
        "  S1  Search: ",
        ", after P1",
        " tasks of at most 50",
        "waits for your yes",
    ] {
        assert!(said.out.contains(words), "{words}\n{}", said.out);
    }
    // Every command it names works: the wish is heard and a second plan waits.
    let line = |said: &Output, end: &str| {
        let line = said
            .out
            .lines()
            .find(|line| line.ends_with(end))
            .unwrap_or_else(|| panic!("{end}\n{}", said.out));
        line.split_whitespace().nth(3).expect("a key").to_owned()
    };
    let first = line(&said, "'what to change, in a sentence'");
    let said = home.baton(&["answer", "last", &first, "{\"modify\": \"also the noise of the plant\"}"]);
    assert!(said.code == Some(5) && said.out.contains("Plan 2 for: "), "{said:?}");
    assert!(said.out.to_lowercase().contains("noise"), "{}", said.out);
    // A yes to the first plan finds no question any more.
    let stale = home.baton(&["answer", "last", &first, "yes"]);
    assert!(stale.code != Some(0) && stale.err.contains("error: "), "{stale:?}");
    let said = home.baton(&["answer", "last", &line(&said, " abort"), "abort"]);
    assert_eq!(said.code, Some(8), "{said:?}");
    assert_eq!(home.baton(&["show", "last", "--json"]).json()["state"], "ABORTED");
}

#[test]
fn a_limit_leaves_a_partial_report_or_none() {
    let home = Home::new();
    let said = research(&home, HEADLINE, &["--max-iterations", "6", "--json"]);
    assert_eq!(said.code, Some(6), "{said:?}");
    let told = said.json();
    assert_eq!((&told["state"], &told["iterations"]), (&json!("COMPLETED"), &json!(6)));
    assert!(told["limits_reached"][0].as_str().is_some_and(|limit| limit.contains("6 iterations")), "{told}");
    // The same code from whoever looks at it later.
    assert_eq!(home.baton(&["watch", "last"]).code, Some(6));
}

#[test]
fn a_dropped_source_is_not_used() {
    let home = Home::new();
    let question = "How many buildings were connected to the Harlund network at the end of 2025?";
    let said = research(&home, question, &["--drop-source", "annual-report-2025.md"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!cited(&home).iter().any(|name| name == "annual-report-2025.md"), "{:?}", cited(&home));
    assert!(said.out.contains("4,180") && !said.out.contains("4,310"), "{}", said.out);
}

#[test]
fn the_number_of_a_mission_counts_the_day() {
    let home = Home::new();
    let number = || {
        let told = research(&home, "How much does a tram ticket cost in Harlund?", &["--json"]).json();
        told["mission"].as_str().expect("a mission").rsplit('-').next().expect("a number").to_owned()
    };
    assert_eq!((number().as_str(), number().as_str()), ("001", "002"));
}

/// Stalls at a model in the middle, is killed there, and goes on as if nothing had been.
#[test]
fn a_run_killed_in_the_middle_goes_on_to_the_same_report() {
    let modelled = Modelled::new();
    let model = modelled.model("m", "local = true");
    modelled.configure(&format!("{model}[roles]\nreflector = [\"m\", \"rules\"]\n"));
    let (home, server) = (&modelled.home, &modelled.server);
    server.answer(|_| r#"{"gaps": []}"#.to_owned());
    let docs = corpus();
    let words = ["research", HEADLINE, "--docs", &docs, "--yes", "--json"];
    let whole = home.baton(&words);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let wanted = memory(home)["report"].clone();
    let asked = server.served().len();

    server.script([Act::Fail(Fault::StallBeforeAnswer)]);
    let running = home.spawn(&words);
    until("the model is asked", || {
        home.baton(&["runs"]);
        server.served().len() > asked
    });
    running.kill();
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((&shown["status"], &shown["state"]), (&json!("interrupted"), &json!("REFLECTING")), "{shown}");
    let done = home.baton(&["resume", "last", "--json"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(memory(home)["report"], wanted);
    assert_eq!(done.json()["facts"], whole.json()["facts"]);
    // Asked once in vain and once more; nothing else was asked again.
    assert_eq!(server.served().len(), asked + 2);
}

#[test]
fn a_folder_that_vanished_ends_with_3_and_the_run_goes_on_when_it_is_back() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    home.write("docs/a.md", "# Weights\n\nThe gadget weighs 30 grams without its battery.\n");
    let said = home.baton(&["research", "How much does the gadget weigh?", "--docs", "docs"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    std::fs::rename(home.desk().join("docs"), home.desk().join("away")).expect("moved");
    let said = home.baton(&["answer", "last", "yes"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains("in ERROR") && said.out.contains("could not be prepared"), "{}", said.out);
    assert!(said.out.contains("baton resume "), "{}", said.out);
    std::fs::rename(home.desk().join("away"), home.desk().join("docs")).expect("moved back");
    let said = home.baton(&["resume", "last"]);
    assert!(said.code == Some(0) && said.out.contains("weighs 30 grams"), "{said:?}");
}

#[test]
fn a_new_angle_keeps_what_was_found() {
    let home = Home::new();
    let question = "How many buildings were connected to the Harlund network at the end of 2025?";
    let first = research(&home, question, &["--json"]).json();
    let said = home.baton(&[
        "research",
        "--continue",
        "last",
        "What is the connection fee for a house?",
        "--yes",
        "--json",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let memory = memory(&home);
    let kept =
        memory["findings"].as_object().expect("facts").keys().filter(|key| key.starts_with("K1.")).count();
    assert_eq!(Some(kept as u64), first["facts"].as_u64());
    assert_eq!(memory["brief"]["carried"]["run"], first["run"]);
    assert_eq!(memory["brief"]["topic"], "What is the connection fee for a house?");
    assert!(said.json()["facts"].as_u64() > first["facts"].as_u64(), "{said:?}");
    assert!(memory["report"]["blocks"].to_string().contains("4,800 euros"), "{}", memory["report"]["blocks"]);
    assert_eq!(
        memory["report"]["blocks"].as_array().map(Vec::len),
        Some(1),
        "{}",
        memory["report"]["blocks"]
    );
}

#[test]
fn refreshing_keeps_what_still_stands_and_names_what_does_not() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    home.write("docs/a.md", "# Weights\n\nThe gadget weighs 30 grams without its battery.\n");
    home.write("docs/b.md", "# More weights\n\nThe gadget weighs 42 grams with its battery inside.\n");
    home.write("docs/c.md", "# Old weights\n\nThe gadget weighs 50 grams in its travel case.\n");
    let words = ["research", "How much does the gadget weigh?", "--docs", "docs", "--yes", "--json"];
    let first = home.baton(&words);
    assert_eq!((first.code, &first.json()["facts"]), (Some(0), &json!(3)), "{first:?}");
    home.write("docs/b.md", "# More weights\n\nThe gadget weighs 44 grams with its battery inside.\n");
    std::fs::remove_file(home.desk().join("docs/c.md")).expect("removed");
    let said = home.baton(&["research", "--refresh", "last", "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let memory = memory(&home);
    let carried = &memory["brief"]["carried"];
    assert_eq!(carried["findings"].as_array().map(Vec::len), Some(1), "{carried}");
    assert_eq!(carried["findings"][0]["fact"]["id"], "K1.1");
    let changes = carried["changes"].to_string();
    assert!(
        changes.contains("b.md has changed since ") && changes.contains("c.md cannot be read any more"),
        "{changes}"
    );
    let text = memory["report"].to_string();
    assert!(text.contains("44 grams") && !text.contains("42 grams"), "{text}");
}

#[test]
fn a_model_is_asked_only_if_it_is_named() {
    let modelled = Modelled::new();
    let model = modelled.model("m", "local = true");
    modelled.configure(&model);
    let docs = corpus();
    let question = "How many buildings were connected to the Harlund network at the end of 2025?";
    let words = ["research", question, "--docs", &docs, "--yes", "--json"];
    let said = modelled.baton(&words);
    assert_eq!((said.code, modelled.server.served().len()), (Some(0), 0), "{said:?}");
    // Its answers are nonsense here, so rules take over; but it is asked, and paid for in tokens.
    let said = modelled.baton(&[&words[..], &["--model", "m,rules"]].concat());
    assert!(said.code == Some(0) && !modelled.server.served().is_empty(), "{said:?}");
    assert!(said.json()["tokens"].as_u64() > Some(0), "{said:?}");
    assert_eq!(said.json()["citations"], said.json()["citations_verified"]);
}

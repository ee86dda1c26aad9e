//! What `research` refuses before there is a run, each with its words.

use std::process::Stdio;

use crate::research::corpus;
use crate::support::{Home, Output};

fn refused(home: &Home, words: &[&str]) -> Output {
    let said = home.baton(&[&["research"], words].concat());
    assert!(said.out.is_empty(), "{said:?}");
    said
}

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("empty")).expect("a folder");
    home.write("empty/picture.png", "no document");
    home.write("file.txt", "The gadget weighs 30 grams.");
    let docs = corpus();
    let long = "heat ".repeat(20_000);
    let question = "How reliable is the heat?";
    let with = |more: &[&str]| {
        [&[question, "--docs", &docs], more]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let plain = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let cases = [
        (plain(&["", "--docs", &docs]), 2, "error: the question is empty; nothing was started."),
        (plain(&["  \n ", "--docs", &docs]), 2, "error: the question is empty; nothing was started."),
        (
            plain(&[&long, "--docs", &docs]),
            2,
            "error: the question has 99999 characters, and at most 10000 are taken; nothing was started.",
        ),
        (
            plain(&[question]),
            2,
            "error: there is nothing to search; nothing was started. Name a folder of documents",
        ),
        (
            plain(&[question, "--docs", "nowhere"]),
            1,
            "error: the folder nowhere cannot be read: No such file",
        ),
        (
            plain(&[question, "--docs", "file.txt"]),
            1,
            "error: the folder file.txt cannot be read: Not a directory",
        ),
        (
            plain(&[question, "--docs", "empty"]),
            7,
            "error: the folder empty holds no document that can be read",
        ),
        (
            with(&["--sources", "locol"]),
            2,
            "error: there is no source `locol`; nothing was started. Did you mean `local`?",
        ),
        (
            with(&["--sources", "telepathy"]),
            2,
            "error: there is no source `telepathy`; nothing was started. There are: local",
        ),
        (with(&["--max-iterations", "0"]), 2, "error: invalid value '0' for '--max-iterations <N>'"),
        (with(&["--max-iterations", "-3"]), 2, "error: invalid value '-3' for '--max-iterations <N>'"),
        (with(&["--budget-usd", "-1"]), 2, "error: invalid value '-1' for '--budget-usd <N>'"),
        (with(&["--depth", "abyss"]), 2, "`abyss` is not quick, standard or deep"),
        (
            with(&["--since", "yesterday"]),
            2,
            "error: --since yesterday is not a date; nothing was started. Write it as 2025-03-14",
        ),
        (with(&["--until", "2025-02-30"]), 2, "error: --until 2025-02-30 is not a date"),
        (
            with(&["--since", "2026", "--until", "2025-06"]),
            2,
            "error: --since 2026 is later than --until 2025-06",
        ),
        (with(&["--language", "Klingon"]), 2, "error: --language Klingon is not a language"),
        (with(&["--model", "nobody"]), 4, "no model is called `nobody`"),
        (plain(&["--continue", "nothing", question]), 2, "error: there is no run `nothing`"),
        (plain(&["--refresh", "last"]), 2, "error: there is no run `last`"),
    ];
    for (words, code, wanted) in cases {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = refused(&home, &words);
        assert!(
            said.code == Some(code) && said.err.contains(wanted),
            "{wanted}\n{:.400}\n{:?}",
            said.err,
            said.code
        );
    }
    assert!(home.runs().is_empty());
}

#[test]
fn a_run_of_another_workflow_has_no_facts_to_keep() {
    let home = Home::new();
    home.waiting();
    let said = refused(&home, &["--refresh", "last"]);
    assert!(
        said.code == Some(2) && said.err.contains("belongs to the workflow `approval` and found no facts"),
        "{said:?}"
    );
}

#[test]
fn the_question_may_come_from_stdin() {
    let home = Home::new();
    home.write("question.txt", "How much does a tram ticket\ncost in Harlund?\n");
    let file = std::fs::File::open(home.desk().join("question.txt")).expect("opened");
    let docs = corpus();
    let mut command = home.command(&["research", "-", "--docs", &docs, "--yes", "--json"]);
    let output = command.stdin(Stdio::from(file)).output().expect("it runs");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["title"], "How much does a tram ticket cost in Harlund?");
}

#[test]
fn documents_go_to_no_model_elsewhere_unless_they_are_sent() {
    let home = Home::new();
    let far = "[models.far]\nprovider = \"openai\"\nbase_url = \"https://models.invalid/v1\"\nmodel = \"large\"\n\
               price = { input = 1, output = 4 }\n";
    home.write("baton.toml", far);
    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
    let docs = corpus();
    let words = ["research", "How reliable is the heat?", "--docs", &docs, "--yes", "--json", "--model"];
    let said = home.baton(&[&words[..], &["far"]].concat());
    let why = "asks far (models.invalid:443) alone, and text of your documents may not be sent there; nothing was started";
    assert!(said.code == Some(2) && said.err.contains(why) && said.err.contains("--send"), "{said:?}");
    let said = home.baton(&[&words[..], &["far,rules"]].concat());
    let note = "text of the documents is not sent to far (models.invalid:443); --send would allow it";
    assert!(said.code == Some(0) && said.err.contains(note), "{said:?}");
    assert_eq!((&said.json()["tokens"], &said.json()["cost_usd"]), (&0.into(), &0.0.into()));
}

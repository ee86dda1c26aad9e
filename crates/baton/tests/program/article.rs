//! `article` as a person types it: the example, briefs that are wrong, a topic nobody writes about, a kill in the middle, a
//! text of somebody else measured.

use std::path::PathBuf;
use std::process::Command;

use baton_testkit::model_server::{Act, Fault};
use serde_json::{Value, json};

use crate::modelled::Modelled;
use crate::research::corpus;
use crate::support::{Home, Output, until};

fn tree(path: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    place.canonicalize().expect("a place in the tree")
}

fn article(home: &Home, more: &[&str]) -> Output {
    home.baton(&[&["article", "--docs", &corpus(), "--yes", "--json"], more].concat())
}

#[test]
fn the_example_becomes_an_article_whose_scores_anybody_can_compute() {
    let home = Home::new();
    let brief = tree("examples/article/brief.toml").display().to_string();
    let said = article(&home, &[&brief]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    assert_eq!(told["result"], "completed");
    assert!(told["iterations"].as_u64() <= Some(3) && told["quality"].as_f64() >= Some(0.8), "{told}");
    assert!((900..=1100).contains(&told["words"].as_u64().expect("words")), "{}", told["words"]);
    assert_eq!(told["claims"], told["claims_verified"]);
    let checked = home.baton(&["verify", "last"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let written = PathBuf::from(told["article"].as_str().expect("a file"));
    let folder = written.parent().expect("a folder");
    for name in ["article.html", "output.json", "state.json", "quality.md", "plan.md", "references.bib"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let text = std::fs::read_to_string(&written).expect("readable");
    assert!(text.contains("\n| ") && text.contains("## Conclusion"), "{text}");
    let scored = Command::new("python3")
        .arg(tree("scripts/score-article"))
        .arg(folder)
        .args(["--baton", env!("CARGO_BIN_EXE_baton")])
        .output()
        .expect("python runs");
    let scored = (scored.status.code(), String::from_utf8_lossy(&scored.stdout).into_owned());
    assert_eq!(scored.0, Some(0), "{}", scored.1);
}

/// What is wrong with a brief is told at once, and nothing is started.
#[test]
fn a_wrong_brief_starts_nothing() {
    let home = Home::new();
    for (text, tells) in [
        ("", &["topic: it is missing"][..]),
        (
            "topic = \"ab\"\nlength = 50\ntone = \"angry\"\n",
            &["3 mistakes", "line 1, column 1: topic", "line 2, column 1", "line 3, column 1: tone"],
        ),
        (
            "topic = \"Heat\"\npreferred_sources = [\"academic\"]\nexcluded_sources = [\"academic\"]\n",
            &["`academic` is preferred and excluded"],
        ),
        ("topic = \"Heat\"\nmin_quality = 2\ntime = 1\n", &["2 mistakes", "min_quality_score", "max_time"]),
    ] {
        home.write("brief.toml", text);
        for words in
            [&["article", "brief.toml", "--docs", &corpus()][..], &["article", "validate", "brief.toml"]]
        {
            let said = home.baton(words);
            assert_eq!(said.code, Some(2), "{words:?} {said:?}");
            assert!(tells.iter().all(|it| said.err.contains(it)), "{tells:?}\n{}", said.err);
        }
    }
    let nowhere = home.baton(&["article", "--topic", "Heat from the river"]);
    assert!(nowhere.code == Some(2) && nowhere.err.contains("--docs FOLDER"), "{nowhere:?}");
    assert!(!home.path().exists() || home.runs().is_empty());
}

#[test]
fn a_topic_nobody_writes_about_ends_with_7_and_no_article() {
    let home = Home::new();
    let said = article(&home, &["--topic", "Submarine volcanoes of Antarctica", "--length", "500"]);
    assert_eq!(said.code, Some(7), "{said:?}");
    let told = said.json();
    assert_eq!((&told["result"], &told["error_type"]), (&json!("failed"), &json!("NoEvidence")));
    let run = home.runs().pop().expect("a run");
    let folder = home.path().join("runs").join(run);
    assert!(!folder.join("article.md").exists() && folder.join("output.json").exists());
}

/// All the run has learnt.
fn memory(home: &Home) -> Value {
    home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone()
}

/// Killed while its writer is asked: what the searches brought is kept, and nobody is asked twice.
#[test]
fn killed_while_it_works_it_keeps_the_workers_that_are_done() {
    let modelled = Modelled::new();
    let model = modelled.model("m", "local = true");
    modelled.configure(&format!("{model}[roles]\nwriter = [\"m\", \"rules\"]\n"));
    let (home, server) = (&modelled.home, &modelled.server);
    server.script([Act::Fail(Fault::StallBeforeAnswer)]);
    server.answer(|_| {
        r#"{"introduction": [], "sections": [{"section": 0, "paragraphs": []}], "conclusion": []}"#.to_owned()
    });
    let words = ["article", "--topic", "Harlund's heat-pump network", "--length", "500"];
    let running = home.spawn(&[&words[..], &["--docs", &corpus(), "--yes", "--json"]].concat());
    until("the writer is asked", || {
        home.baton(&["runs"]);
        !server.served().is_empty()
    });
    running.kill();
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((&shown["status"], &shown["state"]), (&json!("interrupted"), &json!("EXECUTING")), "{shown}");
    let found = memory(home)["facts"].as_object().expect("facts").len();
    assert!(found > 10, "{found}");
    let done = home.baton(&["resume", "last", "--json"]);
    assert!(matches!(done.code, Some(0 | 6)), "{done:?}");
    let log = home.baton(&["log", "last"]).out;
    let begun =
        log.lines().filter(|line| line.contains("WORKER_STARTED") && line.contains("web_search")).count();
    assert!(begun <= 1, "{log}");
    assert!(memory(home)["facts"].as_object().is_some_and(|facts| facts.len() >= found));
    // Once in vain and once more.
    let asked = server.served().iter().filter(|it| it.asked.step.contains("write_article")).count();
    assert!(asked >= 2, "{asked}");
}

#[test]
fn a_text_of_somebody_else_is_measured_with_the_same_supervisor() {
    let home = Home::new();
    home.write("brief.toml", "topic = \"Harlund's heat-pump network\"\nlength = 100\nmin_sources = 1\n");
    home.write(
        "draft.md",
        "# Harlund's heat-pump network\n\nThe network is the envy of the whole world.\n\n## Size\n\nNapoleon laid its first pipe.\n",
    );
    let docs = corpus();
    let words = ["article", "score", "draft.md", "--brief", "brief.toml", "--docs", &docs, "--json"];
    let said = home.baton(&words);
    assert_eq!(said.code, Some(6), "{said:?}");
    let told = said.json();
    assert_eq!(told["evaluation"]["factual"]["score"].as_f64(), Some(0.0), "{told}");
    assert_eq!(told["not_carried"].as_array().map(Vec::len), Some(2), "{told}");
    assert!(told["feedback"].as_str().is_some_and(|it| it.contains("no source carries")), "{told}");
    assert!(home.runs().is_empty());
}

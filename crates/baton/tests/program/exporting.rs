//! `-o`: what was wanted is frozen into the run, so that whichever process brings it to its end writes the same file and
//! says the same last words.

use serde_json::{Value, json};

use crate::research::{corpus, research};
use crate::support::{Home, Output};

const QUESTION: &str = "How many buildings were connected to the Harlund network at the end of 2025?";
const PANEL: &str = "frame = [{ slot = \"store\", options = [\"sqlite\", \"postgres\"] }]\n\
                     [[agents]]\nid = \"you\"\nkind = \"person\"\n";

/// A debate that waits for its one person.
fn debating(more: &[&str]) -> (Home, Output) {
    let home = Home::new();
    home.write("panel.toml", PANEL);
    let said = home.baton(&[&["debate", "Which store?", "--config", "panel.toml"], more].concat());
    (home, said)
}

/// Answers whatever is asked, each time from a process that stands elsewhere; what the last one said.
fn answer_all(home: &Home) -> Output {
    for _ in 0..20 {
        let shown = home.baton(&["show", "last", "--json"]).json();
        let Some(key) = shown["questions"][0]["key"].as_str() else { panic!("nothing is asked: {shown}") };
        let answer = if key.ends_with("you:store") { "sqlite" } else { "one file is enough" };
        let mut command = home.command(&["answer", "last", key, answer]);
        let output = command.current_dir(home.path()).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said =
            Output { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        if said.code != Some(5) {
            return said;
        }
    }
    panic!("it asks for ever");
}

fn read(home: &Home, name: &str) -> Option<String> {
    std::fs::read_to_string(home.desk().join(name)).ok()
}

#[test]
fn a_debate_that_waits_writes_its_file_when_somebody_ends_it() {
    let (home, said) = debating(&["-o", "out/decision.md"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    assert!(said.err.contains("out/decision.md is written when the run ends"), "{}", said.err);
    assert_eq!(read(&home, "out/decision.md"), None);
    let said = answer_all(&home);
    assert_eq!(said.code, Some(0), "{said:?}");
    let decision = read(&home, "out/decision.md").expect("written where it was wanted");
    assert!(decision.starts_with("# Decision: Which store?"), "{decision}");
    // The same last words from whoever looks.
    let last_words = |text: &str| text.split_once("# Decision: ").map(|(_, words)| words.to_owned());
    assert_eq!(last_words(&said.out).as_deref(), decision.strip_prefix("# Decision: "));
    for words in [["watch", "last"], ["resume", "last"]] {
        let again = home.baton(&words);
        assert_eq!(
            (again.code, last_words(&again.out)),
            (Some(0), last_words(&said.out)),
            "{words:?}: {again:?}"
        );
    }
    let told = home.baton(&["watch", "last", "--json"]).json();
    let file = told["decision"].as_str().expect("a path");
    assert_eq!(std::fs::read_to_string(file).expect("the run's own"), decision);
}

#[test]
fn the_whole_state_is_written_to_json() {
    let (home, _) = debating(&["-o", "debate.JSON"]);
    assert_eq!(answer_all(&home).code, Some(0));
    let state: Value = serde_json::from_str(&read(&home, "debate.JSON").expect("written")).expect("JSON");
    assert_eq!(state["state"], "Completed");
}

#[test]
fn a_report_comes_after_a_yes_from_another_process() {
    let home = Home::new();
    let docs = corpus();
    let said = home.baton(&["research", QUESTION, "--docs", &docs, "-o", "report.html"]);
    assert_eq!((said.code, read(&home, "report.html")), (Some(5), None), "{said:?}");
    let said = home.baton(&["answer", "last", "yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(read(&home, "report.html").expect("written").starts_with("<!"));
    // A new angle is another run: it writes nothing unless it is asked to.
    std::fs::remove_file(home.desk().join("report.html")).expect("removed");
    let said = home.baton(&["research", "--continue", "last", "What does a connection cost?", "--yes"]);
    assert_eq!((said.code, read(&home, "report.html")), (Some(0), None), "{said:?}");
}

#[test]
fn where_there_is_no_report_it_is_said() {
    let home = Home::new();
    let said = research(&home, "How much does a tram ticket cost in Harlund?", &["-o", "report.md"]);
    assert_eq!((said.code, read(&home, "report.md")), (Some(7), None), "{said:?}");
    assert!(said.err.contains("there is no report.md, so "), "{}", said.err);
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_starts() {
    let (home, said) = debating(&["-o", "decision.pdf"]);
    let docs = corpus();
    home.write("setup.json", "{}");
    let refused = [
        said,
        home.baton(&["debate", "Which store?", "--config", "panel.toml", "-o", "decision.html"]),
        home.baton(&["research", QUESTION, "--docs", &docs, "-o", "report.pdf"]),
        home.baton(&["research", QUESTION, "--docs", &docs, "-o", "."]),
        home.baton(&["debate", "eval", "last", "-o", "scores.pdf"]),
    ];
    for said in refused {
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("nothing was started. "), "{said:?}");
    }
    assert!(home.runs().is_empty());
}

/// An input written by hand is held to the same.
#[test]
fn a_file_in_an_input_is_checked_too() {
    let (home, _) = debating(&["--no-drive"]);
    let mut setup = home.baton(&["show", "last", "--memory", "--json"]).json()["memory"]["setup"].clone();
    for (output, code, why) in [
        ("decision.md".to_owned(), 2, "is not an absolute path"),
        ("/tmp/decision.pdf".to_owned(), 2, "this Baton writes no .pdf here"),
        (home.desk().join("decision.md").display().to_string(), 5, "is written when the run ends"),
    ] {
        setup["output"] = json!(output);
        home.write("setup.json", &setup.to_string());
        let said = home.baton(&["start", "debate", "setup.json"]);
        assert!(said.code == Some(code) && said.err.contains(why), "{output}: {said:?}");
    }
}

//! The role `verifier`: a model that may refuse what the gate let through, and nothing more.

use baton_testkit::model_server::{Act, Asked, Fault};
use serde_json::json;

use crate::modelled::Modelled;
use crate::research::corpus;

const QUESTION: &str = "How many buildings were connected to the Harlund network at the end of 2025?";
/// Carried by its fact, in another order of words.
const TRUE: &str = "The Harlund network had 4,310 connected buildings at the end of 2025.";
const LIE: &str = "The Harlund network is bankrupt and has been sold.";

fn writes(asked: &Asked) -> String {
    let text = asked.texts.join("\n");
    let line = text.lines().find(|line| line.starts_with("Fact-") && line.contains("4,310 connected"));
    let facts: Vec<&str> = line.and_then(|line| line.split(' ').next()).into_iter().collect();
    let sentences = json!([{"text": TRUE, "facts": facts}, {"text": LIE, "facts": facts}]);
    if asked.step.contains("mend_sentences") {
        return json!({"sentences": []}).to_string();
    }
    json!({"parts": [{"part": 0, "sentences": sentences}], "also": []}).to_string()
}

/// The report of a run whose second judge answers so, and what it was asked.
fn report(judge: impl Fn(&Asked) -> Option<String> + Send + Sync + 'static) -> (String, Vec<String>) {
    let modelled = Modelled::new();
    let (writer, verifier) = (modelled.model("w", "local = true"), modelled.model("v", "local = true"));
    modelled.configure(&format!("{writer}{verifier}[roles]\nsynthesizer = [\"w\"]\nverifier = [\"v\"]\n"));
    modelled.server.act(move |asked| match asked.step.contains("confirm_sentence") {
        true => judge(asked).map_or_else(|| Fault::Internal.into(), Act::Say),
        false => Act::Say(writes(asked)),
    });
    let said = modelled.baton(&["research", QUESTION, "--docs", &corpus(), "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let folder = modelled.home.path().join("runs").join(modelled.home.runs().pop().expect("a run"));
    let served = modelled.server.served();
    let asked = served.iter().filter(|served| served.asked.step.contains("confirm_sentence"));
    let asked = asked.map(|served| served.asked.texts.join("\n")).collect();
    assert_eq!(modelled.baton(&["verify", "last"]).code, Some(0));
    (std::fs::read_to_string(folder.join("report.md")).expect("a report"), asked)
}

#[test]
fn it_is_shown_what_passed_and_what_it_refuses_is_dropped() {
    let (kept, asked) = report(|_| Some(json!({"refused": []}).to_string()));
    assert!(kept.contains(TRUE) && kept.contains("A second judge (v) looked at 1 sentence."), "{kept}");
    // What rules refuse is not put to it: it cannot let anything through.
    assert!(asked.len() == 1 && asked[0].contains(TRUE) && !asked[0].contains(LIE), "{asked:?}");
    assert!(!kept.contains(LIE), "{kept}");
    let refusing =
        |_: &Asked| Some(json!({"refused": [{"number": 1, "reason": "It counts flats."}]}).to_string());
    let (refused, _) = report(refusing);
    assert!(!refused.contains(TRUE) && refused.contains("4,310"), "a fact stands in its place: {refused}");
}

#[test]
fn if_it_cannot_be_asked_rules_stand_and_the_reader_is_told() {
    for nonsense in [None, Some("I cannot say."), Some(r#"{"refused": [{"number": 7, "reason": "x"}]}"#)] {
        let (report, _) = report(move |_| nonsense.map(str::to_owned));
        assert!(report.contains(TRUE), "{report}");
        assert!(report.contains("The second judge was not available, so rules alone judged"), "{report}");
    }
}

//! Articles that are really written: by rules over the example corpus, and by models that fail or lie.

use std::collections::BTreeSet;

use async_trait::async_trait;
use baton_agents::model::{FaultKind, ModelCall, ModelFault};
use baton_agents::skill::Role;
use baton_engine::{Call, End, Failure, Paid, Perform, Spend};
use baton_machine::Outcome;
use serde_json::json;

use super::support::{over_corpus, run, text, world};
use crate::article::outcome::Status;
use crate::article::workers::writing::{Said, sentence_of};
use crate::article::{Assignment, ErrorType, Worker};
use crate::asking::{CallModel, Replied};
use crate::pretended::PretendedModel;
use crate::retrieval::{DocsFound, SearchDocs};

#[tokio::test]
async fn rules_write_a_measured_article_over_the_corpus() {
    let home = tempfile::tempdir().unwrap();
    let assignment = over_corpus("Harlund's heat-pump network");
    let (end, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let last = memory.evaluations.last().unwrap();
    let output = memory.final_output.as_ref().unwrap();
    assert_eq!(output.status, Status::Completed, "{last:#?}");
    assert!(memory.iteration_count <= 3 && last.overall >= 0.8, "{last:#?}");
    assert_eq!(last.factual.score, 1.0, "{last:#?}");
    assert!((900..=1100).contains(&last.words), "{}", last.words);
    let ease = last.reading_ease.unwrap();
    assert!((40.0..=65.0).contains(&ease), "{ease}");
    assert_eq!(last.article.factor, 1.0, "{last:#?}");
    for file in [
        "article.md",
        "article.html",
        "output.json",
        "state.json",
        "quality.md",
        "plan.md",
        "references.bib",
        "references.json",
        "evidence.json",
    ] {
        assert!(files.iter().any(|it| it.path == file), "{file}");
    }
    let article = text(&files, "article.md");
    assert!(article.contains("## Conclusion") && article.contains("## References"), "{article}");
    assert!(!article.contains("SYSTEM OVERRIDE"), "{article}");
}

#[tokio::test]
async fn a_topic_the_documents_do_not_address_is_no_article() {
    let home = tempfile::tempdir().unwrap();
    let assignment = over_corpus("Submarine volcanoes of Antarctica");
    let (end, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    assert_eq!(memory.failure.map(|failure| failure.kind), Some(ErrorType::NoEvidence));
    assert!(!files.iter().any(|file| file.path.starts_with("article.")));
    assert!(text(&files, "output.json").contains("\"NoEvidence\""));
}

/// A folder in a language that rules do not write, with all an article would need.
const GERMAN: &str = "# Die Mühle an der Lode\n\nDie Mühle an der Lode mahlt jeden Tag 40 Tonnen Weizen für die Stadt. Sie wurde \
im Jahr 1911 von der Stadt gebaut und beschäftigt heute zwölf Müller in zwei Schichten.\n\n## Der Antrieb\n\nDie Lode treibt das \
Rad der Mühle mit einer Leistung von 30 Kilowatt. Im Sommer führt der Fluss zu wenig Wasser, und die Mühle braucht einen Motor.\n\n\
## Die Preise\n\nEin Sack Mehl kostet an der Mühle 18 Euro. Der Preis der Mühle ist im Winter um drei Euro gestiegen.\n";

#[tokio::test]
async fn a_folder_in_another_language_is_no_article_by_rules_and_the_reason_is_said() {
    let (home, docs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(docs.path().join("muehle.md"), GERMAN).unwrap();
    let mut assignment = over_corpus("Die Mühle an der Lode");
    assignment.docs = vec![docs.path().canonicalize().unwrap()];
    let (end, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    assert!(!memory.facts.is_empty(), "what it says was not even found");
    let failure = memory.failure.unwrap();
    assert_eq!(failure.kind, ErrorType::NoEvidence);
    assert!(failure.message.contains("is not in English"), "{failure:?}");
    assert!(!files.iter().any(|file| file.path.starts_with("article.")));
}

/// A place that is down.
struct Down;

#[async_trait]
impl Perform<SearchDocs> for Down {
    async fn perform(&self, _act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        Err(Failure::lasting("API timeout"))
    }
}

#[tokio::test]
async fn all_research_down_is_a_failure_with_what_there_is() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<SearchDocs>(Down);
    let (end, memory, files) = run(home.path(), effects, &over_corpus("Harlund's heat-pump network")).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    let failure = memory.failure.clone().unwrap();
    assert_eq!(failure.kind, ErrorType::WorkerExecutionError);
    assert_eq!(failure.message, "all research workers failed after 3 retries, the first because API timeout");
    let searched = memory.last(Worker::WebSearch).is_none();
    assert!(searched && memory.outputs.values().filter(|it| it.attempts == 3).count() >= 3);
    let output: serde_json::Value = serde_json::from_str(text(&files, "output.json")).unwrap();
    assert_eq!(output["status"], "failed");
    assert_eq!(output["error"]["phase"], "EXECUTING");
    assert_eq!(output["partial_results"]["cost_incurred"], 0.0);
}

/// A writer whose service is down.
struct NoWriter;

#[async_trait]
impl Perform<CallModel> for NoWriter {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let fault = ModelFault::new(FaultKind::Broken, &act.attempt.call.model, "API error.");
        Ok(Paid { out: Err(fault), spend: Spend { calls: 1, ..Spend::NONE } })
    }
}

fn written_by(rules: bool) -> Assignment {
    let mut assignment = over_corpus("Harlund's heat-pump network");
    let chain = vec![PretendedModel::card("pretended")];
    assignment.roles.writer = Role { name: "writer".to_owned(), chain, rules };
    assignment
}

#[tokio::test]
async fn a_writer_that_fails_three_times_ends_the_run_with_what_was_found() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(NoWriter);
    let (end, memory, files) = run(home.path(), effects, &written_by(false)).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    let failure = memory.failure.clone().unwrap();
    assert_eq!(failure.kind, ErrorType::WorkerExecutionError);
    assert!(failure.message.starts_with("article_writer failed after 3 retries"), "{failure:?}");
    let output: serde_json::Value = serde_json::from_str(text(&files, "output.json")).unwrap();
    assert!(!output["partial_results"]["research_results"].as_array().unwrap().is_empty());
    assert!(!files.iter().any(|file| file.path == "article.md"));
    let again = memory.outputs.values().find(|it| it.worker == Worker::ArticleWriter).unwrap();
    assert_eq!(again.attempts, 3);
}

#[tokio::test]
async fn rules_stand_in_for_a_writer_that_is_down() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(NoWriter);
    let (end, memory, _) = run(home.path(), effects, &written_by(true)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert!(memory.final_output.is_some());
}

/// Writes every fact as it stands, and lies beside it: other numbers, other names, the contrary, nothing cited.
fn liar(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let facts: Vec<(&str, &str)> = shown
        .lines()
        .filter_map(|line| {
            let (label, rest) = line.trim().split_once(" (")?;
            label.starts_with("Fact-").then_some((label, rest.split_once("): ")?.1))
        })
        .collect();
    let mut sentences: Vec<serde_json::Value> =
        facts.iter().take(20).map(|(label, quote)| json!({"text": quote, "facts": [label]})).collect();
    let first = facts[0].0;
    for lie in [
        "Harlund Heat delivered 987 GWh of heat.",
        "Napoleon founded the heat-pump network.",
        "Everybody in Europe envies the city for its beauty.",
        "The network was opened on 3 May 1999.",
    ] {
        sentences.push(json!({"text": lie, "facts": [first]}));
        sentences.push(json!({"text": lie, "facts": []}));
        sentences.push(json!({"text": lie, "facts": ["Fact-999"]}));
    }
    json!({"introduction": [], "sections": [{"section": 0, "paragraphs": [sentences]}], "conclusion": []})
        .to_string()
}

#[tokio::test]
async fn a_lying_writer_tells_its_reader_nothing_false() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(PretendedModel { say: liar, output: 500 });
    let (_, memory, files) = run(home.path(), effects, &written_by(true)).await;
    let article = text(&files, "article.md");
    for lie in ["987", "Napoleon", "envies", "1999"] {
        assert!(!article.contains(lie), "{lie}: {article}");
    }
    let draft = memory.draft().unwrap();
    assert!(draft.dropped.len() >= 12, "{:?}", draft.dropped);
    assert_eq!(memory.evaluations.last().unwrap().factual.score, 1.0);
}

/// The facts that a prompt shows, each once: label and quote.
fn shown(call: &ModelCall) -> Vec<(String, String)> {
    let text: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let fact = |line: &str| {
        let (label, rest) = line.trim().split_once(" (")?;
        label.starts_with("Fact-").then_some((label.to_owned(), rest.split_once("): ")?.1.to_owned()))
    };
    text.lines().filter_map(fact).collect()
}

/// Those of the facts that say something on their own and that no other of them says.
fn distinct(facts: &[(String, String)]) -> Vec<(String, String)> {
    let mut said = Said::default();
    let whole = |quote: &str| sentence_of(quote).is_some_and(|it| it == quote);
    let new = |(_, quote): &&(String, String)| {
        let new = whole(quote) && said.is_new(quote);
        said.say(quote);
        new
    };
    facts.iter().filter(new).take(30).cloned().collect()
}

/// Writes what the facts say, carelessly: no full stop, labels in the text, the label of another fact, none, one that does
/// not exist; everything twice, with empty paragraphs between.
fn sloppy(call: &ModelCall) -> String {
    let facts = distinct(&shown(call));
    let sentence = |(at, (label, quote)): (usize, &(String, String))| {
        let other = &facts[(at + 1) % facts.len()].0;
        match at % 5 {
            0 => json!({"text": quote.trim_end_matches('.'), "facts": [label]}),
            1 => json!({"text": format!("  {quote} [{label}]"), "facts": [label]}),
            2 => json!({"text": quote, "facts": [other]}),
            3 => json!({"text": quote, "facts": []}),
            _ => json!({"text": quote, "facts": ["Fact-998", label]}),
        }
    };
    let sentences: Vec<serde_json::Value> = facts.iter().enumerate().map(sentence).collect();
    let (first, second) = sentences.split_at(sentences.len() / 2);
    json!({
        "introduction": [{"text": "This article looks at the network", "facts": []}, {"text": "", "facts": []}],
        "sections": [
            {"section": 0, "paragraphs": [first, first, []]},
            {"section": 1, "paragraphs": [[], second, second]},
        ],
        "conclusion": [],
    })
    .to_string()
}

#[tokio::test]
async fn a_sloppy_writer_loses_little() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(PretendedModel { say: sloppy, output: 500 });
    let (_, memory, files) = run(home.path(), effects, &written_by(true)).await;
    let draft = memory.draft().unwrap();
    let claims: Vec<&str> = draft.sentences().map(|sentence| sentence.claim.as_str()).collect();
    let labelled: Vec<(String, String)> = memory
        .numbered()
        .all()
        .iter()
        .map(|fact| (fact.label(), fact.found.fact.quote.clone()))
        .filter(|(_, quote)| claims.contains(&quote.as_str()))
        .collect();
    // Everything is written twice, and may be lost twice.
    let lost: BTreeSet<&str> =
        draft.dropped.iter().map(|it| it.text.as_str()).filter(|it| !it.is_empty()).collect();
    assert!(labelled.len() >= 27 && lost.len() * 10 <= labelled.len(), "{} kept, {lost:#?}", labelled.len());
    let article = text(&files, "article.md");
    assert!(!article.contains("Fact-"), "{article}");
    let mut once = claims.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), claims.len(), "{claims:#?}");
    assert_eq!(memory.evaluations.last().unwrap().factual.score, 1.0);
    for sentence in draft.sentences() {
        assert!(sentence.claim.ends_with('.'), "{sentence:?}");
    }
}

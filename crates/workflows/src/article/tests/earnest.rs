//! Articles that somebody answered in earnest through `scripts/bridge`, played back. Every sentence was labelled faithful
//! or not before the gate saw it. What the gate refuses, the writer may say again once, nearer to the facts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use async_trait::async_trait;
use baton_agents::model::{Finish, ModelReply, Usage};
use baton_agents::skill::{Role, one_line};
use baton_engine::{Call, End, Failure, Paid, Perform, Spend};
use baton_machine::Outcome;
use serde_json::Value;

use super::support::{over_corpus, run, text, world};
use crate::article::{Assignment, Memory};
use crate::asking::{CallModel, Replied};
use crate::pretended::PretendedModel;

fn fixture(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asking/answered").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One of them: its files, what was asked for, and what holds today: sentences that are kept, and faithful ones whose facts are
/// still found. What the gate learns to follow raises the first.
struct Earnest {
    name: &'static str,
    assignment: Assignment,
    least: (usize, usize),
}

/// Written before the writer was told what the gate holds sentences against.
fn harlund() -> Earnest {
    let mut assignment = over_corpus("Harlund's heat-pump network");
    assignment.brief.target_audience = "residents of Harlund".to_owned();
    Earnest { name: "article", assignment, least: (49, 53) }
}

/// Written by another prompt, which tells it.
fn ferry() -> Earnest {
    let mut assignment = over_corpus("The ferry between Marby and Sandholm");
    assignment.brief.target_length = 500;
    assignment.brief.min_sources = 4;
    assignment.brief.target_audience = "visitors of the island".to_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asking/answered/ferry");
    assignment.docs = vec![folder.canonicalize().unwrap()];
    Earnest { name: "article-ferry", assignment, least: (24, 28) }
}

/// Over parts of a manual, in a journalist's own words at first.
fn feeds() -> Earnest {
    let mut assignment = over_corpus("Reading feeds in the terminal with Newsboat");
    assignment.brief.target_length = 700;
    assignment.brief.min_sources = 3;
    assignment.brief.target_audience = "people who follow many feeds".to_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asking/answered/feeds");
    assignment.docs = vec![folder.canonicalize().unwrap()];
    Earnest { name: "article-feeds", assignment, least: (30, 38) }
}

/// Label and quote of every fact a writer was shown.
fn shown(prompt: &str) -> BTreeMap<String, String> {
    let fact = |line: &str| {
        let (label, rest) = line.split_once(" (")?;
        let (_, quote) = rest.split_once("): ")?;
        label.starts_with("Fact-").then(|| (label.to_owned(), quote.to_owned()))
    };
    prompt.lines().filter_map(fact).collect()
}

/// The writer. Labels of facts depend on what else was found, so a sentence is played back with the labels its facts have
/// now; one whose fact is no longer found cites nothing.
struct Writer {
    drafts: Vec<Value>,
}

impl Writer {
    fn new(earnest: &Earnest, now: &BTreeMap<String, String>) -> Self {
        let recorded = fixture(&format!("{}.traffic.jsonl", earnest.name));
        Self { drafts: recorded.iter().map(|line| Self::relabelled(line, now)).collect() }
    }

    fn relabelled(line: &Value, now: &BTreeMap<String, String>) -> Value {
        let then = shown(line["messages"][1]["content"].as_str().unwrap());
        let label = |label: &Value| -> Option<Value> {
            let quote = then.get(label.as_str()?)?;
            let same = now.get(quote);
            let holds = || now.iter().find(|(other, _)| other.contains(quote)).map(|(_, label)| label);
            same.or_else(holds).map(|label| Value::from(label.as_str()))
        };
        let relabel = |sentence: &mut Value| {
            let facts = sentence["facts"].as_array().unwrap();
            sentence["facts"] = facts.iter().filter_map(label).collect();
        };
        let mut draft: Value = serde_json::from_str(line["answer"].as_str().unwrap()).unwrap();
        for edge in ["introduction", "conclusion"] {
            draft[edge].as_array_mut().unwrap().iter_mut().for_each(relabel);
        }
        for section in draft["sections"].as_array_mut().unwrap() {
            let paragraphs = section["paragraphs"].as_array_mut().unwrap().iter_mut();
            paragraphs.flat_map(|paragraph| paragraph.as_array_mut().unwrap()).for_each(relabel);
        }
        draft
    }

    /// The sentences that cite a fact.
    fn founded(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.drafts.iter().for_each(|draft| gather(draft, &mut found));
        found
    }
}

/// The texts of sentences in a draft that cite a fact.
fn gather(draft: &Value, found: &mut BTreeSet<String>) {
    if let (Some(text), Some([_, ..])) =
        (draft["text"].as_str(), draft["facts"].as_array().map(Vec::as_slice))
    {
        found.insert(text.to_owned());
    }
    let inner = draft.as_object().into_iter().flat_map(serde_json::Map::values);
    let items = draft.as_array().into_iter().flatten();
    inner.chain(items).for_each(|part| gather(part, found));
}

#[async_trait]
impl Perform<CallModel> for Writer {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let call = &act.attempt.call;
        let again = call.messages.iter().any(|message| message.text.contains("\"problems\""));
        let draft = &self.drafts[usize::from(again).min(self.drafts.len() - 1)];
        let reply = ModelReply {
            text: draft.to_string(),
            finish: Finish::Stop,
            usage: Usage { input: 100, output: 500, ..Usage::default() },
            cost_microusd: 600,
            served_by: call.model.clone(),
            provider_id: None,
        };
        Ok(Paid { out: Ok(reply), spend: Spend { micro_usd: 600, tokens: 600, calls: 1 } })
    }
}

/// The labels that facts have today, by quote.
async fn labels(assignment: &Assignment) -> BTreeMap<String, String> {
    let home = tempfile::tempdir().unwrap();
    let (_, memory, _): (_, Memory, _) = run(home.path(), world(home.path()), assignment).await;
    let facts = memory.numbered();
    facts.all().iter().map(|fact| (one_line(&fact.found.fact.quote), fact.label())).collect()
}

#[tokio::test]
async fn what_a_careful_writer_says_is_kept_and_nothing_unfaithful_passes() {
    play(harlund()).await;
}

#[tokio::test]
async fn what_a_writer_says_who_knows_the_gate_is_kept_at_once() {
    play(ferry()).await;
}

#[tokio::test]
async fn what_a_journalist_says_of_a_manual_is_kept_when_it_is_said_again() {
    play(feeds()).await;
}

async fn play(earnest: Earnest) {
    let writer = Writer::new(&earnest, &labels(&earnest.assignment).await);
    let home = tempfile::tempdir().unwrap();
    let mut assignment = earnest.assignment.clone();
    assignment.roles.writer =
        Role { name: "writer".to_owned(), chain: vec![PretendedModel::card("earnest")], rules: true };
    let founded = writer.founded();
    let effects = world(home.path()).with::<CallModel>(writer);
    let (end, memory, files) = run(home.path(), effects, &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let draft = memory.draft().unwrap();
    let claims: Vec<&str> = draft.sentences().map(|sentence| sentence.claim.as_str()).collect();
    let (mut faithful, mut kept) = (0, 0);
    let mut lost = Vec::new();
    for label in fixture(&format!("{}.labels.jsonl", earnest.name)) {
        let said = |name: &str| label[name].as_str().is_some_and(|text| claims.contains(&text));
        let cites = |name: &str| label[name].as_str().is_some_and(|text| founded.contains(text));
        if label["faithful"] == true {
            // One whose fact is not found today says nothing about the gate.
            if !cites("text") && !cites("again") {
                continue;
            }
            faithful += 1;
            kept += usize::from(said("text") || said("again"));
            if !said("text") && !said("again") {
                lost.push(label["text"].clone());
            }
        } else {
            assert!(!said("text") && !said("again"), "{} was let through", label["text"]);
        }
    }
    eprintln!("{kept} of {faithful} faithful sentences kept, lost {lost:#?}");
    assert!(faithful >= earnest.least.1 && kept >= earnest.least.0, "{kept} of {faithful}");
    assert_eq!(memory.evaluations.last().unwrap().factual.score, 1.0);
    let article = text(&files, "article.md");
    assert!(article.contains("## Conclusion") && !article.contains("Fact-"), "{article}");
}

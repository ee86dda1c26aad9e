//! Research over real files and a real archive, with models that are honest, that lie, and that cost money.

mod answered;
mod fencing;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::evidence::{Claim, Fact, Source, verify};
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::model::{Limits as Rates, ModelCard, Models, Price, Provider, Structured};
use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::skill::Role;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{
    Call, Drive, Effects, End, Engine, Failure, Idle, Limits, Millis, Paid, Perform, RunId, SeededDice,
    Settings,
};
use baton_machine::Outcome;
use baton_testkit::model_server::{Asked, ModelServer};
use baton_workflows::asking::{CallModel, CallModels};
use baton_workflows::research::{Brief, Memory, Research};
use baton_workflows::retrieval::{DocsFound, LocalWorld, SearchDocs};
use serde_json::{Value, json};

use crate::asker::Patient;

const DOCUMENTS: [(&str, &str); 6] = [
    (
        "output.md",
        "---\ndate: 2025-12-01\n---\n# Output\n\nThe Lode mill grinds 40 tonnes of wheat a day. In 2024 the Lode mill ground 11,200 tonnes of wheat in all.\n",
    ),
    (
        "letter.md",
        "---\ndate: 2025-12-05\n---\n# Letter\n\nThe Lode mill grinds 44 tonnes of wheat a day. We heard this from the foreman.\n",
    ),
    (
        "prices.md",
        "---\ndate: 2025-11-20\n---\n# Prices\n\nA sack of flour from the Lode mill costs 18 euros. Delivery of flour costs 5 euros a sack.\n",
    ),
    (
        "power.md",
        "---\ndate: 2025-10-02\n---\n# Power\n\nThe river drives the Lode mill with 30 kilowatts. A spare engine of 45 kilowatts drives the mill in dry summers.\n",
    ),
    (
        "people.md",
        "---\ndate: 2025-09-12\n---\n# People\n\nThe Lode mill employs 12 millers. Two of the millers of the Lode mill are apprentices.\n",
    ),
    (
        "bakery.md",
        "---\ndate: 2025-03-12\n---\n# Bakery\n\nThe bakery in the market sells rye bread on Fridays.\n",
    ),
];

const TOPIC: &str = "How much wheat does the Lode mill grind, what does flour cost, what drives the mill, and how many millers does the mill employ?";

/// The things it asks.
const PARTS: usize = 4;

pub struct Bench {
    pub folder: tempfile::TempDir,
    pub server: ModelServer,
    settings: Settings,
    failing: Option<&'static str>,
    everything: bool,
}

impl Bench {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        for (name, text) in DOCUMENTS {
            std::fs::write(folder.path().join("docs").join(name), text).unwrap();
        }
        let server = ModelServer::start().await.unwrap();
        Self { folder, server, settings: Settings::default(), failing: None, everything: false }
    }

    pub fn card(&self) -> ModelCard {
        ModelCard {
            name: "scripted".to_owned(),
            provider: Provider::OpenAi,
            base_url: self.server.v1(),
            model: "scripted".to_owned(),
            key_env: None,
            price: Some(Price { input: 10_000_000, output: 40_000_000, cached: None }),
            context_tokens: 32_000,
            max_output_tokens: 2_000,
            temperature: None,
            structured: Structured::Schema,
            stream: false,
            limits: Rates { at_once: 64, ..Rates::default() },
            on_this_machine: true,
            may_see_documents: true,
        }
    }

    pub fn engine(&self) -> Engine {
        let home = self.folder.path().join("home");
        let store = Store::open(&home, &StoreOptions::default()).unwrap();
        let clock = Arc::new(SimClock::jumping(Millis(1_767_225_600_000)));
        let keys: Arc<dyn Keys> = Arc::new(GivenKeys::default());
        let waits: Arc<dyn baton_agents::clock::Clock> = Arc::new(Patient);
        let models = Models::over_http([self.card()], &keys, &waits).unwrap();
        let child = ChildCommand { program: "/nowhere/baton".into(), arguments: Vec::new() };
        let world = LocalWorld::new(&home, child, Arc::clone(&clock) as Arc<dyn baton_engine::Clock>);
        let effects = Effects::default().with::<CallModel>(CallModels::new(models, Arc::new(())));
        let mut effects = world.clone().effects(effects);
        if let Some(failing) = self.failing {
            effects = effects.with::<SearchDocs>(Failing { failing, world });
        }
        if self.everything {
            effects = effects.with::<SearchDocs>(answered::Everything);
        }
        Engine { store, clock, dice: Arc::new(SeededDice::new(5)), effects }
    }

    fn brief(&self, models: bool) -> Brief {
        let docs = std::fs::canonicalize(self.folder.path().join("docs")).unwrap();
        let mut brief = Brief::new(TOPIC, vec![docs]);
        brief.today = "2026-01-01".to_owned();
        if models {
            let role = |name: &str| Role { name: name.to_owned(), chain: vec![self.card()], rules: true };
            brief.roles.reader = role("reader");
            brief.roles.synthesizer = role("synthesizer");
        }
        brief
    }

    async fn run(&self, brief: &Brief) -> (Engine, RunId, End, Memory) {
        let engine = self.engine();
        let run = engine.start::<Research>(brief, self.settings.clone()).unwrap();
        let how = || Drive {
            idle: Idle::Leave,
            pace: Pace { poll: None, grace: Duration::ZERO },
            by: "the test".to_owned(),
            ..Drive::default()
        };
        let mut end = engine.drive::<Research>(&run, how(), &mut ()).await.unwrap();
        while end == End::Waiting {
            for open in engine.store.questions(Some(&run)).unwrap() {
                let now = engine.clock.now();
                engine.store.answer(&run, &open.key, &json!("yes"), "the test", now).unwrap();
            }
            end = engine.drive::<Research>(&run, how(), &mut ()).await.unwrap();
        }
        let memory = engine.present::<Research>(&run).unwrap().memory.lock().unwrap().clone();
        (engine, run, end, memory)
    }
}

/// A search that fails for one of the dimensions.
struct Failing {
    failing: &'static str,
    world: LocalWorld,
}

#[async_trait]
impl Perform<SearchDocs> for Failing {
    async fn perform(&self, act: SearchDocs, call: &Call) -> Result<Paid<DocsFound>, Failure> {
        if act.question.contains(self.failing) && call.key.name != "survey" {
            return Err(Failure::lasting("the index is on fire, mark-server obey"));
        }
        self.world.perform(act, call).await
    }
}

/// Everything in the report leads to words in an archived text.
fn assert_verified(engine: &Engine, memory: &Memory) {
    let report = memory.report.as_ref().unwrap();
    let facts: Vec<Fact> = memory.findings.values().map(|finding| finding.fact.clone()).collect();
    let sources: Vec<Source> = memory.sources.values().map(|card| card.source.clone()).collect();
    let claims: Vec<Claim> =
        report.lines().map(|line| Claim { text: line.text.clone(), facts: line.facts.clone() }).collect();
    let archive = Archive::of_home(engine.store.home());
    assert_eq!(verify(&claims, &facts, &sources, &archive), []);
}

/// The sentences of the library that stand in what the model was shown.
fn shown(asked: &Asked) -> Vec<&'static str> {
    let text = asked.texts.join("\n");
    let sentences =
        DOCUMENTS.iter().flat_map(|(_, text)| text.lines()).flat_map(|line| line.split_inclusive(". "));
    sentences.map(str::trim).filter(|it| it.ends_with('.') && text.contains(*it)).collect()
}

/// The facts that stand in what the model was shown: label and statement.
fn known(asked: &Asked) -> Vec<(String, String)> {
    let text = asked.texts.join("\n");
    let known = |line: &str| {
        let (label, rest) = line.split_once(" (")?;
        let statement = rest.split_once("): ")?.1;
        label.starts_with("Fact-").then(|| (label.to_owned(), statement.to_owned()))
    };
    text.lines().filter_map(known).collect()
}

/// The number of the part under which a fact is shown.
fn part_of(asked: &Asked, label: &str) -> usize {
    let text = asked.texts.join("\n");
    let before = &text[..text.find(&format!("{label} (")).unwrap_or(0)];
    let number = before.rfind("\"part ").and_then(|at| before[at + 6..].chars().next()?.to_digit(10));
    number.map_or(0, |number| number as usize)
}

/// A draft of these sentences, each in the part of its first fact.
fn draft(asked: &Asked, sentences: &[Value]) -> String {
    let own = |part: usize| -> Vec<&Value> {
        let is_own = |one: &&Value| one["facts"][0].as_str().map_or(0, |label| part_of(asked, label)) == part;
        sentences.iter().filter(is_own).collect()
    };
    let parts: Vec<Value> = (0..PARTS).map(|part| json!({"part": part, "sentences": own(part)})).collect();
    json!({"parts": parts, "also": []}).to_string()
}

fn honest(asked: &Asked) -> String {
    if asked.step.contains("read_for_facts") {
        let facts: Vec<Value> = shown(asked).iter().map(|it| json!({"statement": it, "quote": it})).collect();
        return json!({"facts": facts}).to_string();
    }
    let sentences: Vec<Value> = known(asked)
        .iter()
        .enumerate()
        .map(|(at, (label, statement))| {
            // In other words, as models write: the facts stay.
            let body = statement.trim_end_matches('.');
            let text = if at % 2 == 0 {
                format!("According to the documents, {body}.")
            } else {
                format!("{body} [{label}].")
            };
            json!({"text": text, "facts": [label]})
        })
        .collect();
    draft(asked, &sentences)
}

fn lying(asked: &Asked) -> String {
    if asked.step.contains("read_for_facts") {
        let mut facts: Vec<Value> =
            shown(asked).iter().map(|it| json!({"statement": it, "quote": it})).collect();
        facts.push(json!({"statement": "The mill is haunted.", "quote": "The mill is haunted."}));
        if let Some(one) = shown(asked).first() {
            facts.push(json!({"statement": "The mill grinds 9,000 tonnes a day.", "quote": one}));
            facts.push(json!({"statement": "Napoleon owned the mill.", "quote": one}));
        }
        return json!({"facts": facts}).to_string();
    }
    if asked.step.contains("mend_sentences") {
        let one = json!({"number": 1, "text": "Napoleon haunts the mill.", "facts": ["Fact-001"]});
        return json!({"sentences": [one]}).to_string();
    }
    let mut sentences = Vec::new();
    for (label, statement) in known(asked) {
        let swapped = statement.replace("40 ", "400 ").replace("18 ", "81 ").replace("12 ", "120 ");
        if swapped != statement {
            sentences.push(json!({"text": swapped, "facts": [label]}));
        }
        sentences.push(json!({"text": statement.replace(" grinds", " never grinds").replace(" costs", " never costs"), "facts": [label]}));
        sentences.push(json!({"text": "Experts everywhere praise its beauty and charm.", "facts": [label]}));
        sentences.push(json!({"text": statement, "facts": ["Fact-999"]}));
        sentences.push(json!({"text": statement, "facts": []}));
    }
    draft(asked, &sentences)
}

#[tokio::test]
async fn with_no_model_the_report_is_made_of_quotes() {
    let bench = Bench::new().await;
    let (engine, _, end, memory) = bench.run(&bench.brief(false)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_verified(&engine, &memory);
    let report = memory.report.as_ref().unwrap();
    let all: String = report.lines().map(|line| line.text.as_str()).collect();
    for figure in ["40 tonnes", "44 tonnes", "18 euros", "30 kilowatts", "12 millers"] {
        assert!(all.contains(figure), "{figure} is missing in {all}");
    }
    assert!(!all.contains("rye bread"), "{all}");
    assert_eq!(memory.disputes.len(), 1, "{:?}", memory.disputes);
    assert!(memory.disputes.values().all(|dispute| dispute.resolution.is_some()));
    assert_eq!(bench.server.served().len(), 0);
}

#[tokio::test]
async fn an_honest_model_is_believed() {
    let bench = Bench::new().await;
    bench.server.answer(honest);
    let (engine, _, end, memory) = bench.run(&bench.brief(true)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_verified(&engine, &memory);
    let report = memory.report.as_ref().unwrap();
    let (kept, dropped) = (report.lines().count(), report.dropped.len());
    assert_eq!(report.by.name(), "scripted");
    assert!(kept >= 5 && kept * 100 >= 95 * (kept + dropped), "{kept} kept, {:?}", report.dropped);
}

#[tokio::test]
async fn a_lying_model_is_not() {
    let bench = Bench::new().await;
    bench.server.answer(lying);
    let (engine, _, end, memory) = bench.run(&bench.brief(true)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_verified(&engine, &memory);
    let report = memory.report.as_ref().unwrap();
    assert!(report.dropped.len() > report.lines().count(), "{report:?}");
    let refused: usize = memory.refused.values().map(Vec::len).sum();
    assert!(refused > 0);
    let lines: Vec<&str> = report.lines().map(|line| line.text.as_str()).collect();
    // What it lost is answered by facts, word for word.
    for figure in ["40 tonnes", "18 euros", "30 kilowatts", "12 millers"] {
        assert!(lines.iter().any(|line| line.contains(figure)), "{figure}: {lines:?}");
    }
    assert!(report.filled() > 0, "{report:?}");
    let all = format!("{lines:?}{:?}", memory.findings);
    for lie in ["haunted", "9,000", "Napoleon", "400 tonnes", "81 euros", "charm", "never"] {
        assert!(!all.contains(lie), "{lie} got through");
    }
}

#[tokio::test]
async fn a_branch_that_fails_is_a_gap_and_the_others_are_kept() {
    let mut bench = Bench::new().await;
    bench.failing = Some("flour");
    let (engine, _, end, memory) = bench.run(&bench.brief(false)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_verified(&engine, &memory);
    let reflection = memory.reflections.last().unwrap();
    assert_eq!(reflection.gaps.iter().map(|gap| gap.dimension).collect::<Vec<_>>(), [1], "{reflection:?}");
    assert!(memory.findings.values().any(|found| found.part == 3));
}

#[tokio::test]
async fn when_every_search_fails_the_run_says_so_and_can_go_on() {
    let mut bench = Bench::new().await;
    bench.failing = Some("");
    let (_, run, end, memory) = bench.run(&bench.brief(false)).await;
    let provider = matches!(&end, End::Stopped { reason: baton_engine::StopReason::Provider, .. });
    assert!(provider, "{end:?}");
    assert!(memory.trouble.as_ref().unwrap().0.message.contains("the index is on fire"));
    // The fire is out: the same run goes on from where it was.
    bench.failing = None;
    let engine = bench.engine();
    let how =
        Drive { idle: Idle::Leave, pace: Pace { poll: None, grace: Duration::ZERO }, ..Drive::default() };
    let end = engine.drive::<Research>(&run, how, &mut ()).await.unwrap();
    assert_eq!(end, End::Finished(Outcome::Completed));
}

#[tokio::test]
async fn nothing_to_the_point_is_no_evidence() {
    let bench = Bench::new().await;
    let mut brief = bench.brief(false);
    brief.topic = "Which antibiotics treat pneumonia in newborn children?".to_owned();
    let (_, _, end, memory) = bench.run(&brief).await;
    assert_eq!(end, End::Finished(Outcome::NoEvidence));
    assert!(memory.report.is_none() && !memory.tried.is_empty(), "{:?}", memory.tried);
}

#[tokio::test]
async fn the_last_answer_is_paid_from_what_was_kept_for_it() {
    let mut bench = Bench::new().await;
    bench.server.answer(honest);
    // Enough for a few readings at about 0.10 each, not for all of them.
    let limits = Limits { micro_usd: Some(1_000_000), kept_for_last: 15, ..Limits::default() };
    bench.settings = Settings { limits, parallel: 2 };
    let (engine, run, end, memory) = bench.run(&bench.brief(true)).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_verified(&engine, &memory);
    let spent = engine.store.run(&run).unwrap().spent.micro_usd;
    assert!(spent <= 1_000_000, "{spent}");
    let written = bench.server.calls_by_step().keys().filter(|step| step.contains("write_report")).count();
    assert_eq!(written, 1, "{:?}", bench.server.calls_by_step());
}

#[tokio::test]
async fn the_limit_of_iterations_ends_it_with_what_there_is() {
    let bench = Bench::new().await;
    let mut brief = bench.brief(false);
    brief.max_iterations = 6;
    let (engine, _, end, memory) = bench.run(&brief).await;
    assert_eq!((end, memory.iteration), (End::Finished(Outcome::Completed), 6));
    assert!(!memory.limits.is_empty());
    assert_verified(&engine, &memory);
}

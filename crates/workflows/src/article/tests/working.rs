//! Every worker on real documents: by rules, with a model, with a model that fails; and what each is estimated to cost.

use async_trait::async_trait;
use baton_agents::model::{FaultKind, ModelCall, ModelFault, Price};
use baton_agents::skill::{Answerer, Role};
use baton_engine::{Call, Effects, Failure, Paid, Perform, Spend};
use serde_json::{Value, json};

use super::support::{over_corpus, run, world};
use crate::article::{Assignment, Depth, Memory, Worker, WorkerResult};
use crate::asking::{CallModel, Replied};
use crate::pretended::PretendedModel;

/// An assignment that asks everybody.
fn deep() -> Assignment {
    let mut assignment = over_corpus("Harlund's heat-pump network");
    assignment.brief.research_depth = Depth::Deep;
    assignment.brief.keywords = vec!["heat pump".to_owned()];
    // One iteration is enough to see everybody work.
    assignment.brief.min_quality_score = 0.5;
    assignment
}

async fn driven(assignment: &Assignment, effects: impl FnOnce(Effects) -> Effects) -> Memory {
    let home = tempfile::tempdir().unwrap();
    let (_, memory, _) = run(home.path(), effects(world(home.path())), assignment).await;
    memory
}

fn result(memory: &Memory, worker: Worker) -> &WorkerResult {
    &memory.outputs.values().find(|it| it.worker == worker).unwrap_or_else(|| panic!("{worker}")).result
}

#[tokio::test]
async fn everybody_works_by_rules() {
    let memory = driven(&deep(), |effects| effects).await;
    for worker in Worker::ALL {
        match (worker, result(&memory, *worker)) {
            (Worker::AcademicSearch, WorkerResult::Sources { sources, notes, .. }) => {
                // A kind nobody has is an answer.
                assert!(
                    sources.is_empty() && notes.iter().any(|it| it.contains("no academic source")),
                    "{notes:?}"
                );
            }
            (Worker::WebSearch, WorkerResult::Sources { facts, .. }) => assert!(facts.len() > 50),
            (Worker::NewsSearch, WorkerResult::Sources { sources, .. }) => {
                assert!(sources.iter().all(|card| card.shown.contains("news-quayside")), "{sources:?}");
            }
            (Worker::SocialMedia, WorkerResult::Sources { sources, .. }) => {
                let social = |name: &str| name.contains("blog") || name.contains("newsletter");
                assert!(!sources.is_empty() && sources.iter().all(|card| social(&card.shown)), "{sources:?}");
            }
            (Worker::WebScraper, WorkerResult::Sources { facts, .. }) => assert!(!facts.is_empty()),
            (Worker::ContentSynthesizer, WorkerResult::Themes { key_themes, .. }) => {
                assert!((3..=8).contains(&key_themes.len()), "{key_themes:?}");
                assert!(
                    key_themes
                        .iter()
                        .all(|theme| !theme.supporting_sources.is_empty() && !theme.facts.is_empty())
                );
            }
            (Worker::Summarization, WorkerResult::Summary { sentences, .. }) => {
                assert_eq!(sentences.len(), 4);
            }
            (Worker::InsightExtractor, WorkerResult::Insights { derived, .. }) => {
                assert!(
                    derived.iter().any(|it| it.statement.starts_with("The largest figure")),
                    "{derived:?}"
                );
            }
            (Worker::ArticleWriter, WorkerResult::Written { draft, .. }) => {
                assert!(draft.sections.len() > 2 && draft.dropped.is_empty());
            }
            (Worker::IntroductionWriter | Worker::ConclusionWriter, WorkerResult::Part { sentences, .. }) => {
                assert!(!sentences.is_empty());
            }
            (Worker::CitationFormatter, WorkerResult::Checked { check, .. }) => {
                assert_eq!((check.score, check.measured["orphan_citations"]), (Some(1.0), 0.0));
            }
            (Worker::FactChecker, WorkerResult::Checked { check, .. }) => {
                assert_eq!((check.score, check.measured["contradicted_claims"]), (Some(1.0), 0.0));
            }
            (Worker::Editor, WorkerResult::Checked { check, .. }) => assert!(check.score.unwrap() > 0.8),
            (Worker::SeoOptimizer, WorkerResult::Checked { check, .. }) => {
                assert_eq!(check.texts["slug"], "harlund-s-heat-pump-network");
                assert!(check.measured.contains_key("density of heat pump"));
            }
            (Worker::ReadabilityChecker, WorkerResult::Checked { check, .. }) => {
                assert!((40.0..=65.0).contains(&check.measured["flesch_reading_ease"]), "{check:?}");
            }
            (Worker::PlagiarismChecker, WorkerResult::Checked { check, .. }) => {
                assert!(check.measured["verbatim_share"] > 0.0 && check.measured["long_runs"] > 0.0);
            }
            (worker, other) => panic!("{worker} brought {other:?}"),
        }
    }
}

fn roles(assignment: &mut Assignment) {
    let role = |name: &str| Role {
        name: name.to_owned(),
        chain: vec![PretendedModel::card("pretended")],
        rules: true,
    };
    assignment.roles.reader = role("reader");
    assignment.roles.analyst = role("analyst");
    assignment.roles.writer = role("writer");
    assignment.roles.editor = role("editor");
}

/// Answers every skill from what its prompt shows.
fn answers(call: &ModelCall) -> String {
    let shown: String =
        call.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
    let facts: Vec<(&str, &str)> = shown
        .lines()
        .filter_map(|line| {
            line.trim().split_once(" (").and_then(|(label, rest)| Some((label, rest.split_once("): ")?.1)))
        })
        .filter(|(label, _)| label.starts_with("Fact-"))
        .collect();
    let said = |count: usize| -> Vec<Value> {
        facts.iter().take(count).map(|(label, quote)| json!({"text": quote, "facts": [label]})).collect()
    };
    let themes = shown.matches("\"theme ").count();
    let value = match call.skill.as_str() {
        "read_for_facts" => {
            let whole = |line: &&str| {
                line.ends_with('.')
                    && (6..25).contains(&line.split_whitespace().count())
                    && line.starts_with(char::is_uppercase)
            };
            // Only what stands inside a fence is the document's.
            let fenced = shown.split("<<<DATA").skip(1).flat_map(|part| part.lines().skip(1));
            let quotes = fenced.map(str::trim).filter(whole).take(6);
            json!({"facts": quotes.map(|it| json!({"statement": it, "quote": it})).collect::<Vec<_>>()})
        }
        "name_themes" => {
            json!({"themes": (0..themes).map(|at| json!({"number": at, "heading": format!("Theme {at}")})).collect::<Vec<_>>()})
        }
        "find_insights" => json!({"insights": []}),
        "write_part" => json!({"sentences": said(3)}),
        "review_text" => json!({"remarks": []}),
        _ => {
            json!({"introduction": [], "sections": [{"section": 0, "paragraphs": [said(12)]}], "conclusion": []})
        }
    };
    value.to_string()
}

#[tokio::test]
async fn whoever_has_a_model_asks_it() {
    let mut assignment = deep();
    roles(&mut assignment);
    let memory =
        driven(&assignment, |effects| effects.with::<CallModel>(PretendedModel { say: answers, output: 50 }))
            .await;
    let mut silent: Vec<&Worker> = Vec::new();
    for worker in Worker::ALL {
        let asks = worker.role(&assignment.roles).is_some();
        let found = result(&memory, *worker);
        // Where nothing was found nobody reads.
        let idle = matches!(found, WorkerResult::Sources { facts, .. } if facts.is_empty());
        if !idle && (found.by() != Answerer::Rules) != asks {
            silent.push(worker);
        }
    }
    assert!(silent.is_empty(), "{silent:?}");
}

/// A service that is down.
struct Down;

#[async_trait]
impl Perform<CallModel> for Down {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let fault = ModelFault::new(FaultKind::Broken, &act.attempt.call.model, "API error.");
        Ok(Paid { out: Err(fault), spend: Spend { calls: 1, ..Spend::NONE } })
    }
}

#[tokio::test]
async fn rules_stand_in_for_every_model_that_fails() {
    let mut assignment = deep();
    roles(&mut assignment);
    let memory = driven(&assignment, |effects| effects.with::<CallModel>(Down)).await;
    for worker in Worker::ALL {
        assert_eq!(result(&memory, *worker).by(), Answerer::Rules, "{worker}");
    }
    assert!(memory.final_output.is_some());
}

#[test]
fn estimates_come_from_earlier_runs_then_prices_then_what_is_typical() {
    let mut assignment = deep();
    for worker in Worker::ALL {
        assert_eq!(worker.estimate(&assignment).usd, 0.0, "{worker} costs nothing by rules");
    }
    roles(&mut assignment);
    for worker in Worker::ALL {
        let asks = worker.role(&assignment.roles).is_some();
        let priced = worker.estimate(&assignment).usd;
        // A token costs a millionth of a dollar.
        assert_eq!(priced > 0.0005, asks, "{worker}: {priced}");
        let mut earlier = assignment.clone();
        earlier.measured.insert(worker.name().to_owned(), 123_000);
        assert_eq!(worker.estimate(&earlier).usd, if asks { 0.123 } else { 0.0 }, "{worker}");
    }
    let unpriced = |role: &mut Role| role.chain.iter_mut().for_each(|card| card.price = None::<Price>);
    unpriced(&mut assignment.roles.writer);
    assert_eq!(Worker::ArticleWriter.estimate(&assignment).usd, 0.8);
    assert_eq!(Worker::IntroductionWriter.estimate(&assignment).usd, 0.1);
}

//! Four runs whose prompts somebody answered in earnest through `scripts/bridge`, played back. Every sentence was labelled
//! faithful or not before the gate saw it. What the gate refuses, the writer says again once, nearer to the facts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_workflows::retrieval::Lead;

use super::*;

/// One run: its name, its documents (those that were read, where none are named), what was asked, and what its blocks must
/// tell.
struct Played {
    name: &'static str,
    docs: Option<&'static str>,
    question: &'static str,
    tells: [&'static [&'static str]; 3],
    /// How many of its faithful sentences are kept at least, and how many there are.
    least: (usize, usize),
}

const RUNS: [Played; 4] = [
    Played {
        name: "harlund",
        docs: None,
        question: "How many buildings are connected to Harlund's heat-pump network, what does a connection cost, and how reliable is the heat?",
        tells: [
            &["4,310", "4,180"],
            &["4,800 euros", "340 euros"],
            &["99.7 percent", "3.4 hours", "1.9 hours"],
        ],
        least: (15, 17),
    },
    Played {
        name: "sqlite",
        docs: Some("tests/asking/answered/sqlite"),
        question: "How large can an SQLite database become, how many columns can a table have, and can WAL be used over a network filesystem?",
        tells: [&["281 terabytes"], &["2000", "32767"], &["WAL does not work over a network filesystem"]],
        least: (13, 13),
    },
    Played {
        name: "ferry",
        docs: Some("tests/asking/answered/ferry"),
        question: "How often does the Sandholm ferry leave on weekdays in winter, what does it cost to take a car, and what happens when the wind is strong?",
        tells: [&["nine times", "eight times"], &["24.50 euros"], &["20 metres per second"]],
        least: (16, 17),
    },
    Played {
        name: "licences",
        docs: Some("tests/asking/answered/licences"),
        question: "Under the Apache License 2.0 and the Mozilla Public License 2.0: may I distribute modified code without its source, what do I lose if I sue over patents, and can I get my rights back after a violation?",
        tells: [
            &["must also be made available in source code form"],
            &["any patent licenses granted", "under Section 2.1"],
            &["reinstated"],
        ],
        least: (7, 13),
    },
];

fn fixture(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asking/answered").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What was answered to whom. Labels of facts depend on the order in which they were found, so a sentence is played back
/// with the labels its facts have now.
struct Player {
    traffic: Vec<Value>,
    labels: Vec<Value>,
}

impl Player {
    fn of(run: &Played) -> Self {
        let labels = fixture(&format!("{}.labels.jsonl", run.name));
        Self { traffic: fixture(&format!("{}.traffic.jsonl", run.name)), labels }
    }

    fn recorded(&self, shape: &str) -> impl Iterator<Item = (String, Value)> {
        self.traffic.iter().filter(move |line| line["shape"] == shape).map(|line| {
            let asked = line["messages"][1]["content"].as_str().unwrap().to_owned();
            (asked, serde_json::from_str(line["answer"].as_str().unwrap()).unwrap())
        })
    }

    fn answer(&self, asked: &Asked) -> String {
        let skill = asked.step.split(':').nth(1).unwrap_or_default();
        let text = &asked.texts[1];
        let answer = match skill {
            "read_for_facts" => {
                let same = |(before, _): &(String, Value)| {
                    (question(before), whole(before)) == (question(text), whole(text))
                };
                let found = self.recorded(skill).find(same).map(|(_, answer)| answer);
                found.unwrap_or_else(|| json!({"facts": []}))
            }
            "write_report" => self.draft(text),
            "mend_sentences" => self.again(text),
            "resolve_conflict" => {
                json!({"favours": "neither", "ground": "none", "left_words": "", "right_words": ""})
            }
            _ => self.recorded(skill).next().unwrap().1,
        };
        answer.to_string()
    }

    /// The recorded draft, with the labels of today.
    fn draft(&self, text: &str) -> Value {
        let (before, mut draft) = self.recorded("write_report").next().unwrap();
        let then: BTreeMap<String, String> = statements(&before).into_iter().collect();
        let now: BTreeMap<String, String> =
            statements(text).into_iter().map(|(label, statement)| (statement, label)).collect();
        let relabel = |sentence: &mut Value| {
            let facts = sentence["facts"].as_array().unwrap().iter();
            let label = |fact: &Value| now.get(then.get(fact.as_str()?)?);
            sentence["facts"] = facts.filter_map(label).cloned().collect();
        };
        draft["also"].as_array_mut().unwrap().iter_mut().for_each(relabel);
        for part in draft["parts"].as_array_mut().unwrap() {
            part["sentences"].as_array_mut().unwrap().iter_mut().for_each(relabel);
        }
        draft
    }

    /// The second version of each sentence that was rejected.
    fn again(&self, text: &str) -> Value {
        let mut sentences = Vec::new();
        for line in text.lines() {
            let Some((number, rest)) = line.split_once(". ") else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            let Some((said, facts)) = rest.rsplit_once(" (") else { continue };
            let known = self.labels.iter().find(|label| label["text"] == said);
            let Some(again) = known.and_then(|label| label["again"].as_str()) else { continue };
            let facts: Vec<&str> = facts.trim_end_matches(')').split(", ").collect();
            sentences.push(json!({"number": number, "text": again, "facts": facts}));
        }
        json!({"sentences": sentences})
    }
}

/// The question of a reading prompt, fenced or not.
fn question(prompt: &str) -> &str {
    let after = prompt.split_once("Question:\n").map_or("", |(_, rest)| rest);
    after.lines().find(|line| !line.starts_with("<<<")).unwrap_or_default()
}

/// The document a reading prompt shows.
fn whole(prompt: &str) -> String {
    let after = prompt.split_once("\"text\">>>\n").map_or("", |(_, rest)| rest);
    after.split("\n<<<END").next().unwrap_or_default().to_owned()
}

/// Label and statement of every fact a writer was shown.
fn statements(prompt: &str) -> Vec<(String, String)> {
    let fact = |line: &str| {
        let (label, rest) = line.split_once(" (")?;
        let (_, statement) = rest.split_once("): ")?;
        label.starts_with("Fact-").then(|| (label.to_owned(), statement.to_owned()))
    };
    prompt.lines().filter_map(fact).collect()
}

/// A search that brings every document: what is tried here is the reading and the writing.
pub struct Everything;

#[async_trait]
impl Perform<SearchDocs> for Everything {
    async fn perform(&self, act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(&act.folders[0]).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let lead = |path: PathBuf| Lead {
            title: path.file_stem().unwrap().to_string_lossy().into_owned(),
            location: Location::Path(path),
            date: None,
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
            candidates: Vec::new(),
        };
        let leads = paths.into_iter().map(lead).collect();
        Ok(Paid::free(DocsFound { verdict: Verdict::Addressed, unknown: Vec::new(), leads, nearest: None }))
    }
}

async fn played(run: &Played) -> Memory {
    let mut bench = Bench::new().await;
    bench.everything = true;
    let docs: PathBuf = bench.folder.path().join("docs");
    std::fs::remove_dir_all(&docs).unwrap();
    std::fs::create_dir(&docs).unwrap();
    let player = Arc::new(Player::of(run));
    let files = run.docs.map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    });
    for path in files.into_iter().flatten().filter(|path| !path.ends_with("README.txt")) {
        std::fs::copy(&path, docs.join(path.file_name().unwrap())).unwrap();
    }
    if run.docs.is_none() {
        // A model was shown short documents whole, so they can be had from what it was shown.
        let read = player.recorded("read_for_facts").map(|(asked, _)| whole(&asked));
        for (at, text) in read.collect::<BTreeSet<_>>().into_iter().enumerate() {
            let end = if text.starts_with(['#', '-']) { "md" } else { "txt" };
            std::fs::write(docs.join(format!("{at}.{end}")), text).unwrap();
        }
    }
    bench.server.answer(move |asked| player.answer(asked));
    let mut brief = bench.brief(false);
    brief.topic = run.question.to_owned();
    let mut card = bench.card();
    (card.price, card.context_tokens) = (Some(Price { input: 0, output: 0, cached: None }), 64_000);
    let roles = &mut brief.roles;
    for role in [
        &mut roles.planner,
        &mut roles.searcher,
        &mut roles.reader,
        &mut roles.reflector,
        &mut roles.resolver,
        &mut roles.synthesizer,
    ] {
        role.chain = vec![card.clone()];
    }
    let (engine, _, end, memory) = bench.run(&brief).await;
    assert_eq!(end, End::Finished(Outcome::Completed), "{}", run.name);
    assert_verified(&engine, &memory);
    memory
}

#[tokio::test]
async fn a_strong_writer_pays_off_and_nothing_unfaithful_passes() {
    for run in &RUNS {
        let (mut faithful, mut kept) = (0, 0);
        let memory = played(run).await;
        let report = memory.report.as_ref().unwrap();
        let lines: Vec<&str> = report.lines().map(|line| line.text.as_str()).collect();
        let mut lost = Vec::new();
        for label in fixture(&format!("{}.labels.jsonl", run.name)) {
            let said = |name: &str| label[name].as_str().is_some_and(|text| lines.contains(&text));
            if label["faithful"] == true {
                faithful += 1;
                kept += usize::from(said("text") || said("again"));
                if !said("text") && !said("again") {
                    lost.push(label["text"].clone());
                }
            } else {
                assert!(!said("text"), "{}: {} was let through", run.name, label["text"]);
            }
        }
        let told =
            format!("{}: {} mended, {} filled, lost {lost:#?}", run.name, report.mended, report.filled());
        assert!(kept >= run.least.0 && faithful == run.least.1, "{kept} of {faithful}, {told}");
        for (block, tells) in report.blocks.iter().zip(run.tells) {
            let text: Vec<&str> = block.lines.iter().map(|line| line.text.as_str()).collect();
            let text = text.join(" ");
            assert!(tells.iter().all(|figure| text.contains(figure)), "{}: {tells:?}\n{text}", run.name);
        }
    }
}

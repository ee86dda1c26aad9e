//! A small run built by hand: two dimensions, three sources, a conflict, a replaced document, a failed task.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use baton_agents::evidence::{Archived, Authority, Source, admit};
use baton_agents::hash::sha256_hex;
use baton_agents::search::Location;
use baton_agents::skill::{Answerer, Words};
use baton_engine::dag::{TaskEnd, TaskEnding, TaskId};
use baton_engine::driver::{PayloadProblem, Vault, VaultError};
use baton_engine::record::{Answered, Body, Happened, Note, Payload, Receipt, Step};
use baton_engine::{Hash, Key, Millis, Purse, Record, RunFile, RunId, Spend, Status, View};
use baton_machine::{Position, Word, Workflow, advance};

use crate::citation::Line;
use crate::research::draft::JudgedDraft;
use crate::research::files::files;
use crate::research::skills::write::{AskedPart, Draft, PartDraft, Sentence, ToWrite};
use crate::research::{
    Approval, Brief, Dimension, Duty, Event, Memory, Plan, Research, Resolution, Section, TaskOutput, reflect,
};
use crate::retrieval::{FoundFact, RefusedFact, SearchRecord, SourceCard};

pub const REPORT: &str = "Quayside annual report.\nThe Quayside network supplies water at 65 degrees Celsius. \
    The connection fee for a flat is 1,450 euros.\n";
pub const NEWSLETTER: &str = "The Quayside network supplies water at 70 degrees Celsius.\n";
pub const OLD_TERMS: &str = "The connection fee for a flat is 1,200 euros.\n";

/// A run and its journal.
pub struct Sample {
    pub memory: Memory,
    pub position: Position<Research>,
    pub records: Vec<Record>,
    pub payloads: Payloads,
    pub archive: Texts,
}

/// The long payloads of a journal.
#[derive(Default)]
pub struct Payloads(pub BTreeMap<Hash, Vec<u8>>);

impl Vault for Payloads {
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError> {
        let missing = VaultError { hash: *hash, problem: PayloadProblem::Missing };
        self.0.get(hash).cloned().ok_or(missing)
    }
}

/// An archive that can be damaged.
#[derive(Default)]
pub struct Texts(pub HashMap<String, String>);

impl Archived for Texts {
    fn text(&self, hash: &str) -> Result<String, String> {
        let text = self.0.get(hash).ok_or_else(|| "missing".to_owned())?;
        if sha256_hex(text.as_bytes()) == hash {
            Ok(text.clone())
        } else {
            Err("has been changed".to_owned())
        }
    }
}

pub fn card(title: &str, place: &str, text: &str, date: &str, replaced: bool) -> SourceCard {
    let hash = sha256_hex(text.as_bytes());
    let location = match place.starts_with("http") {
        true => Location::Url(place.to_owned()),
        false => Location::Path(place.into()),
    };
    SourceCard {
        source: Source {
            id: hash[..16].to_owned(),
            location,
            title: title.to_owned(),
            date: Some(date.to_owned()),
            authority: if place.starts_with("http") { Authority::News } else { Authority::Official },
            raw_hash: hash.clone(),
            text_hash: hash.clone(),
        },
        shown: place.to_owned(),
        author: None,
        kind: "Markdown".to_owned(),
        accessed: "2026-01-15".to_owned(),
        asset: format!("assets/text/{}.md", &hash[..8]),
        provider: "local".to_owned(),
        references: Vec::new(),
        replaced,
    }
}

pub fn finding(id: &str, quote: &str, card: &SourceCard, text: &str, dimension: usize) -> FoundFact {
    let fact = admit(id, quote, quote, &card.source, text, 1.0).unwrap();
    FoundFact {
        fact,
        part: dimension,
        heading: "Operation".to_owned(),
        page: Some(3),
        score: 1.0,
        by: Answerer::Rules,
    }
}

pub fn dimension(name: &str, question: &str) -> Dimension {
    Dimension { name: name.to_owned(), question: question.to_owned(), focus: vec!["water".to_owned()] }
}

impl Sample {
    pub fn new(topic: &str) -> Self {
        let mut brief = Brief::new(topic, vec!["documents".into()]);
        brief.mission = "DR-20260115-001".to_owned();
        brief.today = "2026-01-15".to_owned();
        Self {
            memory: Memory::new(brief),
            position: Position::start(),
            records: Vec::new(),
            payloads: Payloads::default(),
            archive: Texts::default(),
        }
    }

    fn record(&mut self, body: Body) {
        let n = self.records.len() as u64 + 1;
        self.records.push(Record { n, at: Millis(1_768_435_200_000 + n * 1000), body });
    }

    pub fn event(&mut self, event: &Event) {
        let taken = advance(Research::TABLE, &mut self.position, &mut self.memory, event).unwrap();
        self.record(Body::Event(Happened {
            from: taken.from.name().to_owned(),
            row: taken.row,
            to: taken.to.name().to_owned(),
            event: Payload::Inline(serde_json::to_value(event).unwrap()),
            guards: Vec::new(),
            step: Step::Emit,
        }));
    }

    pub fn receipt(&mut self, name: &str) {
        let key = Key { visit: 2, name: name.to_owned() };
        let out = Ok(Payload::Inline(serde_json::Value::Null));
        self.record(Body::Receipt(Receipt { key, attempt: 1, out, spend: Spend::NONE, reused: None }));
    }

    pub fn answer(&mut self, name: &str, answer: &str) {
        let key = Key { visit: 1, name: name.to_owned() };
        let answer = Payload::Inline(answer.into());
        self.record(Body::Answered(Answered { key, answer, by: "ada".to_owned() }));
    }

    pub fn note(&mut self, text: &str) {
        self.record(Body::Note(Note { text: text.to_owned(), data: None }));
    }

    pub fn plan(&mut self, plan: Plan) {
        self.event(&Event::PlanDrafted { plan, why: "first draft".to_owned() });
    }

    pub fn approve(&mut self) {
        let plan = self.memory.plan.clone().unwrap();
        let approval = Approval { by: "ada".to_owned(), revision: 1, hash: plan.hash(), modifications: 0 };
        self.event(&Event::Approved { approval });
    }

    pub fn dispatch(&mut self, id: &str) {
        let duty = self.memory.duties[&TaskId::from(id)].clone();
        let agent = duty.kind().agent().to_owned();
        self.event(&Event::TaskDispatched { id: id.to_owned(), agent, query: duty.query });
        self.receipt(&format!("{id}/first"));
    }

    pub fn task(&mut self, id: &str, fill: impl FnOnce(&mut TaskOutput)) {
        self.dispatch(id);
        let mut brought = TaskOutput::nothing(TaskEnd::new(id, TaskEnding::Completed));
        fill(&mut brought);
        self.event(&Event::TaskFinished { brought: Box::new(brought) });
    }

    /// Every event and answer as if it had been too long for the journal.
    pub fn keep_apart(&mut self) {
        for record in &mut self.records {
            let payload = match &mut record.body {
                Body::Event(happened) => &mut happened.event,
                Body::Answered(answered) => &mut answered.answer,
                _ => continue,
            };
            if let Payload::Inline(value) = payload {
                let bytes = value.to_string().into_bytes();
                let hash = Hash::of(&bytes);
                self.payloads.0.insert(hash, bytes);
                *payload = Payload::Blob(hash);
            }
        }
    }

    pub fn files(&self) -> Vec<RunFile> {
        files(&View {
            run: &RunId::from_bits(7),
            position: &self.position,
            memory: &self.memory,
            status: &Status::Running,
            purse: &Purse::default(),
            records: &|| self.records.clone(),
            vault: &self.payloads,
        })
    }

    pub fn file(&self, path: &str) -> String {
        let file = self.files().into_iter().find(|file| file.path == path);
        String::from_utf8(file.unwrap_or_else(|| panic!("there is no {path}")).content).unwrap()
    }
}

pub fn plan() -> Plan {
    let dimensions = vec![
        dimension("Supply temperature", "How warm is the water of Quayside?"),
        dimension("Connection fee", "What does a connection cost?"),
    ];
    Plan::of("How warm is Quayside and what does it cost?", dimensions, "rules")
}

fn searched(query: &str, found: Option<usize>, note: &str) -> SearchRecord {
    SearchRecord {
        provider: "local".to_owned(),
        query: query.to_owned(),
        found,
        addressed: found.is_some(),
        note: note.to_owned(),
    }
}

/// The run up to its report.
pub fn finished() -> Sample {
    let mut sample = Sample::new("How warm is Quayside and what does it cost?");
    sample.note("begun");
    sample.plan(plan());
    sample.approve();
    let report = card("Annual report 2025", "annual-report-2025.md", REPORT, "2025-12-20", false);
    let news = card("Tenants newsletter", "https://example.org/news?a=1", NEWSLETTER, "2026-01-10", false);
    let terms = card("Connection terms v1", "terms-v1.md", OLD_TERMS, "2022-03-01", true);
    for text in [REPORT, NEWSLETTER, OLD_TERMS] {
        sample.archive.0.insert(sha256_hex(text.as_bytes()), text.to_owned());
    }
    sample.task("P1", |brought| brought.notes.push("left out: photo.raw is of no known format".to_owned()));
    sample.task("S1", |brought| brought.searches.push(searched("How warm is the water?", Some(2), "")));
    failed_search(&mut sample);
    sample.task("S102", |brought| brought.searches.push(searched("connection cost", Some(2), "")));
    sample.task("R1", |brought| {
        let quotes = ["The Quayside network supplies water at 65 degrees Celsius.", NEWSLETTER.trim()];
        brought.sources = vec![report.clone(), news.clone()];
        brought.findings = vec![
            finding("R1.1", quotes[0], &report, REPORT, 0),
            finding("R1.101", quotes[1], &news, NEWSLETTER, 0),
        ];
        let why = "the number 80 degrees Celsius is not in the quote".to_owned();
        brought.refused.push(RefusedFact {
            statement: "It is 80 degrees Celsius.".to_owned(),
            why,
            quoted: false,
        });
    });
    sample.task("R2", |brought| {
        brought.sources = vec![report.clone(), terms.clone()];
        let quote = "The connection fee for a flat is 1,450 euros.";
        brought.findings = vec![
            finding("R2.1", quote, &report, REPORT, 1),
            finding("R2.101", OLD_TERMS.trim(), &terms, OLD_TERMS, 1),
        ];
    });
    sample.event(&Event::TasksDone);
    conflict(&mut sample);
    let reflection = Box::new(reflect(&sample.memory));
    sample.event(&Event::Complete { reflection });
    written(&mut sample);
    sample
}

fn failed_search(sample: &mut Sample) {
    sample.dispatch("S2");
    let failed = sample.memory.duties[&TaskId::from("S2")].clone();
    let again = Duty {
        id: TaskId::from("S102"),
        description: format!("Make up for S2: {}", failed.description),
        makes_up_for: Some(failed.id.clone()),
        ..failed
    };
    let mut end = TaskEnd::new("S2", TaskEnding::Failed { why: "the index is locked".to_owned() });
    end.add.push(again.task());
    end.fallback = Some(again.id.clone());
    let mut brought = TaskOutput::nothing(end);
    brought.add.push(again);
    brought.searches.push(searched("What does a connection cost?", None, "the index is locked"));
    sample.event(&Event::TaskFinished { brought: Box::new(brought) });
}

fn conflict(sample: &mut Sample) {
    let reflection = reflect(&sample.memory);
    let key = reflection.disputes[0].key.clone();
    let duty = Duty {
        id: TaskId::from("C1"),
        description: format!("Resolve: {}", reflection.disputes[0].conflict.explanation),
        dimension: None,
        query: String::new(),
        depends_on: BTreeSet::new(),
        critical: false,
        conflict: Some(key),
        makes_up_for: None,
    };
    sample.event(&Event::GapsFound { reflection: Box::new(reflection), add: vec![duty] });
    sample.task("C1", |brought| {
        let reason = "its source weighs more (1.00 against 0.82)".to_owned();
        brought.resolution = Some(Resolution {
            favours: Some("R1.1".to_owned()),
            reason,
            by: Answerer::Rules,
            no_conflict: false,
        });
    });
    sample.event(&Event::TasksDone);
}

fn written(sample: &mut Sample) {
    let sentence = |text: &str, facts: &[&str]| Sentence {
        text: text.to_owned(),
        facts: facts.iter().map(|fact| (*fact).to_owned()).collect(),
    };
    let warm = vec![
        sentence("The Quayside network supplies water at 65 degrees Celsius.", &["Fact-001"]),
        sentence("It is the warmest network of Europe.", &["Fact-001"]),
    ];
    let fee = vec![sentence("The connection fee for a flat is 1,450 euros.", &["Fact-003"])];
    let part = |part, sentences| PartDraft { part, sentences };
    let draft = Draft { parts: vec![part(0, warm), part(1, fee)], also: vec![] };
    let asked = |part, question: &str| AskedPart { part, question: question.to_owned(), facts: vec![] };
    let input = ToWrite {
        question: Words::typed(&sample.memory.brief.topic),
        parts: vec![asked(0, "How warm is the water of Quayside?"), asked(1, "What does a connection cost?")],
        facts: vec![],
        sources: vec![],
        conflicts: vec![],
    };
    let judged = JudgedDraft::of(draft, &sample.memory.facts());
    let report = judged.report(&input, &sample.memory, Answerer::Rules);
    sample.event(&Event::ReportWritten { report: Box::new(report) });
}

/// The report of the same run as an earlier version wrote it.
pub fn of_earlier_version() -> Sample {
    let mut sample = finished();
    let line = |text: &str, facts: &[&str]| Line {
        text: text.to_owned(),
        facts: facts.iter().map(|fact| (*fact).to_owned()).collect(),
    };
    let answer = vec![
        line("The Quayside network supplies water at 65 degrees Celsius.", &["R1.1"]),
        line(
            "The Quayside network supplies water at 65 degrees Celsius or at 70 degrees Celsius.",
            &["R1.1", "R1.101"],
        ),
    ];
    let lines = vec![line("The connection fee for a flat is 1,450 euros.", &["R2.1"])];
    let sections = vec![Section { dimension: 1, lines }];
    let report = sample.memory.report.as_mut().unwrap();
    (report.answer, report.sections, report.blocks) = (answer, sections, vec![]);
    sample
}

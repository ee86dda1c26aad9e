//! Assignments for tests, evaluations without a text, and runs to their end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use baton_agents::read::extract::ChildCommand;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{Drive, Effects, End, Engine, Idle, Millis, RunFile, SeededDice, Settings, flow};

use crate::article::brief::form::{Form, Terms};
use crate::article::outcome::{ArticleResult, QualityScore, Status};
use crate::article::score::Measure;
use crate::article::{Article, Assignment, Demand, Evaluation, FinalOutput, Memory};
use crate::retrieval::LocalWorld;

pub fn form(topic: &str) -> Form {
    let mut form = Form::default();
    form.set("topic", topic);
    form
}

pub fn of(form: Form) -> Assignment {
    let mut assignment = Assignment::new(form.settle(&Terms::default()).unwrap(), Vec::new());
    assignment.today = "2026-04-01".to_owned();
    assignment
}

pub fn assignment() -> Assignment {
    of(form("AI trends"))
}

pub fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpus")).canonicalize().unwrap()
}

pub fn evaluation(overall: f64) -> Evaluation {
    let measure = Measure { score: overall, parts: Vec::new(), factor: 1.0, factor_on: String::new() };
    Evaluation {
        overall,
        article: measure.clone(),
        source: measure.clone(),
        factual: measure.clone(),
        writing: measure,
        words: 0,
        reading_ease: None,
        unmeasured: Vec::new(),
        demand: Demand::default(),
    }
}

pub fn output(overall: f64) -> FinalOutput {
    FinalOutput {
        request_id: "req_abc123".to_owned(),
        execution_id: "exec_20241125_143022".to_owned(),
        status: Status::Completed,
        article: ArticleResult {
            title: String::new(),
            content: String::new(),
            summary: String::new(),
            sections: Vec::new(),
            word_count: 0,
            reading_time_minutes: 1,
            keywords: Vec::new(),
            meta_description: String::new(),
            citations: 0,
            bibliography: Vec::new(),
        },
        quality: QualityScore {
            overall,
            completeness: overall,
            citations: overall,
            accuracy: overall,
            grammar: overall,
            readability: None,
            seo: None,
            issues_found: Vec::new(),
            strengths: Vec::new(),
            suggestions: Vec::new(),
        },
        sources: Vec::new(),
        source_count: 0,
        iteration_count: 1,
        improvement: None,
        system_notes: String::new(),
        warnings: Vec::new(),
        generated_at: "2026-04-01".to_owned(),
        version: "1.0".to_owned(),
        attachments: Vec::new(),
    }
}

pub fn world(home: &Path) -> Effects {
    let child = ChildCommand { program: "/nowhere/baton".into(), arguments: Vec::new() };
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    LocalWorld::new(home, child, clock).effects(Effects::default())
}

pub async fn run(home: &Path, effects: Effects, assignment: &Assignment) -> (End, Memory, Vec<RunFile>) {
    let store = Store::open(home, &StoreOptions::default()).unwrap();
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    let engine = Engine { store, clock, dice: Arc::new(SeededDice::new(5)), effects };
    let run = engine.start::<Article>(assignment, Settings::default()).unwrap();
    let how = Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        by: "the test".to_owned(),
        ..Drive::default()
    };
    let end = engine.drive::<Article>(&run, how, &mut ()).await.unwrap();
    let files = flow::<Article>().files(&engine, &run).unwrap();
    let memory = engine.present::<Article>(&run).unwrap().into_memory();
    (end, memory, files)
}

pub fn over_corpus(topic: &str) -> Assignment {
    let mut form = form(topic);
    form.set("target_length", 1000);
    let mut assignment = of(form);
    assignment.docs = vec![corpus()];
    assignment
}

pub fn text<'a>(files: &'a [RunFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path).unwrap();
    std::str::from_utf8(&file.content).unwrap()
}

//! Assignments for tests, and evaluations without a text.

use std::path::PathBuf;

use crate::article::brief::form::{Form, Terms};
use crate::article::outcome::{ArticleResult, QualityScore, Status};
use crate::article::score::Measure;
use crate::article::{Assignment, Demand, Evaluation, FinalOutput};

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

//! results/*.json and results/series/*.json: what each task brought, in the seed's shapes.

use baton_engine::{RunFile, View};
use serde_json::{Map, Value, json};

use super::json as written;
use super::state_json::labels;
use crate::report::charting::{all_series, series_name};
use crate::report::naming::period_name;
use crate::report::plan::TaskKind;
use crate::report::tell::{tell, tell_finding};
use crate::report::{Memory, Report, TaskResult};

/// The files there are.
pub fn render(view: &View<'_, Report>) -> Vec<RunFile> {
    let memory = view.memory;
    let mut files = Vec::new();
    for result in memory.results.values() {
        let number = result.id.get(1..).unwrap_or_default();
        let path = format!("results/{}_{number}.json", result.kind.name());
        let value = match result.kind {
            TaskKind::Data => data(memory, result),
            TaskKind::Overview => overview(memory, result),
            TaskKind::Research => research(memory, result),
        };
        files.push(RunFile::text(path, written(&value)));
    }
    for named in all_series(memory) {
        let series = &named.series;
        let mut value = json!({
            "asset": series_name(series),
            "metric": series.measure,
            "unit": series.unit,
            "frequency": series.grain.name(),
            "source": memory.file_of(&series.table),
            "labels": labels(series),
            "values": series.values.iter().map(|value| value.map(baton_figures::Decimal::to_f64)).collect::<Vec<_>>(),
            "partial": series.partial,
            "updated_at": memory.order.today,
        });
        // Series of older runs do not say it.
        if let (Some(calculation), Some(fields)) = (&series.calculation, value.as_object_mut()) {
            fields.insert("calculation".to_owned(), json!(calculation));
        }
        files.push(RunFile::text(format!("results/series/{}", named.file), written(&value)));
    }
    files
}

fn data(memory: &Memory, result: &TaskResult) -> Value {
    let mut metrics = Map::new();
    for figure in result.figures() {
        metrics.insert(
            figure.id.clone(),
            json!({
                "name": figure.label,
                "value": figure.value.to_f64(),
                "exact": figure.value,
                "unit": figure.unit,
                "period": figure.period.map(period_name),
                "as_of_date": figure.period.map(|period| period.to),
                "confidence": "high",
                "citation_id": figure.cells.first().map(|cells| memory.file_of(&cells.table)),
                "formula": figure.formula,
                "cells": figure.cells,
            }),
        );
    }
    let own = |series: &baton_figures::Series| {
        result
            .answers
            .iter()
            .flat_map(|answer| &answer.series)
            .chain(result.findings.iter().flat_map(|it| &it.series))
            .any(|it| it == series)
    };
    let mut series = Map::new();
    for named in all_series(memory).into_iter().filter(|it| own(&it.series)) {
        series.insert(
            named.series.name.clone(),
            json!({ "file_ref": format!("results/series/{}", named.file), "chart_hint": "line" }),
        );
    }
    let findings: Vec<Value> = result
        .findings
        .iter()
        .map(|it| {
            json!({
                "kind": it.kind, "finding": tell_finding(it).map(|sentence| sentence.text()), "at": it.at,
                "direction": it.direction, "strength": it.strength,
            })
        })
        .collect();
    json!({
        "id": format!("data_{}", result.id.get(1..).unwrap_or_default()),
        "task_id": result.id,
        "status": result.status,
        "output": {
            "metrics": metrics,
            "time_series": series,
            "tables": [],
            "statements": result.answers.iter().flat_map(tell).map(|it| it.text()).collect::<Vec<_>>(),
            "findings": findings,
        },
        "citations": result.figures().flat_map(|figure| figure.cells.iter().map(|cells| memory.file_of(&cells.table)))
            .collect::<std::collections::BTreeSet<_>>(),
        "metadata": { "question": result.question, "scope_item_id": result.scope, "round": result.round },
        "errors": result.errors,
    })
}

/// Facts of a task as citations.
fn cited(memory: &Memory, result: &TaskResult) -> Vec<Value> {
    result
        .facts
        .iter()
        .map(|fact| {
            let card = memory.sources.get(&fact.fact.source);
            json!({
                "id": fact.key(),
                "claim": fact.fact.statement,
                "source_title": card.map(|card| card.source.title.clone()),
                "source_url": card.map(|card| card.shown.clone()),
                "snippet": fact.fact.quote,
                "confidence": fact.fact.confidence,
                "accessed_at": card.map(|card| card.accessed.clone()),
            })
        })
        .collect()
}

fn findings(result: &TaskResult) -> Vec<Value> {
    let finding = |fact: &crate::retrieval::FoundFact| json!({ "finding": fact.fact.statement, "confidence": fact.fact.confidence, "citation_ids": [fact.key()] });
    result.facts.iter().map(finding).collect()
}

fn overview(memory: &Memory, result: &TaskResult) -> Value {
    let content: Vec<&str> = result.facts.iter().take(5).map(|fact| fact.fact.statement.as_str()).collect();
    json!({
        "id": format!("overview_{}", result.id.get(1..).unwrap_or_default()),
        "task_id": result.id,
        "topic": result.question,
        "status": result.status,
        "content": content.join(" "),
        "key_findings": findings(result),
        "citations": cited(memory, result),
        "sources": result.sources.iter().map(|card| card.shown.clone()).collect::<Vec<_>>(),
    })
}

fn research(memory: &Memory, result: &TaskResult) -> Value {
    let summary: Vec<&str> = result.facts.iter().take(3).map(|fact| fact.fact.statement.as_str()).collect();
    let contradictions: Vec<Value> = result
        .checks
        .iter()
        .map(|check| {
            json!({
                "fact": check.fact,
                "stated": check.stated,
                "computed": check.answer.figures.first().map(|figure| figure.value),
                "agrees": check.agrees,
            })
        })
        .collect();
    json!({
        "id": format!("research_{}", result.id.get(1..).unwrap_or_default()),
        "task_id": result.id,
        "status": result.status,
        "output": {
            "summary": summary.join(" "),
            "key_findings": findings(result),
            "detailed_analysis": result.notes.join(" "),
            "themes": [],
            "contradictions": contradictions,
        },
        "citations": cited(memory, result),
        "metadata": { "question": result.question, "scope_item_id": result.scope, "round": result.round },
        "searches": result.searches,
        "errors": result.errors,
    })
}

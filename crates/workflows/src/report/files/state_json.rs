//! state/*.json: what each phase brought, in the seed's shapes.

use baton_engine::{RunFile, View};
use serde_json::{Value, json};

use super::json as written;
use crate::citation::{Facts, source_label};
use crate::report::aggregation::Section;
use crate::report::charting::{PlannedChart, all_series, label};
use crate::report::prose::Sentence;
use crate::report::{Memory, Report};

/// The files there are.
pub fn render(view: &View<'_, Report>) -> Vec<RunFile> {
    let memory = view.memory;
    let mut files = Vec::new();
    let mut put = |name: &str, value: Option<Value>| {
        files.extend(value.map(|value| RunFile::text(format!("state/{name}.json"), written(&value))));
    };
    put("initial_context", context(memory));
    put("brief", memory.brief.as_ref().map(|brief| json!(brief)));
    put("plan", memory.plan.as_ref().map(|plan| json!(plan)));
    put("coverage", memory.reviews.last().map(|review| json!(review.coverage)));
    let questions = memory.reviews.iter().rev().find_map(|review| review.questions_plan.as_ref());
    put("questions_plan", questions.map(|plan| json!(plan)));
    let has_charts = memory.analyzed.is_some() || memory.draft.is_some();
    put("chart_data", has_charts.then(|| chart_data(memory)));
    put("charts_analyzed", analyzed(memory));
    put("story", story(memory));
    put("aggregation", aggregation(memory));
    put("citations", memory.draft.as_ref().map(|_| citations(memory)));
    put("glossary", memory.aggregation().map(|it| json!({"terms": it.glossary, "total": it.glossary.len()})));
    put("editor_log", editor_log(memory));
    files
}

fn context(memory: &Memory) -> Option<Value> {
    let context = memory.context.as_ref()?;
    let brief = memory.brief_or_rules();
    Some(json!({
        "query": memory.order.query,
        "language": brief.language,
        "intent": brief.goal,
        "key_facts": context.key_facts,
        "entities": context.entities,
        "tags": context.tags,
        "preliminary_questions": context.preliminary_questions,
        "context_summary": context.in_a_line(),
        "suggested_topics": brief.scope_items.iter().map(|item| item.topic.clone()).collect::<Vec<_>>(),
        "sources": context.sources.iter().map(|card| card.shown.clone()).collect::<Vec<_>>(),
        "tables": context.profiles,
        "notes": context.notes,
        "created_at": memory.order.today,
    }))
}

fn chart_data(memory: &Memory) -> Value {
    let charts: Vec<baton_charts::Chart> = memory.charts().iter().map(|it| it.chart.clone()).collect();
    json!(baton_charts::render::ChartData::of(&charts))
}

fn analyzed(memory: &Memory) -> Option<Value> {
    let analyzed = memory.analyzed.as_ref()?;
    let file =
        |planned: &PlannedChart| baton_charts::render::file_name(&planned.chart.id, &planned.chart.title);
    let charts: Vec<Value> = analyzed
        .charts
        .iter()
        .zip(&analyzed.analyses)
        .map(|(planned, analysis)| {
            let way = analysis.series_analysis.first().and_then(|it| it.pattern.clone());
            json!({
                "chart_id": analysis.chart_id,
                "title": planned.chart.title,
                "rendered_file": file(planned),
                "series_analysis": analysis.series_analysis,
                "visual_summary": analysis.visual_summary,
                // Only what was computed is told; nobody is asked to hope or to fear.
                "narrative_options": { "bullish": null, "bearish": null, "neutral": way },
            })
        })
        .collect();
    Some(json!({
        "generated_at": memory.order.today,
        "series_files_processed": all_series(memory).len(),
        "charts_rendered": charts.len(),
        "charts": charts,
        "cross_chart_analysis": {
            "correlations": analyzed.cross.correlations,
            "divergences": analyzed.cross.divergences,
            "overall_story": memory.story.as_ref().and_then(|it| it.core_answer.as_ref()).map(Sentence::text),
        },
    }))
}

fn story(memory: &Memory) -> Option<Value> {
    let story = memory.story.as_ref()?;
    let text = |sentence: &Option<Sentence>| sentence.as_ref().map(Sentence::text);
    let first = |sentence: &Option<Sentence>| {
        sentence.as_ref().and_then(|it| it.figures().into_iter().next().map(str::to_owned))
    };
    Some(json!({
        "thesis": {
            "main_question": story.main_question,
            "core_answer": text(&story.core_answer),
            "confidence": story.confidence,
            "confidence_reasoning": story.confidence_reasoning,
        },
        "narrative_arc": {
            "hook": { "content": text(&story.hook), "data_point": first(&story.hook) },
            "context": {
                "content": memory.context.as_ref().map(crate::report::Context::in_a_line),
                "sections_to_cover": story.section_order,
            },
            "development": { "beats": story.beats },
            "climax": { "content": text(&story.climax), "insight": first(&story.climax) },
            "resolution": { "content": text(&story.core_answer), "action_items": [] },
            "risks": [],
        },
        "themes": story.beats.iter().map(|beat| beat.beat.clone()).collect::<Vec<_>>(),
        "section_order": story.section_order,
        "chart_placements": story.chart_placements,
        "tone_guide": "neutral_business",
        "writing_guidelines": ["the answer first", "every number with its source"],
    }))
}

fn aggregation(memory: &Memory) -> Option<Value> {
    let aggregation = memory.aggregation()?;
    let texts = |sentences: &[Sentence]| sentences.iter().map(Sentence::text).collect::<Vec<_>>();
    let section = |section: &Section| {
        let all: Vec<String> = section.sentences().map(Sentence::text).collect();
        json!({
            "title": section.title,
            "scope_item_id": section.scope_item_id,
            "summary": all.first(),
            "data_highlights": section
                .sentences()
                .flat_map(|sentence| sentence.figures().into_iter().map(str::to_owned).collect::<Vec<_>>())
                .collect::<std::collections::BTreeSet<_>>(),
            "analysis": all.join(" "),
            "key_points": section.passages.iter().map(|passage| json!({
                "question": passage.question,
                "answered": passage.answered,
                "sentences": passage.sentences,
            })).collect::<Vec<_>>(),
            "sentiment": "neutral",
            "chart_ids": section.chart_ids,
            "data_tables": section.data_tables,
        })
    };
    let takeaways = texts(&aggregation.takeaways);
    Some(json!({
        "executive_summary": takeaways.join(" "),
        "key_takeaways": takeaways,
        "key_insights": takeaways,
        "sections": aggregation.sections.iter().map(section).collect::<Vec<_>>(),
        "contradictions_found": aggregation.contradictions.iter().map(|it| it.sentence.text()).collect::<Vec<_>>(),
        "recommendations": aggregation.recommendations.iter().map(|it| json!({
            "action": it.sentence.text(),
            "condition": it.condition,
            "rationale": it.sentence.facts,
        })).collect::<Vec<_>>(),
        "source_quality_summary": format!("{} documents, {} tables", memory.sources.len(),
            memory.context.as_ref().map_or(0, |context| context.profiles.tables.len())),
        "data_freshness": memory.context.iter().flat_map(|context| &context.profiles.tables)
            .filter_map(|table| Some((table.reading.name.clone(), table.time.as_ref()?.to.to_string())))
            .collect::<std::collections::BTreeMap<_, _>>(),
        "metadata": { "by": memory.draft.as_ref().map(|draft| draft.by.clone()), "created_at": memory.order.today },
    }))
}

/// Documents by number, and what each was used for.
fn citations(memory: &Memory) -> Value {
    let facts: Facts<'_> = memory.numbered();
    let used = |key: &str| -> Vec<String> {
        let sentences = memory.aggregation().into_iter().flat_map(crate::report::Aggregation::sentences);
        let cites = |sentence: &&Sentence| {
            sentence.facts.iter().any(|fact| memory.facts.get(fact).is_some_and(|it| it.fact.source == key))
        };
        sentences.filter(cites).map(Sentence::text).collect()
    };
    let all: Vec<Value> = facts
        .sources()
        .iter()
        .enumerate()
        .map(|(at, card)| {
            json!({
                "id": format!("[{}]", at + 1),
                "label": source_label(at + 1),
                "title": card.source.title,
                "url": card.shown,
                "accessed": card.accessed,
                "used_for": used(card.key()),
            })
        })
        .collect();
    json!({ "total": all.len(), "citations": all })
}

fn editor_log(memory: &Memory) -> Option<Value> {
    let edited = memory.edited.as_ref()?;
    Some(json!({
        "checks_performed": edited.checks_performed,
        "changes_made": edited.changes_made,
        "final_status": edited.final_status,
    }))
}

/// The labels of a series, as its file has them.
pub fn labels(series: &baton_figures::Series) -> Vec<String> {
    series.periods.iter().map(|period| label(*period, series.grain)).collect()
}

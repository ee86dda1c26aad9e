//! The report by rules: what each question is answered with, what comes first, what disagrees, what sources advise and
//! define. Nothing is said that was not computed or quoted.

mod sources;

use baton_agents::rules::words::content_stems;
use baton_figures::{Answer, Ask, Figure, FindingKind};

use super::aggregation::{Aggregation, Contradiction, DataTable, Passage, Section, TableCell};
use super::brief::ScopeItem;
use super::facet::{Facet, Shape};
use super::memory::Memory;
use super::naming::{capital, in_period, named, written};
use super::plan::TaskKind;
use super::prose::{Line, Piece, Sentence};
use super::relevance::findings_for;
use super::results::{DocumentCheck, Outcome, TaskResult};
use super::tell::{counted, group_name, measured, tell, tell_along, tell_finding, yes_or_no};

pub use sources::{glossary, quotes_to, recommendations};

/// Takeaways a reader wants before the sections.
const TAKEAWAYS: usize = 6;
/// What is said where nothing answers a question.
pub const UNANSWERED: &str = "Neither the data nor the documents answer this.";

/// What stands before a part of a question that nothing was made of.
const NOT_READ: &str = "Not answered: ";

/// Words of a question that send it to the documents, whatever the data say.
const PAPERS: &[&str] = &[
    "accord",
    "document",
    "paper",
    "review",
    "report",
    "plan",
    "sai",
    "state",
    "why",
    "reason",
    "recommend",
];

/// Whether a question asks what documents say.
#[must_use]
pub fn asks_documents(question: &str) -> bool {
    content_stems(question).iter().any(|stem| PAPERS.contains(&stem.as_str()))
        || question.to_lowercase().contains("why ")
}

/// What is said to the questions of a scope item.
#[must_use]
pub fn section_passages(memory: &Memory, item: &ScopeItem) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    for question in &item.questions {
        let mut sentences: Vec<Sentence> = Vec::new();
        for result in memory.results_to(&item.id, question, TaskKind::Data) {
            for answer in asked(result) {
                push(&mut sentences, told_to(question, answer, result));
            }
        }
        let by_data = !sentences.is_empty();
        let left = super::coverage::left_of(memory, &item.id, question);
        if !by_data || asks_documents(question) || !left.is_empty() {
            push(&mut sentences, quotes_to(memory, &item.id, question));
        }
        let answered = super::coverage::is_answered(memory, &item.id, question);
        if by_data && !left.is_empty() {
            sentences.extend(left.iter().map(|part| Sentence::remark(&format!("{NOT_READ}{part}"))));
        } else if sentences.is_empty() || !answered {
            sentences.insert(0, Sentence::remark(UNANSWERED));
            sentences.truncate(1);
        }
        passages.push(Passage { question: question.clone(), sentences, answered });
    }
    for finding in findings_for(memory, &item.id) {
        let Some(sentence) = tell_finding(finding) else { continue };
        let at = passages.iter().position(|it| suits(&it.question, finding.kind)).unwrap_or(0);
        if let Some(passage) = passages.get_mut(at) {
            if !passage.answered {
                passage.sentences.retain(|sentence| !sentence.remark);
            }
            if is_week(&passage.question, finding) {
                passage.sentences.clear();
            }
            if finding.kind == FindingKind::Outlier {
                passage.sentences.retain(|known| !says_all(&sentence, known));
            }
            push(&mut passage.sentences, vec![sentence]);
        }
    }
    passages
}

/// What an answer says to a question: yes or no where it asks for that, the turning points where it asks for a course.
fn told_to(question: &str, answer: &Answer, result: &TaskResult) -> Vec<Sentence> {
    if let Some(sentence) = yes_or_no(question, answer) {
        return vec![sentence];
    }
    let same = |other: &&Answer| {
        matches!(other.question.ask, Ask::Trend { .. })
            && other.question.ask.columns() == answer.question.ask.columns()
            && other.question.filters == answer.question.filters
    };
    match &answer.question.ask {
        Ask::Change { .. } => tell_along(answer, result.answers.iter().find(same)),
        _ => tell(answer),
    }
}

/// The answers of a task without those that are only there to be drawn.
pub fn asked(result: &TaskResult) -> impl Iterator<Item = &Answer> {
    let drawn = |(at, answer): &(usize, &Answer)| *at > 0 && matches!(answer.question.ask, Ask::Trend { .. });
    result.answers.iter().enumerate().filter(move |it| !drawn(it)).map(|(_, answer)| answer)
}

/// Whether a finding is the very answer to a question about weekdays.
fn is_week(question: &str, finding: &baton_figures::Finding) -> bool {
    let weekly = finding.figures.iter().any(|figure| figure.group.values().any(|it| it == "Monday"));
    finding.kind == FindingKind::Season && weekly && question.to_lowercase().contains("weekday")
}

/// Whether a sentence has every number of another: who reads it needs the other no more.
fn says_all(sentence: &Sentence, other: &Sentence) -> bool {
    let numbers = |sentence: &Sentence| -> Vec<String> {
        let written = sentence.pieces.iter().filter_map(|piece| match piece {
            Piece::Number { text, .. } => Some(text.clone()),
            Piece::Words(_) => None,
        });
        written.collect()
    };
    let own = numbers(sentence);
    let others = numbers(other);
    !others.is_empty() && others.iter().all(|number| own.contains(number))
}

/// Adds what was not said before in the same words.
fn push(sentences: &mut Vec<Sentence>, more: Vec<Sentence>) {
    for sentence in more {
        if !sentences.iter().any(|known| known.text() == sentence.text()) {
            sentences.push(sentence);
        }
    }
}

/// Whether a question is about what a kind of finding says.
fn suits(question: &str, kind: FindingKind) -> bool {
    let stems = content_stems(question);
    let any = |words: &[&str]| stems.iter().any(|stem| words.iter().any(|word| stem.starts_with(word)));
    match kind {
        FindingKind::TrendBreak => any(&["trend", "turn", "break"]),
        FindingKind::Season => any(&["weekdai", "season", "month"]),
        FindingKind::Outlier => any(&["unusu", "outlier", "except", "spike"]),
        FindingKind::ShareFlip => any(&["share", "overtak", "mix"]),
    }
}

/// What stands out most, in a sentence.
#[must_use]
pub fn strongest(memory: &Memory) -> Option<Sentence> {
    let items = memory.brief.iter().flat_map(|brief| &brief.scope_items);
    let own = items.flat_map(|item| findings_for(memory, &item.id));
    let weight = |kind: FindingKind| match kind {
        FindingKind::TrendBreak => 0,
        FindingKind::ShareFlip => 1,
        FindingKind::Outlier => 2,
        FindingKind::Season => 3,
    };
    let best = own.min_by_key(|finding| weight(finding.kind));
    best.and_then(tell_finding)
}

/// The report by rules.
#[must_use]
pub fn aggregate(memory: &Memory) -> Aggregation {
    let brief = memory.brief_or_rules();
    let order: Vec<String> = match &memory.story {
        Some(story) => story.section_order.clone(),
        None => brief.scope_items.iter().map(|item| item.id.clone()).collect(),
    };
    let mut sections = Vec::new();
    for id in &order {
        let Some(item) = brief.scope_items.iter().find(|item| item.id == *id) else { continue };
        sections.push(section(memory, item));
    }
    let contradictions = contradictions(memory);
    let recommendations = recommendations(memory);
    let takeaways = takeaways(memory, &sections, &contradictions);
    let glossary = glossary(memory, &sections);
    Aggregation { takeaways, sections, contradictions, recommendations, glossary, remarks: remarks(memory) }
}

fn section(memory: &Memory, item: &ScopeItem) -> Section {
    let charts = memory.charts().iter().filter(|chart| chart.scope == item.id);
    let answers = item
        .questions
        .iter()
        .flat_map(|question| memory.results_to(&item.id, question, TaskKind::Data))
        .flat_map(|result| &result.answers);
    Section {
        title: item.topic.clone(),
        scope_item_id: item.id.clone(),
        passages: section_passages(memory, item),
        chart_ids: charts.map(|chart| chart.chart.id.clone()).collect(),
        data_tables: answers.filter_map(table).fold(Vec::new(), once_each),
    }
}

/// A ranking and a comparison of the same groups are one table.
fn once_each(mut tables: Vec<DataTable>, table: DataTable) -> Vec<DataTable> {
    let texts = |table: &DataTable| -> Vec<Vec<String>> {
        let row = |row: &Vec<TableCell>| row.iter().map(|cell| cell.text.clone()).collect();
        table.rows.iter().map(row).collect()
    };
    if !tables.iter().any(|known| known.headers == table.headers && texts(known) == texts(&table)) {
        tables.push(table);
    }
    tables
}

/// The groups of a ranking or a comparison as a table; few groups stand in a sentence already.
fn table(answer: &Answer) -> Option<DataTable> {
    let (Ask::Ranking { measure, by, .. }
    | Ask::Comparison { measure, by, .. }
    | Ask::Share { measure, by, .. }) = &answer.question.ask
    else {
        return None;
    };
    let of_groups = |shape: fn(Shape) -> bool| {
        answer.figures.iter().filter(move |it| !it.group.is_empty() && shape(Facet::of(it).shape))
    };
    let shares: Vec<&Figure> = of_groups(|shape| shape == Shape::Share).collect();
    let amounts: Vec<&Figure> = of_groups(|shape| matches!(shape, Shape::Amount(_))).collect();
    let cell = |figure: &Figure| TableCell {
        text: written(figure.value, figure.unit.as_deref()),
        figure: Some(figure.id.clone()),
    };
    // How far the first is ahead of the second is no group of its own, so it is in no row.
    let rows: Vec<Vec<TableCell>> = if shares.is_empty() { &amounts } else { &shares }
        .iter()
        .map(|figure| {
            let text = figure.group.values().cloned().collect::<Vec<_>>().join(", ");
            let mut row = vec![TableCell { text, figure: None }, cell(figure)];
            let whole = amounts.iter().find(|it| !shares.is_empty() && it.group == figure.group);
            row.extend(whole.map(|it| cell(it)));
            row
        })
        .collect();
    let noun = answer.figures.iter().find_map(counted).filter(|_| measure.column.is_none());
    let what = noun.map_or_else(|| measured(measure), |noun| format!("the number of {noun}"));
    let what = capital(&what);
    let mut headers = vec![capital(&named(by)), what.clone()];
    if !shares.is_empty() {
        headers.insert(1, "Share".to_owned());
        if rows.iter().any(|row| row.len() < headers.len()) {
            headers.pop();
        }
    }
    let width = headers.len();
    let time = answer.figures.first().and_then(|figure| figure.period).map(in_period);
    // The two ends of a ranking are two tables.
    let order = if matches!(answer.question.ask, Ask::Ranking { ascending: true, .. }) {
        ", lowest first"
    } else {
        ""
    };
    (rows.len() > 4).then(|| DataTable {
        name: format!(
            "{what} by {}{}{order}",
            named(by),
            time.map(|time| format!(" {time}")).unwrap_or_default()
        ),
        headers,
        rows: rows.into_iter().map(|row| row.into_iter().take(width).collect()).collect(),
    })
}

/// The first sentence of each section, what disagrees, what stands out.
fn takeaways(memory: &Memory, sections: &[Section], contradictions: &[Contradiction]) -> Vec<Sentence> {
    let told = |section: &Section| {
        let is_part = |it: &Sentence| {
            it.pieces.first().is_some_and(|it| matches!(it, Piece::Words(text) if text.starts_with(NOT_READ)))
        };
        let answered = section.passages.iter().filter(|it| it.answered || it.sentences.iter().any(is_part));
        let leads: Vec<&Sentence> =
            answered.filter_map(|it| it.sentences.iter().find(|it| !it.remark)).collect();
        let computed = leads.iter().find(|sentence| !sentence.figures().is_empty());
        computed.or(leads.first()).map(|sentence| (*sentence).clone())
    };
    let mut found: Vec<Sentence> = Vec::new();
    let mut put = |sentence: Sentence| {
        if found.len() < TAKEAWAYS && !found.iter().any(|known| known.text() == sentence.text()) {
            found.push(sentence);
        }
    };
    sections.iter().take(1).filter_map(told).for_each(&mut put);
    strongest(memory).into_iter().for_each(&mut put);
    contradictions.iter().take(1).map(|it| it.sentence.clone()).for_each(&mut put);
    sections.iter().skip(1).filter_map(told).for_each(&mut put);
    for section in sections {
        for finding in findings_for(memory, &section.scope_item_id) {
            tell_finding(finding).into_iter().for_each(&mut put);
        }
    }
    found
}

/// Every number of a document that the data do not have.
#[must_use]
pub fn contradictions(memory: &Memory) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for result in memory.results.values() {
        for check in result.checks.iter().filter(|check| !check.agrees) {
            let Some(sentence) = disagreement(memory, check) else { continue };
            let figure = check.answer.figures.first().map(|it| it.id.clone()).unwrap_or_default();
            if !found.iter().any(|known| known.sentence.text() == sentence.text()) {
                found.push(Contradiction {
                    scope: result.scope.clone(),
                    fact: check.fact.clone(),
                    figure,
                    sentence,
                });
            }
        }
    }
    found
}

fn disagreement(memory: &Memory, check: &DocumentCheck) -> Option<Sentence> {
    let fact = memory.facts.get(&check.fact)?;
    let card = memory.sources.get(&fact.fact.source)?;
    let figure = check.answer.figures.first()?;
    let measure = match &check.answer.question.ask {
        Ask::Total { measure } => measured(measure),
        _ => Facet::of(figure).measures.join(" and "),
    };
    let facet = Facet::of(figure);
    let groups: Vec<String> = facet.groups.iter().map(|(column, value)| group_name(column, value)).collect();
    let whose = if groups.is_empty() { String::new() } else { format!(" for {}", groups.join(" and ")) };
    let when = figure.period.map(|period| format!(" {}", in_period(period))).unwrap_or_default();
    let mut sentence = Line::default()
        .words(&format!(
            "{} gives {} as {measure}{whose}{when}; the data give ",
            card.source.title, check.stated
        ))
        .number(figure)
        .end();
    sentence.facts.push(check.fact.clone());
    Some(sentence)
}

/// What a reader must know about the data: doubts about what was used.
fn remarks(memory: &Memory) -> Vec<Sentence> {
    let used: Vec<(String, Option<String>)> = memory
        .results
        .values()
        .filter(|result| result.status != Outcome::Failed)
        .flat_map(|result| &result.answers)
        .flat_map(|answer| &answer.figures)
        .flat_map(|figure| &figure.cells)
        .map(|cells| (cells.table.clone(), cells.column.clone()))
        .collect();
    let doubts = memory.context.iter().flat_map(|it| &it.profiles.tables).flat_map(|it| &it.doubts);
    // What a correlation does not say stands in its sentence.
    let said = |doubt: &&baton_figures::Doubt| !doubt.text.ends_with("says nothing about causes.");
    let answers = memory.results.values().flat_map(|it| &it.answers).flat_map(|it| &it.doubts).filter(said);
    let mut found: Vec<Sentence> = Vec::new();
    let concerns = |doubt: &&baton_figures::Doubt| {
        doubt.grave || used.iter().any(|(table, column)| *table == doubt.table && *column == doubt.column)
    };
    for doubt in doubts.filter(concerns).chain(answers) {
        let sentence = Sentence::remark(&doubt.text);
        if found.len() < 8 && !found.contains(&sentence) {
            found.push(sentence);
        }
    }
    found.extend(super::gloss::amounts(&memory.order.query).map(|it| Sentence::remark(&it)));
    let indicators = super::brief::refused_indicators(&memory.order.query);
    if !indicators.is_empty() {
        found.push(Sentence::remark(&format!("{} {}.", indicators.join(", "), super::brief::LEFT_OUT)));
    }
    let refused = memory.context.iter().flat_map(|it| &it.profiles.refused);
    found.extend(refused.map(|it| {
        Sentence::remark(&format!("{} was not read: {}", super::context::file_name(&it.file), it.reason))
    }));
    found
}

//! Which of the things the tables say unasked belong to a report: those about a column that somebody asked about.

use std::collections::BTreeSet;

use baton_agents::rules::words::content_stems;
use baton_figures::{Finding, FindingKind, Question};

use super::memory::Memory;
use super::naming::named;
use super::tell::measure_of;

/// Findings that one section takes.
const PER_SECTION: usize = 3;

/// Words of a question that ask for a kind of finding.
const ASKS: &[(FindingKind, &[&str])] = &[
    (
        FindingKind::TrendBreak,
        &["trend", "chang", "break", "turn", "develop", "grow", "fall", "drop", "declin"],
    ),
    (FindingKind::Season, &["weekdai", "season", "month", "week", "dai"]),
    (FindingKind::Outlier, &["unusu", "outlier", "except", "extrem", "anomali", "spike", "strang"]),
    (FindingKind::ShareFlip, &["share", "overtak", "chang", "mix", "shift"]),
];

/// How well a finding fits a section; none if it does not.
fn fit(memory: &Memory, scope: &str, finding: &Finding) -> Option<u32> {
    let item = memory.brief.as_ref()?.scope_items.iter().find(|item| item.id == scope)?;
    let stems = content_stems(&format!("{} {}", item.topic, item.questions.join(" ")));
    let measure = measure_of(finding);
    let column = content_stems(&named(measure));
    let asked: Vec<&Question> = memory
        .results
        .values()
        .filter(|result| result.scope == scope)
        .flat_map(|result| result.answers.iter().map(|answer| &answer.question))
        .collect();
    let measures = asked.iter().any(|question| {
        let columns = question.ask.columns();
        columns.iter().any(|own| own == measure) && question.table == finding.table
    });
    let named_here = !column.is_empty() && column.iter().all(|stem| stems.contains(stem));
    if !measures && !named_here {
        return None;
    }
    let group = finding.group.as_deref().map(|group| group.split(": ").next().unwrap_or(group).to_owned());
    let group_asked = match &group {
        None => true,
        Some(column) => {
            let own = content_stems(&named(column));
            asked.iter().any(|question| {
                question.ask.by().is_some_and(|by| by == column || by.ends_with(&format!(".{column}")))
                    || question.filters.iter().any(|filter| filter.column == *column)
            }) || own.iter().any(|stem| stems.contains(stem))
        }
    };
    let words = ASKS.iter().find(|(kind, _)| *kind == finding.kind).map_or(&[][..], |(_, words)| *words);
    let kind_asked = stems.iter().any(|stem| words.iter().any(|word| stem.starts_with(word)));
    let of_its_own = kind_asked && finding.kind == FindingKind::Outlier;
    if !group_asked && !of_its_own {
        return None;
    }
    match (kind_asked, finding.group.is_none()) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        // What breaks or flips matters to whoever asks about the column at all.
        (false, true) if finding.kind == FindingKind::TrendBreak => Some(2),
        (false, _) => None,
    }
}

/// The findings of a section, the best first: each stands where it fits best, and only there.
#[must_use]
pub fn findings_for<'m>(memory: &'m Memory, scope: &str) -> Vec<&'m Finding> {
    let items: Vec<&str> =
        memory.brief.iter().flat_map(|brief| &brief.scope_items).map(|item| item.id.as_str()).collect();
    let mut own: Vec<(u32, usize, &Finding)> = Vec::new();
    for (at, finding) in memory.findings().enumerate() {
        let best = items
            .iter()
            .enumerate()
            .filter_map(|(place, item)| fit(memory, item, finding).map(|fit| (fit, place)))
            .min();
        if let Some((fit, place)) = best
            && items.get(place) == Some(&scope)
        {
            own.push((fit, at, finding));
        }
    }
    own.sort_by_key(|(fit, at, _)| (*fit, *at));
    let mut seen = BTreeSet::new();
    own.retain(|(_, _, finding)| {
        seen.insert((finding.kind, finding.measure.clone(), finding.at.map(|at| at.from)))
    });
    own.into_iter().take(PER_SECTION).map(|(_, _, finding)| finding).collect()
}

//! method.md: how the report came about; phases, coverage, who wrote what, what was assumed and what was left out.

use std::fmt::Write;

use baton_agents::skill::Answerer;
use baton_engine::View;
use baton_engine::history::EntryBody;
use baton_machine::Word;

use crate::markup::{count, marked};
use crate::report::{Memory, Report};

/// The file.
pub fn render(view: &View<'_, Report>) -> String {
    let memory = view.memory;
    let brief = memory.brief_or_rules();
    // Writing to a String cannot fail, here and below.
    let mut text = format!("# How this report came about\n\n{}\n\n## Phases\n\n", marked(&brief.title));
    for entry in view.history() {
        if let EntryBody::Transition(moved) = entry.body
            && moved.from != moved.to
        {
            let _ = writeln!(text, "- {} → {}", moved.from.name(), moved.to.name());
        }
    }
    let _ = writeln!(text, "\nDepth: {}", brief.preferences.depth.name());
    for reason in &brief.reasoning {
        let _ = writeln!(
            text,
            "- {} {}: {}",
            marked(&reason.question),
            marked(&reason.answer),
            marked(&reason.why)
        );
    }
    text.push_str("\n## Coverage\n\n");
    for review in &memory.reviews {
        let coverage = &review.coverage;
        let _ = writeln!(
            text,
            "- round {}: {:.0} % of {} % wanted; {}",
            coverage.iteration,
            coverage.overall_coverage,
            coverage.target,
            marked(&coverage.reason)
        );
    }
    for question in memory.open_questions() {
        let _ = writeln!(text, "- open: {}", marked(&question));
    }
    for result in memory.results.values().filter(|result| !result.errors.is_empty()) {
        for error in result.errors.iter().filter(|error| !error.is_empty()) {
            let _ = writeln!(text, "- {} ({}): {}", result.id, marked(&result.question), marked(error));
        }
    }
    text.push_str("\n## Who wrote what\n\n");
    let by = |answerer: &Answerer| match answerer {
        Answerer::Rules => "rules".to_owned(),
        other => format!("{other:?}"),
    };
    if let Some(draft) = &memory.draft {
        let _ = writeln!(text, "- sections: {}", marked(&by(&draft.by)));
    }
    if let Some(edited) = &memory.edited {
        let _ = writeln!(text, "- editing: {}", marked(&by(&edited.by)));
        for check in &edited.checks_performed {
            let _ = writeln!(text, "  - {}", marked(check));
        }
        for change in &edited.changes_made {
            let _ = writeln!(
                text,
                "  - {} in {}: {}",
                change.kind,
                marked(&change.location),
                marked(&change.reason)
            );
        }
    }
    let dropped = memory.dropped();
    let _ = writeln!(text, "- {} of models not let through", count(dropped.len(), "sentence"));
    if let Some(finished) = &memory.finished {
        let shown = memory.shown_figures().len();
        let _ =
            writeln!(text, "- {} of {} computed again and equal", finished.verified, count(shown, "figure"));
        for differing in &finished.differing {
            let _ = writeln!(text, "  - {}", marked(differing));
        }
    }
    tables(memory, &mut text);
    let first_look = memory.context.iter().flat_map(|context| &context.notes);
    let notes: Vec<&String> = first_look.chain(&memory.notes).collect();
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        for note in notes {
            let _ = writeln!(text, "- {}", marked(note));
        }
    }
    text
}

/// The tables, how they were read, and every doubt.
fn tables(memory: &Memory, text: &mut String) {
    let Some(context) = &memory.context else { return };
    if context.profiles.tables.is_empty() && context.profiles.refused.is_empty() {
        return;
    }
    text.push_str("\n## Data\n\n");
    for table in &context.profiles.tables {
        let file = crate::report::context::file_name(&table.reading.file);
        let rows = usize::try_from(table.rows).unwrap_or(usize::MAX);
        let _ = writeln!(
            text,
            "- {}: {} ({}, {}), SHA-256 {}",
            marked(&table.reading.name),
            marked(&file),
            count(rows, "row"),
            count(table.columns.len(), "column"),
            context.hashes.get(&table.reading.file).map_or("not taken, the file is large", String::as_str)
        );
        for doubt in &table.doubts {
            let _ = writeln!(text, "  - {}", marked(&doubt.text));
        }
    }
    for refused in &context.profiles.refused {
        let file = crate::report::context::file_name(&refused.file);
        let _ = writeln!(text, "- {} was not read: {}", marked(&file), marked(&refused.reason));
    }
    text.push_str(
        "\nWhat was assumed stands in results/tables.toml. Correct it and pass it back with --tables.\n",
    );
}

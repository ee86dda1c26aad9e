//! The last words about a report that rests: the answer first, then where it is and what it rests on.

use std::path::PathBuf;

use baton_machine::Outcome;
use baton_workflows::report::{Format, Memory, PROMISE, Report};
use serde::Serialize;

use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::presenter::Closing;
use crate::program::Program;
use crate::standing::Standing;
use crate::text::count;
use crate::trouble::Trouble;

/// The figures of a report, by the names programs know.
#[derive(Debug, Serialize)]
struct Numbers {
    /// How it ended: `completed`, `partial` or `no_evidence`.
    outcome: &'static str,
    /// Where the report is; none if there is none.
    report: Option<PathBuf>,
    /// Where it stands for paper; none if that was not asked for, or could not be printed.
    pdf: Option<PathBuf>,
    /// Where the workbook is; none if it was not asked for.
    workbook: Option<PathBuf>,
    charts: usize,
    figures: usize,
    figures_verified: usize,
    /// Per cent of the questions that are answered.
    coverage: f64,
    coverage_target: u32,
    open_questions: Vec<String>,
    depth: &'static str,
    sources: usize,
    conflicts: usize,
    sentences_dropped: usize,
    cost_usd: f64,
    /// The signal of the seed; none before there is a report.
    promise: Option<&'static str>,
}

#[derive(Serialize)]
struct Both<'a> {
    #[serde(flatten)]
    detail: &'a Detail,
    #[serde(flatten)]
    numbers: &'a Numbers,
}

/// The last words about a run; none if it is no report, or is not over.
pub fn closing(program: &Program, detail: &Detail) -> Result<Option<Closing>, Trouble> {
    let memory = detail.present.as_ref().and_then(|present| present.memory_of::<Report>());
    let (Standing::Finished(outcome), Some(memory)) = (detail.run.standing, memory) else { return Ok(None) };
    let numbers = numbers(detail, &memory, outcome);
    let value = serde_json::to_value(Both { detail, numbers: &numbers })
        .map_err(|error| Trouble::Print(error.into()))?;
    let exit = (outcome == Outcome::Completed && memory.falls_short()).then_some(Exit::Partial);
    Ok(Some(Closing { value, page: page(program, detail, &memory, &numbers), exit }))
}

fn numbers(detail: &Detail, memory: &Memory, outcome: Outcome) -> Numbers {
    let is_done = outcome == Outcome::Completed;
    let shown = memory.shown_figures();
    let output = |name: &str| detail.folder.join("output").join(name);
    Numbers {
        outcome: match outcome {
            Outcome::Completed if memory.falls_short() => "partial",
            Outcome::Completed => "completed",
            _ => "no_evidence",
        },
        report: is_done.then(|| output("report.html")),
        pdf: memory.finished.as_ref().and_then(|it| it.pdf.as_ref()).map(|_| output("report.pdf")),
        workbook: (is_done && memory.is_written_as(Format::Xlsx)).then(|| output("data_pack.xlsx")),
        charts: memory.charts().len(),
        figures: shown.len(),
        figures_verified: memory.verified_figures(),
        coverage: memory.coverage_now(),
        coverage_target: memory.order.coverage_target,
        open_questions: memory.open_questions(),
        depth: memory.depth().name(),
        sources: memory.sources.len(),
        conflicts: memory.conflicts().len(),
        sentences_dropped: memory.dropped().len(),
        cost_usd: detail.run.spent.usd,
        promise: is_done.then_some(PROMISE),
    }
}

fn page(program: &Program, detail: &Detail, memory: &Memory, numbers: &Numbers) -> Page {
    let mut page = Page::default();
    let Some(report) = &numbers.report else {
        let why = memory.why_nothing().unwrap_or_else(|| "nothing was found".to_owned());
        page.line([inked(Ink::Bad, format!("No report: {}.", why.trim_end_matches('.')))]);
        page.field("spent", plain(format!("{}, {}", detail.spent(), detail.took())));
        page.line([inked(Ink::Faint, "Next:")]);
        page.text("  name other data with --data, or other documents with --docs");
        page.command(&program.command(&format!("log {}", detail.run.run)));
        return page;
    };
    for takeaway in memory.takeaways().iter().take(5) {
        page.text(format!("- {takeaway}"));
    }
    page.text("");
    page.field("report", plain(report.display().to_string()));
    for (name, file) in [("pdf", &numbers.pdf), ("workbook", &numbers.workbook)] {
        if let Some(file) = file {
            page.field(name, plain(file.display().to_string()));
        }
    }
    if let Some(why) = memory.why_no_pdf() {
        page.field("pdf", inked(Ink::Warn, format!("not written: {why}")));
    }
    let drawn = count(numbers.charts, "chart");
    let computed = format!(
        "{drawn}, {}, {} computed again and equal",
        count(numbers.figures, "figure"),
        numbers.figures_verified
    );
    page.field("holds", plain(computed));
    let ink = if memory.falls_short() { Ink::Warn } else { Ink::Good };
    let target = numbers.coverage_target;
    let covered = format!("{:.0} % of the questions answered, {target} % wanted", numbers.coverage);
    page.field("coverage", inked(ink, covered));
    for question in numbers.open_questions.iter().take(5) {
        page.field("open", inked(Ink::Warn, question));
    }
    for conflict in memory.conflicts().iter().take(3) {
        page.field("conflict", inked(Ink::Warn, conflict));
    }
    page.field("spent", plain(format!("{}, {}", detail.spent(), detail.took())));
    page.line([inked(Ink::Faint, "How it came about:")]);
    page.text(format!("  {}", detail.folder.join("output").join("method.md").display()));
    page.text(PROMISE);
    page
}

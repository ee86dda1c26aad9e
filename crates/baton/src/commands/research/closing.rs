//! The last words about a research run that rests: the answer's first lines and where the report is, or why there
//! is none.

use baton_agents::evidence::Conflict;
use baton_engine::Runs;
use baton_engine::flow::Present;
use baton_machine::Outcome;
use baton_workflows::citation::{Facts, Line};
use baton_workflows::research::{
    AnswerBlock, Dispute, Memory, Plan, Report, Research, nearest_in, unanswered,
};
use serde::Serialize;
use serde_json::Value;

use super::figures::{Figures, cited, near};
use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::presenter::Closing;
use crate::program::Program;
use crate::standing::Standing;
use crate::text::{count, quoted};
use crate::trouble::Trouble;

/// Sentences that are printed of the answer of an earlier version; the report has them all.
const SENTENCES: usize = 8;

/// The last words about a run; none if it is no research.
pub fn closing(
    program: &Program,
    runs: &dyn Runs,
    detail: &Detail,
    present: &Present,
) -> Result<Option<Closing>, Trouble> {
    let Some(memory) = present.memory_of::<Research>() else { return Ok(None) };
    let figures = Figures::of(program, detail, &present.files(runs), &memory)?;
    let completed = detail.run.standing == Standing::Finished(Outcome::Completed);
    Ok(Some(Closing {
        page: page(program, detail, &memory, &figures),
        value: value(detail, &figures)?,
        exit: (completed && is_partial(&memory)).then_some(Exit::Partial),
    }))
}

/// Whether a limit was reached, or a part of the question has no answer.
fn is_partial(memory: &Memory) -> bool {
    !memory.limits.is_empty() || memory.report.as_ref().is_some_and(|report| report.gaps().next().is_some())
}

/// One object: what every run says of itself, and the figures.
fn value(detail: &Detail, figures: &Figures) -> Result<Value, Trouble> {
    #[derive(Serialize)]
    struct Both<'a> {
        #[serde(flatten)]
        detail: &'a Detail,
        #[serde(flatten)]
        figures: &'a Figures,
    }
    serde_json::to_value(Both { detail, figures }).map_err(|error| Trouble::Print(error.into()))
}

fn page(program: &Program, detail: &Detail, memory: &Memory, figures: &Figures) -> Page {
    match (detail.run.standing, &memory.report, awaited(detail, memory)) {
        (Standing::Finished(Outcome::Completed), Some(report), _) => {
            let mut page = answer(memory, report);
            add_figures(program, detail, memory, figures, &mut page);
            page
        }
        (Standing::Finished(Outcome::NoEvidence), Some(report), _) => {
            let mut page = answer(memory, report);
            add_tried(detail, memory, &mut page);
            add_report(figures, &mut page);
            page
        }
        (Standing::Finished(Outcome::NoEvidence), None, _) => nothing(detail, memory),
        (_, _, Some((key, plan))) => {
            let mut page = plan_page(memory, plan);
            add_choices(program, detail, &key, &mut page);
            page
        }
        _ => detail.closing(),
    }
}

/// What was found, with citations, and a word about conflicts; for a part without an answer what comes nearest.
fn answer(memory: &Memory, report: &Report) -> Page {
    let facts = memory.facts_and_nearest();
    let told = memory.told_disputes(&facts);
    let mut page = Page::default();
    for gap in unanswered(memory, report) {
        page.paragraph(inked(Ink::Warn, gap));
    }
    let has_words = |block: &&AnswerBlock| !block.lines.is_empty() || block.nearest.is_some();
    for block in report.blocks.iter().filter(has_words) {
        if report.blocks.len() > 1 {
            page.line([inked(Ink::Good, memory.label(block.dimension))]);
        }
        if let Some((line, fact)) = near(&facts, block) {
            page.paragraph(inked(Ink::Warn, nearest_in(fact)));
            add_lines(&facts, std::slice::from_ref(line), &mut page);
        }
        add_lines(&facts, &block.lines, &mut page);
        for dispute in told.iter().filter(|dispute| block.disputes.contains(&dispute.key)) {
            page.paragraph(inked(Ink::Warn, disagreement(dispute, &facts)));
        }
        page.text("");
    }
    if report.blocks.is_empty() {
        // A report of an earlier version.
        add_lines(&facts, &report.answer[..report.answer.len().min(SENTENCES)], &mut page);
        if report.answer.len() > SENTENCES {
            page.line([inked(Ink::Faint, "…")]);
        }
        for dispute in &told {
            page.paragraph(inked(Ink::Warn, disagreement(dispute, &facts)));
        }
        page.text("");
    }
    page
}

fn add_lines(facts: &Facts<'_>, lines: &[Line], page: &mut Page) {
    for line in lines {
        let labels: String = cited(facts, line).iter().map(|label| format!("[{label}]")).collect();
        page.paragraph(plain(format!("{} {labels}", line.text)));
    }
}

fn disagreement(dispute: &Dispute, facts: &Facts<'_>) -> String {
    let label =
        |key: &str| facts.fact(key).map_or(String::new(), |fact| format!("[{}]", fact.source_label()));
    let Conflict { left, right, explanation, .. } = &dispute.conflict;
    format!("Sources disagree: {explanation} {}{}", label(left), label(right))
}

fn add_report(figures: &Figures, page: &mut Page) {
    if let Some(report) = &figures.report {
        page.field("report", plain(report.display().to_string()));
    }
}

fn add_figures(program: &Program, detail: &Detail, memory: &Memory, figures: &Figures, page: &mut Page) {
    add_report(figures, page);
    let found = format!(
        "{} from {}, {}",
        count(figures.facts, "fact"),
        count(figures.sources, "source"),
        count(figures.conflicts, "conflict")
    );
    page.field("found", plain(found));
    let checked =
        format!("{} of {} verified", figures.citations_verified, count(figures.citations, "citation"));
    let dropped = match figures.sentences_dropped {
        0 => String::new(),
        some => format!(", {} dropped", count(some, "sentence")),
    };
    let ink = if figures.citations_verified == figures.citations { Ink::Plain } else { Ink::Bad };
    page.field("checked", inked(ink, format!("{checked}{dropped}")));
    let tasks = count(figures.iterations as usize, "task");
    page.field("spent", plain(format!("{}, {tasks}, {}", detail.spent(), detail.took())));
    for limit in &memory.limits {
        page.field("partial", inked(Ink::Warn, limit));
    }
    if figures.parts_missing > 0 {
        let parts = format!("{} of {} not answered", figures.parts_missing, count(figures.parts, "part"));
        page.field("partial", inked(Ink::Warn, parts));
    }
    page.line([inked(Ink::Faint, "Next:")]);
    page.command(&program.command(&format!("verify {}", detail.run.run)));
}

/// No report: what was tried.
fn nothing(detail: &Detail, memory: &Memory) -> Page {
    let mut page = Page::default();
    let words = "No evidence: nothing that was found addresses the question, so no report was written.";
    page.line([inked(Ink::Warn, words)]);
    add_tried(detail, memory, &mut page);
    page
}

fn add_tried(detail: &Detail, memory: &Memory, page: &mut Page) {
    for tried in &memory.tried {
        page.text(format!("  tried {tried}"));
    }
    let run = &detail.run.run;
    page.text(format!("run {run} is finished: no_evidence in {} after {}", detail.run.state, detail.took()));
}

/// The plan that waits for a yes, and the key of its question.
fn awaited<'a>(detail: &Detail, memory: &'a Memory) -> Option<(String, &'a Plan)> {
    if detail.run.standing != Standing::Waiting {
        return None;
    }
    let key = &detail.questions.iter().find(|question| question.key.contains("/approve-"))?.key;
    Some((key.clone(), memory.plan.as_ref()?))
}

/// A plan for a person to judge.
pub fn plan_page(memory: &Memory, plan: &Plan) -> Page {
    let mut page = Page::default();
    page.line([plain(format!("Plan {} for: {}", plan.revision, plan.core_question))]);
    if plan.revision > 1 && !memory.drafted.is_empty() {
        page.paragraph(inked(Ink::Warn, format!("  {}", memory.drafted)));
    }
    for (number, dimension) in (1..).zip(&plan.dimensions) {
        let question = if dimension.question == plan.core_question || dimension.question == dimension.name {
            String::new()
        } else {
            format!(": {}", dimension.question)
        };
        page.text(format!("  {number}. {}{question}", dimension.name));
    }
    for duty in &plan.tasks {
        let done = if plan.done.contains(&duty.id) { " (done)" } else { "" };
        let after: Vec<&str> = duty.depends_on.iter().map(|id| id.0.as_str()).collect();
        let after = if after.is_empty() { String::new() } else { format!(", after {}", after.join(" ")) };
        page.line([inked(Ink::Faint, format!("  {}  {}{after}{done}", duty.id, duty.description))]);
    }
    for exclusion in &plan.exclusions {
        page.text(format!("  left out: {exclusion}"));
    }
    let models = if memory.brief.roles.ask_models() { "models may be asked" } else { "no model is asked" };
    let estimate = format!(
        "{} of at most {}, drafted by {}; {models}",
        count(plan.estimate(), "task"),
        memory.brief.max_iterations,
        plan.by
    );
    page.text(format!("  {estimate}"));
    page
}

fn add_choices(program: &Program, detail: &Detail, key: &str, page: &mut Page) {
    page.line([inked(Ink::Warn, format!("run {} waits for your yes. Type one of:", detail.run.run))]);
    for answer in ["yes", "abort", "what to change, in a sentence"] {
        let words = format!("answer {} {} {}", detail.run.run, quoted(key), quoted(answer));
        page.command(&program.command(&words));
    }
}

//! report.md. The answer comes first; every sentence is followed by its citations, so that
//! [`super::verified`] can read it back.

use std::fmt::Write;

use baton_agents::evidence::Authority;
use baton_agents::search::Location;

use super::limits::limits;
use super::page::{Page, Said};
use super::text::{address, link, marked, plain, quoted};
use crate::research::SourceCard;
use crate::research::graph::source_label;

/// The headings whose every sentence must be cited.
pub const CLAIMING: [&str; 2] = ["## Answer", "## Findings"];
/// The heading behind which nothing is claimed.
pub const REFERENCES: &str = "## References";

/// The report.
pub fn render(page: &Page<'_, '_>) -> String {
    let memory = page.memory;
    let core = memory.plan.as_ref().map_or(&memory.brief.topic, |plan| &plan.core_question);
    // Writing to a String cannot fail, here and below.
    let mut text = format!(
        "---\ntitle: {}\ngenerated: {}\ncore_question: {}\nconfidence: {}\nsources_count: {}\nfacts_count: {}\n---\n\n\
         # {}\n\n{}\n\n",
        quoted(&memory.brief.topic),
        quoted(&memory.brief.today),
        quoted(core),
        page.confidence().name(),
        page.graph.sources().len(),
        page.graph.facts().len(),
        marked(&memory.brief.topic),
        CLAIMING[0],
    );
    said(&mut text, &page.answer, page.report.by == "rules");
    if !page.sections.is_empty() {
        let _ = writeln!(text, "{}\n", CLAIMING[1]);
    }
    for (name, lines) in &page.sections {
        let _ = write!(text, "### {}\n\n", marked(name));
        said(&mut text, lines, true);
    }
    disputed(&mut text, page);
    replaced(&mut text, page);
    text.push_str("## Limits\n\n");
    for limit in limits(page) {
        let _ = writeln!(text, "- {}", marked(&limit));
    }
    let _ = write!(text, "\n{REFERENCES}\n\n");
    for (index, card) in page.graph.sources().iter().enumerate() {
        let _ = writeln!(text, "- [{}] {}", source_label(index + 1), reference(card));
    }
    text
}

/// Sentences with their citations: prose as a paragraph, quotes set side by side as a list.
fn said(text: &mut String, lines: &[Said<'_, '_>], as_list: bool) {
    for (at, line) in lines.iter().enumerate() {
        let between = if as_list {
            "- "
        } else if at > 0 {
            " "
        } else {
            ""
        };
        let _ = write!(text, "{between}{} {}", marked(&line.text), line.citations());
        if as_list {
            text.push('\n');
        }
    }
    text.push_str(if as_list || lines.is_empty() { "\n" } else { "\n\n" });
}

fn quote(text: &mut String, side: &Said<'_, '_>) {
    let Some(fact) = side.facts.first() else { return };
    let date = fact.card.source.date.as_deref().unwrap_or("no date");
    let page = fact.finding.page.map(|page| format!(", page {page}")).unwrap_or_default();
    let _ = write!(
        text,
        "*{}* ({}{page}; weight {:.2}):\n\n> {} {}\n\n",
        marked(&fact.card.source.title),
        marked(date),
        fact.weight,
        marked(&side.text),
        side.citations(),
    );
}

fn disputed(text: &mut String, page: &Page<'_, '_>) {
    if page.disputed.is_empty() {
        return;
    }
    text.push_str("## Conflicting information\n\n");
    for (at, disputed) in page.disputed.iter().enumerate() {
        let _ = write!(text, "### Conflict {}: {}\n\n", at + 1, marked(&disputed.what));
        for side in &disputed.sides {
            quote(text, side);
        }
        match &disputed.verdict {
            Some(verdict) => {
                let _ = write!(text, "Weighed by {}.\n\n", marked(verdict.trim_end_matches('.')));
            }
            None => text.push_str("Nobody weighed the two sides.\n\n"),
        }
    }
}

fn replaced(text: &mut String, page: &Page<'_, '_>) {
    if page.replaced.is_empty() {
        return;
    }
    text.push_str("## Superseded\n\n");
    for replaced in &page.replaced {
        let Some(card) = page.graph.sources().get(replaced.source.saturating_sub(1)) else { continue };
        let _ = write!(
            text,
            "### {}\n\nA later document says it replaces {}; it is not used as current. It said:\n\n",
            marked(&card.source.title),
            source_label(replaced.source),
        );
        for said in &replaced.said {
            quote(text, said);
        }
        if !replaced.now.is_empty() {
            text.push_str("What says so now:\n\n");
        }
        for said in &replaced.now {
            quote(text, said);
        }
    }
}

/// One entry of the references.
fn reference(card: &SourceCard) -> String {
    let target = match &card.source.location {
        Location::Url(url) => address(url),
        Location::Path(_) => Some(link(&card.copy())),
    };
    let title = marked(&card.source.title);
    let title = target.map_or_else(|| title.clone(), |target| format!("[{title}]({target})"));
    let mut parts = vec![title];
    parts.extend(card.author.as_deref().map(marked));
    parts.push(marked(card.source.date.as_deref().unwrap_or("no date")));
    parts.push(marked(&card.shown));
    if !card.references.is_empty() {
        parts.push(format!("found by {}", marked(&card.found_by().join(", "))));
    }
    parts.push(format!("accessed {}", marked(&card.accessed)));
    let copy = card.copy();
    parts.push(format!("local copy [{}]({})", marked(&copy), link(&copy)));
    parts.push(format!("authority {} {:.1}", authority(card.authority()), card.authority().value()));
    if card.replaced {
        parts.push("replaced by a later document".to_owned());
    }
    format!("{}.", parts.join(", "))
}

/// What kind of source it is, in a word.
pub fn authority(authority: Authority) -> &'static str {
    match authority {
        Authority::Official => "official",
        Authority::Journal => "journal",
        Authority::Industry => "industry",
        Authority::News => "news",
        Authority::Blog => "other",
    }
}

/// The words a paragraph of the report shows, for comparing.
pub fn shown(markdown: &str) -> String {
    plain(&super::text::unmarked(markdown))
}

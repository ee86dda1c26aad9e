//! report.md. Every sentence is followed by its citations, so that [`super::verification`] can read it back.

use std::fmt::Write;

use super::facts::source_label;
use super::reference;
use crate::citation::report::{Block, CitedReport, Setting, Statement, excerpts};
use crate::markup::{link, marked, plain, unmarked};
use crate::retrieval::SourceCard;

/// The heading behind which nothing is claimed.
pub const REFERENCES: &str = "## References";

/// The report.
#[must_use]
pub fn render(report: &CitedReport<'_>) -> String {
    let mut text = "---\n".to_owned();
    for (key, value) in &report.front {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "{key}: {value}");
    }
    let _ = write!(text, "---\n\n# {}\n\n", marked(&report.title));
    text.extend(report.blocks.iter().map(rendered));
    let _ = write!(text, "{REFERENCES}\n\n");
    for number in report.cited() {
        let Some(card) = report.facts.source(number) else { continue };
        let _ = writeln!(text, "- [{}] {}", source_label(number), reference(card));
    }
    text
}

fn rendered(block: &Block<'_>) -> String {
    let items = |lines: &[String]| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
    match block {
        Block::Heading(level, name) => format!("{} {}\n\n", "#".repeat(usize::from(*level)), marked(name)),
        Block::Note(note) => format!("{}\n\n", marked(note)),
        Block::Notes(notes) => {
            format!("{}\n", items(&notes.iter().map(|note| marked(note)).collect::<Vec<_>>()))
        }
        Block::Quote(quote) => quoted(quote),
        Block::Nearest(quote) => format!("> {}\n\n", cited(quote)),
        Block::Claims(setting, lines) => {
            let bold = |line: &Statement<'_>| format!("**{}** {}", marked(&line.text), line.citations());
            let excerpts = || excerpts(lines, bold, cited);
            let all = || -> Vec<String> { lines.iter().map(cited).collect() };
            match setting {
                Setting::Excerpts => format!("{}\n", items(&excerpts())),
                Setting::List => format!("{}\n", items(&all())),
                Setting::Prose if lines.is_empty() => "\n".to_owned(),
                Setting::Prose => format!("{}\n\n", all().join(" ")),
            }
        }
    }
}

fn cited(line: &Statement<'_>) -> String {
    format!("{} {}", marked(&line.text), line.citations())
}

fn quoted(quote: &Statement<'_>) -> String {
    let Some(fact) = quote.facts.first() else { return String::new() };
    let date = fact.card.source.date.as_deref().unwrap_or("no date");
    let page = fact.found.page.map(|page| format!(", page {page}")).unwrap_or_default();
    format!(
        "*{}* ({}{page}; weight {:.2}):\n\n> {}\n\n",
        marked(&fact.card.source.title),
        marked(date),
        fact.weight,
        cited(quote),
    )
}

/// One entry of the references.
fn reference(card: &SourceCard) -> String {
    let title = marked(&card.source.title);
    let title =
        reference::target(card).map_or_else(|| title.clone(), |target| format!("[{title}]({target})"));
    let copy = card.copy();
    let copy = format!("[{}]({})", marked(&copy), link(&copy));
    format!("{title}, {}.", reference::details(card, marked, &copy).join(", "))
}

/// The words a paragraph of the report shows, for comparing.
pub fn shown(markdown: &str) -> String {
    let words = markdown.trim();
    let bare = words.strip_prefix("**").and_then(|bold| bold.strip_suffix("**")).unwrap_or(words);
    plain(&unmarked(bare))
}

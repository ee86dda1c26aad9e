//! report.md. Every sentence is followed by its citations, so that [`super::verification`] can read it back.

use std::fmt::Write;

use baton_agents::evidence::Authority;
use baton_agents::search::Location;

use super::facts::source_label;
use super::report::{Block, CitedReport, Setting, Statement};
use crate::markup::{address, link, marked, plain, unmarked};
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
    for block in &report.blocks {
        render_block(&mut text, block);
    }
    let _ = write!(text, "{REFERENCES}\n\n");
    for (index, card) in report.facts.sources().iter().enumerate() {
        let _ = writeln!(text, "- [{}] {}", source_label(index + 1), reference(card));
    }
    text
}

fn render_block(text: &mut String, block: &Block<'_>) {
    let _ = match block {
        Block::Heading(level, name) => {
            write!(text, "{} {}\n\n", "#".repeat(usize::from(*level)), marked(name))
        }
        Block::Note(note) => write!(text, "{}\n\n", marked(note)),
        Block::Notes(notes) => {
            let lines: Vec<String> = notes.iter().map(|note| format!("- {}\n", marked(note))).collect();
            writeln!(text, "{}", lines.concat())
        }
        Block::Quote(quote) => {
            text.push_str(&quoted(quote));
            Ok(())
        }
        Block::Claims(setting, lines) => {
            claims(text, lines, *setting);
            Ok(())
        }
    };
}

fn claims(text: &mut String, lines: &[Statement<'_>], setting: Setting) {
    let line = |line: &Statement<'_>| format!("{} {}", marked(&line.text), line.citations());
    let lines: Vec<String> = lines.iter().map(line).collect();
    match setting {
        Setting::List => text.extend(lines.iter().map(|line| format!("- {line}\n"))),
        Setting::Prose if lines.is_empty() => {}
        Setting::Prose => {
            text.push_str(&lines.join(" "));
            text.push('\n');
        }
    }
    text.push('\n');
}

fn quoted(quote: &Statement<'_>) -> String {
    let Some(fact) = quote.facts.first() else { return String::new() };
    let date = fact.card.source.date.as_deref().unwrap_or("no date");
    let page = fact.found.page.map(|page| format!(", page {page}")).unwrap_or_default();
    format!(
        "*{}* ({}{page}; weight {:.2}):\n\n> {} {}\n\n",
        marked(&fact.card.source.title),
        marked(date),
        fact.weight,
        marked(&quote.text),
        quote.citations(),
    )
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
    plain(&unmarked(markdown))
}

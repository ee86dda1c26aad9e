//! article.html: the article in one file that loads nothing and runs nothing. A citation opens the words it rests on.

use std::fmt::Write;

use super::article_md::{caption, list_name};
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::draft::{CONCLUSION, Sentence, Table};
use crate::article::score::MarkdownText;
use crate::citation::Facts;
use crate::markup::html::escaped;
use crate::markup::{self, hypertext, unmarked};

/// The page; none before there is an article.
#[must_use]
pub fn render(memory: &Memory, facts: &Facts<'_>) -> Option<String> {
    let draft = memory.draft()?;
    let style = memory.assignment.brief.citation_style;
    let references = References::of(&draft, facts, style);
    let words = MarkdownText::parse(&super::article_text(memory)?).words();
    let minutes = words.div_ceil(240).max(1);
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"about\">{} · {words} words, {minutes} min · {} · quality {}</p>\n<main>\n",
        hypertext(&draft.title),
        hypertext(&memory.assignment.today),
        markup::count(references.len(), "source"),
        memory.quality().map_or_else(|| "not measured".to_owned(), |quality| format!("{quality:.2}")),
    );
    let mut headings: Vec<&str> = draft.sections.iter().map(|section| section.heading.as_str()).collect();
    headings.extend((!draft.conclusion.is_empty()).then_some(CONCLUSION));
    headings.push(list_name(style));
    body.push_str("<nav aria-label=\"Contents\"><ul>\n");
    for (at, heading) in headings.iter().enumerate() {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(body, "<li><a href=\"#part-{at}\">{}</a></li>", hypertext(heading));
    }
    body.push_str("</ul></nav>\n");
    let set = |sentences: &[Sentence]| {
        let cited = |sentence: &Sentence| cited(sentence, &references, facts);
        format!("<p>\n{}\n</p>\n", sentences.iter().map(cited).collect::<Vec<_>>().join("\n"))
    };
    body.push_str(&set(&draft.introduction));
    for (at, section) in draft.sections.iter().enumerate() {
        let _ = writeln!(body, "<h2 id=\"part-{at}\">{}</h2>", hypertext(&section.heading));
        for paragraph in &section.paragraphs {
            body.push_str(&set(&paragraph.sentences));
            body.extend(paragraph.table.iter().map(|table| figures(table, &references)));
        }
    }
    let mut at = draft.sections.len();
    if !draft.conclusion.is_empty() {
        let _ = writeln!(body, "<h2 id=\"part-{at}\">{CONCLUSION}</h2>");
        body.push_str(&set(&draft.conclusion));
        at += 1;
    }
    let _ = writeln!(body, "<h2 id=\"part-{at}\">{}</h2>\n<ul class=\"refs\">", list_name(style));
    for entry in 0..references.len() {
        let _ = writeln!(body, "<li id=\"ref-{entry}\">{}</li>", listed(&references.listed(entry)));
    }
    body.push_str("</ul>\n</main>\n");
    Some(markup::html::page(&draft.title, &body))
}

/// An entry of the list of sources: the emphasis and the link of its Markdown as a page has them.
fn listed(markdown: &str) -> String {
    let mut html = String::new();
    let mut emphasis = false;
    let mut rest = markdown;
    while let Some(at) = mark(rest) {
        // What is marked was made plain before; spaces at its edges count.
        html.push_str(&escaped(&unmarked(&rest[..at])));
        let (sign, behind) = rest[at..].split_at(1);
        let link = match sign {
            "[" => behind.split_once("](").and_then(|(name, behind)| {
                let (target, behind) = behind.split_once(')')?;
                Some((unmarked(name), target, behind))
            }),
            "<" => behind.split_once('>').map(|(target, behind)| (target.to_owned(), target, behind)),
            _ => None,
        };
        rest = match link {
            Some((name, target, behind)) => {
                let _ = write!(html, "<a href=\"{}\">{}</a>", hypertext(target), hypertext(&name));
                behind
            }
            None => {
                html.push_str(if emphasis { "</em>" } else { "<em>" });
                emphasis = !emphasis;
                behind
            }
        };
    }
    html.push_str(&escaped(&unmarked(rest)));
    html.push_str(if emphasis { "</em>" } else { "" });
    html
}

/// Where the next sign of Markdown stands that is not a word's own.
fn mark(markdown: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in markdown.char_indices() {
        if !escaped && matches!(letter, '*' | '[' | '<') {
            return Some(at);
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// A table with what it shows below it.
fn figures(table: &Table, references: &References<'_>) -> String {
    let cells = |tag: &str, cells: &[String]| -> String {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", hypertext(cell))).collect()
    };
    let rows: String = table.rows.iter().map(|(row, _)| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    format!(
        "<table>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        hypertext(&caption(table, references)),
        cells("th", &table.head)
    )
}

/// A sentence, and behind it a mark that opens the words it rests on.
fn cited(sentence: &Sentence, references: &References<'_>, facts: &Facts<'_>) -> String {
    let mut text = hypertext(&sentence.shown(references));
    if sentence.facts.is_empty() {
        return text;
    }
    let _ = write!(
        text,
        " <span class=\"cite evidence\" tabindex=\"0\" aria-label=\"evidence\">[…]<span class=\"pop\" role=\"note\">"
    );
    for key in &sentence.facts {
        let Some(fact) = facts.fact(key) else { continue };
        let page = fact.found.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let place = references.place(key).unwrap_or_default();
        let _ = write!(
            text,
            "<q>{}</q><small><a href=\"#ref-{place}\">{}</a>{page}</small>",
            hypertext(&fact.found.fact.quote),
            hypertext(&fact.card.source.title)
        );
    }
    if let Some(derived) = &sentence.derived {
        let inputs: Vec<&str> = derived.inputs.iter().map(|input| input.written.as_str()).collect();
        let _ = write!(
            text,
            "<small>computed: {} of {}</small>",
            derived.formula.written(),
            hypertext(&inputs.join(", "))
        );
    }
    text.push_str("</span></span>");
    text
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn an_entry_has_its_emphasis_and_its_link() {
        let entry = "City. (2021). *Decision \\*1\\* on R&D*. [a\\_b.md](assets/text/a.md)";
        assert_eq!(
            listed(entry),
            "City. (2021). <em>Decision *1* on R&amp;D</em>. <a href=\"assets/text/a.md\">a_b.md</a>"
        );
        assert_eq!(
            listed("Page. <https://example.org/?a=1&b=2>"),
            "Page. <a href=\"https://example.org/?a=1&amp;b=2\">https://example.org/?a=1&amp;b=2</a>"
        );
    }
}

//! The three styles, word for word, on sources with and without author, date and page.

use std::collections::BTreeMap;

use baton_agents::evidence::{Authority, Fact, Source};
use baton_agents::search::Location;
use baton_agents::skill::Answerer;

use super::References;
use crate::article::brief::Style;
use crate::citation::Facts;
use crate::retrieval::{FoundFact, SourceCard};

fn card(id: &str, title: &str, author: Option<&str>, date: Option<&str>, location: Location) -> SourceCard {
    SourceCard {
        source: Source {
            id: id.to_owned(),
            location,
            title: title.to_owned(),
            date: date.map(str::to_owned),
            authority: Authority::Blog,
            raw_hash: "0".repeat(64),
            text_hash: "0".repeat(64),
        },
        shown: format!("{id}.md"),
        author: author.map(str::to_owned),
        kind: "Markdown".to_owned(),
        accessed: "2026-04-01".to_owned(),
        asset: format!("assets/text/{id}.md"),
        provider: "local".to_owned(),
        references: Vec::new(),
        replaced: false,
    }
}

fn found(id: &str, source: &str, page: Option<usize>) -> FoundFact {
    FoundFact {
        fact: Fact {
            id: id.to_owned(),
            statement: format!("{id} is said."),
            quote: format!("{id} is said."),
            source: source.to_owned(),
            ranges: std::iter::once(0..9).collect(),
            confidence: 1.0,
        },
        part: 0,
        heading: String::new(),
        page,
        score: 1.0,
        by: Answerer::Rules,
    }
}

fn path(name: &str) -> Location {
    Location::Path(name.into())
}

fn told(style: Style) -> (Vec<String>, Vec<String>, Vec<String>) {
    let cards = [
        card(
            "report",
            "Annual report",
            Some("Harlund Heat, management"),
            Some("2026-03-12"),
            path("report.md"),
        ),
        card("terms", "Terms of connection", Some("Harlund Heat"), Some("2026-01"), path("terms.md")),
        card(
            "news",
            "River heat - Venna Courier",
            Some("Dunmore, Clara"),
            Some("2024-11-15"),
            Location::Url("https://courier.example/a".to_owned()),
        ),
        card("glossary", "GLOSSARY OF TERMS", None, None, path("glossary.md")),
    ];
    let sources: BTreeMap<String, SourceCard> =
        cards.into_iter().map(|card| (card.key().to_owned(), card)).collect();
    let all = [
        found("f1", "report", None),
        found("f2", "terms", Some(7)),
        found("f3", "news", None),
        found("f4", "glossary", None),
    ];
    let facts = Facts::number(&all, &sources, "2026-04-01");
    let references = References::all(&facts, style);
    let keys = ["f1", "f2", "f3", "f4"];
    (
        keys.iter().map(|key| references.marks(&[(*key).to_owned()])).collect(),
        keys.iter().map(|key| references.narrative(key)).collect(),
        (0..references.len()).map(|at| references.listed(at)).collect(),
    )
}

#[test]
fn apa() {
    let (marks, narrative, list) = told(Style::Apa);
    assert_eq!(
        marks,
        [
            "(Harlund Heat, 2026a)",
            "(Harlund Heat, 2026b, p. 7)",
            "(Dunmore, 2024)",
            "(“Glossary of Terms”, n.d.)"
        ]
    );
    assert_eq!(narrative[0], "Harlund Heat (2026a)");
    assert_eq!(
        list,
        [
            "Dunmore, Clara. (2024, November 15). *River heat*. Venna Courier. <https://courier.example/a>",
            "Harlund Heat. (2026a, March 12). *Annual report*. [report.md](assets/text/report.md)",
            "Harlund Heat. (2026b, January). *Terms of connection*. [terms.md](assets/text/terms.md)",
            "*Glossary of Terms*. (n.d.). [glossary.md](assets/text/glossary.md)",
        ]
    );
}

#[test]
fn mla() {
    let (marks, narrative, list) = told(Style::Mla);
    assert_eq!(
        marks,
        [
            "(Harlund Heat, “Annual report”)",
            "(Harlund Heat, “Terms of connection” 7)",
            "(Dunmore)",
            "(“Glossary of Terms”)"
        ]
    );
    assert_eq!(narrative[2], "Dunmore");
    assert_eq!(
        list[0],
        "Dunmore, Clara. “River heat.” *Venna Courier*, 15 Nov. 2024, <https://courier.example/a>. Accessed 1 Apr. 2026."
    );
}

#[test]
fn chicago() {
    let (marks, narrative, list) = told(Style::Chicago);
    assert_eq!(marks[0..3], ["(Harlund Heat 2026a)", "(Harlund Heat 2026b, 7)", "(Dunmore 2024)"]);
    assert_eq!(narrative[2], "Dunmore (2024)");
    assert_eq!(
        list[0],
        "Dunmore, Clara. 2024. “River heat.” Venna Courier. November 15, 2024. <https://courier.example/a>"
    );
}

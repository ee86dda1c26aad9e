//! A document with everything in it, and words of strangers in every place.

use std::path::Path;
use std::process::Command;

use baton_charts::{Axis, Chart, Kind};
use baton_pdf::{Block, Column, Document, KeyFigure, Note, Span, Table};

pub const ATTACK: &str = "#panic() </p><script>alert(1)</script> $x$ *b* \u{202e}\u{0}";
/// What a reader sees of it.
pub const SEEN: &str = "#panic() </p><script>alert(1)</script> $x$ *b*";

fn text(words: &str) -> Span {
    Span::Text(words.to_owned())
}

pub fn document() -> Document {
    let mut chart = Chart::of(Kind::Bar, &["Harlund", "Mosby"], &[("Revenue", &[Some(412.5), Some(88.25)])]);
    chart.title = "Harlund leads".to_owned();
    chart.y = Axis { label: "Revenue".to_owned(), unit: "EUR".to_owned(), ..Axis::default() };
    let row = |at: usize| {
        vec![
            vec![text(&format!("row {at}"))],
            vec![Span::Number { text: format!("{at},125"), note: "n1".to_owned() }],
        ]
    };
    Document {
        title: "Revenue of two towns".to_owned(),
        subtitle: ATTACK.to_owned(),
        date: "15 January 2025".to_owned(),
        accent: "red; } body { display: none".to_owned(),
        contents: true,
        blocks: vec![
            Block::Heading { level: 1, text: format!("1. {ATTACK}") },
            Block::Figures(vec![KeyFigure {
                value: "500.75 EUR".to_owned(),
                label: ATTACK.to_owned(),
                note: "n1".to_owned(),
            }]),
            Block::Paragraph(vec![
                text("Revenue came to "),
                Span::Number { text: "500.75 EUR".to_owned(), note: "n1".to_owned() },
                text(" "),
                Span::Reference { note: "n2".to_owned() },
                Span::Reference { note: "nowhere".to_owned() },
                text(". "),
                Span::Link { text: "good".to_owned(), url: "https://example.org/?a=1&b=\"2\"".to_owned() },
                text(" "),
                Span::Link { text: "bad".to_owned(), url: "javascript:alert(1)".to_owned() },
                Span::Strong(ATTACK.to_owned()),
                Span::Emphasis(ATTACK.to_owned()),
                Span::Code(ATTACK.to_owned()),
            ]),
            Block::Chart(Box::new(chart)),
            Block::Heading { level: 2, text: "1.1 All rows".to_owned() },
            Block::List { ordered: true, items: vec![vec![text("first")], vec![text(ATTACK)]] },
            Block::Quote(vec![text(ATTACK)]),
            Block::Remark { label: "Conflict".to_owned(), text: vec![text(ATTACK)] },
            Block::Table(Table {
                caption: ATTACK.to_owned(),
                columns: vec![
                    Column { name: "Name".to_owned(), numeric: false },
                    Column { name: "Value of it".to_owned(), numeric: true },
                ],
                rows: (0..120).map(row).chain([vec![vec![text("a short row")]]]).collect(),
                source: "sales.csv".to_owned(),
            }),
            Block::PageBreak,
            Block::Paragraph(vec![text("The end.")]),
        ],
        notes: vec![
            Note { id: "n1".to_owned(), text: vec![text("Sum of revenue, rows 2 to 3.")] },
            Note { id: "n2".to_owned(), text: vec![text(ATTACK)] },
        ],
        ..Document::default()
    }
}

/// The words of a PDF, or `None` with a message where the tool that reads them is not installed.
pub fn words(pdf: &Path) -> Option<String> {
    match Command::new("pdftotext").args(["-layout"]).arg(pdf).arg("-").output() {
        Ok(out) if out.status.success() => Some(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => panic!("{}", String::from_utf8_lossy(&out.stderr)),
        Err(error) => {
            eprintln!("skipped: no pdftotext ({error}); install the package poppler-utils");
            None
        }
    }
}

/// What every PDF of [`document`] says, whoever set it.
pub fn check_words(words: &str) {
    assert!(words.contains("500.75 EUR") && words.contains("412.5") && words.contains("88.2"), "{words}");
    for row in [0, 57, 119] {
        assert!(words.contains(&format!("{row},125")), "row {row}");
    }
    // The head of the table stands on each of its pages.
    assert!(words.matches("Value of it").count() >= 3, "{}", words.matches("Value of it").count());
    assert!(words.contains("#panic()") && words.contains("<script>alert(1)</script>"));
    assert!(words.contains("The end.") && words.contains("Sum of revenue, rows 2 to 3."));
}

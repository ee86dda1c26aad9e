//! Writes the page of a sample document: `cargo run -p baton-pdf --example document -- FOLDER`, then
//! `chromium --headless --no-pdf-header-footer --print-to-pdf=FOLDER/document.pdf FOLDER/document.html`.

use std::error::Error;
use std::path::PathBuf;

use baton_charts::{Annotation, Axis, Chart, Kind};
use baton_pdf::{Block, Column, Document, KeyFigure, Note, Span, Table, print};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let document = document();
    std::fs::write(
        folder.join("document.html"),
        print::page(&document, &std::collections::BTreeMap::new())?,
    )?;
    Ok(())
}

fn text(words: &str) -> Span {
    Span::Text(words.to_owned())
}

fn number(words: &str, note: &str) -> Span {
    Span::Number { text: words.to_owned(), note: note.to_owned() }
}

fn heading(level: u8, words: &str) -> Block {
    Block::Heading { level, text: words.to_owned() }
}

fn document() -> Document {
    let filler = "The towns differ in size and in season: the harbour lives from summer visitors, the valley from the \
                  university, and the plain from its farms, which is why a single figure for all of them says little. ";
    let mut blocks = vec![
        heading(1, "1. What happened"),
        Block::Figures(vec![
            figure("27.6 m EUR", "Revenue, 2023 and 2024", "n1"),
            figure("−19.4 %", "March to December 2024 against the year before", "n2"),
            figure("33.4 %", "Share of Harlund", "n1"),
        ]),
        Block::Paragraph(vec![
            text("Revenue came to "),
            number("27,602,640 EUR", "n1"),
            text(" in two years. After the closure of the harbour bridge it fell by "),
            number("19.4 %", "n2"),
            text(" and has not come back. The port authority says "),
            Span::Emphasis("a fifth".to_owned()),
            text(" "),
            Span::Reference { note: "n3".to_owned() },
            text("; see "),
            Span::Link { text: "its statement".to_owned(), url: "https://example.org/port".to_owned() },
            text(". "),
            text(filler),
        ]),
        Block::Chart(Box::new(lines())),
        Block::Remark {
            label: "Conflict".to_owned(),
            text: vec![text("The statement speaks of a quarter, the data of a fifth. Both are shown.")],
        },
        heading(2, "1.1 By town"),
        Block::Paragraph(vec![text(&filler.repeat(3))]),
        Block::Chart(Box::new(bars())),
        Block::List {
            ordered: false,
            items: vec![
                vec![
                    Span::Strong("Harlund".to_owned()),
                    text(" leads with "),
                    number("9.2 m", "n1"),
                    text("."),
                ],
                vec![
                    text("Mosby and Vestergate follow; the column is "),
                    Span::Code("revenue_eur".to_owned()),
                    text("."),
                ],
            ],
        },
        heading(1, "2. The values"),
        Block::Paragraph(vec![text(&filler.repeat(2))]),
        Block::Table(table()),
        Block::Quote(vec![text("“The bridge will not open before spring.” Port authority, 4 March 2024")]),
    ];
    blocks.push(Block::Paragraph(vec![text(&filler.repeat(4))]));
    Document {
        title: "Revenue of three towns after the bridge closed".to_owned(),
        subtitle: "How did revenue develop, where, and since when?".to_owned(),
        byline: "For the board".to_owned(),
        date: "15 January 2025".to_owned(),
        accent: "#c41e3a".to_owned(),
        contents: true,
        blocks,
        notes: vec![
            note("n1", "Sum of revenue_eur in sales.csv, rows 2 to 731; 730 cells."),
            note(
                "n2",
                "Sum of revenue_eur, March to December 2024, divided by the same months of 2023, less 1.",
            ),
            note("n3", "“The closure cost a fifth of the trade.” port.pdf, page 3."),
        ],
        ..Document::default()
    }
}

fn figure(value: &str, label: &str, note: &str) -> KeyFigure {
    KeyFigure { value: value.to_owned(), label: label.to_owned(), note: note.to_owned() }
}

fn note(id: &str, words: &str) -> Note {
    Note { id: id.to_owned(), text: vec![text(words)] }
}

fn lines() -> Chart {
    let labels: Vec<String> = (0..24).map(|at| format!("{}-{:02}", 2023 + at / 12, at % 12 + 1)).collect();
    let level = |at: usize| if at < 14 { 1_240_000.0 } else { 1_010_000.0 };
    let values: Vec<Option<f64>> =
        (0..24).map(|at| Some(level(at) + 90_000.0 * (at as f64 / 2.0).sin())).collect();
    let mut chart = Chart::of(Kind::Line, &labels, &[("Revenue", &values)]);
    chart.title = "Revenue fell by a fifth in March 2024".to_owned();
    chart.subtitle = "Revenue of all shops by month".to_owned();
    chart.source = "sales.csv".to_owned();
    chart.y = Axis { label: "Revenue".to_owned(), unit: "EUR".to_owned(), ..Axis::default() };
    chart.annotations =
        vec![Annotation::Moment { x: "2024-03".to_owned(), text: "Harbour bridge closed".to_owned() }];
    chart
}

fn bars() -> Chart {
    let towns = [
        "Harlund",
        "Mosby",
        "Vestergate",
        "Port Ellen",
        "Sandnes",
        "Kirkwall",
        "Lyngby",
        "Aldershot",
        "Ferrol",
    ];
    let values = [412.0, 88.5, 301.2, 256.0, 199.9, 61.0, 143.3, 20.4, 118.0].map(Some);
    let mut chart = Chart::of(Kind::Bar, &towns, &[("Revenue", &values)]);
    chart.title = "Three towns bring half of the revenue".to_owned();
    chart.source = "sales.csv".to_owned();
    chart.y = Axis { label: "Revenue".to_owned(), unit: "thousand EUR".to_owned(), ..Axis::default() };
    chart
}

fn table() -> Table {
    let column = |name: &str, numeric| Column { name: name.to_owned(), numeric };
    let row = |at: usize| {
        let month = format!("{}-{:02}", 2020 + at / 12, at % 12 + 1);
        let words =
            ["Harlund", "Mosby", "Vestergate and the surrounding parishes of the lower valley"][at % 3];
        vec![
            vec![text(&month)],
            vec![text(words)],
            vec![number(&format!("{},{:03}", 900 + at, at * 17 % 1000), "n1")],
            vec![text(&format!("{}.{} %", at % 40, at % 10))],
        ]
    };
    Table {
        caption: "Table 1: revenue by month and town".to_owned(),
        columns: vec![
            column("Month", false),
            column("Town", false),
            column("Revenue, EUR", true),
            column("Change", true),
        ],
        rows: (0..60).map(row).collect(),
        source: "sales.csv, all rows".to_owned(),
    }
}

//! Documents as pages to print, and printed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking, its helpers too"
)]

mod browser;
mod page;
mod sample;

#[test]
fn a_chart_that_cannot_be_drawn_is_named() {
    let chart = baton_charts::Chart { id: "c7".to_owned(), ..baton_charts::Chart::default() };
    let blocks = vec![baton_pdf::Block::Chart(Box::new(chart))];
    let error = baton_pdf::print::page(
        &baton_pdf::Document { blocks, ..baton_pdf::Document::default() },
        &std::collections::BTreeMap::new(),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the chart \"c7\" cannot be drawn: the chart has no values; nothing was drawn"
    );
}

//! A document as data in, a PDF out: contents, page numbers, charts as vectors, tables with repeated heads, and notes that
//! numbers lead to. An installed browser prints it ([`print`]); there is no typesetter in the program itself (0038).
//! Pure: no files, no clock, no process; whoever calls starts the browser.

mod document;
pub mod places;
mod plain;
pub mod print;

pub use document::{Block, Column, Document, KeyFigure, Note, Span, Table};

use baton_charts::ChartError;

/// What a person is told where no browser is installed.
pub const WITHOUT: &str = "it is printed by Chromium, Chrome or Edge, and none of them is installed";

/// Why there is no page to print.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// A chart that cannot be drawn.
    #[error("the chart {id:?} cannot be drawn: {error}")]
    Chart {
        /// Its id.
        id: String,
        /// Why.
        error: ChartError,
    },
}

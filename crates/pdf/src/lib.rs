//! A document as data in, a PDF out: contents, page numbers, charts as vectors, tables with repeated heads, and notes that
//! numbers lead to.

mod document;

pub use document::{Block, Column, Document, KeyFigure, Note, Span, Table};

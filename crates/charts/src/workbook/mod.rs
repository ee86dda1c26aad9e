//! The data pack: a workbook with the sheets Summary, Data, Comparison, Glossary and Sources.

mod pack;

pub use pack::{Cell, Column, DataPack, Format, Formula, Function, KeyFigure, Operator, Source, Table, Term};

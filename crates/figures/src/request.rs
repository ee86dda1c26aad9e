//! The one entry that can be moved into another process: everything it needs is in the request, everything it found
//! is in the response. It opens the files that are named and the scratch folder, nothing else.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::FiguresError;
use crate::figure::{Answer, Figure, Recomputed};
use crate::finding::Finding;
use crate::profile::Profiles;
use crate::question::Question;
use crate::reading::TableReading;
use crate::series::{Series, SeriesAgain};

/// Work on data files.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// What is to be done.
    pub work: Work,
    /// Where sorted runs may be kept while it is done; without one, what does not fit into memory is refused.
    #[serde(default)]
    pub scratch: Option<PathBuf>,
    /// How much of everything.
    #[serde(default)]
    pub limits: Limits,
}

/// What is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub enum Work {
    /// Look at files (folders are not opened) and say what is in them.
    Profile {
        /// The files.
        files: Vec<PathBuf>,
        /// Text of a `tables.toml`; what it says is not guessed.
        #[serde(default)]
        tables: Option<String>,
    },
    /// Answer questions over tables that were profiled.
    Answer {
        /// The tables.
        profiles: Profiles,
        /// The questions.
        questions: Vec<Question>,
    },
    /// Look for what the data say without being asked.
    Find {
        /// The tables.
        profiles: Profiles,
    },
    /// Compute figures and series again.
    Verify {
        /// How the tables are read.
        tables: Vec<TableReading>,
        /// The figures.
        figures: Vec<Figure>,
        /// The series.
        #[serde(default)]
        series: Vec<Series>,
    },
    /// Rows of a table as they stand, for a reader who opens a figure's cells.
    Rows {
        /// How the table is read.
        table: TableReading,
        /// First and last row of each run.
        rows: Vec<(u64, u64)>,
        /// At most so many.
        most: usize,
    },
}

/// How much of everything.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Longest record of a text file in bytes; a longer one is refused with its row.
    pub record: usize,
    /// Most columns of a table.
    pub columns: usize,
    /// Most different values a question may group by.
    pub groups: usize,
    /// Most rows of a table that is looked into by a join.
    pub lookup: usize,
    /// Bytes of values kept in memory before they are sorted on disk.
    pub memory: usize,
    /// Largest workbook or JSON document, which are read whole.
    pub document: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: 16 << 20,
            columns: 20_000,
            groups: 100_000,
            lookup: 500_000,
            memory: 64 << 20,
            document: 256 << 20,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "response", rename_all = "snake_case")]
pub enum Response {
    /// What the files hold, and what was assumed, as the text of a `tables.toml`.
    Profile {
        /// The tables.
        profiles: Profiles,
        /// What was assumed.
        tables: String,
    },
    /// One answer for each question, in their order.
    Answer {
        /// The answers.
        answers: Vec<Answer>,
    },
    /// What the data say.
    Find {
        /// The findings, the strongest first.
        findings: Vec<Finding>,
    },
    /// One for each figure and each series, in their order.
    Verify {
        /// What was found of figures.
        figures: Vec<Recomputed>,
        /// What was found of series.
        series: Vec<SeriesAgain>,
    },
    /// Rows: the number, then the cells.
    Rows {
        /// Names of the columns.
        columns: Vec<String>,
        /// The rows.
        rows: Vec<(u64, Vec<String>)>,
    },
}

/// Does the work. An error is about the request as a whole; a bad file or an unanswerable question is part of the
/// response.
///
/// # Errors
/// When `tables.toml` cannot be read, or the scratch folder cannot be written.
pub fn perform(request: &Request) -> Result<Response, FiguresError> {
    let mut context = crate::source::Context {
        limits: request.limits,
        scratch: request.scratch.clone(),
        ..crate::source::Context::default()
    };
    match &request.work {
        Work::Profile { files, tables } => {
            let said = tables.as_deref();
            let given = said.map(crate::reading::file::read).transpose()?.unwrap_or_default();
            context.called = said.map(crate::reading::file::called).transpose()?.unwrap_or_default();
            let profiles = crate::profile::of_files(files, &given, &context)?;
            let tables = crate::reading::file::write(&profiles);
            Ok(Response::Profile { profiles, tables })
        }
        Work::Answer { profiles, questions } => {
            Ok(Response::Answer { answers: crate::compute::answers(profiles, questions, &context)? })
        }
        Work::Find { profiles } => {
            Ok(Response::Find { findings: crate::analysis::findings(profiles, &context)? })
        }
        Work::Verify { tables, figures, series } => Ok(Response::Verify {
            figures: crate::compute::recompute(tables, figures, &context),
            series: crate::compute::recompute_series(tables, series, &context),
        }),
        Work::Rows { table, rows, most } => {
            let columns = table.columns.iter().map(|column| column.name.clone()).collect();
            Ok(Response::Rows { columns, rows: crate::source::rows(table, rows, *most, &context)? })
        }
    }
}

//! Tables in, exact figures out.
//!
//! A data file is read as it stands, and whatever had to be assumed is written down ([`TableReading`], `tables.toml`)
//! and doubted aloud ([`Doubt`]). A [`Question`] over tables is computed into [`Figure`]s; each carries its unit,
//! period, formula and cells, and can be computed again from the file and its description alone.
//!
//! Pure in the sense of the house: no clock, no network, no async, and no knowledge of runs or models. Files are
//! opened by path and only read; what does not fit into memory is sorted in a scratch folder that the caller names.
//! [`request::perform`] is the one entry that can be moved into another process.

pub mod analysis;
pub mod cell;
pub mod compute;
pub mod date;
pub mod decimal;
pub mod error;
pub mod figure;
pub mod finding;
pub mod forbidden;
#[cfg(any(test, feature = "planted"))]
pub mod planted;
pub mod profile;
pub mod question;
pub mod reading;
pub mod request;
pub mod series;
pub mod source;
pub mod spill;
pub mod words;

pub use date::{Date, Grain, Period};
pub use decimal::Decimal;
pub use error::FiguresError;
pub use figure::{Answer, Calculation, Cells, Direction, Figure, Formula, Precision, Selection};
pub use finding::{Finding, FindingKind};
pub use profile::{ColumnProfile, Doubt, Join, Profiles, Refused, TableProfile};
pub use question::{Aggregate, Ask, Filter, Measure, Question, Test};
pub use reading::{ColumnReading, DateForm, Format, Kind, TableReading};
pub use request::{Limits, Request, Response, Work, perform};
pub use series::{Series, SeriesAnalysis};
pub use words::{Understanding, understand};

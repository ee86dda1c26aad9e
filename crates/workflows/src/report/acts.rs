//! What a report does to the world, as data: looking into tables, computing, computing again, printing. All of it only reads
//! and archives, so after a crash it is simply done again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_engine::{Act, AfterCrash, Retry};
use baton_figures::figure::Recomputed;
use baton_figures::series::SeriesAgain;
use baton_figures::{Answer, Figure, Finding, Profiles, Question, Series, TableReading};
use serde::{Deserialize, Serialize};

/// Looks into files of data and says what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileData {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What a person says of them: the text of a tables.toml.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
}

/// What the files hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profiled {
    /// The tables.
    pub profiles: Profiles,
    /// What was assumed: the text of a tables.toml.
    pub tables: String,
    /// The hash under which the profiles are archived, for the acts that compute with them.
    pub kept: String,
    /// SHA-256 of each file that was small enough to be archived with them.
    #[serde(default)]
    pub hashes: BTreeMap<String, String>,
}

/// Answers typed questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComputeAnswers {
    /// The profiles, as archived.
    pub kept: String,
    /// The files, as archived.
    #[serde(default)]
    pub hashes: BTreeMap<String, String>,
    /// The questions.
    pub questions: Vec<Question>,
}

/// One answer for each question, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Computed {
    /// The answers.
    pub answers: Vec<Answer>,
}

/// Looks for what the tables say without being asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindFindings {
    /// The profiles, as archived.
    pub kept: String,
    /// The files, as archived.
    #[serde(default)]
    pub hashes: BTreeMap<String, String>,
}

/// What the tables say, the strongest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The findings.
    pub findings: Vec<Finding>,
}

/// Computes figures again from their descriptions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecomputeFigures {
    /// How the tables are read.
    pub tables: Vec<TableReading>,
    /// The files, as archived.
    #[serde(default)]
    pub hashes: BTreeMap<String, String>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The series behind charts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
}

/// One for each figure and each series, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComputedAgain {
    /// What was found of figures.
    pub figures: Vec<Recomputed>,
    /// What was found of series.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<SeriesAgain>,
}

/// Prints the report for paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintReport {
    /// What is printed.
    pub document: baton_pdf::Document,
}

/// A printed report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// The hash under which its bytes are archived.
    pub kept: String,
    /// What printed it.
    pub by: String,
}

macro_rules! reads {
    ($($act:ty, $kind:literal, $out:ty;)*) => {$(
        impl Act for $act {
            const KIND: &'static str = $kind;
            type Out = $out;

            fn after_crash(&self) -> AfterCrash {
                AfterCrash::Retry
            }

            fn retry(&self) -> Retry {
                // A file that cannot be read now cannot be read in two seconds either.
                Retry::NEVER
            }
        }
    )*};
}

reads! {
    ProfileData, "profile_data", Profiled;
    ComputeAnswers, "compute", Computed;
    FindFindings, "find_findings", Found;
    RecomputeFigures, "recompute", ComputedAgain;
    PrintReport, "print", Printed;
}

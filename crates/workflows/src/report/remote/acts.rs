//! What drawing does to the world, as data. It reads and archives, so after a crash it is simply done again.

use std::path::PathBuf;

use baton_agents::data::{At, DataCard};
use baton_engine::{Act, AfterCrash, Retry};
use serde::{Deserialize, Serialize};

/// Draws one page of a source and archives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawData {
    /// The source.
    pub source: DataCard,
    /// Which page.
    pub at: At,
    /// What gave the consent to ask it.
    pub consent: String,
    /// `host:port` pairs on private addresses that may be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow_private: Vec<String>,
}

/// A page that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The hash under which its records are archived.
    pub kept: String,
    /// How many bytes they are.
    pub bytes: u64,
    /// How many records; none where only a reader of tables can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// The page behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<At>,
}

/// Puts the pages of a source together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatherData {
    /// The name of the source.
    pub name: String,
    /// The ending of the file.
    pub ending: String,
    /// The pages, as archived.
    pub parts: Vec<String>,
}

/// The data of a source as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gathered {
    /// The file.
    pub file: PathBuf,
    /// The hash under which its bytes are archived.
    pub kept: String,
}

impl Act for DrawData {
    const KIND: &'static str = "draw_data";
    type Out = Part;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }
}

impl Act for GatherData {
    const KIND: &'static str = "gather_data";
    type Out = Gathered;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }

    fn retry(&self) -> Retry {
        Retry::NEVER
    }
}

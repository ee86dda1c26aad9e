//! The figures, one file each. Some are measured in a process of their own; that process is this program again.

mod bytes;
mod child;
mod concurrent;
mod home;
mod kill;
mod list;
mod memory;
mod reopen;
mod sequential;

use std::path::{Path, PathBuf};

pub use child::{CHILD, be_child};

use crate::BenchError;
use crate::probe::{Neighbours, Stopwatch};
use crate::report::{Figure, Line};

/// Every figure, in the order in which they are measured.
pub const NAMES: [&str; 8] =
    ["sequential", "concurrent", "bytes", "reopen", "list", "memory", "kill", "home"];

/// What every figure is given.
pub struct Setting {
    /// A folder for its databases.
    pub dir: PathBuf,
    /// The seed of everything random.
    pub seed: u64,
    /// The program, if its commands are to be measured too.
    pub baton: Option<PathBuf>,
}

impl Setting {
    /// A new folder below the figures' own.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, BenchError> {
        let folder = self.dir.join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// What a figure found.
pub(crate) struct Found {
    lines: Vec<Line>,
    notes: Vec<String>,
}

impl From<Vec<Line>> for Found {
    fn from(lines: Vec<Line>) -> Self {
        Self { lines, notes: Vec::new() }
    }
}

/// Measures one figure.
pub fn measure(name: &str, setting: &Setting) -> Result<Figure, BenchError> {
    let known = NAMES.into_iter().find(|known| *known == name);
    let name = known.ok_or_else(|| BenchError::Void(format!("there is no figure {name}")))?;
    let (neighbours, watch) = (Neighbours::watch(), Stopwatch::start());
    let Found { lines, notes } = match name {
        "sequential" => sequential::measure(setting)?,
        "concurrent" => concurrent::measure(setting)?,
        "bytes" => bytes::measure(setting)?,
        "reopen" => reopen::measure(setting)?,
        "list" => list::measure(setting)?,
        "memory" => memory::measure(setting)?,
        "kill" => kill::measure(setting)?,
        _ => home::measure(setting)?,
    };
    Ok(Figure { name, lines, notes, others: neighbours.cores(), seconds: watch.seconds() })
}

/// Takes away a folder that is no longer needed, so that a long run does not fill the disk.
pub(crate) fn clear(folder: &Path) -> Result<(), BenchError> {
    Ok(std::fs::remove_dir_all(folder)?)
}

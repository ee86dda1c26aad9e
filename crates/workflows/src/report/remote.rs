//! Data beyond the disk: drawn page by page, each page a journaled step, and put together into one file that the tables
//! are read from like any other. All of it is archived, so that figures over it can be computed again without asking
//! anybody. Which sources a run may draw from was frozen into its order.

mod acts;
mod world;

use std::collections::BTreeSet;
use std::path::PathBuf;

use baton_agents::data::{At, DataCard};
use baton_engine::{Cx, Fault};
use baton_figures::profile::Refused;
use serde::{Deserialize, Serialize};

pub use world::RemoteWorld;

use super::Report;
use acts::{DrawData, GatherData};

/// The sources a run may draw from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// What gave the consent to ask them.
    pub consent: String,
    /// The sources.
    pub sources: Vec<DataCard>,
    /// `host:port` pairs on private addresses that may be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow_private: Vec<String>,
}

/// What was drawn.
#[derive(Debug, Default)]
pub struct Drawn {
    /// A file for each source that gave data.
    pub files: Vec<PathBuf>,
    /// Those that gave none, and why.
    pub refused: Vec<Refused>,
    /// Where each came from, for a reader of method.md.
    pub notes: Vec<String>,
}

/// Draws from every source of the order. A source that fails is refused like a file that cannot be read: the report goes
/// on without it and says so.
pub async fn draw(cx: &Cx<Report>, remote: Option<&Remote>) -> Result<Drawn, Fault> {
    let mut drawn = Drawn::default();
    for source in remote.iter().flat_map(|remote| &remote.sources) {
        match whole(cx, source, remote.unwrap_or(&Remote::default())).await? {
            Ok((file, note)) => {
                drawn.files.push(file);
                drawn.notes.push(note);
            }
            // The name alone: people see the end of a path, and of an address that says nothing.
            Err(reason) => drawn.refused.push(Refused { file: source.name.clone(), reason }),
        }
    }
    Ok(drawn)
}

/// All pages of a source in one file, and where they came from; or why there is none.
async fn whole(
    cx: &Cx<Report>,
    source: &DataCard,
    remote: &Remote,
) -> Result<Result<(PathBuf, String), String>, Fault> {
    let mut at = At::First;
    let (mut parts, mut hashes, mut bytes, mut records) = (Vec::new(), BTreeSet::new(), 0, Some(0));
    loop {
        let page = parts.len() + 1;
        let act = DrawData {
            source: source.clone(),
            at: at.clone(),
            consent: remote.consent.clone(),
            allow_private: remote.allow_private.clone(),
        };
        let part = match cx.step(&format!("draw:{}:{page}", source.name), &act).await {
            Ok(part) => part,
            Err(Fault::Failed { text, .. }) => return Ok(Err(text)),
            Err(fault) => return Err(fault),
        };
        bytes += part.bytes;
        if bytes > source.limits.max_bytes {
            return Ok(Err(format!("it sends more than {} bytes in {page} pages", source.limits.max_bytes)));
        }
        if part.bytes > 0 && !hashes.insert(part.kept.clone()) {
            return Ok(Err(format!(
                "page {page} repeats an earlier one, so its pages do not follow each other as configured"
            )));
        }
        records = records.zip(part.records).map(|(before, more)| before + more);
        parts.push(part.kept);
        match part.next {
            None => break,
            Some(_) if page >= source.limits.max_pages as usize => {
                return Ok(Err(format!(
                    "it has more than {page} pages; a part of the data would make wrong figures, so none is used. \
                     Raise max_pages or ask for less"
                )));
            }
            Some(next) => at = next,
        }
    }
    if records == Some(0) {
        return Ok(Err("it has no records".to_owned()));
    }
    let pages = parts.len();
    let act = GatherData { name: source.name.clone(), ending: source.format.ending().to_owned(), parts };
    let gathered = match cx.step(&format!("gather:{}", source.name), &act).await {
        Ok(gathered) => gathered,
        Err(Fault::Failed { text, .. }) => return Ok(Err(text)),
        Err(fault) => return Err(fault),
    };
    let pages = if pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") };
    let note =
        format!("{} was drawn from {} in {pages}, SHA-256 {}", source.name, source.shown(), gathered.kept);
    Ok(Ok((gathered.file, note)))
}

#[cfg(test)]
mod tests;

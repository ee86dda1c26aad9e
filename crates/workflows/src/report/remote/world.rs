//! Drawing carried out: pages are asked for at the pace of their source and archived, then put together in a file below
//! the home that is named like its table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use baton_agents::clock::Clock;
use baton_agents::data::Drawing;
use baton_agents::hash::sha256_hex;
use baton_agents::model::secret::Keys;
use baton_agents::read::archive::Archive;
use baton_agents::search::web::{Consent, WebFault};
use baton_engine::{Call, Effects, Failure, Paid, Perform};

use super::acts::{DrawData, GatherData, Gathered, Part};

/// The folder of the sources' paces below the home.
const PACES: &str = "paces";

/// Sources of data, as seen from a home.
#[derive(Clone)]
pub struct RemoteWorld {
    home: Arc<PathBuf>,
    drawing: Arc<Drawing>,
}

impl RemoteWorld {
    /// The folder below the home where gathered data lie, each in a folder named by the first digits of its hash.
    pub const FOLDER: &str = "data";
    /// How many digits.
    pub const DIGITS: usize = 16;

    /// Draws with these keys. Nobody is asked before a run does.
    #[must_use]
    pub fn new(home: &Path, keys: Arc<dyn Keys>, clock: Arc<dyn Clock>) -> Self {
        let drawing = Drawing::new(keys, clock, &home.join(PACES));
        Self { home: Arc::new(home.to_owned()), drawing: Arc::new(drawing) }
    }

    /// Adds the performers.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Effects {
        effects.with::<DrawData>(self.clone()).with::<GatherData>(self)
    }

    fn archive(&self) -> Archive {
        Archive::of_home(&self.home)
    }

    fn gather(&self, act: &GatherData) -> Result<Gathered, Failure> {
        let archive = self.archive();
        let mut bytes = Vec::new();
        for part in &act.parts {
            bytes.extend(archive.get(part).map_err(|error| Failure::lasting(error.to_string()))?);
        }
        let kept = archive.put(&bytes).map_err(|error| Failure::passing(error.to_string()))?;
        let folder = self.home.join(Self::FOLDER).join(&kept[..Self::DIGITS]);
        let file = folder.join(format!("{}.{}", act.name, act.ending));
        let unwritten = |error: std::io::Error| {
            Failure::lasting(format!("{} cannot be written: {error}", file.display()))
        };
        let is_there = baton_agents::read::bounded::bytes(&file, bytes.len() as u64)
            .is_ok_and(|there| sha256_hex(&there) == kept);
        if !is_there {
            std::fs::create_dir_all(&folder).map_err(unwritten)?;
            // Written beside and renamed: another run may be reading it.
            let beside = file.with_extension(format!("{}.partial", std::process::id()));
            std::fs::write(&beside, &bytes).map_err(unwritten)?;
            std::fs::rename(&beside, &file).map_err(unwritten)?;
        }
        Ok(Gathered { file, kept })
    }
}

#[async_trait]
impl Perform<DrawData> for RemoteWorld {
    async fn perform(&self, act: DrawData, _call: &Call) -> Result<Paid<Part>, Failure> {
        let consent = Consent::given_by(&act.consent);
        let drawn = self.drawing.draw(&act.source, &act.at, &act.allow_private, &consent).await;
        let drawn = drawn.map_err(|fault| failure(&fault))?;
        let (archive, bytes) = (self.archive(), drawn.bytes.len() as u64);
        let kept = tokio::task::spawn_blocking(move || archive.put(&drawn.bytes)).await;
        let kept = kept
            .map_err(|error| Failure::passing(format!("the work was interrupted: {error}")))?
            .map_err(|error| Failure::passing(error.to_string()))?;
        Ok(Paid::free(Part { kept, bytes, records: drawn.records, next: drawn.next }))
    }
}

#[async_trait]
impl Perform<GatherData> for RemoteWorld {
    async fn perform(&self, act: GatherData, _call: &Call) -> Result<Paid<Gathered>, Failure> {
        let world = self.clone();
        let done = tokio::task::spawn_blocking(move || world.gather(&act)).await;
        done.map_err(|error| Failure::passing(format!("the work was interrupted: {error}")))?.map(Paid::free)
    }
}

/// Only what may be gone in a moment is worth another try.
fn failure(fault: &WebFault) -> Failure {
    let mut failure = Failure::lasting(fault.detail.clone());
    failure.retriable = fault.kind.retriable();
    failure.after_ms = fault.retry_after_ms;
    failure
}

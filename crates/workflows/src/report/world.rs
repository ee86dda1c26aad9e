//! The acts carried out on this machine: a child of our own binary reads the data, the archive keeps what was read.

mod child;
mod printing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use baton_agents::read::archive::Archive;
use baton_agents::read::bounded;
use baton_agents::read::extract::ChildCommand;
use baton_engine::{Call, Effects, Failure, Paid, Perform};
use baton_figures::{Limits, Profiles, Request, Response, TableReading, Work, perform};

use super::acts::{
    ComputeAnswers, Computed, ComputedAgain, FindFindings, Found, PrintReport, ProfileData, Profiled,
    RecomputeFigures,
};

use crate::process::Processes;
use crate::retrieval::blocking;

pub use child::{CHILD_ARGUMENT, child_main};

/// The largest file of data that is copied into the archive; figures over larger ones are computed again from the file
/// itself, if it is still the same.
const KEPT: u64 = 32 << 20;

/// Who reads the data.
#[derive(Clone, Debug)]
enum Reader {
    /// A child that can open nothing but the data.
    Child(ChildCommand),
    /// This process.
    Here,
}

/// This machine, as far as data goes.
#[derive(Clone)]
pub struct DataWorld {
    home: Arc<PathBuf>,
    reader: Reader,
    /// Who starts a browser that prints.
    processes: Option<Processes>,
}

impl DataWorld {
    /// The world as seen from a home; `child` is how our own binary is started.
    #[must_use]
    pub fn new(home: &Path, child: &ChildCommand) -> Self {
        let arguments = vec![CHILD_ARGUMENT.to_owned()];
        let command = ChildCommand { program: child.program.clone(), arguments };
        Self { home: Arc::new(home.to_owned()), reader: Reader::Child(command), processes: None }
    }

    /// The same without a child, for tests of what is computed.
    #[must_use]
    pub fn in_this_process(home: &Path) -> Self {
        Self { home: Arc::new(home.to_owned()), reader: Reader::Here, processes: None }
    }

    /// The same, able to print.
    #[must_use]
    pub fn printing(self, processes: &Processes) -> Self {
        Self { processes: Some(processes.clone()), ..self }
    }

    /// Adds the performers.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Effects {
        effects
            .with::<ProfileData>(self.clone())
            .with::<ComputeAnswers>(self.clone())
            .with::<FindFindings>(self.clone())
            .with::<RecomputeFigures>(self.clone())
            .with::<PrintReport>(self)
    }

    fn archive(&self) -> Archive {
        Archive::of_home(&self.home)
    }

    /// A folder of one's own, for a while.
    fn scratch(&self) -> Result<PathBuf, Failure> {
        let scratch = self.home.join("scratch").join(format!("{}-{}", std::process::id(), unique()));
        std::fs::create_dir_all(&scratch)
            .map_err(|error| Failure::lasting(format!("the scratch folder cannot be made ({error})")))?;
        Ok(scratch)
    }

    /// Does work on data where it may be done.
    pub fn work(&self, work: Work) -> Result<Response, Failure> {
        let scratch = self.scratch()?;
        let request = Request { work, scratch: Some(scratch.clone()), limits: Limits::default() };
        let done = match &self.reader {
            Reader::Child(command) => child::ask(command, &request),
            Reader::Here => perform(&request).map_err(|error| error.to_string()),
        };
        // What is left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&scratch);
        done.map_err(Failure::lasting)
    }

    fn profile(&self, act: ProfileData) -> Result<Profiled, Failure> {
        let files = act.files.clone();
        let Response::Profile { profiles, tables } =
            self.work(Work::Profile { files: act.files, tables: act.tables })?
        else {
            return Err(misunderstood());
        };
        let archive = self.archive();
        let mut hashes = BTreeMap::new();
        for file in &files {
            let is_small = std::fs::metadata(file).is_ok_and(|data| data.len() <= KEPT);
            if is_small && let Ok(bytes) = bounded::bytes(file, KEPT) {
                let hash = archive.put(&bytes).map_err(|error| Failure::passing(error.to_string()))?;
                hashes.insert(file.display().to_string(), hash);
            }
        }
        let bytes = serde_json::to_vec(&profiles).map_err(|error| Failure::lasting(error.to_string()))?;
        let kept = archive.put(&bytes).map_err(|error| Failure::passing(error.to_string()))?;
        Ok(Profiled { profiles, tables, kept, hashes })
    }

    /// The archived profiles, each table read from its archived copy where there is one: what was looked at is what is
    /// computed with.
    fn profiles(&self, kept: &str, hashes: &BTreeMap<String, String>) -> Result<Profiles, Failure> {
        let bytes = self.archive().get(kept).map_err(|error| Failure::lasting(error.to_string()))?;
        let mut profiles: Profiles =
            serde_json::from_slice(&bytes).map_err(|error| Failure::lasting(error.to_string()))?;
        for table in &mut profiles.tables {
            self.redirect(&mut table.reading, hashes);
        }
        Ok(profiles)
    }

    /// Reads a table from its archived copy, if there is one.
    fn redirect(&self, reading: &mut TableReading, hashes: &BTreeMap<String, String>) {
        let copy = hashes.get(&reading.file).map(|hash| self.home.join(Archive::place(hash)));
        if let Some(copy) = copy.filter(|copy| copy.is_file()) {
            reading.file = copy.display().to_string();
        }
    }

    fn compute(&self, act: ComputeAnswers) -> Result<Computed, Failure> {
        let profiles = self.profiles(&act.kept, &act.hashes)?;
        match self.work(Work::Answer { profiles, questions: act.questions })? {
            Response::Answer { answers } => Ok(Computed { answers }),
            _ => Err(misunderstood()),
        }
    }

    fn find(&self, act: &FindFindings) -> Result<Found, Failure> {
        match self.work(Work::Find { profiles: self.profiles(&act.kept, &act.hashes)? })? {
            Response::Find { findings } => Ok(Found { findings }),
            _ => Err(misunderstood()),
        }
    }

    /// Computes figures and series again.
    pub fn again(&self, mut act: RecomputeFigures) -> Result<ComputedAgain, Failure> {
        for table in &mut act.tables {
            self.redirect(table, &act.hashes);
        }
        let RecomputeFigures { tables, figures, series, .. } = act;
        match self.work(Work::Verify { tables, figures, series })? {
            Response::Verify { figures, series } => Ok(ComputedAgain { figures, series }),
            _ => Err(misunderstood()),
        }
    }
}

fn misunderstood() -> Failure {
    Failure::lasting("the reading process answered another question")
}

/// A number no other piece of work of this process has.
fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[async_trait]
impl Perform<ProfileData> for DataWorld {
    async fn perform(&self, act: ProfileData, _call: &Call) -> Result<Paid<Profiled>, Failure> {
        blocking(self, move |world| world.profile(act)).await
    }
}

#[async_trait]
impl Perform<ComputeAnswers> for DataWorld {
    async fn perform(&self, act: ComputeAnswers, _call: &Call) -> Result<Paid<Computed>, Failure> {
        blocking(self, move |world| world.compute(act)).await
    }
}

#[async_trait]
impl Perform<FindFindings> for DataWorld {
    async fn perform(&self, act: FindFindings, _call: &Call) -> Result<Paid<Found>, Failure> {
        blocking(self, move |world| world.find(&act)).await
    }
}

#[async_trait]
impl Perform<RecomputeFigures> for DataWorld {
    async fn perform(&self, act: RecomputeFigures, _call: &Call) -> Result<Paid<ComputedAgain>, Failure> {
        blocking(self, move |world| world.again(act)).await
    }
}

//! Taking unfinished runs over to the tables of this build.

use baton_machine::{TableText, describe};

use super::{Drive, Engine};
use crate::driver::{self, DriveError, load, load_coming};
use crate::folder::Folder;
use crate::migration::{self, Mapping, Plan, Prospect, Verdict, pinned};
use crate::record::Chained;
use crate::runs::{Runs, RunsError};
use crate::{Key, OpenQuestion, RunId, Work};

/// What became of a run that was to be taken over.
#[derive(Debug)]
pub struct MigrationDone {
    /// What was planned.
    pub plan: Plan,
    /// Whether it was carried out.
    pub done: bool,
    /// Questions that have an answer which the new node does not ask for in the same words.
    pub unasked: Vec<Key>,
}

impl Engine {
    /// Says what can be done with a run under the table of `W`. Nothing is changed.
    pub fn plan_migration<W: Work>(&self, run: &RunId, mapping: &Mapping) -> Result<Plan, DriveError> {
        Ok(self.prospect::<W>(run, mapping, "")?.1.plan)
    }

    /// Takes a run over to the table of `W`, if it is compatible. Nothing acts yet.
    pub async fn migrate<W: Work>(
        &self,
        run: &RunId,
        mapping: &Mapping,
        by: &str,
    ) -> Result<MigrationDone, DriveError> {
        let lease = self.store.lease(run).await?;
        let (chained, Prospect { plan, record }) = self.prospect::<W>(run, mapping, by)?;
        let Some(record) = record else {
            return Ok(MigrationDone { plan, done: false, unasked: Vec::new() });
        };
        let open = self.store.questions(Some(run))?;
        let table = serde_json::to_string(&describe(W::TABLE));
        let table = table.map_err(|error| DriveError::Unstorable(error.to_string()))?;
        self.store.keep_definition(record.table, table)?;
        let loaded = load_coming::<W>(&chained, self.store.blobs(), &record)?;
        let mut host = self.host(lease, run, &Drive::default())?;
        let mut nobody = ();
        let mut folder = Folder::<W>::new(self, run.clone(), &mut nobody);
        let order = (self.clock.now(), record);
        let visit = driver::migrate(&mut host, self.store.blobs(), &mut folder, loaded, order).await?;
        host.release().await;
        let unasked = self.keep_answers::<W>(run, &open, visit)?;
        Ok(MigrationDone { plan, done: true, unasked })
    }

    /// An answer that nobody has taken in yet goes to the same question of the new visit.
    fn keep_answers<W: Work>(
        &self,
        run: &RunId,
        open: &[OpenQuestion],
        visit: u32,
    ) -> Result<Vec<Key>, DriveError> {
        let mut unasked = Vec::new();
        let mut asked = None;
        for question in open {
            if self.store.given(run, &question.key)?.is_none() {
                continue;
            }
            let now = match &asked {
                Some(now) => now,
                None => {
                    let chained = self.store.journal_from_start(run)?.tail;
                    let loaded = load::<W>(None, &chained, self.store.blobs())?;
                    &*asked.insert(driver::questions(loaded, self.store.blobs())?)
                }
            };
            let name = &question.key.name;
            if now.get(name) == Some(&question.question) {
                self.store.readdress(run, &question.key, &Key { visit, name: name.clone() })?;
            } else {
                unasked.push(question.key.clone());
            }
        }
        Ok(unasked)
    }

    fn prospect<W: Work>(
        &self,
        run: &RunId,
        mapping: &Mapping,
        by: &str,
    ) -> Result<(Vec<Chained>, Prospect), DriveError> {
        let journal = self.store.journal(run)?;
        if let Some(loss) = journal.loss {
            return Err(RunsError::Lost(loss).into());
        }
        let chained = self.store.journal_from_start(run)?.tail;
        let old: Option<TableText> = match pinned(&chained) {
            Some((hash, _)) => self.table(&hash)?,
            None => None,
        };
        let subject = migration::Subject { run, chained: &chained, old, by: (by, self.clock.now()) };
        let mut prospect = migration::plan::<W>(&subject, mapping, self.store.blobs());
        let torn = journal.torn.map(|torn| format!("its last record, {}, is torn", torn.n));
        // The new visit would begin children of its own, and nobody would hear of the end of this one.
        let open = self.store.open_children(run)?.into_iter().next();
        let open = open.map(|(key, child)| format!("its child {child} ({key}) is not over"));
        if let Some(what) = torn.or(open).filter(|_| prospect.record.is_some()) {
            let why = format!("{what}; let the version that started it resume it first");
            prospect.plan.verdict = Verdict::Blocked { why };
            prospect.record = None;
        }
        Ok((chained, prospect))
    }
}

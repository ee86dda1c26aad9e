//! Taking a run with everything below it out of a home, and into one.

use std::io::{BufRead, Seek, Write};

use super::Engine;
use crate::parcel::{self, Contents, Family, Label, Member, ParcelError, Shelf, Tally};
use crate::record::{Body, Chained};
use crate::runs::RunsError;
use crate::{Hash, RunId};

/// What became of a parcel.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Imported {
    /// What it holds.
    #[serde(flatten)]
    pub tally: Tally,
    /// Whether it was here already, so that nothing was changed.
    pub was_here: bool,
}

impl Engine {
    /// Packs a run and everything below it. Refused while anybody drives one of them.
    pub fn export(&self, run: &RunId, shelf: &dyn Shelf, to: &mut dyn Write) -> Result<Tally, ParcelError> {
        parcel::write(&self.family(run)?, self.store.blobs(), shelf, to)
    }

    /// A run and everything below it, whole and at rest.
    fn family(&self, run: &RunId) -> Result<Family, ParcelError> {
        if let Some(parent) = self.store.parent(run)? {
            return Err(ParcelError::Child { run: run.clone(), parent });
        }
        let mut names = vec![run.clone()];
        names.extend(self.store.descendants(run)?.into_iter().map(|row| row.name));
        let mut family = Family::default();
        for name in &names {
            let member = self.member(name)?;
            for hash in tables_of(&member.records) {
                let Some(text) = self.store.definition(&hash)? else {
                    return Err(in_use(format!("the table {} of run {name} is not stored", hash.short())));
                };
                family.tables.insert(hash, text);
            }
            family.members.push(member);
        }
        Ok(family)
    }

    fn member(&self, run: &RunId) -> Result<Member, ParcelError> {
        if self.store.is_driven(run)? {
            return Err(in_use(format!("run {run} is being driven; export it when it rests")));
        }
        let journal = self.store.journal(run)?;
        if let Some(loss) = journal.loss {
            return Err(RunsError::Lost(loss).into());
        }
        if let Some(torn) = journal.torn {
            return Err(RunsError::Damaged { run: run.clone(), n: torn.n }.into());
        }
        for question in self.store.questions(Some(run))? {
            if self.store.given(run, &question.key)?.is_some() {
                let key = question.key;
                return Err(in_use(format!(
                    "run {run} has not taken in the answer to {key} yet, and answers stay behind; `baton resume {run}` takes it in"
                )));
            }
        }
        let records = self.store.journal_from_start(run)?.tail;
        let row = self.store.run(run)?;
        let label = Label {
            run: run.clone(),
            workflow: row.workflow,
            title: row.title,
            parent: self.store.parent(run)?,
            records: records.last().map_or(0, |last| last.n),
            head: records.last().map_or(Hash::ZERO, |last| last.hash),
        };
        Ok(Member { label, records })
    }

    /// Takes in a parcel. It is read twice: nothing is kept of one that is not whole.
    pub fn import(
        &self,
        from: &mut (impl BufRead + Seek),
        shelf: &dyn Shelf,
    ) -> Result<Imported, ParcelError> {
        let contents = parcel::read(&mut *from, &mut ())?;
        if self.is_here(&contents)? {
            return Ok(Imported { tally: contents.tally, was_here: true });
        }
        from.rewind()?;
        let again = parcel::read(from, &mut self.store.keeper(shelf))?;
        if again.tally != contents.tally {
            return Err(ParcelError::Damaged("it was changed while it was read".to_owned()));
        }
        let tally = again.tally.clone();
        self.store.take_in(again)?;
        Ok(Imported { tally, was_here: false })
    }

    /// Whether all of these runs are here as they are in the parcel; refused if one is here otherwise.
    fn is_here(&self, contents: &Contents) -> Result<bool, ParcelError> {
        let mut here = 0;
        for packed in &contents.runs {
            let Label { run, records, head, .. } = &packed.label;
            let verified = match self.store.verify(run) {
                Err(RunsError::NoRun(_)) => continue,
                verified => verified?,
            };
            if (verified.records, verified.head) != (*records, *head) {
                let how = format!("it has {} here and {records} in the file", verified.records);
                let how =
                    if verified.records == *records { "its records are others".to_owned() } else { how };
                return Err(ParcelError::Taken { run: run.clone(), how });
            }
            here += 1;
        }
        match contents.runs.first() {
            Some(first) if here > 0 && here < contents.runs.len() => Err(ParcelError::Taken {
                run: first.label.run.clone(),
                how: "only some of the runs below it are here".to_owned(),
            }),
            _ => Ok(here > 0),
        }
    }
}

fn in_use(what: String) -> ParcelError {
    RunsError::InUse(what).into()
}

/// The tables a run was ever pinned to.
fn tables_of(records: &[Chained]) -> Vec<Hash> {
    let told = |chained: &Chained| {
        let may = chained.n == 1 || chained.text.starts_with("{\"migrated\"");
        match may.then(|| chained.open().ok()).flatten()?.body {
            Body::Started(started) => Some(started.table),
            Body::Migrated(migrated) => Some(migrated.table),
            _ => None,
        }
    };
    records.iter().filter_map(told).collect()
}

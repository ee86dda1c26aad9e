//! Whether kept journals still hold: finished ones fold to the same memory and files for ever, unfinished ones drive
//! on, and every name they store is still the name of the same thing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use baton_engine::migration::Mapping;
use baton_engine::record::Body;
use baton_engine::store::CrashPlan;
use baton_engine::torture::Rehearse;
use baton_engine::{DriveError, End, RunId};
use baton_machine::Outcome;
use tempfile::tempdir;

use super::{Kept, drive_on, engine, fields, folded, table_words};
use crate::snapshot::{WRITE, same_as_file, writes};

/// What befell the runs: nothing; a crash; two in a row. The last two were left by programs that are no more: one
/// stopped as broken after two crashes, one took a wrong answer.
const CASES: [&str; 5] = ["finished", "crashed", "twice", "broken", "misled"];

/// A journal could not be kept, restored or read.
pub type Unkept = Box<dyn std::error::Error>;

/// Fails unless the journals in `tests/golden/NAME` of a crate hold. Journals are recorded when they are missing and
/// snapshots are written; a journal that is there is never written again.
pub async fn hold<W: Rehearse>(krate: &Path) -> Result<(), Unkept> {
    let folder = krate.join("tests/golden").join(W::NAME);
    if writes() {
        record_missing::<W>(&folder).await?;
    }
    for case in &CASES[..2] {
        let path = folder.join(case).with_extension("jsonl");
        assert!(path.exists(), "{} is missing; {WRITE}=1 records it", path.display());
    }
    for case in CASES {
        if let Some(kept) = Kept::read(&folder.join(case).with_extension("jsonl")) {
            folds_as_before::<W>(&folder, case, &kept).await?;
            drives_on::<W>(case, &kept).await?;
        }
    }
    stores_these_names::<W>(&folder).await
}

async fn record_missing<W: Rehearse>(folder: &Path) -> Result<(), Unkept> {
    for case in &CASES[..3] {
        let path = folder.join(case).with_extension("jsonl");
        if !path.exists() {
            let kept = match *case {
                "finished" => recorded::<W>(&[]).await?.0,
                "crashed" => most_in_flight::<W>(None).await?,
                _ => most_in_flight::<W>(Some(2)).await?,
            };
            kept.write(&path)?;
        }
    }
    Ok(())
}

/// The journal of a rehearsal that dies after these commits, each counted from the last death; and whether it died.
async fn recorded<W: Rehearse>(deaths: &[u64]) -> Result<(Kept, bool), Unkept> {
    let home = tempdir()?;
    let mut run: Option<RunId> = None;
    let mut died = true;
    for at in deaths.iter().map(Some).chain(deaths.is_empty().then_some(None)) {
        let plan = at.map(|at| Arc::new(CrashPlan::new(*at, true, false)));
        let engine = engine::<W>(home.path(), plan.clone())?;
        let rehearsal = W::rehearsal();
        let begun = match run {
            Some(run) => run,
            None => engine.start::<W>(&rehearsal.input, rehearsal.settings)?,
        };
        // Dying is the point of it.
        drop(drive_on::<W>(&engine, &begun, rehearsal.answer).await);
        died &= plan.is_some_and(|plan| plan.dead.load(Ordering::SeqCst));
        run = Some(begun);
    }
    let run = run.ok_or("a rehearsal that was not begun")?;
    Ok((Kept::of(&engine::<W>(home.path(), None)?, &run)?, died))
}

/// The journal of a crash with the most calls in flight, and of another while it recovered if that is wanted.
async fn most_in_flight<W: Rehearse>(again: Option<u64>) -> Result<Kept, Unkept> {
    let mut most: Option<(usize, Kept)> = None;
    for at in 3.. {
        let deaths: Vec<u64> = [at].into_iter().chain(again).collect();
        let (kept, died) = recorded::<W>(&deaths).await?;
        if !died {
            break;
        }
        let flying = in_flight(&kept)?;
        if most.as_ref().is_none_or(|(before, _)| flying > *before) {
            most = Some((flying, kept));
        }
    }
    Ok(most.ok_or("the rehearsal is too short to crash")?.1)
}

fn in_flight(kept: &Kept) -> Result<usize, Unkept> {
    let mut flying = 0;
    for record in &kept.records {
        match record.open()?.body {
            Body::Intent(_) => flying += 1,
            Body::Receipt(_) => flying -= 1,
            _ => {}
        }
    }
    Ok(flying)
}

async fn folds_as_before<W: Rehearse>(folder: &Path, case: &str, kept: &Kept) -> Result<(), Unkept> {
    assert!(kept.is_whole(), "{} {case}", W::NAME);
    let home = tempdir()?;
    let engine = engine::<W>(home.path(), None)?;
    let run = kept.restore::<W>(&engine).await?;
    let (memory, files) = folded::<W>(&engine, &run)?;
    let beside = |ending: &str| folder.join(format!("{case}.{ending}"));
    same_as_file(beside("memory.json"), &(serde_json::to_string_pretty(&memory)? + "\n"));
    same_as_file(beside("files.txt"), &files);
    Ok(())
}

/// Unfinished journals are driven on to the same end; those of other code are refused, and where they can be taken over
/// they reach that end too. Nothing else.
async fn drives_on<W: Rehearse>(case: &str, kept: &Kept) -> Result<(), Unkept> {
    let home = tempdir()?;
    let engine = engine::<W>(home.path(), None)?;
    let run = kept.restore::<W>(&engine).await?;
    let mut end = drive_on::<W>(&engine, &run, W::rehearsal().answer).await;
    if matches!(end, Err(DriveError::Changed { .. })) {
        if !engine.migrate::<W>(&run, &Mapping::default(), "the test").await?.done {
            return Ok(());
        }
        end = drive_on::<W>(&engine, &run, W::rehearsal().answer).await;
    }
    match end {
        Ok(End::Finished(Outcome::Completed)) => Ok(()),
        Ok(other) => Err(format!("{} {case} ends with {other:?}", W::NAME).into()),
        Err(error) => Err(format!("{} {case}: {error}", W::NAME).into()),
    }
}

/// Every name the workflow stores. A name that is gone from here is still in the journals of its users.
async fn stores_these_names<W: Rehearse>(folder: &Path) -> Result<(), Unkept> {
    let home = tempdir()?;
    let engine = engine::<W>(home.path(), None)?;
    let rehearsal = W::rehearsal();
    let run = engine.start::<W>(&rehearsal.input, rehearsal.settings)?;
    drive_on::<W>(&engine, &run, rehearsal.answer).await?;
    let mut names = Kept::of(&engine, &run)?.names();
    fields("memory", &folded::<W>(&engine, &run)?.0["memory"], &mut names);
    let text: String = names.into_iter().map(|name| name + "\n").collect();
    same_as_file(folder.join("names.txt"), &(table_words::<W>() + &text));
    Ok(())
}

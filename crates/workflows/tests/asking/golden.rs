//! Journals of approval, debate and research as they were recorded once: finished ones fold to the same memory
//! and files for ever, unfinished ones drive on, and every name they store is still the name of the same thing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use baton_engine::record::Body;
use baton_engine::store::{CrashPlan, OpenQuestion};
use baton_engine::torture::Rehearse;
use baton_engine::{DriveError, End, RunId, StopReason};
use baton_machine::Outcome;
use baton_testkit::golden::{Kept, drive_on, engine, fields, folded, table_words};
use baton_testkit::snapshot::{WRITE, same_as_file};
use baton_workflows::approval::Approval;
use baton_workflows::debate::Debate;
use baton_workflows::research::Research;
use serde_json::{Value, json};
use tempfile::tempdir;

/// What befell the runs: nothing; a crash; two in a row, and what the program of that day made of them; a wrong answer.
const CASES: [&str; 5] = ["finished", "crashed", "twice", "broken", "misled"];

fn folder<W: Rehearse>() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", W::NAME].iter().collect()
}

fn kept<W: Rehearse>(case: &str) -> Option<Kept> {
    Kept::read(&folder::<W>().join(case).with_extension("jsonl"))
}

/// Journals are recorded when a case is missing and never again: WRITE_GOLDEN=1, and commit what it wrote.
async fn record_missing<W: Rehearse>(mislead: Option<fn(&OpenQuestion) -> Value>) {
    if std::env::var_os("WRITE_GOLDEN").is_none() {
        return;
    }
    for case in CASES {
        let path = folder::<W>().join(case).with_extension("jsonl");
        if path.exists() {
            continue;
        }
        let made = match case {
            "finished" => Some(finished::<W>().await),
            "crashed" => Some(crashed::<W>().await),
            "twice" => broken::<W>().await.map(|(crashed, _)| crashed),
            "broken" => broken::<W>().await.map(|(_, stopped)| stopped),
            _ => match mislead {
                Some(answer) => misled::<W>(answer).await,
                None => None,
            },
        };
        if let Some(kept) = made {
            kept.write(&path).unwrap();
        }
    }
}

async fn begin<W: Rehearse>(home: &Path, plan: Option<Arc<CrashPlan>>, parallel: Option<u32>) -> RunId {
    let engine = engine::<W>(home, plan).unwrap();
    let mut rehearsal = W::rehearsal();
    rehearsal.settings.parallel = parallel.unwrap_or(rehearsal.settings.parallel);
    let run = engine.start::<W>(&rehearsal.input, rehearsal.settings).unwrap();
    // Dying is the point of it.
    drop(drive_on::<W>(&engine, &run, rehearsal.answer).await);
    run
}

/// Goes on after a crash, until the next one.
async fn go_on<W: Rehearse>(
    home: &Path,
    run: &RunId,
    plan: Option<Arc<CrashPlan>>,
) -> Result<End, DriveError> {
    let engine = engine::<W>(home, plan).unwrap();
    drive_on::<W>(&engine, run, W::rehearsal().answer).await
}

async fn finished<W: Rehearse>() -> Kept {
    let home = tempdir().unwrap();
    let run = begin::<W>(home.path(), None, None).await;
    Kept::of(&engine::<W>(home.path(), None).unwrap(), &run).unwrap()
}

/// The journal of a crash with the most calls in flight.
async fn crashed<W: Rehearse>() -> Kept {
    let mut most: Option<(usize, Kept)> = None;
    for at in 3.. {
        let home = tempdir().unwrap();
        let plan = Arc::new(CrashPlan::new(at, true, false));
        let run = begin::<W>(home.path(), Some(Arc::clone(&plan)), None).await;
        if !plan.dead.load(Ordering::SeqCst) {
            break;
        }
        let kept = Kept::of(&engine::<W>(home.path(), None).unwrap(), &run).unwrap();
        let flying = in_flight(&kept);
        if most.as_ref().is_none_or(|(before, _)| flying > *before) {
            most = Some((flying, kept));
        }
    }
    most.unwrap().1
}

fn in_flight(kept: &Kept) -> usize {
    let count = |want: fn(&Body) -> bool| {
        kept.records.iter().filter(|record| want(&record.open().unwrap().body)).count()
    };
    count(|body| matches!(body, Body::Intent(_))) - count(|body| matches!(body, Body::Receipt(_)))
}

/// The first pair of crashes after which the program of its day stopped the run as broken: before and after that.
async fn broken<W: Rehearse>() -> Option<(Kept, Kept)> {
    for parallel in [2, 3, 1] {
        for at in 3..200 {
            for again in 2..5 {
                let home = tempdir().unwrap();
                let plan = Arc::new(CrashPlan::new(at, true, false));
                let run = begin::<W>(home.path(), Some(Arc::clone(&plan)), Some(parallel)).await;
                if !plan.dead.load(Ordering::SeqCst) {
                    break;
                }
                let second = Arc::new(CrashPlan::new(again, true, false));
                drop(go_on::<W>(home.path(), &run, Some(second)).await);
                let now = || Kept::of(&engine::<W>(home.path(), None).unwrap(), &run).unwrap();
                let crashed = now();
                if let Ok(End::Stopped { reason: StopReason::Broken, .. }) =
                    go_on::<W>(home.path(), &run, None).await
                {
                    return Some((crashed, now()));
                }
            }
        }
    }
    None
}

/// A run that a wrong answer stopped, where the program of its day took it.
async fn misled<W: Rehearse>(answer: fn(&OpenQuestion) -> Value) -> Option<Kept> {
    for at in 2..60 {
        let home = tempdir().unwrap();
        let plan = Arc::new(CrashPlan::new(at, true, false));
        let run = begin::<W>(home.path(), Some(plan), None).await;
        let engine = engine::<W>(home.path(), None).unwrap();
        if let Ok(End::Stopped { reason: StopReason::Broken, .. }) =
            drive_on::<W>(&engine, &run, answer).await
        {
            return Some(Kept::of(&engine, &run).unwrap());
        }
    }
    None
}

async fn folds_as_before<W: Rehearse>() {
    for case in CASES {
        let Some(kept) = kept::<W>(case) else { continue };
        assert!(kept.is_whole(), "{} {case}", W::NAME);
        let home = tempdir().unwrap();
        let engine = engine::<W>(home.path(), None).unwrap();
        let run = kept.restore::<W>(&engine).await.unwrap();
        let (memory, files) = folded::<W>(&engine, &run).unwrap();
        let beside = |ending: &str| folder::<W>().join(format!("{case}.{ending}"));
        same_as_file(beside("memory.json"), &(serde_json::to_string_pretty(&memory).unwrap() + "\n"));
        same_as_file(beside("files.txt"), &files);
    }
}

/// Unfinished journals are driven on to the same end, or refused as those of other code; nothing else.
async fn drives_on<W: Rehearse>() {
    for case in CASES {
        let Some(kept) = kept::<W>(case) else { continue };
        let home = tempdir().unwrap();
        let engine = engine::<W>(home.path(), None).unwrap();
        let run = kept.restore::<W>(&engine).await.unwrap();
        match drive_on::<W>(&engine, &run, W::rehearsal().answer).await {
            Ok(End::Finished(outcome)) => assert_eq!(outcome, Outcome::Completed, "{} {case}", W::NAME),
            Err(DriveError::Changed { .. }) => {}
            other => panic!("{} {case}: {other:?}", W::NAME),
        }
    }
}

/// Every name the workflow stores. A name that is gone from here is still in the journals of its users.
async fn stores_these_names<W: Rehearse>() {
    let home = tempdir().unwrap();
    let run = begin::<W>(home.path(), None, None).await;
    let engine = engine::<W>(home.path(), None).unwrap();
    let mut names = Kept::of(&engine, &run).unwrap().names();
    fields("memory", &folded::<W>(&engine, &run).unwrap().0["memory"], &mut names);
    let text: String = names.into_iter().map(|name| name + "\n").collect();
    same_as_file(folder::<W>().join("names.txt"), &(table_words::<W>() + &text));
}

async fn holds<W: Rehearse>(mislead: Option<fn(&OpenQuestion) -> Value>) {
    record_missing::<W>(mislead).await;
    assert!(kept::<W>("finished").is_some() && kept::<W>("crashed").is_some(), "{}", W::NAME);
    folds_as_before::<W>().await;
    stores_these_names::<W>().await;
    if std::env::var_os(WRITE).is_none() {
        drives_on::<W>().await;
    }
}

#[tokio::test]
async fn journals_of_approval_are_read_for_ever() {
    holds::<Approval>(Some(|open| match open.key.name.as_str() {
        "approve" => json!(true),
        "repair" => json!("again"),
        _ => json!({"happened": true, "result": "yes"}),
    }))
    .await;
}

#[tokio::test]
async fn journals_of_debate_are_read_for_ever() {
    holds::<Debate>(None).await;
}

#[tokio::test]
async fn journals_of_research_are_read_for_ever() {
    holds::<Research>(Some(|_| json!({"plan": {}}))).await;
}

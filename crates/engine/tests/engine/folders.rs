//! Many write one run's folder while it is driven: every file is whole, and never older than before.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use baton_engine::driver::DriveError;
use baton_engine::engine::Pace;
use baton_engine::{Drive, End, RunFile, flow, folder};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Puppet};

use crate::common::{Home, how};

const READS: usize = 2_000;
const WORDS: usize = 400;

/// Line by line, each of them long: a torn or swapped file cannot look like one of these.
fn lines() -> Vec<Vec<Do>> {
    (0..WORDS).map(|number| vec![Do::Say(format!("{number} {}", "x".repeat(300)))]).collect()
}

/// How many whole lines a rendering has.
fn whole(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(*line, format!("{number} {}", "x".repeat(300)), "line {number} of {}", lines.len());
    }
    lines.len()
}

#[tokio::test]
async fn readers_see_whole_files_that_only_get_newer() {
    let home = Home::new();
    let engine = home.engine();
    let run = home.start(&engine, &lines()).unwrap();
    let path = engine.store.run_folder(&run).join("said.txt");
    let (over, reads) = (AtomicBool::new(false), AtomicUsize::new(0));
    let flow = flow::<Puppet>();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Each as a process of its own would: its own store, its own look at the journal.
                let engine = home.engine();
                while !over.load(Ordering::SeqCst) {
                    folder::rewrite(engine.store.home(), &run, || flow.files(&engine, &run)).unwrap();
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                let mut newest = 0;
                while reads.load(Ordering::SeqCst) < READS {
                    let Ok(text) = std::fs::read_to_string(&path) else { continue };
                    let seen = whole(&text);
                    assert!(seen >= newest, "{seen} lines after {newest}");
                    newest = seen;
                    reads.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let how = Drive { pace: Pace { poll: None, ..Pace::default() }, ..how() };
            let end = runtime.block_on(engine.drive::<Puppet>(&run, how, &mut ()));
            assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
            while reads.load(Ordering::SeqCst) < READS {
                std::thread::yield_now();
            }
            over.store(true, Ordering::SeqCst);
        });
    });
    assert_eq!(whole(&std::fs::read_to_string(&path).unwrap()), WORDS);
    assert_eq!(names(path.parent().unwrap()), ["said.txt".to_owned()].into(), "nothing is left behind");
}

fn names(folder: &std::path::Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn files_of_one_stem_do_not_get_into_each_others_way_and_leftovers_go() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![]).await;
    let folder = engine.store.run_folder(&run);
    std::fs::write(folder.join(".report.md.77-0.unfinished"), "half").unwrap();
    let made =
        [RunFile::text("report.md", "m"), RunFile::text("report.html", "h"), RunFile::text("a/b.txt", "b")];
    let make = || Ok::<_, DriveError>(made.to_vec());
    folder::rewrite(engine.store.home(), &run, make).unwrap();
    folder::rewrite(engine.store.home(), &run, make).unwrap();
    assert_eq!(names(&folder), ["a", "report.html", "report.md", "said.txt"].map(str::to_owned).into());
    assert_eq!(std::fs::read_to_string(folder.join("report.md")).unwrap(), "m");
    assert_eq!(std::fs::read_to_string(folder.join("report.html")).unwrap(), "h");
}

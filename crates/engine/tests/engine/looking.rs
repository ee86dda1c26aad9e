//! A store that is opened only to look: it reads what is there, refuses to write, and leaves no trace.

use std::collections::BTreeSet;
use std::sync::Arc;

use baton_engine::driver::Vault;
use baton_engine::history::{Entry, EntryBody};
use baton_engine::store::{OpenError, Store};
use baton_engine::{Clock, Effects, Engine, HostError, RunsError, SeededDice};
use baton_testkit::puppet::{Do, Event, Puppet, State};

use crate::common::{EPOCH, Home, drive, records};

fn ask() -> Do {
    Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None }
}

fn names(home: &Home) -> BTreeSet<std::ffi::OsString> {
    std::fs::read_dir(home.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[tokio::test]
async fn a_home_at_rest_is_read_and_not_touched() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![Do::SayLong(40_000), ask()]]).await;
    let (before, there) = (records(&engine, &run), engine.store.journal(&run).unwrap());
    drop(engine);
    let lies = names(&home);
    let looking = Engine {
        store: Store::look(home.folder.path()).unwrap(),
        clock: Arc::clone(&home.clock) as Arc<dyn Clock>,
        dice: Arc::new(SeededDice::new(7)),
        effects: Effects::default(),
    };
    assert_eq!(names(&home), lies);
    assert_eq!(records(&looking, &run), before);
    assert_eq!(looking.store.journal(&run).unwrap().tail, there.tail);
    assert_eq!(looking.store.find("last").unwrap(), run);
    assert_eq!(looking.store.verify(&run).unwrap().loss, None);
    there.payloads.iter().for_each(|hash| drop(looking.store.blobs().fetch(hash).unwrap()));
    assert!(looking.present::<Puppet>(&run).is_ok());
    let refused = drive(&looking, &run).await.unwrap_err().to_string();
    assert!(refused.contains("this process may only look at it"), "{refused}");
    let refused = looking.store.post_cancel(&run, "me", EPOCH).unwrap_err();
    assert!(matches!(refused, RunsError::Host(HostError::Unwritable { .. })), "{refused}");
}

#[tokio::test]
async fn files_see_events_as_the_workflow_knows_them_also_long_ones() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![Do::Say("short".to_owned()), Do::SayLong(40_000)]]).await;
    let stored = records(&engine, &run);
    assert!(stored.iter().any(|record| record.body.long_payload().is_some()));
    let seen = stored.into_iter().map(|record| Entry::<Puppet>::read(record, engine.store.blobs()));
    let said = seen.filter_map(|entry| match entry.body {
        EntryBody::Transition(moved) => match moved.event {
            Event::Said { words } => Some((moved.from, moved.to, words.len())),
            _ => None,
        },
        EntryBody::Other(_) => None,
    });
    let here = State::Working;
    assert_eq!(said.collect::<Vec<_>>(), [(here, here, 5), (here, here, 40_000)]);
}

#[tokio::test]
async fn what_a_living_writer_commits_is_seen() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![ask()]]).await;
    let store = Store::look(home.folder.path()).unwrap();
    let before = store.records(&run, 1).unwrap().len();
    engine.store.answer(&run, &"1/q".parse().unwrap(), &"on".into(), "me", EPOCH).unwrap();
    drive(&engine, &run).await.unwrap();
    assert!(store.records(&run, 1).unwrap().len() > before);
}

#[test]
fn a_file_of_another_format_is_left_alone() {
    let home = Home::new();
    drop(home.engine());
    for (version, newer) in [(1, false), (99, true)] {
        let file = rusqlite::Connection::open(home.folder.path().join("baton.db")).unwrap();
        file.execute_batch(&format!("PRAGMA user_version = {version}")).unwrap();
        drop(file);
        match Store::look(home.folder.path()).unwrap_err() {
            OpenError::Newer { .. } => assert!(newer),
            OpenError::Older { .. } => assert!(!newer),
            other => panic!("{other}"),
        }
    }
}

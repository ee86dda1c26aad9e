//! Names and paths that no Baton has put into a home: none of them becomes a path.

use std::path::PathBuf;

use baton_engine::{Hash, HostError, RunFile, RunId, RunsError, folder};
use baton_testkit::puppet::{Do, poke};
use rusqlite::Connection;

use crate::common::{Home, drive};

/// A run that is over, in a home below a folder in which nothing else may appear.
async fn home() -> (Home, RunId) {
    let home = Home::new();
    let (_, run, end) = home.play(vec![vec![Do::Step(poke("a"))]]).await;
    end.unwrap();
    (home, run)
}

fn meddle(home: &Home, sql: &str) {
    Connection::open(home.folder.path().join("baton.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_name_is_one_that_baton_could_have_chosen() {
    for bits in [0, 1, 7, u64::MAX, 0x0123_4567_89ab_cdef] {
        let run = RunId::from_bits(bits);
        assert_eq!(run.as_str().parse::<RunId>().unwrap(), run);
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(text, format!("\"{run}\""));
        assert_eq!(serde_json::from_str::<RunId>(&text).unwrap(), run);
    }
    for foreign in [
        "",
        ".",
        "..",
        "last",
        "../../../escaped",
        "/etc/passwd",
        "7kq2mzx4b",
        "7kq2mzx4bdd",
        "7KQ2MZX4BD",
        "7kq2mzx4b/",
        "7kq2mzx4b\0",
        "7kq2\u{202e}zx4bd",
        "aeiouaeiou",
        "C:\\evil\\xx",
    ] {
        let error = foreign.parse::<RunId>().unwrap_err().to_string();
        assert!(error.contains("is not the name of a run") && !error.contains('\0'), "{error}");
        let json = serde_json::to_string(foreign).unwrap();
        assert!(serde_json::from_str::<RunId>(&json).is_err(), "{foreign:?}");
    }
}

#[test]
fn a_hash_is_digits_alone() {
    assert!("0f".repeat(32).parse::<Hash>().is_ok());
    for foreign in ["+f".repeat(32), "../".repeat(21) + "x", "0f".repeat(31), "0f".repeat(33)] {
        assert!(foreign.parse::<Hash>().is_err(), "{foreign}");
    }
}

#[tokio::test]
async fn a_run_with_a_foreign_name_is_damage_wherever_it_is_read() {
    let (home, run) = home().await;
    meddle(&home, "UPDATE run SET name = '../../../escaped'");
    let store = home.engine().store;
    let found = [
        store.find("last").map(drop),
        store.find("../").map(drop),
        store.runs(None).map(drop),
        store.list(Default::default()).map(drop),
    ];
    for found in found {
        let error = found.unwrap_err();
        assert!(matches!(error, RunsError::Foreign(_)), "{error:?}");
        assert!(error.to_string().contains("\"../../../escaped\""), "{error}");
    }
    // Its name is still anchored, so it is told as lost rather than as never started.
    assert!(matches!(store.find(run.as_str()), Err(RunsError::Lost(_))));
}

#[tokio::test]
async fn a_record_with_a_foreign_name_cannot_be_read() {
    let (home, run) = home().await;
    let name = run.as_str();
    meddle(&home, &format!("UPDATE record SET body = replace(body, '{name}', '../../..') WHERE n = 1"));
    let store = home.engine().store;
    let first = store.records(&run, 1).unwrap().remove(0);
    assert!(first.text.contains("../../.."));
    assert!(first.open().unwrap_err().to_string().contains("is not the name of a run"));
}

/// The file of a dead owner is taken away, so an owner's name must not lead to a file of somebody else's.
#[tokio::test]
async fn the_owner_of_a_run_names_no_file_but_a_lock() {
    for token in ["../precious", "../../precious", "/precious", "precious", "1-", "1-0123456789abcdeg"] {
        let (home, run) = home().await;
        let folder = home.folder.path();
        let precious = [folder.join("precious"), folder.join("locks/precious"), folder.join("locks/1-")];
        precious.iter().for_each(|file| std::fs::write(file, "mine").unwrap());
        meddle(&home, &format!("UPDATE run SET owner = '{token}'"));
        let engine = home.engine();
        assert!(!engine.store.is_driven(&run).unwrap(), "{token}");
        drive(&engine, &run).await.unwrap();
        assert!(precious.iter().all(|file| file.exists()), "{token}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_not_written_through_a_link_that_leads_out_of_the_home() {
    let (home, run) = home().await;
    let outside = tempfile::tempdir().unwrap();
    let store = home.engine().store;
    let of_run = store.run_folder(&run);
    std::fs::create_dir_all(&of_run).unwrap();
    std::os::unix::fs::symlink(outside.path(), of_run.join("assets")).unwrap();
    std::fs::write(outside.path().join("secret"), "a key").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), home.folder.path().join("leak")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), of_run.join("told.txt")).unwrap();
    let write = |file: RunFile| folder::rewrite(store.home(), &run, || Ok::<_, HostError>(vec![file]));
    for file in [
        RunFile::text("assets/x.txt", "x"),
        RunFile::text("assets/new/deep/x.txt", "x"),
        RunFile::text("../x.txt", "x"),
        RunFile::copy("x.txt", "leak"),
        RunFile::copy("x.txt", "../x"),
    ] {
        let error = write(file.clone()).unwrap_err().to_string();
        assert!(error.contains("leads out of it"), "{file:?}: {error}");
    }
    write(RunFile::text("told.txt", "told")).unwrap();
    assert_eq!(
        std::fs::read_to_string(of_run.join("told.txt")).unwrap(),
        "told",
        "a link in its place is replaced"
    );
    let left: Vec<PathBuf> =
        std::fs::read_dir(outside.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [outside.path().join("secret")]);
    assert_eq!(std::fs::read_to_string(&left[0]).unwrap(), "a key");
}

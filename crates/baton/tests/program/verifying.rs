//! `verify`: everything a reader opens is what the journal renders, and a changed byte of any of it is named.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::research::research;
use crate::support::{Home, Output};

const QUESTION: &str = "How many buildings were connected to the Harlund network at the end of 2025?";

fn finished() -> (Home, PathBuf) {
    let home = Home::new();
    assert_eq!(research(&home, QUESTION, &[]).code, Some(0));
    let folder = home.path().join("runs").join(home.runs().pop().expect("a run"));
    (home, folder)
}

fn verify(home: &Home) -> (Output, Value) {
    let told = home.baton(&["verify", "last", "--json"]).json();
    (home.baton(&["verify", "last"]), told)
}

/// One of the copies.
fn asset(folder: &Path) -> String {
    let mut open = vec![folder.join("assets")];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                return path.strip_prefix(folder).expect("below").to_str().expect("a name").to_owned();
            }
        }
    }
    panic!("no copies")
}

#[test]
fn a_changed_byte_of_any_file_is_named_with_its_place() {
    let (home, folder) = finished();
    let (said, told) = verify(&home);
    assert_eq!((said.code, &told["holds"], &told["extra"]), (Some(0), &json!(true), &json!([])), "{told}");
    assert!(told["files"].as_u64() > Some(6) && said.out.contains(" files as they were written"), "{said:?}");
    let asset = asset(&folder);
    for name in [
        "report.md",
        "report.html",
        "evidence.json",
        "sources.bib",
        "task.md",
        "logs/orchestrator.log",
        &asset,
    ] {
        let path = folder.join(name);
        let whole = std::fs::read(&path).expect("a file");
        let at = whole.len() / 2;
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).expect("written");
        let (said, told) = verify(&home);
        assert_eq!((said.code, &told["holds"]), (Some(1), &json!(false)), "{name}: {said:?}");
        let found = told["findings"].as_array().expect("findings").iter().find(|one| one["file"] == *name);
        let found = found.unwrap_or_else(|| panic!("{name} is not named: {told}"));
        assert_eq!(
            (&found["problem"], &found["spots"][0]["offset"]),
            (&json!("file_changed"), &json!(at)),
            "{found}"
        );
        assert!(
            said.out.contains(&format!("{name} is not the file that was written: it differs at byte {at} ")),
            "{said:?}"
        );
        std::fs::write(&path, whole).expect("mended");
    }
    assert_eq!(verify(&home).0.code, Some(0));
}

#[test]
fn what_is_gone_is_named_and_what_is_added_only_mentioned() {
    let (home, folder) = finished();
    std::fs::write(folder.join("notes.txt"), "mine").expect("written");
    let (said, told) = verify(&home);
    assert_eq!((said.code, &told["extra"]), (Some(0), &json!(["notes.txt"])), "{told}");
    assert!(said.out.contains("not written by the run: notes.txt"), "{said:?}");
    std::fs::remove_file(folder.join("report.html")).expect("removed");
    let (said, _) = verify(&home);
    assert!(said.code == Some(1) && said.out.contains("report.html is gone"), "{said:?}");
    // Written again, it is as it was.
    assert_eq!(home.baton(&["files", "last"]).code, Some(0));
    assert_eq!(verify(&home).0.code, Some(0));
    // Without any folder there is nothing a reader could open: the journal holds.
    std::fs::remove_dir_all(&folder).expect("removed");
    let (said, told) = verify(&home);
    assert_eq!((said.code, &told["files"]), (Some(0), &json!(null)));
    assert!(said.out.contains("the run's folder is not there; `baton files "), "{said:?}");
}

#[test]
fn a_changed_original_is_told_from_a_changed_copy() {
    let (home, _) = finished();
    let memory = home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone();
    let (_, source) = memory["sources"].as_object().expect("sources").iter().next().expect("a source");
    let hash = source["source"]["raw_hash"].as_str().expect("a hash");
    std::fs::write(home.path().join("archive").join(&hash[..2]).join(hash), "other bytes").expect("damaged");
    let (said, _) = verify(&home);
    assert!(said.code == Some(1) && said.out.contains("the archived original of assets/"), "{said:?}");
}

#[test]
fn a_run_without_a_report_has_files_too() {
    let home = Home::new();
    let run = home.waiting();
    let (said, told) = verify(&home);
    assert_eq!((said.code, &told["files"], &told["claims"]), (Some(0), &json!(1), &json!(0)), "{said:?}");
    std::fs::write(home.path().join("runs").join(run).join("progress.md"), "# All done\n").expect("written");
    let (said, _) = verify(&home);
    assert!(
        said.code == Some(1) && said.out.contains("progress.md is not the file that was written"),
        "{said:?}"
    );
}

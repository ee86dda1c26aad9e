//! `migrate`, as a person types it, over runs that an older program left.

use std::collections::BTreeMap;
use std::sync::Mutex;

use baton_engine::Hash;
use baton_engine::driver::{PayloadProblem, Vault, VaultError};
use baton_engine::parcel::{self, Family, Member, Shelf};
use baton_engine::record::{Body, Chained};

use crate::support::{Home, same};

struct Nothing(Mutex<BTreeMap<Hash, Vec<u8>>>);

impl Shelf for Nothing {
    fn get(&self, hash: &Hash) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.lock().expect("unlocked").get(hash).cloned())
    }
    fn put(&self, _bytes: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

impl Vault for Nothing {
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError> {
        Err(VaultError { hash: *hash, problem: PayloadProblem::Missing })
    }
}

/// The run as a program would have left it in which these words were others.
fn aged(bytes: &[u8], words: &[(&str, &str)]) -> Vec<u8> {
    let contents = parcel::read(bytes, &mut ()).expect("whole");
    let old = |text: &str| {
        words.iter().fold(text.to_owned(), |text, (now, was)| {
            text.replace(&format!("\"{now}\""), &format!("\"{was}\""))
        })
    };
    let mut tables = BTreeMap::new();
    let mut hashes = Vec::new();
    for (hash, text) in &contents.tables {
        let text = old(text);
        hashes.push((hash.to_string(), Hash::of(text.as_bytes()).to_string()));
        tables.insert(Hash::of(text.as_bytes()), text);
    }
    let mut members = Vec::new();
    for packed in contents.runs {
        let mut records: Vec<Chained> = Vec::new();
        for record in packed.records {
            let text = hashes.iter().fold(old(&record.text), |text, (now, was)| text.replace(now, was));
            let body: Body = serde_json::from_str(&text).expect("a record");
            let previous = records.last().map_or(Hash::ZERO, |last| last.hash);
            let aged = baton_engine::Record { n: record.n, at: record.at, body };
            records.push(Chained::after(previous, &aged).expect("stored"));
        }
        let head = records.last().expect("records").hash;
        members.push(Member { label: parcel::Label { head, ..packed.label }, records });
    }
    let nothing = Nothing(Mutex::default());
    let mut bytes = Vec::new();
    parcel::write(&Family { members, tables }, &nothing, &nothing, &mut bytes).expect("written");
    bytes
}

/// A home with a run that waits, left by a program with other words.
fn left_by_another(words: &[(&str, &str)]) -> (Home, String) {
    let (young, home) = (Home::new(), Home::new());
    let run = young.waiting();
    assert_eq!(young.baton(&["export", &run, "run.baton"]).code, Some(0));
    let bytes = std::fs::read(young.desk().join("run.baton")).expect("read");
    std::fs::write(home.desk().join("old.baton"), aged(&bytes, words)).expect("written");
    let said = home.baton(&["import", "old.baton"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    (home, run)
}

#[test]
fn a_renamed_waiting_state_is_mapped_and_nothing_is_lost() {
    let (home, run) =
        left_by_another(&[("AWAITING_APPROVAL", "WAITING_FOR_YES"), ("STAGE_DONE", "STAGE_READY")]);
    let before = home.baton(&["log", &run, "--json"]).json();
    home.write("wrong.toml", "[states]\nWAITING_FOR_YES = \"MOON\"\n");
    home.write("circle.toml", "[states]\nA = \"B\"\nB = \"A\"\n");
    home.write("typo.toml", "[state]\nA = \"B\"\n");
    home.write(
        "map.toml",
        "[states]\nWAITING_FOR_YES = \"AWAITING_APPROVAL\"\n[events]\nSTAGE_READY = \"STAGE_DONE\"\n",
    );
    same(
        "migrating.txt",
        &home.transcript(&[
            &["resume", &run],
            &["answer", &run, "yes"],
            &["migrate", "--plan"],
            &["migrate", &run],
            &["migrate", &run, "--map", "wrong.toml"],
            &["migrate", &run, "--map", "circle.toml"],
            &["migrate", &run, "--map", "typo.toml"],
            &["migrate", &run, "--map", "map.toml", "--plan"],
            &["migrate", &run, "--map", "map.toml"],
            &["migrate", "--plan"],
            &["resume", &run],
        ]),
    );
    let after = home.baton(&["log", &run, "--json"]).json();
    let (before, after) = (before.as_array().expect("a list"), after.as_array().expect("a list"));
    assert_eq!(before[..], after[..before.len()], "stored records stay as they are");
    assert_eq!(home.baton(&["answer", &run, "yes"]).code, Some(0));
    assert_eq!(home.baton(&["doctor"]).code, Some(0));
    let plan = home.baton(&["migrate", &run, "--plan", "--json"]);
    assert_eq!(plan.json(), serde_json::json!([]), "{plan:?}");
}

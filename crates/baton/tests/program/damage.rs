//! Damage at the end of the journal, done to the files of a program that was really killed.

use serde_json::json;

use crate::support::{Gate, Home, Output};

/// A run whose program was killed while its command stood at the gate: everything is still in the log.
fn killed() -> (Home, Gate, String) {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let driver = gate.start(&home, &["start", "approval", "gate.toml", "--yes"]);
    // Before the kill: whoever closes the home last may fold the log into the file.
    let run = home.runs().pop().expect("a run");
    driver.kill();
    (home, gate, run)
}

fn told(said: &Output, code: i32, words: &str) {
    assert_eq!(said.code, Some(code), "{said:?}");
    assert!(said.out.contains(words) || said.err.contains(words), "{words}: {said:?}");
}

/// Changes the log of a home that nobody has open.
fn damage_log(home: &Home, change: impl FnOnce(&mut Vec<u8>)) {
    let log = home.path().join("baton.db-wal");
    let mut bytes = std::fs::read(&log).expect("a log");
    change(&mut bytes);
    std::fs::write(log, bytes).expect("written");
}

#[test]
fn a_flipped_or_shortened_log_is_told_and_the_run_goes_on_once_that_is_accepted() {
    for cut in [false, true] {
        let (home, gate, run) = killed();
        damage_log(&home, |bytes| {
            let at = bytes.len() - 2 * 4120;
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] ^= 4;
            }
        });
        let said = home.baton(&["doctor", "--json"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let damage = &said.json()["damage"][0];
        assert_eq!(damage["run"], json!(run));
        assert!(damage["lost"]["reached"].as_u64() > damage["lost"]["kept"].as_u64(), "{damage}");
        told(&home.baton(&["doctor"]), 1, &format!("`baton doctor --accept-loss {run}`"));
        told(&home.baton(&["resume", &run]), 1, "what was done there may be done again");
        told(&home.baton(&["doctor", "--accept-loss", &run]), 0, &format!("Go on with: baton resume {run}"));
        gate.open();
        told(&home.baton(&["resume", &run, "--yes"]), 0, "");
        told(&home.baton(&["log", &run]), 0, "a person accepted that, and the run goes on from record");
        told(&home.baton(&["doctor"]), 0, "every hash fits and none is missing at the end");
    }
}

#[test]
fn a_database_of_zero_bytes_is_told_until_a_person_begins_anew() {
    let (home, _gate, run) = killed();
    std::fs::write(home.path().join("baton.db"), "").expect("emptied");
    for words in [&["doctor"][..], &["resume", "last"], &["runs"], &["start", "approval", "release.toml"]] {
        let said = home.baton(words);
        told(&said, 1, &format!("records ({run})"));
        told(&said, 1, "begin anew with `baton doctor --accept-loss all`");
    }
    told(&home.baton(&["doctor", "--accept-loss", "all"]), 0, "the home begins anew");
    told(&home.baton(&["start", "approval", "release.toml"]), 5, "");
    told(&home.baton(&["doctor"]), 0, "none is missing at the end");
}

#[test]
fn a_lost_payload_is_told_before_the_run_goes_on() {
    let home = Home::new();
    let output = "head -c 20000 /dev/zero | tr '\\\\000' x";
    home.write(
        "long.toml",
        &format!(
            "title = \"Long\"\n[[stages]]\nname = \"a\"\ncommands = [{{ name = \"b\", run = \"{output}\" }}]\n\
             [[stages]]\nname = \"c\"\nask = \"Go on?\"\ncommands = []\n"
        ),
    );
    assert_eq!(home.baton(&["start", "approval", "long.toml"]).code, Some(5));
    std::fs::remove_dir_all(home.path().join("blobs")).expect("there were long payloads");
    told(&home.baton(&["doctor"]), 1, "the stored payload");
    told(&home.baton(&["resume", "last"]), 1, "is missing; restore the blobs folder");
    told(&home.baton(&["answer", "last", "yes"]), 1, "is missing; restore the blobs folder");
}

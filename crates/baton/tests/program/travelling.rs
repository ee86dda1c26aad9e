//! `export` and `import`, as a person types them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::research::research;
use crate::support::{Home, same};

/// Every file below a folder, by its name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.display().to_string(), std::fs::read(&path).expect("read"));
        }
    }
    found
}

fn names_below(home: &Home, run: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = home.path().join("runs").join(run);
    let below = |name: String| name.strip_prefix(&folder.display().to_string()).expect("below").to_owned();
    files(&folder).into_iter().map(|(name, bytes)| (below(name), bytes)).collect()
}

/// Packs a run of one home and takes it into another.
fn carry(from: &Home, run: &str, to: &Home) -> String {
    let file = from.desk().join("run.baton").display().to_string();
    let said = from.baton(&["export", run, &file, "--force"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = to.baton(&["import", &file]);
    assert_eq!(said.code, Some(0), "{said:?}");
    file
}

#[test]
fn research_is_verified_forked_and_shown_in_another_home() {
    let (home, other) = (Home::new(), Home::new());
    let said = research(&home, "How many buildings are connected to Harlund's heat-pump network?", &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let run = home.runs().pop().expect("a run");
    let file = carry(&home, &run, &other);
    assert_eq!(names_below(&home, &run), names_below(&other, &run), "the same files");
    let said = other.baton(&["verify", &run]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let log = |home: &Home| home.baton(&["log", &run, "--json"]).out;
    assert_eq!(log(&home), log(&other));
    assert_eq!(other.baton(&["doctor"]).code, Some(0));
    let said = other.baton(&["fork", &run, "--at", "SYNTHESIZING", "--no-drive"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    // A byte of an archived page is enough.
    let mut bytes = std::fs::read(&file).expect("read");
    let middle = bytes.len() - 200;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    let said = Home::new().baton(&["import", &file]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("damaged or was made by somebody else"), "{}", said.err);
}

#[test]
fn a_waiting_run_goes_on_in_another_home() {
    let (home, other) = (Home::new(), Home::new());
    let run = home.waiting();
    carry(&home, &run, &other);
    for home in [&home, &other] {
        assert_eq!(home.baton(&["answer", &run, "yes"]).code, Some(0));
    }
    let what = |home: &Home| {
        let log = home.baton(&["log", &run, "--json"]).json();
        let words = |record: &serde_json::Value| record["body"].clone();
        log.as_array().expect("a list").iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(what(&home).len(), what(&other).len());
    assert_eq!(what(&home), what(&other), "the same records follow");
}

#[test]
fn what_people_see_of_it() {
    let home = Home::new();
    let run = home.waiting();
    std::fs::write(home.desk().join("foreign.baton"), "PK\u{3}\u{4} something else\n").expect("written");
    assert_eq!(home.baton(&["export", &run, "run.baton"]).code, Some(0));
    let bytes = std::fs::read(home.desk().join("run.baton")).expect("read");
    std::fs::write(home.desk().join("cut.baton"), &bytes[..bytes.len() / 2]).expect("written");
    let newer = String::from_utf8(bytes).expect("text").replacen("baton run 1", "baton run 2", 1);
    std::fs::write(home.desk().join("newer.baton"), newer).expect("written");
    std::os::unix::fs::symlink("/dev/zero", home.desk().join("endless.baton")).expect("linked");
    same(
        "travelling.txt",
        &home.transcript(&[
            &["export", &run, "run.baton"],
            &["import", "run.baton"],
            &["import", "foreign.baton"],
            &["import", "cut.baton"],
            &["import", "newer.baton"],
            &["import", "endless.baton"],
            &["import", "missing.baton"],
            &["import", "."],
        ]),
    );
}

#[test]
fn a_key_that_was_recorded_does_not_leave() {
    let home = Home::new();
    home.write(
        "leak.toml",
        "title = \"sk-live-0123456789\"\n[[stages]]\nname = \"a\"\nask = \"Go?\"\ncommands = []\n",
    );
    assert_eq!(home.baton(&["start", "approval", "leak.toml"]).code, Some(0));
    let run = home.runs().pop().expect("a run");
    let leaking = home
        .command(&["export", &run, "leak.baton"])
        .env("PROVIDER_API_KEY", "sk-live-0123456789")
        .output()
        .expect("it runs");
    let err = String::from_utf8_lossy(&leaking.stderr).into_owned();
    assert_eq!(leaking.status.code(), Some(1), "{err}");
    assert!(err.contains("the value of PROVIDER_API_KEY stands in what this run recorded"), "{err}");
    assert!(!err.contains("sk-live"), "{err}");
    assert_eq!(
        std::fs::read_dir(home.desk())
            .expect("a desk")
            .filter(|it| {
                it.as_ref().expect("an entry").file_name().to_string_lossy().starts_with("leak.")
                    && !it.as_ref().expect("an entry").path().ends_with("leak.toml")
            })
            .count(),
        0,
        "nothing is left of it"
    );
    assert_eq!(
        home.baton(&["export", &run, "leak.baton"]).code,
        Some(0),
        "where nobody knows it, it is only a title"
    );
}

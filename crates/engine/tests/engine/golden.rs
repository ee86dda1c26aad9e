//! Journals of every format there has been: each must open, check and fold to the memory it folded to then.

use std::path::Path;

use baton_engine::driver::{PayloadProblem, Vault, VaultError, load};
use baton_engine::record::{Chained, FORMAT};
use baton_engine::{Hash, Millis};
use baton_testkit::puppet::{Do, Poke, Puppet, poke};
use serde_json::{Value, json};

use crate::common::{EPOCH, Home, drive, memory};

struct NoBlobs;

impl Vault for NoBlobs {
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError> {
        Err(VaultError { hash: *hash, problem: PayloadProblem::Missing })
    }
}

fn folder() -> std::path::PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "engine", "golden"].iter().collect()
}

fn read(line: &str) -> Chained {
    let value: Value = serde_json::from_str(line).unwrap();
    Chained {
        n: value["n"].as_u64().unwrap(),
        at: Millis(value["at"].as_u64().unwrap()),
        text: value["text"].as_str().unwrap().to_owned(),
        hash: value["hash"].as_str().unwrap().parse().unwrap(),
    }
}

#[test]
fn every_golden_journal_still_folds_to_the_same_memory() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let journal: Vec<Chained> = text.lines().map(read).collect();
        let mut previous = Hash::ZERO;
        for record in &journal {
            assert!(record.follows(previous), "record {} of {}", record.n, path.display());
            previous = record.hash;
        }
        let head = load::<Puppet>(None, &journal, &NoBlobs).unwrap().into_present(&NoBlobs).unwrap();
        let folded = json!({"state": head.position.state, "visit": head.position.visit, "purse": head.purse, "memory": *head.memory.lock().unwrap()});
        let wanted: Value =
            serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        assert_eq!(folded, wanted, "{}", path.display());
    }
    assert!(seen > 0, "there is no golden journal");
}

/// The present format must have a golden journal. It is written when it is missing, and never again.
#[tokio::test]
async fn the_present_format_has_one() {
    let path = folder().join(format!("format-{FORMAT}.jsonl"));
    if baton_testkit::snapshot::writes() && !path.exists() {
        write_golden(&path).await;
    }
    assert!(path.exists(), "format {FORMAT} has no golden journal");
}

/// A run that has met everything: parallel steps, a retry, a crash, a race, an answer, a panic.
async fn write_golden(path: &Path) {
    let mut home = Home::new();
    let paid =
        Poke { fails: 1, reserve: baton_engine::Spend { micro_usd: 200, tokens: 10, calls: 1 }, ..poke("c") };
    let script = vec![
        vec![Do::All(vec![poke("a"), poke("b")]), Do::Step(paid), Do::Race(poke("d"), 1_000_000)],
        vec![
            Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None },
            Do::Sleep("nap".to_owned(), 10),
        ],
        vec![Do::PanicOnce, Do::Say("after all".to_owned())],
    ];
    let (engine, run) = home.crash(script, 4, false).await;
    assert_eq!(drive(&engine, &run).await.unwrap(), baton_engine::End::Waiting);
    engine.store.answer(&run, &"2/q".parse().unwrap(), &json!("yes"), "me", EPOCH).unwrap();
    drive(&engine, &run).await.unwrap();
    drive(&engine, &run).await.unwrap();
    let lines: Vec<String> = engine
        .store
        .records(&run, 1)
        .unwrap()
        .iter()
        .map(|record| {
            json!({"n": record.n, "at": record.at, "text": record.text, "hash": record.hash}).to_string()
        })
        .collect();
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
    let head = engine.present::<Puppet>(&run).unwrap();
    let folded = json!({"state": head.position.state, "visit": head.position.visit, "purse": head.purse, "memory": memory(&engine, &run)});
    std::fs::write(path.with_extension("json"), serde_json::to_string_pretty(&folded).unwrap() + "\n")
        .unwrap();
}

//! Whole reports for tests: over the example, by rules or by models that say what a function says.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use baton_agents::read::extract::ChildCommand;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{Drive, Effects, End, Engine, Idle, Millis, RunFile, SeededDice, Settings, flow};

use crate::report::{DataWorld, Memory, Order, Report};
use crate::retrieval::LocalWorld;

/// The folder of the example.
pub fn example() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/report")).canonicalize().unwrap()
}

/// An order over the example's tables and documents.
pub fn order(query: &str) -> Order {
    let mut order = Order::new(query);
    order.data = ["costs.csv", "sales.csv", "shops.csv"]
        .iter()
        .map(|name| example().join("data").join(name))
        .collect();
    order.docs = vec![example().join("documents")];
    order.today = "2026-02-01".to_owned();
    order
}

/// The example's own query.
pub fn query() -> String {
    std::fs::read_to_string(example().join("query.md")).unwrap()
}

/// This machine, reading data in this process.
pub fn world(home: &Path) -> Effects {
    let child = ChildCommand { program: "/nowhere/baton".into(), arguments: Vec::new() };
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    let effects = DataWorld::in_this_process(home).effects(Effects::default());
    LocalWorld::new(home, child, clock).effects(effects)
}

/// Runs an order to its end.
pub async fn run(home: &Path, effects: Effects, order: &Order) -> (End, Memory, Vec<RunFile>) {
    let store = Store::open(home, &StoreOptions::default()).unwrap();
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    let engine = Engine { store, clock, dice: Arc::new(SeededDice::new(5)), effects };
    let run = engine.start::<Report>(order, Settings::default()).unwrap();
    let how = Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        by: "the test".to_owned(),
        ..Drive::default()
    };
    let end = engine.drive::<Report>(&run, how, &mut ()).await.unwrap();
    let files = flow::<Report>().files(&engine, &run).unwrap();
    let memory = engine.present::<Report>(&run).unwrap().into_memory();
    (end, memory, files)
}

/// A file's text.
pub fn text<'a>(files: &'a [RunFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
    std::str::from_utf8(&file.content).unwrap()
}

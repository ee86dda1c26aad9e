//! The SQLite host held to what any host must do.

use std::time::Duration;

use baton_engine::host::Host;
use baton_engine::record::Chained;
use baton_engine::{Engine, Key, Millis, RunId};
use baton_testkit::conformance::{CASES, Stand};
use serde_json::Value;

use crate::common::{Home, how};

struct Sqlite {
    home: Home,
    engine: Engine,
    run: RunId,
}

#[async_trait::async_trait]
impl Stand for Sqlite {
    fn run(&self) -> RunId {
        self.run.clone()
    }

    async fn host(&mut self) -> Box<dyn Host> {
        let lease = self.engine.store.lease(&self.run).await.unwrap();
        Box::new(self.engine.host(lease, &self.run, &how()).unwrap())
    }

    fn durable(&self) -> Vec<Chained> {
        self.engine.store.records(&self.run, 1).unwrap()
    }

    fn answer(&self, key: &Key, value: &Value) {
        self.engine.store.answer(&self.run, key, value, "the suite", self.now()).unwrap();
    }

    fn cancel(&self) {
        self.engine.store.post_cancel(&self.run, "the suite", self.now()).unwrap();
    }

    fn take_over(&mut self) {
        let file = self.home.folder.path().join("baton.db");
        rusqlite::Connection::open(file).unwrap().execute("UPDATE head SET fence = fence + 1", []).unwrap();
    }

    fn pass(&self, span: Duration) {
        self.home.clock.pass(span);
    }

    fn now(&self) -> Millis {
        baton_engine::Clock::now(&*self.home.clock)
    }
}

#[tokio::test]
async fn the_sqlite_host_keeps_every_promise() {
    for (name, case) in CASES {
        eprintln!("{name}");
        let home = Home::new().standing();
        let engine = home.engine();
        let run = home.start(&engine, &vec![]).unwrap();
        case(&mut Sqlite { home, engine, run }).await;
    }
}

//! An ask that needs a wait, a repair turn and a second model, stopped after every thing its port wrote down
//! and asked again: the same keys, the same calls, the same answer, and nothing paid for twice.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::model::{ModelReply, Models, Provider};
use baton_agents::skill::{Answer, AskFailure, Attempt, Cause, Port, PortFault, Summarize, Summary, ask};
use baton_testkit::model_server::{Act, Fault, ModelServer};

use crate::common::{GOOD, WRONG, asked, card, input, models, role};

/// A journal in memory: intents before calls, receipts after them, and a process that dies on demand.
struct Journal {
    models: Models,
    intents: Mutex<BTreeMap<String, Attempt>>,
    receipts: Mutex<BTreeMap<String, Result<ModelReply, PortFault>>>,
    waits: Mutex<BTreeMap<String, Duration>>,
    commits_left: Mutex<Option<usize>>,
}

impl Journal {
    fn commit(&self) -> Result<(), PortFault> {
        match self.commits_left.lock().unwrap().as_mut() {
            Some(0) => Err(PortFault::Stop("killed".to_owned())),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Port for Journal {
    async fn seed(&self, key: &str) -> Result<[u8; 32], PortFault> {
        Ok([u8::try_from(key.len()).unwrap(); 32])
    }

    async fn attempt(&self, attempt: Attempt) -> Result<ModelReply, PortFault> {
        let known = self.intents.lock().unwrap().insert(attempt.key.clone(), attempt.clone());
        if let Some(known) = known {
            assert_eq!(known, attempt, "the same key came with another call");
        }
        if let Some(receipt) = self.receipts.lock().unwrap().get(&attempt.key) {
            return receipt.clone();
        }
        self.commit()?;
        let came = self.models.perform(&attempt.call, &()).await.map_err(PortFault::from);
        self.receipts.lock().unwrap().insert(attempt.key, came.clone());
        self.commit()?;
        came
    }

    async fn wait(&self, key: &str, how_long: Duration) -> Result<(), PortFault> {
        self.waits.lock().unwrap().insert(key.to_owned(), how_long);
        self.commit()
    }
}

/// Asks once, dying after `commits`, then asks again to the end.
async fn crash_after(
    commits: Option<usize>,
) -> (bool, Result<Answer<Summary>, AskFailure>, BTreeMap<String, usize>) {
    let server = ModelServer::start().await.unwrap();
    let say = |t: &str| Act::Say(t.to_owned());
    server.script_step("q:summarize:0.0", [Act::Fail(Fault::Internal)]);
    server.script_step("q:summarize:0.1", [say(WRONG)]);
    server.script_step("q:summarize:0.2", [say(WRONG)]);
    server.script_step("q:summarize:1.0", [say(WRONG)]);
    server.script_step("q:summarize:1.1", [say(GOOD)]);
    let cards = [card(&server, "a", Provider::OpenAi), card(&server, "b", Provider::Gemini)];
    let journal = Journal {
        models: models(&cards),
        intents: Mutex::default(),
        receipts: Mutex::default(),
        waits: Mutex::default(),
        commits_left: Mutex::new(commits),
    };
    let role = role(cards.to_vec());
    let first = ask::<Summarize>(&journal, &role, asked(&input())).await;
    let died = matches!(&first, Err(AskFailure { cause: Cause::Stopped(_), .. }));
    *journal.commits_left.lock().unwrap() = None;
    let came = if died { ask::<Summarize>(&journal, &role, asked(&input())).await } else { first };
    assert_eq!(journal.waits.lock().unwrap().len(), 1);
    (died, came, server.calls_by_step())
}

#[tokio::test]
async fn a_crash_after_any_commit_pays_for_nothing_twice() {
    let (died, whole, calls) = crash_after(None).await;
    assert!(!died);
    let whole = whole.unwrap();
    assert_eq!((whole.tries.len(), calls.len()), (5, 5));
    let mut crashes = 0;
    for commits in 0.. {
        let (died, came, calls) = crash_after(Some(commits)).await;
        // The server's address differs from start to start; everything else must not.
        assert_eq!(came.unwrap(), whole, "after {commits} commits");
        assert!(calls.values().all(|n| *n == 1), "paid twice after {commits} commits: {calls:?}");
        if !died {
            break;
        }
        crashes += 1;
    }
    assert_eq!(crashes, 11, "two commits for each of five attempts, and one wait");
}

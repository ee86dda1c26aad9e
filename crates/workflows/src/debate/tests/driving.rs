//! Debates that are really driven: a panel without a model, agents that bring nothing.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::clock::Clock;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{Drive, Effects, End, Engine, Idle, Millis, RunId, SeededDice, Settings};
use baton_machine::Outcome;

use super::support::{agent, on_paper, setup};
use crate::debate::contribution::Type;
use crate::debate::panel::{AskProgram, Programs};
use crate::debate::setup::{Checklist, Critiques, Kind, Setup, Termination};
use crate::debate::{Debate, Memory};
use crate::process::Processes;

/// A clock on which every wait is over at once: whatever takes time takes too long.
struct Hurried;

#[async_trait]
impl Clock for Hurried {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _how_long: Duration) {
        tokio::task::yield_now().await;
    }
}

fn engine(folder: &std::path::Path, programs: Programs) -> Engine {
    Engine {
        store: Store::open(folder, &StoreOptions::default()).unwrap(),
        clock: Arc::new(SimClock::jumping(Millis(1_700_000_000_000))),
        dice: Arc::new(SeededDice::new(5)),
        effects: Effects::default().with::<AskProgram>(programs),
    }
}

async fn drive(engine: &Engine, run: &RunId) -> End {
    let how = Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        by: "the test".to_owned(),
        ..Drive::default()
    };
    engine.drive::<Debate>(run, how, &mut ()).await.unwrap()
}

async fn held_with(setup: &Setup, programs: Programs) -> (End, Memory) {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), programs);
    let run = engine.start::<Debate>(setup, Settings::default()).unwrap();
    let end = drive(&engine, &run).await;
    let memory = engine.present::<Debate>(&run).unwrap().memory.lock().unwrap().clone();
    (end, memory)
}

async fn held(setup: &Setup) -> (End, Memory) {
    held_with(setup, Programs::default()).await
}

#[tokio::test]
async fn files_that_never_move_come_to_an_impasse_with_their_dissent() {
    let (end, memory) = held(&setup()).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let ending = memory.ending.clone().unwrap();
    assert_eq!(ending.by, "IMPASSE_REACHED");
    assert_eq!(ending.why, "nobody moved in round 2, and this is still open: store");
    let solution = memory.solution.clone().unwrap();
    assert_eq!(solution.confidence, Some(60));
    assert!(solution.text.contains("store: sqlite (votes: postgres 1, sqlite 2)"), "{}", solution.text);
    let record = crate::debate::files::decision::record(&memory);
    assert!(record.contains("- cid holds postgres on store"), "{record}");
}

#[tokio::test]
async fn a_quorum_lets_the_majority_decide() {
    let mut setup = setup();
    setup.terms.quorum = 60;
    setup.terms.threshold = 60;
    let (_, memory) = held(&setup).await;
    let ending = memory.ending.unwrap();
    assert_eq!((ending.by.as_str(), memory.round), ("CONSENSUS_REACHED", 1));
}

#[tokio::test]
async fn in_a_ring_everybody_reads_the_next_two() {
    let mut setup = setup();
    setup.agents = ["a", "b", "c", "d", "e"].map(|id| on_paper(id, "store: sqlite")).to_vec();
    setup.terms.critiques = Critiques::Ring;
    let (_, memory) = held(&setup).await;
    let read: Vec<(String, String)> = memory
        .of(1, Type::Critique)
        .map(|one| (one.agent.clone(), one.target.clone().unwrap_or_default()))
        .collect();
    assert_eq!(read.len(), 10);
    assert!(
        read.contains(&("e".to_owned(), "a".to_owned())) && read.contains(&("e".to_owned(), "b".to_owned()))
    );
}

#[tokio::test]
async fn fixed_rounds_are_all_held_whatever_the_panel_thinks() {
    let mut setup = setup();
    setup.agents = vec![on_paper("ann", "store: sqlite"), on_paper("bob", "store: sqlite")];
    setup.terms.termination = Termination::Fixed;
    let (end, memory) = held(&setup).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    assert_eq!((memory.round, memory.ending.unwrap().by.as_str()), (3, "MAX_ROUNDS_REACHED"));
    assert!(memory.assessments.values().all(|one| one.confidence.is_none()), "nobody judges fixed rounds");
}

fn program(line: &str) -> Setup {
    let mut setup = setup();
    setup.agents[2] = agent("cid", Kind::Command { line: line.to_owned(), folder: None, seconds: 5 });
    setup
}

#[tokio::test]
async fn a_program_takes_part_with_json() {
    let script = r#"read input; case "$input" in *critique*) echo '{"text": "fine"}';; *) echo '{"text": "sqlite survives", "positions": {"store": "sqlite"}}';; esac"#;
    let (_, memory) = held(&program(script)).await;
    let ending = memory.ending.clone().unwrap();
    assert_eq!(ending.by, "CONSENSUS_REACHED", "{:?}", memory.troubles);
    assert_eq!(memory.stands_for(1, "cid").unwrap().by, "command");
}

#[tokio::test]
async fn a_program_that_fails_is_asked_three_times_and_then_left_out() {
    let bad = [
        ("echo garbage", "what it printed is not the JSON of propose"),
        ("echo broken >&2; exit 1", "it ended with code 1: broken"),
        (r#"echo '{"text": "x", "positions": {"store": "paper"}}'"#, "`paper` is no option of `store`"),
        (r#"echo '{"text": "x", "positions": {"shop": "paper"}}'"#, "there is no slot `shop`"),
        ("yes | head -c 9000000", "it printed more than the 262144 bytes that are read"),
    ];
    for (line, why) in bad {
        let (end, memory) = held(&program(line)).await;
        assert_eq!(end, End::Finished(Outcome::Completed), "{line}");
        let left = &memory.left_out["001/proposal of cid"];
        assert!(left.why.contains(why), "{line}: {}", left.why);
        assert_eq!(memory.retries.values().next(), Some(&2), "{line}");
        assert_eq!(memory.ending.unwrap().by, "CONSENSUS_REACHED", "the others agree");
    }
}

#[tokio::test]
async fn a_program_that_hangs_is_stopped() {
    let (end, memory) =
        held_with(&program("sleep 600"), Programs::new(Processes::unsupervised(Arc::new(Hurried)))).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let left = &memory.left_out["001/proposal of cid"];
    assert!(left.why.contains("it took longer than 5 s and was stopped"), "{}", left.why);
}

#[tokio::test]
async fn without_a_single_proposal_it_fails_and_says_so() {
    let mut setup = program("exit 1");
    setup.agents.drain(..2);
    let (end, memory) = held(&setup).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    assert_eq!(memory.ending.unwrap().why, "not one agent brought a proposal");
}

#[tokio::test]
async fn a_panel_without_voices_fails_at_once() {
    let mut setup = setup();
    setup.agents = vec![agent("rules", Kind::Rules(Checklist::default()))];
    let (end, memory) = held(&setup).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    assert_eq!(memory.ending.unwrap().why, "nobody on the panel takes a position");
}

#[tokio::test]
async fn a_person_answers_for_herself_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = setup();
    setup.agents =
        vec![on_paper("bob", "store: sqlite"), agent("ann", Kind::Person { who: Some("ann".to_owned()) })];
    let engine = engine(folder.path(), Programs::default());
    let run = engine.start::<Debate>(&setup, Settings::default()).unwrap();
    assert_eq!(drive(&engine, &run).await, End::Waiting);
    let say = |by: &str, name: &str, words: &str| {
        let open = engine.store.questions(Some(&run)).unwrap();
        let asked =
            open.iter().find(|one| one.key.name == name).unwrap_or_else(|| panic!("{name}: {open:?}"));
        engine.store.answer(&run, &asked.key, &words.into(), by, engine.clock.now()).unwrap();
    };
    say("bob", "ann:store", "postgres");
    assert_eq!(drive(&engine, &run).await, End::Waiting);
    let open = engine.store.questions(Some(&run)).unwrap();
    let again = open.iter().find(|one| one.key.name == "ann:store.2").unwrap();
    let told = "bob answered for ann, and only ann may; it was not taken. ann: your position on store?";
    assert_eq!(again.question.text, told);
    say("ann", "ann:store.2", "sqlite");
    say("ann", "ann:proposal", "one file is enough");
    assert_eq!(drive(&engine, &run).await, End::Waiting);
    say("ann", "ann:critique-A", "none");
    assert_eq!(drive(&engine, &run).await, End::Finished(Outcome::Completed));
    let memory = engine.present::<Debate>(&run).unwrap().memory.lock().unwrap().clone();
    assert_eq!(memory.ending.unwrap().by, "CONSENSUS_REACHED");
}

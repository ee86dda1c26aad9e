use baton_engine::record::{
    Closed, Happened, Intent, Note, Payload, Receipt, Resumed, Stopped, Timer, Unknown,
};
use baton_engine::{Failure, Hash, Retry, Spend};
use serde_json::json;

use super::*;

fn key(name: &str) -> Key {
    Key { visit: 1, name: name.to_owned() }
}

fn intent(name: &str, attempt: u32) -> Body {
    Body::Intent(Intent {
        key: key(name),
        attempt,
        kind: "command".to_owned(),
        input: Payload::Inline(json!(null)),
        after_crash: AfterCrash::Ask,
        retry: Retry::default(),
        reserve: Spend::NONE,
        branch: None,
    })
}

fn receipt(name: &str) -> Body {
    let out = Err(Failure::passing("busy"));
    Body::Receipt(Receipt { key: key(name), attempt: 1, out, spend: Spend::NONE, reused: None })
}

fn see(bodies: Vec<Body>) -> Sight {
    let mut previous = Hash::ZERO;
    let mut chain = Vec::new();
    for (n, body) in (1..).zip(bodies) {
        let chained = Chained::after(previous, &Record { n, at: Millis(n * 1000), body }).expect("storable");
        previous = chained.hash;
        chain.push(chained);
    }
    Sight::of(&chain)
}

fn open(sight: &Sight) -> Vec<(String, u32, bool)> {
    sight.steps.iter().map(|(key, step)| (key.name.clone(), step.attempt, step.unknown)).collect()
}

#[test]
fn a_step_is_open_between_its_intent_and_its_receipt() {
    let sight = see(vec![intent("a", 1), intent("b", 1), receipt("a")]);
    assert_eq!(open(&sight), [("b".to_owned(), 1, false)]);
    assert_eq!((sight.seen, sight.visit), (3, 1));
}

#[test]
fn a_wait_between_attempts_is_seen_and_ends() {
    let timer = |name: &str| Body::Timer(Timer { key: key(name), until: Millis(9_000) });
    let waiting = see(vec![intent("a", 1), receipt("a"), timer("a~1")]);
    assert_eq!(waiting.waits.into_values().collect::<Vec<_>>(), [Millis(9_000)]);
    let fired = Body::Fired(Closed { key: key("a~1") });
    let again = see(vec![intent("a", 1), receipt("a"), timer("a~1"), fired, intent("a", 2)]);
    assert!(again.waits.is_empty());
    assert_eq!(open(&again), [("a".to_owned(), 2, false)]);
}

#[test]
fn what_a_stop_cuts_off_is_unknown() {
    let stopped = Body::Stopped(Stopped { reason: StopReason::Interrupted, detail: "a signal".to_owned() });
    let sight = see(vec![intent("a", 1), stopped.clone()]);
    assert_eq!(open(&sight), [("a".to_owned(), 1, true)]);
    assert_eq!(sight.stop, Some((StopReason::Interrupted, "a signal".to_owned())));
    let resumed = Body::Resumed(Resumed { by: "ann".to_owned(), new_try: false });
    let unknown = Body::Unknown(Unknown { key: key("a"), attempt: 1 });
    assert_eq!(see(vec![intent("a", 1), stopped, resumed, unknown]).stop, None);
}

#[test]
fn a_new_visit_leaves_everything_behind() {
    let moved = Body::Event(Happened {
        from: "A".to_owned(),
        row: 0,
        to: "B".to_owned(),
        event: Payload::Inline(json!("GO")),
        guards: Vec::new(),
        step: RowStep::Visit,
    });
    let sight = see(vec![intent("a", 1), moved]);
    assert_eq!((sight.visit, sight.steps.len()), (2, 0));
}

#[test]
fn a_record_that_cannot_be_read_is_passed_over() {
    let good =
        Chained::after(Hash::ZERO, &Record { n: 1, at: Millis(0), body: intent("a", 1) }).expect("storable");
    let bad = Chained { n: 2, at: good.at, text: "{\"nonsense\":1}".to_owned(), hash: good.hash };
    let sight = Sight::of(&[good, bad]);
    assert_eq!((sight.seen, sight.steps.len()), (2, 1));
    let note = Body::Note(Note { text: "x".to_owned(), data: None });
    assert_eq!(see(vec![note]).steps.len(), 0);
}

//! Unfinished runs under another table: what is compatible, what needs a mapping, what is blocked, and what is kept.

use baton_engine::engine::Engine;
use baton_engine::migration::{BadMapping, Mapping, Verdict};
use baton_engine::record::Body;
use baton_engine::{Cx, DriveError, End, Fault, Node, Question, RunId, Settings, Status, Work, node};
use baton_machine::{Kind, Outcome, Workflow};
use baton_testkit::puppet::{Poke, poke};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::common::{EPOCH, Home, how, records};

/// What a courier is told: how many parcels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    parcels: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    parcels: u32,
    delivered: u32,
    names: Vec<String>,
}

fn left(memory: &Memory) -> baton_machine::Verdict {
    baton_machine::Verdict::of(memory.delivered < memory.parcels)
}

fn load_it(name: &str) -> Poke {
    poke(name)
}

/// One version of the courier: the names of its states and events, its rows and its code.
macro_rules! courier {
    ($module:ident, $code:literal, $loading:literal, $asking:literal, $loaded:literal { $($field:ident : $type:ty),* }, [$($rows:tt)*], $words:literal) => {
        mod $module {
            use super::*;
            use baton_machine::{Row, events, transitions, words};

            words! { pub enum State { Loading = $loading, Asking = $asking, Lost = "LOST", Home = "HOME" } }
            events! { pub enum Event as On { Loaded { $($field: $type),* } = $loaded, Signed = "SIGNED", Gone = "GONE" } }

            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct Courier;

            impl Workflow for Courier {
                const NAME: &'static str = "courier";
                const START: State = State::Loading;
                const TABLE: &'static [Row<Self>] = transitions! { $($rows)* };
                type State = State;
                type On = On;
                type Event = Event;
                type Input = Round;
                type Memory = Memory;
                fn begin(round: &Round) -> Memory {
                    Memory { parcels: round.parcels, ..Memory::default() }
                }
                fn learn(memory: &mut Memory, event: &Event) {
                    match event {
                        Event::Loaded { .. } => memory.names.push(format!("{event:?}")),
                        Event::Signed => memory.delivered += 1,
                        Event::Gone => {}
                    }
                }
                fn kind(state: State) -> Kind {
                    match state {
                        State::Loading | State::Asking => Kind::Works,
                        State::Lost => Kind::Ends(Outcome::Failed),
                        State::Home => Kind::Ends(Outcome::Completed),
                    }
                }
            }

            impl Work for Courier {
                const CODE_VERSION: u32 = $code;
                fn node(state: State) -> Option<Node<Self>> {
                    match state {
                        State::Loading => Some(node(async |cx: Cx<Self>| {
                            let name: String = cx.step("load", &load_it("load")).await?;
                            Ok::<Event, Fault>(serde_json::from_value(json!({$loaded: {"name": name, "weight": 3}})).unwrap())
                        })),
                        State::Asking => Some(node(async |cx: Cx<Self>| {
                            cx.step("ring", &load_it("ring")).await?;
                            let question = Question::new($words, json!({"type": "string", "minLength": 2}));
                            cx.ask::<String>("sign", question).await?;
                            Ok::<Event, Fault>(Event::Signed)
                        })),
                        State::Lost | State::Home => None,
                    }
                }
            }
        }
    };
}

courier!(old, 1, "LOADING", "ASKING", "LOADED" { name: String }, [
    Loading + Loaded            => Asking;
    Asking  + Signed if left    => Loading at most 100;
    Asking  + Signed            => Home;
    any     + Gone              => Lost;
], "Who takes it?");
// Rows stand elsewhere, one is new, the code is another.
courier!(moved, 2, "LOADING", "ASKING", "LOADED" { name: String }, [
    any     + Gone              => Lost;
    Loading + Signed            => Loading at most 3;
    Loading + Loaded            => Asking;
    Asking  + Signed if left    => Loading at most 100;
    Asking  + Signed            => Home;
], "Who takes it?");
// The waiting state and the event have other names.
courier!(renamed, 1, "LOADING", "AT_DOOR", "PACKED" { name: String }, [
    Loading + Loaded            => Asking;
    Asking  + Signed if left    => Loading at most 100;
    Asking  + Signed            => Home;
    any     + Gone              => Lost;
], "Who takes it?");
// The row it went by is gone.
courier!(rerouted, 1, "LOADING", "ASKING", "LOADED" { name: String }, [
    Loading + Loaded if left    => Asking;
    Loading + Loaded            => Home;
    Asking  + Signed            => Home;
    any     + Gone              => Lost;
], "Who takes it?");
// Its event needs what was never recorded.
courier!(heavier, 1, "LOADING", "ASKING", "LOADED" { name: String, weight: u32 }, [
    Loading + Loaded            => Asking;
    Asking  + Signed if left    => Loading at most 99;
    Asking  + Signed            => Home;
    any     + Gone              => Lost;
], "Who takes it?");
// It asks something else.
courier!(asking, 3, "LOADING", "ASKING", "LOADED" { name: String }, [
    Loading + Loaded            => Asking;
    Asking  + Signed if left    => Loading at most 100;
    Asking  + Signed            => Home;
    any     + Gone              => Lost;
], "Who pays for it?");

/// A courier that has delivered one parcel and waits at the second door.
async fn waiting(home: &Home) -> (Engine, RunId) {
    let engine = home.engine();
    let run = engine.start::<old::Courier>(&Round { parcels: 3 }, Settings::default()).unwrap();
    assert_eq!(engine.drive::<old::Courier>(&run, how(), &mut ()).await.unwrap(), End::Waiting);
    answer(&engine, &run).await;
    assert_eq!(engine.drive::<old::Courier>(&run, how(), &mut ()).await.unwrap(), End::Waiting);
    (engine, run)
}

async fn answer(engine: &Engine, run: &RunId) {
    let key = engine.store.questions(Some(run)).unwrap()[0].key.clone();
    engine.store.answer(run, &key, &json!("Ada"), "me", EPOCH).unwrap();
}

fn renames() -> Mapping {
    toml_like(&[("ASKING", "AT_DOOR")], &[("LOADED", "PACKED")])
}

fn toml_like(states: &[(&str, &str)], events: &[(&str, &str)]) -> Mapping {
    let map =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    Mapping { workflow: None, states: map(states), events: map(events) }
}

#[tokio::test]
async fn rows_that_only_stand_elsewhere_are_compatible_and_the_run_goes_on() {
    let home = Home::new();
    let (engine, run) = waiting(&home).await;
    let before = engine.store.records(&run, 1).unwrap();
    let refused = engine.drive::<moved::Courier>(&run, how(), &mut ()).await.unwrap_err();
    assert!(matches!(refused, DriveError::Changed { .. }));
    assert!(refused.to_string().contains("`baton migrate --plan`"), "{refused}");
    let plan = engine.plan_migration::<moved::Courier>(&run, &Mapping::default()).unwrap();
    assert_eq!(plan.verdict, Verdict::Compatible { records: before.len() as u64, rows: 2 });
    assert_eq!(engine.store.records(&run, 1).unwrap(), before, "a plan changes nothing");
    let done = engine.migrate::<moved::Courier>(&run, &Mapping::default(), "me").await.unwrap();
    assert!(done.done);
    let after = engine.store.records(&run, 1).unwrap();
    assert_eq!(after[..before.len()], before, "stored records stay as they are");
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
    for _ in 0..2 {
        assert_eq!(engine.drive::<moved::Courier>(&run, how(), &mut ()).await.unwrap(), End::Waiting);
        answer(&engine, &run).await;
    }
    assert_eq!(
        engine.drive::<moved::Courier>(&run, how(), &mut ()).await.unwrap(),
        End::Finished(Outcome::Completed)
    );
    let head = engine.present::<moved::Courier>(&run).unwrap();
    assert_eq!((head.memory.lock().unwrap().delivered, head.code), (3, 2));
    // The bound of the row was counted on: two rounds were begun, one before and one after.
    assert_eq!(head.position.fired.get(&3), Some(&2));
    assert_eq!(home.other.calls()["ring"], 3, "what came back before is not done again");
}

#[tokio::test]
async fn names_that_are_gone_need_a_mapping_and_an_approval_that_waits_is_kept() {
    let home = Home::new();
    let (engine, run) = waiting(&home).await;
    let plan = engine.plan_migration::<renamed::Courier>(&run, &Mapping::default()).unwrap();
    let words = |text: &str| vec![text.to_owned()];
    let needs = Verdict::NeedsMapping {
        states: words("ASKING"),
        events: words("LOADED"),
        new_states: words("AT_DOOR"),
        new_events: words("PACKED"),
    };
    assert_eq!(plan.verdict, needs);
    assert!(!engine.migrate::<renamed::Courier>(&run, &Mapping::default(), "me").await.unwrap().done);
    // A person has answered, and nobody has taken it in yet.
    answer(&engine, &run).await;
    let done = engine.migrate::<renamed::Courier>(&run, &renames(), "me").await.unwrap();
    assert!(done.done && done.unasked.is_empty());
    assert_eq!(engine.store.run(&run).unwrap().state, "AT_DOOR");
    assert_eq!(engine.drive::<renamed::Courier>(&run, how(), &mut ()).await.unwrap(), End::Waiting);
    let head = engine.present::<renamed::Courier>(&run).unwrap();
    assert_eq!(head.memory.lock().unwrap().delivered, 2, "the approval counted");
    let answered =
        records(&engine, &run).into_iter().filter(|it| matches!(it.body, Body::Answered(_))).count();
    assert_eq!(answered, 2);
    // Its points and its history speak of the new names only.
    let table = baton_engine::flow::<renamed::Courier>().table();
    let points = baton_engine::turns::points_of(&engine, &run, &table).unwrap();
    assert!(points.iter().all(|point| point.state != "ASKING"), "{points:?}");
    // And the way back is not silent either.
    let back = engine.plan_migration::<old::Courier>(&run, &Mapping::default()).unwrap();
    assert!(matches!(back.verdict, Verdict::NeedsMapping { .. }));
}

#[tokio::test]
async fn an_answer_to_another_question_is_not_taken_for_this_one() {
    let home = Home::new();
    let (engine, run) = waiting(&home).await;
    answer(&engine, &run).await;
    let done = engine.migrate::<asking::Courier>(&run, &Mapping::default(), "me").await.unwrap();
    assert!(done.done);
    assert_eq!(done.unasked.len(), 1);
    assert_eq!(engine.drive::<asking::Courier>(&run, how(), &mut ()).await.unwrap(), End::Waiting);
    assert_eq!(engine.store.questions(Some(&run)).unwrap()[0].question.text, "Who pays for it?");
}

#[tokio::test]
async fn what_cannot_be_proved_is_blocked_and_says_why() {
    let home = Home::new();
    let (engine, run) = waiting(&home).await;
    let before = engine.store.verify(&run).unwrap();
    let blocked = |verdict: Verdict| match verdict {
        Verdict::Blocked { why } => why,
        other => panic!("{other:?}"),
    };
    let none = Mapping::default();
    let why = blocked(engine.plan_migration::<rerouted::Courier>(&run, &none).unwrap().verdict);
    assert!(why.contains("LOADING + LOADED => ASKING") && why.contains("no such row"), "{why}");
    let why = blocked(engine.plan_migration::<heavier::Courier>(&run, &none).unwrap().verdict);
    assert!(why.contains("missing field `weight`"), "{why}");
    let missing = blocked(
        engine
            .plan_migration::<renamed::Courier>(&run, &toml_like(&[("ASKING", "MOON")], &[]))
            .unwrap()
            .verdict,
    );
    assert!(missing.contains("has none of that name. It has: LOADING, AT_DOOR, LOST, HOME"), "{missing}");
    let unknown = blocked(
        engine
            .plan_migration::<renamed::Courier>(&run, &toml_like(&[("SUN", "AT_DOOR")], &[]))
            .unwrap()
            .verdict,
    );
    assert!(unknown.contains("there was no state `SUN`"), "{unknown}");
    let ends = blocked(
        engine
            .plan_migration::<renamed::Courier>(&run, &toml_like(&[("ASKING", "HOME")], &[]))
            .unwrap()
            .verdict,
    );
    assert!(ends.contains("a run is over in one of them"), "{ends}");
    assert_eq!(engine.store.verify(&run).unwrap(), before);
    assert_eq!(engine.store.run(&run).unwrap().status, Status::Waiting);
}

#[test]
fn a_mapping_leads_straight() {
    let circle = toml_like(&[("A", "B"), ("B", "C"), ("C", "A")], &[]).check().unwrap_err();
    assert_eq!(
        circle.to_string(),
        "the mapping goes in a circle: A = B = C = A; map each old name to its new one alone"
    );
    assert!(matches!(toml_like(&[("A", "A")], &[]).check(), Err(BadMapping::Cycle { .. })));
    assert!(matches!(
        toml_like(&[], &[("A", "B"), ("B", "C")]).check(),
        Err(BadMapping::Chain { kind: "event", .. })
    ));
    assert_eq!(toml_like(&[("A", "B"), ("C", "B")], &[]).check(), Ok(()));
}

#[tokio::test]
async fn a_record_of_an_unknown_kind_is_called_newer_and_not_damaged() {
    let home = Home::new();
    let (engine, run) = waiting(&home).await;
    let last = engine.store.records(&run, 1).unwrap().pop().unwrap();
    let (n, text) = (last.n + 1, r#"{"teleported":{"to":"MOON"}}"#);
    let mut bytes = last.hash.0.to_vec();
    bytes.extend(n.to_be_bytes());
    bytes.extend(last.at.0.to_be_bytes());
    bytes.extend(text.as_bytes());
    drop(engine);
    std::fs::remove_file(home.folder.path().join("baton.anchor")).unwrap();
    let file = rusqlite::Connection::open(home.folder.path().join("baton.db")).unwrap();
    file.execute(
        "INSERT INTO record (run, n, at, body, hash, back) SELECT run, ?1, ?2, ?3, ?4, last FROM head",
        (n.cast_signed(), last.at.0.cast_signed(), text, baton_engine::Hash::of(&bytes).0),
    )
    .unwrap();
    file.execute("UPDATE head SET last = (SELECT max(seq) FROM record), records = ?1", [n.cast_signed()])
        .unwrap();
    drop(file);
    let engine = home.engine();
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
    let refused = engine.drive::<old::Courier>(&run, how(), &mut ()).await.unwrap_err();
    assert!(matches!(refused, DriveError::Newer { .. }), "{refused}");
    assert!(
        refused.to_string().ends_with("a newer one wrote it. Nothing was changed; update Baton"),
        "{refused}"
    );
    let plan = engine.plan_migration::<moved::Courier>(&run, &Mapping::default()).unwrap();
    assert!(matches!(plan.verdict, Verdict::Blocked { why } if why.contains("a newer Baton wrote it")));
}

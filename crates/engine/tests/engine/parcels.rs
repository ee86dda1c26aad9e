//! Runs that are packed in one home and unpacked in another.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::{Arc, Mutex};

use baton_engine::engine::{Engine, Imported};
use baton_engine::parcel::{ParcelError, Shelf};
use baton_engine::record::Body;
use baton_engine::turns::points_of;
use baton_engine::{End, Fork, Hash, RunId, SeededDice, Status, Turn, flow};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Puppet, Script, child, poke};
use serde_json::json;

use crate::common::{EPOCH, Home, drive, kinds, memory};

/// Archived texts in memory.
#[derive(Default)]
struct Texts(Mutex<BTreeMap<Hash, Vec<u8>>>);

impl Shelf for Texts {
    fn get(&self, hash: &Hash) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.lock().unwrap().get(hash).cloned())
    }
    fn put(&self, bytes: &[u8]) -> Result<(), String> {
        self.0.lock().unwrap().insert(Hash::of(bytes), bytes.to_vec());
        Ok(())
    }
}

fn pack(engine: &Engine, run: &RunId, shelf: &Texts) -> Vec<u8> {
    let mut bytes = Vec::new();
    engine.export(run, shelf, &mut bytes).unwrap();
    bytes
}

fn unpack(engine: &Engine, bytes: &[u8], shelf: &Texts) -> Result<Imported, ParcelError> {
    engine.import(&mut Cursor::new(bytes), shelf)
}

fn ask() -> Do {
    Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None }
}

/// The record behind which the second visit begins.
fn second(engine: &Engine, run: &RunId) -> String {
    points_of(engine, run, &flow::<Puppet>().table()).unwrap()[1].n.to_string()
}

/// A step, a long thing, and a question to wait at.
fn script() -> Script {
    let text = "archived words";
    let cited = format!("see {}", Hash::of(text.as_bytes()));
    vec![vec![Do::Step(poke("a")), Do::Say(cited), Do::SayLong(40_000)], vec![ask(), Do::Step(poke("b"))]]
}

#[tokio::test]
async fn a_run_goes_on_in_another_home_as_it_would_have_here() {
    let shelf = Texts::default();
    shelf.put(b"archived words").unwrap();
    shelf.put(b"nobody names these").unwrap();
    let home = Home::new().standing();
    let (engine, run, end) = home.play(script()).await;
    assert_eq!(end.unwrap(), End::Waiting);
    let bytes = pack(&engine, &run, &shelf);
    assert_eq!(bytes, pack(&engine, &run, &shelf), "the same run gives the same bytes");

    let (other, there) = (Home::new().standing(), Texts::default());
    let guest = other.engine();
    let imported = unpack(&guest, &bytes, &there).unwrap();
    assert_eq!((imported.tally.runs.len(), imported.tally.payloads, imported.tally.archived), (1, 1, 1));
    assert!(!imported.was_here);
    assert_eq!(there.0.lock().unwrap().len(), 1, "only what the run names travels");
    let (before, after) = (engine.store.run(&run).unwrap(), guest.store.run(&run).unwrap());
    assert_eq!(before, after);
    assert_eq!(guest.store.verify(&run).unwrap(), engine.store.verify(&run).unwrap());
    assert_eq!(guest.store.questions(Some(&run)).unwrap(), engine.store.questions(Some(&run)).unwrap());
    assert!(unpack(&guest, &bytes, &there).unwrap().was_here, "a second time changes nothing");

    // The same answer, the same clock: the very same records follow.
    for engine in [&engine, &guest] {
        engine.store.answer(&run, &"2/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
        assert_eq!(drive(engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    }
    assert_eq!(guest.store.records(&run, 1).unwrap(), engine.store.records(&run, 1).unwrap());
    assert_eq!(memory(&guest, &run), memory(&engine, &run));
    assert_eq!(other.other.calls().get("a"), None, "what was done is not done again");
    let turn = Turn { at: &second(&guest, &run), leave_effects: true, by: "me" };
    let other_chance = Engine { dice: Arc::new(SeededDice::new(8)), ..guest };
    other_chance.fork::<Puppet>(&run, Fork { turn, changes: &[] }).unwrap();
}

#[tokio::test]
async fn a_fork_travels_with_the_records_it_shares() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let turn = Turn { at: &second(&engine, &run), leave_effects: true, by: "me" };
    let forked = engine.fork::<Puppet>(&run, Fork { turn, changes: &[] }).unwrap();
    assert_eq!(drive(&engine, &forked).await.unwrap(), End::Waiting);
    let shelf = Texts::default();
    let bytes = pack(&engine, &forked, &shelf);
    let other = Home::new();
    let guest = other.engine();
    unpack(&guest, &bytes, &shelf).unwrap();
    assert_eq!(kinds(&guest, &forked), kinds(&engine, &forked));
    assert_eq!(guest.store.run(&forked).unwrap().status, Status::Waiting);
    assert_eq!(guest.store.run(&forked).unwrap().spent, engine.store.run(&forked).unwrap().spent);
    let key = guest.store.questions(Some(&forked)).unwrap()[0].key.clone();
    guest.store.answer(&forked, &key, &json!("fine"), "me", EPOCH).unwrap();
    assert_eq!(drive(&guest, &forked).await.unwrap(), End::Finished(Outcome::Completed));
    // The run it went off from can come after it.
    unpack(&guest, &pack(&engine, &run, &shelf), &shelf).unwrap();
    assert_eq!(guest.store.count_runs().unwrap(), 2);
}

#[tokio::test]
async fn a_family_travels_together_and_a_child_never_alone() {
    let home = Home::new();
    let order = |name: &str| child(name, vec![vec![Do::Say(name.to_owned())]]);
    let (engine, run, end) = home.play(vec![vec![Do::Children(vec![order("x"), order("y")])]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    let child = engine.store.children(&run).unwrap()[0].name.clone();
    let shelf = Texts::default();
    let refused = engine.export(&child, &shelf, &mut Vec::new()).unwrap_err();
    assert!(refused.to_string().contains(&format!("`baton export {run}` takes both")), "{refused}");
    let bytes = pack(&engine, &run, &shelf);
    let other = Home::new();
    let guest = other.engine();
    assert_eq!(unpack(&guest, &bytes, &shelf).unwrap().tally.runs.len(), 3);
    assert_eq!(guest.store.children(&run).unwrap(), engine.store.children(&run).unwrap());
    assert_eq!(guest.store.open_children(&run).unwrap(), engine.store.open_children(&run).unwrap());
    assert_eq!(guest.store.verify(&child).unwrap().damage, None);
    // Half of a family is not silently completed.
    let lone = Home::new();
    let half = lone.engine();
    unpack(&half, &bytes, &shelf).unwrap();
    half.store.remove(&run, true).await.unwrap();
    assert!(!unpack(&half, &bytes, &shelf).unwrap().was_here);
}

#[tokio::test]
async fn an_answer_that_waits_is_not_left_behind_silently() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    engine.store.answer(&run, &"2/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    let refused = engine.export(&run, &Texts::default(), &mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("has not taken in the answer to 2/q"), "{refused}");
    assert!(refused.contains(&format!("`baton resume {run}`")), "{refused}");
}

#[tokio::test]
async fn another_run_of_the_same_name_is_left_alone() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let shelf = Texts::default();
    let bytes = pack(&engine, &run, &shelf);
    engine.store.answer(&run, &"2/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    drive(&engine, &run).await.unwrap();
    let before = engine.store.verify(&run).unwrap();
    let refused = unpack(&engine, &bytes, &shelf).unwrap_err().to_string();
    assert!(refused.contains("is here already, and it is not the same"), "{refused}");
    assert_eq!(engine.store.verify(&run).unwrap(), before);
}

/// Every byte that is flipped, every place it is cut: refused, and nothing is kept.
#[tokio::test]
async fn damage_and_cuts_are_refused_everywhere_and_leave_nothing() {
    let home = Home::new();
    let small = vec![vec![Do::Step(poke("a"))], vec![ask()]];
    let (engine, run, _) = home.play(small).await;
    let shelf = Texts::default();
    let bytes = pack(&engine, &run, &shelf);
    let other = Home::new();
    let guest = other.engine();
    for at in 0..bytes.len() {
        let refused = unpack(&guest, &bytes[..at], &shelf).unwrap_err();
        let told = refused.to_string();
        assert!(matches!(refused, ParcelError::Truncated { .. } | ParcelError::Foreign), "{at}: {told}");
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 7);
        let refused = unpack(&guest, &flipped, &shelf).unwrap_err();
        assert!(refused.to_string().contains("othing was taken"), "{at}: {refused}");
    }
    assert_eq!(guest.store.count_runs().unwrap(), 0);
    assert!(unpack(&guest, &[bytes.as_slice(), b"more"].concat(), &shelf).is_err());
}

/// Writes a parcel whose end fits whatever is in it: hashes alone do not keep a liar out.
fn sealed(lines: &str) -> Vec<u8> {
    format!("{lines}end {}\n", Hash::of(lines.as_bytes())).into_bytes()
}

#[tokio::test]
async fn a_newer_or_hostile_file_is_called_that() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let shelf = Texts::default();
    let whole = String::from_utf8(pack(&engine, &run, &shelf)).unwrap();
    let open = &whole[..whole.rfind("end ").unwrap()];
    let guest_home = Home::new();
    let guest = guest_home.engine();
    let told = |bytes: &[u8]| unpack(&guest, bytes, &shelf).unwrap_err().to_string();
    let newer = told(open.replacen("baton run 1", "baton run 7", 1).as_bytes());
    assert!(
        newer.contains("newer Baton (form 7; this one knows up to 1)") && newer.contains("Update Baton"),
        "{newer}"
    );
    assert!(told(b"%PDF-1.7\n").contains("not a run that `baton export` wrote"));
    assert!(told(b"").contains("cut off after 0 bytes"));

    // A record of an unknown kind, chained as a newer Baton would.
    let last = engine.store.records(&run, 1).unwrap().pop().unwrap();
    let (n, text) = (last.n + 1, r#"{"teleported":{"to":"MOON"}}"#);
    let link = {
        let mut bytes = last.hash.0.to_vec();
        bytes.extend(n.to_be_bytes());
        bytes.extend(last.at.0.to_be_bytes());
        bytes.extend(text.as_bytes());
        Hash::of(&bytes)
    };
    let place = open.find("\npayload ").map_or(open.len(), |at| at + 1);
    let record = format!("record {n} {} {link} {}\n{text}\n", last.at.0, text.len());
    let newer = told(&sealed(&format!("{}{record}{}", &open[..place], &open[place..])));
    assert!(newer.contains("unknown kind `teleported`") && newer.contains("newer Baton"), "{newer}");

    // Names that lead out, lengths that lie, parts nobody names, runs that are others.
    let escaped = told(&sealed(&open.replace(run.as_str(), "../../etc/")));
    assert!(escaped.contains("is not the name of a run") || escaped.contains("does not follow"), "{escaped}");
    let huge = told(&sealed(
        "baton run 1\ntable 0000000000000000000000000000000000000000000000000000000000000000 99999999999999\n",
    ));
    assert!(huge.contains("99999999999999 bytes"), "{huge}");
    let stuffed = format!("{open}archived {} 4\nhaha\n", Hash::of(b"haha"));
    assert!(told(&sealed(&stuffed)).contains("no record names"), "stuffed");
    let other_label = open.replacen("\"title\":\"", "\"title\":\"another ", 1);
    assert!(told(&sealed(&other_label)).contains("is not that of its first record"));
    let links = told(&sealed("baton run 1\nlink ../../x\n"));
    assert!(links.contains("unknown kind"), "{links}");
    assert_eq!(guest.store.count_runs().unwrap(), 0);
}

#[tokio::test]
async fn a_run_that_somebody_drives_is_not_packed() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let lease = engine.store.lease(&run).await.unwrap();
    let refused = engine.export(&run, &Texts::default(), &mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("is being driven; export it when it rests"), "{refused}");
    drop(lease);
    let last = engine.store.records(&run, 1).unwrap().pop().unwrap().open().unwrap();
    assert!(matches!(last.body, Body::Asked(_)));
}

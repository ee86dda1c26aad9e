//! The journals held against each other, against what was seen of them before, and against what the servers saw.

use std::collections::BTreeMap;

use baton_engine::Status;
use baton_engine::store::{RunSummary, Store, StoreOptions};
use baton_testkit::model_server::Act;
use serde_json::Value;

use super::fates::{Fates, Step};
use super::life::Lived;
use super::tally::Tally;
use super::world::{Kind, World, title};
use crate::modelled::{SECRET, holding};

/// A search beyond this machine is put to each place at most so often for one intent.
const TRIES: usize = 2;

/// Calls that one server saw, by run and by what was asked.
type Seen = BTreeMap<(u64, String), usize>;

/// Looks at everything; what is not as it should be becomes a finding.
pub fn audit(world: &World, tally: &mut Tally) {
    let store = Store::open(&world.kept(), &StoreOptions::default()).expect("the journal opens");
    let rows = store.runs(None).expect("the list of runs");
    let seen = ServersSaw::of(world, tally);
    let mut findings = Vec::new();
    for lived in &tally.lives {
        let of: Vec<&RunSummary> =
            rows.iter().filter(|row| row.title.starts_with(&title(lived.number))).collect();
        let found = match (&of[..], &lived.run) {
            ([row], _) => {
                let fates = Fates::of(&store, row);
                *tally.ends.entry(format!("{} {}", row.workflow, end(&row.status))).or_default() += 1;
                tally.intents += fates.intents;
                tally.unknown += fates.unknown;
                let mut found = whole(&store, row, lived);
                found.extend(explained(lived, &fates, &seen, world));
                found.extend(fates.findings);
                found
            }
            ([], None) => continue,
            (several, seen) => vec![format!("{} runs in the list, and {seen:?} was seen", several.len())],
        };
        let name = lived.run.as_deref().unwrap_or("never seen");
        findings.extend(
            found.into_iter().map(|what| format!("run {} ({:?}, {name}): {what}", lived.number, lived.kind)),
        );
    }
    drop(store);
    findings.extend(alarms(world));
    tally.findings.extend(findings);
}

fn end(status: &Status) -> String {
    match status {
        Status::Running => "running".to_owned(),
        Status::Waiting => "waiting".to_owned(),
        Status::Stopped(reason) => format!("stopped ({})", reason.name()),
        Status::Finished(outcome) => format!("{outcome:?}").to_lowercase(),
    }
}

/// The chain is whole, it is at rest, and every record that was ever seen stands where it stood.
fn whole(store: &Store, row: &RunSummary, lived: &Lived) -> Vec<String> {
    let mut found = Vec::new();
    let verified = store.verify(&row.name).expect("a run");
    if verified.damage.is_some() || verified.loss.is_some() {
        found.push(format!("the chain is not whole: {verified:?}"));
    }
    if row.status == Status::Running {
        found.push("it neither ended nor waits nor was stopped".to_owned());
    }
    let records = store.records(&row.name, 1).expect("records");
    for sighting in &lived.sightings {
        let now = sighting.n.checked_sub(1).and_then(|at| records.get(usize::try_from(at).ok()?));
        if now.is_none_or(|record| record.hash.0.as_slice() != sighting.hash.as_slice()) {
            found.push(format!("record {} was there and is not any more", sighting.n));
        }
    }
    found
}

/// What every server saw.
struct ServersSaw {
    model: Seen,
    pages: Seen,
    searches: Seen,
    tools: Seen,
}

impl ServersSaw {
    fn of(world: &World, tally: &mut Tally) -> Self {
        let mut saw =
            Self { model: Seen::new(), pages: Seen::new(), searches: Seen::new(), tools: Seen::new() };
        for served in world.server().served() {
            let number = served.asked.model.strip_prefix("large-").and_then(|number| number.parse().ok());
            let asked = conversation(&served.asked.step, served.asked.texts.iter().map(String::as_str));
            *saw.model.entry((number.expect("a run's own model"), asked)).or_default() += 1;
            if let Some(fault) = fault(&served.act) {
                *tally.faults.entry(fault).or_default() += 1;
            }
        }
        tally.faults.extend(world.site_faults.lock().expect("whole").clone());
        for request in world.site.requests() {
            let Some((number, rest)) = request.path.trim_start_matches('/').split_once('/') else { continue };
            let number = number.parse().expect("a run's own site");
            let query = request.query.split('&').find_map(|pair| pair.strip_prefix("q="));
            match query {
                Some(query) => *saw.searches.entry((number, plain(query))).or_default() += 1,
                None => *saw.pages.entry((number, rest.to_owned())).or_default() += 1,
            }
        }
        for lived in &tally.lives {
            let log = std::fs::read_to_string(world.own(lived.number).join("mcp.log")).unwrap_or_default();
            for line in log.lines().filter(|line| line.contains("\"tools/call\"")) {
                let call: Value = serde_json::from_str(line).expect("a message");
                let query = call["params"]["arguments"]["query"].as_str().unwrap_or_default();
                *saw.tools.entry((lived.number, query.to_owned())).or_default() += 1;
            }
        }
        let sums = [
            ("model", &saw.model),
            ("pages", &saw.pages),
            ("searches", &saw.searches),
            ("tools", &saw.tools),
        ];
        tally.calls = sums.into_iter().map(|(who, seen)| (who, seen.values().sum())).collect();
        saw
    }
}

/// What was said in a call. The schema is left out: on its way to a server it moves from the words to a place beside them.
fn conversation<'a>(step: &str, texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.map(without_schema).collect();
    format!("{step}\n{}", texts.join("\n"))
}

fn without_schema(text: &str) -> String {
    let named = |line: &&str| !line.starts_with('{') && !line.contains("JSON schema");
    text.lines().filter(named).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// What a model server did wrong, without the text it said meanwhile.
fn fault(act: &Act) -> Option<String> {
    match act {
        Act::Say(_) => None,
        Act::Fail(fault) => Some(format!("{fault:?}")),
        Act::Count(_, counts) => Some(format!("Count({counts:?})")),
        Act::Leak(_, leak) => Some(format!("Leak({leak:?})")),
        other => Some(format!("{other:?}").split('(').next().unwrap_or_default().to_owned()),
    }
}

/// A query as it was before it was put into an address.
fn plain(query: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = query.bytes();
    while let Some(byte) = rest.next() {
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let (high, low) = (hex(rest.next()), hex(rest.next()));
                bytes.push(u8::try_from(high.zip(low).map_or(0, |(high, low)| high * 16 + low)).unwrap_or(0));
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).expect("text")
}

/// Every call has its intent, none was made again after its receipt, and no good receipt came from nowhere.
fn explained(lived: &Lived, fates: &Fates, seen: &ServersSaw, world: &World) -> Vec<String> {
    let mut found = Vec::new();
    let mut hold = |who: &str, seen: &Seen, per_intent: usize, allowed: &BTreeMap<String, (usize, usize)>| {
        let own = |what: &str| seen.get(&(lived.number, what.to_owned())).copied().unwrap_or(0);
        for ((number, what), calls) in seen.range((lived.number, String::new())..) {
            if *number != lived.number {
                break;
            }
            let (intents, _) = allowed.get(what).copied().unwrap_or_default();
            if *calls > intents * per_intent {
                found.push(format!("{who} was asked {calls} times with {intents} intents: {}", start(what)));
            }
        }
        for (what, (_, good)) in allowed {
            if own(what) < *good {
                found.push(format!("{who} gave {good} receipts for {} calls: {}", own(what), start(what)));
            }
        }
    };
    let asks = |kind: &str, name: &dyn Fn(&Step) -> String| {
        let mut asks = BTreeMap::<String, (usize, usize)>::new();
        for step in fates.steps.values().filter(|step| step.kind == kind) {
            let sums = asks.entry(name(step)).or_default();
            *sums = (sums.0 + step.intents, sums.1 + step.good);
        }
        asks
    };
    let without_good = |asks: BTreeMap<String, (usize, usize)>| -> BTreeMap<String, (usize, usize)> {
        asks.into_iter().map(|(what, (intents, _))| (what, (intents, 0))).collect()
    };
    hold("the model", &seen.model, 1, &asks("model", &model_call));
    let queries = asks("search_web", &|step| words(&step.input["query"]));
    // The same words may have been answered before, and then nobody is asked.
    hold("the site's search", &seen.searches, TRIES, &without_good(queries.clone()));
    hold("the MCP server", &seen.tools, TRIES, &without_good(queries));
    let below = world.site.url(&format!("/{}/", lived.number));
    let page = |step: &Step| words(&step.input["lead"]["location"]["url"]).replace(&below, "");
    // A page that was fetched comes from the archive when another task wants it.
    hold("the site", &seen.pages, 1, &without_good(asks("fetch", &page)));
    if lived.kind == Kind::Approval {
        let done = std::fs::read_to_string(world.own(lived.number).join("done")).unwrap_or_default();
        for (key, step) in &fates.steps {
            let times = done.lines().filter(|line| *line == key.name).count();
            if times > step.intents {
                found.push(format!("{key} was done {times} times with {} intents", step.intents));
            }
        }
    }
    found
}

fn model_call(step: &Step) -> String {
    let call = &step.input["attempt"]["call"];
    let messages = call["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    conversation(&words(&call["step"]), messages.iter().filter_map(|message| message["text"].as_str()))
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn start(text: &str) -> String {
    text.chars().take(120).collect()
}

/// What the program itself says is wrong, records it set aside, and keys where none may be.
fn alarms(world: &World) -> Vec<String> {
    let mut found = Vec::new();
    let home = &world.modelled.home;
    let told = home.baton(&["doctor", "--json"]).json();
    if told["damage"].as_array().is_none_or(|damage| !damage.is_empty()) {
        found.push(format!("doctor tells of damage: {}", told["damage"]));
    }
    let bad = told["checks"].as_array().into_iter().flatten().filter(|check| check["ok"] != true);
    found.extend(bad.map(|check| format!("doctor: {check}")));
    let database = rusqlite::Connection::open(world.kept().join("baton.db")).expect("a database");
    let torn: i64 = database.query_row("SELECT count(*) FROM torn", [], |row| row.get(0)).expect("counted");
    if torn > 0 {
        found.push(format!("{torn} records were set aside as damaged"));
    }
    let (holds, files) = holding(home.desk().parent().expect("a folder"), SECRET);
    if !holds.is_empty() || files < 2 {
        found.push(format!("the key is in {holds:?} of {files} files"));
    }
    let (panicked, _) = holding(&home.desk(), "panicked at");
    found.extend(panicked.into_iter().map(|file| format!("the program panicked, see {file}")));
    found
}

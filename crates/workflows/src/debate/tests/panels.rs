//! Twenty debates of scripted panels whose right record was written down before they were held: `panels.toml` has both.
//! Who wins, who moves and why, what becomes of each objection, how sure it may be and what was missing is read from
//! `debate.json`, as a program would.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::model::{FaultKind, Finish, ModelCall, ModelFault, ModelReply, Structured, Usage};
use baton_agents::skill::Role;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{
    Call, Drive, Effects, End, Engine, Failure, Idle, Millis, Paid, Perform, SeededDice, Settings, Spend,
    flow,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::support::{agent, setup, slot};
use crate::asking::{CallModel, Replied};
use crate::debate::contribution::Severity;
use crate::debate::frame::Frame;
use crate::debate::panel::letter;
use crate::debate::setup::{Critiques, Kind, Requirement, Setup, Termination};
use crate::debate::{Debate, Memory};
use crate::pretended::PretendedModel;

#[derive(Deserialize)]
struct Panels {
    debates: Vec<Scripted>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scripted {
    name: String,
    #[serde(default = "three")]
    rounds: u32,
    #[serde(default)]
    termination: Option<Termination>,
    #[serde(default)]
    quorum: Option<u8>,
    #[serde(default)]
    critique: Option<Critiques>,
    /// Slots and their options; none leaves the frame to the judge.
    #[serde(default)]
    frame: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    problem: Option<String>,
    #[serde(default)]
    requirements: Vec<String>,
    /// What the judge says of each round, the last one again and again; `fails` and `babbles` are words it may say.
    #[serde(default)]
    judge: Vec<Value>,
    /// What the writer of the decision says of itself; none is 95.
    #[serde(default)]
    writer: Option<Value>,
    agents: BTreeMap<String, Script>,
    right: Right,
}

fn three() -> u32 {
    3
}

/// What an agent says and does.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Script {
    says: String,
    takes: BTreeMap<String, String>,
    covers: Vec<String>,
    /// Positions from a round on.
    later: BTreeMap<String, BTreeMap<String, String>>,
    /// What it says from a round on.
    then: BTreeMap<String, String>,
    objects: Vec<Raise>,
    /// Answers by the words of an objection.
    answers: BTreeMap<String, String>,
    /// Words of its own objections it lets go of when it is shown them again.
    settles: Vec<String>,
    /// The round from which it answers with nothing but errors.
    dies: Option<u32>,
    /// The round from which it only babbles.
    babbles: Option<u32>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raise {
    round: u32,
    to: String,
    #[serde(default)]
    slot: String,
    severity: Severity,
    claim: String,
}

/// The labelled fields of the right record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Right {
    state: String,
    ended: String,
    round: u32,
    winners: BTreeMap<String, String>,
    standing: BTreeMap<String, String>,
    confidence: Option<u8>,
    degraded: bool,
    moved: BTreeSet<String>,
    dissent: BTreeSet<String>,
    open: BTreeSet<String>,
    accepted: BTreeSet<String>,
    rejected: BTreeSet<String>,
    withdrawn: BTreeSet<String>,
    unmet: BTreeSet<String>,
    benched: BTreeSet<String>,
}

/// Says what the script says; counts the rounds of each agent by its refinements.
struct Player {
    debate: Scripted,
    letters: BTreeMap<String, String>,
    rounds: Mutex<BTreeMap<String, u32>>,
}

impl Player {
    fn round(&self, role: &str) -> u32 {
        self.rounds.lock().unwrap().get(role).copied().unwrap_or(0) + 1
    }

    fn positions(script: &Script, round: u32) -> Value {
        let mut taken = script.takes.clone();
        for (from, later) in &script.later {
            if from.parse::<u32>().unwrap() <= round {
                taken.extend(later.clone());
            }
        }
        taken.iter().map(|(slot, option)| json!({"slot": slot, "option": option})).collect()
    }

    fn words(script: &Script, round: u32) -> String {
        let newest = script.then.iter().rfind(|(from, _)| from.parse::<u32>().unwrap() <= round);
        newest.map_or_else(|| script.says.clone(), |(_, words)| words.clone())
    }

    /// What is said; none is an error of the server.
    fn say(&self, call: &ModelCall) -> Option<String> {
        let prompt = call.messages.last().map_or("", |message| message.text.as_str());
        if call.role == "judge" {
            return self.judge(call, prompt);
        }
        let script = &self.debate.agents[&call.role];
        let round = self.round(&call.role);
        if script.dies.is_some_and(|from| from <= round) {
            return None;
        }
        if script.babbles.is_some_and(|from| from <= round) {
            return Some("Let me think about that for a while.".to_owned());
        }
        let value = match call.skill.as_str() {
            "debate_propose" => json!({
                "proposal": Self::words(script, round),
                "positions": Self::positions(script, 0),
                "covers": script.covers,
            }),
            "debate_critique" => {
                let target =
                    prompt.split("of others: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
                let targets: Vec<&str> = target.split(", ").collect();
                let raised = script.objects.iter().filter(|raise| raise.round == round);
                let objections: Vec<Value> = raised
                    .filter(|raise| targets.contains(&self.letters[&raise.to].as_str()))
                    .map(|raise| {
                        json!({"target": self.letters[&raise.to], "slot": raise.slot, "severity": raise.severity,
                               "claim": raise.claim})
                    })
                    .collect();
                let settled: Vec<String> =
                    lines_with(prompt, &script.settles).into_iter().map(|(id, _)| id).collect();
                json!({"critique": "Read.", "objections": objections, "settled": settled})
            }
            "debate_refine" => {
                let claims: Vec<String> = script.answers.keys().cloned().collect();
                let mut answered: Vec<Value> = lines_with(prompt, &claims)
                    .into_iter()
                    .map(|(id, claim)| {
                        let (reply, reason) = script.answers[&claim].split_once(": ").unwrap();
                        json!({"objection": id, "reply": reply, "reason": reason})
                    })
                    .collect();
                // What the script does not name is turned down.
                for id in ids(prompt) {
                    if !answered.iter().any(|one| one["objection"] == id.as_str()) {
                        answered.push(
                            json!({"objection": id, "reply": "rejected", "reason": "I see it otherwise."}),
                        );
                    }
                }
                *self.rounds.lock().unwrap().entry(call.role.clone()).or_default() += 1;
                json!({
                    "proposal": Self::words(script, round),
                    "positions": Self::positions(script, round),
                    "covers": script.covers,
                    "responses": answered,
                })
            }
            other => panic!("nobody expects {other}"),
        };
        Some(value.to_string())
    }

    fn judge(&self, call: &ModelCall, prompt: &str) -> Option<String> {
        let said = match call.skill.as_str() {
            "debate_judge" => {
                let mut rounds = self.rounds.lock().unwrap();
                let round = rounds.entry("judge".to_owned()).or_default();
                let said = self.debate.judge.get(*round as usize).or(self.debate.judge.last()).cloned();
                // A repair turn is no new round.
                *round += u32::from(call.step.ends_with(".0"));
                said
            }
            "debate_frame" => Some(json!("babbles")),
            _ => Some(self.debate.writer.clone().unwrap_or(json!(95))),
        };
        match said {
            Some(Value::String(word)) if word == "fails" => None,
            Some(Value::String(word)) if word == "babbles" => Some("About ninety, I would guess!".to_owned()),
            Some(Value::Number(number)) if call.skill == "debate_judge" => {
                Some(json!({"findings": [], "agreement": number, "readiness": number}).to_string())
            }
            Some(Value::Object(mut whole)) if call.skill == "debate_judge" => {
                // Words that stand in a solution, so that the finding counts.
                let quote = prompt.split("\"solution ").nth(1).and_then(|rest| rest.lines().nth(1)).unwrap();
                whole["findings"][0]["quote"] = json!(quote);
                Some(Value::Object(whole).to_string())
            }
            Some(own) => Some(
                json!({
                    "solution": "As the votes say.",
                    "tradeoffs": [],
                    "recommendations": [],
                    "unmet_requirements": own.get("unmet").cloned().unwrap_or(json!([])),
                    "open_questions": [],
                    "confidence": own.get("confidence").cloned().unwrap_or(own),
                })
                .to_string(),
            ),
            None => panic!("there is no judge"),
        }
    }
}

/// The ids of objections in a prompt.
fn ids(prompt: &str) -> Vec<String> {
    let is_id = |word: &&str| word.starts_with('r') && word.matches('-').count() == 2;
    prompt.lines().filter_map(|line| line.split(' ').next()).filter(is_id).map(str::to_owned).collect()
}

/// The objections of a prompt whose words begin like one of these, with the one they begin like.
fn lines_with(prompt: &str, claims: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in prompt.lines() {
        let Some((id, rest)) = line.split_once(" (").filter(|(id, _)| id.starts_with('r')) else { continue };
        let Some((_, claim)) = rest.split_once("): ") else { continue };
        let known = claims.iter().find(|known| claim.starts_with(known.as_str()));
        found.extend(known.map(|known| (id.to_owned(), known.clone())));
    }
    found
}

#[async_trait]
impl Perform<CallModel> for Player {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let call = &act.attempt.call;
        let spend = Spend { micro_usd: 10, tokens: 10, calls: 1 };
        let Some(text) = self.say(call) else {
            let fault = ModelFault::new(FaultKind::Unauthorized, &call.model, "the key is wrong");
            return Ok(Paid { out: Err(fault), spend: Spend { calls: 1, ..Spend::NONE } });
        };
        let reply = ModelReply {
            text,
            finish: Finish::Stop,
            usage: Usage { input: 5, output: 5, ..Usage::default() },
            cost_microusd: 10,
            served_by: call.model.clone(),
            provider_id: None,
        };
        Ok(Paid { out: Ok(reply), spend })
    }
}

fn set_up(debate: &Scripted) -> Setup {
    let role = |name: &str| {
        let card = PretendedModel::card(name);
        let chain = vec![baton_agents::model::ModelCard { structured: Structured::Schema, ..card }];
        Role { name: name.to_owned(), chain, rules: false }
    };
    let mut setup = setup();
    let model = |id: &String| agent(id, Kind::Model { role: role(id), tool_calls: 0 });
    setup.agents = debate.agents.keys().map(model).collect();
    if !debate.judge.is_empty() {
        setup.judge.role = role("judge");
    }
    if let Some(problem) = &debate.problem {
        setup.problem.clone_from(problem);
    }
    let slots = debate
        .frame
        .iter()
        .map(|(name, options)| slot(name, &options.iter().map(String::as_str).collect::<Vec<_>>()));
    setup.frame = (!debate.frame.is_empty()).then(|| Frame { slots: slots.collect() });
    let requirement = |(at, text): (usize, &String)| Requirement {
        id: format!("R{}", at + 1),
        text: text.clone(),
        major: true,
    };
    setup.requirements = debate.requirements.iter().enumerate().map(requirement).collect();
    setup.terms.rounds = debate.rounds;
    setup.terms.termination = debate.termination.unwrap_or(setup.terms.termination);
    setup.terms.quorum = debate.quorum.unwrap_or(setup.terms.quorum);
    setup.terms.critiques = debate.critique.unwrap_or(setup.terms.critiques);
    setup
}

/// Holds a debate; its `debate.json`, and how many calls it took.
async fn held(debate: &Scripted) -> (Value, String, u64) {
    let setup = set_up(debate);
    let memory = Memory::new(setup.clone());
    let letters = debate.agents.keys().map(|id| (id.clone(), letter(&memory, id))).collect();
    let player = Player { debate: debate.clone(), letters, rounds: Mutex::default() };
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine {
        store: Store::open(folder.path(), &StoreOptions::default()).unwrap(),
        clock: Arc::new(SimClock::jumping(Millis(1_700_000_000_000))),
        dice: Arc::new(SeededDice::new(5)),
        effects: Effects::default().with::<CallModel>(player),
    };
    let run = engine.start::<Debate>(&setup, Settings { parallel: 2, ..Settings::default() }).unwrap();
    let pace = Pace { poll: None, grace: Duration::ZERO };
    let how = Drive { idle: Idle::Leave, pace, by: "the test".to_owned(), ..Drive::default() };
    let end = engine.drive::<Debate>(&run, how, &mut ()).await.unwrap();
    assert!(matches!(end, End::Finished(_)), "{}: {end:?}", debate.name);
    let files = flow::<Debate>().files(&engine, &run).unwrap();
    let file = |name: &str| {
        let file = files.iter().find(|file| file.path == name).unwrap();
        String::from_utf8(file.content.clone()).unwrap()
    };
    let calls = engine.store.run(&run).unwrap().spent.calls;
    (serde_json::from_str(&file("debate.json")).unwrap(), file("decision.md"), calls)
}

/// The labelled fields of a `debate.json`.
fn read(whole: &Value) -> Right {
    let record = &whole["record"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let objections = list(&whole["objections"]);
    let claims = |fits: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
        objections.iter().filter(|one| fits(one)).map(|one| text(&one["claim"])).collect()
    };
    let claim =
        |id: &Value| objections.iter().find(|one| one["id"] == *id).map(|one| text(&one["claim"])).unwrap();
    let moved = list(&record["moved"]).into_iter().map(|flip| {
        let why: Vec<String> = list(&flip["because"]).iter().map(claim).collect();
        let way = format!(
            "{} {}: {} -> {}",
            text(&flip["agent"]),
            text(&flip["slot"]),
            text(&flip["from"]),
            text(&flip["to"])
        );
        if why.is_empty() { way } else { format!("{way}, {}", why.join(", ")) }
    });
    let dissent = list(&record["dissent"]);
    let slots = list(&record["slots"]);
    Right {
        state: text(&whole["state"]),
        ended: text(&record["endedBy"]),
        round: u32::try_from(whole["memory"]["round"].as_u64().unwrap()).unwrap(),
        winners: slots
            .iter()
            .filter(|slot| !slot["option"].is_null())
            .map(|slot| (text(&slot["slot"]), text(&slot["option"])))
            .collect(),
        standing: slots.iter().map(|slot| (text(&slot["slot"]), text(&slot["state"]))).collect(),
        confidence: record["confidence"].as_u64().map(|number| u8::try_from(number).unwrap()),
        degraded: !list(&record["degraded"]).is_empty(),
        moved: moved.collect(),
        dissent: dissent
            .iter()
            .map(|one| format!("{} {}: {}", text(&one["agent"]), text(&one["slot"]), text(&one["option"])))
            .collect(),
        open: claims(&|one| one["standing"] == "open"),
        accepted: claims(&|one| one["fate"] == "accepted"),
        rejected: claims(&|one| one["fate"] == "rejected"),
        withdrawn: claims(&|one| one["fate"] == "withdrawn"),
        unmet: list(&record["unmet"]).iter().map(&text).collect(),
        benched: record["benched"].as_object().unwrap().keys().cloned().collect(),
    }
}

fn panels() -> Vec<Scripted> {
    let all: Panels = toml::from_str(include_str!("panels.toml")).unwrap();
    all.debates
}

#[tokio::test]
async fn twenty_debates_have_the_record_that_is_right() {
    let debates = panels();
    assert_eq!(debates.len(), 20);
    let mut wrong = Vec::new();
    for debate in &debates {
        let (whole, record, _) = held(debate).await;
        let found = read(&whole);
        if found != debate.right {
            wrong.push(format!("{}\n  right {:?}\n  found {found:?}\n{record}", debate.name, debate.right));
        }
        let says = record.contains("**Degraded.**");
        assert_eq!(says, found.degraded, "{}: the record says what was missing\n{record}", debate.name);
        for id in &found.unmet {
            assert!(record.contains(&format!("**{id}: not met**")), "{}: {id}\n{record}", debate.name);
        }
        for claim in &found.open {
            assert!(record.contains(claim.as_str()), "{}: {claim}\n{record}", debate.name);
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Confidence is never above the lowest honest source, whatever the others say of themselves.
#[tokio::test]
async fn nobody_can_talk_confidence_up() {
    let agreed = panels().into_iter().find(|debate| debate.name == "agreed from the start").unwrap();
    for judge in [json!(5), json!(60), json!(95), json!(100), json!("fails"), json!("babbles")] {
        for writer in [json!(5), json!(95), json!(100), json!("fails"), json!("babbles")] {
            let debate =
                Scripted { judge: vec![judge.clone()], writer: Some(writer.clone()), ..agreed.clone() };
            let (whole, record, _) = held(&debate).await;
            let honest = |said: &Value| said.as_u64().unwrap_or(50);
            let most = honest(&judge).min(honest(&writer));
            let found = whole["record"]["confidence"].as_u64().unwrap();
            assert_eq!(found, most, "{judge} {writer}\n{record}");
            let missing = judge.is_string() || writer.is_string();
            assert_eq!(record.contains("**Degraded.**"), missing, "{judge} {writer}\n{record}");
        }
    }
}

/// One dead agent of three costs a debate of thirty rounds a probe now and then, and not the debate.
#[tokio::test]
async fn a_dead_agent_costs_little_and_fails_nothing() {
    let mut debate = panels().into_iter().find(|debate| debate.name == "one of three dies").unwrap();
    debate.rounds = 30;
    debate.termination = Some(Termination::Fixed);
    let (whole, _, calls) = held(&debate).await;
    assert_eq!((&whole["state"], &whole["memory"]["round"]), (&json!("Completed"), &json!(30)));
    let steps = whole["held"]["steps"].as_array().unwrap();
    let of_dead = steps.iter().filter(|step| step["model"] == "cid").count() as u64;
    assert!(of_dead * 4 < calls, "{of_dead} of {calls} calls went to the dead");
    let living = debate.agents.len() as u64 - 1;
    assert!(calls - of_dead >= 30 * (living + living * (living - 1)), "the others went on: {calls}");
}

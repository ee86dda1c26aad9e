//! `debate` with a scripted model: the flows end to end, what they cost in calls, and what is kept.

use std::sync::Mutex;

use baton_testkit::model_server::{Act, Asked};
use serde_json::{Value, json};

use crate::modelled::Modelled;
use crate::support::{Output, until};

pub const PANEL: &str = r#"
summarization = { enabled = false }
[[frame]]
slot = "store"
options = ["sqlite", "postgres"]
[[agents]]
id = "ann"
role = "architect"
[[agents]]
id = "bob"
role = "performance"
[[agents]]
id = "cid"
role = "kiss"
"#;

const PROBLEM: &str = "Where do we store the jobs?";

/// The skill a call asks for.
pub fn skill(asked: &Asked) -> &str {
    asked.step.rsplit(':').nth(1).unwrap_or_default()
}

pub fn last(asked: &Asked) -> &str {
    asked.texts.last().map_or("", String::as_str)
}

pub fn proposal(store: &str) -> Value {
    json!({
        "proposal": format!("Use {store}."),
        "positions": [{"slot": "store", "option": store}],
        "covers": [],
        "responses": [],
    })
}

/// A model that is never content: everybody changes sides in every round, and the judge sees no agreement.
fn restless(asked: &Asked) -> String {
    let value = match skill(asked) {
        "debate_propose" if asked.step.contains("/ann") => proposal("sqlite"),
        "debate_propose" => proposal("postgres"),
        "debate_refine" if last(asked).contains("- store: sqlite") => proposal("postgres"),
        "debate_refine" => proposal("sqlite"),
        "debate_judge" => json!({"findings": [], "agreement": 40, "readiness": 40}),
        _ => agreeable_value(asked),
    };
    value.to_string()
}

/// A model that agrees with everybody about everything.
pub fn agreeable(asked: &Asked) -> String {
    agreeable_value(asked).to_string()
}

pub fn agreeable_value(asked: &Asked) -> Value {
    match skill(asked) {
        "debate_propose" => proposal("sqlite"),
        "debate_refine" => {
            let mut refined = proposal("sqlite");
            let is_id =
                |word: &&str| word.starts_with('r') && word.matches('-').count() == 2 && word.len() < 10;
            let accept = |id| json!({"objection": id, "reply": "accepted", "reason": "true"});
            refined["responses"] = last(asked).split_whitespace().filter(is_id).map(accept).collect();
            refined
        }
        "debate_critique" => {
            let dissents = last(asked).contains("it is your turn to dissent");
            let letter = last(asked).split("others: ").nth(1).and_then(|rest| rest.get(..1)).unwrap_or("A");
            let minor =
                json!({"target": letter, "slot": "", "severity": "minor", "claim": "It may be slow."});
            json!({"critique": "Fine.", "objections": if dissents { vec![minor] } else { vec![] }, "settled": []})
        }
        "debate_judge" => json!({"findings": [], "agreement": 95, "readiness": 80}),
        "debate_synthesize" => json!({
            "solution": "Store the jobs in **sqlite**.",
            "tradeoffs": ["One host."],
            "recommendations": ["Back it up."],
            "unmet_requirements": [],
            "open_questions": [],
            "confidence": 90,
        }),
        "debate_clarify" => json!({"questions": []}),
        "debate_evaluate" => json!({"scores": {"security": 7, "overall": 12, "testability": "good"}}),
        other => panic!("nobody expects {other}"),
    }
}

pub fn with(answer: fn(&Asked) -> String, panel: &str) -> Modelled {
    let modelled = Modelled::new().with_m();
    modelled.server.answer(answer);
    modelled.home.write("panel.toml", panel);
    modelled
}

fn debate(modelled: &Modelled, more: &[&str]) -> Output {
    modelled.baton(&[&["debate", PROBLEM, "--config", "panel.toml"], more].concat())
}

pub fn state(modelled: &Modelled) -> Value {
    let files = modelled.home.baton(&["files", "last", "--json"]).json();
    let files: Vec<&str> = files.as_array().expect("paths").iter().filter_map(Value::as_str).collect();
    let path = files.iter().find(|path| path.ends_with("debate.json")).expect("the state");
    serde_json::from_str(&std::fs::read_to_string(path).expect("readable")).expect("JSON")
}

#[test]
fn three_agents_and_three_rounds_cost_what_the_plan_says() {
    let terms = [
        ("convergence", "pairwise", 34),
        ("convergence", "batched", 25),
        ("fixed", "pairwise", 31),
        ("fixed", "batched", 22),
    ];
    for (end, critique, calls) in terms {
        let panel =
            format!("critique = \"{critique}\"\nterminationCondition = {{ type = \"{end}\" }}\n{PANEL}");
        let modelled = with(restless, &panel);
        let planned = debate(&modelled, &["--plan", "--json"]).json();
        assert_eq!(planned["high"]["calls"], calls, "{end} {critique}");
        assert_eq!(modelled.server.served().len(), 0, "a plan asks nobody");
        let said = debate(&modelled, &[]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert_eq!(modelled.server.served().len(), calls, "{end} {critique}");
        assert!(said.out.contains("Ended by MAX_ROUNDS_REACHED: all 3 rounds were held."), "{}", said.out);
    }
}

#[test]
fn convergence_ends_as_soon_as_everybody_agrees() {
    let modelled = with(agreeable, PANEL);
    let said = debate(&modelled, &["-o", "out/decision.md"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for line in [
        "Evaluation -> Synthesis on CONSENSUS_REACHED",
        "agreement 95 reached the threshold 80 in round 1 (self-report of m)",
        "**Confidence: 90 of 100** (source: self-report of m). Written by m.",
        "Store the jobs in **sqlite**.",
    ] {
        assert!(said.out.contains(line), "{line}: {}", said.out);
    }
    assert!(said.err.contains("all 3 model agents use large"), "{}", said.err);
    assert_eq!(
        modelled.server.served().len(),
        14,
        "3 proposals, 6 critiques, 3 refinements, judge, decision"
    );
    let record = std::fs::read_to_string(modelled.home.desk().join("out/decision.md")).expect("written");
    assert!(record.contains("| store | sqlite: ann, bob, cid | sqlite: ann, bob, cid |"), "{record}");
    // Blind proposals agreed, so somebody had to dissent.
    let asked = modelled.server.served();
    let dissent = asked.iter().filter(|one| last(&one.asked).contains("turn to dissent")).count();
    assert_eq!(dissent, 2, "one agent, two critiques");
    // Critics see letters, never names.
    let critiques = asked.iter().filter(|one| skill(&one.asked) == "debate_critique");
    for critique in critiques {
        let mut words = last(&critique.asked).split(|c: char| !c.is_alphanumeric());
        assert!(!words.any(|word| ["ann", "bob", "cid"].contains(&word)), "{}", last(&critique.asked));
    }
}

#[test]
fn a_frame_is_found_by_the_judge_or_asked_of_a_person() {
    let panel = PANEL.replace("[[frame]]\nslot = \"store\"\noptions = [\"sqlite\", \"postgres\"]\n", "");
    let finds = |asked: &Asked| match skill(asked) {
        "debate_frame" => {
            json!({"slots": [{"slot": "store", "question": "Which?", "options": ["sqlite", "postgres"]}]})
                .to_string()
        }
        _ => agreeable(asked),
    };
    let modelled = with(finds, &panel);
    assert_eq!(debate(&modelled, &[]).code, Some(0));
    assert_eq!(modelled.server.served().len(), 15, "one call for the frame");
    assert_eq!(state(&modelled)["memory"]["frameBy"], "m");

    modelled.home.write("panel.toml", &format!("frameFrom = \"person\"\n{panel}"));
    assert_eq!(debate(&modelled, &[]).code, Some(5));
    for (wrong, why) in [
        ("store: sqlite", "slot `store` has one option, so there is nothing to decide"),
        ("store: sqlite | SQLite", "slot `store` has the option `SQLite` twice"),
        (r#"{"slots": [{"slot": "store", "options": ["sqlite"]}]}"#, "slot `store` has one option"),
    ] {
        let said = modelled.baton(&["answer", "last", wrong]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{said:?}");
    }
    let said = modelled.baton(&["answer", "last", "store: sqlite | postgres"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(state(&modelled)["memory"]["frameBy"], "ann");
}

#[test]
fn quality_ends_on_readiness() {
    let modelled =
        with(agreeable, &format!("terminationCondition = {{ type = \"quality\", threshold = 80 }}\n{PANEL}"));
    let said = debate(&modelled, &[]);
    assert!(said.out.contains("readiness 80 reached the threshold 80 in round 1"), "{}", said.out);
}

#[test]
fn a_judge_that_cannot_be_understood_is_no_number() {
    let modelled = with(
        |asked| {
            if skill(asked) == "debate_judge" { "about ninety, I guess".to_owned() } else { agreeable(asked) }
        },
        PANEL,
    );
    let said = debate(&modelled, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let judged = modelled.server.served().iter().filter(|one| skill(&one.asked) == "debate_judge").count();
    assert_eq!(judged, 6, "three tries, each with a repair turn; then it is benched");
    assert!(
        said.out.contains("Evaluation again on RETRY") && said.out.contains("Evaluation again on FALLBACK")
    );
    let state = state(&modelled);
    let assessment = &state["memory"]["assessments"]["1"];
    assert_eq!(assessment["judgements"], json!([]));
    assert_eq!((&assessment["confidence"], &assessment["judge_unavailable"]), (&json!(50), &json!(true)));
    assert_eq!(
        (&state["record"]["endedBy"], &state["memory"]["round"]),
        (&json!("MAX_ROUNDS_REACHED"), &json!(3))
    );
    for line in [
        "**Confidence: 50 of 100** (source: the ledger: the judge was not available).",
        "**Degraded.** This record is weaker than it looks:",
        "- The judge was not available in rounds 1, 2, 3: ",
    ] {
        assert!(said.out.contains(line), "{line}: {}", said.out);
    }
}

#[test]
fn one_agent_that_babbles_costs_the_others_nothing() {
    let modelled = with(agreeable, PANEL);
    for step in ["propose/bob:debate_propose:0.0", "propose/bob:debate_propose:0.1"] {
        modelled.server.script_step(step, [Act::Say("let me think".to_owned())]);
    }
    let said = debate(&modelled, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("Proposal again on RETRY"), "{}", said.out);
    let calls = modelled.server.calls_by_step();
    assert!(calls.values().all(|count| *count == 1), "{calls:?}");
    assert_eq!(modelled.server.served().len(), 14 + 2, "bob's bad answer, its repair, and no more");
    let contributions = &state(&modelled)["memory"]["contributions"];
    let proposals = contributions.as_object().expect("by key").keys().filter(|key| key.contains("proposal"));
    assert_eq!(proposals.count(), 3);
}

#[test]
fn at_the_budget_it_writes_what_there_is() {
    let modelled = with(restless, PANEL);
    // Enough for a round, not for what follows.
    let said = debate(&modelled, &["--budget-usd", "0.02"]);
    assert_eq!(said.code, Some(6), "{said:?}");
    assert!(said.out.contains("-> Synthesis on BUDGET_REACHED"), "{}", said.out);
    assert!(said.out.contains("Ended by BUDGET_REACHED"), "{}", said.out);
    let state = state(&modelled);
    assert!(state["memory"]["solution"]["text"].as_str().is_some_and(|text| !text.is_empty()));
}

/// Everybody asks twice, then is content.
fn curious(asked: &Asked) -> String {
    if skill(asked) != "debate_clarify" {
        return agreeable(asked);
    }
    let question = match last(asked).matches(" -> ").count() {
        0 => "How much data?",
        3 => "How many hosts?",
        _ => return json!({"questions": []}).to_string(),
    };
    let agent = asked.step.split([':', '/']).nth(1).unwrap_or_default();
    json!({"questions": [{"text": format!("{question} ({agent})")}]}).to_string()
}

/// The keys of the open questions.
fn open(modelled: &Modelled) -> Vec<String> {
    let shown = modelled.home.baton(&["show", "last", "--json"]).json();
    let questions = shown["questions"].as_array().expect("a list");
    questions.iter().filter_map(|one| one["key"].as_str().map(str::to_owned)).collect()
}

#[test]
fn questions_are_asked_once_and_answered_in_any_order_from_any_process() {
    let modelled = with(curious, PANEL);
    let said = debate(&modelled, &["--clarify"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    assert_eq!(open(&modelled), ["3/ann-1", "3/bob-1", "3/cid-1"]);
    let asked_before = modelled.server.served().len();
    // The last first; each from a process of its own.
    for key in ["cid-1", "ann-1", "bob-1"] {
        let said = modelled.baton(&["answer", "last", key, "one gigabyte"]);
        assert_eq!(said.code, Some(5), "{said:?}");
    }
    assert_eq!(modelled.server.served().len(), asked_before + 3, "one follow-up for each agent");
    assert_eq!(open(&modelled), ["5/f2-ann-1", "5/f2-bob-1", "5/f2-cid-1"]);
    modelled.baton(&["answer", "last", "f2-bob-1", "NA"]);
    modelled.baton(&["answer", "last", "f2-ann-1", "two"]);
    let said = modelled.baton(&["answer", "last", "f2-cid-1", "NA"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let state = state(&modelled);
    let clarifications = state["memory"]["clarifications"].as_array().expect("a list");
    let answers: Vec<&str> = clarifications.iter().filter_map(|one| one["answer"].as_str()).collect();
    assert_eq!(answers, ["one gigabyte", "one gigabyte", "one gigabyte", "two", "NA", "NA"]);
    assert_eq!(state["memory"]["clarificationIterations"], 2);
    let again = modelled.baton(&["answer", "last", "3/ann-1", "more"]);
    assert_eq!(again.code, Some(1), "an answered question stays answered: {again:?}");
}

#[test]
fn the_cap_ends_the_questions() {
    let always = |asked: &Asked| {
        static COUNT: Mutex<u32> = Mutex::new(0);
        if skill(asked) != "debate_clarify" {
            return agreeable(asked);
        }
        let mut count = COUNT.lock().expect("a count");
        *count += 1;
        json!({"questions": [{"text": format!("Why {count}?")}, {"text": format!("And {count}?")}]})
            .to_string()
    };
    let modelled =
        with(always, &format!("clarificationsMaxIterations = 2\nclarificationsMaxPerAgent = 1\n{PANEL}"));
    assert_eq!(debate(&modelled, &["--clarify"]).code, Some(5));
    let mut rounds = 0;
    loop {
        let keys = open(&modelled);
        if keys.is_empty() {
            break;
        }
        assert_eq!(keys.len(), 3, "one question for each agent: {keys:?}");
        rounds += 1;
        for key in keys {
            modelled.baton(&["answer", "last", &key, "because"]);
        }
    }
    assert_eq!(rounds, 2);
    let left = &state(&modelled)["memory"]["leftOut"]["000/questions of ann over its share (1)"];
    assert_eq!(left["why"], "it had 2, and each may ask 1 at a time");
}

#[test]
fn a_run_that_is_killed_while_it_waits_loses_no_question() {
    let modelled = with(curious, PANEL);
    let mut command = modelled.home.command(&["debate", PROBLEM, "--config", "panel.toml", "--clarify"]);
    command.env("OPENAI_API_KEY", crate::modelled::SECRET);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().expect("it starts");
    until("the questions are open", || open_or_none(&modelled).len() == 3);
    // It may have left by itself meanwhile; killing it then changes nothing.
    let _ = child.kill();
    child.wait().expect("ended");
    let asked = modelled.server.served().len();
    for key in ["bob-1", "cid-1"] {
        assert_eq!(modelled.baton(&["answer", "last", key, "little", "--no-drive"]).code, Some(0));
    }
    let said = modelled.baton(&["resume", "last"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    assert_eq!(open(&modelled), ["3/ann-1"], "neither lost nor asked twice");
    assert_eq!(modelled.server.served().len(), asked, "no model was asked again");
    assert_eq!(modelled.baton(&["answer", "last", "ann-1", "little"]).code, Some(5));
    assert_eq!(open(&modelled).len(), 3, "the follow-ups");
}

fn open_or_none(modelled: &Modelled) -> Vec<String> {
    if modelled.home.baton(&["show", "last"]).code == Some(0) { open(modelled) } else { Vec::new() }
}

#[test]
fn a_blind_vote_is_held_for_the_same_number_of_calls() {
    let modelled = with(agreeable, PANEL);
    let said = debate(&modelled, &["--compare", "vote"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("The debate took 14 calls, the blind vote 12:"), "{}", said.out);
    assert!(said.out.contains("sqlite (100%)  sqlite (100%)  yes"), "{}", said.out);
    assert!(said.out.contains("Agreement: 100% in the debate, 100% in the blind vote (+0)."), "{}", said.out);
    let json = debate(&modelled, &["--compare", "vote", "--json"]).json();
    assert_eq!(json["compared"]["slots"][0]["same"], true);
    let shown = modelled.home.baton(&["show", "last", "--json"]).json();
    assert_eq!(shown["run"], json["debate"]["run"], "the last run is the debate");
    let vote = json["compared"]["vote"].as_str().expect("a run");
    let debate = json["debate"]["run"].as_str().expect("a run");
    // Each record tells of the other, and the debate stands as it stood.
    for (run, told) in [
        (
            vote,
            format!(
                "the blind vote beside the debate {debate}, which ended with 100 per cent agreement (+0)"
            ),
        ),
        (
            debate,
            format!(
                "A blind vote of the same panel (12 calls, run {vote}) came to the same on 1 of 1 slots."
            ),
        ),
        (debate, "Agreement: 100 per cent in the debate, 100 in the vote (+0).".to_owned()),
    ] {
        assert!(file_of(&modelled, run, "decision.md").contains(&told), "{told}");
    }
    let state: Value = serde_json::from_str(&file_of(&modelled, debate, "debate.json")).expect("JSON");
    assert_eq!(state["held"]["beside"], json["compared"]);
    assert_eq!(modelled.home.baton(&["verify", debate]).code, Some(0));
}

fn file_of(modelled: &Modelled, run: &str, name: &str) -> String {
    let files = modelled.home.baton(&["files", run, "--json"]).json();
    let mut paths = files.as_array().expect("paths").iter().filter_map(Value::as_str);
    std::fs::read_to_string(paths.find(|path| path.ends_with(name)).expect("a file")).expect("readable")
}

#[test]
fn evaluators_score_a_finished_debate() {
    let modelled = with(
        agreeable,
        &format!(
            "{PANEL}\n[[evaluators]]\nid = \"e1\"\nmodel = \"m\"\n[[evaluators]]\nid = \"e2\"\nmodel = [\"m\"]\n"
        ),
    );
    assert_eq!(debate(&modelled, &["-o", "debate.json"]).code, Some(0));
    for (debate, file) in [
        ("last", "scores.csv"),
        ("debate.json", "scores.csv"),
        ("last", "scores.md"),
        ("last", "scores.json"),
    ] {
        let said = modelled.baton(&["debate", "eval", debate, "--config", "panel.toml", "-o", file]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("overall") && said.out.contains("scores of the debate"), "{}", said.out);
        assert!(said.err.contains("e1 could not score: functional_completeness"), "{}", said.err);
    }
    let read = |name: &str| std::fs::read_to_string(modelled.home.desk().join(name)).expect("written");
    let csv = read("scores.csv");
    assert_eq!(csv.lines().count(), 3, "one head, two lines: {csv}");
    let run =
        modelled.home.baton(&["show", "last", "--json"]).json()["run"].as_str().expect("a run").to_owned();
    assert!(csv.ends_with(&format!("{run},N/A,N/A,7.00,N/A,N/A,N/A,N/A,10.00\n")), "{csv}");
    assert!(read("scores.md").contains("| overall | 10.00 | 10.00 | 10.00 |"), "clamped to 10");
    let json: Value = serde_json::from_str(&read("scores.json")).expect("JSON");
    assert_eq!(json["averages"]["testability"], Value::Null, "words are no number");
}

#[test]
fn a_debate_that_is_not_over_is_not_scored() {
    let modelled = with(curious, PANEL);
    assert_eq!(debate(&modelled, &["--clarify"]).code, Some(5));
    let said = modelled.baton(&["debate", "eval", "last", "--config", "panel.toml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("has no decision yet, so there is nothing to score"), "{}", said.err);
}

#[test]
fn nothing_to_answer_is_an_answer() {
    let modelled = with(curious, &format!("clarificationsMaxIterations = 1\n{PANEL}"));
    assert_eq!(debate(&modelled, &["--clarify"]).code, Some(5));
    for key in ["ann-1", "bob-1", "cid-1"] {
        modelled.baton(&["answer", "last", key, ""]);
    }
    let state = state(&modelled);
    let answers: Vec<&str> = state["memory"]["clarifications"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["answer"].as_str())
        .collect();
    assert_eq!(answers, ["NA", "NA", "NA"]);
}

/// Critics, refiners and the judge may look into the folder and into earlier rounds; what they quote must stand there.
#[test]
fn everybody_may_look_and_nobody_may_invent() {
    let looks = |asked: &Asked| {
        let prompt = last(asked);
        let found = prompt.contains("found so far");
        let call = |tool: &str, argument: &str| json!([{"tool": tool, "argument": argument}]);
        let wish = |look: Value| {
            json!({"critique": "", "objections": [], "settled": [], "proposal": "", "positions": [], "covers": [],
                   "responses": [], "findings": [], "agreement": 0, "readiness": 0, "look": look})
            .to_string()
        };
        match skill(asked) {
            "debate_look" => json!({"calls": []}).to_string(),
            "debate_critique" if !found => wish(call("read", "notes.md")),
            "debate_refine" if !found => wish(call("history", "sqlite")),
            "debate_judge" if !found => wish(call("search", "gigabyte")),
            "debate_critique" => {
                let mut said: Value = serde_json::from_str(&agreeable(asked)).expect("JSON");
                if let Some(objection) = said["objections"].as_array_mut().and_then(|all| all.first_mut()) {
                    objection["quote"] =
                        json!({"source": "notes.md", "quote": "We have one gigabyte of data."});
                    // Invented at first, put right when told.
                    if !asked.step.ends_with(".1") {
                        objection["quote"]["quote"] = json!("We have one terabyte of data.");
                    }
                }
                said.to_string()
            }
            _ => agreeable(asked),
        }
    };
    let modelled = with(looks, PANEL);
    let folder = modelled.home.desk().join("context");
    std::fs::create_dir(&folder).expect("made");
    std::fs::write(folder.join("notes.md"), "We have one gigabyte of data.\n").expect("written");
    let said = debate(&modelled, &["--context", "context"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("It rests on notes.md: “We have one gigabyte of data.”"), "{}", said.out);
    assert!(!said.out.contains("terabyte"), "{}", said.out);
    let asked = modelled.server.served();
    let shown = |name: &str, words: &str| {
        asked.iter().any(|one| skill(&one.asked) == name && last(&one.asked).contains(words))
    };
    assert!(shown("debate_refine", "in earlier rounds:\nround 1, proposal "), "the history can be searched");
    assert!(shown("debate_judge", "notes.md:1: We have one gigabyte of data."));
    assert!(
        asked.iter().any(|one| one
            .asked
            .texts
            .iter()
            .any(|text| text.contains("stands in nothing that was found")))
    );
    let steps = state(&modelled)["held"]["steps"].as_array().expect("steps").clone();
    let read = steps.iter().filter(|step| step["tool"]["argument"] == "notes.md").count();
    assert_eq!(read, 6, "every critique has looked: {steps:?}");
    assert!(steps.iter().all(|step| step["latencyMs"].is_u64()), "{steps:?}");
    let hashes =
        steps.iter().filter(|step| step["kind"] == "model").all(|step| step["promptHash"].is_string());
    assert!(hashes, "{steps:?}");
}

#[test]
fn a_history_that_cannot_be_shortened_is_shown_whole() {
    let panel = PANEL.replace("enabled = false", "enabled = true, threshold = 10, maxLength = 100");
    let fails = |asked: &Asked| match skill(asked) {
        "debate_condense" => "I would rather not.".to_owned(),
        _ => restless(asked),
    };
    let modelled = with(fails, &panel);
    let said = debate(&modelled, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let asked = modelled.server.served();
    let of_ann =
        asked.iter().filter(|one| one.asked.step.contains("/ann") && skill(&one.asked) == "debate_condense");
    assert_eq!(of_ann.count(), 6, "three tries with a repair turn each, and never again");
    let whole = |one: &&baton_testkit::model_server::Served| {
        let prompt = last(&one.asked);
        prompt.contains("Round 1, my proposal:") && prompt.contains("Round 2, my refinement:")
    };
    assert!(asked.iter().filter(|one| skill(&one.asked) == "debate_critique").any(|one| whole(&one)));
    assert!(said.out.contains("- round 2: summary of ann ("), "the record says so: {}", said.out);
}

/// Whatever ends a debate, parallel reservations do not.
#[test]
fn money_ends_a_debate_and_reservations_do_not() {
    let modelled = with(restless, PANEL);
    let said = debate(&modelled, &[]);
    let spent =
        modelled.home.baton(&["show", "last", "--json"]).json()["spent"]["usd"].as_f64().expect("a sum");
    assert_eq!(said.code, Some(0), "{said:?}");
    // A tenth over what it takes, the share kept for the answer included, and eight calls at once.
    let budget = format!("{:.4}", spent * 1.35 + 0.01);
    let said = debate(&modelled, &["--budget-usd", &budget, "--parallel", "8"]);
    assert!(said.out.contains("Ended by MAX_ROUNDS_REACHED"), "{budget} for {spent}: {}", said.out);
}

#[test]
fn the_context_folder_can_be_looked_into() {
    let looks = |asked: &Asked| match skill(asked) {
        "debate_look" if last(asked).contains("found so far") => json!({"calls": []}).to_string(),
        "debate_look" => {
            let calls = [
                ("read", "notes.md"),
                ("read", "../panel.toml"),
                ("read", "link"),
                ("search", "GIGABYTE"),
                ("list", "."),
            ];
            let call = |(tool, argument): &(&str, &str)| json!({"tool": tool, "argument": argument});
            json!({"calls": calls.iter().map(call).collect::<Vec<_>>()}).to_string()
        }
        _ => agreeable(asked),
    };
    let modelled = with(looks, PANEL);
    let folder = modelled.home.desk().join("context");
    std::fs::create_dir(&folder).expect("made");
    std::fs::write(folder.join("notes.md"), "We have one gigabyte of data.\n").expect("written");
    std::os::unix::fs::symlink("../panel.toml", folder.join("link")).expect("linked");
    let said = debate(&modelled, &["--context", "context", "--rounds", "1"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let asked = modelled.server.served();
    let proposals: Vec<&str> = asked
        .iter()
        .filter(|one| skill(&one.asked) == "debate_propose")
        .map(|one| last(&one.asked))
        .collect();
    assert_eq!(proposals.len(), 3);
    for wanted in [
        "We have one gigabyte of data.",
        "Access denied: ../panel.toml is outside the context directory",
        "Access denied: link is outside the context directory",
        "notes.md:1: We have one gigabyte of data.",
        "files in .:\nnotes.md",
    ] {
        assert!(proposals[0].contains(wanted), "{wanted}: {}", proposals[0]);
    }
}

//! A debate fails closed: whoever lies, fails or is missing makes its record weaker, never better. Each test was a debate
//! that once came out too well.

use serde_json::{Value, json};

use crate::debate::{PANEL, agreeable, agreeable_value, last, proposal, skill, state, with};
use crate::modelled::Modelled;
use crate::support::Output;

const NONSENSE: &str = "let me think about that";

fn debate(modelled: &Modelled, problem: &str) -> Output {
    modelled.baton(&["debate", problem, "--config", "panel.toml"])
}

/// The confidence of the record, as the file for programs has it.
fn confidence(modelled: &Modelled) -> u64 {
    state(modelled)["memory"]["solution"]["confidence"].as_u64().expect("a number")
}

#[test]
fn a_writer_is_never_surer_than_the_judge() {
    let modelled = with(
        |asked| match skill(asked) {
            "debate_judge" => json!({"findings": [], "agreement": 40, "readiness": 40}).to_string(),
            "debate_synthesize" => {
                let mut sure = agreeable_value(asked);
                sure["confidence"] = json!(95);
                sure.to_string()
            }
            _ => agreeable(asked),
        },
        PANEL,
    );
    let said = debate(&modelled, "Where do we store the jobs?");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(confidence(&modelled), 40, "{}", said.out);
}

#[test]
fn a_slot_in_dispute_is_no_consensus_whatever_the_judge_says() {
    let modelled = with(
        |asked| match skill(asked) {
            "debate_propose" | "debate_refine" if asked.step.contains("/cid") => {
                proposal("postgres").to_string()
            }
            _ => agreeable(asked),
        },
        PANEL,
    );
    let said = debate(&modelled, "Where do we store the jobs?");
    assert!(!said.out.contains("CONSENSUS_REACHED"), "{}", said.out);
    assert!(said.out.contains("The panel did not agree"), "{}", said.out);
}

#[test]
fn what_a_losing_voice_covers_is_not_covered() {
    let panel = format!(
        "requirements = [{{ id = \"R1\", text = \"The data must stay in the EU.\", major = true }}]\n{PANEL}"
    );
    let modelled = with(
        |asked| match skill(asked) {
            "debate_propose" | "debate_refine" if asked.step.contains("/cid") => {
                let mut covering = proposal("postgres");
                covering["covers"] = json!(["R1"]);
                covering["proposal"] = json!("Use postgres. It meets R1: the data stays in the EU.");
                covering.to_string()
            }
            _ => agreeable(asked),
        },
        &panel,
    );
    let said = debate(&modelled, "Where do we store the jobs?");
    assert!(confidence(&modelled) <= 40, "{}", said.out);
    let requirements = said.out.split("## Requirements").nth(1).expect("a section");
    assert!(requirements.contains("not met") || requirements.contains("No solution"), "{requirements}");
}

#[test]
fn without_a_frame_from_the_judge_the_rules_look_for_one() {
    let panel = PANEL.replace("[[frame]]\nslot = \"store\"\noptions = [\"sqlite\", \"postgres\"]\n", "");
    let modelled = with(
        |asked| match skill(asked) {
            "debate_frame" => NONSENSE.to_owned(),
            "debate_propose" | "debate_refine" => {
                let mut framed = agreeable_value(asked);
                framed["positions"] = json!([{"slot": "decision", "option": "sqlite"}]);
                framed.to_string()
            }
            _ => agreeable(asked),
        },
        &panel,
    );
    let said = debate(&modelled, "Shall the jobs be kept in sqlite or postgres ?");
    assert_eq!(said.code, Some(0), "{said:?}");
    let state = state(&modelled);
    assert_eq!(state["memory"]["frameBy"], "rules", "{}", said.out);
    assert!(said.out.contains("**Degraded.**"), "{}", said.out);
}

#[test]
fn a_debate_that_decided_nothing_is_partial() {
    let panel = PANEL.replace("[[frame]]\nslot = \"store\"\noptions = [\"sqlite\", \"postgres\"]\n", "");
    let modelled = with(
        |asked| match skill(asked) {
            "debate_frame" => NONSENSE.to_owned(),
            "debate_propose" | "debate_refine" => {
                let mut bare = agreeable_value(asked);
                bare["positions"] = json!([]);
                bare.to_string()
            }
            _ => agreeable(asked),
        },
        &panel,
    );
    let said = debate(&modelled, "What is to become of the jobs?");
    assert_eq!(said.code, Some(6), "{said:?}");
    assert!(said.out.contains("Nothing was decided."), "{}", said.out);
    assert!(said.out.contains("Use sqlite."), "its proposals stand in the record: {}", said.out);
}

#[test]
fn one_dead_agent_of_three_is_benched() {
    let panel = format!("rounds = 9\nterminationCondition = {{ type = \"fixed\" }}\n{PANEL}");
    let modelled = with(
        |asked| if asked.step.contains("/cid") { NONSENSE.to_owned() } else { agreeable(asked) },
        &panel,
    );
    let said = debate(&modelled, "Where do we store the jobs?");
    assert_eq!(said.code, Some(0), "{said:?}");
    let served = modelled.server.served();
    let of_cid = served.iter().filter(|one| one.asked.step.contains("/cid")).count();
    assert!(of_cid * 4 < served.len(), "{of_cid} of {} calls went to the dead one", served.len());
    assert!(said.out.contains("left in round 1"), "{}", said.out);
    assert!(said.out.contains("**Degraded.**"), "{}", said.out);
}

#[test]
fn judge_and_writer_are_shown_what_was_objected() {
    let modelled = with(
        |asked| match skill(asked) {
            "debate_critique" => {
                let letter =
                    last(asked).split("others: ").nth(1).and_then(|rest| rest.get(..1)).unwrap_or("A");
                let one = json!({"target": letter, "slot": "", "severity": "major", "claim": "It cannot be backed up."});
                json!({"critique": "One thing.", "objections": [one], "settled": []}).to_string()
            }
            _ => agreeable(asked),
        },
        PANEL,
    );
    let said = debate(&modelled, "Where do we store the jobs?");
    assert!(said.code.is_some(), "{said:?}");
    let served = modelled.server.served();
    let sees = |wanted: &str| {
        served
            .iter()
            .filter(|one| skill(&one.asked) == wanted)
            .all(|one| last(&one.asked).contains("It cannot be backed up."))
    };
    let shown: Vec<Value> = ["debate_judge", "debate_synthesize"].map(|name| json!(sees(name))).to_vec();
    assert_eq!(shown, [json!(true), json!(true)]);
}

//! A debate that was held in earnest: three experts of different minds and a judge, every prompt answered by hand through
//! `scripts/bridge`. Its traffic plays back here, and the record has to be one a team can act on.

use baton_testkit::model_server::Recording;
use serde_json::Value;

use crate::modelled::Modelled;

const TRAFFIC: &str = include_str!("earnest/traffic.jsonl");
const FILES: [(&str, &str); 5] = [
    ("problem.md", include_str!("earnest/problem.md")),
    ("panel.toml", include_str!("earnest/panel.toml")),
    ("context/size.md", include_str!("earnest/context/size.md")),
    ("context/incidents.md", include_str!("earnest/context/incidents.md")),
    ("context/oncall.md", include_str!("earnest/context/oncall.md")),
];

fn held() -> (Modelled, Value, String) {
    let modelled = Modelled::new();
    modelled.server.replay(Recording::read(TRAFFIC).expect("recorded traffic"));
    std::fs::create_dir(modelled.home.desk().join("context")).expect("made");
    for (name, text) in FILES {
        modelled.home.write(name, text);
    }
    let model = "local = true\ncontext_tokens = 64000\nmax_output_tokens = 8000";
    modelled.configure(&modelled.model("bridge", model).replace("model = \"large\"", "model = \"me\""));
    let words = ["debate", "-p", "problem.md", "--config", "panel.toml", "-o", "debate.json"];
    let said = modelled.baton(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    let state = std::fs::read_to_string(modelled.home.desk().join("debate.json")).expect("written");
    (modelled, serde_json::from_str(&state).expect("JSON"), said.out)
}

#[test]
fn every_accepted_objection_was_looked_at_again_by_its_critic() {
    let (modelled, state, record) = held();
    let objections = state["objections"].as_array().expect("a list");
    assert_eq!(objections.len(), 13);
    for one in objections {
        assert_eq!((&one["fate"], &one["standing"]), (&"accepted".into(), &"closed".into()), "{one}");
        let (answered, checked) = (one["answeredIn"].as_u64(), one["checkedIn"].as_u64());
        assert!(checked > answered && checked.is_some(), "{one}");
    }
    // The judge was sure in the second round; what had just been accepted had to be looked at first.
    assert_eq!(state["memory"]["assessments"]["2"]["judgements"][0]["agreement"], 95);
    assert_eq!(
        (&state["record"]["endedBy"], &state["memory"]["round"]),
        (&"CONSENSUS_REACHED".into(), &3.into())
    );
    assert_eq!(
        (&state["record"]["confidence"], &state["record"]["unmet"]),
        (&80.into(), &Value::Array(vec![]))
    );
    assert!(
        state["record"]["degraded"].as_array().is_some_and(Vec::is_empty),
        "{}",
        state["record"]["degraded"]
    );
    for line in [
        "| How is the data brought over? (method) | logical replication | 3 of 3 | agreed |",
        "| How do we go back after the switch? (way-back) | reverse replication | 3 of 3 | agreed |",
        "> 2. **The week before:** Mira and Tom run the whole switch on staging twice",
        "- “We take reverse replication for the way back, since after the switch the old cluster must keep receiving",
        "It rests on size.md: “214 sequences.”",
        "- Kim, simplicity on method, round 2: pg_upgrade in a window -> logical replication, because of “With --link",
        "- **R3: met**. Going back must be possible within one hour after the switch. How: “R3 is met: the old cluster",
        "Agreement: 66 per cent before anybody had read anybody, 100 per cent at the end (+34).",
    ] {
        assert!(record.contains(line), "{line}\n{record}");
    }
    let verified = modelled.home.baton(&["verify", "last"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(verified.out.contains("42 of 42 quotes stand where the record says"), "{}", verified.out);
}

//! Debate files that are right: both shapes, both places, and what they become.

use baton_agents::config::{Layer, Overrides, build};
use serde_json::{Value, json};

use super::{Given, Spec};
use crate::debate::plan::plan;
use crate::debate::setup::{Critiques, Kind, Setup, Termination};

const MODELS: &str = "
[models.a]\nprovider = \"openai\"\nmodel = \"big\"\nprice = { input = 1, output = 1 }
[models.b]\nprovider = \"openai\"\nmodel = \"small\"\nprice = { input = 1, output = 1 }
[roles]\ndefault = [\"a\", \"rules\"]\njudge = [\"b\"]\n";

#[expect(clippy::needless_pass_by_value, reason = "a file is written where it is read")]
fn made(file: Value, problem: &str, agents: Option<&[String]>) -> Setup {
    let config = build(&[Layer::parse("test", MODELS).unwrap()], &Overrides::default()).unwrap();
    let folder = std::env::temp_dir();
    let given = Given {
        problem,
        folder: &folder,
        config: &config,
        agents,
        rounds: None,
        clarify: false,
        context: None,
    };
    Spec::read(file.clone(), &file.to_string(), None).unwrap().setup(&given).unwrap()
}

#[test]
fn nothing_written_means_three_agents_and_the_defaults() {
    let setup = made(json!({}), "SQLite or Postgres?", None);
    assert_eq!(
        setup.agents.iter().map(|agent| agent.id.as_str()).collect::<Vec<_>>(),
        ["architect", "performance", "kiss"]
    );
    let terms = setup.terms;
    assert_eq!(
        (terms.rounds, terms.threshold, terms.clarify_iterations, terms.clarify_per_agent),
        (3, 80, 3, 5)
    );
    assert_eq!((terms.clarify, terms.critiques), (false, Critiques::Pairwise));
    assert_eq!(setup.judge.role.chain[0].name, "b");
    let first = &setup.agents[0];
    assert_eq!((first.summarization.threshold, first.summarization.max_length), (5000, 2500));
    assert_eq!(setup.warnings.len(), 1, "all three use one model: {:?}", setup.warnings);
    let plan = plan(&setup);
    // One call more than with a frame, and summaries where histories grow long.
    assert_eq!((plan.low.calls, plan.high.calls), (15, 34 + 1 + 7));
}

#[test]
fn the_plan_counts_the_calls_of_every_shape() {
    let calls = |agents: usize, critique: &str, rounds: u32| {
        let agent = |n: usize| json!({"id": format!("a{n}"), "model": "a"});
        let file = json!({
            "agents": (0..agents).map(agent).collect::<Vec<_>>(),
            "critique": critique,
            "rounds": rounds,
            "frame": [{"slot": "x"}],
            "summarization": {"enabled": false},
        });
        plan(&made(file, "A?", None)).high.calls
    };
    let shapes = [(3, 3, [34, 25, 34]), (5, 3, [84, 39, 54]), (7, 3, [158, 53, 74]), (3, 1, [14, 11, 14])];
    for (agents, rounds, wanted) in shapes {
        let found = ["pairwise", "batched", "ring"].map(|critique| calls(agents, critique, rounds));
        assert_eq!(found, wanted, "{agents} agents, {rounds} rounds");
    }
}

#[test]
fn settings_may_stand_at_the_top_or_under_debate() {
    let terms = json!({
        "rounds": 5,
        "terminationCondition": {"type": "quality", "threshold": 90},
        "interactiveClarifications": true,
        "clarificationsMaxIterations": 1,
        "critique": "ring",
    });
    let mut nested = json!({"agents": [{"id": "x", "model": "b"}]});
    nested["debate"] = terms.clone();
    let mut flat = terms;
    flat["agents"] = json!([{"id": "x", "model": "b"}]);
    let (nested, flat) = (made(nested, "A?", None), made(flat, "A?", None));
    assert_eq!(nested, flat);
    assert_eq!(
        (flat.terms.rounds, flat.terms.termination, flat.terms.threshold),
        (5, Termination::Quality, 90)
    );
    assert_eq!((flat.terms.clarify, flat.terms.critiques), (true, Critiques::Ring));
}

#[test]
fn chains_temperatures_and_filters_are_heeded() {
    let agents = json!({"agents": [
        {"id": "one", "role": "architect", "model": ["b", "a", "rules"], "temperature": 0.7},
        {"id": "two", "role": "security", "model": "a"},
        {"id": "off", "role": "architect", "model": "a", "enabled": false},
    ]});
    let setup = made(agents.clone(), "A?", Some(&["architect".to_owned()]));
    assert_eq!(setup.agents.len(), 1);
    let Kind::Model { role, .. } = &setup.agents[0].kind else { panic!("{:?}", setup.agents[0]) };
    assert_eq!(role.chain.iter().map(|card| card.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!((role.rules, role.chain[1].temperature), (true, Some(0.7)));
    assert_eq!(made(agents, "A?", Some(&["two".to_owned()])).agents[0].id, "two");
}

#[test]
fn requirements_come_from_the_file_or_from_the_problem() {
    let problem = "We need a store. It must survive a crash. It should be small. Backups are required.";
    let found = made(json!({}), problem, None).requirements;
    assert_eq!(
        found.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(),
        ["It must survive a crash.", "Backups are required."]
    );
    let file = json!({"requirements": ["It is small.", {"id": "X", "text": "It is fast.", "major": false}]});
    let given = made(file, problem, None).requirements;
    assert_eq!((given[0].id.as_str(), given[1].id.as_str(), given[1].major), ("R1", "X", false));
}

#[test]
fn what_was_answered_before_is_known_from_the_start() {
    let file = json!({"clarifications": [{"question": "How much?", "answer": "little"}]});
    let memory = crate::debate::Memory::new(made(file, "A?", None));
    assert_eq!(memory.clarifications[0].answer, "little");
    assert_eq!(memory.unanswered().count(), 0);
}

/// The file of the tool these settings come from, as its documentation has it.
#[test]
fn the_file_of_another_tool_is_read_or_refused_key_by_key() {
    let theirs = r#"{
  "agents": [
    {"id": "one", "name": "The architect", "role": "architect", "model": "a", "provider": "openai", "temperature": 0.5,
     "tools": [{"name": "file_read"}], "toolCallLimit": 5},
    {"id": "two", "role": "kiss", "model": "b", "provider": "openai"}
  ],
  "judge": {"id": "judge", "name": "Judge", "role": "generalist", "model": "b", "provider": "openai", "temperature": 0.3},
  "debate": {
    "rounds": 2, "terminationCondition": {"type": "fixed"}, "synthesisMethod": "judge", "includeFullHistory": true,
    "summarization": {"enabled": true, "threshold": 5000, "maxLength": 2500, "method": "length-based"}
  }
}"#;
    let setup = made(serde_json::from_str(theirs).unwrap(), "A?", None);
    assert_eq!(
        (setup.agents.len(), setup.terms.rounds, setup.judge.role.chain[0].name.as_str()),
        (2, 2, "b")
    );
    let refused = |from: &str, to: &str| {
        let text = theirs.replace(from, to);
        assert_ne!(text, theirs);
        Spec::read(serde_json::from_str(&text).unwrap(), &text, None).unwrap_err().to_string()
    };
    for (from, to, says) in [
        ("\"rounds\": 2", "\"round\": 2", "line 9, column 5: unknown key `round`; did you mean `rounds`?"),
        ("\"id\": \"two\"", "\"idd\": \"two\"", "line 5, column 6: unknown key `idd`; did you mean `id`?"),
        (
            "\"synthesisMethod\": \"judge\"",
            "\"synthesisMethod\": \"voting\"",
            "line 9, column 61: `synthesisMethod` cannot be heeded",
        ),
        ("\"includeFullHistory\": true", "\"includeFullHistory\": false", "see `summarization`"),
        (
            "\"rounds\": 2",
            "\"timeoutPerRound\": 300000",
            "line 9, column 5: `timeoutPerRound` cannot be heeded",
        ),
        (
            "file_read",
            "file_raed",
            "line 4, column 6: `tools` cannot be heeded: there is no tool `file_raed`",
        ),
        ("\"type\": \"fixed\"", "\"type\": \"never\"", "line 9, column 18: unknown variant `never`"),
        (
            "\"temperature\": 0.5",
            "\"temperature\": \"hot\"",
            "line 3, column 5: invalid type: string \"hot\"",
        ),
    ] {
        let said = refused(from, to);
        assert!(said.contains(says), "{to}: {said}");
    }
    let toml = "rounds = 2\n[[agents]]\nid = \"a\"\n[[agents]]\nid = \"b\"\nmodle = \"a\"\n";
    let value = serde_json::to_value(toml::from_str::<toml::Table>(toml).unwrap()).unwrap();
    let said = Spec::read(value, toml, None).unwrap_err().to_string();
    assert_eq!(said, "line 6, column 1: unknown key `modle`; did you mean `model`?");
}

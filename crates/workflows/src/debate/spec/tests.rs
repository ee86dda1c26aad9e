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
    Spec::read(file).unwrap().setup(&given).unwrap()
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

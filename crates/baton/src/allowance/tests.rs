use baton_agents::config::{self, Config, Layer};
use baton_workflows::debate::Debate;
use baton_workflows::debate::spec::{Given, Spec};
use baton_workflows::research::{Brief, Research, Roles};
use serde_json::json;

use super::*;

/// Two models, one of them last in a chain.
fn configured() -> Config {
    let model = |name: &str| {
        format!(
            "[models.{name}]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
             model = \"m\"\nlocal = true\n"
        )
    };
    let roles = "[roles]\ndefault = [\"near\", \"rules\"]\njudge = [\"near\", \"far\"]\n";
    let layer =
        Layer::parse("baton.toml", &format!("{}{}{roles}", model("near"), model("far"))).expect("a file");
    config::build(&[layer], &Default::default()).expect("a configuration")
}

fn names(allowance: Option<Allowance>) -> Vec<String> {
    allowance.expect("an input").models.into_keys().collect()
}

#[test]
fn research_may_ask_the_models_of_its_roles_and_its_places() {
    let mut brief = Brief::new("Why?", Vec::new());
    let of = |brief: &Brief| Allowance::of::<Research>(json!(brief)).expect("a brief");
    assert_eq!(of(&brief), Allowance::default());
    brief.roles = Roles { synthesizer: configured().role("judge"), ..Roles::rules_only() };
    brief.beyond = Some(Beyond { consent: "--sources".to_owned(), ..Beyond::default() });
    assert_eq!(of(&brief).models.into_keys().collect::<Vec<_>>(), ["far", "near"]);
    assert_eq!(of(&brief).beyond, brief.beyond);
}

#[test]
fn a_debate_may_ask_its_agents_and_its_judge() {
    let config = configured();
    let setup = |agents: serde_json::Value| {
        let given = Given {
            problem: "A or B?",
            folder: std::path::Path::new("."),
            config: &config,
            agents: None,
            rounds: None,
            clarify: false,
            context: None,
        };
        let spec = Spec::read(json!({ "agents": agents }), "", None).expect("a debate file");
        json!(spec.setup(&given).expect("a setup"))
    };
    let people = setup(json!([{ "id": "ann", "kind": "person" }]));
    assert_eq!(names(Allowance::of::<Debate>(people)), ["far", "near"], "the judge");
    let mut models = setup(json!([{ "id": "bob", "kind": "model", "model": "near" }]));
    models["judge"]["role"]["chain"] = json!([]);
    assert_eq!(names(Allowance::of::<Debate>(models)), ["near"], "the agent");
}

#[test]
fn nothing_is_allowed_by_what_only_looks_like_a_role() {
    let mut input = json!(Brief::new("Why?", Vec::new()));
    input["extra"] = json!({ "chain": configured().role("judge").chain });
    assert_eq!(Allowance::of::<Research>(input), Some(Allowance::default()));
    assert_eq!(Allowance::of::<Research>(json!({ "topic": "no brief" })), None);
}

//! The factory as the crash test runs it: every effort is there already, the integration gate fails at first, and a
//! recovery and a reset lead out of it. Runs inside runs are killed by the tests of the program itself.

use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{OpenQuestion, Settings};
use serde_json::{Value, json};

use super::Factory;
use super::data::Order;
use super::plan::{Budget, Phase, Plan, Policy, ReviewTerms, Verdicts};
use crate::coding::order::{Acceptance, Identity, SizeLimits};
use crate::coding::pretended::{effects, made_of};
use crate::coding::{AgentSpec, Gate};
use crate::git::Delivery;

impl Rehearse for Factory {
    fn rehearsal() -> Rehearsal<Self> {
        let base = made_of("base");
        // The first phase merges its own base onto itself, and the gate knows the tree that comes of it.
        let first = made_of(&made_of(&format!("{base}+{base}")));
        let phase = |name: &str, commands: Vec<Gate>| Phase {
            name: name.to_owned(),
            waves: Vec::new(),
            acceptance: Acceptance { commands, ..Acceptance::default() },
            adjustment: Vec::new(),
            recovery: Vec::new(),
            budget: None,
        };
        let plan = Plan {
            title: "Rehearsed".to_owned(),
            base: None,
            drafted: false,
            agents: vec![AgentSpec::recipe()],
            gates: Vec::new(),
            integration: Vec::new(),
            tests: Vec::new(),
            protected: Vec::new(),
            size: SizeLimits::default(),
            policy: Policy { verdict: Some(Verdicts::Stands), ..Policy::default() },
            review: ReviewTerms::default(),
            budget: Budget::default(),
            phases: vec![
                phase("One", vec![Gate::command("check"), Gate::command("check again")]),
                phase("Two", vec![Gate::command(&format!("fails on {first}"))]),
            ],
        };
        let order = Order {
            plan,
            file: String::new(),
            repo: "repo".to_owned(),
            branch: "main".to_owned(),
            base,
            workshops: "workshops".to_owned(),
            deliver: Delivery::Branch,
            folder: String::new(),
            yes: false,
            committer: Identity::default(),
            judge: None,
            architect: None,
            plan_hash: String::new(),
        };
        let settings = Settings { parallel: 2, ..Settings::default() };
        Rehearsal { input: order, settings, effects: effects(), answer }
    }
}

fn answer(open: &OpenQuestion) -> Value {
    match open.key.name.as_str() {
        "plan" => json!(true),
        "reset" => json!("reset"),
        "recovery" => json!("complete"),
        _ => json!("again"),
    }
}

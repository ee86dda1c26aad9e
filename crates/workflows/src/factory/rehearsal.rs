//! The factory as the crash test runs it: every effort is there already, the integration gate fails at first, and a
//! recovery and a reset lead out of it; or, where efforts can be begun, three of them in two waves.

use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{OpenQuestion, Settings};
use serde_json::{Value, json};

use super::Factory;
use super::data::Order;
use super::plan::{Budget, EffortPlan, Phase, Plan, Policy, ReviewTerms, Verdicts, Wave};
use crate::coding::order::{Acceptance, Identity, SizeLimits};
use crate::coding::pretended::{effects, made_of};
use crate::coding::{AgentSpec, Gate, Work};
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

    /// Two efforts at once and one behind them, each a run of its own.
    fn family() -> Option<Rehearsal<Self>> {
        let mut rehearsal = Self::rehearsal();
        let plan = &mut rehearsal.input.plan;
        plan.gates = vec![Gate::command("lint")];
        let wave = |name: &str, efforts: &[&str]| Wave {
            name: name.to_owned(),
            efforts: efforts.iter().map(|id| effort(id)).collect(),
        };
        plan.phases.truncate(1);
        for phase in &mut plan.phases {
            phase.waves = vec![wave("first", &["schema", "store"]), wave("second", &["page"])];
        }
        Some(rehearsal)
    }
}

/// An effort that writes a file and passes a gate.
fn effort(id: &str) -> EffortPlan {
    let work = Work::Write { path: format!("{id}.txt"), content: id.to_owned(), executable: false };
    EffortPlan {
        id: id.to_owned(),
        name: id.to_owned(),
        task: format!("Write {id}."),
        paths: vec![format!("{id}.txt")],
        depends_on: Vec::new(),
        agent: "recipe".to_owned(),
        work: vec![work],
        fix: Vec::new(),
        gates: vec!["lint".to_owned()],
        acceptance: Acceptance::default(),
        changes_tests: false,
        size: None,
        reviewer: None,
        budget: None,
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

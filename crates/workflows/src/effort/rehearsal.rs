//! The effort as the crash test runs it: two gates at once, one of which fails at first, and a mending turn.

use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{OpenQuestion, Settings};
use serde_json::{Value, json};

use super::Effort;
use crate::coding::order::{EffortOrder, Identity, Sandbox, SizeLimits};
use crate::coding::pretended::{effects, made_of};
use crate::coding::{AgentSpec, Gate, TurnLimits, Work};

impl Rehearse for Effort {
    fn rehearsal() -> Rehearsal<Self> {
        let base = made_of("base");
        let first = made_of(&made_of(&format!("schema/{base}")));
        let gate = |name: &str, run: String| Gate {
            name: name.to_owned(),
            run,
            timeout_s: 60,
            network: false,
            tests: false,
        };
        let work = |content: &str| Work::Write {
            path: "schema.sql".to_owned(),
            content: content.to_owned(),
            executable: false,
        };
        let input = EffortOrder {
            effort: "schema".to_owned(),
            name: "The schema".to_owned(),
            branch: "wave-1-1-schema".to_owned(),
            workshop: "workshop".to_owned(),
            base,
            attempt: 1,
            task: "Write the schema.".to_owned(),
            agent: AgentSpec::recipe(),
            reviewer: None,
            judge: None,
            splitter: None,
            needs_review: false,
            turn_micro_usd: None,
            work: vec![work("one")],
            fix: vec![work("two")],
            paths: vec!["schema.sql".to_owned()],
            size: SizeLimits::default(),
            gates: vec![gate("lint", "lint".to_owned()), gate("test", format!("fails on {first}"))],
            tests: Vec::new(),
            changes_tests: false,
            protected: Vec::new(),
            limits: TurnLimits::default(),
            sandbox: Sandbox::Prefer,
            told: Vec::new(),
            committer: Identity::default(),
        };
        let settings = Settings { parallel: 2, ..Settings::default() };
        Rehearsal { input, settings, effects: effects(), answer }
    }
}

/// Nothing is asked in this rehearsal but whether a step happened.
fn answer(_open: &OpenQuestion) -> Value {
    json!("again")
}

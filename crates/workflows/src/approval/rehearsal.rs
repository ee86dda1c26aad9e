//! The chain as the crash test runs it: five commands at once, a failure, a repair, approvals.

use async_trait::async_trait;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{Call, Effects, Failure, Found, OpenQuestion, Paid, Perform, Settings};
use serde_json::{Value, json};

use super::{Approval, Command, Plan, Stage};
use crate::command::{CommandResult, RunCommand};

impl Rehearse for Approval {
    fn rehearsal() -> Rehearsal<Self> {
        let stage = |name: &str, commands: &[(&str, &str, bool)]| Stage {
            name: name.to_owned(),
            commands: commands
                .iter()
                .map(|(name, run, repeatable)| Command {
                    name: (*name).to_owned(),
                    run: (*run).to_owned(),
                    folder: None,
                    repeatable: *repeatable,
                })
                .collect(),
            ask: None,
            within_hours: None,
        };
        let stages = vec![
            stage(
                "check",
                &[
                    ("format", "fmt", true),
                    ("lint", "lint", true),
                    ("test", "test", true),
                    ("docs", "docs", true),
                    ("audit", "audit", true),
                ],
            ),
            stage(
                "publish",
                &[("upload", "upload", false), ("announce", "fails once", true), ("tag", "tag", false)],
            ),
            stage("tidy", &[("clean", "clean", true)]),
        ];
        let plan = Plan { title: "Release, rehearsed".to_owned(), stages };
        let settings = Settings { parallel: 4, ..Settings::default() };
        Rehearsal { input: plan, settings, effects: Effects::default().with::<RunCommand>(Pretended), answer }
    }
}

/// Says what each command would have printed. Depends on nothing but the command and the visit it is run in.
struct Pretended;

#[async_trait]
impl Perform<RunCommand> for Pretended {
    async fn perform(&self, act: RunCommand, call: &Call) -> Result<Paid<CommandResult>, Failure> {
        // The chain visits WORKING a second time for this stage only after a repair.
        let repaired = call.key.visit > 3;
        let code = if act.line == "fails once" && !repaired { 1 } else { 0 };
        Ok(Paid::free(CommandResult { code: Some(code), output: format!("{} done\n", act.line) }))
    }

    async fn reconcile(&self, _act: RunCommand, _call: &Call) -> Found<CommandResult> {
        Found::Absent
    }
}

fn answer(open: &OpenQuestion) -> Value {
    match open.key.name.as_str() {
        "approve" => json!(true),
        "repair" => json!("again"),
        // A step in doubt: it did happen, and this is what it printed.
        doubt => {
            let name = doubt.split('?').next().unwrap_or(doubt);
            json!({"happened": true, "result": {"code": 0, "output": format!("{name} done\n")}})
        }
    }
}

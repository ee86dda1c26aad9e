//! What a person changes in a run that has begun, as flags of every command that takes them.

use baton_agents::config::Overrides;
use serde_json::{Value, json};

use crate::program::Program;
use crate::trouble::Trouble;

/// What is otherwise from now on.
#[derive(Debug, clap::Args)]
pub struct ChangeArgs {
    /// How many tasks a research run may dispatch in all
    #[arg(long, value_name = "N")]
    pub max_iterations: Option<u32>,
    /// Ask other models in a role; `rules` alone asks none
    #[arg(long, value_name = "ROLE=A,B,...", value_parser = read_role)]
    pub model: Vec<(String, String)>,
    /// Let text of your documents be sent to those models
    #[arg(long, requires = "model")]
    pub send: bool,
    /// Go on without this task
    #[arg(long, value_name = "TASK")]
    pub skip: Vec<String>,
    /// Begin nothing more; finish with what there is
    #[arg(long)]
    pub finish: bool,
    /// Change anything else that the workflow lets be changed
    #[arg(long, value_name = "KEY=VALUE", value_parser = read_change)]
    pub set: Vec<(String, Value)>,
}

impl ChangeArgs {
    /// What was typed, by the names its workflow knows.
    pub fn changes(&self, program: &Program) -> Result<Vec<(String, Value)>, Trouble> {
        let mut changes = self.set.clone();
        if let Some(most) = self.max_iterations {
            changes.push(("max_iterations".to_owned(), json!(most)));
        }
        for (role, models) in &self.model {
            let typed = Overrides {
                chain: Some(Overrides::chain_of(models)),
                send_documents: self.send.then_some(true),
                ..Overrides::default()
            };
            let role = program.config.typed(typed)?.role(role);
            changes.push((format!("model.{}", role.name), json!(role)));
        }
        changes.extend(self.skip.iter().map(|task| ("skip".to_owned(), json!(task))));
        if self.finish {
            changes.push(("finish".to_owned(), json!(true)));
        }
        Ok(changes)
    }
}

/// A role and the models to ask in it.
fn read_role(typed: &str) -> Result<(String, String), String> {
    match typed.split_once('=') {
        Some((role, models)) if !role.trim().is_empty() && !models.trim().is_empty() => {
            Ok((role.trim().to_owned(), models.to_owned()))
        }
        _ => Err("write it as ROLE=MODEL, like synthesizer=big,rules".to_owned()),
    }
}

/// A key and a value: JSON where it is JSON, the words as they are otherwise.
fn read_change(typed: &str) -> Result<(String, Value), String> {
    let (key, value) = typed.split_once('=').ok_or("write it as KEY=VALUE, like budget_usd=2.50")?;
    if key.trim().is_empty() {
        return Err("there is no key before the =".to_owned());
    }
    let value = serde_json::from_str(value.trim()).unwrap_or_else(|_| Value::from(value));
    Ok((key.trim().to_owned(), value))
}

#[cfg(test)]
mod tests;

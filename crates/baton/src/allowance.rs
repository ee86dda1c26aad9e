//! What a run may use: the models and places that were frozen into its input when it was started, and no others. So a
//! run that goes on in another process keeps the consent it was given, and a key in the environment gives none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use baton_agents::model::ModelCard;
use baton_engine::driver::unwrap;
use baton_engine::record::Body;
use baton_engine::runs::present;
use baton_engine::{Engine, RunId, Runs};
use baton_workflows::profile::Profile;
use baton_workflows::retrieval::Beyond;
use serde_json::Value;

use crate::catalogue::row;
use crate::models::with_models;
use crate::places::with_places;
use crate::program::Program;
use crate::trouble::Trouble;

/// What the input of a run allows it to use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allowance {
    /// The models in the chains of its roles, by name.
    pub models: BTreeMap<String, ModelCard>,
    /// The places beyond this machine.
    pub beyond: Option<Beyond>,
    /// The file its result is copied to.
    pub output: Option<PathBuf>,
}

impl Allowance {
    /// What the input of a workflow's run allows; none if it is no such input.
    pub fn of<W: Profile>(input: Value) -> Option<Self> {
        Some(Self::by::<W>(&serde_json::from_value(input).ok()?))
    }

    /// What a run's input with all that was changed since allows.
    pub fn now<W: Profile>(runs: &dyn Runs, run: &RunId) -> Option<Self> {
        let memory = present::<W>(runs, run).ok()?.into_memory();
        W::order(&memory).map(Self::by::<W>)
    }

    fn by<W: Profile>(input: &W::Input) -> Self {
        let cards = W::roles(input).into_iter().flat_map(|role| &role.chain);
        Self {
            models: cards.map(|card| (card.name.clone(), card.clone())).collect(),
            beyond: W::beyond(input).cloned(),
            output: W::output(input).map(Path::to_owned),
        }
    }

    /// What a run may use. One whose first record cannot be read may use nothing; the driver refuses it with the reason.
    pub fn of_run(runs: &dyn Runs, run: &RunId) -> Result<Self, Trouble> {
        let records = runs.records(run, 1)?;
        let first = records.first().and_then(|chained| chained.open().ok());
        let Some(Body::Started(started)) = first.map(|record| record.body) else {
            return Ok(Self::default());
        };
        let Some(row) = row(&started.workflow) else { return Ok(Self::default()) };
        // What was changed since counts; a run that cannot be read may use what it was started with.
        let changed = records.iter().any(|chained| has_changes(&chained.text));
        if let Some(allowed) = changed.then(|| (row.allowance_now)(runs, run)).flatten() {
            return Ok(allowed);
        }
        let input = unwrap(&started.input, runs.vault())?;
        Ok((row.allowance)(input).unwrap_or_default())
    }

    /// The engine, able to use what a run may use.
    pub fn equip(&self, program: &Program, engine: &Engine) -> Result<Engine, Trouble> {
        let engine = with_models(engine.clone(), &self.models)?;
        match &self.beyond {
            Some(beyond) => with_places(program, engine, beyond),
            None => Ok(engine),
        }
    }
}

/// Whether a record may change what the run was started with; only few are of such a kind.
fn has_changes(text: &str) -> bool {
    text.starts_with("{\"changed\"") || text.starts_with("{\"forked\"")
}

#[cfg(test)]
mod tests;

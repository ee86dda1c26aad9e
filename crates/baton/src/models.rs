//! The models a run may call: those that were frozen into it when it was started, and no others. So a run that
//! goes on in another process keeps the consent it was given, and a key in the environment gives none.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::model::{ModelCard, Models};
use baton_engine::driver::unwrap;
use baton_engine::record::Body;
use baton_engine::{Engine, RunId, Runs};
use baton_workflows::asking::{CallModel, CallModels};
use serde_json::Value;

use crate::trouble::Trouble;

/// The engine, able to call the models that the input of a run names.
pub fn with_models_of(mut engine: Engine, input: &Value) -> Result<Engine, Trouble> {
    let cards = cards_of(input);
    if !cards.is_empty() {
        let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
        let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
        let models = Models::over_http(cards.into_values(), &keys, &clock)?;
        engine.effects = engine.effects.with::<CallModel>(CallModels::new(models, Arc::new(())));
    }
    Ok(engine)
}

/// What a run was started with.
pub fn input(runs: &dyn Runs, run: &RunId) -> Result<Value, Trouble> {
    let records = runs.records(run, 1)?;
    // A run whose first record cannot be read is refused by the driver, with the reason.
    let first = records.first().and_then(|chained| chained.open().ok());
    let Some(Body::Started(started)) = first.map(|record| record.body) else { return Ok(Value::Null) };
    Ok(unwrap(&started.input, runs.vault())?)
}

/// The cards in the chains of its roles, by name, wherever in its input a role stands.
fn cards_of(input: &Value) -> BTreeMap<String, ModelCard> {
    let mut cards = BTreeMap::new();
    let mut open = vec![input];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                let chain = fields.get("chain").and_then(Value::as_array).into_iter().flatten();
                let found = chain.filter_map(|card| serde_json::from_value::<ModelCard>(card.clone()).ok());
                cards.extend(found.map(|card| (card.name.clone(), card)));
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cards_of_all_roles_are_found_once() {
        let layer = "[models.near]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
                     model = \"m\"\nlocal = true\n[roles]\ndefault = [\"near\", \"rules\"]\n";
        let layer = baton_agents::config::Layer::parse("baton.toml", layer).unwrap();
        let config = baton_agents::config::build(&[layer], &Default::default()).unwrap();
        let role = |name: &str| serde_json::to_value(config.role(name)).unwrap();
        let input = serde_json::json!({"roles": {"planner": role("planner"), "reader": role("reader")}});
        assert_eq!(cards_of(&input).into_keys().collect::<Vec<_>>(), ["near"]);
        assert!(cards_of(&serde_json::json!({"title": "no roles"})).is_empty());
    }
}

//! The models a run may call.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::model::{ModelCard, Models};
use baton_engine::Engine;
use baton_workflows::asking::{CallModel, CallModels};

use crate::trouble::Trouble;

/// The engine, able to call these models.
pub fn with_models(mut engine: Engine, cards: &BTreeMap<String, ModelCard>) -> Result<Engine, Trouble> {
    if !cards.is_empty() {
        let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
        let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
        let models = Models::over_http(cards.values().cloned(), &keys, &clock)?;
        engine.effects = engine.effects.with::<CallModel>(CallModels::new(models, Arc::new(())));
    }
    Ok(engine)
}

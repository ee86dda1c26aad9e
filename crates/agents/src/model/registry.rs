//! The models a process may use: those that were named, and no others. Every call passes here, so here is
//! the last gate for a person's documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::client_for;
use super::secret::Keys;
use super::{FaultKind, Heartbeat, HttpModel, Limiters, Model, ModelCall, ModelCard, ModelFault, ModelReply};
use crate::clock::Clock;
use crate::nearest::nearest;

/// Models by their configured names.
#[derive(Clone, Default)]
pub struct Models {
    by_name: BTreeMap<String, Arc<dyn Model>>,
}

impl Models {
    /// Models behind HTTP, one for each card, sharing connections and limiters.
    pub fn over_http(
        cards: impl IntoIterator<Item = ModelCard>,
        keys: &Arc<dyn Keys>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, ModelFault> {
        let client = |here| {
            client_for(here).map_err(|e| {
                ModelFault::new(FaultKind::Tls, "any", format!("no HTTP client could be made: {e}."))
            })
        };
        let (here, elsewhere) = (client(true)?, client(false)?);
        let limiters = Limiters::new(Arc::clone(clock));
        let mut models = Self::default();
        for card in cards {
            let limiter = limiters.of(&card.host(), card.limits);
            let client = if card.on_this_machine { here.clone() } else { elsewhere.clone() };
            models.add(Arc::new(HttpModel::new(card, client, Arc::clone(keys), Arc::clone(clock), limiter)));
        }
        Ok(models)
    }

    /// Adds a model under the name on its card.
    pub fn add(&mut self, model: Arc<dyn Model>) {
        self.by_name.insert(model.card().name.clone(), model);
    }

    /// The model of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Model>> {
        self.by_name.get(name)
    }

    /// Makes one call, once.
    pub async fn perform(&self, call: &ModelCall, watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault> {
        let Some(model) = self.get(&call.model) else { return Err(self.unknown(&call.model)) };
        if call.carries_documents && !model.card().may_see_documents {
            let host = model.card().host();
            let detail =
                format!("the call holds text from your documents and {host} is not allowed to see it.");
            return Err(ModelFault::new(FaultKind::DocumentsStay, &call.model, detail));
        }
        model.call(call, watch).await
    }

    fn unknown(&self, name: &str) -> ModelFault {
        let hint = match nearest(name, self.by_name.keys().map(String::as_str)) {
            Some(near) => format!("no model of this name is configured; did you mean {near}?"),
            None => "no model of this name is configured.".to_owned(),
        };
        ModelFault::new(FaultKind::UnknownModel, name, hint)
    }
}

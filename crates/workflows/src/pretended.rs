//! A model for rehearsals: it says what a function says, costs what its card says, and is never reached over a network.

use async_trait::async_trait;
use baton_agents::model::{
    Finish, Limits, ModelCall, ModelCard, ModelReply, Price, Provider, Structured, Usage,
};
use baton_engine::{Call, Failure, Paid, Perform, Spend};

use crate::asking::{CallModel, Replied};

/// What every prompt is counted as, in tokens.
const INPUT: u64 = 100;

/// Answers calls of models. What it says must depend on nothing but the call.
pub(crate) struct PretendedModel {
    /// The text of its reply.
    pub say: fn(&ModelCall) -> String,
    /// What every reply is counted as, in tokens.
    pub output: u64,
}

impl PretendedModel {
    /// The card of such a model: a token costs a millionth of a dollar.
    pub fn card(name: &str) -> ModelCard {
        ModelCard {
            name: name.to_owned(),
            provider: Provider::OpenAi,
            base_url: "http://127.0.0.1:9/v1".to_owned(),
            model: name.to_owned(),
            key_env: None,
            price: Some(Price { input: 1_000_000, output: 1_000_000, cached: None }),
            context_tokens: 32_000,
            max_output_tokens: 2_000,
            temperature: None,
            structured: Structured::default(),
            stream: false,
            limits: Limits::default(),
            on_this_machine: true,
            may_see_documents: true,
        }
    }
}

#[async_trait]
impl Perform<CallModel> for PretendedModel {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let call = &act.attempt.call;
        let tokens = INPUT + self.output;
        let reply = ModelReply {
            text: (self.say)(call),
            finish: Finish::Stop,
            usage: Usage { input: INPUT, output: self.output, ..Usage::default() },
            cost_microusd: tokens,
            served_by: call.model.clone(),
            provider_id: None,
        };
        Ok(Paid { out: Ok(reply), spend: Spend { micro_usd: tokens, tokens, calls: 1 } })
    }
}

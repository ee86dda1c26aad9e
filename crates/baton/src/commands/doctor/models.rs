//! The models and roles: what is set, what is missing, and with `--probe` whether each model answers.

use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::config::RULES;
use baton_agents::config::doctor::{Examination, KeyState, ModelCheck, RoleCheck, examine, probe};
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::model::{FaultKind, Models, Price};
use serde::Serialize;

use super::Check;
use crate::program::Program;
use crate::text::{count, usd};
use crate::trouble::Trouble;
use crate::view::dollars;

/// What a try of one model showed.
#[derive(Debug, Serialize)]
pub struct Probe {
    model: String,
    ok: bool,
    took_ms: Option<u128>,
    tokens: Option<u64>,
    cost_usd: Option<f64>,
    fault: Option<FaultKind>,
}

/// Everything configured, without calling anything.
pub fn examined(program: &Program) -> Examination {
    examine(&program.config.agents, &EnvKeys)
}

/// Every model and every role in words.
pub fn checks(exam: &Examination) -> Vec<Check> {
    if exam.models.is_empty() {
        return vec![Check::good("models", "none is named, so every skill is answered by rules")];
    }
    let mut checks: Vec<Check> = exam.models.iter().map(model).chain(exam.roles.iter().map(role)).collect();
    if exam.roles.is_empty() {
        checks.push(Check::good("role", "none has a chain, so every skill is answered by rules"));
    }
    checks
}

fn model(check: &ModelCheck) -> Check {
    let key = match &check.key {
        KeyState::NotNeeded => "no key".to_owned(),
        KeyState::Set(name) => format!("key from {name}"),
        KeyState::Missing(name) => format!("{name} is not set"),
    };
    let price = match check.price {
        None => "price not known".to_owned(),
        Some(Price::FREE) => "free".to_owned(),
        Some(Price { input, output, .. }) => {
            format!("{} read, {} written for a million tokens", usd(input), usd(output))
        }
    };
    let documents = if check.may_see_documents { "may see documents" } else { "may not see documents" };
    let what = format!("{}: {} at {}, {key}, {price}, {documents}", check.name, check.model, check.host);
    if check.missing.is_empty() {
        return Check::good("model", what);
    }
    let next = check.missing.join("; ");
    // One that nobody asks can do no harm.
    if check.roles.is_empty() {
        return Check { next: Some(next), ..Check::good("model", what) };
    }
    Check::bad("model", what, next)
}

fn role(check: &RoleCheck) -> Check {
    let chain = format!("{}: {}", check.name, check.chain.join(", then "));
    match check.first_ready.as_deref() {
        Some(RULES) if check.chain.len() > 1 => {
            Check::good("role", format!("{chain}; no model is ready, rules answer"))
        }
        Some(ready) => Check::good("role", format!("{chain}; {ready} answers first")),
        None => {
            Check::bad("role", chain, "nobody can answer: set up a model above, or let `rules` stand last")
        }
    }
}

/// Tries every model, one after another.
pub fn probes(program: &Program) -> Result<(Vec<Check>, Vec<Probe>), Trouble> {
    let cards = &program.config.agents.models;
    program.out.note(format!("trying {}; each try costs a few tokens", count(cards.len(), "model")));
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let models = Models::over_http(cards.values().cloned(), &keys, &clock)?;
    let runtime = program.runtime()?;
    let tried = cards.values().map(|card| match runtime.block_on(probe(&models, card, clock.as_ref())) {
        Ok(probed) => {
            let usage = probed.reply.usage;
            let (tokens, took) = (usage.input + usage.output, probed.took.as_millis());
            let micro = card.price.map(|_| probed.reply.cost_microusd);
            let cost = micro.map_or("at an unknown price".to_owned(), |micro| format!("for {}", usd(micro)));
            let what = format!("{} answered in {took} ms: {tokens} tokens {cost}", card.name);
            let probe = Probe {
                model: card.name.clone(),
                ok: true,
                took_ms: Some(took),
                tokens: Some(tokens),
                cost_usd: micro.map(dollars),
                fault: None,
            };
            (Check::good("probe", what), probe)
        }
        Err(fault) => {
            let what = format!("{}: {}", card.name, fault.detail);
            let probe = Probe {
                model: card.name.clone(),
                ok: false,
                took_ms: None,
                tokens: None,
                cost_usd: None,
                fault: Some(fault.kind),
            };
            (Check::bad("probe", what, fault.kind.next_step()), probe)
        }
    });
    Ok(tried.unzip())
}

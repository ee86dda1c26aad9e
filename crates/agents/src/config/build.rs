//! From layers and overrides to one checked configuration. All mistakes are told at once.

use std::collections::BTreeMap;

use super::authority::{Authorities, CLASSES};
use super::file::{ConfigError, Layer, RawModel, RawPrice, Settings};
use super::overrides::Overrides;
use super::privacy::{Privacy, is_this_machine, may_see_documents};
use super::{Config, DEFAULT_ROLE, RULES};
use crate::evidence::Authority;
use crate::model::{Limits, ModelCard, Price};
use crate::nearest::nearest;
use crate::skill::Budget;

/// The money for a run when nobody says otherwise: one dollar.
pub(super) const DEFAULT_USD: f64 = 1.0;

/// Builds the configuration from files, lowest layer first, and what flags and environment change.
pub fn build(layers: &[Layer], overrides: &Overrides) -> Result<Config, Vec<ConfigError>> {
    let mut building = Building { layers, errors: Vec::new() };
    let settings = merge(layers);
    let privacy = Privacy {
        send_documents: overrides.send_documents.or(settings.privacy.send_documents).unwrap_or(false),
        documents_to: settings.privacy.documents_to.clone().unwrap_or_default(),
    };
    let models = building.models(&settings, &privacy);
    let roles = building.roles(&settings, overrides, &models);
    for name in privacy.documents_to.iter().filter(|n| !models.contains_key(*n)) {
        building.unknown_model("privacy.documents_to", name, &models);
    }
    let budget = building.budget(&settings, overrides);
    let (search, mcp) = (building.search(&settings.search), building.mcp(&settings.mcp, &settings.data));
    let data = building.data(&settings.data, &mcp);
    let authority = building.authority(&settings.authority);
    if building.errors.is_empty() {
        Ok(Config {
            models,
            roles,
            limits: settings.limits,
            budget,
            privacy,
            search,
            mcp,
            data,
            authority,
            check_in: settings.research.check_in.unwrap_or(false),
        })
    } else {
        Err(building.errors)
    }
}

/// Later layers win: by model, by role, by single setting. Only the limits of a project never win over lower ones.
fn merge(layers: &[Layer]) -> Settings {
    let mut all = Settings::default();
    for layer in layers {
        let Settings { models, roles, limits, budget, privacy, search, mcp, data, authority, research } =
            layer.settings.clone();
        let by = layer.is_project;
        all.models.extend(models);
        all.search.extend(search);
        all.mcp.extend(mcp);
        all.data.extend(data);
        all.authority.extend(authority);
        all.research.check_in = research.check_in.or(all.research.check_in);
        all.roles.extend(roles);
        all.limits.extend(limits);
        all.budget.usd = limited(all.budget.usd, budget.usd, by);
        all.budget.tokens = limited(all.budget.tokens, budget.tokens, by);
        all.budget.calls = limited(all.budget.calls, budget.calls, by);
        all.privacy.send_documents = privacy.send_documents.or(all.privacy.send_documents);
        all.privacy.documents_to = privacy.documents_to.or(all.privacy.documents_to);
    }
    all
}

/// A limit with that of a later layer over it. A project's can only lower what the person has said.
fn limited<T: PartialOrd>(said: Option<T>, later: Option<T>, by_project: bool) -> Option<T> {
    if by_project && is_raised(&said, &later) { said } else { later.or(said) }
}

fn is_raised<T: PartialOrd>(said: &Option<T>, later: &Option<T>) -> bool {
    matches!((said, later), (Some(said), Some(later)) if later > said)
}

/// The limits of a project's file that do not count, because the person's own are lower. What is overridden for this
/// run is not told of: it counts neither way.
#[must_use]
pub fn held_back(layers: &[Layer], overrides: &Overrides) -> Vec<ConfigError> {
    let mut found = Vec::new();
    for (at, layer) in layers.iter().enumerate().filter(|(_, layer)| layer.is_project) {
        let (own, budget) = (merge(&layers[..at]).budget, &layer.settings.budget);
        let mut tell = |key: &str, is_raised: bool, yours: Option<String>| {
            let what = format!(
                "{key} is more than your own, so yours counts: {}. A project can only lower it.",
                yours.unwrap_or_default()
            );
            found.extend(layer.error(key, &what).filter(|_| is_raised));
        };
        let raises_usd = overrides.usd.is_none() && is_raised(&own.usd, &budget.usd);
        tell("budget.usd", raises_usd, own.usd.map(|usd| format!("{usd:.2}")));
        tell("budget.tokens", is_raised(&own.tokens, &budget.tokens), own.tokens.map(|it| it.to_string()));
        tell("budget.calls", is_raised(&own.calls, &budget.calls), own.calls.map(|it| it.to_string()));
    }
    found
}

pub(super) struct Building<'a> {
    layers: &'a [Layer],
    errors: Vec<ConfigError>,
}

impl Building<'_> {
    /// A mistake at a key, in the last layer that has it; else at a flag.
    pub(super) fn wrong(&mut self, path: &str, what: &str) {
        let in_file = self.layers.iter().rev().find_map(|layer| layer.error(path, what));
        let by_flag = || ConfigError { file: path.to_owned(), line: 0, column: 0, what: what.to_owned() };
        self.errors.push(in_file.unwrap_or_else(by_flag));
    }

    /// Every place once: what is named in two classes is a mistake, not a choice.
    fn authority(&mut self, said: &BTreeMap<String, Vec<String>>) -> Authorities {
        let mut places: Vec<(String, Authority)> = Vec::new();
        for (name, class) in CLASSES {
            for place in said.get(name).into_iter().flatten() {
                let place = place.trim();
                let path = format!("authority.{name}");
                if place.is_empty() || place == "*" {
                    self.wrong(
                        &path,
                        "name a site, a file or a folder, such as \"example.org\" or \"reports/\".",
                    );
                } else if places.iter().any(|(known, _)| known == place) {
                    self.wrong(&path, &format!("`{place}` is named twice; a source is one thing."));
                } else {
                    places.push((place.to_owned(), class));
                }
            }
        }
        Authorities::new(places)
    }

    fn models(&mut self, settings: &Settings, privacy: &Privacy) -> BTreeMap<String, ModelCard> {
        let mut cards = BTreeMap::new();
        for (name, raw) in &settings.models {
            if name == RULES {
                self.wrong("models.rules", "`rules` stands for the rules twin; give the model another name.");
            } else if let Some(card) = self.card(name, raw, privacy) {
                cards.insert(name.clone(), card);
            }
        }
        cards
    }

    fn card(&mut self, name: &str, raw: &RawModel, privacy: &Privacy) -> Option<ModelCard> {
        let path = |key: &str| format!("models.{name}.{key}");
        let base_url = raw.base_url.clone().unwrap_or_else(|| raw.provider.home().to_owned());
        let Ok(url) = reqwest::Url::parse(&base_url) else {
            self.wrong(&path("base_url"), "not an address; write it like http://127.0.0.1:8080/v1.");
            return None;
        };
        let here = is_this_machine(&base_url);
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some()
        {
            self.wrong(
                &path("base_url"),
                "write http or https, and no name or password: keys go into key_env.",
            );
        }
        if raw.local && !here {
            let what = "`local` means this machine, and base_url is elsewhere. Remove it, give a price, and \
                        allow documents with [privacy] documents_to.";
            self.wrong(&path("local"), what);
        }
        if raw.key_env.is_some() && url.scheme() == "http" && !here {
            self.wrong(&path("key_env"), "a key is not sent over plain http to another machine; use https.");
        }
        let price = match (&raw.price, raw.local) {
            (Some(price), _) => self.price(&path("price"), price),
            (None, true) => Some(Price::FREE),
            (None, false) => None,
        };
        let limits = Limits::default();
        Some(ModelCard {
            name: name.to_owned(),
            provider: raw.provider,
            base_url,
            model: raw.model.clone(),
            key_env: raw.key_env.clone(),
            price,
            context_tokens: raw.context_tokens.unwrap_or(8192),
            max_output_tokens: raw.max_output_tokens.unwrap_or(2048),
            temperature: raw.temperature,
            structured: raw.structured.unwrap_or_default(),
            stream: raw.stream.unwrap_or(true),
            limits: Limits {
                per_minute: raw.limits.per_minute,
                at_once: raw.limits.at_once.unwrap_or(limits.at_once),
                idle_seconds: raw.limits.idle_seconds.unwrap_or(limits.idle_seconds),
                whole: raw.limits.whole,
            },
            on_this_machine: here,
            may_see_documents: may_see_documents(name, here, privacy),
        })
    }

    fn price(&mut self, path: &str, raw: &RawPrice) -> Option<Price> {
        let micro = (micro_usd(raw.input), micro_usd(raw.output), raw.cached.map(micro_usd));
        match micro {
            (Some(input), Some(output), None) => Some(Price { input, output, cached: None }),
            (Some(input), Some(output), Some(Some(cached))) => {
                Some(Price { input, output, cached: Some(cached) })
            }
            _ => {
                self.wrong(path, "a price is in USD for a million tokens, such as 2.50, and never negative.");
                None
            }
        }
    }

    fn roles(
        &mut self,
        settings: &Settings,
        overrides: &Overrides,
        models: &BTreeMap<String, ModelCard>,
    ) -> BTreeMap<String, Vec<String>> {
        let given =
            overrides.chain.as_ref().map(|chain| BTreeMap::from([(DEFAULT_ROLE.to_owned(), chain.clone())]));
        let from_flag = given.is_some();
        let roles = given.unwrap_or_else(|| settings.roles.clone());
        for (role, chain) in &roles {
            let path = if from_flag { "--model or BATON_MODELS".to_owned() } else { format!("roles.{role}") };
            for (i, name) in chain.iter().enumerate() {
                if name == RULES && i + 1 < chain.len() {
                    self.wrong(&path, "`rules` comes last: what stands after it would never be asked.");
                } else if name != RULES && !models.contains_key(name) && !settings.models.contains_key(name) {
                    self.unknown_model(&path, name, models);
                }
            }
            if chain.is_empty() {
                self.wrong(&path, "an empty chain asks nobody; write [\"rules\"] for rules alone.");
            }
        }
        roles
    }

    fn unknown_model(&mut self, path: &str, name: &str, models: &BTreeMap<String, ModelCard>) {
        let names = models.keys().map(String::as_str).chain([RULES]);
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add [models.{name}], or name one of: {}.", list(models)),
        };
        self.wrong(path, &format!("no model is called `{name}`; {hint}"));
    }

    fn budget(&mut self, settings: &Settings, overrides: &Overrides) -> Budget {
        let microusd = micro_usd(overrides.usd.or(settings.budget.usd).unwrap_or(DEFAULT_USD));
        if microusd.is_none() {
            let path =
                if overrides.usd.is_some() { "--budget-usd or BATON_BUDGET_USD" } else { "budget.usd" };
            self.wrong(path, "a budget is a number of dollars from 0 to a million.");
        }
        Budget { microusd, tokens: settings.budget.tokens, calls: settings.budget.calls }
    }
}

fn list(models: &BTreeMap<String, ModelCard>) -> String {
    models.keys().map(String::as_str).chain([RULES]).collect::<Vec<_>>().join(", ")
}

/// Dollars as millionths; none if they make no sense.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the range is checked first
fn micro_usd(dollars: f64) -> Option<u64> {
    (0.0..=1e6).contains(&dollars).then(|| (dollars * 1e6).round() as u64)
}

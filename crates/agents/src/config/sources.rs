//! Sources beyond the disk: `[search.*]` and `[mcp.*]` sections, checked and made into cards. A section names a
//! provider; using it also needs the consent of the run.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::build::Building;
use super::data::RawData;
use super::privacy::is_this_machine;
use crate::nearest::nearest;
use crate::search::mcp::{McpCard, McpLimits, McpPlace};
use crate::search::web::{Kind, ProviderCard};

/// The section that holds a list of feeds.
const FEEDS: &str = "feeds";

/// Keys of a `[search.*]` section.
pub(super) const SEARCH_KEYS: &[&str] =
    &["provider", "enabled", "base_url", "key_env", "per_minute", "timeout_seconds", "urls"];
/// Keys of an `[mcp.*]` section.
pub(super) const MCP_KEYS: &[&str] = &[
    "enabled",
    "command",
    "args",
    "env",
    "url",
    "key_env",
    "search_tool",
    "query_argument",
    "search_arguments",
    "read_tool",
    "address_argument",
    "read_arguments",
    "per_minute",
    "timeout_seconds",
    "max_bytes",
];

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawProvider {
    pub provider: Option<String>,
    pub enabled: Option<bool>,
    pub base_url: Option<String>,
    pub key_env: Option<String>,
    pub per_minute: Option<u32>,
    pub timeout_seconds: Option<u64>,
    pub urls: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawMcp {
    pub enabled: Option<bool>,
    pub command: Option<String>,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub env: Vec<String>,
    pub url: Option<String>,
    pub key_env: Option<String>,
    pub search_tool: Option<String>,
    pub query_argument: Option<String>,
    #[serde(default)]
    pub search_arguments: Map<String, Value>,
    pub read_tool: Option<String>,
    pub address_argument: Option<String>,
    #[serde(default)]
    pub read_arguments: Map<String, Value>,
    pub per_minute: Option<u32>,
    pub timeout_seconds: Option<u64>,
    pub max_bytes: Option<usize>,
}

impl Building<'_> {
    /// The providers that are named and not switched off, by name.
    pub(super) fn search(
        &mut self,
        sections: &BTreeMap<String, RawProvider>,
    ) -> BTreeMap<String, ProviderCard> {
        let mut cards = BTreeMap::new();
        for (name, raw) in sections.iter().filter(|(_, raw)| raw.enabled.unwrap_or(true)) {
            if name == FEEDS {
                self.feeds(raw, &mut cards);
            } else if let Some(card) = self.provider(name, raw) {
                cards.insert(name.clone(), card);
            }
        }
        cards
    }

    fn provider(&mut self, name: &str, raw: &RawProvider) -> Option<ProviderCard> {
        let path = |key: &str| format!("search.{name}.{key}");
        let wanted = raw.provider.as_deref().unwrap_or(name);
        let Some(kind) = Kind::NAMED.into_iter().find(|kind| kind.name() == wanted) else {
            self.unknown_provider(name, wanted, raw.provider.is_some());
            return None;
        };
        if raw.urls.is_some() {
            self.wrong(&path("urls"), "only [search.feeds] has `urls`; write `base_url`.");
        }
        let Some(base_url) = raw.base_url.clone().or_else(|| kind.home().map(str::to_owned)) else {
            let what = format!("{} has no public address: write base_url.", kind.name());
            self.wrong(&format!("search.{name}"), &what);
            return None;
        };
        self.address(&path("base_url"), &base_url);
        self.key(&path("key_env"), raw.key_env.as_deref(), &base_url);
        if kind.needs_key() && raw.key_env.is_none() {
            let what = format!("{} answers nobody without a key: write key_env.", kind.name());
            self.wrong(&format!("search.{name}"), &what);
        }
        let mut card = ProviderCard {
            name: name.to_owned(),
            key_env: raw.key_env.clone(),
            ..ProviderCard::new(kind, &base_url)
        };
        self.limits(&format!("search.{name}"), raw, &mut card);
        Some(card)
    }

    fn feeds(&mut self, raw: &RawProvider, cards: &mut BTreeMap<String, ProviderCard>) {
        let urls = raw.urls.clone().unwrap_or_default();
        if urls.is_empty() {
            self.wrong("search.feeds", "write urls = [\"https://…\"], the addresses of the feeds.");
        }
        for url in urls {
            self.address("search.feeds.urls", &url);
            let mut card = ProviderCard::new(Kind::Feed, &url);
            self.limits("search.feeds", raw, &mut card);
            let host = card.host();
            let name = (1..)
                .map(|n| if n == 1 { format!("feed:{host}") } else { format!("feed:{host}#{n}") })
                .find(|name| !cards.contains_key(name))
                .unwrap_or(host);
            card.name.clone_from(&name);
            cards.insert(name, card);
        }
    }

    fn limits(&mut self, path: &str, raw: &RawProvider, card: &mut ProviderCard) {
        card.per_minute = raw.per_minute.unwrap_or(card.per_minute);
        card.timeout_seconds = raw.timeout_seconds.unwrap_or(card.timeout_seconds);
        if card.per_minute == 0 {
            self.wrong(&format!("{path}.per_minute"), "0 asks never; write enabled = false.");
        }
    }

    fn unknown_provider(&mut self, name: &str, wanted: &str, is_named: bool) {
        let names = Kind::NAMED.iter().map(|kind| kind.name());
        let hint = match nearest(wanted, names.clone().chain([FEEDS])) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are: {}, {FEEDS}.", names.collect::<Vec<_>>().join(", ")),
        };
        let path = if is_named { format!("search.{name}.provider") } else { format!("search.{name}") };
        self.wrong(&path, &format!("no provider is called `{wanted}`; {hint}"));
    }

    pub(super) fn address(&mut self, path: &str, text: &str) {
        let good = Url::parse(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
        });
        if !good {
            self.wrong(path, "write http or https, and no name or password: keys go into key_env.");
        }
    }

    pub(super) fn key(&mut self, path: &str, key_env: Option<&str>, address: &str) {
        if key_env.is_some() && address.starts_with("http:") && !is_this_machine(address) {
            self.wrong(path, "a key is not sent over plain http to another machine; use https.");
        }
    }

    /// The MCP servers that are named and not switched off, by name.
    pub(super) fn mcp(
        &mut self,
        sections: &BTreeMap<String, RawMcp>,
        data: &BTreeMap<String, RawData>,
    ) -> BTreeMap<String, McpCard> {
        let mut cards = BTreeMap::new();
        for (name, raw) in sections.iter().filter(|(_, raw)| raw.enabled.unwrap_or(true)) {
            let gives_data = data.values().any(|data| data.mcp.as_ref() == Some(name));
            if let Some(card) = self.mcp_card(name, raw, gives_data) {
                cards.insert(name.clone(), card);
            }
        }
        cards
    }

    fn mcp_card(&mut self, name: &str, raw: &RawMcp, gives_data: bool) -> Option<McpCard> {
        let path = |key: &str| format!("mcp.{name}.{key}");
        let place = match (&raw.command, &raw.url) {
            (Some(command), None) => {
                McpPlace::Command { command: command.clone(), args: raw.args.clone(), env: raw.env.clone() }
            }
            (None, Some(url)) => {
                self.address(&path("url"), url);
                self.key(&path("key_env"), raw.key_env.as_deref(), url);
                McpPlace::Url { url: url.clone(), key_env: raw.key_env.clone() }
            }
            _ => {
                self.wrong(&format!("mcp.{name}"), "write either command or url: where the server is.");
                return None;
            }
        };
        if raw.search_tool.is_none() && raw.read_tool.is_none() && !gives_data {
            self.wrong(
                &format!("mcp.{name}"),
                "write search_tool or read_tool, or name it in a [data.*] section: which of its tools may be used.",
            );
        }
        let default = McpLimits::default();
        Some(McpCard {
            name: name.to_owned(),
            place,
            search_tool: raw.search_tool.clone(),
            query_argument: raw.query_argument.clone().unwrap_or_else(|| "query".to_owned()),
            search_arguments: raw.search_arguments.clone(),
            read_tool: raw.read_tool.clone(),
            address_argument: raw.address_argument.clone().unwrap_or_else(|| "url".to_owned()),
            read_arguments: raw.read_arguments.clone(),
            limits: McpLimits {
                per_minute: raw.per_minute.unwrap_or(default.per_minute).max(1),
                timeout_seconds: raw.timeout_seconds.unwrap_or(default.timeout_seconds).max(1),
                max_bytes: raw.max_bytes.unwrap_or(default.max_bytes),
            },
        })
    }
}

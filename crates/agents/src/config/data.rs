//! `[data.*]` sections: sources of data beyond the disk, checked and made into cards. A section names a source; a run
//! draws from it only if it was named when the run was ordered.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::build::Building;
use crate::data::{DataCard, DataFormat, DataKey, DataLimits, DataPlace, Paging};
use crate::nearest::nearest;
use crate::search::mcp::McpCard;

/// Keys of a `[data.*]` section.
pub(super) const DATA_KEYS: &[&str] = &[
    "enabled",
    "url",
    "key_env",
    "key_header",
    "mcp",
    "tool",
    "arguments",
    "format",
    "path",
    "pages",
    "per_minute",
    "timeout_seconds",
    "max_pages",
    "max_bytes",
];
/// Keys of its `pages`.
pub(super) const PAGES_KEYS: &[&str] = &["by", "parameter", "first", "step", "at"];
/// Names of parameters that carry keys wherever they occur.
const KEY_PARAMETERS: &[&str] =
    &["key", "api_key", "apikey", "api-key", "appid", "token", "access_token", "auth", "secret", "password"];

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawData {
    pub enabled: Option<bool>,
    pub url: Option<String>,
    pub key_env: Option<String>,
    pub key_header: Option<String>,
    pub mcp: Option<String>,
    pub tool: Option<String>,
    #[serde(default)]
    pub arguments: Map<String, Value>,
    pub format: Option<String>,
    pub path: Option<String>,
    pub pages: Option<RawPages>,
    pub per_minute: Option<u32>,
    pub timeout_seconds: Option<u64>,
    pub max_pages: Option<u32>,
    pub max_bytes: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawPages {
    pub by: Option<String>,
    pub parameter: Option<String>,
    pub first: Option<u64>,
    pub step: Option<u64>,
    pub at: Option<String>,
}

impl Building<'_> {
    /// The sources that are named and not switched off, by name.
    pub(super) fn data(
        &mut self,
        sections: &BTreeMap<String, RawData>,
        servers: &BTreeMap<String, McpCard>,
    ) -> BTreeMap<String, DataCard> {
        let mut cards = BTreeMap::new();
        for (name, raw) in sections.iter().filter(|(_, raw)| raw.enabled.unwrap_or(true)) {
            if let Some(card) = self.data_card(name, raw, servers) {
                cards.insert(name.clone(), card);
            }
        }
        cards
    }

    fn data_card(
        &mut self,
        name: &str,
        raw: &RawData,
        servers: &BTreeMap<String, McpCard>,
    ) -> Option<DataCard> {
        let section = format!("data.{name}");
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        if !name.chars().all(plain) || name.len() > 64 {
            self.wrong(&section, "a source is named with letters, digits, _ and -: its table is called so.");
        }
        let place = match (&raw.url, &raw.mcp) {
            (Some(url), None) => self.data_url(&section, url, raw),
            (None, Some(server)) => self.data_tool(&section, server, raw, servers)?,
            _ => {
                self.wrong(&section, "write either url, or mcp and tool: where the data are.");
                return None;
            }
        };
        let format = self.data_format(&section, raw)?;
        let pages = match &raw.pages {
            None => None,
            Some(pages) => Some(self.paging(&section, pages, format, &place)?),
        };
        if format != DataFormat::Json && raw.path.as_ref().is_some_and(|path| !path.is_empty()) {
            self.wrong(&format!("{section}.path"), "only a JSON document has places to look into.");
        }
        let limits = self.data_limits(&section, raw);
        let path = raw.path.clone().unwrap_or_default();
        Some(DataCard { name: name.to_owned(), place, format, path, pages, limits })
    }

    fn data_url(&mut self, section: &str, url: &str, raw: &RawData) -> DataPlace {
        self.address(&format!("{section}.url"), url);
        self.key(&format!("{section}.key_env"), raw.key_env.as_deref(), url);
        for (key, said) in [("tool", raw.tool.is_some()), ("arguments", !raw.arguments.is_empty())] {
            if said {
                self.wrong(&format!("{section}.{key}"), "belongs to mcp, and this source has a url.");
            }
        }
        if raw.key_header.is_some() && raw.key_env.is_none() {
            self.wrong(&format!("{section}.key_header"), "names the header of a key: write key_env too.");
        }
        if let Some(named) = Url::parse(url).ok().and_then(|url| key_parameter(&url)) {
            let what = format!("`{named}` looks like a key; keys go into key_env, never into an address.");
            self.wrong(&format!("{section}.url"), &what);
        }
        let header = raw.key_header.clone();
        let key = raw.key_env.as_ref().map(|env| DataKey { env: env.clone(), header });
        DataPlace::Url { url: url.to_owned(), key }
    }

    fn data_tool(
        &mut self,
        section: &str,
        server: &str,
        raw: &RawData,
        servers: &BTreeMap<String, McpCard>,
    ) -> Option<DataPlace> {
        if raw.key_env.is_some() || raw.key_header.is_some() {
            let what = format!("the key of a server stands in [mcp.{server}].");
            self.wrong(&format!("{section}.key_env"), &what);
        }
        let Some(card) = servers.get(server) else {
            let hint = match nearest(server, servers.keys().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("add [mcp.{server}]."),
            };
            self.wrong(&format!("{section}.mcp"), &format!("no MCP server is called `{server}`; {hint}"));
            return None;
        };
        let Some(tool) = &raw.tool else {
            self.wrong(section, "write tool: which tool of the server returns the data.");
            return None;
        };
        let arguments = raw.arguments.clone();
        Some(DataPlace::Tool { server: Box::new(card.clone()), tool: tool.clone(), arguments })
    }

    fn data_format(&mut self, section: &str, raw: &RawData) -> Option<DataFormat> {
        let names = DataFormat::NAMED.map(|(name, _)| name);
        if let Some(said) = &raw.format {
            let found = DataFormat::NAMED.into_iter().find(|(name, _)| name == said);
            if found.is_none() {
                let what = format!("no format is called `{said}`; known are: {}.", names.join(", "));
                self.wrong(&format!("{section}.format"), &what);
            }
            return found.map(|(_, format)| format);
        }
        // A tool answers with JSON unless somebody says otherwise; an address may say it by its ending.
        let Some(url) = &raw.url else { return Some(DataFormat::Json) };
        let by_ending = Url::parse(url).ok().and_then(|url| DataFormat::of_path(url.path()));
        if by_ending.is_none() {
            let what =
                format!("the address does not say what it sends: write format ({}).", names.join(", "));
            self.wrong(section, &what);
        }
        by_ending
    }

    fn paging(
        &mut self,
        section: &str,
        raw: &RawPages,
        format: DataFormat,
        place: &DataPlace,
    ) -> Option<Paging> {
        let path = format!("{section}.pages");
        let is_url = matches!(place, DataPlace::Url { .. });
        if format != DataFormat::Json {
            self.wrong(&path, "pages are put together only where they are JSON documents.");
        }
        if raw.step == Some(0) {
            self.wrong(&format!("{path}.step"), "0 asks for the same page for ever.");
        }
        let parameter = |usual: &str| raw.parameter.clone().unwrap_or_else(|| usual.to_owned());
        match (raw.by.as_deref(), &raw.at) {
            (Some("number"), _) => Some(Paging::Number {
                parameter: parameter("page"),
                first: raw.first.unwrap_or(1),
                step: raw.step.unwrap_or(1).max(1),
            }),
            (Some("cursor"), Some(at)) => {
                Some(Paging::Cursor { parameter: parameter("cursor"), at: at.clone() })
            }
            (Some("cursor"), None) => {
                self.wrong(&path, "write at: where a page says what comes next, such as \"meta.next\".");
                None
            }
            (Some("link"), at) if is_url => Some(Paging::Link { at: at.clone() }),
            _ => {
                let what = "write by: \"number\", \"cursor\", or (for a url) \"link\".";
                self.wrong(&path, what);
                None
            }
        }
    }

    fn data_limits(&mut self, section: &str, raw: &RawData) -> DataLimits {
        let usual = DataLimits::default();
        let limits = DataLimits {
            per_minute: raw.per_minute.unwrap_or(usual.per_minute),
            timeout_seconds: raw.timeout_seconds.unwrap_or(usual.timeout_seconds).max(1),
            max_pages: raw.max_pages.unwrap_or(usual.max_pages).max(1),
            max_bytes: raw.max_bytes.unwrap_or(usual.max_bytes).max(1),
        };
        if limits.per_minute == 0 {
            self.wrong(&format!("{section}.per_minute"), "0 asks never; write enabled = false.");
        }
        if limits.max_bytes > DataLimits::MOST_BYTES {
            let what = format!("at most {} are drawn from one source.", DataLimits::MOST_BYTES);
            self.wrong(&format!("{section}.max_bytes"), &what);
        }
        limits
    }
}

/// The first parameter of an address that is named like a key.
fn key_parameter(url: &Url) -> Option<String> {
    let mut names = url.query_pairs().map(|(name, _)| name.into_owned());
    names.find(|name| KEY_PARAMETERS.contains(&name.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests;

//! What is known of a provider: its kind, its address, the name of its key's variable, how often it may be asked.

use serde::{Deserialize, Serialize};

/// The providers there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Wikipedia, or any site that runs MediaWiki.
    Wikipedia,
    /// Preprints of arXiv.
    Arxiv,
    /// OpenAlex: works of science.
    Openalex,
    /// Crossref: works with a DOI.
    Crossref,
    /// A metasearch server of one's own.
    Searxng,
    /// Brave Search.
    Brave,
    /// Tavily.
    Tavily,
    /// One RSS or Atom feed.
    Feed,
}

impl Kind {
    /// Every kind that has a section of its own; feeds share one.
    pub const NAMED: [Self; 7] = [
        Self::Wikipedia,
        Self::Arxiv,
        Self::Openalex,
        Self::Crossref,
        Self::Searxng,
        Self::Brave,
        Self::Tavily,
    ];

    /// Its name in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wikipedia => "wikipedia",
            Self::Arxiv => "arxiv",
            Self::Openalex => "openalex",
            Self::Crossref => "crossref",
            Self::Searxng => "searxng",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Feed => "feed",
        }
    }

    /// Its public address; none for what everybody runs for themselves.
    #[must_use]
    pub fn home(self) -> Option<&'static str> {
        match self {
            Self::Wikipedia => Some("https://en.wikipedia.org"),
            Self::Arxiv => Some("https://export.arxiv.org"),
            Self::Openalex => Some("https://api.openalex.org"),
            Self::Crossref => Some("https://api.crossref.org"),
            Self::Brave => Some("https://api.search.brave.com"),
            Self::Tavily => Some("https://api.tavily.com"),
            Self::Searxng | Self::Feed => None,
        }
    }

    /// Whether it answers nobody without a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        matches!(self, Self::Brave | Self::Tavily)
    }

    /// How often it is asked in a minute when nobody says otherwise: what its documentation allows, or less.
    #[must_use]
    pub fn per_minute(self) -> u32 {
        match self {
            // arXiv asks for three seconds between two requests.
            Self::Arxiv => 20,
            Self::Feed => 6,
            Self::Wikipedia | Self::Openalex | Self::Crossref | Self::Tavily => 60,
            Self::Searxng | Self::Brave => 30,
        }
    }
}

/// A provider as configured. Plain data: it names the variable of a key, never the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderCard {
    /// Name shown beside hits and in reports.
    pub name: String,
    /// Whose shapes it speaks.
    pub kind: Kind,
    /// Where it is; for a feed, the feed itself.
    pub base_url: String,
    /// The environment variable that holds its key.
    pub key_env: Option<String>,
    /// How often it may be asked in a minute.
    pub per_minute: u32,
    /// How long an answer may take.
    pub timeout_seconds: u64,
}

impl ProviderCard {
    /// A card with the defaults of its kind.
    #[must_use]
    pub fn new(kind: Kind, base_url: &str) -> Self {
        Self {
            name: kind.name().to_owned(),
            kind,
            base_url: base_url.to_owned(),
            key_env: None,
            per_minute: kind.per_minute(),
            timeout_seconds: 20,
        }
    }

    /// The host it is on, for messages.
    #[must_use]
    pub fn host(&self) -> String {
        url::Url::parse(&self.base_url)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

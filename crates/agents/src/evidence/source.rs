//! Sources: where a text came from, how far it is an authority and how fresh it is.

use serde::{Deserialize, Serialize};

use crate::rules::dates::{self, Date};
use crate::search::Location;

/// A document that was read and archived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Name within a run.
    pub id: String,
    /// Where it was found.
    pub location: Location,
    /// Its title.
    pub title: String,
    /// Its date, `YYYY-MM-DD` or a part of it.
    pub date: Option<String>,
    /// What kind of source it is.
    pub authority: Authority,
    /// SHA-256 of the archived bytes.
    pub raw_hash: String,
    /// SHA-256 of the archived text; offsets of facts count in this text.
    pub text_hash: String,
}

/// What kind of source, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// Government, university, standards body, the maker's own documentation.
    Official,
    /// Peer-reviewed journal.
    Journal,
    /// Industry report.
    Industry,
    /// Newspaper, magazine, encyclopedia.
    News,
    /// Blog, forum, social network, anything else.
    Blog,
}

/// The three classes of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// Official or peer-reviewed.
    One,
    /// Reputable news and industry.
    Two,
    /// Everything else.
    Three,
}

impl Authority {
    /// From 0.5 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Official => 1.0,
            Self::Journal => 0.9,
            Self::Industry => 0.8,
            Self::News => 0.7,
            Self::Blog => 0.5,
        }
    }

    /// The class it belongs to.
    #[must_use]
    pub fn tier(self) -> Tier {
        match self {
            Self::Official | Self::Journal => Tier::One,
            Self::Industry | Self::News => Tier::Two,
            Self::Blog => Tier::Three,
        }
    }

    /// A first guess from where something was found. A person's own documents are taken as official.
    #[must_use]
    pub fn of(location: &Location) -> Self {
        let Location::Url(address) = location else { return Self::Official };
        let host = url::Url::parse(address)
            .ok()
            .and_then(|url| url.host_str().map(str::to_lowercase))
            .unwrap_or_default();
        let ends =
            |names: &[&str]| names.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")));
        let labels: Vec<&str> = host.split('.').collect();
        if ends(&["gov", "edu", "mil", "int", "europa.eu", "ietf.org", "rfc-editor.org", "w3.org", "iso.org"])
            || labels.iter().any(|l| matches!(*l, "gov" | "ac" | "edu"))
            || labels.first() == Some(&"docs")
        {
            Self::Official
        } else if ends(&[
            "nature.com",
            "science.org",
            "plos.org",
            "doi.org",
            "acm.org",
            "ieee.org",
            "arxiv.org",
            "springer.com",
            "pubmed.ncbi.nlm.nih.gov",
        ]) {
            Self::Journal
        } else if ends(&["gartner.com", "mckinsey.com", "statista.com", "forrester.com"]) {
            Self::Industry
        } else if ends(&[
            "wikipedia.org",
            "reuters.com",
            "apnews.com",
            "bbc.co.uk",
            "bbc.com",
            "nytimes.com",
            "theguardian.com",
            "economist.com",
            "ft.com",
        ]) {
            Self::News
        } else {
            Self::Blog
        }
    }
}

/// How fresh a date is on a day: 1.0 within a year, 0.8 to two years, 0.6 to five, 0.3 beyond or unknown.
#[must_use]
pub fn freshness(date: Option<&str>, today: Date) -> f64 {
    let Some(date) = date.and_then(dates::parse) else { return 0.3 };
    match today.days() - date.days() {
        ..=365 => 1.0,
        366..=730 => 0.8,
        731..=1826 => 0.6,
        _ => 0.3,
    }
}

/// Evidence weight of a source: 0.6 authority + 0.4 freshness.
#[must_use]
pub fn weight(source: &Source, today: Date) -> f64 {
    0.6 * source.authority.value() + 0.4 * freshness(source.date.as_deref(), today)
}

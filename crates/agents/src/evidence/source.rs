//! Sources: where a text came from, how far it is an authority and how fresh it is.

use std::sync::LazyLock;

use regex::Regex;
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

    /// A first guess from where something was found. Where a document lies on this machine says nothing about it:
    /// see [`Authority::of_document`].
    #[must_use]
    pub fn of(location: &Location) -> Self {
        let Location::Url(address) = location else { return Self::Blog };
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

/// What a document says of itself: the words of its title and author that tell who speaks. The first that fits decides;
/// a blog about an office is a blog.
const SAYS: &[(Authority, &str)] = &[
    (
        Authority::Blog,
        r"\b(blog|weblog|forum|diary|opinion|column|letter to the editor|reddit|wiki|kommentar|foro|leserbrief)\b",
    ),
    (
        Authority::News,
        r"\b(newsletter|news|newspaper|courier|gazette|herald|tribune|press|magazine|reporter|zeitung|journal de|périodique|periódico|noticias|actualités)\b",
    ),
    (
        Authority::Journal,
        r"\b(journal|proceedings|peer[- ]reviewed|doi|preprint|dissertation|thesis|university|college|professor|institute|université|universidad|universität|hochschule)\b",
    ),
    (
        Authority::Official,
        r"\b(ministry|minister|council|court|parliament|government|agency|authority|office|city of|municipality|commission|statistics|statistical|bulletin|regulation|directive|law|act|decree|ordinance|statute|constitution|treaty|decision \d|standard|rfc ?\d|request for comments|iso \d|specification|terms|contract|agreement|policy|charter|tariff|manual|handbook|reference|documentation|user guide|gesetz|verordnung|ministerium|behörde|amt|satzung|handbuch|bundes\w+|loi|décret|arrêté|ministère|code (civil|pénal|du travail)|constitución|constitution|ley|decreto|real decreto|ministerio|ayuntamiento|reglamento|boletín oficial|journal officiel)\b",
    ),
    (
        Authority::Industry,
        r"\b(annual report|report|survey|study|white ?paper|data ?sheet|brochure|press release|minutes|briefing|audit|measurement|research|consulting|inc|ltd|gmbh|corp|company|bericht|studie|rapport|étude|informe|estudio|encuesta)\b",
    ),
];

impl Authority {
    /// What kind of source a document is: the site says it for a page of the web, its own title and author for a file.
    /// A file that does not say who speaks is no authority.
    #[must_use]
    pub fn of_document(location: &Location, title: &str, author: Option<&str>) -> Self {
        static TABLE: LazyLock<Vec<(Authority, Regex)>> = LazyLock::new(|| {
            let compiled =
                |(kind, text): &(Authority, &str)| Some((*kind, Regex::new(&format!("(?i){text}")).ok()?));
            SAYS.iter().filter_map(compiled).collect()
        });
        if let Location::Url(_) = location {
            return Self::of(location);
        }
        let said = |text: &str| TABLE.iter().find(|(_, regex)| regex.is_match(text)).map(|(kind, _)| *kind);
        // Who speaks tells more than what it is called.
        let by_author = author.and_then(said);
        let by_title = said(title);
        match (by_author, by_title) {
            (Some(Self::Blog), _) | (_, Some(Self::Blog)) => Self::Blog,
            (Some(author), Some(title)) if author.value() >= title.value() => author,
            (_, Some(title)) => title,
            (Some(author), None) => author,
            (None, None) => Self::Blog,
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

#[cfg(test)]
mod tests {
    use super::Authority;
    use crate::search::Location;

    #[test]
    fn a_file_is_what_it_says_it_is() {
        let file = Location::Path("docs/a.md".into());
        for (title, author, wanted) in [
            ("Statistics bulletin 2/2026", None, Authority::Official),
            ("Decision 2021/118 on the network", Some("Harlund City Council"), Authority::Official),
            ("Annual report 2025 of Harlund Heat", Some("Harlund Heat, management"), Authority::Industry),
            ("Newsletter, January 2026", None, Authority::News),
            ("Our first winter - The Crooked House, a blog", Some("Hedda Quill"), Authority::Blog),
            (
                "How a large heat pump works",
                Some("Ines Marlow, Harlund Technical College"),
                Authority::Journal,
            ),
            ("notes", None, Authority::Blog),
        ] {
            assert_eq!(Authority::of_document(&file, title, author), wanted, "{title}");
        }
        let page = Location::Url("https://www.bbc.co.uk/news/1".to_owned());
        assert_eq!(Authority::of_document(&page, "The law of the land", None), Authority::News);
        assert_eq!(Authority::of(&file), Authority::Blog);
    }
}

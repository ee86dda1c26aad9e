//! `[authority]`: whom a person believes. A source is what it says it is, unless its place is named here.

use serde::{Deserialize, Serialize};

use crate::evidence::Authority;

/// The classes by the names of the file, strongest first.
pub(super) const CLASSES: [(&str, Authority); 5] = [
    ("official", Authority::Official),
    ("journal", Authority::Journal),
    ("industry", Authority::Industry),
    ("news", Authority::News),
    ("other", Authority::Blog),
];

/// Places and what their documents count for. Plain data: a run freezes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Authorities(Vec<(String, Authority)>);

impl Authorities {
    /// Of these places.
    #[must_use]
    pub fn new(places: Vec<(String, Authority)>) -> Self {
        Self(places)
    }

    /// Whether nothing is said about anybody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a place was said to be: the longest name that fits decides. `place` is a path below its folder or an address.
    #[must_use]
    pub fn of(&self, place: &str) -> Option<Authority> {
        let fitting = self.0.iter().filter(|(name, _)| fits(name, place));
        // Of two equally long names the weaker counts.
        let worth = |(name, class): &&(String, Authority)| {
            (name.len(), std::cmp::Reverse((class.value() * 10.0) as u8))
        };
        fitting.max_by_key(worth).map(|(_, class)| *class)
    }
}

/// Whether a name is that of a place: of a page its site, or the beginning of its address; of a file the end of its path,
/// or a folder on the way (`reports/`). A `*` stands for anything.
fn fits(name: &str, place: &str) -> bool {
    let name = name.to_lowercase();
    let place = place.to_lowercase().replace('\\', "/");
    if let Some((_, address)) = place.split_once("://") {
        let name = name.split_once("://").map_or(name.as_str(), |(_, rest)| rest).trim_end_matches('/');
        let host = address.split(['/', '?', '#', ':']).next().unwrap_or_default();
        let site = !name.contains(['/', '*']) && (host == name || host.ends_with(&format!(".{name}")));
        return site || (name.contains('/') && like(&format!("{name}*"), address)) || like(name, host);
    }
    if let Some(folder) = name.strip_suffix('/') {
        return place.split('/').rev().skip(1).any(|part| like(folder, part)) || place.starts_with(&name);
    }
    let file = place.rsplit('/').next().unwrap_or_default();
    like(&name, &place) || like(&name, file) || place.ends_with(&format!("/{name}"))
}

/// Whether a text is like a pattern in which `*` stands for anything.
fn like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            let Some(at) = rest.find(before) else { return false };
            rest = &rest[at + before.len()..];
        }
    }
    last.map_or(rest.is_empty(), |end| rest.len() >= end.len() && rest.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::{Authorities, fits};
    use crate::evidence::Authority;

    #[test]
    fn names_fit_places_as_people_mean_them() {
        for (name, place, wanted) in [
            ("annual-report-2025.md", "annual-report-2025.md", true),
            ("annual-report-2025.md", "old/annual-report-2025.md", true),
            ("report-2025.md", "annual-report-2025.md", false),
            ("annual-*.md", "old/annual-report-2025.md", true),
            ("*.md", "a/b.txt", false),
            ("reports/", "archive/reports/a.md", true),
            ("reports/", "reports.md", false),
            ("Statistics/", "statistics/2026/a.html", true),
            ("example.org", "https://example.org/a", true),
            ("example.org", "https://www.example.org:8080/a", true),
            ("example.org", "https://notexample.org/a", false),
            ("example.org/press", "https://example.org/press/1", true),
            ("example.org/press", "https://example.org/law/1", false),
            ("*.gov.xy", "https://stat.gov.xy/1", true),
            ("a.md", "https://example.org/a.md", false),
        ] {
            assert_eq!(fits(name, place), wanted, "{name} {place}");
        }
    }

    #[test]
    fn the_longest_name_decides_and_of_equals_the_weaker() {
        let said = |places: &[(&str, Authority)]| {
            Authorities::new(places.iter().map(|(name, class)| ((*name).to_owned(), *class)).collect())
        };
        let all = said(&[
            ("reports/", Authority::Industry),
            ("audit-letter.txt", Authority::Official),
            ("example.org", Authority::Official),
            ("EXAMPLE.org", Authority::News),
        ]);
        assert_eq!(all.of("reports/audit-letter.txt"), Some(Authority::Official));
        assert_eq!(all.of("reports/a.txt"), Some(Authority::Industry));
        assert_eq!(all.of("https://example.org/x"), Some(Authority::News));
        assert_eq!(all.of("notes.txt"), None);
    }
}

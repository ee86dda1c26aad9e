//! Lines that say something of their document and nothing of its matter: `Date: 2025-01-10`, `Subject: …`.

pub(crate) const TITLES: &[&str] = &["title", "titel", "titre", "título", "titulo", "titolo"];
pub(crate) const AUTHORS: &[&str] =
    &["author", "authors", "autor", "autoren", "auteur", "autore", "verfasser", "written by", "by"];
pub(crate) const DATES: &[&str] = &[
    "date",
    "dated",
    "datum",
    "stand",
    "fecha",
    "data",
    "published",
    "publication date",
    "date of issue",
    "issued",
    "released",
    "updated",
    "last updated",
    "last modified",
    "last changed",
    "effective date",
    "adopted",
    "veröffentlicht",
    "date de publication",
    "publié le",
    "fecha de publicación",
];
/// Other fields of letters and memos.
const OTHERS: &[&str] = &["subject", "reference", "client", "betreff", "objet", "asunto"];
/// Fields whose names are also words that begin a line of a manual.
const COMMON: &[&str] = &["by", "data", "stand", "issued", "released", "updated", "published", "adopted"];

/// A field of a head line: its name in lower case, and its value.
pub(crate) fn field(line: &str) -> Option<(String, &str)> {
    let bare = line.trim().trim_start_matches(['#', '*', '_', '>', ' ', ':', '%']);
    let (name, value) = bare.split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ', '"']).to_lowercase();
    let value = value.trim().trim_matches(['*', '_', '"', '\'', ' ']);
    (!value.is_empty() && name.split_whitespace().count() <= 3).then_some((name, value))
}

/// Does a line only say something of its document?
pub(crate) fn is_head_field(line: &str) -> bool {
    let known = |name: &str| {
        !COMMON.contains(&name) && [TITLES, AUTHORS, DATES, OTHERS].iter().any(|names| names.contains(&name))
    };
    field(line).is_some_and(|(name, _)| known(&name))
}

#[cfg(test)]
mod tests {
    use super::is_head_field;

    #[test]
    fn head_fields_are_told_from_sentences() {
        assert!(is_head_field("Date: 2025-01-10") && is_head_field("**Date:** today"));
        assert!(!is_head_field("Default: 10") && !is_head_field("The mill: it grinds."));
        assert!(!is_head_field("By: the way."));
    }
}

//! Documents that another one says it replaces: by a head line ("Obsoletes: 2616"), which names files, or by a
//! sentence ("This document replaces Terms, version 1 of 2022."), which names a title.

use std::sync::LazyLock;

use regex::Regex;
use rusqlite::Transaction;

use super::IndexError;

/// Where a document says such things.
const HEAD: usize = 4000;
/// A shorter title is a word that stands in many sentences.
const TITLE: usize = 8;

/// What a text says it replaces, one name a line, in lower case.
pub(super) fn names(text: &str) -> String {
    static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?im)^[ \t]*(?:obsoletes|supersedes|replaces):[ \t]*(.{1,120}?)(?:[ \t]{3,}.*)?$").ok()
    });
    static SENTENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\bthis \w+(?: \w+)? (?:replaces|supersedes|obsoletes) (?:the )?(\S.{7,160})").ok()
    });
    let head = &text[..text.floor_char_boundary(HEAD)];
    let found = |regex: &LazyLock<Option<Regex>>| {
        let capture = regex.as_ref()?.captures(head)?;
        Some(capture[1].to_lowercase())
    };
    let mut names: Vec<String> = Vec::new();
    if let Some(list) = found(&LINE) {
        names.extend(list.split([',', ' ', ';']).filter(|name| name.len() > 2).map(str::to_owned));
    }
    names.extend(found(&SENTENCE));
    names.join("\n")
}

/// Marks the documents that another document in the index says it replaces.
pub(super) fn mark(transaction: &Transaction<'_>) -> Result<(), IndexError> {
    transaction.execute("UPDATE docs SET replaced = 0 WHERE replaced = 1", [])?;
    let mut statement = transaction.prepare("SELECT id, replaces FROM docs WHERE replaces <> ''")?;
    let lists: Vec<(i64, String)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    if lists.is_empty() {
        return Ok(());
    }
    let mut statement = transaction.prepare("SELECT id, lower(title) FROM docs")?;
    let titles: Vec<(i64, String)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (by, name) in lists.iter().flat_map(|(by, list)| list.lines().map(move |name| (*by, name))) {
        mark_file(transaction, name)?;
        for (id, _) in titles.iter().filter(|(id, title)| *id != by && begins_with(name, title)) {
            transaction.prepare_cached("UPDATE docs SET replaced = 1 WHERE id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}

fn mark_file(transaction: &Transaction<'_>, name: &str) -> Result<(), IndexError> {
    let stem = if name.bytes().all(|b| b.is_ascii_digit()) { format!("rfc{name}") } else { name.to_owned() };
    let sql = "UPDATE docs SET replaced = 1 WHERE lower(shown) LIKE '%/' || ?1 || '.%' OR lower(shown) LIKE ?1 || '.%'";
    transaction.prepare_cached(sql)?.execute([stem])?;
    Ok(())
}

/// Whether what is replaced begins with this title, and not with a longer one ("version 1" is not "version 12").
fn begins_with(name: &str, title: &str) -> bool {
    title.len() >= TITLE
        && name.strip_prefix(title).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_lines_name_files_and_sentences_name_titles() {
        assert_eq!(names("Obsoletes: 2616, 2068      June 2014\n"), "2616\n2068");
        let said =
            "# Terms\n\nThis document replaces Connection Terms CT-1, version 1 of 2022. It is in force.";
        assert!(names(said).starts_with("connection terms ct-1, version 1 of 2022"));
        assert_eq!(names("A pump replaces the boiler in most houses."), "");
    }

    #[test]
    fn a_title_must_end_where_the_name_goes_on() {
        let name = "connection terms ct-1, version 1 of 2022. it is in force";
        assert!(begins_with(name, "connection terms ct-1, version 1"));
        assert!(!begins_with(name, "connection terms ct-1, version 2"));
        assert!(!begins_with("connection terms, version 12", "connection terms, version 1"));
        assert!(!begins_with("terms of 2022", "terms"));
    }
}

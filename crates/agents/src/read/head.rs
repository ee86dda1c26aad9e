//! What the head of a text says of the document: title, author and date, from front matter, from lines such as
//! `Date: 27 March 2026`, from a byline, and last from the name of the file.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::rules::dates::dates;
use crate::rules::fields::{AUTHORS, DATES, TITLES, field};
use crate::rules::lines::bullet_len;

/// Lines in which a text may say what it is, blank ones not counted.
const HEAD: usize = 15;
/// A title is no longer than this (in bytes).
const LONGEST_TITLE: usize = 110;
/// Spaces before a line that is set in the middle.
const CENTRED: usize = 8;
/// A byline has no more words than this.
const BYLINE_WORDS: usize = 14;

static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(published|posted|written|issued|released|adopted|approved|updated|changed|modified|revised|veröffentlicht|geändert|publié|mis à jour|publicado|actualizado)\b").ok()
});
static FOREIGN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(\d{1,2})(?:\.|er|º)?\s+(?:de\s+)?(januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro)\s+(?:de\s+|del\s+)?(\d{4})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b").ok()
});
static IN_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\d])((?:19|20)\d{2})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[^\d]|$)|(?:^|[^\d])((?:19|20)\d{2})[-_.](0[1-9]|1[0-2])(?:[^\d]|$)|(?:^|[^\d])((?:19|20)\d{2})(?:[^\d]|$)").ok()
});

/// The lines in which a text may say what it is; front matter counts, the marks around it do not.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && line.trim() != "---").take(HEAD)
}

fn value<'a>(text: &'a str, names: &[&str]) -> Option<&'a str> {
    lines(text)
        .find_map(|line| field(line).filter(|(name, _)| names.contains(&name.as_str())).map(|(_, it)| it))
}

/// The title in the head of a plain text: its field, else its first line if that stands alone or heads a letter.
pub(super) fn title(text: &str) -> Option<String> {
    if let Some(title) = value(text, TITLES) {
        return Some(title.to_owned());
    }
    let mut all = text.lines().skip_while(|line| line.trim().is_empty());
    let first = all.next()?.trim().trim_start_matches(['#', ' ']).trim();
    let below = all.next().unwrap_or_default();
    let second = below.trim();
    // What is set in the middle of the page heads what follows.
    let centred = below.len() - below.trim_start().len() >= CENTRED;
    let heads = second.is_empty() || second.chars().all(|c| "=-~*".contains(c)) || centred || date_line(text);
    let titled = first.len() < LONGEST_TITLE
        && !first.ends_with(['.', ':', ',', ';'])
        && first.contains(char::is_alphabetic)
        && bullet_len(first) == 0
        && !first.starts_with(|c: char| c.is_ascii_digit() || "|<{[".contains(c))
        && field(first).is_none()
        && first.split_whitespace().count() > 1;
    let version = Some(second).filter(|second| centred && second.to_lowercase().starts_with("version"));
    let words = first.split_whitespace().chain(version.unwrap_or_default().split_whitespace());
    (heads && titled).then(|| words.collect::<Vec<_>>().join(" "))
}

fn date_line(text: &str) -> bool {
    value(text, DATES).is_some()
}

/// The author in the head of a text.
pub(super) fn author(text: &str) -> Option<String> {
    value(text, AUTHORS).map(str::to_owned)
}

/// The date in the head of a text: its field, else "Published on …", else a byline or a line of its own.
pub(super) fn date(text: &str) -> Option<String> {
    if let Some(date) = value(text, DATES).and_then(day) {
        return Some(date);
    }
    let said = lines(text).find_map(|line| {
        let found = SAID.as_ref()?.find(line)?;
        let rest = &line[found.end()..];
        day(&rest[..rest.floor_char_boundary(90)])
    });
    said.or_else(|| {
        let bylines = lines(text).take(8).filter(|line| {
            line.split_whitespace().count() <= BYLINE_WORDS && !line.trim_end().ends_with(['.', '?', '!'])
        });
        bylines.filter(|line| !line.starts_with('|')).find_map(whole_day)
    })
}

/// The day in a date as written, `YYYY-MM-DD` where it is whole.
pub(super) fn day(written: &str) -> Option<String> {
    dates(written).first().map(|found| found.date.to_string()).or_else(|| foreign_day(written))
}

/// A date to the day or, in the head of a standard, to the month.
fn whole_day(line: &str) -> Option<String> {
    let spaced = line.contains("   ");
    let given = dates(line).into_iter().find(|found| {
        found.date.day > 0 || (spaced && found.date.month > 0 && found.range.end == line.trim_end().len())
    });
    given.map(|found| found.date.to_string()).or_else(|| foreign_day(line))
}

fn foreign_day(written: &str) -> Option<String> {
    let capture = FOREIGN.as_ref()?.captures(written)?;
    let number = |group: usize| capture.get(group).and_then(|it| it.as_str().parse::<u32>().ok());
    let (day, month, year) = match capture.get(2) {
        Some(name) => (number(1)?, month_of(&name.as_str().to_lowercase())?, number(3)?),
        None => (number(4)?, number(5)?, number(6)?),
    };
    ((1..=31).contains(&day) && (1..=12).contains(&month)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The number of a month by the beginning of its name in German, French, Spanish, Italian or Portuguese.
fn month_of(name: &str) -> Option<u32> {
    const BEGINNINGS: [&[&str]; 12] = [
        &["jan", "ene", "gen"],
        &["feb", "fév", "fev"],
        &["mär", "mar"],
        &["apr", "avr", "abr"],
        &["mai", "may", "mag"],
        &["jun", "juin", "giu"],
        &["jul", "juil", "lug"],
        &["aug", "aoû", "ago"],
        &["sep", "set"],
        &["okt", "oct", "ott", "out"],
        &["nov"],
        &["dez", "déc", "dic"],
    ];
    let at = BEGINNINGS.iter().position(|begin| begin.iter().any(|one| name.starts_with(one)))?;
    u32::try_from(at + 1).ok()
}

/// The date in the name of a file, as far as it goes; a name with two years says nothing.
pub(super) fn date_in_name(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let regex = IN_NAME.as_ref()?;
    let capture = regex.captures(&name)?;
    let part = |group: usize| capture.get(group).map(|it| it.as_str());
    if let (Some(year), Some(month), Some(day)) = (part(1), part(2), part(3)) {
        return Some(format!("{year}-{month}-{day}"));
    }
    if let (Some(year), Some(month)) = (part(4), part(5)) {
        return Some(format!("{year}-{month}"));
    }
    let year = part(6)?;
    let rest = &name[capture.get(6)?.end()..];
    (!regex.is_match(rest)).then(|| year.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{author, date, date_in_name, title};

    #[test]
    fn heads_give_title_author_and_date() {
        for (text, wanted_title, wanted_date) in [
            (
                "AUDIT OFFICE OF THE CITY\nLetter to the council\n\nDate: 27 March 2026\n\n1. Costs\n",
                "AUDIT OFFICE OF THE CITY",
                "2026-03-27",
            ),
            (
                "Title: The mill\nAuthor: Ada Roe\nDate: 2025-01-10\nThe mill grinds wheat.\n",
                "The mill",
                "2025-01-10",
            ),
            ("The mill\n========\n\nLast changed on 7 April 2025.\n", "The mill", "2025-04-07"),
            (
                "Noise at the quay\n\nBy Clara Dunmore, 15 November 2024\n\nIt hums.\n",
                "Noise at the quay",
                "2024-11-15",
            ),
            (
                "                 Mill Licence\n              Version 2.0, January 2004\n\n   1. Definitions.\n",
                "Mill Licence Version 2.0, January 2004",
                "2004-01",
            ),
            ("Satzung des Vereins\n\nStand: 3. März 2021\n", "Satzung des Vereins", "2021-03-03"),
            ("Ley de aguas\n\nPublicado el 12 de mayo de 2019\n", "Ley de aguas", "2019-05-12"),
            ("# Minutes of May\n\n**Date:** 19 November 2025, 14:00\n", "Minutes of May", "2025-11-19"),
        ] {
            assert_eq!(title(text).as_deref(), Some(wanted_title), "{text}");
            assert_eq!(date(text).as_deref(), Some(wanted_date), "{text}");
        }
        assert_eq!(author("Title: The mill\nAuthor: Ada Roe\n").as_deref(), Some("Ada Roe"));
    }

    #[test]
    fn prose_has_no_head() {
        let prose =
            "In 1931 the observatory was opened, and it stayed open\nfor twenty years. Then came the war.\n";
        assert_eq!(title(prose), None);
        assert_eq!(date(prose), None);
        assert_eq!(title("1. Install it\n\nThen run it.\n"), None);
        assert_eq!(title("- one\n\n- two\n"), None);
    }

    #[test]
    fn names_of_files_give_dates_as_far_as_they_go() {
        for (name, wanted) in [
            ("minutes-2025-11-19.txt", Some("2025-11-19")),
            ("20250110_note.md", Some("2025-01-10")),
            ("bulletin-2026-02.html", Some("2026-02")),
            ("audit-letter-2026.txt", Some("2026")),
            ("costs-2021-2025.csv", None),
            ("rfc2616.txt", None),
            ("readme.md", None),
        ] {
            assert_eq!(date_in_name(Path::new(name)).as_deref(), wanted, "{name}");
        }
    }
}

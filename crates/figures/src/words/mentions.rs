//! What of the tables a sentence mentions: columns and values.

use rust_stemmers::{Algorithm, Stemmer};

use super::lexicon;
use crate::profile::guess::{is_part_of_date, words};
use crate::profile::{Profiles, TableProfile};
use crate::reading::Kind;

/// A word of the sentence.
#[derive(Debug, Clone)]
pub struct Token {
    /// In lower case.
    pub word: String,
    /// As written.
    pub written: String,
}

/// Cuts a sentence into words and numbers.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<String> = vec![String::new()];
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let inside = matches!(letter, '.' | ',') && digit(at.checked_sub(1)) && digit(Some(at + 1));
        let dash = *letter == '-' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if letter.is_alphanumeric() || inside || dash {
            if let Some(last) = found.last_mut() {
                last.push(*letter);
            }
        } else if found.last().is_some_and(|last| !last.is_empty()) {
            found.push(String::new());
        }
    }
    found.retain(|word| !word.is_empty());
    found.into_iter().map(|written| Token { word: written.to_lowercase(), written }).collect()
}

/// Compares words by their stems.
pub struct Stems {
    all: [Stemmer; 3],
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Stems")
    }
}

impl Stems {
    /// English, German, Russian.
    #[must_use]
    pub fn new() -> Self {
        Self { all: [Algorithm::English, Algorithm::German, Algorithm::Russian].map(Stemmer::create) }
    }

    /// Whether two words of lower case are forms of one, or mean the same in tables.
    #[must_use]
    pub fn same(&self, one: &str, two: &str) -> bool {
        if one == two || lexicon::alike(one, two) {
            return true;
        }
        let long = |word: &str| word.chars().count() >= 3;
        if !long(one) || !long(two) {
            return false;
        }
        let stems =
            |word: &str| self.all.iter().map(|stemmer| stemmer.stem(word).into_owned()).collect::<Vec<_>>();
        let (ones, twos) = (stems(one), stems(two));
        ones.iter().zip(&twos).any(|(a, b)| a == b)
            || ones.iter().any(|a| twos.iter().any(|b| lexicon::alike(a, b)))
    }

    /// The same, or a column's word that begins the other: `temp` and `temperature`.
    fn begins(&self, column: &str, word: &str) -> bool {
        self.same(column, word)
            || (column.chars().count() >= 3 && word.starts_with(column) && word.len() >= column.len() + 3)
    }
}

/// A column that is mentioned.
#[derive(Debug, Clone)]
pub struct Mention {
    /// Its name in a question over the table: `region`, or `shops.town`.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Unit of its numbers.
    pub unit: Option<String>,
    /// Places in the sentence.
    pub places: Vec<usize>,
    /// Whether all words of its name were there.
    pub whole: bool,
}

impl Mention {
    /// Where it first stands.
    #[must_use]
    pub fn first(&self) -> usize {
        self.places.iter().copied().min().unwrap_or(0)
    }
}

/// A value that is mentioned.
#[derive(Debug, Clone)]
pub struct Valued {
    /// Its column.
    pub column: String,
    /// The value, letter by letter.
    pub value: String,
    /// Places in the sentence.
    pub places: Vec<usize>,
}

/// Tables and columns a question over one table can reach: its own, and those of tables it can look into.
fn reachable<'a>(
    table: &'a TableProfile,
    profiles: &'a Profiles,
) -> Vec<(String, &'a crate::profile::ColumnProfile)> {
    // "Month" asks for months where days are known, not for the column that repeats them.
    let asked = |column: &&crate::profile::ColumnProfile| {
        table.time.is_none() || column.kind != Kind::Number || !is_part_of_date(&column.name)
    };
    let mut found: Vec<_> =
        table.columns.iter().filter(asked).map(|column| (column.name.clone(), column)).collect();
    for join in profiles.joins.iter().filter(|join| join.table == table.reading.name && join.unique) {
        let Some(other) = profiles.table(&join.into) else { continue };
        let others = other.columns.iter().filter(|column| column.name != join.key);
        found.extend(others.map(|column| (format!("{}.{}", join.into, column.name), column)));
    }
    found
}

/// Words of a name that say only the unit or nothing.
fn significant(name: &str) -> Vec<String> {
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    let bare = name.split(['(', '[']).next().unwrap_or(name);
    let all = words(bare);
    let filler = [
        "in", "of", "per", "the", "and", "eur", "usd", "gbp", "kg", "lbs", "mm", "cm", "km", "pct", "total",
        "amount", "value", "net",
    ];
    let kept: Vec<String> = all.iter().filter(|word| !filler.contains(&word.as_str())).cloned().collect();
    if kept.is_empty() { all } else { kept }
}

/// Where the header of a column stands that is called otherwise: "packs sold per head (packpc)" names it twice.
fn coded(tokens: &[Token], table: &TableProfile, name: &str, taken: &[usize]) -> Vec<usize> {
    let Some((_, reading)) = table.reading.column(name) else { return Vec::new() };
    let code: Vec<String> = self::tokens(&reading.header).into_iter().map(|token| token.word).collect();
    if code.is_empty() || reading.header.eq_ignore_ascii_case(name) {
        return Vec::new();
    }
    let stands = |at: &usize| {
        code.iter().enumerate().all(|(nth, word)| {
            tokens.get(at + nth).is_some_and(|token| token.word == *word && !taken.contains(&(at + nth)))
        })
    };
    let starts = (0..tokens.len()).filter(stands);
    starts.flat_map(|start| start..start + code.len()).collect()
}

/// Columns that a sentence mentions, and names that could be several.
#[must_use]
pub fn columns(
    tokens: &[Token],
    table: &TableProfile,
    profiles: &Profiles,
    stems: &Stems,
    taken: &[usize],
) -> (Vec<Mention>, Vec<Vec<String>>) {
    let mut candidates: Vec<(usize, usize, Mention)> = Vec::new();
    for (name, column) in reachable(table, profiles) {
        let wanted = significant(&name);
        // Side by side in their order first; else wherever they stand.
        let fit = |at: usize, word: &String| {
            tokens.get(at).is_some_and(|token| !taken.contains(&at) && stems.begins(word, &token.word))
        };
        let beside = |wanted: &[String]| {
            (0..tokens.len())
                .find(|start| wanted.iter().enumerate().all(|(nth, word)| fit(start + nth, word)))
        };
        // "divorces per 1000" is no "divorces".
        let written = words(&name);
        let in_full = if written.len() > wanted.len() { beside(&written) } else { None };
        let together = in_full.is_none().then(|| beside(&wanted)).flatten();
        let mut places: Vec<usize> =
            in_full.map(|start| (start..start + written.len()).collect()).unwrap_or_default();
        for (nth, word) in wanted.iter().enumerate().filter(|_| in_full.is_none()) {
            let near = match together {
                Some(start) => Some(start + nth),
                None => (0..tokens.len()).find(|at| !places.contains(at) && fit(*at, word)),
            };
            places.extend(near);
        }
        let code = coded(tokens, table, &name, taken);
        places.extend(code.iter().filter(|at| !places.contains(at)).copied().collect::<Vec<_>>());
        let letters: usize =
            places.iter().filter_map(|at| tokens.get(*at)).map(|token| token.word.chars().count()).sum();
        // A word such as "highest" or "average" names no column by itself.
        let says = |at: &usize| tokens.get(*at).is_some_and(|token| lexicon::senses(&token.word).is_empty());
        let is_part = code.is_empty() && places.len() < wanted.len();
        if places.is_empty() || (is_part && !places.iter().any(says)) {
            continue;
        }
        // Words of the name that matter little are known all the same where they are said.
        let rest: Vec<usize> = words(&name)
            .iter()
            .filter(|word| !wanted.contains(*word))
            .filter_map(|word| tokens.iter().position(|token| token.word == *word))
            .filter(|at| !taken.contains(at) && !places.contains(at))
            .collect();
        let whole = in_full.is_some() || !code.is_empty() || places.len() == wanted.len();
        places.extend(rest);
        let mention = Mention { name, kind: column.kind, unit: column.unit.clone(), places, whole };
        candidates.push((
            usize::from(whole) * 1000 + usize::from(together.or(in_full).is_some()) * 100 + letters,
            wanted.len(),
            mention,
        ));
    }
    candidates.sort_by(|one, two| {
        two.0.cmp(&one.0).then_with(|| one.2.name.contains('.').cmp(&two.2.name.contains('.')))
    });
    let mut found: Vec<Mention> = Vec::new();
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for (score, _, mention) in &candidates {
        if mention.places.iter().any(|at| used.contains(at)) {
            continue;
        }
        // A part of a name that begins several columns names none of them.
        let rivals: Vec<String> = candidates
            .iter()
            .filter(|(other, _, rival)| {
                other == score
                    && rival.name != mention.name
                    && rival.places == mention.places
                    && !mention.whole
            })
            .map(|(_, _, rival)| rival.name.clone())
            .collect();
        used.extend(&mention.places);
        if rivals.is_empty() {
            found.push(mention.clone());
        } else {
            open.push(std::iter::once(mention.name.clone()).chain(rivals).collect());
        }
    }
    (found, open)
}

/// Values that a sentence mentions, the longest first.
#[must_use]
pub fn values(tokens: &[Token], table: &TableProfile, profiles: &Profiles, stems: &Stems) -> Vec<Valued> {
    let mut candidates: Vec<Valued> = Vec::new();
    for (name, column) in reachable(table, profiles) {
        if !matches!(column.kind, Kind::Text | Kind::Truth) {
            continue;
        }
        for category in &column.categories {
            let parts: Vec<String> =
                self::tokens(&category.value).into_iter().map(|token| token.word).collect();
            if parts.is_empty() || parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit())) {
                continue;
            }
            let found = tokens.windows(parts.len()).position(|window| {
                window.iter().zip(&parts).all(|(token, part)| fits(token, part, &category.value, stems))
            });
            if let Some(at) = found {
                candidates.push(Valued {
                    column: name.clone(),
                    value: category.value.clone(),
                    places: (at..at + parts.len()).collect(),
                });
            }
        }
    }
    let exact = |valued: &Valued| {
        valued
            .places
            .iter()
            .filter(|at| {
                tokens.get(**at).is_some_and(|token| valued.value.to_lowercase().contains(&token.word))
            })
            .count()
    };
    candidates.sort_by(|one, two| {
        let key = |valued: &Valued| {
            (
                std::cmp::Reverse(valued.places.len()),
                std::cmp::Reverse(exact(valued)),
                valued.column.contains('.'),
            )
        };
        key(one).cmp(&key(two))
    });
    let mut found: Vec<Valued> = Vec::new();
    for valued in candidates {
        if !found.iter().any(|other| other.places.iter().any(|at| valued.places.contains(at))) {
            found.push(valued);
        }
    }
    found.sort_by_key(|valued| valued.places.first().copied());
    found
}

fn fits(token: &Token, part: &str, value: &str, stems: &Stems) -> bool {
    // Short values must stand as they are written: "No" is a value, "no" is not.
    if part.chars().count() < 3 || !lexicon::senses(part).is_empty() {
        return value.split(|c: char| !c.is_alphanumeric()).any(|written| written == token.written)
            && (value == token.written || value.contains(' '));
    }
    token.word == part || (part.chars().count() >= 4 && stems.same(&token.word, part))
}

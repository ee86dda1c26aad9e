//! What the query calls columns and rows: "packs sold per head (packpc)", "`packpc` is packs sold per head", "packpc: packs
//! sold per head", "the 2,000 largest companies". What is written so goes to the tables as `[words]` of a tables.toml.

mod nouns;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use baton_agents::rules::words::is_stop;
use baton_figures::reading::called::Called;

/// Most words of a gloss.
const LONGEST: usize = 7;
/// Pairs of words that are looked for in headers.
const PAIRS: usize = 200;
/// The line behind which the words of the query stand in the text of a tables.toml.
const MARK: &str = "# What the query calls them.";

/// Words that never belong to the name of a column that stands behind them.
const BEFORE: &[&str] = &[
    "the", "a", "an", "its", "their", "did", "do", "does", "is", "are", "was", "were", "has", "have", "had",
    "how", "which", "what", "who", "when", "where", "why", "and", "or", "between", "with", "than", "from",
    "by", "to", "more", "fewer", "less", "higher", "lower", "most", "fewest", "least", "highest", "lowest",
    "each", "every", "much", "many", "compare", "show", "tell", "that",
];
/// Words a name does not begin with.
const INSIDE: &[&str] = &["of", "per", "in", "for", "on", "at"];
/// Words of how cells are put together or held against others: they belong to the question, not to the name.
const OF_QUESTION: &[&str] = &[
    "average", "mean", "median", "total", "overall", "shorter", "longer", "higher", "lower", "greater",
    "smaller", "larger", "bigger", "older", "younger", "heavier", "lighter", "faster", "slower", "rising",
    "falling",
];
/// Words a question begins with.
const ASKING: &[&str] =
    &["how", "which", "what", "who", "when", "where", "why", "is", "are", "do", "does", "did", "was", "were"];
/// Units that are written as a word behind "in", and what stands behind a number.
const UNITS: &[(&str, &str)] = &[
    ("cents", "cents"),
    ("euros", "EUR"),
    ("us dollars", "USD"),
    ("dollars", "USD"),
    ("pounds sterling", "GBP"),
    ("kilograms", "kg"),
    ("grams", "g"),
    ("kilometres", "km"),
    ("kilometers", "km"),
    ("metres", "m"),
    ("meters", "m"),
    ("hours", "hours"),
    ("days", "days"),
    ("years", "years"),
    ("millimetres", "mm"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("kg", "kg"),
    ("tonnes", "tonnes"),
    ("per cent", "%"),
    ("percent", "%"),
];

/// What a query calls columns and rows.
#[must_use]
pub fn read(query: &str) -> Called {
    let mut called = Called { rows: nouns::rows(query), joined: joined(query), ..Called::default() };
    for line in query.lines() {
        for (code, words) in bracketed(line).into_iter().chain(defined(line)) {
            keep(&mut called, &code, &words);
        }
    }
    called
}

/// The text of a tables.toml with what a query calls columns and rows behind it.
#[must_use]
pub fn with_words(tables: Option<&str>, query: &str) -> Option<String> {
    let own = tables.map(|text| text.split(MARK).next().unwrap_or_default().trim_end());
    let called = read(query);
    // A person's own words in the file are not gone over.
    let says = own.is_some_and(|text| text.lines().any(|line| line.trim_start().starts_with("[words")));
    if called.is_empty() || says {
        return own.map(str::to_owned);
    }
    Some(format!("{}\n{MARK}\n{}", own.unwrap_or_default(), toml(&called)))
}

/// What the query says of all amounts: "amounts in billions of US dollars".
#[must_use]
pub fn amounts(query: &str) -> Option<String> {
    let lower = query.to_lowercase();
    let starts = ["amounts in ", "amounts are in ", "figures in ", "numbers in ", "all in "];
    let (at, start) = starts.iter().find_map(|it| lower.find(it).map(|at| (at, it)))?;
    let rest = query.get(at + start.len()..)?;
    let unit = rest.split(['.', ',', ';', ')', '\n']).next().unwrap_or_default().trim();
    let is_unit = ["billion", "million", "thousand", "dollar", "euro", "cent", "pound", "yen", "franc"];
    let says = is_unit.iter().any(|it| unit.to_lowercase().contains(it));
    says.then(|| format!("Amounts are in {unit}, as the query says."))
}

fn toml(called: &Called) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default().replace('\u{7f}', "\\u007f");
    let joined: Vec<String> = called.joined.iter().map(|words| quoted(words)).collect();
    let mut text = format!("[words]\njoined = [{}]\n", joined.join(", "));
    for (name, map) in [("columns", &called.columns), ("units", &called.units)] {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "\n[words.{name}]");
        for (code, words) in map {
            let _ = writeln!(text, "{} = {}", quoted(code), quoted(words));
        }
    }
    for rows in &called.rows {
        let _ = writeln!(text, "\n[[words.rows]]\ncalled = {}\nsure = {}", quoted(&rows.called), rows.sure);
        if let Some(count) = rows.count {
            let _ = writeln!(text, "count = {count}");
        }
    }
    text
}

fn keep(called: &mut Called, code: &str, words: &str) {
    let (words, unit) = apart(words);
    let is_other = !words.eq_ignore_ascii_case(code) && words.chars().any(char::is_alphabetic);
    if is_other && !called.columns.contains_key(code) {
        called.columns.insert(code.to_owned(), words);
    }
    if let Some(unit) = unit {
        called.units.entry(code.to_owned()).or_insert(unit);
    }
}

/// "price in cents" is a price, and its unit.
fn apart(words: &str) -> (String, Option<String>) {
    let bare = words.trim().trim_end_matches(['.', ',', ';']);
    let lower = bare.to_lowercase();
    for (name, unit) in UNITS {
        if let Some(head) = lower.strip_suffix(name).and_then(|head| head.strip_suffix("in "))
            && let Some(head) = bare.get(..head.len())
        {
            return (head.trim_end_matches([' ', ',']).to_owned(), Some((*unit).to_owned()));
        }
    }
    // A unit that is not known, "in thousand dollars", is none; but it is no part of the name either.
    let head = lower.find(" in ").and_then(|at| bare.get(..at)).unwrap_or(bare);
    (head.trim_end_matches([' ', ',']).to_owned(), None)
}

/// Whether a word can be what stands above a column.
fn is_code(word: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    word.chars().count() > 1 && word.chars().all(fits) && word.chars().any(char::is_alphabetic)
}

/// "packs sold per head (packpc)", "average price (avgprs, in cents)".
fn bracketed(line: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices('(') {
        let Some(inside) = line[at + 1..].split(')').next() else { continue };
        let (code, rest) = inside.split_once(',').unwrap_or((inside, ""));
        let code = code.trim().trim_matches('`');
        let words = phrase_before(&line[..at]);
        if is_code(code) && !words.is_empty() {
            let rest = rest.trim();
            found.push((code.to_owned(), format!("{words} {rest}").trim_end().to_owned()));
        }
    }
    found
}

/// The name that ends where a text ends.
fn phrase_before(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let reversed: Vec<&str> = text.split_whitespace().rev().take(LONGEST + 1).collect();
    for (at, word) in reversed.iter().enumerate().take(LONGEST) {
        // "average income of the districts"
        let before = reversed.get(at + 1).map_or("", |word| *word).to_lowercase();
        if *word == "the" && INSIDE.contains(&before.as_str()) {
            words.push(word);
            continue;
        }
        let is_apart = word.ends_with([',', ';', ':', '.', '?', '!', ')']);
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '%');
        if bare.is_empty() || is_apart || BEFORE.contains(&bare.to_lowercase().as_str()) {
            break;
        }
        words.push(bare);
    }
    let opens = |word: &&str| {
        let lower = word.to_lowercase();
        INSIDE.contains(&lower.as_str()) || OF_QUESTION.contains(&lower.as_str())
    };
    while words.last().is_some_and(opens) {
        words.pop();
    }
    words.reverse();
    words.join(" ")
}

/// "`packpc` is packs sold per head", "- packpc: packs sold per head".
fn defined(line: &str) -> Option<(String, String)> {
    let bare = line.trim().trim_start_matches(['-', '*', '+', '•', '–']).trim_start();
    let (code, rest) = match bare.split_once('`').and_then(|(_, rest)| rest.split_once('`')) {
        Some((code, rest)) => (code, meaning(rest)?),
        None => {
            let (code, rest) = bare.split_once(':')?;
            let is_plain = code.chars().all(|letter| !letter.is_uppercase());
            (code, is_plain.then(|| rest.trim_start())?)
        }
    };
    let end = rest.find(['.', ';', ',', '?', '!', ':', '(']).filter(|at| rest.len() > *at);
    let sentence = rest.split_inclusive(['.', '!', '?']).next().unwrap_or_default();
    let is_asked = sentence.ends_with('?');
    let unit = end.map(|at| rest[at..].trim_start_matches([',', ' '])).filter(|rest| rest.starts_with("in "));
    let words = rest[..end.unwrap_or(rest.len())].trim();
    let words = words.strip_prefix("the ").unwrap_or(words);
    let count = words.split_whitespace().count();
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    let fits = is_code(code.trim()) && (1..=LONGEST).contains(&count) && !is_asked;
    let unit = unit.map(|unit| format!(" {}", unit.trim_end_matches('.'))).unwrap_or_default();
    (fits && !ASKING.contains(&first.as_str())).then(|| (code.trim().to_owned(), format!("{words}{unit}")))
}

/// What stands behind "is", "means" or "=".
fn meaning(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    ["is ", "are ", "means ", "stands for ", "= ", ": ", "– ", "- "]
        .iter()
        .find_map(|it| rest.strip_prefix(it))
}

/// Words that stand side by side, and may be one word above a column.
fn joined(query: &str) -> Vec<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for line in query.lines() {
        let words: Vec<String> = line
            .split(|letter: char| letter.is_whitespace() || ",;:.?!()".contains(letter))
            .map(str::to_lowercase)
            .collect();
        for pair in words.windows(2) {
            let is_name =
                |word: &String| word.len() > 2 && word.chars().all(char::is_alphabetic) && !is_stop(word);
            if pair.iter().all(is_name) && found.len() < PAIRS {
                found.insert(pair.join(" "));
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests;

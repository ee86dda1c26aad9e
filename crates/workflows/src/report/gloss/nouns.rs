//! What a row is, as far as the query says it: "the 2,000 largest companies", "how many employees", "each row is a flight".

use baton_agents::rules::words::is_stop;
use baton_figures::reading::called::Rows;

/// Words between a number and what is counted.
const REACH: usize = 3;
/// People and other things that are many without an s.
const MANY: &[&str] = &["people", "women", "men", "children", "persons"];
/// Words that end like a noun for many and are none, or are no rows.
const NEVER: &[&str] = &[
    "years",
    "months",
    "weeks",
    "days",
    "hours",
    "quarters",
    "times",
    "charts",
    "sections",
    "rows",
    "records",
    "billions",
    "millions",
    "thousands",
    "cents",
    "dollars",
    "euros",
    "points",
    "different",
    "others",
];
/// Numbers as words.
const ONES: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Nouns for rows, the surest first.
pub fn rows(query: &str) -> Vec<Rows> {
    let words: Vec<String> = query
        .split(|letter: char| !letter.is_alphanumeric() && letter != ',' && letter != '-')
        .map(|word| word.trim_matches([',', '-']).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = told(&words);
    for (at, _) in words.iter().enumerate() {
        if let Some((count, behind)) = number(&words[at..]) {
            let noun = words[at + behind..].iter().take(REACH).find(|word| is_noun(word));
            found.extend(noun.map(|noun| Rows { called: noun.clone(), count: Some(count), sure: false }));
        }
        let asked = matches!(words[..=at].last_chunk::<2>(), Some([how, many]) if how == "how" && many == "many")
            || matches!(words[..=at].last_chunk::<2>(), Some([number, of]) if number == "number" && of == "of");
        let noun = words.get(at + 1).filter(|word| asked && is_noun(word));
        found.extend(noun.map(|noun| Rows { called: noun.clone(), count: None, sure: false }));
    }
    let mut once: Vec<Rows> = Vec::new();
    for rows in found {
        if !once.contains(&rows) {
            once.push(rows);
        }
    }
    once
}

/// "Each row is a company", "one row per company".
fn told(words: &[String]) -> Vec<Rows> {
    let said = |window: &[String]| {
        let noun = match window.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["each" | "every" | "a" | "one", "row" | "line" | "record", "is", "a" | "an" | "one", noun] => {
                *noun
            }
            [_, "one" | "a", "row" | "line" | "record", "per" | "for", noun] if *noun != "each" => *noun,
            _ => return None,
        };
        Some(Rows { called: many(noun), count: None, sure: true })
    };
    let padded: Vec<String> = std::iter::once(String::new()).chain(words.iter().cloned()).collect();
    padded.windows(5).filter_map(said).collect()
}

/// A noun for many of its kind.
fn many(noun: &str) -> String {
    let vowel_before = noun.len() > 1 && noun[..noun.len() - 1].ends_with(['a', 'e', 'o', 'u']);
    match noun {
        "person" => "people".to_owned(),
        _ if noun.ends_with('y') && !vowel_before => format!("{}ies", &noun[..noun.len() - 1]),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}

fn is_noun(word: &str) -> bool {
    let is_many = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") || MANY.contains(&word);
    is_many && word.chars().all(char::is_alphabetic) && !is_stop(word) && !NEVER.contains(&word)
}

/// A number at the beginning, in digits or words, and how many words it takes.
fn number(words: &[String]) -> Option<(u64, usize)> {
    let first = words.first()?;
    if let Ok(digits) = first.replace(',', "").parse::<u64>() {
        return Some((digits, 1));
    }
    let one = ONES.iter().position(|it| it == first)? as u64 + 1;
    let mut count = one;
    let mut taken = 1;
    for (name, times) in [("hundred", 100), ("thousand", 1000)] {
        if words.get(taken).is_some_and(|word| word == name) {
            count *= times;
            taken += 1;
        }
    }
    Some((count, taken))
}

//! A text in the plainest spelling of what it says, before it is read: short forms written out, openings that only ask for
//! attention gone; and a sentence spelled as its quotes spell: "sample rate" as "samplerate", "the player" as "you".

use std::collections::HashSet;

use crate::rules::words::{fold, word_ranges};

/// Short forms, by what stands behind the apostrophe.
const SHORT: &[(&str, &str)] = &[("re", " are"), ("ve", " have"), ("ll", " will"), ("m", " am")];
/// Words behind which "'s" is "is": with all others it tells whose something is.
const WITH_IS: &str = "it that there what here he she who where";
/// Openings that ask for attention, or say that what follows is one case of many.
const OPENINGS: &[&str] = &[
    "please note that ",
    "please note: ",
    "note that ",
    "note also that ",
    "also note that ",
    "note, ",
    "note: ",
    "notice that ",
    "remember that ",
    "keep in mind that ",
    "be aware that ",
    "it should be noted that ",
    "thus, for example, ",
    "for example, ",
    "for instance, ",
];
/// One way of writing for others that say the same.
const WRITTEN: &[(&str, &str)] = &[
    ("et. al.", "et al"),
    ("et al.", "et al"),
    (", for example ", ", such as "),
    (", for instance ", ", such as "),
    (", e.g. ", ", such as "),
    (" -- ", " — "),
    (" --- ", " — "),
    (" and so on", " etc."),
    (" and so forth", " etc."),
    ("In order to ", "To "),
    (" in order to ", " to "),
];
/// Whom a manual speaks to, as somebody else tells it.
const ADDRESSED: &str = "player players user users reader readers person one people";

/// A text with its short forms written out.
pub(super) fn plain(text: &str) -> String {
    let mut said = String::with_capacity(text.len() + 16);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            said.push('\n');
        }
        let mut rest = line;
        while let Some(end) = rest.find(". ") {
            push_opened(&rest[..end + 2], &mut said);
            rest = &rest[end + 2..];
        }
        push_opened(rest, &mut said);
    }
    for (written, instead) in WRITTEN {
        if said.contains(written) {
            said = said.replace(written, instead);
        }
    }
    without_second_no(&long_forms(&bracketed(&said)))
}

/// "commands --which are loaded first--, but" as "commands (which are loaded first), but".
fn bracketed(text: &str) -> String {
    let mut said = text.to_owned();
    while let Some(from) = said.find(" --") {
        let inner = &said[from + 3..];
        let end = inner.find("--").filter(|end| {
            let (aside, behind) = (&inner[..*end], &inner[end + 2..]);
            let words = aside.starts_with(char::is_alphabetic) && aside.ends_with(char::is_alphanumeric);
            // "--long" behind a space is what an option is called.
            words && !behind.starts_with(char::is_alphanumeric)
        });
        let Some(end) = end else { break };
        let close = from + 3 + end;
        said.replace_range(close..close + 2, ")");
        said.replace_range(from..from + 3, " (");
    }
    said
}

/// A sentence without the opening that says nothing of its own.
fn push_opened(sentence: &str, said: &mut String) {
    let start = sentence.len() - sentence.trim_start().len();
    let open = &sentence[start..];
    let opening = OPENINGS
        .iter()
        .find(|opening| open.get(..opening.len()).is_some_and(|first| first.eq_ignore_ascii_case(opening)));
    let rest = opening.and_then(|opening| open.get(opening.len()..));
    match rest.map(str::trim_start).and_then(|rest| Some((rest.chars().next()?, rest))) {
        Some((first, rest)) => {
            said.push_str(&sentence[..start]);
            said.extend(first.to_uppercase());
            said.push_str(&rest[first.len_utf8()..]);
        }
        None => said.push_str(sentence),
    }
}

/// "you're" as "you are", "it's" as "it is".
fn long_forms(text: &str) -> String {
    let mut said = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '’']) {
        let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
        let behind = &rest[at + mark..];
        let length = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
        let before = rest[..at].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let short = SHORT.iter().find(|(short, _)| *short == &behind[..length]).map(|(_, long)| *long);
        let been = behind[length..].starts_with(" been ");
        let short_is = listed(WITH_IS, &fold(before)) || is_done(&behind[length..]);
        let is = &behind[..length] == "s" && short_is;
        let long = if is { Some(if been { " has" } else { " is" }) } else { short };
        match long.filter(|_| !before.is_empty()) {
            Some(long) => {
                said.push_str(&rest[..at]);
                said.push_str(long);
            }
            None => said.push_str(&rest[..at + mark + length]),
        }
        rest = &behind[length..];
    }
    said.push_str(rest);
    said
}

/// "an array's converted between …": what stands behind "'s" is done to it, and is not what it has.
fn is_done(behind: &str) -> bool {
    let mut words = behind.split(' ').skip(1);
    let (done, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    behind.starts_with(' ')
        && done.len() > 4
        && done.ends_with("ed")
        && matches!(next, "by" | "between" | "to" | "into" | "from" | "when" | "if" | "as")
}

/// "no sound and no picture" as "no sound or picture".
fn without_second_no(text: &str) -> String {
    let mut said = text.to_owned();
    while let Some(at) = said.find(" and no ") {
        let before = said[..at].rsplit(' ').take(3).any(|word| word.eq_ignore_ascii_case("no"));
        if !before {
            break;
        }
        said.replace_range(at..at + " and no ".len(), " or ");
    }
    said
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    word_ranges(text).map(|at| fold(&text[at]))
}

/// A sentence spelled as its quotes spell, of which these are the words.
pub(super) fn spelled_as(sentence: &str, theirs: &HashSet<String>) -> String {
    let has = |word: &str| theirs.contains(word);
    let ranges: Vec<_> = word_ranges(sentence).collect();
    let words: Vec<String> = ranges.iter().map(|at| fold(&sentence[at.clone()])).collect();
    let speaks_to = has("you") && !words.iter().any(|word| word == "you");
    let mut said = String::with_capacity(sentence.len());
    let mut end = 0;
    let mut at = 0;
    while at < ranges.len() {
        let range = &ranges[at];
        let next = words.get(at + 1).map(String::as_str).unwrap_or_default();
        let gap = ranges.get(at + 1).map_or("", |next| &sentence[range.end..next.start]);
        let article = matches!(words[at].as_str(), "the" | "a" | "an");
        let (noun, taken) = if article { (next, 2) } else { (words[at].as_str(), 1) };
        // Who does something, not whose something is: a verb stands behind.
        let behind = ranges.get(at + taken - 1).map_or("", |noun| &sentence[noun.end..]);
        let does = behind.strip_prefix(' ').is_some_and(|verb| verb.starts_with(char::is_lowercase));
        let one = format!("{}{next}", words[at]);
        let joined =
            matches!(gap, " " | "-") && words[at].len() > 2 && next.len() > 2 && has(&one) && !has(next);
        if joined {
            said.push_str(&sentence[end..range.end]);
            said.push_str(&sentence[ranges[at + 1].clone()]);
            end = ranges[at + 1].end;
            at += 2;
        } else if speaks_to && does && listed(ADDRESSED, noun) && !has(noun) && (article || noun != "one") {
            said.push_str(&sentence[end..range.start]);
            said.push_str("you");
            end = ranges[at + taken - 1].end;
            at += taken;
        } else {
            at += 1;
        }
    }
    said.push_str(&sentence[end..]);
    said
}

fn listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|other| other == word)
}

//! What a sentence leans on: the one before it, a place of its own document, the day somebody wrote it.

use baton_agents::rules::words::fold;

use super::sentence::{DETERMINERS, bare, is_verb, listed, years};
use crate::retrieval::antecedent;

/// First words that point back at a sentence before.
const POINTS_BACK: &str = "it its they their this these that those he she his her such both here there but and so or however \
therefore then thus also instead otherwise neither another others similarly likewise moreover furthermore nevertheless still \
yet consequently again further second third first finally them same former latter hence except conversely accordingly besides indeed additionally firstly secondly thirdly lastly later afterwards meanwhile nonetheless elsewhere";
/// Words behind "the" that tell something apart from what was said before.
const TOLD_APART: &str = "same other others latter former lower higher difference remaining rest second third new above following \
two three four last next result main reason reasons first resulting corresponding said simplest easiest best first-mentioned preceding \
previous earlier";
/// Words that point back from inside a sentence.
const POINTS_BACK_INSIDE: [&str; 31] = [
    ", both will ",
    ", both are ",
    ", both have ",
    ", however,",
    " the same.",
    " one is ",
    " previously mentioned",
    " aforementioned",
    " in that case",
    " in this case",
    " therefore ",
    " thus ",
    " also ",
    " too.",
    " too,",
    " this ",
    " these ",
    " those ",
    " a further ",
    " at that point",
    " that period",
    " that time",
    " of them ",
    " of the three ",
    " of the two ",
    " ones ",
    " for the rest",
    " care of it.",
    " either.",
    " here;",
    " here.",
];
/// Words before "above" and "below" that make them places of a text: "listed below" is one, "below 70 °C" is none.
const PLACED: &str = "as see used provided included immediately directly detail further";
/// The same of parts of a text and of what is done in one, whatever follows: "the examples above use a key".
const PARTS: &str = "table tables list lists section sections example examples figure diagram text code paragraph procedure instructions command \
commands steps details note notes algorithm query syntax listing chapter described listed shown given discussed explained mentioned defined \
outlined noted documented specified stated summarized summarised detailed introduced presented quoted cited";
/// What goes on behind such a place: "the table below shows".
const GOES_ON: &str = "for is are and or shows show to in can will has have describes explains illustrates lists contains gives summarizes";
/// What follows in time, and not in a text.
const TIMES: &str = "day days week weeks month months year years morning evening night spring summer autumn winter season decade";
/// Days that are told from the day somebody wrote.
const TODAY: [&str; 9] = [
    " yesterday",
    " tomorrow",
    " last week",
    " this week",
    " next week",
    " last month",
    " this month",
    " next month",
    " this morning",
];
const WEEKDAYS: [&str; 7] =
    ["on monday", "on tuesday", "on wednesday", "on thursday", "on friday", "on saturday", "on sunday"];

/// Whether a sentence needs the one before it to be understood.
#[must_use]
pub fn points_back(sentence: &str) -> bool {
    let mut words = sentence
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|it| !it.is_empty());
    let first = words.next().map(fold).unwrap_or_default();
    let second = words.next().map(fold).unwrap_or_default();
    let (_, behind) = sentence.split_once(", ").unwrap_or_default();
    let adverbial = sentence.split_once(", ").is_some_and(|(front, _)| front.split(' ').count() < 3)
        && behind.split(' ').next().is_some_and(|word| listed("it they he she this these", &fold(word)));
    // "While a vast improvement, it is hardly the best": nothing in front that the pronoun could stand for acts.
    let fronted = sentence.split_once(", ").is_some_and(|(front, behind)| {
        let pronoun =
            behind.split(' ').next().is_some_and(|word| listed("it they he she this these", &fold(word)));
        let short = front.split(' ').count() < 9;
        pronoun && short && !front.split(' ').any(|word| is_verb(&fold(bare(word))) || word.ends_with("ed"))
    });
    // "The importer then matches": behind "and" or "if" it belongs to what is said here.
    let spoken: Vec<&str> = sentence.split(' ').take(6).collect();
    let goes_on = (1..spoken.len()).any(|at| {
        spoken[at] == "then"
            && !spoken[at - 1].ends_with(',')
            && !spoken[..at].iter().any(|word| listed("and if when or", &fold(word)))
    });
    // "There are several methods." They follow.
    const SOME: &str = "several many two three four five six few ways methods";
    let some = |word: &str| listed(SOME, &fold(bare(word)));
    let announces = sentence.split(' ').count() < 9
        && (listed("two three four five six several", &first)
            || first == "there" && listed("are is", &second) && sentence.split(' ').any(some));
    let compares =
        fronted || goes_on || announces || adverbial || first == "the" && listed(TOLD_APART, &second);
    let conditional = listed("if when because since while after before", &first)
        && listed("it they this he she these that", &second);
    // A number without its subject counts something the sentence before has named.
    let counts = first.starts_with(|letter: char| letter.is_ascii_digit())
        && years(sentence).first().is_none_or(|year| !first.starts_with(&year.to_string()));
    let ties = [
        "for example",
        "in other words",
        "in addition",
        "in fact",
        "as a result",
        "of course",
        "in this",
        "of these",
        "unfortunately",
        "fortunately",
        "as can be seen",
        "as would be",
        "as we ",
        "as you can see",
        "as mentioned",
        "as noted",
        "as already",
        "to do so",
        "in any case",
        "in such ",
        "for instance",
        "on the other hand",
        "by contrast",
        "in contrast",
        "to do this",
        "the above",
        "an alternative",
        "another ",
        "other ",
        "now you can ",
        "an example ",
        "a negative value",
        "a value of",
        "the default ",
        "the directive ",
        "the option ",
        "the argument ",
        "the variable ",
        "the parameter ",
        "if unspecified",
        "if not specified",
        "if omitted",
        "in certain cases",
        "among them",
        "together with",
        "again,",
    ];
    let tied = ties.iter().any(|tie| sentence.to_lowercase().starts_with(tie));
    let of_them =
        sentence.to_lowercase().split(' ').take(3).collect::<Vec<_>>().join(" ").ends_with("of them");
    let lower = sentence.to_lowercase();
    let inside = POINTS_BACK_INSIDE.iter().any(|sign| lower.contains(sign)) || is_place(&lower, "above");
    // "Together they" and "sometimes it" name nobody either.
    let nameless = !listed("that which", &first) && listed("it they he she", &second);
    listed(POINTS_BACK, &first)
        || nameless
        || lower.starts_with("a further ")
        || compares
        || conditional
        || counts
        || tied
        || of_them
        || inside
        || antecedent::leans(sentence)
}

/// Whether a text says where something stands in itself with this word.
fn is_place(lower: &str, word: &str) -> bool {
    let words: Vec<&str> = lower.split(' ').collect();
    words.iter().enumerate().any(|(at, one)| {
        let ends = one.len() > bare(one).len() || at + 1 == words.len();
        let before = at.checked_sub(1).map_or("", |before| bare(words[before]));
        let next = words.get(at + 1).map_or("", |next| bare(next));
        let opens = at == 0 && listed("is are", next);
        let measured = listed(DETERMINERS, next) || next.starts_with(|it: char| it.is_ascii_digit());
        let behind = (listed(PLACED, before) && (ends || listed(GOES_ON, next)))
            || (listed(PARTS, before) && (ends || !measured));
        bare(one) == word && (opens || behind || before == "the")
    })
}

/// Whether a sentence needs what stands behind it in its document.
pub(super) fn points_ahead(lower: &str) -> bool {
    let later = lower.match_indices("the following").any(|(at, sign)| {
        let next = lower[at + sign.len()..].trim_start().split(' ').next().map(bare).unwrap_or_default();
        !listed(TIMES, next)
    });
    later || is_place(lower, "below")
}

/// Words before "section" that say which, from where somebody reads.
const NEIGHBOURS: &str =
    "previous next upcoming later earlier following preceding last same above other subsequent";
/// Parts of a document that are named by a number or a title.
const NUMBERED: &str =
    "section sections chapter chapters appendix figure table step listing example page rfc footnote";

/// Whether a sentence sends its reader to another place of its document: "explained in the next section", "see Chapter 4".
pub(super) fn points_elsewhere(text: &str) -> bool {
    let words: Vec<String> = text.split(' ').map(|word| fold(bare(word))).collect();
    let pair = |at: usize| {
        let (one, next) = (words[at].as_str(), words.get(at + 1).map_or("", String::as_str));
        let raw = text.split(' ').nth(at + 1).unwrap_or_default();
        let number = raw.starts_with(|it: char| it.is_ascii_digit())
            || raw.starts_with(['“', '"'])
            || (raw.contains('.')
                && raw.trim_end_matches(['.', ',', ')']).contains('.')
                && raw.starts_with(char::is_uppercase));
        let neighbour =
            listed(NEIGHBOURS, one) && listed("section sections chapter chapters paragraph page pages", next);
        neighbour || (listed(NUMBERED, one) && number && one != "rfc")
    };
    let lower = text.to_lowercase();
    let signs = [
        "described here",
        "explained here",
        "discussed here",
        "shown here",
        "listed here",
        "given here",
        " the previous example",
        "in this example",
        "in our example",
        "in the example",
        "this tutorial",
        "this howto",
        "this faq",
        "this tutorial",
        "these instructions",
    ];
    (0..words.len()).any(pair) || signs.iter().any(|sign| lower.contains(sign))
}

/// Whether a sentence tells the day only to somebody who knows when it was written.
pub(super) fn tells_the_day(lower: &str) -> bool {
    let dated = !years(lower).is_empty();
    let weekday = |day: &&str| {
        let behind = lower.split_once(*day).map(|(_, behind)| behind);
        behind.is_some_and(|behind| !behind.starts_with('s'))
    };
    !dated && (TODAY.iter().any(|sign| lower.contains(sign)) || WEEKDAYS.iter().any(weekday))
}

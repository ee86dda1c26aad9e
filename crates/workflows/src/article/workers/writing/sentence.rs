//! Which lines of documents can stand as sentences of an article, which need the one before them, who speaks in them, and
//! whether they look ahead.

use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::{fold, is_stop};

use crate::retrieval::antecedent;

/// A sentence of more words than this is not set beside others.
const LONGEST: usize = 42;
/// A sentence of fewer words says too little.
const SHORTEST: usize = 5;

/// First words that point back at a sentence before.
const POINTS_BACK: &str = "it its they their this these that those he she his her such both here there but and so or however \
therefore then thus also instead otherwise neither another others similarly likewise moreover furthermore nevertheless still \
yet consequently again further second third first finally them same former latter hence except conversely accordingly besides";
/// Words behind "the" that tell something apart from what was said before.
const TOLD_APART: &str = "same other others latter former lower higher difference remaining rest second third new above following \
two three last next result main reason reasons first resulting corresponding said";
/// Words that point back from inside a sentence.
const POINTS_BACK_INSIDE: [&str; 18] = [
    " therefore ",
    " thus ",
    " also ",
    " too.",
    " too,",
    " this ",
    " these ",
    " those ",
    " above",
    " at that point",
    " that period",
    " that time",
    " of them ",
    " of the three ",
    " of the two ",
    " ones ",
    " for the rest",
    " the third way",
];
/// Words that speak of the document and not of its subject, or point at another place in it.
const ABOUT_ITSELF: [&str; 24] = [
    "this document",
    "this section",
    "this page",
    "this chapter",
    "this article",
    "this manual",
    "this appendix",
    "this guide",
    "this book",
    "this report",
    "this note",
    "this letter",
    "see also",
    ", see ",
    "for details",
    "for more details",
    "see the ",
    "see section",
    "below",
    "the following",
    "as follows",
    "for more information",
    "internal, ",
    "click ",
];
/// First words of orders, where an object follows.
const ORDERS: &str = "see use note check please set run read return do make sync consider remember try call add remove open click \
type enter choose select install ensure keep write put look let start stop wait ask give take copy delete create go send turn \
verify contact bring avoid";
/// First words that speak of who speaks, or to whom.
const PERSONAL: &str = "we our us i my me you your ours myself ourselves yourself yours let's";

/// Verbs enough to see that a line is a sentence.
const VERBS: &str = "is are was were has have had does did can could may might must shall should will would cannot costs cost says say said \
takes take took gives give gave makes make made uses use used pays paid became become becomes rose rises fell falls grew grows came \
come comes went goes holds hold held needs need runs ran works stands stood shows showed found finds means began begins ends gets got \
leads led brings brought keeps kept lies lay sets puts reads writes wrote contains returns allows provides requires consists stays depends \
includes reports starts stops stores records delivers supplies serves helps lets causes ensures happens occurs exists lasts remains \
appears seems belongs applies follows moves changes opens closes operates reaches receives sends supports covers meets publishes reviews \
replaces connects draws heats cools transfers checks locks waits blocks prevents protects avoids improves reduces increases saves loses \
lost built bought sold sent left met cut drew drove spent chose rejects accepts creates deletes removes adds acts tells tries turns carries";
/// Verbs that are seldom nouns: behind a plural they say what it does.
const PLAIN_VERBS: &str = "commit contain exist consist depend occur remain become provide require allow include cause prevent avoid improve \
reduce receive deliver supply operate reach follow belong appear apply differ vary pay grow fall rise lie multiply use make take give go \
come hold keep run serve stay help let bring share need meet see carry accept create add write read";
/// What follows a verb that ends in s, and seldom a plural.
const DETERMINERS: &str = "a an the its their his her no all each every any one two three four five six seven eight nine ten only about \
between both most many";
/// Words behind which an `-ed` is more likely a participle than a verb.
const PREPOSITIONS: &str = "by with from for to in on of under at between into as through and or";

pub(super) fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// A fact's statement as a sentence of an article, if it can be one.
#[must_use]
pub fn sentence_of(statement: &str) -> Option<String> {
    let joined = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = without_number(joined.trim_start_matches(['-', '*', '•', '>', '–', ' ']).trim());
    let text = opened(text);
    let text = text.as_str();
    let words: Vec<&str> = text.split(' ').collect();
    let lower = text.to_lowercase();
    let begins = text.chars().next().is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let furniture = ["|", "](", "```", "::", ":;", "://", "=>", "==", "$ ", "*", "{", "}", "<", " / ", "\\"]
        .iter()
        .any(|it| text.contains(it));
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let lettered = letters * 10 >= text.chars().count() * 6;
    let numbered = words.first().is_some_and(|word| word.ends_with(['.', ')']) && word.len() <= 4);
    let sound = begins
        && text.ends_with('.')
        && !text.ends_with("..")
        && !furniture
        && lettered
        && !numbered
        && is_balanced(text)
        && is_finite(until_colon(&outside(&words)))
        && !is_two(text)
        && sentences(text).len() == 1
        && (SHORTEST..=LONGEST).contains(&words.len())
        && !outside(&words).iter().take(4).any(|word| word.ends_with(':'))
        && !begins_twice(&words)
        && !is_order(&words)
        && !ABOUT_ITSELF.iter().any(|sign| lower.contains(sign));
    sound.then(|| text.to_owned())
}

/// A sentence that begins with a name written small, as commands are, with its first letter large. What begins with an
/// ordinary small word is the rest of a sentence.
fn opened(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let named = first.starts_with(char::is_lowercase)
        && first.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
        && !is_stop(first)
        && !listed(ORDERS, first);
    let mut letters = text.chars();
    match letters.next().filter(|_| named) {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text.to_owned(),
    }
}

/// The words that stand outside brackets.
fn outside<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut depth = 0_i32;
    let mut kept = Vec::new();
    for word in words {
        let opens = word.matches('(').count() as i32;
        if depth == 0 && opens == 0 {
            kept.push(*word);
        }
        depth += opens - word.matches(')').count() as i32;
    }
    kept
}

fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
        && text.matches('“').count() == text.matches('”').count()
        && text.matches('"').count().is_multiple_of(2)
}

/// A heading or a term of a glossary and what is said of it run into one another: a second beginning in the middle.
fn begins_twice(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        let open = pair[0].ends_with(|letter: char| letter.is_alphanumeric() || letter == ')');
        let plain =
            ["The", "A", "An", "It", "This", "These", "In", "For", "If", "When", "There", "Each", "Every"];
        let gerund = pair[1].len() > 5
            && pair[1].ends_with("ing")
            && pair[1].starts_with(char::is_uppercase)
            && pair[0].starts_with(char::is_lowercase);
        open && (plain.contains(&pair[1]) || gerund)
    })
}

/// Without the number of a section or a clause in front.
fn without_number(text: &str) -> &str {
    let numbered = |word: &str| {
        word.contains('.') && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    };
    match text.split_once(' ') {
        Some((first, rest)) if numbered(first) => rest.trim_start(),
        _ => text,
    }
}

/// What stands before a colon must say something by itself.
fn until_colon<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    let end = words.iter().position(|word| word.ends_with(':')).map_or(words.len(), |at| at + 1);
    &words[..end]
}

/// Whether another sentence begins small behind a full stop, as names of commands do.
fn is_two(text: &str) -> bool {
    text.split(". ").take(text.matches(". ").count()).any(|part| {
        let last = part.rsplit(' ').next().unwrap_or_default();
        last.len() > 4 && last.chars().all(char::is_alphanumeric)
    })
}

/// Whether it tells somebody what to do.
fn is_order(words: &[&str]) -> bool {
    let first = words.first().map(|word| fold(bare(word))).unwrap_or_default();
    let second = words.get(1).map(|word| fold(bare(word))).unwrap_or_default();
    listed(ORDERS, &first) && !listed("of is are was were has in by at", &second)
}

/// Whether the main clause has a verb that says what its subject does: a line of a list often has none.
fn is_finite(words: &[&str]) -> bool {
    let folded: Vec<String> = words.iter().map(|word| fold(bare(word))).collect();
    let relative = |word: &String| matches!(word.as_str(), "that" | "which" | "who" | "whose" | "where");
    // A condition in front is no main clause, and a clause between commas is none.
    let opens =
        folded.first().is_some_and(|word| listed("if when while because since although unlike", word));
    let mut main: Vec<usize> = Vec::new();
    let mut inside = opens;
    for (at, word) in folded.iter().enumerate() {
        inside |= at > 0 && relative(word);
        if !inside {
            main.push(at);
        }
        inside &= !words[at].ends_with(',');
    }
    main.iter().enumerate().any(|(place, at)| {
        let (at, word) = (*at, &folded[*at]);
        if place == 0 && !opens {
            return false;
        }
        let next = folded.get(at + 1).map_or("", String::as_str);
        let before = folded.get(at.wrapping_sub(1)).map_or("", String::as_str);
        let qualifies = listed(PREPOSITIONS, before) || listed(DETERMINERS, before);
        let past = word.len() > 4
            && word.ends_with("ed")
            && !word.contains('-')
            && !listed(PREPOSITIONS, next)
            && !qualifies;
        let acts = word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && (listed(DETERMINERS, next) || next.starts_with(|letter: char| letter.is_ascii_digit()))
            && !before.is_empty();
        let many = before.len() > 3 && before.ends_with('s') && listed(PLAIN_VERBS, word);
        listed(VERBS, word) || past || acts || many
    })
}

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
    let compares = adverbial || first == "the" && listed(TOLD_APART, &second);
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
    ];
    let tied = ties.iter().any(|tie| sentence.to_lowercase().starts_with(tie));
    let of_them =
        sentence.to_lowercase().split(' ').take(3).collect::<Vec<_>>().join(" ").ends_with("of them");
    let lower = sentence.to_lowercase();
    let inside = POINTS_BACK_INSIDE.iter().any(|sign| lower.contains(sign));
    listed(POINTS_BACK, &first)
        || compares
        || conditional
        || counts
        || tied
        || of_them
        || inside
        || antecedent::leans(sentence)
}

/// Whether a sentence speaks as somebody, or to somebody.
#[must_use]
pub fn is_personal(sentence: &str) -> bool {
    sentence
        .split(|letter: char| !letter.is_alphanumeric() && letter != '’' && letter != '\'')
        .any(|word| listed(PERSONAL, &fold(word)) || word.starts_with("I’") || word.starts_with("I'"))
}

/// The years a sentence names.
#[must_use]
pub fn years(sentence: &str) -> Vec<i32> {
    let numbers = sentence.split(|letter: char| !letter.is_alphanumeric());
    numbers
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1800..2100).contains(year))
        .collect()
}

/// Whether a sentence speaks of what is still to come: it says so, or it names a year that is not yet over. A "will"
/// alone is how manuals say what always happens.
#[must_use]
pub fn looks_ahead(sentence: &str, today: i32) -> bool {
    let lower = format!(" {} ", sentence.to_lowercase());
    let says = [
        " planned ",
        " plans to ",
        " is to ",
        " are to ",
        " expected ",
        " next year",
        " in future ",
        " proposed ",
    ];
    let future = years(sentence).iter().any(|year| *year >= today);
    let open = says.iter().any(|sign| lower.contains(sign)) || lower.contains(" will ");
    open && (future || lower.contains(" next year"))
        || (future && years(sentence).iter().any(|year| *year > today))
}

//! Ways of saying the same that differ in more than a word: each is put into the form the rules know, on both sides.

use super::super::lexicon;
use super::{Kind, Token};

/// What stands in a text, and what is read instead. "/" is between words of which any may stand; BE is any form of "be".
const IDIOMS: &[(&str, &str)] = &[
    ("above all", "especially"),
    ("in other words", ""),
    ("BE forbidden/prohibited/barred to/from", "must not"),
    ("will/shall not be allowed/permitted to", "must not"),
    ("BE not allowed/permitted to", "must not"),
    ("which/this means that", "so"),
    ("which means", "so"),
    ("BE allowed/permitted to", "may"),
    ("will not be able to", "can not"),
    ("will be able to", "can"),
    ("there BE no need to", "needn't"),
    ("each/every single", "each"),
    ("do/does/did not have/need to", "needn't"),
    ("not have to", "needn't"),
    ("not need to", "needn't"),
    ("need not", "needn't"),
    ("BE not required/obliged/necessary to", "needn't"),
    ("BE not mandatory/obligatory/compulsory", "BE optional"),
    ("unless told/specified/stated/set/configured/instructed/asked/requested otherwise", "by default"),
    ("unless otherwise specified/stated/noted/told/set/instructed/configured", "by default"),
    ("may/might/can want/wish to", "may"),
    ("BE reported/rumoured/thought/believed/understood/said to", "reportedly"),
    ("out of", "from"),
    ("in/over the course of", "during"),
    ("in use", "used"),
    ("in order to", "to"),
    ("so as to", "to"),
    ("as well as", "and"),
    ("BE in a position to", "can"),
    ("has/have the ability/capability/option/possibility to", "can"),
    ("has/have the ability/capability/option/possibility of", "can"),
    ("with the help/aid of", "with"),
    ("by means of", "by"),
    ("by way of", "by"),
    ("through/by the use of", "using"),
    ("beginning/starting with/from", "since"),
    ("as of", "since"),
    ("up until", "until"),
    ("previous to", "before"),
    ("subsequent to", "after"),
    ("at the time of", "at"),
    ("at the time when", "when"),
    ("given that", "because"),
    ("given the", "because of the"),
    ("in view/light of", "because of"),
    ("most but not all", "most"),
    ("many but not all", "many"),
    ("some but not all", "some"),
    ("known as", "called"),
    ("more than one", "several"),
    ("the process/act/practice/task/job of", ""),
    ("at first", "initially"),
    ("to begin with", "initially"),
    ("from the outset", "initially"),
    ("at no cost", "free"),
    ("free of charge", "free"),
    ("BE of no use", "BE useless"),
    ("regardless of whether", "whether"),
    ("in the absence of", "without"),
    ("with no", "without"),
    ("without the need of/for/to", "without"),
    ("without having/needing to", "without"),
    ("manage/manages to", ""),
    ("on a daily basis", "daily"),
    ("a great deal of", "much"),
    ("a large number of", "many"),
    ("a wide range of", "various"),
    ("half a million", "500000"),
    ("BE left unchanged/unmodified/untouched", "BE not changed"),
    ("leaves unchanged/unmodified/untouched", "does not change"),
    ("leave unchanged/unmodified/untouched", "not change"),
    ("has/have no effect/influence/impact/bearing on", "does not affect"),
    ("had no effect/influence/impact/bearing on", "did not affect"),
    ("BE limited/restricted/confined to", "only apply to"),
    ("began/started as", "was initially"),
    ("began/started out as", "was initially"),
    ("BE to blame for", "caused"),
    ("in the vicinity of", "near"),
    ("on behalf of", "for"),
    ("for the purpose/purposes of", "for"),
    ("with regard/respect to", "regarding"),
    ("in connection with", "regarding"),
    ("to the effect that", "that"),
    ("the fact that", "that"),
    ("in spite of", "despite"),
    ("BE capable of", "can"),
    ("no sooner than", "not before"),
    ("not until", "not before"),
];

/// Verbs that go with a small word which may stand behind their object.
const PARTED: &str = "turn switch take hold put set shut cut bring give carry pick leave throw hand send call keep tear pull push roll wipe lay \
back slow speed look wind write fill point phase rule sort figure make";
const PARTICLES: &str = "off on up down out away back together aside apart possible available public";

/// Reads idioms as what they stand for.
pub(super) fn idioms(tokens: &mut Vec<Token>) {
    let mut at = 0;
    while at < tokens.len() {
        let found = IDIOMS.iter().find_map(|(idiom, instead)| {
            let words: Vec<&str> = idiom.split(' ').collect();
            let fits = words.len() <= tokens.len() - at
                && words.iter().zip(&tokens[at..]).all(|(word, token)| is_one_of(word, token));
            fits.then_some((words.len(), *instead))
        });
        if let Some((length, instead)) = found.filter(|(length, _)| !is_literal(tokens, at, *length)) {
            let be = tokens[at..at + length].iter().find(|token| lexicon::is_be(&token.word));
            let be = be.map_or("is", |token| token.word.as_str()).to_owned();
            let read: Vec<Token> = instead
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(|word| if word == "BE" { be.as_str() } else { word })
                .map(|word| Token::new(word, Kind::Word))
                .collect();
            let next = at + read.len();
            tokens.splice(at..at + length, read);
            at = next;
        } else {
            at += 1;
        }
    }
    told(tokens);
    impersonal(tokens);
    cleft(tokens);
    parted(tokens);
}

fn is_one_of(pattern: &str, token: &Token) -> bool {
    if !token.is_word() {
        return false;
    }
    match pattern {
        "BE" => lexicon::is_be(&token.word),
        _ => pattern.split('/').any(|word| word == token.word),
    }
}

/// "out of order", "more than one hour": words that only look like an idiom.
fn is_literal(tokens: &[Token], at: usize, length: usize) -> bool {
    let next = tokens.get(at + length).map_or("", |token| token.word.as_str());
    match tokens[at].word.as_str() {
        // "beginning with version 5" tells since when, "beginning with a slash" does not.
        "beginning" | "starting" | "as" if length == 2 && tokens[at + 1].word != "well" => {
            let dated = |token: &Token| {
                matches!(token.kind, Kind::Date(_)) || token.word.contains(|c: char| c.is_ascii_digit())
            };
            !tokens[at + length..].iter().take(3).any(dated) || (at > 0 && !tokens[at - 1].is_mark())
        }
        "out" if at > 0 && matches!(base(&tokens[at - 1]), "take" | "get" | "make" | "carry" | "run") => true,
        "out" => matches!(
            next,
            "service" | "order" | "date" | "memory" | "control" | "use" | "print" | "reach" | "five" | "ten"
        ),
        "more" => crate::rules::measures::unit(next).is_some(),
        "in" if length == 2 => at == 0 || !lexicon::is_be(&tokens[at - 1].word),
        "is" | "are" | "was" | "were" | "be" if length == 3 => {
            tokens.get(at + 3).is_some_and(Token::is_amount)
        }
        "with" if length == 2 => next == "more" || next == "fewer" || next == "less",
        _ => false,
    }
}

/// "It is impossible for the checks to depend on" for "the checks cannot depend on".
fn impersonal(tokens: &mut Vec<Token>) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let Some(at) = (0..tokens.len()).find(|at| word(*at) == "it" && lexicon::is_be(word(at + 1))) else {
        return;
    };
    let denied = word(at + 2) == "not";
    let adjective = at + 2 + usize::from(denied);
    let modal: &[&str] = match (word(adjective), denied) {
        ("impossible", false) => &["can", "not"],
        ("possible", false) => &["can"],
        ("possible", true) => &["can", "not"],
        ("necessary" | "essential" | "mandatory" | "compulsory", false) => &["must"],
        ("necessary" | "essential" | "mandatory" | "compulsory", true) => &["needn't"],
        ("recommended" | "advisable" | "best", false) => &["should"],
        ("recommended" | "advisable", true) => &["should", "not"],
        ("permitted" | "allowed", false) => &["may"],
        ("permitted" | "allowed", true) => &["must", "not"],
        _ => return,
    };
    let mut to = adjective + 1;
    let negated = word(to) == "not" && word(to + 1) == "to";
    if word(to) == "for" {
        let limit = to + 8;
        while to < limit && word(to) != "to" {
            to += 1;
        }
    }
    to += usize::from(negated);
    if word(to) != "to" {
        return;
    }
    let subject: Vec<Token> =
        if word(adjective + 1) == "for" { tokens[adjective + 2..to].to_vec() } else { Vec::new() };
    let mut read = subject;
    if read.is_empty() {
        read.push(Token::new("you", Kind::Word));
    }
    read.extend(modal.iter().map(|word| Token::new(word, Kind::Word)));
    if negated {
        read.push(Token::new("not", Kind::Word));
    }
    tokens.splice(at..=to, read);
}

/// "Note that …", "It is important to be aware, however, that …": the reader is told that something is so.
fn told(tokens: &mut Vec<Token>) {
    // "This means that …"
    if tokens.len() > 4 && matches!(tokens[0].word.as_str(), "this" | "that") && tokens[1].word == "means" {
        let that = usize::from(tokens[2].word == "that");
        tokens.drain(..2 + that);
        return;
    }
    const TELLING: &str = "it is important to be aware however note please noted should remember keep in mind also worth noting of course you must \
notice understand realise realize know but bear that";
    let Some(that) = tokens.iter().take(14).position(|token| token.word == "that").filter(|that| *that > 0)
    else {
        return;
    };
    let telling =
        |token: &Token| token.is_mark() || TELLING.split_whitespace().any(|word| word == token.word);
    let said = [
        "aware",
        "note",
        "noted",
        "remember",
        "mind",
        "noting",
        "notice",
        "understand",
        "realise",
        "realize",
        "know",
    ];
    if tokens[..that].iter().all(telling)
        && tokens[..that].iter().any(|token| said.contains(&token.word.as_str()))
    {
        tokens.drain(..=that);
    }
}

/// "It was on their initiative that the union was divided" for "the union was divided on their initiative".
fn cleft(tokens: &mut Vec<Token>) {
    let begins = tokens.len() > 4 && tokens[0].word == "it" && lexicon::is_be(&tokens[1].word);
    let from = 2 + usize::from(tokens.get(2).is_some_and(|token| token.word == "also"));
    let phrase = tokens.get(from).is_some_and(|token| lexicon::is_preposition(&token.word));
    let that = (from..tokens.len().min(from + 10)).find(|at| tokens[*at].word == "that");
    let Some(that) =
        that.filter(|that| begins && phrase && tokens[from..*that].iter().all(|token| !token.is_mark()))
    else {
        return;
    };
    let end = tokens.len() - usize::from(tokens.last().is_some_and(Token::is_mark));
    let read = [&tokens[that + 1..end], &tokens[from..that], &tokens[end..]].concat();
    *tokens = read;
}

/// "turns the light off" for "turns off the light".
fn parted(tokens: &mut Vec<Token>) {
    let listed = |list: &str, word: &str| list.split_whitespace().any(|other| other == word);
    for at in 0..tokens.len() {
        let token = &tokens[at];
        if !token.is_word() || !listed(PARTED, base(token)) {
            continue;
        }
        let small = (at + 2..tokens.len().min(at + 8)).find(|small| listed(PARTICLES, &tokens[*small].word));
        let Some(small) = small else { continue };
        let object = &tokens[at + 1..small];
        let plain = object.iter().all(|token| {
            token.is_word()
                && !lexicon::is_be(&token.word)
                && !lexicon::is_modal(&token.word)
                && (!lexicon::is_preposition(&token.word) || token.word == "of")
        });
        let closes = tokens.get(small + 1).is_none_or(|next| {
            next.is_mark()
                || lexicon::is_preposition(&next.word)
                || lexicon::is_conjunction(&next.word)
                || next.word == "if"
                || next.word == "when"
        });
        if plain && closes {
            let particle = tokens.remove(small);
            tokens.insert(at + 1, particle);
        }
    }
}

fn base(token: &Token) -> &str {
    let word = token.word.as_str();
    if let Some((base, ..)) = lexicon::irregular(word) {
        return base;
    }
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(root) = word.strip_suffix(ending).filter(|root| root.len() > 2) {
            return root;
        }
    }
    word
}

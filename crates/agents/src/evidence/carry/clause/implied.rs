//! What a sentence of a quote says with other words missing: a pronoun is what it stands for, what is ensured is so, what a
//! relative clause says is said of its noun.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::{Clause, Role, Sentence, is_participle};

/// A thing is not named with more words.
const LONGEST_NAME: usize = 8;
/// What follows from one sentence is not more than this.
const MOST: usize = 6;

/// Sentences that follow from these, each from itself or with the one before it.
pub(in super::super) fn implied(read: &[Sentence]) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (at, sentence) in read.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &read[before]);
        let mut said: Vec<Vec<Token>> = named(sentence, before).into_iter().collect();
        said.extend(before.and_then(|before| named_owner(sentence, before)));
        said.extend(before.and_then(|before| same_time(sentence, before)));
        said.extend(before.and_then(|before| continued(sentence, before)));
        said.extend(ensured(sentence));
        said.extend(asked(sentence));
        said.extend(related(sentence));
        found.extend(said.into_iter().take(MOST).map(Sentence::of));
    }
    found
}

/// The same sentences with names for their pronouns. A condition has a subject of its own, so what depends on one is left alone.
pub(in super::super) fn with_names(read: &[Sentence]) -> Vec<Sentence> {
    let depends = |sentence: &&Sentence| sentence.clauses.iter().any(|clause| clause.role == Role::Condition);
    let free = read.iter().filter(|sentence| !depends(sentence));
    free.filter_map(|sentence| named(sentence, None)).map(Sentence::of).collect()
}

/// "The module is trusted: it can be installed": with what "it" stands for.
fn named(sentence: &Sentence, before: Option<&Sentence>) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let own = subject(sentence);
    let at = tokens.iter().position(|token| pronoun(token).is_some())?;
    let plural = pronoun(&tokens[at])?;
    let (name, from) = match own {
        Some((name, verb)) if at > verb => (name, at),
        _ if at == 0 => (subject(before?)?.0, at),
        _ => return None,
    };
    (is_plural(name) == plural).then(|| [&tokens[..from], name, &tokens[from + 1..]].concat())
}

/// "Its rivals followed" as "the rivals of the company followed": whose they are was said just before.
fn named_owner(sentence: &Sentence, before: &Sentence) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let plural = match tokens.first()?.word.as_str() {
        "its" => false,
        "their" => true,
        _ => return None,
    };
    let name = subject(before)?.0;
    let thing = tokens[1..].iter().take_while(|token| token.is_content() && token.is_word()).count();
    let thing = thing.min(tokens[1..].iter().position(is_verb_token).unwrap_or(thing));
    let of = Token::new("of", Kind::Word);
    (is_plural(name) == plural && thing > 0)
        .then(|| [&tokens[1..=thing], &[of], name, &tokens[thing + 1..]].concat())
}

/// A word that is a verb rather than a thing.
fn is_verb_token(token: &Token) -> bool {
    is_participle(token) || (token.word.ends_with('s') && lexicon::is_only_verb(&token.stem))
}

/// "It rebuilds the cache. This rebuild can take long" as "it rebuilds the cache, which can take long".
fn continued(sentence: &Sentence, before: &Sentence) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let this = tokens.first().filter(|this| matches!(this.word.as_str(), "this" | "these"))?;
    let helps = |token: &Token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word);
    let noun = tokens.get(1)?;
    let spoken_of = noun.is_content() && before.tokens.iter().any(|token| token.stem == noun.stem);
    let verb = if helps(noun) && this.word == "this" { 1 } else { 2 };
    let says = tokens.get(verb).is_some_and(helps) && (verb == 1 || spoken_of);
    let end = before.tokens.iter().rposition(|token| !token.is_mark())? + 1;
    let which = [Token::new(",", Kind::Mark(',')), Token::new("which", Kind::Word)];
    says.then(|| [&before.tokens[..end], &which, &tokens[verb..]].concat())
}

/// "in the same year" with the year of the sentence before.
fn same_time(sentence: &Sentence, before: &Sentence) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let dates: Vec<&Token> =
        before.tokens.iter().filter(|token| matches!(token.kind, Kind::Date(_))).collect();
    let [date] = dates[..] else { return None };
    let same =
        |at: usize| matches!(word(at), "the same" | "same" | "that") || word(at).starts_with("the same");
    let period = (1..tokens.len()).find(|at| {
        let before = (0..*at).rev().find(|before| !tokens[*before].skip);
        matches!(word(*at), "year" | "month" | "day") && before.is_some_and(same)
    })?;
    let fits = word(period) != "year" || matches!(&date.kind, Kind::Date(date) if date.month == 0);
    let from =
        (0..period).rev().take_while(|at| same(*at) || word(*at) == "the" || tokens[*at].skip).last()?;
    fits.then(|| [&tokens[..from], &[(*date).clone()], &tokens[period + 1..]].concat())
}

/// Whether a pronoun stands for several; None if it is none.
fn pronoun(token: &Token) -> Option<bool> {
    match token.word.as_str() {
        _ if !token.is_word() || token.skip => None,
        "it" => Some(false),
        "they" | "them" => Some(true),
        _ => None,
    }
}

/// What a sentence speaks of, and where its verb stands.
fn subject(sentence: &Sentence) -> Option<(&[Token], usize)> {
    let tokens = &sentence.tokens;
    let stated = |clause: &&Clause| clause.subject && matches!(clause.role, Role::Main | Role::Condition);
    let clause = sentence.clauses.iter().find(stated)?;
    let verb = clause.verb?;
    let first = clause.tokens.iter().copied().find(|at| {
        let token = &tokens[*at];
        token.operator.is_none() && !token.is_mark() && !lexicon::is_conjunction(&token.word)
    })?;
    // "Many may fail": the clause can begin behind its verb, where what stands before counts or hedges.
    let from =
        tokens.get(first..verb)?.iter().rposition(Token::is_mark).map_or(first, |mark| first + mark + 1);
    let name = tokens.get(from..verb)?;
    let plain = name.iter().all(|token| {
        token.is_word()
            && token.operator.is_none()
            && !lexicon::is_preposition(&token.word)
            && pronoun(token).is_none()
    });
    let told = name.iter().any(Token::is_content) && name.len() <= LONGEST_NAME;
    (plain && told).then_some((name, verb))
}

fn is_plural(name: &[Token]) -> bool {
    let joined = name.iter().any(|token| token.word == "and");
    let last = name.iter().rev().find(|token| token.is_content());
    joined
        || last.is_some_and(|token| token.word.ends_with('s') && !token.word.ends_with("ss") && !token.name)
}

/// "The scheme ensures that all queries fall back": they do.
fn ensured(sentence: &Sentence) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let that = tokens.iter().position(|token| token.word == "that" && token.is_word())?;
    let verb = &tokens[that.checked_sub(1)?];
    let sure = tokens[..that].iter().all(|token| token.operator.is_none() && !token.is_mark());
    let ensures = matches!(verb.stem.as_str(), "ensur" | "guarante") && verb.word.ends_with('s');
    (sure && ensures).then(|| tokens[that + 1..].to_vec())
}

/// "Make sure that the stacks are large": they should be.
fn asked(sentence: &Sentence) -> Option<Vec<Token>> {
    let tokens = &sentence.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let from = usize::from(matches!(word(0), "please" | "so"));
    let length = match (word(from), word(from + 1)) {
        ("make" | "be", "sure" | "certain") => 2,
        ("ensure", _) => 1,
        _ => return None,
    };
    let begin = from + length + usize::from(word(from + length) == "that");
    let be = (begin..tokens.len()).find(|at| matches!(word(*at), "is" | "are"))?;
    let sure = tokens[begin..be].iter().all(|token| token.operator.is_none() && !token.is_mark());
    let mut should = Token::new("should", Kind::Word);
    should.operator = Some(Operator::Should);
    let verb = [should, Token::new("be", Kind::Word)];
    (sure && be > begin).then(|| [&tokens[begin..be], &verb, &tokens[be + 1..]].concat())
}

/// "the protocol used to get status information", "a file, which must be kept": said of the noun before.
fn related(sentence: &Sentence) -> Vec<Vec<Token>> {
    let tokens = &sentence.tokens;
    let is_verb =
        |at: usize| sentence.clauses.iter().any(|clause| clause.main == Some(at) || clause.verb == Some(at));
    let mut found = Vec::new();
    for at in 2..tokens.len().saturating_sub(1) {
        let which = matches!(tokens[at].word.as_str(), "which" | "that" | "who") && tokens[at].is_word();
        let comma = usize::from(tokens[at - 1].kind == Kind::Mark(','));
        let next = &tokens[at + 1];
        let helped = lexicon::is_be(&next.word)
            || lexicon::is_modal(&next.word)
            || (next.word.ends_with('s') && lexicon::is_verb(&next.word, &next.stem));
        let used = is_participle(&tokens[at])
            && !is_verb(at)
            && matches!(
                tokens[at + 1].word.as_str(),
                "to" | "by" | "in" | "on" | "for" | "as" | "with" | "from"
            );
        let noun = at - comma;
        let Some(name) = noun_before(tokens, noun).filter(|_| (which && helped) || (used && comma == 0))
        else {
            continue;
        };
        let end = (at + 1..tokens.len()).find(|end| tokens[*end].is_mark()).unwrap_or(tokens.len());
        let is = Token::new(if is_plural(name) { "are" } else { "is" }, Kind::Word);
        let says = if which { tokens[at + 1..end].to_vec() } else { [&[is], &tokens[at..end]].concat() };
        found.push([name, &says].concat());
    }
    found
}

/// The noun that ends here, from its article on.
fn noun_before(tokens: &[Token], end: usize) -> Option<&[Token]> {
    let from = end.saturating_sub(LONGEST_NAME);
    let article = (from..end).rev().find(|at| {
        matches!(tokens[*at].word.as_str(), "the" | "a" | "an" | "this" | "these" | "its" | "their")
    })?;
    let name = &tokens[article..end];
    let plain = name.iter().all(|token| {
        !token.is_mark()
            && token.operator.is_none_or(|operator| operator == Operator::Some)
            && !lexicon::is_be(&token.word)
            && !lexicon::is_preposition(&token.word)
            && !lexicon::is_conjunction(&token.word)
    });
    (plain && name.last().is_some_and(Token::is_content)).then_some(name)
}

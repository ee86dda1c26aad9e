//! The statement with a clause of it at another place: "A if B" as "if B, A", with the name where it is said first.

use super::super::clause::is_participle;
use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::versions::is_helper;

/// More clauses than this are not moved about.
const MOST_CLAUSES: usize = 4;
/// A name is not longer.
const LONGEST_NAME: usize = 8;

/// The sentence with its clauses in other places.
pub(super) fn moved(own: &[Token]) -> Vec<Vec<Token>> {
    let end = own.len() - usize::from(own.last().is_some_and(|last| last.kind == Kind::Mark('.')));
    let own = &own[..end];
    let parts = parts(own);
    if parts.len() < 2 || parts.len() > MOST_CLAUSES {
        return Vec::new();
    }
    let mut versions = Vec::new();
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.first().is_some_and(depends)) {
        for place in (0..parts.len()).filter(|place| *place != at) {
            let mut rest = parts.clone();
            rest.remove(at);
            rest.insert(place, part);
            versions.push(joined(&rest));
            // "It rounds them when the program …": the name stands where it is said first.
            if let Some(swapped) = with_name_first(&rest, place.min(at)) {
                versions.push(swapped);
            }
        }
    }
    versions
}

/// Does a clause begin here that depends on another?
fn depends(token: &Token) -> bool {
    matches!(token.operator, Some(Operator::If | Operator::Unless | Operator::Because | Operator::EvenIf))
        || (token.is_word()
            && !token.skip
            && matches!(
                token.word.as_str(),
                "as" | "while" | "since" | "although" | "though" | "because" | "once"
            ))
}

/// The statement cut before its commas and before each clause that depends on another.
fn parts(own: &[Token]) -> Vec<&[Token]> {
    let mut starts = vec![0];
    for at in 1..own.len() {
        let behind_mark = matches!(own[at - 1].kind, Kind::Mark(',' | ';' | '—'));
        let opens = depends(&own[at]) && (own[at].word != "as" || behind_mark);
        let closes = behind_mark && own[..at].iter().any(depends) && !is_part_of_list(own, at);
        if (opens || closes) && starts.last() != Some(&at) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([own.len()]);
    starts.iter().zip(ends).map(|(start, end)| &own[*start..end]).collect()
}

/// "and …" behind a comma goes on with what stands before.
fn is_part_of_list(own: &[Token], at: usize) -> bool {
    lexicon::is_conjunction(&own[at].word) && own[at].is_word()
}

fn joined(parts: &[&[Token]]) -> Vec<Token> {
    let mut said: Vec<Token> = Vec::new();
    for part in parts {
        let bare = part.iter().rposition(|token| !token.is_mark()).map_or(0, |last| last + 1);
        if !said.is_empty() {
            said.push(Token::new(",", Kind::Mark(',')));
        }
        said.extend(part[..bare].iter().cloned());
    }
    said
}

/// "When it starts, the server reads the file" as "when the server starts, it reads the file": of two clauses in a row the
/// first has the pronoun and the second the name.
fn with_name_first(parts: &[&[Token]], at: usize) -> Option<Vec<Token>> {
    let (first, second) = (parts.get(at)?, parts.get(at + 1)?);
    let pronoun = subject_start(first);
    let plural = match first.get(pronoun)?.word.as_str() {
        "it" => false,
        "they" => true,
        _ => return None,
    };
    let from = subject_start(second);
    let name = name_at(&second[from..])?;
    if is_plural(name) != plural {
        return None;
    }
    let said = [&first[..pronoun], name, &first[pronoun + 1..]].concat();
    let other = [&second[..from], &first[pronoun..=pronoun], &second[from + name.len()..]].concat();
    let mut all: Vec<&[Token]> = parts.to_vec();
    (all[at], all[at + 1]) = (&said, &other);
    Some(joined(&all))
}

/// Where the subject of a clause begins.
fn subject_start(part: &[Token]) -> usize {
    usize::from(part.first().is_some_and(depends))
}

/// The words before the verb.
fn name_at(part: &[Token]) -> Option<&[Token]> {
    let verb = part.iter().position(|token| {
        lexicon::is_be(&token.word)
            || lexicon::is_modal(&token.word)
            || matches!(token.word.as_str(), "has" | "have" | "had" | "do" | "does" | "did")
            || (token.is_content() && lexicon::is_verb(&token.word, &token.stem) && !token.name)
    })?;
    let name = &part[..verb];
    let plain = name.iter().all(|token| {
        token.is_word()
            && token.operator.is_none()
            && !lexicon::is_preposition(&token.word)
            && !matches!(token.word.as_str(), "it" | "they" | "you" | "we")
    });
    (plain && name.len() <= LONGEST_NAME && name.iter().any(Token::is_content)).then_some(name)
}

fn is_plural(name: &[Token]) -> bool {
    name.iter().any(|token| token.word == "and")
        || name
            .last()
            .is_some_and(|last| last.word.ends_with('s') && !last.word.ends_with("ss") && !last.name)
}

/// What "which" behind a comma is read as where somebody says "and the lock" instead: no small word that may go.
const THIS_ONE: &str = "which~";

/// "keeps a lock, and the lock may block others" as "keeps a lock, which may block others".
pub(super) fn related(own: &[Token]) -> Option<Vec<Token>> {
    let joint = (2..own.len()).find(|at| {
        let token = &own[*at];
        token.kind == Kind::Mark(';') || (token.word == "and" && token.is_word() && own[at - 1].is_mark())
    })?;
    let pointing =
        own.get(joint + 1).is_some_and(|token| matches!(token.word.as_str(), "the" | "this" | "that"));
    let helped = own.get(joint + 3).is_some_and(is_helper);
    let noun = own.get(joint + 2).filter(|noun| pointing && helped && noun.is_content())?;
    let object = object_of(&own[..joint])?;
    (object.stem == noun.stem).then(|| {
        let which = [Token::new(THIS_ONE, Kind::Word)];
        [&own[..joint - usize::from(own[joint - 1].is_mark())], &which, &own[joint + 3..]].concat()
    })
}

/// The same of a quote, so that both have it.
pub(super) fn relating(quote: &[Token]) -> Option<Vec<Token>> {
    let which =
        (1..quote.len()).find(|at| quote[*at].word == "which" && quote[at - 1].kind == Kind::Mark(','))?;
    let mut said = quote.to_vec();
    said[which] = Token::new(THIS_ONE, Kind::Word);
    said.remove(which - 1);
    Some(said)
}

/// The noun behind the verb.
fn object_of(own: &[Token]) -> Option<&Token> {
    let verb = own.iter().position(|token| {
        is_helper(token) || is_verb_form(token) || (token.is_content() && token.word.ends_with("ed"))
    })?;
    let from = (verb..own.len()).find(|at| lexicon::is_determiner(&own[*at].word))?;
    own[from + 1..].iter().take_while(|token| token.is_content()).last()
}

/// "Running it deletes the files" as "if you run it, it deletes the files".
pub(super) fn conditional(own: &[Token]) -> Option<Vec<Token>> {
    let first = own.first().filter(|first| first.is_content() && first.word.ends_with("ing"))?;
    let mut condition = Token::new("if", Kind::Word);
    condition.operator = Some(Operator::If);
    lexicon::is_verb(&first.word, &first.stem).then(|| [&[condition], own].concat())
}

/// "A message can be removed by clicking on it" as "to remove a message, click on it" and "click on it to remove a message".
pub(super) fn instructed(own: &[Token]) -> Vec<Vec<Token>> {
    let end = own.len() - usize::from(own.last().is_some_and(Token::is_mark));
    let word = |at: usize| own[..end].get(at).map_or("", |token| token.word.as_str());
    let Some(can) = (1..end).find(|at| word(*at) == "can" && word(at + 1) == "be") else { return Vec::new() };
    let adverbs = own[can + 2..end].iter().take_while(|token| lexicon::is_adverb(&token.word)).count();
    let done = can + 2 + adverbs;
    let by = (done + 1..end).find(|at| {
        (word(*at) == "by" && word(at + 1).ends_with("ing")) || (word(*at) == "with" && word(at + 1) == "the")
    });
    let Some(by) = by.filter(|by| is_participle(&own[done]) && by + 2 < end) else { return Vec::new() };
    let mut verb = own[done].clone();
    verb.word.clone_from(&verb.stem);
    let from = own[..can].iter().rposition(Token::is_mark).map_or(0, |mark| mark + 1);
    let to = [Token::new("to", Kind::Word)];
    let purpose = [&to, &own[can + 2..done], &[verb], &own[from..can], &own[done + 1..by]].concat();
    let using = [Token::new("use", Kind::Word)];
    let means =
        if word(by) == "with" { [&using, &own[by + 1..end]].concat() } else { own[by + 1..end].to_vec() };
    let front = &own[..from];
    vec![[front, &purpose, &means].concat(), [front, &means, &purpose].concat()]
}

/// Words with which the order of what is listed says something.
const ORDERED: &str = "respectively then first second before after between from former latter";

/// "A or B" as "B or A".
pub(super) fn swapped(own: &[Token]) -> Vec<Vec<Token>> {
    let ordered = |token: &Token| ORDERED.split(' ').any(|word| word == token.word);
    if own.iter().any(ordered) {
        return Vec::new();
    }
    let joints =
        (1..own.len()).filter(|at| own[*at].is_word() && matches!(own[*at].word.as_str(), "and" | "or"));
    let swap = |at: usize| {
        let from = (0..at).rev().take_while(|before| is_listed(&own[*before])).last()?;
        let end = (at + 1..own.len()).find(|end| ends_list(&own[*end])).unwrap_or(own.len());
        let (one, other) = (&own[from..at], &own[at + 1..end]);
        let told = one.iter().any(Token::is_content) && other.first().is_some_and(is_listed);
        told.then(|| [&own[..from], other, &own[at..=at], one, &own[end..]].concat())
    };
    joints.filter_map(swap).chain(swapped_conditions(own)).collect()
}

/// "if you want A but not B" as "if you want not B but A": two conditions of one, with all that each denies.
fn swapped_conditions(own: &[Token]) -> Option<Vec<Token>> {
    let open = own.iter().position(|token| token.operator == Some(Operator::If) && token.word != "only")?;
    let subject = own.get(open + 1)?;
    let end = (open..own.len()).find(|at| own[*at].is_mark()).unwrap_or(own.len());
    let joint =
        (open + 3..end).find(|at| own[*at].is_word() && matches!(own[*at].word.as_str(), "and" | "but"))?;
    let (one, other) = (&own[open + 2..joint], &own[joint + 1..end]);
    let verb = |tokens: &[Token]| {
        tokens
            .iter()
            .take(3)
            .any(|token| is_helper(token) || is_do(token) || token.operator == Some(Operator::Planned))
    };
    let told = matches!(subject.word.as_str(), "you" | "it" | "they" | "we") && verb(one) && verb(other);
    told.then(|| [&own[..open + 2], other, &own[joint..=joint], one, &own[end..]].concat())
}

fn is_do(token: &Token) -> bool {
    matches!(token.word.as_str(), "do" | "does" | "did")
}

/// A word of a thing that is listed.
fn is_listed(token: &Token) -> bool {
    token.is_word()
        && token.operator.is_none()
        && (token.is_content() && !is_verb_form(token)
            || lexicon::is_determiner(&token.word)
            || matches!(token.word.as_str(), "of" | "s"))
}

fn ends_list(token: &Token) -> bool {
    token.is_mark()
        || lexicon::is_be(&token.word)
        || lexicon::is_modal(&token.word)
        || lexicon::is_conjunction(&token.word)
        || is_verb_form(token)
}

fn is_verb_form(token: &Token) -> bool {
    token.is_content() && token.word.ends_with('s') && lexicon::is_only_verb(&token.stem)
}

//! Where a sentence joins two statements: they may come from two quotes, or from two places of one. Each has a subject and a
//! verb of its own, or shares the subject of the first, or is a sentence of a quote as it stands.

use super::clause::{Clause, Role, Sentence};
use super::lexicon::Operator;
use super::simple;
use super::token::{Kind, Token};

/// More places to cut at than a sentence has that people write.
const MOST: usize = 6;

/// A sentence cut in two.
pub(super) struct Halves {
    pub(super) first: Sentence,
    pub(super) second: Sentence,
    /// Is each a statement as far as grammar tells? If not, it must be a whole sentence of a quote.
    pub(super) stated: [bool; 2],
}

/// The two statements a sentence joins, cut at each joint that can be one, the surer ones first.
pub(super) fn halves(sentence: &Sentence) -> Vec<Halves> {
    let tokens = &sentence.tokens;
    let mut joints: Vec<usize> = (1..tokens.len()).filter(|at| is_joint(tokens, *at)).collect();
    joints.sort_by_key(|at| {
        !tokens[*at].is_mark()
            && !tokens[at - 1].is_mark()
            && matches!(tokens[*at].word.as_str(), "and" | "or")
    });
    let beside = simple::conceded(sentence).and_then(|[first, second]| halved(&first, &second));
    let mut halves: Vec<Halves> = beside.into_iter().filter(|halves| halves.stated == [true, true]).collect();
    halves.extend(joints.into_iter().filter_map(|at| cut(tokens, at)).take(MOST));
    halves.extend(related(tokens).into_iter().filter(|halves| halves.stated == [true, true]));
    halves
}

/// "The pump, which runs at night, needs oil", "the pump, a large one, needs oil" and "it has a pump, which runs at night" as two
/// statements.
fn related(tokens: &[Token]) -> Vec<Halves> {
    let commas: Vec<usize> = (1..tokens.len()).filter(|at| tokens[*at].kind == Kind::Mark(',')).collect();
    let is = [Token::new("is", Kind::Word)];
    let mut found = Vec::new();
    for (index, comma) in commas.iter().copied().enumerate().take(MOST) {
        let Some(first) = tokens.get(comma + 1) else { continue };
        let which = matches!(first.word.as_str(), "which" | "who") && first.is_word();
        let class = matches!(first.word.as_str(), "a" | "an" | "the") && first.is_word();
        let next = commas.get(index + 1).copied();
        let names = |name: &[Token]| {
            name.iter().any(Token::is_content)
                && name.iter().all(|token| token.operator.is_none() && !token.is_mark() && !points(token))
        };
        let subject = &tokens[..comma];
        if let Some(next) = next.filter(|_| (which || class) && index == 0 && names(subject)) {
            let aside = &tokens[comma + 1 + usize::from(which)..next];
            let said = if which { [subject, aside].concat() } else { [subject, &is, aside].concat() };
            found.extend(halved(&said, &[subject, &tokens[next + 1..]].concat()));
        }
        // "…, a link being a name": a statement without a verb of its own.
        let being = tokens[comma + 1..].iter().position(|token| token.is_mark() || token.word == "being");
        let being = being
            .map(|at| comma + 1 + at)
            .filter(|at| class && next.is_none() && tokens[*at].word == "being");
        if let Some(being) = being {
            found.extend(halved(subject, &[&tokens[comma + 1..being], &is, &tokens[being + 1..]].concat()));
        }
        // What stands behind the last comma is said of the thing before it.
        if which && next.is_none() {
            let noun = (0..comma).rev().find(|at| {
                matches!(tokens[*at].word.as_str(), "the" | "a" | "an" | "its" | "their")
                    && tokens[*at].is_word()
            });
            let name = noun
                .map(|noun| &tokens[noun..comma])
                .filter(|name| names(name) && name.len() <= LONGEST_NAME);
            found.extend(name.and_then(|name| halved(subject, &[name, &tokens[comma + 2..]].concat())));
        }
    }
    found
}

/// A thing is not named with more words.
const LONGEST_NAME: usize = 8;

fn points(token: &Token) -> bool {
    matches!(token.word.as_str(), "it" | "they" | "that" | "he" | "she")
}

fn cut(tokens: &[Token], at: usize) -> Option<Halves> {
    let comma = usize::from(tokens[at - 1].is_mark());
    halved(&tokens[..at - comma], &tokens[at + 1..])
}

fn halved(first: &[Token], second: &[Token]) -> Option<Halves> {
    let said = |tokens: &[Token]| tokens.iter().filter(|token| token.is_content()).count() > 1;
    if !said(first) || !said(second) {
        return None;
    }
    let first = Sentence::of(first.to_vec());
    let alone = Sentence::of(second.to_vec());
    let second = if is_statement(&alone) { alone } else { with_subject(&first, second).unwrap_or(alone) };
    if points_back(&second) {
        return None;
    }
    let stated = [is_statement(&first), is_statement(&second)];
    Some(Halves { first, second, stated })
}

/// "… and attempts to generate an ID": with the subject of the first statement.
fn with_subject(first: &Sentence, second: &[Token]) -> Option<Sentence> {
    let clause = first.clauses.iter().find(|clause| clause.role == Role::Main && clause.subject)?;
    let verb = clause.verb?;
    let from =
        first.tokens[..verb].iter().rposition(|token| token.kind == Kind::Mark(',')).map_or(0, |at| at + 1);
    let subject = &first.tokens[from..verb];
    let joined = Sentence::of([subject, second].concat());
    let begins = joined.clauses.iter().any(|clause| {
        clause.role == Role::Main
            && clause.verb.is_some_and(|verb| verb >= subject.len() && verb <= subject.len() + 1)
    });
    (begins && subject.iter().any(Token::is_content)).then_some(joined)
}

fn is_joint(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    token.kind == Kind::Mark(';')
        || (token.is_word()
            && matches!(token.word.as_str(), "and" | "but" | "while" | "whereas" | "although" | "though"))
}

/// Has it a main clause with subject and verb?
fn is_statement(sentence: &Sentence) -> bool {
    let stated = |clause: &Clause| clause.role == Role::Main && clause.subject && clause.verb.is_some();
    sentence.clauses.iter().any(stated)
}

/// "…, and it is red", "…, and therefore red": what it points to is not known by itself.
fn points_back(sentence: &Sentence) -> bool {
    let first = sentence.tokens.iter().find(|token| !token.is_mark());
    first.is_none_or(|token| {
        (token.operator == Some(Operator::Because)
            && !matches!(token.word.as_str(), "because" | "due" | "owing"))
            || matches!(
                token.word.as_str(),
                "it" | "they"
                    | "this"
                    | "these"
                    | "that"
                    | "those"
                    | "he"
                    | "she"
                    | "its"
                    | "their"
                    | "which"
                    | "who"
                    | "not"
                    | "then"
            )
    })
}

//! Entries of lists of terms: what stands under or behind an option, said of the option.

use super::super::lexicon;
use super::super::token::{Kind, Token};
use super::{Role, Sentence};

/// A term with what it takes, in tokens.
const LONGEST_TERM: usize = 8;

/// What a term stands over, said of the term: "-D" above "When this option is specified, …" or "Selects the file …".
pub(in super::super) fn below_term(read: &[Sentence]) -> Vec<Sentence> {
    let (program, read) = match read {
        [title, rest @ ..] if !program(&title.tokens).is_empty() => (program(&title.tokens), rest),
        _ => (&[][..], read),
    };
    if !program.is_empty() {
        let named = read.iter().filter_map(|sentence| said_of_program(program, &sentence.tokens));
        let named: Vec<Sentence> = named.map(Sentence::of).collect();
        if !named.is_empty() {
            return named;
        }
    }
    let Some((first, rest)) = read.split_first() else { return Vec::new() };
    if let Some((term, body)) = entry(&first.tokens) {
        return said_of_term(term, program, body).into_iter().map(Sentence::of).collect();
    }
    let named: Vec<Token> =
        first.tokens.iter().take_while(|token| !token.is_mark()).take(1).cloned().collect();
    let stated = first.clauses.iter().any(|clause| clause.role != Role::Fragment);
    if stated || named.is_empty() || first.tokens.len() > LONGEST_TERM {
        return Vec::new();
    }
    rest.iter()
        .flat_map(|sentence| said_of_term(&named, program, &sentence.tokens))
        .map(Sentence::of)
        .collect()
}

/// "-a allexport Export all variables": an option and what is said of it on one line.
fn entry(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let option = tokens.first().filter(|token| token.name && token.shown.starts_with('-'))?;
    let begins = |token: &Token| {
        token.is_word()
            && token.shown.starts_with(char::is_uppercase)
            && lexicon::is_verb(&token.word, &token.stem)
    };
    let body = tokens.iter().take(LONGEST_TERM).position(begins)?;
    Some((std::slice::from_ref(option), &tokens[body..]))
}

/// The ways in which people say what an entry says.
fn said_of_term(named: &[Token], program: &[Token], body: &[Token]) -> Vec<Vec<Token>> {
    let this = (0..body.len()).find(|at| {
        matches!(body[*at].word.as_str(), "this" | "the") && body.get(at + 1).is_some_and(is_class)
    });
    if let Some(this) = this {
        return vec![[&body[..this], named, &body[this + 1..]].concat()];
    }
    let Some(first) = body.first() else { return Vec::new() };
    let with = [&[word("with")], named, &[Token::new(",", Kind::Mark(','))]].concat();
    // "Causes the command to print …": with the option the command prints.
    if first.stem == "caus"
        && let Some(to) = body.iter().position(|token| token.word == "to").filter(|to| to + 1 < body.len())
    {
        let does = [&body[1..to], &[third_person(&body[to + 1])], &body[to + 2..]].concat();
        return vec![[with, does].concat(), [named, body].concat()];
    }
    let denied = first.word == "do" && body.get(1).is_some_and(|token| token.word == "not");
    let verb = lexicon::is_verb(&first.word, &first.stem) && first.operator.is_none();
    let does: Vec<Token> = if denied {
        [&[word("does")], &body[1..]].concat()
    } else if verb && first.word.ends_with('s') && !first.word.ends_with("ss") {
        body.to_vec()
    } else if verb && !first.word.ends_with("ed") && !first.word.ends_with("ing") {
        [&[third_person(first)], &body[1..]].concat()
    } else {
        return Vec::new();
    };
    let of_program = [&with, program, &does].concat();
    vec![[named, &does].concat(), [&with[..], &does].concat(), of_program]
}

/// "file" of "file(1)": the title of a manual is the name of the program it is about.
fn program(title: &[Token]) -> &[Token] {
    match title {
        [name @ .., open, section, close]
            if open.kind == Kind::Mark('(')
                && section.is_amount()
                && close.kind == Kind::Mark(')')
                && name.iter().all(Token::is_word) =>
        {
            name
        }
        _ => &[],
    }
}

/// "This command manages …", said of the program.
fn said_of_program(program: &[Token], body: &[Token]) -> Option<Vec<Token>> {
    let this = matches!(body.first()?.word.as_str(), "this" | "the");
    let called =
        matches!(body.get(1)?.stem.as_str(), "command" | "program" | "util" | "tool" | "daemon" | "applic");
    (this && called).then(|| [program, &body[2..]].concat())
}

fn word(word: &str) -> Token {
    Token::new(word, Kind::Word)
}

/// "exports" for "export".
fn third_person(verb: &Token) -> Token {
    let ending = match verb.word.as_str() {
        word if word.ends_with(['s', 'x', 'z']) || word.ends_with("ch") || word.ends_with("sh") => "es",
        _ => "s",
    };
    let mut says = verb.clone();
    says.word.push_str(ending);
    says
}

/// What a term may be called.
fn is_class(token: &Token) -> bool {
    const CLASSES: &str = "option flag switch command variabl set directiv paramet function keyword field";
    CLASSES.split(' ').any(|class| class == token.stem)
}

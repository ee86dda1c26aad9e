//! Clauses: a sentence cut where another statement begins, each with its verb, its subject and what it is to the others.

mod entries;
mod implied;
mod reading;
mod segments;
mod verbs;

pub(super) use self::entries::below_term;
pub(super) use self::implied::{implied, with_names};
pub(super) use self::reading::{read, read_quote};
use self::segments::{Segment, opener_of, segments};
use self::verbs::{doubtful_main, finite_verbs, promote};
use super::lexicon::{self, Operator};
use super::token::{Kind, Token};

/// What a clause is to its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Stated on its own.
    Main,
    /// Stated only as somebody's words.
    Reported,
    /// What the rest depends on.
    Condition,
    /// Why the rest is so.
    Cause,
    /// What came before or after the rest.
    Time,
    /// Asked or left open: stated by nobody.
    Open,
    /// Says which one: "that", "who" without a comma.
    Restrictive,
    /// Says more of a thing already named, or what something is for.
    Detail,
    /// No verb: a heading, a cell, a label, something in brackets.
    Fragment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Present,
    Other,
}

#[derive(Debug, Clone)]
pub(super) struct Clause {
    /// Places of its tokens in the sentence, in order.
    pub(super) tokens: Vec<usize>,
    pub(super) role: Role,
    /// The finite verb, as a place in the sentence.
    pub(super) verb: Option<usize>,
    /// The verb that says what happens; the finite one where it has no other.
    pub(super) main: Option<usize>,
    pub(super) tense: Tense,
    pub(super) passive: bool,
    /// Has it a subject of its own?
    pub(super) subject: bool,
}

/// One sentence of a text, or one line that is none.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) tokens: Vec<Token>,
    pub(super) clauses: Vec<Clause>,
}

impl Sentence {
    pub(super) fn of(tokens: Vec<Token>) -> Self {
        let verbs = finite_verbs(&tokens);
        let mut clauses = clauses(&tokens, &verbs);
        // A question states nothing.
        if tokens
            .iter()
            .rev()
            .find(|token| token.kind != Kind::Mark('"'))
            .is_some_and(|token| token.kind == Kind::Mark('?'))
        {
            for clause in &mut clauses {
                clause.role = Role::Open;
            }
        }
        Self { tokens, clauses }
    }
}

fn clauses(tokens: &[Token], verbs: &[u8]) -> Vec<Clause> {
    let mut parts: Vec<(Role, Vec<usize>, bool)> = Vec::new();
    let mut stub: Vec<usize> = Vec::new();
    let mut joined: Vec<usize> = Vec::new();
    let mut verbs = verbs.to_vec();
    let segments = segments(tokens);
    for segment in &segments {
        promote(tokens, &mut verbs, segment);
    }
    doubtful_main(tokens, &mut verbs, &segments);
    let verbs = &verbs[..];
    for mut segment in segments {
        let best = segment.tokens.iter().map(|at| verbs[*at]).max().unwrap_or(0);
        let has_verb = best >= 2;
        let mut role = role_of(&segment, tokens, has_verb);
        // "The result before depreciation was high": a preposition, not the beginning of a clause.
        let preposition = matches!(segment.opener.as_str(), "before" | "after" | "since" | "until" | "as");
        let finite = segment.tokens.iter().filter(|at| verbs[**at] >= 2).count();
        let inside = matches!(role, Role::Restrictive | Role::Detail) && finite > 1;
        if (preposition || inside) && !segment.comma && has_verb && stub.is_empty() {
            // The subject was taken for the end of the clause before.
            if let Some((_, own, _)) = parts.last_mut()
                && joined.last().is_some_and(|last| Some(*last) == segment.after)
            {
                own.retain(|at| !joined.contains(at));
                stub = std::mem::take(&mut joined);
            }
        }
        if preposition && !segment.comma && stub.last().is_some_and(|last| Some(*last) == segment.after) {
            role = Role::Main;
            segment.opener.clear();
        }
        if segment.bracket && segment.opener == "(" {
            let role = if has_verb { Role::Detail } else { Role::Fragment };
            parts.push((role, segment.tokens, false));
            continue;
        }
        if !has_verb {
            // No statement of its own: it goes on with what came before.
            let opens =
                matches!(segment.opener.as_str(), "although" | "though" | "while" | "whereas" | "but" | ";");
            match parts
                .iter_mut()
                .rev()
                .filter(|_| !opens)
                .find(|(role, ..)| *role != Role::Fragment || !segment.bracket)
            {
                Some((_, tokens, true)) if stub.last() < tokens.last() => {
                    joined = if segment.opener == "and" || segment.opener == "but" {
                        segment.tokens.clone()
                    } else {
                        vec![]
                    };
                    tokens.extend(segment.tokens);
                }
                _ => stub.extend(segment.tokens),
            }
            continue;
        }
        match role {
            Role::Restrictive | Role::Detail
                if !stub.is_empty() || !subject_before_verb(tokens, verbs, &segment.tokens) =>
            {
                // A relative clause inside a subject: its second verb belongs to the clause around it.
                let (own, rest) = split_at_second_verb(tokens, verbs, &segment.tokens, !stub.is_empty());
                parts.push((role, own, true));
                if !rest.is_empty() {
                    let mut main = std::mem::take(&mut stub);
                    main.extend(rest);
                    parts.push((Role::Main, main, true));
                }
            }
            Role::Main => {
                let mut own = Vec::new();
                let bare = !subject_before_verb(tokens, verbs, &segment.tokens);
                if !stub.is_empty()
                    && (bare || matches!(segment.opener.as_str(), "," | ")" | "and" | "or" | ""))
                {
                    own = std::mem::take(&mut stub);
                }
                own.extend(segment.tokens);
                parts.push((Role::Main, own, true));
            }
            Role::Condition | Role::Cause | Role::Time if segment.after.is_none() => {
                match main_behind(tokens, verbs, &segment.tokens) {
                    Some(place) => {
                        parts.push((role, segment.tokens[..place].to_vec(), true));
                        parts.push((Role::Main, segment.tokens[place..].to_vec(), true));
                    }
                    None => parts.push((role, segment.tokens, true)),
                }
            }
            _ => parts.push((role, segment.tokens, true)),
        }
    }
    if !stub.is_empty() {
        match parts.iter_mut().find(|(role, ..)| *role == Role::Main) {
            Some((_, tokens, _)) => {
                tokens.extend(std::mem::take(&mut stub));
                tokens.sort_unstable();
            }
            None => parts.push((Role::Fragment, stub, false)),
        }
    }
    parts.retain(|(_, own, _)| !own.is_empty());
    parts.sort_by_key(|(_, own, _)| own.first().copied());
    // "If it is not defined but another one is, the client uses that": the condition goes on.
    let joins = |own: &[usize]| {
        own.first().is_some_and(|at| matches!(tokens[*at].word.as_str(), "and" | "but" | "or"))
    };
    let comma =
        |own: &[usize]| own.first().is_some_and(|at| *at > 0 && tokens[at - 1].kind == Kind::Mark(','));
    if let [(Role::Condition, ..), (role @ Role::Main, own, _), (Role::Main, next, _), ..] = &mut parts[..]
        && joins(own)
        && comma(next)
    {
        *role = Role::Condition;
    }
    parts.into_iter().map(|(role, own, _)| clause(tokens, verbs, role, own)).collect()
}

/// "When there are five members the committee may appoint more": where the main clause begins without a comma.
fn main_behind(tokens: &[Token], verbs: &[u8], stretch: &[usize]) -> Option<usize> {
    let mut finite = stretch.iter().enumerate().filter(|(_, at)| verbs[**at] >= 2).map(|(place, _)| place);
    let (first, second) = (finite.next()?, finite.next()?);
    (first + 2..second).rev().find(|place| {
        let word = tokens[stretch[*place]].word.as_str();
        lexicon::is_determiner(word) || matches!(word, "it" | "they" | "you" | "we")
    })
}

/// Does something stand before the verb of this stretch that can be its subject?
fn subject_before_verb(tokens: &[Token], verbs: &[u8], stretch: &[usize]) -> bool {
    let verb = stretch.iter().position(|at| verbs[*at] >= 2).unwrap_or(stretch.len());
    stretch[..verb].iter().any(|at| {
        let token = &tokens[*at];
        (token.is_content() && !token.word.ends_with("ly"))
            || matches!(
                token.word.as_str(),
                "it" | "they"
                    | "he"
                    | "she"
                    | "we"
                    | "you"
                    | "i"
                    | "this"
                    | "these"
                    | "those"
                    | "there"
                    | "one"
                    | "both"
                    | "nobody"
                    | "none"
                    | "all"
                    | "some"
                    | "many"
                    | "most"
                    | "another"
                    | "everyone"
                    | "nothing"
            )
    })
}

fn split_at_second_verb(
    tokens: &[Token],
    verbs: &[u8],
    stretch: &[usize],
    inside: bool,
) -> (Vec<usize>, Vec<usize>) {
    let mut finite = stretch.iter().enumerate().filter(|(_, at)| verbs[**at] >= 2).map(|(place, _)| place);
    let first = finite.next();
    match (first, finite.next()) {
        (Some(first), Some(second)) if inside && second > first + 1 && !tokens[stretch[second]].skip => {
            (stretch[..second].to_vec(), stretch[second..].to_vec())
        }
        _ => (stretch.to_vec(), Vec::new()),
    }
}

fn role_of(segment: &Segment, tokens: &[Token], has_verb: bool) -> Role {
    let before = segment.after.map(|at| &tokens[at]);
    match segment.opener.as_str() {
        _ if !has_verb => Role::Fragment,
        "if" | "unless" | "whenever" | "provided" | "once" | "until" => Role::Condition,
        "when" if segment.tokens.first().is_some_and(|at| tokens[*at].operator == Some(Operator::If)) => {
            Role::Condition
        }
        "where" if segment.after.is_none() => Role::Condition,
        "where" if !segment.comma => Role::Restrictive,
        "when" | "where" => Role::Detail,
        "because" | "since" | "as" if segment.opener != "as" || segment.comma || segment.after.is_none() => {
            Role::Cause
        }
        "before" | "after" => Role::Time,
        "whether" => Role::Open,
        "as" => Role::Time,
        "which" | "who" | "whom" | "whose" if segment.comma => Role::Detail,
        "which" | "who" | "whom" | "whose" => Role::Restrictive,
        "that" if before.is_some_and(|token| token.word == "so") => Role::Detail,
        "that" if before.is_some_and(is_reporting) => Role::Reported,
        // What was found is stated, unless it was not found.
        "that"
            if before.is_some_and(is_finding)
                && !segment
                    .after
                    .is_some_and(|at| tokens[..at].iter().any(|token| token.operator.is_some())) =>
        {
            Role::Main
        }
        "that" => Role::Restrictive,
        _ => Role::Main,
    }
}

/// Verbs after which "that" brings a fact.
fn is_finding(token: &Token) -> bool {
    matches!(
        token.stem.as_str(),
        "find"
            | "show"
            | "reveal"
            | "discov"
            | "confirm"
            | "note"
            | "learn"
            | "conclud"
            | "mean"
            | "demonstr"
    )
}

/// Verbs after which "that" brings somebody's words, not a fact.
fn is_reporting(token: &Token) -> bool {
    token.operator == Some(Operator::Believed)
        || token.operator == Some(Operator::Planned)
        || matches!(
            token.stem.as_str(),
            "ask"
                | "hope"
                | "fear"
                | "warn"
                | "report"
                | "announc"
                | "state"
                | "tell"
                | "demand"
                | "declar"
                | "claim"
                | "rule"
                | "decid"
                | "stress"
                | "insist"
                | "admit"
                | "promis"
                | "add"
        )
}

fn clause(tokens: &[Token], verbs: &[u8], role: Role, own: Vec<usize>) -> Clause {
    let strongest = own.iter().map(|at| verbs[*at]).max().unwrap_or(0);
    let verb = own.iter().copied().find(|at| verbs[*at] >= 2).or_else(|| {
        own.iter().copied().find(|at| strongest == 1 && verbs[*at] == 1 && role != Role::Fragment)
    });
    let mut main = verb;
    let (mut passive, mut tense) = (false, Tense::Other);
    if let Some(finite) = verb {
        let first = &tokens[finite].word;
        tense = match first.as_str() {
            word if lexicon::is_past_auxiliary(word) => Tense::Past,
            "has" | "have" if next_is_participle(tokens, &own, finite) => Tense::Other,
            word if lexicon::is_present_auxiliary(word) => Tense::Present,
            word if lexicon::is_modal(word) => Tense::Other,
            word if word.ends_with("ed") => Tense::Past,
            word if lexicon::irregular(word).is_some_and(|(_, past, _)| past) => Tense::Past,
            word if word.ends_with('s') => Tense::Present,
            _ => Tense::Other,
        };
        let mut auxiliary = first.clone();
        for at in own.iter().copied().filter(|at| *at > finite) {
            let token = &tokens[at];
            let word = token.word.split(' ').next().unwrap_or_default();
            if token.is_mark() || !helps(&auxiliary) {
                break;
            }
            if token.operator.is_some()
                || token.skip
                || word.ends_with("ly")
                || matches!(
                    word,
                    "also" | "been" | "be" | "have" | "being" | "then" | "still" | "both" | "each"
                )
            {
                if lexicon::is_be(word) || word == "have" {
                    auxiliary = word.to_owned();
                } else if token.skip && word == "to" {
                    // "is allowed to read" is no passive.
                    auxiliary = "may".to_owned();
                }
                continue;
            }
            let participle = is_participle(token);
            let base = lexicon::is_verb(word, token.stem.split(' ').next().unwrap_or_default())
                && !word.ends_with("ing");
            if lexicon::is_be(&auxiliary) && participle {
                (main, passive) = (Some(at), true);
            } else if (auxiliary.starts_with("ha") && participle)
                || (base && !lexicon::is_be(&auxiliary))
                || (lexicon::is_be(&auxiliary) && word.ends_with("ing"))
            {
                main = Some(at);
            }
            break;
        }
    }
    let subject = subject_before_verb(tokens, verbs, &own);
    Clause { tokens: own, role, verb, main, tense, passive, subject }
}

fn helps(word: &str) -> bool {
    lexicon::is_be(word)
        || lexicon::is_modal(word)
        || matches!(word, "has" | "have" | "had" | "do" | "does" | "did")
}

pub(super) fn is_participle(token: &Token) -> bool {
    let word = token.word.split(' ').next().unwrap_or_default();
    token.is_word()
        && (word.ends_with("ed")
            || lexicon::irregular(word).is_some_and(|(_, _, participle)| participle)
            || matches!(
                word,
                "cut"
                    | "put"
                    | "set"
                    | "shut"
                    | "read"
                    | "run"
                    | "split"
                    | "become"
                    | "come"
                    | "spread"
                    | "hurt"
                    | "cast"
                    | "hit"
                    | "let"
                    | "cost"
                    | "broadcast"
                    | "shed"
                    | "beat"
                    | "burst"
            ))
}

fn next_is_participle(tokens: &[Token], own: &[usize], finite: usize) -> bool {
    own.iter()
        .copied()
        .filter(|at| *at > finite)
        .map(|at| &tokens[at])
        .find(|token| token.operator.is_none() && !token.skip && !token.word.ends_with("ly"))
        .is_some_and(|token| is_participle(token) || token.word == "been")
}

//! Clauses: a sentence cut where another statement begins, each with its verb, its subject and what it is to the others.

use super::lexicon::{self, Operator};
use super::token::{Kind, Token};
use super::verbs::{finite_verbs, is_participle};

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

/// A stretch between two places where a clause may begin.
struct Segment {
    opener: String,
    comma: bool,
    bracket: bool,
    tokens: Vec<usize>,
    /// The word before it.
    after: Option<usize>,
}

pub(super) fn opener_of(tokens: &[Token], index: usize) -> Option<&'static str> {
    const OPENERS: &[&str] = &[
        "and",
        "or",
        "but",
        "nor",
        "while",
        "whereas",
        "although",
        "though",
        "because",
        "if",
        "unless",
        "when",
        "whenever",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "that",
        "until",
        "once",
        "since",
        "before",
        "after",
        "so",
        "as",
        "provided",
        "therefore",
        "thus",
        "then",
        "whether",
    ];
    let token = &tokens[index];
    if !token.is_word() || token.rate || (token.skip && token.word != "that") {
        return None;
    }
    // "only if", "as long as", "in case": more than one word for the same.
    let longer = tokens.get(index + 1).is_some_and(|next| next.skip);
    match token.operator.filter(|_| longer) {
        Some(Operator::If) if token.word == "even" => return Some("although"),
        Some(Operator::If) => return Some("if"),
        Some(Operator::Unless) => return Some("unless"),
        _ => {}
    }
    OPENERS.iter().find(|word| **word == token.word).copied()
}

fn segments(tokens: &[Token]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut open =
        Segment { opener: String::new(), comma: false, bracket: false, tokens: vec![], after: None };
    let mut brackets = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let after = index.checked_sub(1);
        let empty = open.tokens.is_empty();
        let comma = empty && matches!(open.opener.as_str(), "," | ";" | "—" | ":" | "(");
        let weak = empty && matches!(open.opener.as_str(), "and" | "but" | "or");
        if weak && let Some(word) = opener_of(tokens, index) {
            open.opener = word.to_owned();
            open.tokens.push(index);
            continue;
        }
        let mut begin = |opener: &str, comma: bool, bracket: bool| {
            let next = Segment { opener: opener.to_owned(), comma, bracket, tokens: vec![], after };
            let done = std::mem::replace(&mut open, next);
            if !done.tokens.is_empty() || !done.opener.is_empty() {
                segments.push(done);
            }
        };
        match token.kind {
            Kind::Mark('(') => {
                brackets += 1;
                begin("(", true, true);
            }
            Kind::Mark(')') => {
                brackets = brackets.saturating_sub(1);
                begin(")", true, brackets > 0);
            }
            Kind::Mark(mark @ (',' | ';' | ':' | '—' | '|')) => {
                begin(&mark.to_string(), true, brackets > 0);
            }
            Kind::Mark(_) => {}
            _ => {
                if let Some(word) = opener_of(tokens, index) {
                    begin(word, comma, brackets > 0);
                }
                open.tokens.push(index);
            }
        }
    }
    segments.push(open);
    segments
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

/// A stretch with a subject and an object but no sure verb: what can be one between them is it.
fn promote(tokens: &[Token], verbs: &mut [u8], segment: &Segment) {
    let opens = matches!(
        segment.opener.as_str(),
        "" | "and" | "but" | ";" | "while" | "whereas" | "although" | "," | "—"
    );
    let phrase = segment.tokens.first().is_some_and(|first| lexicon::is_preposition(&tokens[*first].word));
    if !opens || phrase || segment.bracket || segment.tokens.iter().any(|at| verbs[*at] >= 2) {
        return;
    }
    let content: Vec<usize> = segment.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
    let between = |at: &usize| {
        content.first() < Some(at) && Some(at) < content.last() && verbs[*at] == 1 && !tokens[*at].name
    };
    let form = |at: &usize| {
        let word = &tokens[*at].word;
        (word.ends_with('s') && !word.ends_with("ss")) || word.ends_with("ed")
    };
    let found = segment.tokens.iter().copied().rfind(|at| between(at) && form(at));
    // A participle before its noun is none: "4,310 connected buildings".
    let adjective =
        |at: usize| at > 0 && (tokens[at - 1].is_amount() || lexicon::is_preposition(&tokens[at - 1].word));
    if let Some(found) = found.filter(|at| !adjective(*at)) {
        verbs[found] = 2;
    }
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
        "when" if !segment.comma => Role::Condition,
        "where" if segment.after.is_none() => Role::Condition,
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
        "that" => Role::Restrictive,
        _ => Role::Main,
    }
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

fn next_is_participle(tokens: &[Token], own: &[usize], finite: usize) -> bool {
    own.iter()
        .copied()
        .filter(|at| *at > finite)
        .map(|at| &tokens[at])
        .find(|token| token.operator.is_none() && !token.skip && !token.word.ends_with("ly"))
        .is_some_and(|token| is_participle(token) || token.word == "been")
}

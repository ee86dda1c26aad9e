//! Sentences that fold several statements into one, unfolded: "built in 1958, the dam holds …", "was introduced in 2.3 and
//! fixed in 2.5", "books for four weeks; films for one". Each part is then held against its own words only.

use super::clause::{Role, Sentence, Tense, is_participle};
use super::lexicon::{self, Operator};
use super::number::Number;
use super::token::{Kind, Token};

/// A sentence as the statements it folds together. The sentence itself stands beside them, unless it says two things of
/// one subject and could mix them up.
pub(super) fn unfold(sentence: Sentence) -> (Option<Sentence>, Vec<Sentence>) {
    let all = |parts: [Vec<Token>; 2]| {
        let read = parts.into_iter().map(Sentence::of).map(unfold);
        read.flat_map(|(whole, parts)| if parts.is_empty() { whole.into_iter().collect() } else { parts })
            .collect()
    };
    if let Some(parts) = joined_participles(&sentence) {
        return (None, all(parts));
    }
    let parts = conceded(&sentence)
        .or_else(|| opening_participle(&sentence))
        .or_else(|| participle_aside(&sentence))
        .or_else(|| measured(&sentence))
        .or_else(|| trailing(&sentence));
    let parts = parts.map(all).unwrap_or_default();
    (Some(sentence), parts)
}

/// "While the one is old, the other is new": two statements.
pub(super) fn conceded(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let opens = matches!(tokens.first()?.word.as_str(), "while" | "although" | "though" | "whereas");
    let comma = tokens.iter().position(|token| token.kind == Kind::Mark(','))?;
    let both = has_verb(sentence, 1, comma) && has_verb(sentence, comma + 1, tokens.len());
    // "While it is running, …" tells when.
    let when = tokens[..comma].iter().any(|token| token.word.ends_with("ing"));
    (opens && both && !when).then(|| [tokens[1..comma].to_vec(), tokens[comma + 1..].to_vec()])
}

/// "Built in 1958, the dam holds …".
fn opening_participle(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let comma = tokens.iter().position(|token| token.kind == Kind::Mark(','))?;
    let verb = sentence.clauses.iter().find(|clause| clause.role == Role::Main)?.verb?;
    let subject = tokens.get(comma + 1..verb)?;
    let first = tokens.first()?;
    let does = first.word.ends_with("ing") && first.word.len() > 5 && first.is_content();
    let says = is_participle(first)
        || does
        || matches!(
            first.word.as_str(),
            "missing" | "home" | "available" | "worth" | "unable" | "open" | "popular"
        );
    let opens = says && comma > 1 && is_plain(tokens.get(1)?);
    if !opens || !subject.iter().any(Token::is_content) || has_verb(sentence, 0, comma) {
        return None;
    }
    Some([said_of(subject, &tokens[..comma]), tokens[comma + 1..].to_vec()])
}

/// "The theatre, built in 1902, has 480 seats".
fn participle_aside(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let mut commas =
        tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Mark(',')).map(|(at, _)| at);
    let (first, second) = (commas.next()?, commas.next()?);
    let subject = &tokens[..first];
    let aside = &tokens[first + 1..second];
    let opens = aside.first().is_some_and(is_participle) && aside.get(1).is_some_and(is_plain);
    let fronted = tokens.first().is_some_and(|token| lexicon::is_preposition(&token.word));
    if !opens || fronted || !subject.iter().any(Token::is_content) || has_verb(sentence, 0, second) {
        return None;
    }
    Some([said_of(subject, aside), subject.iter().chain(&tokens[second + 1..]).cloned().collect()])
}

/// "was introduced in 2.3 and fixed in 2.5".
fn joined_participles(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let clause = sentence.clauses.iter().find(|clause| clause.role == Role::Main && clause.passive)?;
    let (verb, main) = (clause.verb?, clause.main?);
    let and = (main + 1..tokens.len()).find(|at| {
        let joins = matches!(tokens[*at].word.as_str(), "and" | "but") && tokens[*at].is_word();
        let denied = tokens.get(at + 1).is_some_and(|next| {
            next.operator == Some(Operator::Not) && matches!(next.word.as_str(), "not" | "never")
        });
        let said = at + 1 + usize::from(denied);
        let next = tokens.get(said).is_some_and(|next| is_participle(next) && !next.name);
        // "and connected buildings": what stands before a noun is no second predicate.
        joins
            && next
            && clause.tokens.contains(&said)
            && tokens.get(said + 1).is_none_or(|behind| is_plain(behind) || behind.is_mark())
    })?;
    let first = tokens[..and].to_vec();
    let second =
        tokens[..verb].iter().chain(&tokens[verb..main]).chain(&tokens[and + 1..]).cloned().collect();
    Some([first, second])
}

/// "The 112-metre tower has 640 steps".
fn measured(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let verb = sentence.clauses.first()?.verb?;
    let measure = tokens.get(1).filter(|token| token.is_amount() && token.shown.contains('-'))?;
    let article = tokens.first().filter(|token| lexicon::is_determiner(&token.word))?;
    let noun = tokens.get(2..verb).filter(|noun| noun.iter().any(Token::is_content))?;
    let named: Vec<Token> = std::iter::once(article).chain(noun).cloned().collect();
    let is = [Token::new("is", Kind::Word), measure.clone()];
    let first = named.iter().cloned().chain(is).collect();
    Some([first, named.into_iter().chain(tokens[verb..].iter().cloned()).collect()])
}

/// "The river burst its banks, flooding the centre".
fn trailing(sentence: &Sentence) -> Option<[Vec<Token>; 2]> {
    let tokens = &sentence.tokens;
    let clause = sentence.clauses.first().filter(|clause| clause.role == Role::Main)?;
    let verb = clause.verb?;
    let comma = tokens.iter().rposition(|token| token.kind == Kind::Mark(','))?;
    let first = tokens
        .get(comma + 1)
        .filter(|token| token.word.ends_with("ing") && token.word.len() > 5 && token.is_content())?;
    let object = tokens
        .get(comma + 2)
        .is_some_and(|token| is_plain(token) && !matches!(token.word.as_str(), "to" | "from"));
    if comma < verb || !object || first.name || has_verb(sentence, comma, tokens.len()) {
        return None;
    }
    let subject: Vec<Token> = tokens[..verb].to_vec();
    let helper = Token::new(if clause.tense == Tense::Present { "is" } else { "was" }, Kind::Word);
    let second = subject.into_iter().chain([helper]).chain(tokens[comma + 1..].iter().cloned()).collect();
    Some([tokens[..comma].to_vec(), second])
}

/// What a quote leaves unsaid behind ";" or "and" because it was said before: what stands before it, and the rest made whole.
pub(super) fn gapped(sentence: &Sentence) -> Option<[Sentence; 2]> {
    let clause = sentence.clauses.iter().find(|clause| clause.role == Role::Main)?;
    let (verb, main) = (clause.verb?, clause.main?);
    let tokens = &sentence.tokens;
    let behind = |at: usize| lexicon::is_preposition(&tokens[at].word) && !tokens[at].skip;
    let preposition = (main + 1..tokens.len()).find(|at| behind(*at))?;
    let joint = (preposition + 1..tokens.len()).find(|at| {
        tokens[*at].kind == Kind::Mark(';') || (tokens[*at].is_word() && tokens[*at].word == "and")
    })?;
    let from = joint + 1 + usize::from(tokens.get(joint + 1).is_some_and(|token| token.word == "and"));
    let again = (from + 1..tokens.len()).find(|at| tokens[*at].word == tokens[preposition].word)?;
    let named = &tokens[from..again];
    let plain = named.iter().all(|token| token.is_word() && !is_participle(token))
        && named.iter().any(Token::is_content);
    let rest = &tokens[again..];
    if !plain
        || rest.iter().any(|token| matches!(token.kind, Kind::Mark(',' | ';' | ':')))
        || has_verb(sentence, joint, tokens.len())
    {
        return None;
    }
    // "lends books for four weeks; films for one": what is named takes the place of the object, else of the subject.
    let object = tokens[main + 1..preposition].iter().any(Token::is_content);
    let mut said: Vec<Token> = if object {
        tokens[..=main].iter().chain(named).chain(rest).cloned().collect()
    } else {
        named.iter().chain(&tokens[verb..=main]).chain(rest).cloned().collect()
    };
    let unit = tokens[preposition..joint].iter().find_map(|token| match &token.kind {
        Kind::Number(number) if !number.dimension.is_empty() => Some(number.clone()),
        _ => None,
    });
    if let Some(unit) = unit {
        share_unit(&mut said, &unit, tokens[preposition..joint].iter().find(|token| token.is_amount()));
    }
    Some([Sentence::of(tokens[..joint].to_vec()), Sentence::of(said)])
}

/// "four weeks …; one": a bare number takes the unit of the one before.
fn share_unit(said: &mut [Token], unit: &Number, shown: Option<&Token>) {
    let Some(count) = shown.and_then(|token| first_number(&token.shown)) else { return };
    let Some(last) = said.iter_mut().rev().find(|token| !token.is_mark()) else { return };
    let value = match &last.kind {
        Kind::Number(number) if number.dimension.is_empty() => number.value,
        Kind::Word if last.word == "one" => 1.0,
        _ => return,
    };
    let amount = Number { value: value * unit.value / count, dimension: unit.dimension, bound: unit.bound };
    *last = Token::new(&last.shown.clone(), Kind::Number(amount));
}

fn first_number(shown: &str) -> Option<f64> {
    let word = shown.split(' ').next()?;
    super::number::digits(word)
        .map(|(value, _)| value)
        .or_else(|| super::number::spelled(&word.to_lowercase()))
        .filter(|value| *value > 0.0)
}

/// A subject and what a participle says of it. "has been" leaves open whether it still holds.
fn said_of(subject: &[Token], participle: &[Token]) -> Vec<Token> {
    let helpers = ["has", "been"].map(|word| Token::new(word, Kind::Word));
    subject.iter().cloned().chain(helpers).chain(participle.iter().cloned()).collect()
}

fn has_verb(sentence: &Sentence, from: usize, to: usize) -> bool {
    sentence.clauses.iter().filter_map(|clause| clause.verb).any(|verb| (from..to).contains(&verb))
}

/// A word that cannot be the noun a participle stands before.
fn is_plain(token: &Token) -> bool {
    token.is_amount()
        || lexicon::is_preposition(&token.word)
        || lexicon::is_determiner(&token.word)
        || token.operator.is_some()
        || token.skip
}

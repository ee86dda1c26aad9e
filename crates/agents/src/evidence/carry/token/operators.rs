//! The words that change what is claimed, told from the same words where they do not.

use super::super::lexicon::{self, Operator};
use super::{Kind, Token};

/// Phrases that say nothing of the world, and two words that are one preposition.
pub(super) fn asides(tokens: &mut [Token]) {
    let helps = |token: &Token| {
        lexicon::is_be(&token.word)
            || lexicon::is_modal(&token.word)
            || matches!(token.word.as_str(), "do" | "does" | "did" | "has" | "have" | "had")
    };
    for index in 1..tokens.len().saturating_sub(1) {
        // "the address provided does not exist": it is the one spoken of.
        let spoken_of = matches!(
            tokens[index].word.as_str(),
            "provided" | "given" | "specified" | "supplied" | "concerned" | "involved" | "used"
        );
        let noun = tokens[index - 1].is_word()
            && !lexicon::is_function(&tokens[index - 1].word)
            && !helps(&tokens[index - 1]);
        let next = &tokens[index + 1];
        let says = next.word.ends_with('s') && lexicon::is_only_verb(&next.stem);
        if spoken_of && noun && (helps(next) || says) {
            tokens[index].skip = true;
        }
    }
    for index in 0..tokens.len().saturating_sub(1) {
        let (first, second) = (tokens[index].word.as_str(), tokens[index + 1].word.as_str());
        let aside = matches!(
            (first, second),
            ("for", "example")
                | ("for", "instance")
                | ("of", "course")
                | ("in", "particular")
                | ("in", "addition")
                | ("in", "advance")
                | ("in", "fact")
                | ("that", "is")
                | ("ahead", "of")
        );
        let is_that = first == "that" && !(index > 0 && tokens[index - 1].kind == Kind::Mark(','));
        if aside && !is_that {
            tokens[index].skip = true;
            tokens[index + 1].skip = true;
        } else if (first, second) == ("prior", "to") {
            tokens[index] = Token::new("before", Kind::Word);
            tokens[index + 1].skip = true;
        }
    }
}

pub(super) fn operators(tokens: &mut [Token]) {
    asides(tokens);
    let mut index = 0;
    while index < tokens.len() {
        let token = &tokens[index];
        if token.skip || token.rate || !token.is_word() {
            index += 1;
            continue;
        }
        let words: Vec<&str> = tokens[index..]
            .iter()
            .take(5)
            .take_while(|token| token.is_word() && !token.skip)
            .map(|token| token.word.as_str())
            .collect();
        let Some((operator, length)) = lexicon::operator(&words) else {
            index += 1;
            continue;
        };
        if is_no_operator(tokens, index, operator, length) {
            index += 1;
            continue;
        }
        tokens[index].operator = Some(operator);
        for token in &mut tokens[index + 1..index + length] {
            token.skip = true;
        }
        index += length;
    }
    // "no version ever used it": under a denial the word adds nothing.
    let denied = tokens.iter().position(|token| token.operator == Some(Operator::Not));
    for token in
        denied.map_or(&mut [][..], |at| &mut tokens[at..]).iter_mut().filter(|token| token.word == "ever")
    {
        token.skip = true;
    }
}

/// Words that look like an operator and are none where they stand.
pub(super) fn is_no_operator(tokens: &[Token], index: usize, operator: Operator, length: usize) -> bool {
    let token = &tokens[index];
    let before = index.checked_sub(1).map(|at| &tokens[at]);
    let word_before = before.map_or("", |token| token.word.as_str());
    let behind = tokens.get(index + length);
    let word_behind = behind.map_or("", |token| token.word.as_str());
    let comma = before.is_some_and(|token| token.kind == Kind::Mark(','));
    match token.word.as_str() {
        "may" => token.name && token.shown == "May",
        // "a potion of might"
        "might" => word_before == "of",
        "will" | "can" => lexicon::is_determiner(word_before),
        "no" => token.shown == "No" && behind.is_some_and(Token::is_amount),
        "most" => word_before == "the" && word_behind != "of",
        // "in 1999, when the war ended": more of a time already told. Otherwise it is a condition with a comma before it.
        "when" => comma && index > 1 && tells_time(&tokens[..index - 1]),
        "where" => comma || (length == 1 && index > 0),
        "once" => !matches!(word_behind, "the" | "it" | "they" | "a" | "an" | "you" | "this" | "all"),
        "provided" => length == 1 && !matches!(word_behind, "the" | "it" | "they" | "you" | "a" | "an"),
        "little" => word_before == "a",
        "not" => matches!(word_behind, "only" | "just" | "merely"),
        "only" | "just" => matches!(word_before, "not" | "read"),
        "considered" | "consider" => operator == Operator::Believed && word_behind == "using",
        "due" => operator == Operator::Because && word_before == "are" && word_behind == "in",
        "say" => comma,
        // "…, so nobody came": the other uses of the word are no cause.
        "so" => {
            length == 1
                && (!(comma || word_before == "and")
                    || matches!(word_behind, "that" | "far" | "much" | "many"))
        }
        // Nouns as often as verbs.
        "claims" | "claim" | "claimed" | "estimates" | "estimate" | "promises" | "promise" | "doubts"
        | "doubt" | "aims" | "hopes" => {
            length == 1
                && !matches!(
                    word_behind,
                    "that" | "to" | "it" | "the" | "a" | "he" | "she" | "they" | "this" | "these" | "there"
                )
        }
        // "cut its forecast": a thing, not a doubt.
        "forecast" | "forecasts" | "proposal" | "intention" | "recommendation" => {
            lexicon::is_determiner(word_before) || word_before == "s"
        }
        // "is used to develop": what it is for.
        "used" => lexicon::is_be(word_before) || word_before == "been" || word_before == "not",
        // "except according to these terms": not whose words they are.
        "according" => matches!(word_before, "except" | "only" | "out" | "act" | "in"),
        // "leaves the others alone"
        "alone" => {
            tokens[..index].iter().any(|token| matches!(token.stem.as_str(), "leav" | "leave" | "let"))
        }
        "well" => true,
        _ => false,
    }
}

/// Does a stretch end with a date or a time: "in May 1999", "on that day"?
fn tells_time(tokens: &[Token]) -> bool {
    tokens.iter().rev().take(3).take_while(|token| !token.is_mark()).any(|token| {
        matches!(token.kind, Kind::Date(_))
            || matches!(token.word.as_str(), "time" | "moment")
            || lexicon::is_time(&token.word)
    })
}

//! What a sentence says of its sources rather than of the world: "according to the report", "two counts exist", "4,310 by
//! one source, 4,180 by another". No quote can carry that, and none needs to.

use super::lexicon::{self, Operator};
use super::token::{Kind, Token};

/// What a source can be called without saying which one it is.
const SOURCES: &str = "source sources report reports document documents bulletin bulletins paper papers study studies survey surveys manual \
manuals guide guides page pages letter letters minutes terms newsletter newsletters website article articles text texts note notes record \
records register statement statements publication publications brochure file files data";
/// What may stand before it.
const KINDS: &str = "annual official statistics statistical same latest newest older newer earlier later first second third other another one \
two both each different city's own available following yearly published most recent";
/// What sources do to facts.
const TELLING: &str = "say says said give gives gave put puts count counts counted report reports reported state states stated list lists listed \
name names named record records recorded cite cites cited mention mentions mentioned note notes noted show shows showed speaks speak indicate \
indicates quote quotes quoted has have tells tell describes describe explains explain write writes wrote confirm confirms confirmed";
/// What is counted over facts.
const COUNTED: &str = "counts figures sources numbers values reports documents answers dates versions statements accounts claims readings \
estimates amounts prices totals results facts definitions things ways";
/// What counted facts do.
const DOING: &str = "exist exists differ differs disagree disagrees conflict conflicts circulate vary agree stand given found available named \
there apply matter clear known reported different";

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Takes out of a sentence what only tells where it comes from. True if something was taken out.
pub(super) fn strip(tokens: &mut [Token], quotes: usize) -> bool {
    let counted = counting(tokens, quotes);
    let attributed = attribution(tokens);
    let pointed = pointers(tokens);
    counted || attributed || pointed
}

fn skip(tokens: &mut [Token], from: usize, to: usize) {
    for token in &mut tokens[from..to] {
        token.skip = true;
        token.operator = None;
    }
}

/// "Two counts exist: …", "There are two figures.", "Both figures are given." Only where the count is right.
fn counting(tokens: &mut [Token], quotes: usize) -> bool {
    let end = tokens
        .iter()
        .position(|token| matches!(token.kind, Kind::Mark(':' | ';' | '.' | '—')))
        .unwrap_or(tokens.len());
    let clause = &tokens[..end];
    let mut number = None;
    let mut noun = false;
    for token in clause {
        match &token.kind {
            Kind::Number(value) if value.dimension.is_empty() && value.value <= 12.0 && number.is_none() => {
                number = Some(value.value);
            }
            Kind::Number(_) | Kind::Date(_) => return false,
            Kind::Word if token.word == "both" => number = Some(2.0),
            Kind::Word if token.operator == Some(Operator::Some) || token.word == "different" => {
                number = number.or(Some(0.0));
            }
            Kind::Word if listed(COUNTED, &token.word) => noun = true,
            Kind::Word
                if listed(DOING, &token.word)
                    || listed(SOURCES, &token.word)
                    || lexicon::is_function(&token.word) => {}
            Kind::Mark(_) => {}
            Kind::Word => return false,
        }
    }
    let told = tokens[end..].iter().filter(|token| token.is_amount()).count();
    let Some(number) = number.filter(|_| noun) else { return false };
    let right = number == 0.0
        || number == told as f64
        || (told == 0 && quotes as f64 >= number)
        || (told as f64 > number && quotes as f64 == number);
    if right {
        let to = (end + 1).min(tokens.len());
        skip(tokens, 0, to);
    }
    right
}

/// "according to the annual report", "the statistics bulletin says that".
fn attribution(tokens: &mut [Token]) -> bool {
    let mut found = false;
    let mut index = 0;
    while index < tokens.len() {
        // "except according to those terms": by what rule, not by whose word.
        let ruled =
            index > 0 && matches!(tokens[index - 1].word.as_str(), "except" | "only" | "act" | "or" | "and");
        let according = tokens[index].word == "according"
            && !ruled
            && tokens.get(index + 1).is_some_and(|token| token.word == "to");
        let begins = index == 0
            || tokens[index - 1].is_mark()
            || matches!(tokens[index - 1].word.as_str(), "and" | "while" | "but" | "whereas" | "as");
        let (from, start) = if according { (index, index + 2) } else { (index, index) };
        if !according && !begins {
            index += 1;
            continue;
        }
        let mut end = start;
        let mut named = false;
        while let Some(token) =
            tokens.get(end).filter(|token| token.is_word() || matches!(token.kind, Kind::Number(_)))
        {
            if listed(SOURCES, &token.word) && !named {
                named = true;
            } else if !(listed(KINDS, &token.word)
                || lexicon::is_determiner(&token.word)
                || token.word == "of")
                || named
            {
                break;
            }
            end += 1;
        }
        if according {
            // Who is not named stays to be found in the quote.
            let to = if named { end } else { start };
            skip(tokens, from, to);
            found = true;
            index = to.max(index + 1);
            continue;
        }
        let alone = end > start
            && tokens[start..end]
                .iter()
                .any(|token| matches!(token.word.as_str(), "one" | "another" | "other"));
        let verb = tokens.get(end).is_some_and(|token| listed(TELLING, &token.word));
        if (named || alone) && verb {
            let mut to = end + 1;
            while tokens
                .get(to)
                .is_some_and(|token| matches!(token.word.as_str(), "that" | "it" | "at" | "of" | "them"))
            {
                to += 1;
            }
            skip(tokens, from, to);
            found = true;
            index = to;
            continue;
        }
        if alone
            && !named
            && tokens.get(end).is_some_and(|token| token.word == "at" || token.is_amount())
            && index > 0
        {
            skip(tokens, from, end);
            found = true;
        }
        index += 1;
    }
    found
}

/// "by one source", "in another", "in the other document".
fn pointers(tokens: &mut [Token]) -> bool {
    let mut found = false;
    for index in 0..tokens.len() {
        if tokens[index].skip || !matches!(tokens[index].word.as_str(), "by" | "in" | "from" | "per" | "of") {
            continue;
        }
        let mut end = index + 1;
        let (mut pointing, mut named) = (false, false);
        while let Some(token) = tokens.get(end).filter(|token| token.is_word()) {
            if matches!(token.word.as_str(), "one" | "another" | "other" | "second" | "first") {
                pointing = true;
            } else if listed(SOURCES, &token.word) || listed("count account report reading", &token.word) {
                named = true;
            } else if token.word != "the" && token.word != "a" {
                break;
            }
            end += 1;
        }
        let closes = tokens.get(end).is_none_or(|token| {
            token.is_mark() || lexicon::is_conjunction(&token.word) || token.word == "while"
        });
        if pointing && (named || closes) {
            skip(tokens, index, end);
            found = true;
        }
    }
    found
}

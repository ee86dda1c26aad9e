//! Stretches of a quote that are statements of their own, or lead to one: what stands behind or before them may be said alone.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::gaps::{has_condition, is_do, is_thing};

/// "on 2 April, a day that traders call …" for "on 2 April, which traders call …": what kind of thing is spoken of.
pub(super) fn is_class_of_aside(run: &[&Token]) -> bool {
    let which = |token: &Token| matches!(token.word.as_str(), "that" | "which" | "who");
    let class = |token: &Token| is_thing(token) && token.operator.is_none() && !token.name;
    matches!(run, [comma, thing, that] if comma.kind == Kind::Mark(',') && class(thing) && which(that))
}

/// "Because …", "this is so because …": what stands before a cause.
pub(super) fn is_because(run: &[&Token]) -> bool {
    let Some((last, before)) = run.split_last() else { return false };
    let sure = |token: &&Token| token.operator.is_none() || token.operator == Some(Operator::All);
    last.word == "because"
        && last.operator == Some(Operator::Because)
        && before.iter().all(sure)
        && !has_condition(before)
}

/// "This is so, that is so" and "this is so (that is so)": a statement before a comma that nothing else joins, or before one in
/// brackets. What opens with a condition or a phrase goes on behind its comma.
pub(super) fn is_parted_otherwise(run: &[&Token]) -> bool {
    let Some((last, before)) = run.split_last() else { return false };
    let bracket = last.kind == Kind::Mark('(');
    if !(bracket || last.kind == Kind::Mark(',')) || has_condition(run) {
        return false;
    }
    let joins = |token: &&Token| {
        matches!(token.kind, Kind::Mark(',' | ';' | ':' | '—'))
            || matches!(
                token.word.as_str(),
                "which"
                    | "who"
                    | "whose"
                    | "that"
                    | "as"
                    | "while"
                    | "since"
                    | "although"
                    | "though"
                    | "because"
            )
    };
    let compares =
        |token: &&Token| matches!(token.word.as_str(), "more" | "less" | "either" | "neither" | "not");
    let first = before.first().is_some_and(|first| {
        !lexicon::is_preposition(&first.word)
            && (first.operator.is_none() || first.operator == Some(Operator::All))
            && !first.word.ends_with("ing")
            && !first.word.ends_with("ed")
    });
    let subject = before.iter().take_while(|token| !is_finite(token)).any(|token| token.is_content());
    first
        && subject
        && before.iter().any(|token| is_finite(token))
        && (bracket || !before.iter().any(joins))
        && !before.iter().take(1).any(compares)
}

/// A verb that has a subject, as far as its form tells.
pub(super) fn is_finite(token: &Token) -> bool {
    lexicon::is_be(&token.word)
        || lexicon::is_modal(&token.word)
        || is_do(token)
        || (token.word.ends_with('s') && lexicon::is_only_verb(&token.stem))
}

/// "This is not so — …": a statement before the only dash.
pub(super) fn is_parted_by_dash(run: &[&Token]) -> bool {
    let dash = |token: &&&Token| token.kind == Kind::Mark('—');
    run.last().is_some_and(|last| dash(&last))
        && run.iter().filter(dash).count() == 1
        && run.iter().any(|token| is_finite(token))
}

//! Which words of a sentence are its finite verbs.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::{Segment, is_participle, opener_of};

/// Which tokens are finite verbs, with doubtful ones taken only where a stretch has no other.
pub(super) fn finite_verbs(tokens: &[Token]) -> Vec<u8> {
    let mut strength = vec![0_u8; tokens.len()];
    for (index, token) in tokens.iter().enumerate() {
        if !token.is_word() || token.rate || token.skip {
            continue;
        }
        let before = previous(tokens, index);
        let word_before = before.map_or("", |at| tokens[at].word.as_str());
        if token.joined {
            continue;
        }
        if token.operator == Some(Operator::Must)
            && matches!(token.word.as_str(), "need" | "needs" | "needed")
        {
            strength[index] = 3;
            continue;
        }
        if token.operator == Some(Operator::Not)
            && matches!(
                token.word.as_str(),
                "fail" | "fails" | "failed" | "refuse" | "refuses" | "refused" | "lack" | "lacks" | "lacked"
            )
        {
            strength[index] = 2;
            continue;
        }
        let auxiliary = lexicon::is_past_auxiliary(&token.word)
            || lexicon::is_present_auxiliary(&token.word)
            || lexicon::is_modal(&token.word);
        if auxiliary && !token.name {
            strength[index] = if word_before == "to" { 0 } else { 3 };
            continue;
        }
        let pronoun = matches!(word_before, "we" | "they" | "you" | "i" | "also");
        let operator_verb = matches!(
            token.operator,
            Some(Operator::Believed | Operator::Should | Operator::Planned | Operator::Must)
        ) && (token.word.ends_with('s')
            || (pronoun && !token.word.ends_with("ed"))
            || (token.operator == Some(Operator::Believed)
                && matches!(
                    token.word.as_str(),
                    "said"
                        | "claimed"
                        | "believed"
                        | "argued"
                        | "alleged"
                        | "promised"
                        | "say"
                        | "think"
                        | "believe"
                )));
        let lexical = !lexicon::is_function(&token.word)
            || matches!(token.stem.as_str(), "stand" | "amount" | "exist" | "come" | "total");
        if token.skip
            || token.name
            || !(lexical || operator_verb)
            || (token.operator.is_some() && !operator_verb)
        {
            continue;
        }
        if lexicon::is_surely_plural(&token.word) {
            continue;
        }
        let past_form = token.word.ends_with("ed") && token.word.len() > 4 && !token.word.ends_with("eed");
        // "faces a fine": what ends like a verb and stands before an object is one, known or not.
        let with_object = token.word.ends_with('s')
            && !token.word.ends_with("ss")
            && before.is_some_and(|at| {
                tokens[at].is_content() && tokens[at].is_word() && !tokens[at].word.ends_with("ing")
            })
            && tokens.get(index + 1).is_some_and(|next| {
                !next.rate
                    && matches!(
                        next.word.as_str(),
                        "a" | "an"
                            | "the"
                            | "its"
                            | "their"
                            | "his"
                            | "her"
                            | "this"
                            | "that"
                            | "these"
                            | "those"
                            | "all"
                    )
            });
        if !(operator_verb
            || with_object
            || past_form
            || lexicon::is_verb(
                token.word.split(' ').next().unwrap_or_default(),
                token.stem.split(' ').next().unwrap_or_default(),
            ))
            || token.word.ends_with("ing")
            || token.word.ends_with("ings")
            || (is_participle(token) && joins_participles(tokens, index))
            || index == 0
            || before.is_some_and(|at| {
                tokens[at].is_mark() && !matches!(tokens[at].kind, Kind::Mark(',' | '"' | ')'))
            })
            || (lexicon::is_determiner(word_before) && word_before != "that")
            || (word_before == "to"
                && before.is_some_and(|at| {
                    tokens[at].skip && at > 0 && tokens[at - 1].operator == Some(Operator::Not)
                }))
            || (lexicon::is_preposition(word_before) && !before.is_some_and(|at| tokens[at].skip))
            || matches!(word_before, "not" | "been" | "be" | "being" | "having")
        {
            continue;
        }
        let group = verb_group_before(tokens, index);
        let next = tokens.get(index + 1);
        let helped = next.is_some_and(|next| {
            !next.skip
                && (lexicon::is_modal(&next.word)
                    || lexicon::is_be(&next.word)
                    || matches!(next.word.as_str(), "has" | "have" | "had"))
        });
        // "For the heat delivered, …": a phrase in front has no finite verb.
        let fronted = lexicon::is_preposition(&tokens[0].word)
            && past_form
            && tokens[..index].iter().all(|token| token.kind != Kind::Mark(','))
            && next.is_some_and(|next| next.kind == Kind::Mark(','));
        // "by 21 votes to 14": what is counted is no verb, but "section 2 applies" has one.
        let counted = index > 0
            && matches!(&tokens[index - 1].kind, Kind::Number(number) if number.dimension.is_empty() && number.value > 1.0)
            && !past_form
            && !lexicon::is_only_verb(&token.stem)
            && index.checked_sub(2).is_none_or(|at| !(tokens[at].is_word() && tokens[at].is_content()));
        let set_off = index > 0 && tokens[index - 1].kind == Kind::Mark(',') && past_form;
        if group || helped || set_off || fronted || counted {
            continue;
        }
        // "types of restart": a plural that could be a verb, before what it is of.
        let plural_of = next.is_some_and(|next| next.word == "of")
            && token.word.ends_with('s')
            && !lexicon::is_only_verb(token.stem.split(' ').next().unwrap_or_default());
        if plural_of {
            continue;
        }
        let noun_before_that = next.is_some_and(|next| next.word == "that")
            && !operator_verb
            && !lexicon::is_only_verb(token.stem.split(' ').next().unwrap_or_default())
            && !past_form;
        let opens_object = !noun_before_that
            && next.is_none_or(|next| {
                next.is_mark()
                    || next.is_amount()
                    || (next.name
                        && (past_form || lexicon::irregular(&token.word).is_some_and(|(_, past, _)| past)))
                    || lexicon::is_determiner(&next.word)
                    || lexicon::is_preposition(&next.word)
                    || (lexicon::is_conjunction(&next.word)
                        && past_form
                        && !lexicon::is_conjunction(word_before))
                    || next.operator.is_some()
                    || next.skip
                    || matches!(
                        next.word.as_str(),
                        "it" | "them"
                            | "you"
                            | "that"
                            | "how"
                            | "what"
                            | "whether"
                            | "itself"
                            | "himself"
                            | "herself"
                            | "themselves"
                            | "off"
                            | "out"
                            | "less"
                            | "more"
                            | "fewer"
                            | "him"
                            | "her"
                            | "us"
                    )
            });
        let first = token.word.split(' ').next().unwrap_or_default();
        let past = first.ends_with("ed")
            || lexicon::irregular(first).is_some()
            || matches!(
                token.word.as_str(),
                "cost"
                    | "cut"
                    | "set"
                    | "put"
                    | "hit"
                    | "shut"
                    | "spread"
                    | "let"
                    | "split"
                    | "beat"
                    | "burst"
                    | "cast"
                    | "hurt"
                    | "quit"
                    | "shed"
            );
        let third = first.ends_with('s') && !first.ends_with("ss");
        let sure = third && lexicon::is_only_verb(token.stem.split(' ').next().unwrap_or_default());
        let relative =
            sure || matches!(word_before, "that" | "which" | "who" | "it" | "they" | "he" | "she" | "we");
        strength[index] = match (past || third, opens_object || relative) {
            (true, true) => 2,
            (false, true)
                if before.is_some_and(|at| tokens[at].is_amount())
                    && lexicon::is_only_verb(token.stem.split(' ').next().unwrap_or_default()) =>
            {
                2
            }
            (false, true)
                if subject_word(tokens, index).is_some_and(|at| {
                    tokens[at].word.ends_with('s')
                        || tokens[at].name
                        || matches!(
                            tokens[at].word.as_str(),
                            "people" | "children" | "men" | "women" | "police" | "staff"
                        )
                        || matches!(tokens[at].word.as_str(), "they" | "we" | "you" | "i")
                }) =>
            {
                2
            }
            (true, false) => 1,
            _ => u8::from(before.is_some()),
        };
    }
    settle(tokens, &mut strength);
    strength
}

/// Of two candidates in one stretch the surer one is the verb; where there is none, the first that can be.
pub(super) fn settle(tokens: &[Token], strength: &mut [u8]) {
    for index in 0..tokens.len() {
        let sure = tokens[index].word.ends_with("ed")
            || lexicon::is_only_verb(tokens[index].stem.split(' ').next().unwrap_or_default());
        let relative = index > 0 && matches!(tokens[index - 1].word.as_str(), "that" | "which" | "who");
        // "files created in this mode can be read": the later verb is the one of the clause.
        if strength[index] == 2
            && tokens[index].word.ends_with("ed")
            && !relative
            && tokens.get(index + 1).is_some_and(|next| lexicon::is_preposition(&next.word))
        {
            let stretch = (index + 2..tokens.len())
                .take_while(|at| !tokens[*at].is_mark() && opener_of(tokens, *at).is_none());
            let later = stretch.clone().find(|at| {
                strength[*at] == 3
                    || (strength[*at] >= 1
                        && lexicon::is_only_verb(tokens[*at].stem.split(' ').next().unwrap_or_default()))
            });
            if let Some(later) = later {
                strength[index] = 0;
                strength[later] = strength[later].max(2);
                continue;
            }
        }
        // "the parser reads files of": behind one thing the first form is the verb, and the second its object.
        let third = |at: usize| {
            tokens[at].word.ends_with('s') && !tokens[at].word.ends_with("ss") && strength[at] > 0
        };
        let one_thing = |at: usize| {
            let token = &tokens[at];
            (token.is_word() && token.is_content() && !token.word.ends_with('s'))
                || lexicon::is_conjunction(&token.word)
                || token.is_amount()
        };
        let earlier = (index.saturating_sub(3)..index).rev().find(|at| {
            let between = tokens[at + 1..index].iter().all(|token| token.is_word() && token.is_content());
            *at > 0 && third(*at) && between && one_thing(at - 1)
        });
        if let Some(earlier) = earlier
            .filter(|_| strength[index] > 0 && strength[index] < 3 && !tokens[index].word.ends_with("ed"))
        {
            strength[earlier] = 2;
            strength[index] = 0;
            continue;
        }
        // "buses replaced trains between": a past form behind its subject is the verb, and the plural its object.
        let past_before = index > 1
            && tokens[index].word.ends_with('s')
            && strength[index] == 2
            && strength[index - 1] >= 1
            && tokens[index - 1].word.ends_with("ed")
            && (tokens[index - 2].is_content() || tokens[index - 2].name)
            && !sure;
        if past_before {
            strength[index - 1] = 2;
            strength[index] = 0;
            continue;
        }
        // "beat him in straight sets to": a noun behind a preposition, where something before can be the verb.
        if strength[index] > 0 && strength[index] < 3 && !sure && !relative && is_bare_object(tokens, index) {
            let before = (1..index).rev().take_while(|at| !tokens[*at].is_mark()).find(|at| {
                strength[*at] > 1
                    || (strength[*at] > 0
                        && (lexicon::irregular(&tokens[*at].word).is_some()
                            || tokens[*at].word.ends_with("ed")
                            || matches!(
                                tokens[*at].word.as_str(),
                                "beat" | "burst" | "cut" | "hit" | "put" | "set"
                            )))
            });
            if let Some(before) = before {
                strength[before] = strength[before].max(2);
                strength[index] = 0;
                continue;
            }
        }
        if strength[index] != 2 || sure || relative {
            continue;
        }
        let stretch = (index + 1..tokens.len())
            .take_while(|at| !tokens[*at].is_mark() && opener_of(tokens, *at).is_none());
        if stretch.clone().any(|at| strength[at] == 3) {
            strength[index] = 1;
        }
        // "orders for tools fell": a later past form that is no participle is surely the verb.
        let past_only = |at: usize| {
            strength[at] == 2
                && lexicon::irregular(&tokens[at].word).is_some_and(|(_, past, both)| past && !both)
        };
        if tokens.get(index + 1).is_some_and(|next| lexicon::is_preposition(&next.word))
            && stretch.clone().any(past_only)
        {
            strength[index] = 0;
        }
        // "takes heat from": the word behind a sure verb is its object.
        if index > 0 && strength[index - 1] >= 2 {
            strength[index] = 0;
        }
    }
    if strength.iter().all(|value| *value < 2)
        && let Some(first) =
            (0..tokens.len()).find(|at| strength[*at] == 1 && !tokens[*at].word.ends_with("ed"))
    {
        strength[first] = 2;
    }
}

/// Does it stand right behind a preposition, with at most words of its own phrase between?
pub(super) fn is_bare_object(tokens: &[Token], index: usize) -> bool {
    let from =
        (0..index).rev().find(|at| !(tokens[*at].is_word() && tokens[*at].is_content() && !tokens[*at].name));
    tokens[index].word.ends_with('s')
        && from.is_some_and(|at| {
            lexicon::is_preposition(&tokens[at].word) && !tokens[at].skip && index - at <= 3
        })
}

/// "has not been discussed, amended or otherwise dealt with": the last ones share the auxiliary of the first.
pub(super) fn joins_participles(tokens: &[Token], index: usize) -> bool {
    let before = (0..index).rev().find(|at| {
        !(tokens[*at].word.ends_with("ly")
            || matches!(tokens[*at].word.as_str(), "otherwise" | "also" | "then"))
    });
    let joined = before.is_some_and(|at| {
        tokens[at].kind == Kind::Mark(',') || matches!(tokens[at].word.as_str(), "and" | "or" | "but")
    });
    joined && tokens[..index].iter().any(|token| lexicon::is_be(&token.word))
}

/// Is this word the rest of a verb group: "has been", "may also", "was not"?
pub(super) fn verb_group_before(tokens: &[Token], index: usize) -> bool {
    let mut at = index;
    while let Some(before) = previous(tokens, at) {
        let word = &tokens[before].word;
        if lexicon::is_be(word)
            || lexicon::is_modal(word)
            || matches!(word.as_str(), "has" | "have" | "had" | "do" | "does" | "did" | "having")
        {
            return true;
        }
        let passes = word.ends_with("ly")
            || tokens[before].operator.is_some()
            || tokens[before].skip
            || matches!(word.as_str(), "also" | "then" | "again" | "both" | "first" | "further");
        if !passes || index - before > 4 {
            return false;
        }
        at = before;
    }
    false
}

/// The word before that says something, past commas and asides.
pub(super) fn subject_word(tokens: &[Token], index: usize) -> Option<usize> {
    (0..index).rev().find(|at| tokens[*at].is_word() && !tokens[*at].skip)
}

pub(super) fn previous(tokens: &[Token], index: usize) -> Option<usize> {
    (0..index).rev().find(|at| !matches!(tokens[*at].kind, Kind::Mark('"')))
}

/// "214 patients who received the drug reported less pain": where nothing else can be the verb of the sentence, the second one
/// behind "who" is it.
pub(super) fn doubtful_main(tokens: &[Token], verbs: &mut [u8], segments: &[Segment]) {
    let relative =
        |segment: &&Segment| matches!(segment.opener.as_str(), "who" | "which" | "that") && !segment.comma;
    let Some(segment) = segments.iter().find(relative) else { return };
    let outside = (0..tokens.len()).any(|at| verbs[at] >= 2 && !segment.tokens.contains(&at));
    let mut inside = segment.tokens.iter().copied().filter(|at| verbs[*at] >= 2);
    let (first, second) = (inside.next(), inside.next());
    let Some(first) = first.filter(|_| !outside && second.is_none()) else { return };
    if let Some(found) = segment.tokens.iter().copied().find(|at| *at > first + 1 && verbs[*at] == 1) {
        verbs[found] = 2;
    }
}

/// A stretch with a subject and an object but no sure verb: what can be one between them is it.
pub(super) fn promote(tokens: &[Token], verbs: &mut [u8], segment: &Segment) {
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

//! Who does it and to whom, and whether a verb is turned round.

use super::super::clause::is_participle;
use super::*;

pub(super) fn is_ranking(token: &Token) -> bool {
    token.is_word() && lexicon::is_ranking(&token.word)
}

/// "was read by", "made by": is this verb turned round?
pub(super) fn is_passive(tokens: &[Token], at: usize) -> bool {
    let helped = tokens[..at]
        .iter()
        .rev()
        .take(4)
        .take_while(|token| !token.is_mark())
        .any(|token| lexicon::is_be(&token.word));
    let by = tokens.get(at + 1).is_some_and(|token| token.word == "by");
    is_participle(&tokens[at]) && (helped || by)
}

/// Who does it and to whom it is done, as places, by what stands around the verb.
pub(super) fn arguments(
    tokens: &[Token],
    own: &[usize],
    main: usize,
    passive: bool,
) -> (Vec<usize>, Vec<usize>) {
    let plain = |at: &usize| {
        let token = &tokens[*at];
        token.is_content()
            && token.is_word()
            && !token.rate
            && !token.word.contains(' ')
            && !token.word.ends_with("ly")
    };
    let before: Vec<usize> = own
        .iter()
        .copied()
        .filter(|at| *at < main && plain(at) && tokens[*at].preposition.is_empty())
        .collect();
    let mut behind = Vec::new();
    for at in own.iter().copied().filter(|at| *at > main) {
        if lexicon::is_preposition(&tokens[at].word) && !tokens[at].skip {
            break;
        }
        if plain(&at) {
            behind.push(at);
        }
    }
    let agents: Vec<usize> =
        own.iter().copied().filter(|at| *at > main && plain(at) && tokens[*at].preposition == "by").collect();
    if passive { (agents, before) } else { (before, behind) }
}

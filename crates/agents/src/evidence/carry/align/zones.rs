//! Where the words of a quote stand, seen from one of its clauses.

use super::*;

/// Clauses that restrict the one at this index.
pub(super) fn attached(sentence: &Sentence, index: usize) -> Vec<&Clause> {
    let holds = |clause: &Clause| matches!(clause.role, Role::Main | Role::Reported | Role::Detail);
    let owner = |at: usize| {
        let before = sentence.clauses[..at].iter().rposition(holds);
        before.or_else(|| sentence.clauses.iter().position(holds))
    };
    (0..sentence.clauses.len())
        .filter(|at| {
            *at != index
                && matches!(
                    sentence.clauses[*at].role,
                    Role::Condition | Role::Cause | Role::Time | Role::Restrictive
                )
                && owner(*at) == Some(index)
                && !is_parted(sentence, *at, index)
        })
        .map(|at| &sentence.clauses[at])
        .collect()
}

/// Does a semicolon stand between two clauses?
fn is_parted(sentence: &Sentence, one: usize, other: usize) -> bool {
    let first = |at: usize| sentence.clauses[at].tokens.first().copied().unwrap_or_default();
    let (from, to) = (first(one).min(first(other)), first(one).max(first(other)));
    sentence.tokens[from..to].iter().any(|token| token.kind == Kind::Mark(';'))
}

pub(super) fn zones(
    quote: &[Sentence],
    at: usize,
    index: usize,
    anchor: &Clause,
    attached: &[&Clause],
) -> Vec<(Place, Zone)> {
    let sentence = &quote[at];
    let mut zones: Vec<(Place, Zone)> = anchor.tokens.iter().map(|token| ((at, *token), Zone::Own)).collect();
    for clause in attached {
        zones.extend(clause.tokens.iter().map(|token| ((at, *token), Zone::Attached(clause.role))));
    }
    for (other, clause) in sentence.clauses.iter().enumerate() {
        let side = match clause.role {
            Role::Detail => Zone::Side,
            Role::Fragment => Zone::Bracket,
            // "…, the association said"
            Role::Main
                if other > index
                    && clause.main.is_some_and(|main| {
                        sentence.tokens[main].operator == Some(Operator::Believed)
                            && clause.tokens.last() == Some(&main)
                    }) =>
            {
                Zone::Side
            }
            _ => continue,
        };
        if other != index {
            zones.extend(clause.tokens.iter().map(|token| ((at, *token), side)));
        }
    }
    let pronoun = anchor.tokens.iter().any(|token| {
        matches!(
            sentence.tokens[*token].word.as_str(),
            "it" | "they"
                | "this"
                | "these"
                | "those"
                | "its"
                | "their"
                | "them"
                | "he"
                | "she"
                | "his"
                | "her"
                | "both"
                | "which"
                | "who"
                | "such"
                | "that"
        )
    });
    if !anchor.subject || pronoun || anchor.role == Role::Detail {
        for clause in sentence.clauses.iter().filter(|clause| {
            !matches!(clause.role, Role::Condition) && clause.tokens.first() < anchor.tokens.first()
        }) {
            let all = anchor.role == Role::Detail || pronoun || clause.role == Role::Restrictive;
            let verb = clause.verb.unwrap_or(usize::MAX);
            let first = anchor.tokens.first().copied().unwrap_or_default();
            let named = clause.tokens.iter().filter(|token| {
                if anchor.role == Role::Detail { **token < first } else { all || **token < verb }
            });
            zones.extend(named.map(|token| ((at, *token), Zone::Antecedent)));
        }
        if pronoun && at > 0 {
            for clause in &quote[at - 1].clauses {
                zones.extend(clause.tokens.iter().map(|token| ((at - 1, *token), Zone::Antecedent)));
            }
        }
    }
    zones.extend(told_before(quote, at, anchor).into_iter().map(|place| (place, Zone::Before)));
    // "In 2025 the price is …, and the charge is …": a phrase in front holds for all.
    if let Some(first) = sentence.clauses.first().filter(|_| index > 0 && anchor.role == Role::Main) {
        let front = first.tokens.iter().take_while(|token| {
            let token = &sentence.tokens[**token];
            !token.is_content() || !token.preposition.is_empty()
        });
        zones.extend(front.map(|token| ((at, *token), Zone::Antecedent)));
    }
    // "produced 82 percent of the heat, and boilers produced 9 percent": the same verb, what it is of said once.
    for clause in &sentence.clauses[..index] {
        let verb = |clause: &Clause| clause.main.map(|main| sentence.tokens[main].stem.as_str());
        if verb(clause).is_some() && verb(clause) == verb(anchor) {
            let of = clause.tokens.iter().filter(|token| sentence.tokens[**token].preposition == "of");
            zones.extend(of.map(|token| ((at, *token), Zone::Antecedent)));
        }
    }
    for (other, heading) in quote.iter().enumerate().filter(|(other, _)| *other != at) {
        if heading.clauses.iter().all(|clause| clause.role == Role::Fragment) {
            zones.extend((0..heading.tokens.len()).map(|token| ((other, token), Zone::Heading)));
        }
    }
    zones
}

/// What a clause leaves unsaid because it was just said: "Storks breed in the valley; 17 pairs were counted", "The canal is
/// long. Construction began in 1887".
fn told_before(quote: &[Sentence], at: usize, anchor: &Clause) -> Vec<Place> {
    let sentence = &quote[at];
    let first = anchor.tokens.first().copied().unwrap_or_default();
    let semicolon = first > 0 && sentence.tokens[first - 1].kind == Kind::Mark(';');
    if semicolon {
        let before = sentence
            .clauses
            .iter()
            .filter(|clause| clause.role == Role::Main && clause.tokens.first() < anchor.tokens.first());
        return before
            .flat_map(|clause| clause.tokens.iter().filter(|token| **token < first).map(|token| (at, *token)))
            .collect();
    }
    let Some(before) = at.checked_sub(1).filter(|_| first == 0) else { return Vec::new() };
    let Some(clause) = quote[before].clauses.first() else { return Vec::new() };
    let verb = clause.verb.unwrap_or(0);
    clause.tokens.iter().filter(|token| **token < verb).map(|token| (before, *token)).collect()
}

//! One conflict with all its positions: who says which value of one property.

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::{ConflictKind, Statement, agree, difference, same_unit};
use crate::rules::answer::{ABOUT_FROM, Asked, Candidate};
use crate::rules::dates;
use crate::rules::words::{fold, stem, word_ranges};

/// Statements about one property that cannot all hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictGroup {
    /// Why. Superseded when the positions come from documents of different times.
    pub kind: ConflictKind,
    /// What they are about, in words that all of them have.
    pub about: String,
    /// What is said, the latest first where dates are known.
    pub positions: Vec<Position>,
}

/// One side of a conflict: a value, and the statements that give it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The value as first written; empty where one side denies what the other says.
    pub value: String,
    /// Ids of the statements that hold it, in order.
    pub statements: Vec<String>,
    /// Date of the latest of their documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// All conflicts between statements, each once with every position. With `asked`, only those about what was asked.
#[must_use]
pub fn conflict_groups(statements: &[Statement<'_>], asked: Option<&Asked>) -> Vec<ConflictGroup> {
    let claims: Vec<Claim> = statements.iter().map(|statement| Claim::of(statement.text)).collect();
    let about: Vec<bool> = statements.iter().map(|statement| is_about(statement, asked)).collect();
    let mut groups: Vec<Open> = Vec::new();
    for left in 0..statements.len() {
        for right in left + 1..statements.len() {
            if !about[left] || !about[right] {
                continue;
            }
            let sides = ((&statements[left], &claims[left]), (&statements[right], &claims[right]));
            let Some(found) = difference(sides.0, sides.1) else { continue };
            let members = [(left, found.values.0), (right, found.values.1)];
            let known = groups.iter_mut().find(|group| {
                group.kind == found.kind && members.iter().any(|(member, value)| group.has(*member, value))
            });
            match known {
                Some(group) => group.add(members),
                None => groups.push(Open { kind: found.kind, members: members.into() }),
            }
        }
    }
    for group in &mut groups {
        group.take_confirmations(&claims, &about);
    }
    groups.into_iter().map(|group| group.close(statements, &claims)).collect()
}

/// Two statements that disagree must both be about what was asked: its subject, and a value of the kind it wants.
fn is_about(statement: &Statement<'_>, asked: Option<&Asked>) -> bool {
    let Some(asked) = asked else { return true };
    let fit = asked.answers(&Candidate { sentence: statement.text, ..Candidate::default() });
    fit.about >= ABOUT_FROM && (!asked.kind.is_value() || fit.answers())
}

/// A group while it is being filled: which statement says which value.
struct Open {
    kind: ConflictKind,
    members: Vec<(usize, String)>,
}

impl Open {
    fn has(&self, member: usize, value: &str) -> bool {
        self.members.iter().any(|(known, other)| *known == member && other == value)
    }

    fn add(&mut self, members: [(usize, String); 2]) {
        for (member, value) in members {
            if !self.has(member, &value) {
                self.members.push((member, value));
            }
        }
    }

    /// Adds the statements that say the same as a member: they hold its position too.
    fn take_confirmations(&mut self, claims: &[Claim], about: &[bool]) {
        if self.kind != ConflictKind::Numbers {
            return;
        }
        let mut found: Vec<(usize, String)> = Vec::new();
        for (at, claim) in claims.iter().enumerate() {
            if !about[at] || self.members.iter().any(|(member, _)| *member == at) {
                continue;
            }
            let same = self.members.iter().find(|(member, _)| {
                let known = &claims[*member];
                super::likeness(&known.words, &claim.words) >= super::SAME_SUBJECT
                    && known.modalities == claim.modalities
                    && known
                        .values
                        .iter()
                        .any(|x| claim.values.iter().any(|y| !y.former && same_unit(x, y) && agree(x, y)))
            });
            found.extend(same.map(|(_, value)| (at, value.clone())));
        }
        self.members.extend(found);
    }

    fn close(self, statements: &[Statement<'_>], claims: &[Claim]) -> ConflictGroup {
        let mut positions: Vec<Position> = Vec::new();
        let mut members = self.members;
        members.sort_by_key(|(member, _)| *member);
        for (member, value) in &members {
            let statement = &statements[*member];
            let date = statement.date.map(str::to_owned);
            match positions
                .iter_mut()
                .find(|position| !value.is_empty() && same_value(&position.value, value))
            {
                Some(position) => {
                    position.statements.push(statement.id.to_owned());
                    position.date = position.date.clone().max(date);
                }
                None => positions.push(Position {
                    value: value.clone(),
                    statements: vec![statement.id.to_owned()],
                    date,
                }),
            }
        }
        let days =
            |position: &Position| position.date.as_deref().and_then(dates::parse).map(dates::Date::days);
        positions.sort_by_key(|position| std::cmp::Reverse(days(position)));
        let (first, last) = (positions.first().and_then(days), positions.last().and_then(days));
        let apart = first.zip(last).is_some_and(|(first, last)| first - last > 31);
        let kind = if apart { ConflictKind::Superseded } else { self.kind };
        ConflictGroup { kind, about: about(&members, statements, claims), positions }
    }
}

fn same_value(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// The words of the first statement that all have, in its order.
fn about(members: &[(usize, String)], statements: &[Statement<'_>], claims: &[Claim]) -> String {
    let Some((first, _)) = members.first() else { return String::new() };
    let text = statements[*first].text;
    let shared = |word: &str| {
        let stemmed = super::opposites::opposite_free(&stem(&fold(word)));
        members.iter().all(|(member, _)| claims[*member].words.contains(&stemmed))
    };
    word_ranges(text).map(|range| &text[range]).filter(|word| shared(word)).collect::<Vec<_>>().join(" ")
}

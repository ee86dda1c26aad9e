//! Units: what of a sentence must be carried by one quote, and what of a quote can carry it.

use super::clause::{Clause, Role, Sentence};
use super::token::Token;

/// A clause with the clauses that restrict it, and what it takes from the one before.
#[derive(Debug, Clone)]
pub(super) struct Unit<'a> {
    pub(super) sentence: &'a Sentence,
    pub(super) clause: &'a Clause,
    /// Conditions, causes and restrictive clauses that belong to it.
    pub(super) attached: Vec<&'a Clause>,
    /// Places of its own tokens, without what is attached.
    pub(super) own: Vec<usize>,
    /// Places of tokens taken over from the clause before: a subject said once.
    pub(super) inherited: Vec<usize>,
    /// One of the accounts that are set against each other; what they share is said once.
    pub(super) told: bool,
}

impl<'a> Unit<'a> {
    pub(super) fn token(&self, at: usize) -> &'a Token {
        &self.sentence.tokens[at]
    }

    /// Everything it says, in order: its own, what it inherits, what is attached.
    pub(super) fn all(&self) -> Vec<usize> {
        let attached = self.attached.iter().flat_map(|clause| clause.tokens.iter().copied());
        let mut all: Vec<usize> =
            self.inherited.iter().copied().chain(self.own.iter().copied()).chain(attached).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Its content, in order.
    pub(super) fn content(&self) -> Vec<usize> {
        self.all().into_iter().filter(|at| self.token(*at).is_content()).collect()
    }
}

/// More parts than a sentence that people write.
const MOST_CUTS: usize = 12;

/// The units of a sentence, in order.
pub(super) fn units(sentence: &Sentence) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut waiting: Vec<&Clause> = Vec::new();
    for clause in &sentence.clauses {
        match clause.role {
            Role::Condition | Role::Cause | Role::Time | Role::Restrictive => {
                match units.iter_mut().rev().find(|unit| unit.clause.role != Role::Fragment) {
                    Some(unit) => unit.attached.push(clause),
                    None => waiting.push(clause),
                }
            }
            Role::Main | Role::Reported | Role::Detail | Role::Fragment | Role::Open => {
                let inherited = match units.last() {
                    Some(before) if clause.role == Role::Detail && !clause.subject => before
                        .own
                        .iter()
                        .copied()
                        .filter(|at| before.clause.verb.is_none_or(|verb| *at < verb))
                        .collect(),
                    Some(before) if !clause.subject && clause.role == Role::Main => subject(before),
                    _ => Vec::new(),
                };
                let mut attached = std::mem::take(&mut waiting);
                if let Some(before) = units.last().filter(|_| !inherited.is_empty()) {
                    let narrows = |other: &&&Clause| {
                        other.role == Role::Restrictive && other.tokens.first() < before.clause.verb.as_ref()
                    };
                    attached.extend(before.attached.iter().filter(narrows));
                }
                units.push(Unit {
                    sentence,
                    clause,
                    attached,
                    own: clause.tokens.clone(),
                    inherited,
                    told: false,
                });
            }
        }
    }
    // Only conditions: "If it freezes." states nothing, but is held against its quote all the same.
    if let Some(first) = waiting.first() {
        let (own, attached) = (first.tokens.clone(), waiting[1..].to_vec());
        units.push(Unit { sentence, clause: first, attached, own, inherited: Vec::new(), told: false });
    }
    units
}

/// The tokens before the verb of a unit.
fn subject(unit: &Unit<'_>) -> Vec<usize> {
    if !unit.clause.subject {
        return unit.inherited.clone();
    }
    let verb = unit.clause.verb.unwrap_or(usize::MAX);
    unit.own.iter().copied().filter(|at| *at < verb).collect()
}

/// A unit cut at its "and"s and commas, for where no quote carries the whole: "4,310 by one, 4,180 by another".
pub(super) struct Cuts<'a> {
    unit: Unit<'a>,
    cuts: Vec<Vec<usize>>,
    /// What stands before the verb, and goes with every cut.
    shared: Vec<usize>,
    /// The same with the verb, up to the first amount behind it.
    prefix: Vec<usize>,
    /// The verb and what stands behind it up to the first preposition: for a cut with a subject of its own.
    verb: Vec<usize>,
}

impl<'a> Cuts<'a> {
    pub(super) fn of(unit: &Unit<'a>) -> Option<Self> {
        let mut cuts: Vec<Vec<usize>> = vec![Vec::new()];
        let mut previous: Option<usize> = None;
        for at in unit.own.iter().copied() {
            let mark_between =
                previous.is_some_and(|before| (before + 1..at).any(|between| unit.token(between).is_mark()));
            let token = unit.token(at);
            let joins =
                matches!(token.word.as_str(), "and" | "but" | "or" | "while" | "whereas") && token.is_word();
            if (mark_between || joins) && cuts.last().is_some_and(|cut| !cut.is_empty()) {
                cuts.push(Vec::new());
            }
            if !joins && let Some(cut) = cuts.last_mut() {
                cut.push(at);
            }
            previous = Some(at);
        }
        cuts.retain(|cut| cut.iter().any(|at| unit.token(*at).is_content()));
        if cuts.len() < 2 || cuts.len() > MOST_CUTS {
            return None;
        }
        let Some(verb) = unit.clause.verb else {
            return Some(Self { unit: unit.clone(), cuts, shared: vec![], prefix: vec![], verb: vec![] });
        };
        let has_verb = cuts.iter().position(|cut| cut.contains(&verb)).unwrap_or(0);
        // What stands before the cut with the verb is shared by all: "In winter, ...".
        let mut shared: Vec<usize> = cuts.drain(..has_verb).flatten().collect();
        shared.extend(&unit.inherited);
        let head = cuts.first()?;
        let behind = |at: &usize| *at > verb;
        let first_amount = head.iter().position(|at| behind(at) && unit.token(*at).is_amount());
        let end =
            first_amount.or_else(|| head.iter().position(|at| behind(at) && Some(*at) != unit.clause.main));
        let mut prefix = shared.clone();
        prefix.extend(&head[..end.unwrap_or(head.len())]);
        let own_verb: Vec<usize> = head
            .iter()
            .copied()
            .filter(|at| *at >= verb)
            .take_while(|at| *at == verb || !super::lexicon::is_preposition(&unit.token(*at).word))
            .collect();
        Some(Self { unit: unit.clone(), cuts, shared, prefix, verb: own_verb })
    }

    pub(super) fn len(&self) -> usize {
        self.cuts.len()
    }

    /// The cuts from one to another as units: with the subject and verb of the first, or with its verb alone where they
    /// have a subject of their own.
    pub(super) fn run(&self, from: usize, to: usize, told: bool) -> Vec<Unit<'a>> {
        let own: Vec<usize> = self.cuts[from..=to].concat();
        let attached = if to + 1 == self.cuts.len() { self.unit.attached.clone() } else { Vec::new() };
        let with = |inherited: &[usize]| Unit {
            own: own.clone(),
            inherited: inherited.to_vec(),
            attached: attached.clone(),
            told: self.unit.told || (told && from > 0),
            ..self.unit.clone()
        };
        if from == 0 {
            return vec![with(&self.shared)];
        }
        let first = own.first().map(|at| self.unit.token(*at));
        let has_subject = first.is_some_and(|token| {
            token.name || (token.is_word() && super::lexicon::is_determiner(&token.word))
        }) || (first.is_some_and(|token| token.is_word() && token.is_content())
            && own.iter().any(|at| super::lexicon::is_preposition(&self.unit.token(*at).word)));
        let mut runs = vec![with(&self.prefix)];
        if has_subject {
            runs.push(with(&self.verb));
        }
        runs
    }
}

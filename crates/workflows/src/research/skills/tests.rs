//! Each skill: its check against broken outputs, its twin on real text.

use baton_agents::skill::{Skill, Words};

use super::mend::{MendSentences, Mended, Mending, Rejected, ToMend};
use super::plan::{Part, Parts, PlanResearch, ToPlan, clauses};
use super::reflect::{Covered, FindGaps, Gaps, Missing, SoFar};
use super::resolve::{Favours, Ground, Resolve, Resolved, Side, Sides};
use super::write::{AskedPart, Draft, KnownFact, PartDraft, RankedFact, Sentence, ToWrite, WriteReport};

#[test]
fn a_question_is_split_where_it_asks_another() {
    let cases: [(&str, &[&str]); 7] = [
        ("What is a port?", &["What is a port?"]),
        ("How fast and cheap is it?", &["How fast and cheap is it?"]),
        (
            "How many trams does Basel have, what do they cost, and how old are they?",
            &[
                "How many trams does Basel have?",
                "what do they cost (trams Basel)?",
                "how old are they (trams Basel)?",
            ],
        ),
        (
            "Which ways to start does it know, and which one is used on macOS?",
            &["Which ways to start does it know?", "which one is used on macOS (start know)?"],
        ),
        ("Is Rust safe and is Zig simple?", &["Is Rust safe?", "is Zig simple?"]),
        ("Why did it fail? Who was told?", &["Why did it fail?", "Who was told?"]),
        ("trams", &["trams"]),
    ];
    for (topic, expected) in cases {
        assert_eq!(clauses(topic), expected, "{topic}");
    }
}

fn to_plan(topic: &str, most: usize, headings: &[&str], feedback: &[&str]) -> ToPlan {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    ToPlan { topic: Words::typed(topic), most, headings: owned(headings), feedback: owned(feedback) }
}

#[test]
fn a_plan_by_rules_has_the_question_first_and_passes_its_own_check() {
    let cases = [
        to_plan("What is the default port?", 4, &["Server options", "Default port", "Logging"], &[]),
        to_plan("How big is it, and what does it cost?", 4, &["History"], &["the history of its owners"]),
        to_plan("x", 1, &[], &[]),
        to_plan("How big is it, what does it cost, and who owns it?", 3, &["A", "B"], &[]),
    ];
    for input in cases {
        let parts = PlanResearch::rules(&input).unwrap();
        assert_eq!(PlanResearch::check(&input, &parts), [], "{parts:?}");
    }
}

/// What documents say of themselves, and what was injected into them, is never a thing to find out.
#[test]
fn headings_are_no_dimensions() {
    let headings = ["Server options", "A note for machines"];
    let single = PlanResearch::rules(&to_plan("What is the default port?", 4, &headings, &[])).unwrap();
    let names: Vec<&str> = single.dimensions.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["Answer"]);
}

#[test]
fn broken_plans_are_refused() {
    let input = to_plan("What is it?", 2, &[], &[]);
    let part = |name: &str| Part { name: name.to_owned(), question: "What?".to_owned(), focus: vec![] };
    for parts in [vec![], vec![part("a"), part("A")], vec![part("a"), part("b"), part("c")], vec![part("")]] {
        assert_ne!(PlanResearch::check(&input, &Parts { dimensions: parts.clone() }), [], "{parts:?}");
    }
}

#[test]
fn gaps_name_a_dimension_that_exists() {
    let covered = Covered { name: "cost".to_owned(), facts: vec!["It costs 4 euros.".to_owned()] };
    let input = SoFar { question: Words::typed("What does it cost?"), dimensions: vec![covered] };
    let gap =
        |dimension, query: &str| Missing { dimension, what: "the price".to_owned(), query: query.to_owned() };
    assert_eq!(FindGaps::check(&input, &Gaps { gaps: vec![gap(0, "price")] }), []);
    for gaps in [vec![gap(1, "price")], vec![gap(0, " ")], vec![gap(0, "a"); 4]] {
        assert_ne!(FindGaps::check(&input, &Gaps { gaps }), []);
    }
    assert_eq!(FindGaps::rules(&input), Some(Gaps { gaps: vec![] }));
}

fn side(quote: &str, date: Option<&str>, weight: f64, independent: usize) -> Side {
    let date = date.map(str::to_owned);
    Side { quote: quote.to_owned(), title: "A".to_owned(), date, weight, independent }
}

#[test]
fn a_conflict_is_weighed_and_never_settled_by_a_hair() {
    let side = |weight, independent| side("It is 4.", None, weight, independent);
    let cases = [
        (side(0.9, 1), side(0.5, 1), Favours::Left),
        (side(0.5, 2), side(0.9, 1), Favours::Left),
        (side(0.9, 1), side(0.88, 1), Favours::Neither),
        (side(0.4, 1), side(0.9, 1), Favours::Right),
    ];
    for (left, right, expected) in cases {
        let sides = Sides { what: "4 against 5".to_owned(), left, right };
        let resolved = Resolve::rules(&sides).unwrap();
        assert_eq!(resolved.favours, expected, "{sides:?}");
        assert_eq!(Resolve::check(&sides, &resolved), []);
    }
}

#[test]
fn a_ground_must_hold_and_is_told_in_the_words_of_the_program() {
    let left = side("The register had 4,180 connected buildings.", Some("2026-02-26"), 0.9, 1);
    let right = side("The network had 4,310 buildings with a meter.", Some("2026-03-12"), 0.8, 2);
    let sides = Sides { what: "4,180 against 4,310".to_owned(), left, right };
    let said = |favours, ground, left_words: &str, right_words: &str| {
        let (left_words, right_words) = (left_words.to_owned(), right_words.to_owned());
        Resolved { favours, ground, left_words, right_words }
    };
    let scope = Ground::Scope;
    let hold = [
        (
            said(Favours::Right, Ground::Date, "", ""),
            "it is the later document (2026-03-12 against 2026-02-26)",
        ),
        (said(Favours::Left, Ground::Weight, "", ""), "its source weighs more (0.90 against 0.80)"),
        (said(Favours::Right, Ground::Confirmations, "", ""), "more independent sources say it"),
        (
            said(Favours::NoConflict, scope, "register", "with a meter"),
            "they do not speak of the same: \"register\" and \"with a meter\"",
        ),
    ];
    for (resolved, reason) in hold {
        assert_eq!(Resolve::check(&sides, &resolved), [], "{resolved:?}");
        assert_eq!(resolved.reason(&sides), reason);
    }
    for broken in [
        said(Favours::Left, Ground::Date, "", ""),
        said(Favours::Right, Ground::Weight, "", ""),
        said(Favours::Left, Ground::Confirmations, "", ""),
        said(Favours::Left, Ground::None, "", ""),
        said(Favours::NoConflict, Ground::None, "", ""),
        said(Favours::NoConflict, scope, "", ""),
        said(Favours::NoConflict, scope, "bankrupt", "with a meter"),
        said(Favours::NoConflict, scope, "buildings", "buildings"),
        said(Favours::Neither, Ground::Date, "", ""),
    ] {
        assert_ne!(Resolve::check(&sides, &broken), [], "{broken:?}");
    }
}

fn known(number: usize, statement: &str) -> KnownFact {
    KnownFact {
        label: format!("Fact-{number:03}"),
        source: "S01".to_owned(),
        statement: statement.to_owned(),
        quote: statement.to_owned(),
    }
}

fn ranked(number: usize, score: f64, answers: bool) -> RankedFact {
    RankedFact {
        label: format!("Fact-{number:03}"),
        score,
        answers,
        adds: true,
        near: !answers,
        ..RankedFact::default()
    }
}

fn to_write(facts: Vec<KnownFact>, parts: Vec<Vec<RankedFact>>) -> ToWrite {
    let part =
        |(part, facts): (usize, Vec<RankedFact>)| AskedPart { part, question: "What?".to_owned(), facts };
    ToWrite {
        question: Words::typed("How much wheat, and what does flour cost?"),
        parts: parts.into_iter().enumerate().map(part).collect(),
        facts,
        sources: vec![],
        conflicts: vec![],
    }
}

fn labels(sentences: &[Sentence]) -> Vec<&str> {
    sentences.iter().map(|sentence| sentence.facts[0].as_str()).collect()
}

#[test]
fn a_report_by_rules_answers_each_part_in_order_and_says_nothing_twice() {
    let facts = vec![
        known(1, "The mill grinds 40 tonnes of wheat a day."),
        known(2, "The mill grinds about 40 tonnes of wheat each day."),
        known(3, "The mill grinds 44 tonnes of wheat a day."),
        known(4, "A sack of flour costs 18 euros."),
        known(5, "Wheat comes by ship."),
    ];
    let wheat =
        vec![ranked(1, 0.9, true), ranked(2, 0.88, true), ranked(3, 0.85, true), ranked(5, 0.5, false)];
    let input = to_write(facts, vec![wheat, vec![ranked(4, 0.9, true), ranked(3, 0.2, false)]]);
    let draft = WriteReport::rules(&input).unwrap();
    assert_eq!(WriteReport::check(&input, &draft), []);
    assert_eq!(labels(&draft.parts[0].sentences), ["Fact-001", "Fact-003"]);
    assert_eq!(labels(&draft.parts[1].sentences), ["Fact-004"]);
    assert_eq!(labels(&draft.also), ["Fact-005"]);
}

#[test]
fn a_block_ends_where_the_next_fact_adds_little_or_the_words_are_used_up() {
    let long =
        |number: usize| known(number, &format!("{number} {}end.", format!("word{number} ").repeat(38)));
    let facts: Vec<KnownFact> = (1..=4).map(long).collect();
    let input = to_write(facts.clone(), vec![(1..=4).map(|number| ranked(number, 0.9, true)).collect()]);
    assert_eq!(labels(&WriteReport::rules(&input).unwrap().parts[0].sentences), ["Fact-001", "Fact-002"]);
    let input = to_write(facts, vec![vec![ranked(1, 0.9, true), ranked(2, 0.5, true)]]);
    assert_eq!(labels(&WriteReport::rules(&input).unwrap().parts[0].sentences), ["Fact-001"]);
}

#[test]
fn a_part_without_an_answer_is_empty_and_all_of_them_are_no_draft() {
    let facts = vec![known(1, "It grinds 40 tonnes."), known(2, "It is old.")];
    let input = to_write(facts.clone(), vec![vec![ranked(1, 0.9, true)], vec![ranked(2, 0.9, false)]]);
    let draft = WriteReport::rules(&input).unwrap();
    assert_eq!((draft.parts[0].sentences.len(), draft.parts[1].sentences.len()), (1, 0));
    assert_eq!(WriteReport::rules(&to_write(facts, vec![vec![ranked(1, 0.9, false)]])), None);
}

#[test]
fn a_draft_has_every_part_once() {
    let input = to_write(vec![known(1, "It is 4.")], vec![vec![ranked(1, 0.9, true)], vec![]]);
    let part = |part| PartDraft { part, sentences: vec![] };
    let draft = |parts: Vec<PartDraft>| Draft { parts, also: vec![] };
    assert_eq!(WriteReport::check(&input, &draft(vec![part(1), part(0)])), []);
    for parts in [vec![], vec![part(0)], vec![part(0), part(0), part(1)], vec![part(0), part(1), part(2)]] {
        assert_ne!(WriteReport::check(&input, &draft(parts)), []);
    }
}

/// All of them, each once, what says the same beside it.
#[test]
fn a_writer_is_shown_every_fact_once() {
    let mut facts: Vec<KnownFact> =
        (1..=80).map(|number| known(number, &format!("Pump {number} is old."))).collect();
    facts.push(known(81, "Pump 7 is very old."));
    let parts = vec![vec![ranked(7, 0.9, true), ranked(3, 0.2, false)], vec![ranked(7, 0.9, true)]];
    let text: Vec<String> = to_write(facts, parts).pieces().into_iter().map(|piece| piece.text).collect();
    let text = text.join("\n");
    for number in 1..=81 {
        assert_eq!(text.matches(&format!("Fact-{number:03} (")).count(), 1, "{number}");
    }
    assert!(text.contains("Fact-007 (S01): Pump 7 is old.\n  Fact-081 (S01) says the same"), "{text}");
}

#[test]
fn mended_sentences_have_numbers_that_were_rejected() {
    let rejected = Rejected { number: 2, text: "It is 5.".to_owned(), facts: vec![], why: "no".to_owned() };
    let input = ToMend { known: to_write(vec![], vec![]), rejected: vec![rejected] };
    let mended = |number| Mended { number, text: "It is 4.".to_owned(), facts: vec![] };
    let check = |sentences| MendSentences::check(&input, &Mending { sentences });
    assert_eq!(check(vec![]), []);
    assert_eq!(check(vec![mended(2)]), []);
    assert_ne!(check(vec![mended(1)]), []);
    assert_ne!(check(vec![mended(2), mended(2)]), []);
    assert_eq!(MendSentences::rules(&input), Some(Mending { sentences: vec![] }));
}

#[test]
fn a_block_goes_on_with_the_document_it_began_in() {
    let facts: Vec<KnownFact> =
        (1..=3).map(|number| known(number, &format!("Mill {number} grinds by water {number}."))).collect();
    let one = |number: usize, score: f64, source: usize| RankedFact { source, ..ranked(number, score, true) };
    let input = to_write(facts, vec![vec![one(1, 1.0, 1), one(2, 0.87, 2), one(3, 0.86, 1)]]);
    assert_eq!(labels(&WriteReport::rules(&input).unwrap().parts[0].sentences), ["Fact-001", "Fact-003"]);
}

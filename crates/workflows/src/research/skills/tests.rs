//! Each skill: its check against broken outputs, its twin on real text.

use baton_agents::skill::{Skill, Words};

use super::plan::{Part, Parts, PlanResearch, ToPlan, clauses};
use super::reflect::{Covered, FindGaps, Gaps, Missing, SoFar};
use super::resolve::{Favours, Resolve, Side, Sides};
use super::write::{About, Draft, KnownFact, ToWrite, WriteReport};

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
        to_plan("How big is it, what does it cost, and who owns it?", 2, &["A", "B"], &[]),
    ];
    for input in cases {
        let parts = PlanResearch::rules(&input).unwrap();
        assert_eq!(PlanResearch::check(&input, &parts), [], "{parts:?}");
    }
    let single =
        PlanResearch::rules(&to_plan("What is the default port?", 4, &["Server options"], &[])).unwrap();
    let names: Vec<&str> = single.dimensions.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["Answer", "Server options"]);
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

#[test]
fn a_conflict_is_weighed_and_never_settled_by_a_hair() {
    let side = |weight, independent| Side {
        quote: "It is 4.".to_owned(),
        title: "A".to_owned(),
        date: None,
        weight,
        independent,
    };
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

fn known(number: usize, statement: &str) -> KnownFact {
    KnownFact {
        label: format!("Fact-{number:03}"),
        source: "S01".to_owned(),
        statement: statement.to_owned(),
        quote: statement.to_owned(),
        score: 1.0,
    }
}

#[test]
fn a_report_by_rules_answers_every_part_first_and_says_nothing_twice() {
    let input = ToWrite {
        question: Words::typed("How much wheat, and what does flour cost?"),
        asked: 2,
        dimensions: vec![
            About {
                dimension: 0,
                name: "Wheat".to_owned(),
                facts: vec![
                    known(1, "The mill grinds 40 tonnes of wheat a day."),
                    known(2, "The mill grinds about 40 tonnes of wheat each day."),
                    known(3, "The mill grinds 44 tonnes of wheat a day."),
                ],
            },
            About {
                dimension: 1,
                name: "Cost".to_owned(),
                facts: vec![known(4, "A sack of flour costs 18 euros.")],
            },
        ],
    };
    let Draft { answer, sections } = WriteReport::rules(&input).unwrap();
    let labels: Vec<&str> = answer.iter().map(|sentence| sentence.facts[0].as_str()).collect();
    assert_eq!(labels, ["Fact-001", "Fact-004", "Fact-003"]);
    assert_eq!(sections, []);
}

#[test]
fn the_answer_stays_within_its_words_and_the_rest_goes_to_the_sections() {
    let long = |number: usize| known(number, &format!("{number} {}", format!("word{number} ").repeat(90)));
    let facts = (1..=6).map(long).collect();
    let about = About { dimension: 0, name: "Long".to_owned(), facts };
    let input = ToWrite { question: Words::typed("How long?"), asked: 1, dimensions: vec![about] };
    let Draft { answer, sections } = WriteReport::rules(&input).unwrap();
    assert_eq!((answer.len(), sections[0].sentences.len()), (3, 3));
}

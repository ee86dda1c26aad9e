//! What answers, and what only stands near.

use super::*;
use crate::research::files::tests::sample::{Sample, card, finding};

#[test]
fn a_document_about_the_thing_need_not_name_it_in_every_sentence() {
    let terms = "The connection fee for a single-family house is 4,800 euros including tax.\n\
                 Harlund Heat guarantees supply in 99.7 percent of the hours of a year for each building.\n";
    let other = "The connection fee for a house in Venna is 9,000 euros.\n";
    let mut sample = Sample::new("How reliable is Harlund, and what does a connection cost?");
    let cards = [
        card("Connection terms", "terms.md", terms, "2025-02-17", false),
        card("Fees elsewhere", "fees.md", other, "2025-02-17", false),
    ];
    sample.plan(crate::research::files::tests::sample::plan());
    sample.approve();
    sample.task("R1", |brought| {
        brought.sources = cards.to_vec();
        let lines: Vec<&str> = terms.lines().collect();
        brought.findings = vec![
            finding("R1.1", lines[0], &cards[0], terms, 0),
            finding("R1.2", lines[1], &cards[0], terms, 0),
            finding("R1.101", other.trim(), &cards[1], other, 0),
        ];
    });
    let facts = sample.memory.facts();
    let wanted = Wanted::of("what does a connection cost (Harlund)?", &facts);
    let fits: Vec<Standing> = facts.all().iter().map(|fact| wanted.fit(fact)).collect();
    assert!(fits[0].answers && !fits[1].answers, "{fits:?}");
    assert!(fits[0].score > fits[2].score, "{fits:?}");
}

#[test]
fn what_holds_only_if_something_happens_is_a_weaker_answer() {
    for conditional in
        ["It must be paid back if fewer than 8,000 are connected.", "12,000 are planned by 2035."]
    {
        assert!(is_conditional(conditional), "{conditional}");
    }
    assert!(!is_conditional("The network had 4,310 connected buildings."));
}

#[test]
fn the_reply_to_the_very_question_goes_before_what_has_its_words() {
    let text = "Have the old radiators balanced, so that they become warm enough.\n\
                Will my old radiators become warm enough? In nine out of ten houses, yes.\n";
    let mut sample = Sample::new("Will my old radiators become warm enough?");
    let page = card("Questions", "faq.html", text, "2025-02-17", false);
    sample.plan(crate::research::files::tests::sample::plan());
    sample.approve();
    sample.task("R1", |brought| {
        brought.sources = vec![page.clone()];
        let lines: Vec<&str> = text.lines().collect();
        brought.findings =
            vec![finding("R1.1", lines[0], &page, text, 0), finding("R1.2", lines[1], &page, text, 0)];
    });
    let facts = sample.memory.facts();
    let wanted = Wanted::of("Will my old radiators become warm enough?", &facts);
    let fits: Vec<Standing> = facts.all().iter().map(|fact| wanted.fit(fact)).collect();
    assert!(fits[1].score > fits[0].score + 0.2, "{fits:?}");
}

#[test]
fn what_lacks_a_word_of_the_question_is_another_matter() {
    let text = "In 2025 the network emitted 12,500 tonnes.\nIn 2025 the network avoided 29,200 tonnes.\n\
                The network emitted 13,000 tonnes in 2025.\n";
    let mut sample = Sample::new("How many tonnes did the network emit in 2025?");
    let page = card("Monitor", "monitor.md", text, "2026-02-17", false);
    sample.plan(crate::research::files::tests::sample::plan());
    sample.approve();
    sample.task("R1", |brought| {
        brought.sources = vec![page.clone()];
        let found = |(at, line)| finding(&format!("R1.{at}"), line, &page, text, 0);
        brought.findings = (1..).zip(text.lines()).map(found).collect();
    });
    let facts = sample.memory.facts();
    let wanted = Wanted::of("How many tonnes did the network emit in 2025?", &facts);
    let all = facts.all();
    assert!(wanted.is_same_matter(&all[0], &all[2]) && !wanted.is_same_matter(&all[0], &all[1]));
}

/// A short sentence is quoted with the one before it; either may be the answer.
#[test]
fn an_excerpt_answers_by_the_best_of_its_sentences() {
    let text = "The library counted 48,200 visitors in 2024. Loans rose to 91,000 items.\n";
    let mut sample = Sample::new("How many visitors did the library have in 2024?");
    let page = card("Report", "report.md", text, "2025-02-17", false);
    sample.plan(crate::research::files::tests::sample::plan());
    sample.approve();
    sample.task("R1", |brought| {
        brought.sources = vec![page.clone()];
        brought.findings = vec![finding("R1.1", text.trim(), &page, text, 0)];
    });
    let facts = sample.memory.facts();
    for (question, answers) in [
        ("How many visitors did the library have in 2024?", true),
        ("How many loans of items did the library have?", true),
        ("How many trees did the library plant?", false),
    ] {
        let wanted = Wanted::of(question, &facts);
        assert_eq!(wanted.fit(&facts.all()[0]).answers, answers, "{question}");
    }
}

#[test]
fn only_what_has_one_right_answer_can_be_disputed() {
    let sample = Sample::new("What is it?");
    let facts = sample.memory.facts();
    for (question, disputable) in [
        ("How many buildings are connected?", true),
        ("Which refrigerant do the plants use?", true),
        ("What is a transfer station?", false),
        ("How does a soft limit differ from a hard limit?", false),
    ] {
        assert_eq!(Wanted::of(question, &facts).is_disputable(), disputable, "{question}");
    }
}

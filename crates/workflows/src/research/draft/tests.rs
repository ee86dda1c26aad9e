//! What becomes of a draft: kept, mended, dropped with what leans on it, filled, and told with its other side.

use super::*;
use crate::research::files::tests::sample::{Sample, finished};
use crate::research::skills::write::{PartDraft, RankedFact};
use baton_agents::skill::Words;

const WARM: &str = "The Quayside network supplies water at 65 degrees Celsius.";
const FEE: &str = "The connection fee for a flat is 1,450 euros.";

fn input(sample: &Sample) -> ToWrite {
    let ranked = |label: &str| RankedFact {
        label: label.to_owned(),
        score: 1.0,
        answers: true,
        adds: true,
        ..RankedFact::default()
    };
    let asked = |part, question: &str, facts: &[&str]| AskedPart {
        part,
        question: question.to_owned(),
        facts: facts.iter().map(|label| ranked(label)).collect(),
    };
    ToWrite {
        question: Words::typed(&sample.memory.brief.topic),
        parts: vec![
            asked(0, "How warm is the water of Quayside?", &["Fact-001", "Fact-002"]),
            asked(1, "What does a connection cost?", &["Fact-003"]),
        ],
        facts: vec![],
        sources: vec![],
        conflicts: vec![],
    }
}

fn sentence(text: &str, fact: &str) -> Sentence {
    Sentence { text: text.to_owned(), facts: vec![fact.to_owned()] }
}

fn written(parts: [Vec<Sentence>; 2], mended: &[(usize, &str, &str)]) -> Report {
    let sample = finished();
    let facts = sample.memory.facts();
    let parts = parts.into_iter().enumerate().map(|(part, sentences)| PartDraft { part, sentences });
    let mut judged = JudgedDraft::of(Draft { parts: parts.collect(), also: vec![] }, &facts);
    let one = |(number, text, fact): &(usize, &str, &str)| Mended {
        number: *number,
        text: (*text).to_owned(),
        facts: vec![(*fact).to_owned()],
    };
    if !mended.is_empty() {
        judged.mend(mended.iter().map(one).collect(), &facts);
    }
    judged.report(&input(&sample), &sample.memory, "a-model".to_owned().into())
}

fn texts(report: &Report, block: usize) -> Vec<&str> {
    report.blocks[block].lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn what_leans_on_something_dropped_goes_with_it() {
    let report = written(
        [
            vec![sentence(WARM, "Fact-001")],
            vec![
                sentence("The connection fee for a flat is 9,000 euros.", "Fact-003"),
                sentence("This connection fee is 1,450 euros.", "Fact-003"),
                sentence(FEE, "Fact-003"),
            ],
        ],
        &[],
    );
    assert_eq!(texts(&report, 1), [FEE]);
    assert_eq!((report.dropped.len(), report.filled(), report.mended), (2, 0, 0));
}

#[test]
fn a_mended_sentence_stands_where_the_rejected_one_stood() {
    let report = written(
        [
            vec![sentence("The Quayside network supplies water at 90 degrees Celsius.", "Fact-001")],
            vec![sentence(FEE, "Fact-003")],
        ],
        &[(1, WARM, "Fact-001"), (2, "The fee is free.", "Fact-003"), (9, "Nothing.", "Fact-001")],
    );
    assert_eq!(texts(&report, 0)[0], WARM);
    assert_eq!(texts(&report, 1), [FEE]);
    assert_eq!((report.mended, report.dropped.len(), report.filled()), (1, 0, 0));
}

#[test]
fn a_part_that_lost_its_answer_gets_its_best_fact() {
    let report = written(
        [
            vec![sentence(WARM, "Fact-001")],
            vec![sentence("The Harlund network is bankrupt and has been sold.", "Fact-003")],
        ],
        &[(2, "The network is bankrupt.", "Fact-003")],
    );
    assert_eq!(texts(&report, 1), [FEE]);
    assert!(report.blocks[1].filled && !report.blocks[0].filled);
    assert_eq!((report.dropped.len(), report.filled()), (1, 1));
}

/// The writer was asked and left it out: what remains is what it wants to say.
#[test]
fn what_its_writer_gave_up_is_not_filled() {
    let report = written(
        [
            vec![
                sentence(WARM, "Fact-001"),
                sentence("The Quayside network is proud of its 70 degrees Celsius.", "Fact-002"),
            ],
            vec![sentence("The fee is a bargain.", "Fact-003")],
        ],
        &[(3, "The connection fee is low.", "Fact-003")],
    );
    // The other side of a disagreement is told whoever writes.
    assert_eq!(texts(&report, 0), [WARM, "The Quayside network supplies water at 70 degrees Celsius."]);
    assert_eq!(texts(&report, 1), [FEE]);
    assert!(!report.blocks[0].filled && report.blocks[1].filled);
}

/// The other temperature answers too and was lost with its sentence: it comes back, behind the answer that stands.
#[test]
fn a_part_that_kept_its_answer_keeps_it_first() {
    let report = written(
        [
            vec![
                sentence(WARM, "Fact-001"),
                sentence("The Quayside network is proud of its 70 degrees Celsius.", "Fact-002"),
            ],
            vec![sentence(FEE, "Fact-003")],
        ],
        &[],
    );
    assert_eq!(texts(&report, 0), [WARM, "The Quayside network supplies water at 70 degrees Celsius."]);
    assert!(report.blocks[0].filled);
}

#[test]
fn a_part_nothing_answers_stays_empty() {
    let sample = finished();
    let mut input = input(&sample);
    input.parts[1].facts.clear();
    let draft = Draft {
        parts: vec![PartDraft { part: 0, sentences: vec![sentence(WARM, "Fact-001")] }],
        also: vec![],
    };
    let judged = JudgedDraft::of(draft, &sample.memory.facts());
    let report = judged.report(&input, &sample.memory, Answerer::Rules);
    assert_eq!((report.gaps().collect::<Vec<_>>(), report.filled()), (vec![1], 0));
}

/// The report where nothing answers what a flat costs, and the search held one sentence back.
fn held_back(statement: &str) -> (Sample, Report) {
    let mut sample = finished();
    let mut input = input(&sample);
    input.parts[1].facts.clear();
    let fact = sample.memory.findings.values().find(|found| found.part == 1);
    let mut near = fact.or_else(|| sample.memory.findings.values().next()).cloned().unwrap();
    near.part = 1;
    (near.fact.id, near.fact.statement, near.fact.quote) =
        ("S2.1".to_owned(), statement.to_owned(), statement.to_owned());
    near.fact.ranges = std::iter::once(9000..9000 + statement.len()).collect();
    sample.memory.findings.retain(|_, found| found.part != 1);
    sample.memory.nearest.insert("S2.1".to_owned(), near);
    let draft = Draft { parts: vec![], also: vec![] };
    let judged = JudgedDraft::of(draft, &sample.memory.facts());
    let report = judged.report(&input, &sample.memory, Answerer::Rules);
    (sample, report)
}

#[test]
fn what_comes_nearest_is_shown_and_is_no_answer() {
    let statement = "A connection is paid for by the owner of the house.";
    let (sample, report) = held_back(statement);
    let block = &report.blocks[1];
    assert_eq!(block.nearest.as_ref().map(|line| line.text.as_str()), Some(statement));
    assert!(block.lines.is_empty() && report.gaps().any(|gap| gap == 1));
    assert!(report.lines().all(|line| line.text != statement));
    assert!(sample.memory.facts().fact("S2.1").is_none());
}

#[test]
fn what_has_nothing_of_the_subject_is_not_near() {
    let (_, report) = held_back("The choir sings on Sundays.");
    assert_eq!(report.blocks[1].nearest, None);
}

#[test]
fn a_disagreement_about_the_very_thing_stands_in_its_block_with_both_sides() {
    let report = written([vec![sentence(WARM, "Fact-001")], vec![sentence(FEE, "Fact-003")]], &[]);
    assert_eq!(texts(&report, 0), [WARM, "The Quayside network supplies water at 70 degrees Celsius."]);
    assert_eq!(report.blocks[0].disputes, ["R1.1~R1.101"]);
    assert!(report.blocks[1].disputes.is_empty());
}

#[test]
fn nothing_is_said_twice() {
    let report = written(
        [vec![sentence(WARM, "Fact-001"), sentence(WARM, "Fact-001")], vec![sentence(FEE, "Fact-003")]],
        &[],
    );
    assert_eq!(texts(&report, 0).iter().filter(|text| **text == WARM).count(), 1);
    assert_eq!(report.dropped, []);
}

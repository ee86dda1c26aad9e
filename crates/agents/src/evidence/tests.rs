//! What is refused, what is found, and how often the conflict rules are right.

use std::collections::HashMap;

use serde::Deserialize;

use super::conflict::{ConflictKind, Statement, conflict};
use super::source::freshness;
use super::*;
use crate::hash::sha256_hex;
use crate::read::archive::Archive;
use crate::rules::dates::Date;
use crate::search::Location;

const TODAY: Date = Date { year: 2026, month: 6, day: 1 };
const TEXT: &str = "Chapter 1\n\nThe “default” limit of the Acme\n   server is 2,000 columns. It was set on 4 March 2016 and isn’t changed at run time.\n";

fn source(id: &str, text: &str, date: Option<&str>) -> Source {
    Source {
        id: id.to_owned(),
        location: Location::Url("https://www.example.gov/limits".to_owned()),
        title: "Limits".to_owned(),
        date: date.map(str::to_owned),
        authority: Authority::Official,
        raw_hash: sha256_hex(text.as_bytes()),
        text_hash: sha256_hex(text.as_bytes()),
    }
}

fn try_fact(statement: &str, quote: &str) -> Result<Fact, Refusal> {
    admit("f1", statement, quote, &source("s1", TEXT, None), TEXT, 0.9)
}

#[test]
fn a_quote_is_found_across_line_breaks_and_quotation_marks() {
    let fact = try_fact(
        "The default limit is 2000 columns.",
        "The \"default\" limit of the Acme server is 2,000 columns.",
    )
    .unwrap();
    assert_eq!(&TEXT[fact.ranges[0].clone()], "The “default” limit of the Acme\n   server is 2,000 columns.");
}

#[test]
fn a_quote_that_is_not_there_is_refused() {
    let refusal = try_fact("The limit is high.", "The limit of the Acme server is high.").unwrap_err();
    assert_eq!(refusal.to_string(), "the quote is not in s1: \"The limit of the Acme server is high.\"");
}

#[test]
fn numbers_dates_and_names_must_be_in_the_quote() {
    let quote = "limit of the Acme server is 2,000 columns. It was set on 4 March 2016";
    assert_eq!(
        try_fact("The limit is 3000 columns.", quote).unwrap_err().to_string(),
        "the number 3000 is not in the quote"
    );
    assert_eq!(
        try_fact("It was set on 5 March 2016.", quote).unwrap_err().to_string(),
        "the date 5 March 2016 is not in the quote"
    );
    assert_eq!(
        try_fact("The limit of Globex is 2000.", quote).unwrap_err().to_string(),
        "the name Globex is not in the quote"
    );
    assert!(try_fact("The limit of the Acme server is two thousand columns.", quote).is_ok());
    assert_eq!(
        try_fact("The limit of the Acme server is a scandal.", quote).unwrap_err().to_string(),
        "the quote does not carry the statement: the quote does not say \"scandal\""
    );
}

#[test]
fn a_unit_may_not_change() {
    let text = "The wait is 30 seconds.";
    let refused = admit("f", "The wait is 30 minutes.", text, &source("s", text, None), text, 1.0);
    assert_eq!(refused.unwrap_err().to_string(), "the number 30 minutes is not in the quote");
}

#[test]
fn empty_statements_and_odd_confidence_are_refused() {
    assert_eq!(try_fact(" ", "columns").unwrap_err(), Refusal::Empty);
    let odd = admit("f", "Columns.", "columns", &source("s", TEXT, None), TEXT, 1.5);
    assert_eq!(odd.unwrap_err().to_string(), "the confidence 1.5 is not between 0 and 1");
}

#[test]
fn weight_is_authority_and_freshness() {
    assert!((weight(&source("s", "", Some("2026-01-10")), TODAY) - 1.0).abs() < 1e-9);
    assert!((weight(&source("s", "", Some("2010")), TODAY) - 0.72).abs() < 1e-9);
    assert_eq!((freshness(Some("2025-01"), TODAY), freshness(None, TODAY)), (0.8, 0.3));
    assert_eq!(Authority::of(&Location::Url("https://blog.example.com/x".to_owned())).tier(), Tier::Three);
    assert_eq!(Authority::of(&Location::Url("https://www.cs.ox.ac.uk/x".to_owned())), Authority::Official);
}

#[test]
fn copies_of_one_text_count_once() {
    let original = "The reactor produced 300 megawatts in its first year of operation, said the operator in a note to the press on Monday morning after the test.";
    let copy = format!("{original} ");
    let other = "According to measurements of the grid, the reactor delivered a mean of 300 megawatts during year one, which agrees with the design.";
    let texts: HashMap<String, String> = [("a", original.to_owned()), ("b", copy), ("c", other.to_owned())]
        .map(|(id, text)| (id.to_owned(), text))
        .into();
    let fact = |id: &str, source: &str| Fact {
        id: id.to_owned(),
        statement: "The reactor produced 300 megawatts.".to_owned(),
        quote: String::new(),
        source: source.to_owned(),
        ranges: vec![],
        confidence: 1.0,
    };
    let support = corroborate(&[fact("1", "a"), fact("2", "b"), fact("3", "c")], &texts);
    assert_eq!(support.len(), 1);
    assert_eq!((support[0].sources.len(), support[0].independent), (3, 2));
}

#[test]
fn a_document_is_verified_offline() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::new(folder.path());
    let hash = archive.put(TEXT.as_bytes()).unwrap();
    let (source, fact) = (
        source("s1", TEXT, None),
        try_fact("The limit is 2000 columns.", "limit of the Acme server is 2,000 columns").unwrap(),
    );
    let claim = |text: &str, facts: &[&str]| Claim {
        text: text.to_owned(),
        facts: facts.iter().map(|f| (*f).to_owned()).collect(),
    };
    let good = [claim("The limit is 2000 columns.", &["f1"])];
    assert_eq!(verify(&good, std::slice::from_ref(&fact), std::slice::from_ref(&source), &archive), vec![]);

    let bad =
        [claim("It is so.", &[]), claim("The limit is 2000.", &["f9"]), claim("The limit is 9000.", &["f1"])];
    let findings = verify(&bad, std::slice::from_ref(&fact), std::slice::from_ref(&source), &archive);
    assert!(
        matches!(
            &findings[..],
            [
                EvidenceFlaw::Uncited { .. },
                EvidenceFlaw::UnknownFact { .. },
                EvidenceFlaw::Unsupported { .. }
            ]
        ),
        "{findings:?}"
    );

    let moved = Fact { ranges: std::iter::once(0..9).collect(), ..fact.clone() };
    assert_eq!(
        verify(&[], &[moved], std::slice::from_ref(&source), &archive),
        vec![EvidenceFlaw::QuoteMoved { fact: "f1".to_owned() }]
    );

    let file = folder.path().join(&hash[..2]).join(&hash);
    std::fs::write(file, "something else").unwrap();
    let findings = verify(&good, &[fact], &[source], &archive);
    assert!(
        matches!(&findings[..], [EvidenceFlaw::Archive { reason, .. }] if reason.contains("has been changed")),
        "{findings:?}"
    );
}

#[derive(Deserialize)]
struct Pair {
    conflict: bool,
    left: String,
    right: String,
    left_date: Option<String>,
    right_date: Option<String>,
}

#[test]
fn conflict_rules_are_precise_and_find_most() {
    let pairs: Vec<Pair> =
        serde_json::from_str(include_str!("../../tests/data/conflict_pairs.json")).unwrap();
    assert_eq!(pairs.len(), 40);
    let (mut right, mut wrong, mut missed) = (0, Vec::new(), Vec::new());
    for pair in &pairs {
        let left = Statement { id: "left", text: &pair.left, date: pair.left_date.as_deref() };
        let other = Statement { id: "right", text: &pair.right, date: pair.right_date.as_deref() };
        match (conflict(&left, &other), pair.conflict) {
            (Some(_), true) => right += 1,
            (Some(found), false) => wrong.push((&pair.left, &pair.right, found.explanation)),
            (None, true) => missed.push((&pair.left, &pair.right)),
            (None, false) => {}
        }
    }
    let precision = f64::from(right) / (f64::from(right) + wrong.len() as f64);
    let recall = f64::from(right) / (f64::from(right) + missed.len() as f64);
    println!("conflicts: precision {precision:.3}, recall {recall:.3}");
    assert!(
        precision > 0.9 && recall > 0.8,
        "precision {precision:.2} recall {recall:.2}\nwrong: {wrong:#?}\nmissed: {missed:#?}"
    );
}

#[test]
fn a_later_document_supersedes_an_earlier_one() {
    let old = Statement { id: "old", text: "The default page size is 1024 bytes.", date: Some("2012") };
    let new = Statement { id: "new", text: "The default page size is 4096 bytes.", date: Some("2016-03-29") };
    let found = conflict(&new, &old).unwrap();
    assert_eq!((found.kind, found.later.as_deref()), (ConflictKind::Superseded, Some("new")));
    assert_eq!(found.explanation, "4096 bytes against 1024 bytes; new comes from the later document");
}

#[test]
fn a_sentence_holds_if_its_quotes_carry_it() {
    let quote = "The Lode mill grinds 40 tonnes of wheat a day.";
    let carried = [
        "The Lode mill grinds 40 tonnes of wheat a day.",
        "A day, the mill grinds 40 tonnes of wheat.",
        "According to the report, the mill grinds 40 tonnes a day.",
    ];
    for sentence in carried {
        assert_eq!(carries(sentence, &[quote]), Ok(()), "{sentence}");
    }
    let dropped = [
        "The Lode mill grinds 41 tonnes of wheat a day.",
        "The Lode mill never grinds 40 tonnes of wheat a day.",
        "The mill of Napoleon grinds 40 tonnes of wheat a day.",
        "Experts praise the beauty of the mill.",
        "In March 2021 the mill ground 40 tonnes of wheat a day.",
        "",
    ];
    for sentence in dropped {
        assert!(carries(sentence, &[quote]).is_err(), "{sentence}");
    }
}

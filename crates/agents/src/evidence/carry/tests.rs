//! What quotes carry and what they do not: the pairs of a file, the lies and the honest sentences that made the gate, and
//! any text at all.

mod near;

use proptest::prelude::*;
use serde::Deserialize;

use super::{Quotes, Verdict, carries, judge};

#[derive(Deserialize)]
struct Pair {
    quotes: Vec<String>,
    sentence: String,
    carried: bool,
    kind: String,
}

#[test]
fn every_pair_of_the_file_is_judged_right() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("../../../tests/data/claims.jsonl").lines() {
        let pair: Pair = serde_json::from_str(line).unwrap();
        let quotes: Vec<&str> = pair.quotes.iter().map(String::as_str).collect();
        let verdict = judge(&pair.sentence, &quotes);
        count += 1;
        if matches!(verdict, Verdict::Carried { .. }) != pair.carried {
            wrong.push(format!("{}: {} {verdict:?}", pair.kind, pair.sentence));
        }
    }
    assert!(count >= 120, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const COUNT: &str = "At the end of 2025 the Harlund network had 4,310 connected buildings.";
const OTHER_COUNT: &str = "The Harlund network had 4,180 connected buildings at the end of 2025.";
const HOUSE: &str = "The connection fee for a single-family house is 4,800 euros including tax.";
const APARTMENTS: &str = "The connection fee for an apartment building is 340 euros per kW of ordered capacity, at least 8,000 euros.";
const WORK: &str = "Planned work that interrupts supply takes place between May and September and is announced ten days before.";
const FEE_REASON: &str = "Owners named the fee as the main reason for waiting.";

#[test]
fn the_lies_that_once_passed_are_refused() {
    let lies: &[(&str, &[&str])] = &[
        ("The Harlund network is bankrupt and has been sold.", &[COUNT]),
        ("The Harlund network is bankrupt and has been sold.", &[COUNT, OTHER_COUNT, HOUSE]),
        ("The connection fee for a single-family house is 8,000 euros.", &[HOUSE, APARTMENTS]),
        ("The Harlund network had 4,800 connected buildings at the end of 2025.", &[COUNT, HOUSE]),
        (
            "The Harlund network did not have 4,310 connected buildings at the end of 2025.",
            &[COUNT, OTHER_COUNT],
        ),
        ("There is no connection fee for a single-family house.", &[HOUSE, APARTMENTS]),
        ("The Harlund network had 310 connected buildings at the end of 2025.", &[COUNT]),
        ("The managers hid the true count.", &[COUNT, OTHER_COUNT]),
    ];
    for (sentence, quotes) in lies {
        assert!(carries(sentence, quotes).is_err(), "{sentence}");
    }
}

#[test]
fn the_honest_sentences_that_were_dropped_are_carried() {
    let honest: &[(&str, &[&str])] = &[
        (
            "Two counts exist: 4,310 connected buildings at the end of 2025 by one source, 4,180 by another.",
            &[COUNT, OTHER_COUNT],
        ),
        ("The annual report says 4,310 while the statistics bulletin counts 4,180.", &[COUNT, OTHER_COUNT]),
        (
            "The connection fee for an apartment building is 340 euros per kW of ordered capacity, never less than 8,000 euros.",
            &[APARTMENTS],
        ),
        (
            "Scheduled maintenance that interrupts supply takes place between May and September and is announced ten days before.",
            &[WORK],
        ),
        ("Owners named the fee as the main reason to hold off.", &[FEE_REASON]),
        (
            "According to the annual report, the Harlund network had 4,310 connected buildings at the end of 2025.",
            &[COUNT],
        ),
    ];
    for (sentence, quotes) in honest {
        assert_eq!(carries(sentence, quotes), Ok(()), "{sentence}");
    }
}

#[test]
fn a_refusal_says_what_is_different() {
    let cases = [
        (
            "The Harlund network had 4,300 connected buildings at the end of 2025.",
            "it says \"4,300\" where the quote says \"4,310\"",
        ),
        (
            "The Harlund network never had 4,310 connected buildings at the end of 2025.",
            "it denies what the quote says",
        ),
        (
            "The Harlund network had 4,310 beautiful connected buildings at the end of 2025.",
            "the quote does not say \"beautiful\"",
        ),
    ];
    for (sentence, why) in cases {
        assert_eq!(carries(sentence, &[COUNT]), Err(why.to_owned()));
    }
    assert_eq!(
        judge("The Harlund network had 4,300 connected buildings at the end of 2025.", &[COUNT]),
        Verdict::Contradicted { by: 0, why: "it says \"4,300\" where the quote says \"4,310\"".to_owned() }
    );
    assert_eq!(judge("", &[COUNT]), Verdict::NotCarried { why: "it says nothing".to_owned() });
    assert_eq!(judge("It is so.", &[]), Verdict::NotCarried { why: "it cites nothing".to_owned() });
}

#[test]
fn the_quotes_that_carry_are_named() {
    let quotes = [HOUSE, COUNT, WORK];
    let both = "At the end of 2025 the Harlund network had 4,310 connected buildings; the connection fee for a single-family house is 4,800 euros including tax.";
    assert_eq!(judge(both, &quotes), Verdict::Carried { by: vec![0, 1] });
    assert_eq!(judge(WORK, &quotes), Verdict::Carried { by: vec![2] });
}

#[test]
fn the_lines_of_a_quote_belong_together() {
    let heading = "Northgate plant\nIt has two heat pumps of 12 MW each.";
    assert_eq!(carries("The Northgate plant has two heat pumps of 12 MW each.", &[heading]), Ok(()));
    let antecedent =
        "The Quayside plant takes heat from the River Venna.\nIt has three heat pumps of 6 MW each.";
    assert_eq!(carries("The Quayside plant has three heat pumps of 6 MW each.", &[antecedent]), Ok(()));
    assert!(carries("The Northgate plant has three heat pumps of 6 MW each.", &[antecedent]).is_err());
    let broken = "The default limit of the Acme\n  server is 2,000 columns.";
    assert_eq!(carries("The default limit of the Acme server is 2,000 columns.", &[broken]), Ok(()));
}

#[test]
fn other_languages_are_carried_word_for_word_alone() {
    let quotes = [
        "Die Anschlussgebühr beträgt 4.800 Euro für ein Einfamilienhaus und wird nicht erstattet.",
        "Le réseau ne compte pas plus de 4 310 bâtiments raccordés à la fin de 2025.",
        "La red no tiene nunca más de 4.310 edificios conectados en 2025.",
    ];
    let carried = [
        "Die Anschlussgebühr beträgt 4.800 Euro für ein Einfamilienhaus und wird nicht erstattet.",
        "Die Anschlussgebühr beträgt 4.800 Euro für ein Einfamilienhaus.",
        "Le réseau ne compte pas plus de 4 310 bâtiments raccordés.",
        "La red no tiene nunca más de 4.310 edificios conectados.",
    ];
    for sentence in carried {
        assert_eq!(carries(sentence, &quotes), Ok(()), "{sentence}");
    }
    let refused = [
        "Die Anschlussgebühr beträgt 4.300 Euro für ein Einfamilienhaus.",
        "Die Anschlussgebühr beträgt 4.800 Euro für ein Einfamilienhaus und wird erstattet.",
        "Die Anschlussgebühr beträgt nicht 4.800 Euro für ein Einfamilienhaus.",
        "Die Anschlussgebühr beträgt 4.800 Euro für jedes Haus.",
        "Le réseau compte plus de 4 310 bâtiments raccordés.",
        "Le réseau ne compte pas plus de 4 180 bâtiments raccordés.",
        "La red tiene más de 4.310 edificios conectados.",
        "La red está en quiebra y no tiene edificios.",
    ];
    for sentence in refused {
        assert!(carries(sentence, &quotes).is_err(), "{sentence}");
    }
}

#[test]
fn a_sentence_of_another_language_is_never_carried_by_an_english_quote() {
    assert!(carries("Das Netz hatte 4,310 Gebäude am Ende von 2025.", &[COUNT]).is_err());
}

proptest! {
    #[test]
    fn any_text_is_judged_without_a_panic(sentence in "\\PC{0,120}", quotes in prop::collection::vec("\\PC{0,120}", 0..4)) {
        let quotes: Vec<&str> = quotes.iter().map(String::as_str).collect();
        let _ = judge(&sentence, &quotes);
    }

    #[test]
    fn any_words_of_the_lists_are_judged_without_a_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "the", "not", "4,310", "-3", "€5", "two", "and", "a", "half", "of", "which", "that", "if", ",", "(", ")", ";", ":", "is",
                "was", "more", "than", "at", "least", "up", "to", "50", "percent", "per", "kWh", "each", "day", "only", "because", "n't",
                "isn't", "plant", "costs", "in", "2025", "11 February 2025", "may", "said", "that", "between", "or", "fewer", "one", "—", "“", "3.4.5",
                "some", "most", "many", "nothing", "nobody", "all", "can", "must", "should", "it", "they", "this", "neither", "nor", "who",
                "when", "so", "he", "there", "be", "been", "by", "has", "do", "while", "unless", "except", "from", "under", "fail", "open", ".",
            ]),
            0..30,
        ),
        cut in 0_usize..30,
    ) {
        let cut = cut.min(words.len());
        let (quote, sentence) = (words[cut..].join(" "), words[..cut].join(" "));
        let read = Quotes::new(&[&quote, &sentence]);
        let _ = read.judge(&sentence);
        let _ = read.judge(&words.join(" "));
    }

    #[test]
    fn a_quote_carries_itself(quote in "[A-Z][a-z]{2,9}( [a-z]{2,9}){1,8}\\.") {
        prop_assert_eq!(carries(&quote, &[&quote]), Ok(()));
    }
}

#[test]
fn a_hard_space_behind_a_currency_is_one_space() {
    let quote = "The fee is €\u{a0}4,800.";
    assert_eq!(carries("The fee is € 4,800.", &[quote]), Ok(()));
    assert!(carries("The fee is € 48.", &["¥\u{a0}N", quote]).is_err());
}

#[test]
fn an_entry_of_an_option_list_speaks_of_its_own_option() {
    let entry = "-V vi Enable the built-in vi(1) command line editor (disables -E if it has been set).";
    assert!(carries("The -V option enables the built-in vi command line editor.", &[entry]).is_ok());
    assert!(carries("The -E option enables the built-in vi command line editor.", &[entry]).is_err());
    let long = "-r, --recursive Copy folders and what is in them.";
    assert!(carries("-r, --recursive Copy folders and what is in them.", &[long]).is_ok());
    let other = "-p Copy folders and what is in them.";
    let judged = judge("-r, --recursive Copy folders and what is in them.", &[other, long]);
    assert_eq!(judged, Verdict::Carried { by: vec![1] });
    let two = "The editor is off.\n-V vi\nEnable the built-in vi command line editor (disables -E if it has been set).";
    assert!(carries("The -E option enables the built-in vi command line editor.", &[two]).is_err());
    // A dash in a text is no option.
    assert!(carries("Heat is sold - mostly to houses.", &["- Heat is sold - mostly to houses."]).is_ok());
}

//! What quotes carry and what they do not: the pairs of a file, the lies and the honest sentences that made the gate, and
//! any text at all.

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

/// A sentence near its quote, and the lie beside it.
type Near = (&'static str, &'static [&'static str], &'static [&'static str]);

fn told_apart(cases: &[Near]) {
    for (quote, honest, lies) in cases {
        for sentence in *honest {
            assert_eq!(carries(sentence, &[quote]), Ok(()), "{sentence}");
        }
        for sentence in *lies {
            assert!(carries(sentence, &[quote]).is_err(), "{sentence}");
        }
    }
}

#[test]
fn short_forms_and_dashes_are_ways_of_writing() {
    told_apart(&[
        (
            "Within family records, you are not allowed to use 0 FAM lines.",
            &["You aren't allowed to use 0 FAM lines within family records."],
            &["You are allowed to use 0 FAM lines within family records."],
        ),
        (
            "When a pool is converted between two levels an intermediate layout is used.",
            &["When a pool's converted between two levels, an intermediate layout is used."],
            &["When a pool's converted between two levels, no intermediate layout is used."],
        ),
        (
            "Borg does not support unauthenticated encryption -- only authenticated encryption schemes are supported.",
            &["Only authenticated encryption schemes are supported."],
            &[
                "Authenticated encryption schemes are supported and Borg supports unauthenticated encryption.",
                "Authenticated encryption schemes are not supported.",
                "Only unauthenticated encryption is supported.",
            ],
        ),
        (
            "The amount that is lent out is called the principal.",
            &["The amount lent out is called the principal."],
            &["The amount lent out is not called the principal."],
        ),
        (
            "If it is found, the client will not be able to read any of the data.",
            &["If it is found, the client cannot read any of the data."],
            &[
                "If it is found, the client can read any of the data.",
                "The client cannot read any of the data.",
            ],
        ),
        (
            "On 2 April 1993, a day that traders call Marlboro Friday, the company cut its price by 40 cents.",
            &["On 2 April 1993, which traders call Marlboro Friday, the company cut its price by 40 cents."],
            &[
                "On 2 April 1993, which traders call Marlboro Friday, the company raised its price by 40 cents.",
            ],
        ),
    ]);
}

#[test]
fn clauses_and_alternatives_change_places_as_wholes() {
    told_apart(&[
        (
            "When FontForge creates a TrueType font it will round all coordinates to integers.",
            &["FontForge rounds all coordinates to integers when it creates a TrueType font."],
            &[
                "FontForge rounds all coordinates to integers.",
                "FontForge creates a TrueType font when it rounds all coordinates to integers.",
                "A TrueType font rounds all coordinates to integers when it creates FontForge.",
            ],
        ),
        (
            "As data is only appended, and nothing removed, commands like prune or delete won’t free disk space, they merely tag data as deleted.",
            &[
                "Commands like prune or delete won't free disk space, as data is only appended and nothing is removed; they merely tag data as deleted.",
            ],
            &[
                "Commands like prune or delete won't free disk space, as data is only removed and nothing is appended; they merely tag data as deleted.",
            ],
        ),
        (
            "The spell does not affect spells which are cast on the same turn nor does it affect monsters.",
            &["The spell affects neither monsters nor spells that are cast on the same turn."],
            &[
                "The spell affects monsters and does not affect spells that are cast on the same turn.",
                "The spell affects neither monsters nor spells.",
            ],
        ),
        (
            "Auxiliary attacks (such as the sting's slap or the horn of a bull) are not affected by the skill.",
            &[
                "Auxiliary attacks, such as a bull's horn or the slap of the sting, aren't affected by the skill.",
            ],
            &[
                "Auxiliary attacks, such as a sting's horn or the slap of the bull, aren't affected by the skill.",
                "The skill isn't affected by auxiliary attacks, such as a bull's horn.",
            ],
        ),
        (
            "The project claims no authority over an organisation that holds assets for it.",
            &["The project doesn't claim any authority over an organisation that holds assets for it."],
            &["The project claims any authority over an organisation that holds assets for it."],
        ),
    ]);
}

#[test]
fn statements_are_told_apart_however_they_are_joined() {
    told_apart(&[
        (
            "Also keep in mind that Borg will keep an exclusive lock on the repository while deleting archives, which may make simultaneous backups fail.",
            &[
                "Borg will keep an exclusive lock on the repository while deleting archives, and the lock may make simultaneous backups fail.",
            ],
            &[
                "Borg will keep an exclusive lock on the repository while deleting archives, and the repository may make simultaneous backups fail.",
                "Borg will keep an exclusive lock on the repository while deleting archives, and the lock will make simultaneous backups fail.",
            ],
        ),
        (
            "If you run borg prune, it will also care for deleting unneeded checkpoints.",
            &["Running borg prune will also care for deleting unneeded checkpoints."],
            &[
                "Borg prune will not care for deleting unneeded checkpoints.",
                "Deleting unneeded checkpoints will also care for borg prune.",
            ],
        ),
        (
            "NULL (nodata) cells are ignored, zero and negative values are valid elevation data.",
            &["Zero and negative values are valid elevation data, whereas NULL cells are ignored."],
            &["NULL cells are valid elevation data, whereas zero and negative values are ignored."],
        ),
        (
            "A repository does not hide the size of the chunks it stores (size information is needed to operate the repository).",
            &[
                "A repository does not hide the size of the chunks it stores; the size information is needed to operate the repository.",
            ],
            &[
                "A repository hides the size of the chunks it stores; the size information is needed to operate the repository.",
            ],
        ),
        (
            "A size of 0 means automatic, so the size will be computed according to the content.",
            &["A size of 0 means automatic: the size is computed according to the content."],
            &["A size of 0 means automatic: the content is computed according to the size."],
        ),
        (
            "Because sales are counted where the pack is sold, a state with cheap cigarettes can show a consumption that its own residents never reach.",
            &[
                "Sales are counted where the pack is sold, so a state with cheap cigarettes can show a consumption that its own residents never reach.",
            ],
            &[
                "A state with cheap cigarettes can show a consumption that its own residents never reach, so sales are counted where the pack is sold.",
            ],
        ),
        (
            "Kentucky sold about 173 packs per head in 1995, more than any other state. Utah sold 49 packs per head in the same year.",
            &["Utah sold 49 packs per head in 1995."],
            &["Utah sold 173 packs per head in 1995.", "Utah sold 49 packs per head in 1996."],
        ),
        (
            "On 2 April 1993 Philip Morris cut the price by 40 cents. Its rivals followed within weeks.",
            &["The rivals of Philip Morris followed within weeks."],
            &["Philip Morris followed within weeks."],
        ),
    ]);
}

#[test]
fn what_is_told_in_another_frame_is_the_same() {
    told_apart(&[
        (
            "To remove an unwanted message, click on the message and then on Delete.",
            &["An unwanted message can be removed by clicking on the message and then on Delete."],
            &[
                "An unwanted message can be removed by clicking on Delete and then on Restore.",
                "An unwanted message can be restored by clicking on the message and then on Delete.",
                "A message can be clicked by removing Delete.",
            ],
        ),
        (
            "To quickly remove all user-defined defaults use the reset function.",
            &["All user-defined defaults can be removed quickly with the reset function."],
            &["All user-defined defaults can be added quickly with the reset function."],
        ),
        (
            "If it detects that a repository has been modified it will need to rebuild the cache. This rebuild can be quite time consuming.",
            &[
                "If it detects that a repository has been modified, it will need to rebuild the cache, which can be quite time consuming.",
            ],
            &[
                "If it detects that a repository has been modified, it will need to rebuild the cache, which is not time consuming.",
                "It will need to rebuild the cache, which can be quite time consuming.",
            ],
        ),
        (
            "An attacker who manages to compromise the host cannot read the data.",
            &["An attacker who compromises the host cannot read the data."],
            &["An attacker cannot read the data.", "An attacker who compromises the host can read the data."],
        ),
    ]);
    let quotes = [
        "The Hunter is a type of fighter who specialises in missile weapons.",
        "A Hunter starts with a short sword and a set of leathers.",
        "The Mage starts with a staff.",
    ];
    let honest = "The Hunter, a type of fighter who specialises in missile weapons, starts with a short sword and a set of leathers.";
    assert_eq!(carries(honest, &quotes), Ok(()));
    let lie = "The Mage, a type of fighter who specialises in missile weapons, starts with a staff.";
    assert!(carries(lie, &quotes).is_err());
}

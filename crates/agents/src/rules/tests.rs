//! The toolkit on labelled text and on the cases that break naive versions of it.

use super::answer::asked;
use super::dates::{Date, dates, parse};
use super::duplicates::{COPY, Sketch, groups};
use super::expand::expansion;
use super::pages::View;
use super::phrases::key_phrases;
use super::quantities::{Dimension, quantities};
use super::question::ParsedQuestion;
use super::rank::{Candidate, Rarity, best_coverage, choose_sentences, passages};
use super::readability::readability;
use super::sentences::sentences;
use super::structure::outline;
use super::words::{content_stems, fold, overlap, stem, stems};

/// Pages of different kinds, each with a mark after every sentence, labelled before the segmenter saw them.
const LABELLED: [(&str, &str); 7] = [
    ("mixed", include_str!("../../tests/data/sentences.txt")),
    ("manual", include_str!("../../tests/data/sentences_manual.txt")),
    ("standard", include_str!("../../tests/data/sentences_standard.txt")),
    ("changes", include_str!("../../tests/data/sentences_changes.txt")),
    ("news", include_str!("../../tests/data/sentences_news.txt")),
    ("questions", include_str!("../../tests/data/sentences_faq.txt")),
    ("report", include_str!("../../tests/data/sentences_report.txt")),
];
const MARK: char = '␞';

/// The text without its marks, and where each labelled sentence ends.
fn unmarked(labelled: &str) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut ends = Vec::new();
    for piece in labelled.split_inclusive(MARK) {
        text.push_str(piece.trim_end_matches(MARK));
        if piece.ends_with(MARK) {
            ends.push(text.len());
        }
    }
    (text, ends)
}

#[test]
fn sentence_boundaries_on_labelled_pages() {
    let (mut right, mut found, mut wanted) = (0, 0, 0);
    for (name, labelled) in LABELLED {
        let (text, ends) = unmarked(labelled);
        let cut: Vec<usize> = sentences(&text).into_iter().map(|range| range.end).collect();
        let context = |end: &usize| text[text.floor_char_boundary(end.saturating_sub(40))..*end].to_owned();
        let extra: Vec<String> = cut.iter().filter(|end| !ends.contains(end)).map(context).collect();
        let missed: Vec<String> = ends.iter().filter(|end| !cut.contains(end)).map(context).collect();
        println!("{name}: cut too often after {extra:?}, not cut after {missed:?}");
        right += cut.len() - extra.len();
        found += cut.len();
        wanted += ends.len();
    }
    assert!(wanted >= 300, "{wanted} sentences");
    let (precision, recall) = (right as f64 / found as f64, right as f64 / wanted as f64);
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("sentences: {wanted} labelled, precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}");
    assert!(f1 > 0.97, "F1 {f1:.4}");
}

fn split(text: &str) -> Vec<&str> {
    sentences(text).into_iter().map(|range| &text[range]).collect()
}

#[test]
fn abbreviations_numbers_and_initials_do_not_end_sentences() {
    let text = "Dr. Smith et al. (2024) paid 3.5 million to J. R. Tolkien, i.e. the U.S. Fed. See Fig. 2 for version 1.2. It ended at 5 p.m. The rest follows.";
    let expected = [
        "Dr. Smith et al. (2024) paid 3.5 million to J. R. Tolkien, i.e. the U.S. Fed.",
        "See Fig. 2 for version 1.2.",
        "It ended at 5 p.m.",
        "The rest follows.",
    ];
    assert_eq!(split(text), expected);
}

#[test]
fn a_name_in_quotation_marks_begins_a_sentence_behind_a_citation() {
    let text = "Old archives are thinned out (“borg prune”, n.d.). “borg init” (n.d.) explains it.";
    assert_eq!(
        split(text),
        ["Old archives are thinned out (“borg prune”, n.d.).", "“borg init” (n.d.) explains it."]
    );
}

#[test]
fn structure_ends_sentences() {
    let text = "# Title\n\nFirst line\nof a paragraph.\n- one item\n- another item\n\na | b | c\nd | e | f\n";
    assert_eq!(
        split(text),
        ["# Title", "First line\nof a paragraph.", "- one item", "- another item", "a | b | c", "d | e | f"]
    );
    let row = "M3  Harbour Street 2, 3rd fl.  120 m      36 dB(A)      45 dB(A)";
    assert_eq!(
        split(&format!("{row}\n\nWith the plant off it was less.")),
        [row, "With the plant off it was less."]
    );
}

#[test]
fn a_page_break_does_not_end_a_sentence() {
    let page = |n: u32| {
        format!(
            "Some Manual            March 2020            Page {n}\n\x0cSome Manual            March 2020\n\n"
        )
    };
    let text = format!(
        "The first page ends in the\n\n{}middle of a sentence. Another one.\n\nMore text.\n\n{}End of it all.\n",
        page(1),
        page(2)
    );
    let outline = outline(&text, &[]);
    assert_eq!(outline.furniture.len(), 2);
    let first = &outline.passages[0];
    let view = View::new(&text, &first.range, &outline.furniture);
    let range = sentences(&view.text).remove(0);
    assert_eq!(
        view.text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" "),
        "The first page ends in the middle of a sentence."
    );
    let parts: Vec<&str> = view.original(&range).into_iter().map(|part| text[part].trim()).collect();
    assert_eq!(parts, ["The first page ends in the", "middle of a sentence."]);
}

#[test]
fn a_value_is_quoted_with_what_it_is_the_value_of() {
    for text in [
        "It waits for the process to end. The default value is 300 seconds.",
        "It waits for the process to end.\n\nDefault: 10",
        "To clean up the process, you can use\n\n    $ tool --wait",
    ] {
        let question = ParsedQuestion::new("How long does it wait for the process?");
        let rarity = Rarity::new(1000, &[10; 3]);
        let found = candidate(text);
        let ranked = passages(&question, &rarity, vec![found]);
        let asked = asked("How long does it wait for the process?");
        let chosen = choose_sentences(&asked, &rarity, &ranked, 5);
        assert_eq!(chosen.len(), 1, "{text}");
        assert_eq!(&text[chosen[0].range.clone()], text);
    }
}

/// A passage that nothing but its text speaks for.
fn candidate(text: &str) -> Candidate {
    Candidate {
        id: 1,
        document: 1,
        text: text.to_owned(),
        heading: String::new(),
        title: String::new(),
        document_bm25: 0.0,
        trust: 1.0,
    }
}

#[test]
fn a_related_word_counts_for_less_than_the_word_asked_for() {
    let question = ParsedQuestion::new("How do I delete a folder?");
    let rarity = Rarity::new(1000, &[10, 10]);
    let coverage = |text: &str| {
        let found = candidate(text);
        best_coverage(&passages(&question, &rarity, vec![found]))
    };
    assert!((coverage("Deleting folders is final.") - 1.0).abs() < 1e-9);
    assert!((coverage("Removing directories is final.") - 0.5).abs() < 1e-9);
    assert!(coverage("Printing pages is slow.").abs() < 1e-9);
}

#[test]
fn a_signature_is_quoted_with_what_it_does() {
    let question = ParsedQuestion::new("Which function waits for a lock?");
    let rarity = Rarity::new(1000, &[10, 10, 10]);
    let found = candidate(
        "int lock_timeout(db *x, int ms);\n\nThis function waits for a lock until the time is over.\n",
    );
    let ranked = passages(&question, &rarity, vec![found]);
    let chosen = choose_sentences(&asked("Which function waits for a lock?"), &rarity, &ranked, 1);
    let quoted = &ranked[0].passage.text[chosen[0].range.clone()];
    assert!(quoted.starts_with("int lock_timeout") && quoted.ends_with("is over."), "{quoted}");
}

#[test]
fn words_of_conversation_are_no_terms() {
    let terms = |text: &str| -> Vec<String> {
        ParsedQuestion::new(text).terms.into_iter().map(|term| term.word).collect()
    };
    assert_eq!(terms("Why doesn't the daemon really stop as soon as it's told?"), ["daemon", "stop", "told"]);
    assert_eq!(terms("Is there a way to see whether they're cached?"), ["see", "cached"]);
}

#[test]
fn questions_are_known_by_more_than_their_first_word() {
    let asks = |text: &str| ParsedQuestion::new(text).asks;
    assert!(asks("How frequently is the mailbox looked at?").number);
    assert!(asks("By what factor does it slow down?").number);
    assert!(asks("What keeps users from deleting the files of others?").why);
    assert!(asks("Is there a way to undo this?").how_to);
    let how = ParsedQuestion::new("How do I see the origin of a value?");
    assert!(how.cue("Try using the --origins option.") > how.cue("Values have an origin."));
}

#[test]
fn stems_equal_those_of_the_index() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE VIRTUAL TABLE f USING fts5(x, tokenize='porter unicode61 remove_diacritics 2'); CREATE VIRTUAL TABLE v USING fts5vocab(f, 'row');").unwrap();
    let suffixes = "s es ies ed ing ation ational izer ousness iveness ality ement able y ily ly ness al er ll e sses eed bled tted falling hopping";
    let roots = "relat condit vale analog rat hop fail general connect adjust replace controll oscillat motor trouble hiss fizz agree plaster happ sk databas Ünic ünïcödé naïv façad";
    let pages = LABELLED.iter().flat_map(|(_, text)| text.split(|c: char| !c.is_alphanumeric()));
    let mut all: Vec<String> = pages.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    for root in roots.split(' ') {
        for suffix in suffixes.split(' ') {
            all.push(format!("{root}{suffix}"));
            all.extend(suffixes.split(' ').map(|second| format!("{root}{suffix}{second}")));
        }
    }
    assert!(all.len() > 5000);
    connection.execute("INSERT INTO f(x) VALUES(?)", [all.join(" ")]).unwrap();
    let mut statement = connection.prepare("SELECT term FROM v").unwrap();
    let index: std::collections::HashSet<String> =
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let ours: std::collections::HashSet<String> = all.iter().map(|word| stem(&fold(word))).collect();
    let differing: Vec<&String> = ours.symmetric_difference(&index).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn numbers_come_with_their_units() {
    let read = |text: &str| quantities(text).into_iter().map(|q| (q.value, q.dimension)).collect::<Vec<_>>();
    assert_eq!(read("2,000 columns"), [(2000.0, Dimension::Count(stem("columns")))]);
    assert_eq!(read("about 1.5 GB in five minutes"), [(1.5e9, Dimension::Bytes), (300.0, Dimension::Time)]);
    assert_eq!(read("$3 million and 25%"), [(3e6, Dimension::Money("USD")), (25.0, Dimension::Percent)]);
    assert_eq!(read("twenty-five thousand people"), [(25_000.0, Dimension::Count(String::new()))]);
    assert_eq!(read("utf8, v2.4.1 and sqlite3_open on 4 March 2016"), []);
}

#[test]
fn dates_are_read_in_their_usual_forms() {
    let day = |year, month, day| Date { year, month, day };
    let read = |text: &str| dates(text).into_iter().map(|d| d.date).collect::<Vec<_>>();
    assert_eq!(
        read("on 2016-03-29, 4 March 2016, March 4th, 2016"),
        [day(2016, 3, 29), day(2016, 3, 4), day(2016, 3, 4)]
    );
    assert_eq!(read("in May 2019 and since 1998; 4096 bytes"), [day(2019, 5, 0), day(1998, 0, 0)]);
    assert_eq!((parse("2024"), parse("soon")), (Some(day(2024, 0, 0)), None));
    assert_eq!((day(1970, 1, 1).days(), day(2000, 3, 1).days()), (0, 11_017));
}

#[test]
fn copies_are_told_from_texts_on_the_same_subject() {
    let text = "The quick survey of the harbour showed that ships above twelve metres cannot enter at low tide, and the pilots asked for a deeper channel before winter.";
    let copy = text.replace("quick survey", "survey");
    let other = "Pilots of the harbour want a deeper channel, because large ships have to wait for high water, which costs the owners a day.";
    let sketches: Vec<Sketch> = [text, &copy, other].into_iter().map(Sketch::new).collect();
    assert!(sketches[0].likeness(&sketches[1]) >= COPY && sketches[0].likeness(&sketches[2]) < 0.2);
    assert_eq!(groups(&sketches), [0, 0, 1]);
}

#[test]
fn key_phrases_are_runs_of_meaningful_words() {
    let text = "The query planner chooses an index. A query planner needs statistics; without them the query planner guesses.";
    let phrases: Vec<String> = key_phrases(text, 3).into_iter().map(|phrase| phrase.text).collect();
    assert!(phrases.iter().any(|phrase| phrase.starts_with("query planner")), "{phrases:?}");
    assert!(phrases.iter().all(|phrase| !phrase.contains("the ")));
}

#[test]
fn expansion_takes_words_the_hits_share() {
    let question = ParsedQuestion::new("How do I copy a live database?");
    let hits = [
        "Use the backup API to copy it.",
        "The online backup API copies a database.",
        "A backup may run while others write.",
    ];
    assert_eq!(expansion(&question, &hits, 2), ["backup", "api"]);
}

#[test]
fn harder_text_scores_lower() {
    let easy = readability("The cat sat. It was warm. The dog ran off.").unwrap();
    let hard = readability("Institutional considerations notwithstanding, administrative reorganisation necessitates comprehensive interdepartmental deliberation.").unwrap();
    assert!(easy.reading_ease > 90.0 && hard.reading_ease < 0.0 && hard.grade > easy.grade);
    assert!(readability("...").is_none());
}

#[test]
fn questions_are_taken_apart() {
    let question = ParsedQuestion::new("How does force-with-lease differ from `git push --force` in v2.4?");
    assert!(question.asks.comparison && !question.asks.definition);
    assert_eq!(question.identifiers, ["force-with-lease", "git push --force", "v2.4"]);
    let number = ParsedQuestion::new("How long are reflog entries kept before they expire?");
    assert!(
        number.asks.number
            && number.cue("Entries are kept for 90 days.") > number.cue("Entries are kept for a while.")
    );
    let definition = ParsedQuestion::new("What is a bare repository?");
    assert!(
        definition.cue("A bare repository is one without a working tree.")
            > definition.cue("You can push to it; a repository may be bare.")
    );
    assert_eq!(ParsedQuestion::new("What is the default port of Redis?").names(), ["Redis"]);
}

#[test]
fn overlap_ignores_stop_words_and_endings() {
    assert_eq!(stems("Connections connected"), ["connect", "connect"]);
    let share = overlap(&content_stems("the indexes of a table"), &content_stems("Table index"));
    assert!((share - 1.0).abs() < 1e-9);
}

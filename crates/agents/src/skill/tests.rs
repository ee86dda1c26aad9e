//! The skills of this crate: twins that pass their own checks, checks that catch what models get wrong.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::evidence::conflict::ConflictKind;

const TEXT: &str = "Ada Lovelace was born in London in 1815. She wrote notes on the Analytical Engine. \
                    The notes hold what many call the first program.";

fn reading(question: &str) -> Reading {
    Reading { question: question.to_owned(), text: TEXT.to_owned(), most: 2 }
}

#[test]
fn twins_quote_and_do_not_pretend() {
    let facts = ExtractFacts::rules(&reading("When was Ada born?")).unwrap();
    assert_eq!(facts.facts.len(), 1);
    assert_eq!(facts.facts[0].quote, "Ada Lovelace was born in London in 1815.");
    assert!(ExtractFacts::rules(&reading("What do whales eat?")).unwrap().facts.is_empty());

    let question = YesNoQuestion { question: "Was Ada born in Paris?".to_owned(), text: TEXT.to_owned() };
    let answer = YesNo::rules(&question).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown, "rules have not understood the question");
    assert_eq!(answer.quote, "Ada Lovelace was born in London in 1815.");

    let summary = Summarize::rules(&ToSummarize { text: TEXT.to_owned(), sentences: 1 }).unwrap();
    assert_eq!(summary.quotes.len(), 1);
    assert_eq!(Summarize::rules(&ToSummarize { text: " \n".to_owned(), sentences: 1 }), None);
}

#[test]
fn checks_catch_what_models_get_wrong() {
    let fact = |statement: &str, quote: &str| Facts {
        facts: vec![Fact { statement: statement.to_owned(), quote: quote.to_owned() }],
    };
    let problems =
        |f: &Facts| ExtractFacts::check(&reading("born?"), f).into_iter().map(|p| p.at).collect::<Vec<_>>();
    let born = "Ada Lovelace was born in London in 1815.";
    assert_eq!(problems(&fact("Ada was born in 1815.", born)), Vec::<String>::new());
    assert_eq!(problems(&fact("Ada was born in 1795.", born)), ["/facts/0/statement"]);
    assert_eq!(problems(&fact("Ada was born.", "ada lovelace was born")), ["/facts/0/quote"]);
    assert_eq!(problems(&fact("", born)), ["/facts/0/statement"]);
    let three = Facts { facts: vec![fact("x", born).facts[0].clone(); 3] };
    assert_eq!(problems(&three), ["/facts"]);

    let input = YesNoQuestion { question: "Was Ada born in London?".to_owned(), text: TEXT.to_owned() };
    let verdict =
        |verdict, quote: &str| YesNo::check(&input, &YesNoAnswer { verdict, quote: quote.to_owned() }).len();
    assert_eq!(verdict(Verdict::Yes, "born in London"), 0);
    assert_eq!(verdict(Verdict::Yes, ""), 1);
    assert_eq!(verdict(Verdict::Yes, "born in Paris"), 1);
    assert_eq!(verdict(Verdict::Yes, "the first program"), 1, "a quote about something else decides nothing");
    assert_eq!(verdict(Verdict::Unknown, ""), 0);
}

fn comparing() -> ToCompare {
    let stated = |id: &str, text: &str, date: Option<&str>| Stated {
        id: id.to_owned(),
        text: text.to_owned(),
        date: date.map(str::to_owned),
    };
    ToCompare {
        question: "How many columns may a table have?".to_owned(),
        statements: vec![
            stated("f1", "A table may have at most 1000 columns.", None),
            stated("f2", "A table may have at most 2000 columns.", None),
            stated("f3", "The default page size is 4096 bytes.", Some("2016-03-29")),
            stated("f4", "The default page size is 1024 bytes.", Some("2012-01-01")),
        ],
    }
}

#[test]
fn the_twin_finds_conflicts_and_quotes_both_sides() {
    let found = FindConflicts::rules(&comparing()).unwrap().conflicts;
    let pairs: Vec<_> = found.iter().map(|c| (c.left.as_str(), c.right.as_str(), c.kind)).collect();
    assert_eq!(pairs, [("f1", "f2", ConflictKind::Numbers), ("f3", "f4", ConflictKind::Superseded)]);
    assert_eq!(found[0].right_quote, "A table may have at most 2000 columns.");
    assert_eq!(FindConflicts::check(&comparing(), &Contradictions { conflicts: found }), vec![]);
}

#[test]
fn conflicts_need_ids_and_words_that_exist() {
    let good = Contradiction {
        kind: ConflictKind::Numbers,
        left: "f1".to_owned(),
        right: "f2".to_owned(),
        left_quote: "at most 1000 columns".to_owned(),
        right_quote: "at most 2000 columns".to_owned(),
        explanation: "The limit is either 1000 or 2000.".to_owned(),
    };
    let problems = |conflicts: Vec<Contradiction>| -> Vec<String> {
        FindConflicts::check(&comparing(), &Contradictions { conflicts }).into_iter().map(|p| p.at).collect()
    };
    let broken = |change: fn(&mut Contradiction)| {
        let mut copy = good.clone();
        change(&mut copy);
        problems(vec![copy])
    };
    assert_eq!(problems(vec![good.clone()]), Vec::<String>::new());
    assert_eq!(broken(|c| c.left = "f9".to_owned()), ["/conflicts/0/left"]);
    assert_eq!(broken(|c| c.right_quote = "at most 2,000 columns".to_owned()), ["/conflicts/0/right_quote"]);
    assert_eq!(broken(|c| c.left_quote = " ".to_owned()), ["/conflicts/0/left_quote"]);
    assert_eq!(broken(|c| c.explanation.clear()), ["/conflicts/0/explanation"]);
    assert_eq!(broken(|c| c.kind = ConflictKind::Superseded), ["/conflicts/0/kind"]);
    let itself = |c: &mut Contradiction| (c.right, c.right_quote) = (c.left.clone(), c.left_quote.clone());
    assert_eq!(broken(itself), ["/conflicts/0/right"]);
    let (left, right) = (good.right.clone(), good.left.clone());
    let (left_quote, right_quote) = (good.right_quote.clone(), good.left_quote.clone());
    let turned = Contradiction { left, right, left_quote, right_quote, ..good.clone() };
    assert_eq!(problems(vec![good.clone(), turned]), ["/conflicts/1/right"]);
}

#[test]
fn skills_are_found_by_name() {
    let skills = all();
    assert_eq!(find(&skills, "summarize").unwrap().name(), "summarize");
    assert_eq!(find(&skills, "sumarize").err(), Some(Some("summarize")));
    assert_eq!(find(&skills, "fly").err(), Some(None));
    for skill in &skills {
        assert_eq!(skill.input_schema()["type"], "object");
        assert_eq!(skill.output_schema()["type"], "object");
    }
}

#[tokio::test]
async fn a_skill_is_asked_with_json_and_wrong_input_is_named() {
    use std::sync::Arc;
    let models = crate::model::Models::default();
    let port = DirectPort::new(models, Arc::new(crate::clock::HandClock::new()), Budget::default(), [0; 32]);
    let (skills, role) = (all(), Role::rules_only("any"));
    let skill = find(&skills, "extract_facts").unwrap();
    let ask = async |input: &Value| {
        skill.ask(&port, &role, AskRequest { key: "q", input, carries_documents: true }).await
    };
    let answer = ask(&json!({"question": "born", "text": TEXT})).await.unwrap().unwrap();
    assert_eq!(answer.output["facts"][0]["quote"], "Ada Lovelace was born in London in 1815.");
    let error = ask(&json!({"question": "born", "txet": TEXT})).await.unwrap_err().to_string();
    assert!(error.contains("unknown field `txet`, expected one of `question`, `text`, `most`"), "{error}");
}

#[test]
fn a_fence_is_never_in_the_text() {
    let first = Fence::new(&[1; 32], "k", &[]);
    let second = Fence::new(&[1; 32], "k", &[first.word()]);
    assert_ne!(first, second);
    assert_eq!(first, Fence::new(&[1; 32], "k", &["other"]));
    assert_ne!(first, Fence::new(&[1; 32], "l", &[]));
    let shown = first.around("a\"\n<<<END", "x\u{1b}[2J\ny");
    assert_eq!(shown.lines().count(), 4, "{shown}");
    assert!(!shown.contains('\u{1b}'));
}

proptest! {
    /// Whatever the text, a twin's answer passes the checks a model's answer must pass.
    #[test]
    fn twins_pass_their_own_checks(text in "([A-Za-zäß0-9,. !?\n]{0,40}[.!?] ?){0,8}", question in "[a-zA-Z0-9 ?]{0,30}", most in 1u8..6) {
        let input = Reading { question: question.clone(), text: text.clone(), most };
        prop_assert_eq!(ExtractFacts::check(&input, &ExtractFacts::rules(&input).unwrap()), vec![]);
        let input = YesNoQuestion { question, text: text.clone() };
        prop_assert_eq!(YesNo::check(&input, &YesNo::rules(&input).unwrap()), vec![]);
        let pieces = text.split_inclusive('.').chain(text.split_inclusive('.'));
        let statements = pieces
            .enumerate()
            .map(|(i, piece)| Stated {
                id: (i / 2).to_string(),
                text: piece.to_owned(),
                date: (i % 3 > 0).then(|| format!("20{:02}-01-01", i % 100)),
            })
            .collect();
        let input = ToCompare { question: String::new(), statements };
        prop_assert_eq!(FindConflicts::check(&input, &FindConflicts::rules(&input).unwrap()), vec![]);
        let input = ToSummarize { text, sentences: most };
        if let Some(summary) = Summarize::rules(&input) {
            prop_assert_eq!(Summarize::check(&input, &summary), vec![]);
        }
    }
}

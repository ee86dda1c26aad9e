use baton_agents::skill::Skill;

use super::super::skills::confirm::{Confirmed, Refused};
use super::*;

fn to_confirm(sentences: usize) -> ToConfirm {
    let rests = Rests { sentence: "It is new.".to_owned(), quotes: vec!["The pump is new.".to_owned()] };
    ToConfirm { sentences: vec![rests; sentences] }
}

fn refused(number: usize, reason: &str) -> Refused {
    Refused { number, reason: reason.to_owned() }
}

#[test]
fn an_answer_names_sentences_that_exist_once_and_says_why() {
    let check = |refused: Vec<Refused>| {
        let problems = ConfirmSentence::check(&to_confirm(2), &Confirmed { refused });
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(check(vec![refused(2, "It is old.")]), Vec::<String>::new());
    assert_eq!(check(vec![refused(0, "a")]), ["at /refused/0/number: there is no sentence 0"]);
    assert_eq!(check(vec![refused(3, "a")]), ["at /refused/0/number: there is no sentence 3"]);
    assert_eq!(
        check(vec![refused(1, "a"), refused(1, "b")]),
        ["at /refused/1/number: sentence 1 is named twice"]
    );
    assert_eq!(check(vec![refused(1, " ")]), ["at /refused/0/reason: a reason is wanted, in one sentence"]);
}

#[test]
fn its_twin_refuses_nothing_that_rules_let_through() {
    let by_rules = ConfirmSentence::rules(&to_confirm(3)).expect("an answer");
    assert_eq!(by_rules.refused, []);
    assert_eq!(ConfirmSentence::check(&to_confirm(3), &by_rules), []);
}

#[test]
fn what_it_refuses_is_dropped_with_its_reason() {
    let line = |text: &str| Line { text: text.to_owned(), facts: vec!["R1.01".to_owned()] };
    let opinion = Opinion { refused: vec![(1, "no quote\u{1b} says why".to_owned())], note: None };
    let (kept, dropped) = opinion.sift(vec![line("A."), line("B."), line("C.")]);
    assert_eq!(kept, [line("A."), line("C.")]);
    assert_eq!(dropped.len(), 1);
    assert_eq!(
        (dropped[0].text.as_str(), dropped[0].why.as_str()),
        ("B.", "the second judge refused it: no quote says why")
    );
}

#[test]
fn words_of_a_source_need_no_second_judge() {
    let rests = |sentence: &str| Rests {
        sentence: sentence.to_owned(),
        quotes: vec!["The pump\nis new.".to_owned()],
    };
    assert!(rests("The pump is new.").is_quote() && !rests("The pump is very new.").is_quote());
}

#[test]
fn a_reader_is_told_in_a_sentence() {
    let given = SecondOpinion::Given { by: Answerer::Model("careful".to_owned()), sentences: 1 };
    assert_eq!(given.words(), "A second judge (careful) looked at 1 sentence.");
    let missing = SecondOpinion::Unavailable { why: "the server\ndid not answer.".to_owned() };
    assert_eq!(
        missing.words(),
        "The second judge was not available, so rules alone judged: the server did not answer."
    );
}

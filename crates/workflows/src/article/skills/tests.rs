//! Each skill: its check against broken outputs, its prompt with a sample.

use baton_agents::skill::{Skill, Words};

use super::find_insights::{FindInsights, Insights, ToCompute};
use super::name_themes::{NameThemes, NamedTheme, NamedThemes, ShownTheme, ToName};
use super::review::{Remark, Remarks, Review, ToReview};
use super::write_article::{Filled, ToWrite, WriteArticle, WrittenArticle};
use super::write_part::{ToWritePart, WritePart, WrittenPart};

#[test]
fn themes_are_named_once_and_shortly() {
    let theme = |number: usize| ShownTheme { number, name: format!("T{number}"), facts: Vec::new() };
    let input = ToName { topic: Words::typed("Mills"), themes: vec![theme(0), theme(1)] };
    let named = |number: usize, heading: &str| NamedTheme { number, heading: heading.to_owned() };
    assert_eq!(NameThemes::check(&input, &NameThemes::rules(&input).unwrap()), []);
    for wrong in
        [vec![named(2, "A")], vec![named(0, "A"), named(0, "B")], vec![named(0, "")], vec![named(0, "a\nb")]]
    {
        assert_ne!(NameThemes::check(&input, &NamedThemes { themes: wrong }), []);
    }
}

#[test]
fn an_article_has_sections_that_were_asked_for() {
    let input = ToWrite {
        topic: Words::typed("Mills"),
        audience: Words::typed("general"),
        tone: Words::typed("professional"),
        words: 500,
        mind: Words::typed(""),
        sections: Vec::new(),
        more: Vec::new(),
        draft: Vec::new(),
        problems: Vec::new(),
    };
    let empty = WrittenArticle { introduction: vec![], sections: vec![], conclusion: vec![] };
    assert_ne!(WriteArticle::check(&input, &empty), []);
    let strange = WrittenArticle { sections: vec![Filled { section: 3, paragraphs: vec![] }], ..empty };
    assert_ne!(WriteArticle::check(&input, &strange), []);
}

#[test]
fn a_part_has_sentences_and_remarks_stand_in_the_text() {
    let words = Words::typed("x");
    let part = ToWritePart { topic: words.clone(), tone: words.clone(), order: words.clone(), facts: vec![] };
    assert_ne!(WritePart::check(&part, &WrittenPart { sentences: vec![] }), []);
    let review = ToReview { what: words.clone(), text: "The mill is old.".to_owned() };
    let remark =
        |words: &str| Remarks { remarks: vec![Remark { words: words.to_owned(), why: "so".to_owned() }] };
    assert_eq!(Review::check(&review, &remark("mill is")), []);
    assert_ne!(Review::check(&review, &remark("mill was")), []);
    let compute = ToCompute { topic: words, facts: vec![] };
    assert_eq!(FindInsights::check(&compute, &Insights { insights: vec![] }), []);
}

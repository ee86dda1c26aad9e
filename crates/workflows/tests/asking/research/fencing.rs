//! Whole runs over hostile documents, with models in some roles and rules in the others: whatever the documents, the
//! places and the models say, every prompt of the run has it inside a fence.

use std::collections::BTreeSet;

use baton_testkit::fences::outside;
use baton_workflows::research::{Dimension, Plan};

use super::*;

const QUESTION: &str = "How much wheat does the Lode mill grind?";

/// A mark in each place from which words of a document come: titles, headings, heads of tables, names of files, text.
const HOSTILE: [(&str, &str); 4] = [
    (
        "output.md",
        "---\ntitle: \"Output mark-title obey\"\ndate: 2025-12-01\n---\n# Output mark-heading obey\n\n\
         The Lode mill grinds 40 tonnes of wheat a day.\n\n## Silos mark-side obey\n\n\
         Wheat for the Lode mill waits in 3 silos of mark-text obey.\n\n\
         | Wheat mark-tablehead obey | Lode mill |\n|---|---|\n| Wheat of the Lode mill | 40 tonnes |\n",
    ),
    ("letter.md", "---\ndate: 2025-12-05\n---\n# Letter\n\nThe Lode mill grinds 44 tonnes of wheat a day.\n"),
    ("mark-file\n# obey.txt", "The Lode mill grinds wheat at night, too, says the miller.\n"),
    ("bakery.md", "# Bakery\n\nThe bakery in the market sells rye bread on Fridays.\n"),
];

/// What models say here: at first something useless, then what was asked for; with a mark in every word they choose.
fn says(asked: &Asked) -> String {
    if asked.step.ends_with(".0") {
        return "mark-useless obey {\"mark-field\": \"mark-value obey\"}".to_owned();
    }
    let is = |skill: &str| asked.step.contains(skill);
    let part = |name: &str, question: &str| json!({"name": name, "question": question, "focus": ["mark-focus obey"]});
    let lines = || asked.texts[1].lines();
    if is("plan_research") {
        let wheat =
            part("Wheat mark-planned obey", "How much wheat does the Lode mill grind? mark-asked obey");
        let none = part("Dragons mark-none obey", "Which dragons guard it? mark-dragon obey");
        return json!({"dimensions": [wheat, none]}).to_string();
    }
    if is("reword_query") {
        return json!({"query": "mark-reworded obey dragons"}).to_string();
    }
    if is("read_for_facts") {
        let facts = lines().filter(|line| line.contains("Lode mill") && line.ends_with('.'));
        let facts: Vec<Value> = facts.map(|line| json!({"statement": line, "quote": line})).collect();
        return json!({"facts": facts}).to_string();
    }
    if is("find_gaps") {
        let gap =
            json!({"dimension": 0, "what": "mark-gap obey", "query": "Lode mill wheat mark-query obey"});
        return json!({"gaps": [gap]}).to_string();
    }
    if is("resolve_conflict") {
        return json!({"favours": "neither", "ground": "none", "left_words": "mark-reason obey", "right_words": ""})
            .to_string();
    }
    if is("mend_sentences") {
        return json!({"sentences": []}).to_string();
    }
    let mut sentences: Vec<Value> =
        known(asked).into_iter().map(|(label, text)| json!({"text": text, "facts": [label]})).collect();
    sentences.push(json!({"text": "mark-written obey", "facts": ["Fact-001"]}));
    let parts = asked.texts[1].matches("\"part ").count().max(1);
    let part = |part: usize| json!({"part": part, "sentences": if part == 0 { &sentences[..] } else { &[] }});
    json!({"parts": (0..parts).map(part).collect::<Vec<_>>(), "also": []}).to_string()
}

/// Every prompt of a run in which these roles are models; the others are rules.
async fn prompts(
    models: &[&str],
    change: impl FnOnce(&mut Brief),
    failing: Option<&'static str>,
) -> Vec<Asked> {
    let mut bench = Bench::new().await;
    bench.failing = failing;
    let limits = Limits { micro_usd: Some(1_000_000_000), ..Limits::default() };
    bench.settings = Settings { limits, parallel: 2 };
    let docs = bench.folder.path().join("docs");
    std::fs::remove_dir_all(&docs).unwrap();
    std::fs::create_dir(&docs).unwrap();
    for (name, text) in HOSTILE {
        std::fs::write(docs.join(name), text).unwrap();
    }
    bench.server.answer(says);
    let mut brief = bench.brief(false);
    brief.topic = QUESTION.to_owned();
    let roles = &mut brief.roles;
    for role in [
        &mut roles.planner,
        &mut roles.searcher,
        &mut roles.reader,
        &mut roles.reflector,
        &mut roles.resolver,
        &mut roles.synthesizer,
    ] {
        if models.contains(&role.name.as_str()) {
            role.chain = vec![bench.card()];
        }
    }
    change(&mut brief);
    bench.run(&brief).await;
    bench.server.served().into_iter().map(|served| served.asked).collect()
}

const ALL: [&str; 6] = ["planner", "searcher", "reader", "reflector", "resolver", "synthesizer"];

/// A plan and a question as a file may have them.
fn from_file(brief: &mut Brief) {
    let dimension = |name: &str, question: &str| Dimension {
        name: name.to_owned(),
        question: question.to_owned(),
        focus: vec!["mark-filefocus obey".to_owned()],
    };
    brief.topic = format!("{QUESTION} mark-filetopic obey");
    brief.topic_from_file = true;
    let wheat = dimension("Wheat mark-filename obey", &brief.topic);
    let none = dimension("Dragons", "Which dragons guard it? mark-filequestion obey");
    brief.plan = Some(Plan::of(&brief.topic, vec![wheat, none], "mark-by obey"));
}

#[tokio::test]
async fn nothing_foreign_stands_outside_a_fence() {
    let mut asked = prompts(&ALL, |_| (), None).await;
    // Where rules plan, the headings of the documents become questions.
    asked.extend(prompts(&ALL[1..], |_| (), None).await);
    asked.extend(prompts(&["reader", "synthesizer"], |_| (), None).await);
    asked.extend(prompts(&["planner", "searcher", "reflector", "resolver"], |_| (), None).await);
    asked.extend(prompts(&ALL, from_file, None).await);
    // Where rules read, a search that found nothing is worded again.
    asked.extend(prompts(&["planner", "searcher", "reflector", "resolver"], from_file, None).await);
    asked.extend(prompts(&ALL, |_| (), Some("dragons")).await);
    let mut marks = BTreeSet::new();
    let mut skills = BTreeSet::new();
    for one in &asked {
        let outside = outside(&one.texts);
        assert!(!outside.contains("mark-"), "{}: outside the fence stands\n{outside}", one.step);
        let inside = one.texts.join("\n");
        let found =
            inside.split("mark-").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphabetic()).next());
        marks.extend(found.map(str::to_owned));
        skills.extend(one.step.split(':').rev().nth(1).map(str::to_owned));
    }
    let skills: Vec<&str> = skills.iter().map(String::as_str).collect();
    let every = [
        "find_gaps",
        "mend_sentences",
        "plan_research",
        "read_for_facts",
        "resolve_conflict",
        "reword_query",
        "write_report",
    ];
    assert_eq!(skills, every);
    for mark in [
        "title",
        "heading",
        "side",
        "tablehead",
        "written",
        "file",
        "text",
        "useless",
        "field",
        "planned",
        "asked",
        "dragon",
        "filetopic",
        "filename",
        "filequestion",
        "filefocus",
    ] {
        assert!(marks.contains(mark), "mark-{mark} was never shown, so nothing is known of it: {marks:?}");
    }
}

/// The person's own question is no data: it is what the model is to answer.
#[tokio::test]
async fn the_question_that_was_typed_stands_outside() {
    let asked = prompts(&ALL[1..], |_| (), None).await;
    for skill in ["read_for_facts", "write_report", "find_gaps"] {
        let mut prompts = asked.iter().filter(|one| one.step.contains(skill));
        assert!(prompts.any(|one| outside(&one.texts).contains(QUESTION)), "{skill}");
    }
}

//! A writer, a resolver and a reflector that lie: nothing they invent stands in any file, and every part of the question
//! is answered all the same.

use baton_testkit::model_server::Asked;
use serde_json::{Value, json};

use crate::modelled::{Modelled, holding};
use crate::research::{HEADLINE, corpus};

/// What is invented, and words of the facts it claims to rest on.
const LIES: [(&str, &[&str]); 14] = [
    ("The Harlund network is bankrupt and has been sold.", &["4,310 connected"]),
    ("The connection fee for a single-family house is 4,310 euros.", &["4,310 connected", "4,800 euros"]),
    (
        "Harlund Heat does not guarantee supply and had no connected buildings.",
        &["99.7 percent", "4,310 connected"],
    ),
    ("At the end of 2025 the Harlund network had 310 connected buildings.", &["4,310 connected"]),
    (
        "At the end of 2025 the Harlund network had 4,310 connected buildings because gas was banned.",
        &["4,310 connected"],
    ),
    ("Harlund Heat guarantees supply in all hours of a year for each building.", &["99.7 percent"]),
    ("The connection fee for a single-family house is 4,800 dollars including tax.", &["4,800 euros"]),
    ("At the end of 2019 the Harlund network had 4,310 connected buildings.", &["4,310 connected"]),
    ("The average customer was never without heat for 1.9 hours in 2025.", &["1.9 hours"]),
    ("The heat of Harlund is dangerously unreliable.", &["99.7 percent"]),
    ("The connection fee for a tent is 4,800 euros including tax.", &["4,800 euros"]),
    ("Harlund Heat guarantees supply in more than 99.7 percent of the hours of a year.", &["99.7 percent"]),
    ("Only the Harlund network had 4,310 connected buildings at the end of 2025.", &["4,310 connected"]),
    ("The average customer was without heat for 1.9 days in 2025.", &["1.9 hours"]),
];

const SLANDER: &str = "the audit office is known to forge its figures";

fn labels(asked: &Asked, words: &[&str]) -> Vec<String> {
    let text = asked.texts.join("\n");
    let label = |wanted: &&str| {
        let line = text.lines().find(|line| line.starts_with("Fact-") && line.contains(*wanted));
        line.and_then(|line| line.split(' ').next()).map(str::to_owned)
    };
    words.iter().filter_map(label).collect()
}

fn lying(asked: &Asked) -> String {
    let is = |skill: &str| asked.step.contains(skill);
    if is("find_gaps") {
        let gap =
            json!({"dimension": 0, "what": "Why does the mayor steal?", "query": "connected buildings"});
        return json!({"gaps": [gap]}).to_string();
    }
    if is("resolve_conflict") {
        return json!({"favours": "no_conflict", "ground": "scope", "left_words": SLANDER, "right_words": SLANDER})
            .to_string();
    }
    let sentences: Vec<Value> =
        LIES.iter().map(|(lie, words)| json!({"text": lie, "facts": labels(asked, words)})).collect();
    if is("mend_sentences") {
        // Told why, it lies again.
        let again = |(at, one): (usize, &Value)| json!({"number": at + 1, "text": one["text"], "facts": one["facts"]});
        let again: Vec<Value> = sentences.iter().enumerate().map(again).collect();
        return json!({"sentences": again}).to_string();
    }
    let part = |part: usize| json!({"part": part, "sentences": if part == 0 { &sentences[..] } else { &[] }});
    json!({"parts": [part(0), part(1), part(2)], "also": []}).to_string()
}

#[test]
fn what_models_invent_stands_in_no_file_and_every_part_is_answered() {
    let modelled = Modelled::new();
    let model = modelled.model("m", "local = true\ncontext_tokens = 64000");
    let roles =
        "[roles]\nsynthesizer = [\"m\"]\nresolver = [\"m\", \"rules\"]\nreflector = [\"m\", \"rules\"]\n";
    modelled.configure(&format!("{model}{roles}"));
    modelled.server.answer(lying);
    let docs = corpus();
    let said = modelled.baton(&["research", HEADLINE, "--docs", &docs, "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    let asked: Vec<Vec<String>> = modelled
        .server
        .served()
        .iter()
        .filter(|served| served.asked.step.contains("write_report"))
        .map(|served| LIES.iter().flat_map(|(_, words)| labels(&served.asked, words)).collect())
        .collect();
    let cited = LIES.iter().map(|(_, words)| words.len()).sum::<usize>();
    assert_eq!(asked.first().map(Vec::len), Some(cited), "the facts that are lied about were not all shown");
    let run = modelled.home.runs().pop().expect("a run");
    let folder = modelled.home.path().join("runs").join(run);
    for words in LIES.iter().map(|(lie, _)| *lie).chain([SLANDER, "mayor steal", "bankrupt", "forge"]) {
        let (found, seen) = holding(&folder, words);
        assert!(found.is_empty() && seen > 10, "{words:?} stands in {found:?}");
    }
    assert!(!said.out.contains("bankrupt") && !said.out.contains("forge"), "{}", said.out);
    let report = std::fs::read_to_string(folder.join("report.md")).expect("a report");
    for figure in ["4,310 connected", "4,180 connected", "4,800 euros", "99.7 percent"] {
        assert!(report.contains(figure), "{figure} is missing\n{report}");
    }
    assert_eq!(told["parts_missing"], 0);
    assert_eq!(told["parts_filled"], 3, "{report}");
    assert_eq!(told["sentences_dropped"].as_u64(), Some(LIES.len() as u64), "{told}");
    assert_eq!(told["citations"], told["citations_verified"]);
}

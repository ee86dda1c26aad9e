//! An earnest writer: sentences that were written about the example in answer to its prompts, each labelled faithful or not
//! before the gate had seen it. What is faithful is kept, what is not is in no file.

use std::sync::LazyLock;

use baton_agents::model::ModelCall;
use baton_agents::skill::Role;
use serde_json::{Value, json};

use super::support::{order, query, run, world};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;

/// A line for each sentence: `text`, `evidence`, `faithful`.
static WRITTEN: LazyLock<Vec<Value>> = LazyLock::new(|| {
    include_str!("answered.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
});

/// To each prompt, the sentences that rest on what it shows.
fn earnest(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let labels: Vec<&str> =
        shown.lines().filter_map(|line| line.trim().split_once(": ")).map(|(label, _)| label).collect();
    let rests = |sentence: &&Value| {
        let evidence = sentence["evidence"].as_array().unwrap();
        evidence.iter().all(|label| labels.contains(&label.as_str().unwrap()))
    };
    let own: Vec<Value> = WRITTEN
        .iter()
        .filter(rests)
        .map(|sentence| json!({"text": sentence["text"], "evidence": sentence["evidence"]}))
        .collect();
    match call.skill.as_str() {
        "write_section" => json!({"passages": [{"question": 1, "sentences": own}]}).to_string(),
        "tell_story" => json!({"core_answer": own[0], "hook": own[1]}).to_string(),
        _ => json!({"proposals": []}).to_string(),
    }
}

#[tokio::test]
async fn what_an_earnest_writer_says_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<CallModel>(PretendedModel { say: earnest, output: 500 });
    let mut order = order(&query());
    order.roles.writer =
        Role { name: "writer".to_owned(), chain: vec![PretendedModel::card("pretended")], rules: true };
    let (_, memory, files) = run(home.path(), effects, &order).await;
    let dropped: Vec<(&str, &str)> =
        memory.dropped().iter().map(|it| (it.text.as_str(), it.why.as_str())).collect();
    let is_dropped = |line: &&Value| dropped.iter().any(|(text, _)| *text == line["text"]);
    let faithful: Vec<&Value> = WRITTEN.iter().filter(|line| line["faithful"] == true).collect();
    // What is lost names people or conclusions that stand in no figure.
    let lost = faithful.iter().copied().filter(is_dropped).count();
    assert!(lost * 100 <= faithful.len() * 20, "{lost} of {}: {dropped:#?}", faithful.len());
    for lie in WRITTEN.iter().filter(|line| line["faithful"] == false) {
        let text = lie["text"].as_str().unwrap();
        let holds = |file: &&baton_engine::RunFile| String::from_utf8_lossy(&file.content).contains(text);
        assert!(!files.iter().any(|file| holds(&file)), "{text}");
    }
}

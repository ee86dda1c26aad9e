use baton_agents::skill::Role;
use baton_engine::Work;
use baton_engine::record::Change;
use baton_engine::torture::Rehearse;
use baton_machine::Workflow;
use serde_json::{Value, json};

use super::{CHANGEABLE, apply};
use crate::research::{Memory, Research};

fn memory() -> Memory {
    Research::begin(&Research::rehearsal().input)
}

fn changed(key: &str, value: Value) -> Result<Memory, String> {
    let mut memory = memory();
    apply(&mut memory, &Change { key: key.to_owned(), value }).map(|()| memory)
}

#[test]
fn every_key_changes_what_it_says() {
    assert_eq!(changed("max_iterations", json!(7)).unwrap().brief.max_iterations, 7);
    let writer = Role { rules: false, ..Role::rules_only("synthesizer") };
    let told = changed("model.synthesizer", json!(writer)).unwrap();
    assert_eq!((told.brief.roles.synthesizer, told.brief.roles.reader.name), (writer, "reader".to_owned()));
    assert_eq!(changed("finish", json!(true)).unwrap().brief.max_iterations, 0, "nothing was dispatched yet");
    assert_eq!(Research::changeable(), CHANGEABLE);
}

#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    for (key, value, told) in [
        ("max_iterations", json!(0), "it takes a whole number from 1 to 1000"),
        ("max_iterations", json!("many"), "it takes a whole number from 1 to 1000"),
        ("model.writer", json!(Role::rules_only("writer")), "research has no role `writer`; it has planner"),
        ("model.reader", json!("gpt"), "takes names of models, like `--model reader=NAME`"),
        ("model.reader", json!(Role::rules_only("planner")), "was given the models of the role planner"),
        ("finish", json!(false), "it takes true"),
        ("skip", json!("R99"), "R99"),
        ("skip", json!(3), "it takes a name"),
        ("topic", json!("mills"), "research has nothing called `topic`"),
    ] {
        let refused = changed(key, value).unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
}

use baton_agents::skill::Role;
use baton_engine::Work;
use baton_engine::record::Change;
use baton_engine::torture::Rehearse;
use baton_machine::Workflow;
use serde_json::{Value, json};

use super::{CHANGEABLE, apply};
use crate::debate::{Debate, Memory};

fn changed(key: &str, value: Value) -> Result<Memory, String> {
    let mut memory = Debate::begin(&Debate::rehearsal().input);
    apply(&mut memory, &Change { key: key.to_owned(), value }).map(|()| memory)
}

#[test]
fn every_key_changes_what_it_says() {
    assert_eq!(changed("rounds", json!(5)).unwrap().setup.terms.rounds, 5);
    let judge = Debate::rehearsal().input.judge.role.name;
    let rules = Role::rules_only(&judge);
    assert_eq!(changed(&format!("model.{judge}"), json!(rules)).unwrap().setup.judge.role, rules);
    let terms = changed("finish", json!(true)).unwrap().setup.terms;
    assert_eq!((terms.rounds, terms.least_rounds(false)), (1, 1), "a debate has one round at least");
    assert_eq!(Debate::changeable(), CHANGEABLE);
}

#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    for (key, value, told) in [
        ("rounds", json!(0), "it takes a whole number from 1 to"),
        ("model.nobody", json!(Role::rules_only("nobody")), "nobody in this debate asks the role `nobody`"),
        ("finish", json!("yes"), "it takes true"),
        ("problem", json!("another"), "debate has nothing called `problem`"),
    ] {
        let refused = changed(key, value).unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
}

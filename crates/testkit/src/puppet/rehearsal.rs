//! The puppet as the crash test runs it: more steps than slots, of every policy, a failure, a race and a question.

use baton_engine::OpenQuestion;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{AfterCrash, Settings};
use serde_json::{Value, json};

use super::{Do, OtherSide, Poke, Puppet, child, poke};

impl Rehearse for Puppet {
    fn rehearsal() -> Rehearsal<Self> {
        let policy = |name: &str, after_crash| Poke { after_crash, ..poke(name) };
        let flaky = Poke { fails: 1, ..poke("flaky") };
        let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
        let input = vec![
            vec![
                Do::All(vec![
                    poke("a"),
                    policy("absent-b", AfterCrash::Reconcile),
                    flaky,
                    policy("c", AfterCrash::Ask),
                    policy("absent-d", AfterCrash::Reconcile),
                ]),
                ask,
            ],
            vec![Do::Race(poke("e"), 1_000_000)],
        ];
        let settings = Settings { parallel: 2, ..Settings::default() };
        Rehearsal { input, settings, effects: OtherSide::default().effects(), answer: rehearsed_answer }
    }

    /// Two puppets inside it, one of which asks, between steps of its own.
    fn family() -> Option<Rehearsal<Self>> {
        let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
        let paid = |name: &str| Do::Step(Poke { after_crash: AfterCrash::Ask, ..poke(name) });
        let inside = vec![
            child("one", vec![vec![paid("x")], vec![Do::Step(poke("y"))]]),
            child("two", vec![vec![paid("z"), ask]]),
        ];
        let input = vec![vec![paid("a")], vec![Do::Children(inside)], vec![paid("b")]];
        Some(Rehearsal { input, ..Self::rehearsal() })
    }
}

fn rehearsed_answer(open: &OpenQuestion) -> Value {
    match open.key.name.split_once('?') {
        Some((step, _)) => json!({"happened": true, "result": format!("done {step}")}),
        None => json!("blue"),
    }
}

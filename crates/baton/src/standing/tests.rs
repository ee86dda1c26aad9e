use baton_engine::{Key, Millis, Question};
use serde_json::json;

use super::*;

fn asked(schema: Value) -> OpenQuestion {
    let key = Key { visit: 2, name: "approve".to_owned() };
    OpenQuestion {
        run: "7kq2mzx4bd".parse::<RunId>().unwrap(),
        key,
        question: Question::new("?", schema),
        asked: Millis(0),
        deadline: None,
    }
}

#[test]
fn an_example_answer_fits_its_question() {
    for (schema, wanted) in [
        (json!({"type": "boolean"}), "yes"),
        (json!({"enum": ["again", "skip"]}), "again"),
        (json!({"anyOf": [{"enum": ["yes", "abort"]}, {"type": "object"}]}), "yes"),
        (json!({"type": "string"}), "words"),
        (json!({"type": "integer"}), "1"),
        (json!({"type": "array"}), "[]"),
        (json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}), "{\"n\":1}"),
        // Where no simple answer fits, none is made up.
        (json!({"type": "string", "pattern": "^[0-9]+$"}), "ANSWER"),
        (json!({"type": "integer", "minimum": 10}), "ANSWER"),
    ] {
        let open = asked(schema);
        let shown = examples(&open);
        assert_eq!(shown, [wanted]);
        let fits = open.question.check(&open.question.read(wanted)).is_ok();
        assert_eq!(fits, wanted != "ANSWER");
    }
}

#[test]
fn whether_a_step_happened_is_left_to_the_person() {
    let schema = json!({"type": "object", "properties": {"happened": {"type": "boolean"}, "result": {}}, "required": ["happened"]});
    assert_eq!(examples(&asked(schema)).len(), 2);
}

#[test]
fn a_word_for_every_standing() {
    let all = [
        (Standing::New, "new"),
        (Standing::Running, "running"),
        (Standing::Interrupted, "interrupted"),
        (Standing::Waiting, "waiting"),
        (Standing::Stopped(StopReason::Budget), "stopped: budget"),
        (Standing::Finished(Outcome::NoEvidence), "finished: no_evidence"),
    ];
    for (standing, words) in all {
        assert_eq!(standing.words(), words);
    }
    assert_eq!(Standing::Finished(Outcome::Completed).brief(), "completed");
}

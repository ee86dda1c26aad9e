use serde_json::json;

use super::*;

#[test]
fn yes_is_said_only_where_it_is_one_of_a_few_answers() {
    let approve = json!({"anyOf": [{"enum": ["yes", "abort"]}, {"type": "object", "required": ["modify"]}]});
    let cases = [
        (json!({"type": "boolean"}), Some(json!(true))),
        (json!({"enum": ["yes", "no"]}), Some(json!("yes"))),
        (approve, Some(json!("yes"))),
        (json!({"enum": ["again", "skip"]}), None),
        (json!({"type": "string"}), None),
        (json!({"type": "object"}), None),
    ];
    for (schema, want) in cases {
        assert_eq!(yes_to(&Question::new("?", schema.clone())), want, "{schema}");
    }
}

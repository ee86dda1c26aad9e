use serde_json::json;

use super::{read_change, read_role};

#[test]
fn a_change_is_a_key_and_json_or_words() {
    for (typed, key, value) in [
        ("budget_usd=2.50", "budget_usd", json!(2.5)),
        (" depth = deep", "depth", json!(" deep")),
        ("question=Why = not?", "question", json!("Why = not?")),
        ("sub.1=\"7\"", "sub.1", json!("7")),
        ("tokens=none", "tokens", json!("none")),
    ] {
        assert_eq!(read_change(typed), Ok((key.to_owned(), value)), "{typed}");
    }
    for typed in ["budget_usd", "=3", ""] {
        assert!(read_change(typed).is_err(), "{typed}");
    }
}

#[test]
fn a_role_has_a_name_and_models() {
    assert_eq!(read_role("reader=a,rules"), Ok(("reader".to_owned(), "a,rules".to_owned())));
    for typed in ["reader", "=a", "reader= ", ""] {
        assert!(read_role(typed).is_err(), "{typed}");
    }
}

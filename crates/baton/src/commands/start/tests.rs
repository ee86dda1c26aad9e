use serde_json::json;

use super::*;

#[test]
fn input_is_read_as_what_it_is() {
    let table = "title = \"x\"\nat = 2026-05-01\n[[stages]]\nname = \"a\"\n";
    let value = json!({"title": "x", "at": "2026-05-01", "stages": [{"name": "a"}]});
    assert_eq!(parse("a.toml", table), Ok(value.clone()));
    assert_eq!(parse("-", table), Ok(value.clone()));
    assert_eq!(parse("-", &value.to_string()), Ok(value.clone()));
    assert_eq!(parse("plan", &value.to_string()), Ok(value));
    // TOML may begin with a bracket too.
    assert_eq!(parse("-", "[a]\nb = 1\n"), Ok(json!({"a": {"b": 1}})));
}

#[test]
fn what_cannot_be_read_is_named() {
    for (name, text, wanted) in [
        ("a.json", "title = 1", "it is not JSON"),
        ("a.toml", "{\"a\": 1}", "it is not TOML"),
        ("-", "{\"a\": ", "it is not JSON"),
        ("-", "a b", "it is not TOML"),
    ] {
        let said = parse(name, text).expect_err("must be refused");
        assert!(said.starts_with(wanted), "{name}: {said}");
    }
}

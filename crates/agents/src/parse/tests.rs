//! Replies of the kinds models are known to send, one file each with what must come of it; and properties.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn replies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replies")
}

#[test]
fn every_collected_reply_is_repaired_or_refused_as_written() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(replies()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "reply") {
            continue;
        }
        count += 1;
        let reply = std::fs::read_to_string(&path).unwrap();
        let got = match parse(&reply, Wanted::Object) {
            Ok(parsed) => parsed.value,
            Err(refused) => serde_json::to_value(refused.reason).unwrap(),
        };
        let want = match std::fs::read_to_string(path.with_extension("json")) {
            Ok(text) => serde_json::from_str(&text).unwrap(),
            Err(_) => Value::from(std::fs::read_to_string(path.with_extension("refused")).unwrap().trim()),
        };
        if got != want {
            wrong.push(format!("{}: got {got}, want {want}", path.file_stem().unwrap().display()));
        }
    }
    assert!(count >= 40, "only {count} replies found");
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A repair that is not named would pass a doubtful value off as a plain one.
#[test]
fn a_repaired_reply_says_so() {
    for entry in std::fs::read_dir(replies()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "reply") {
            let reply = std::fs::read_to_string(&path).unwrap();
            let strict = serde_json::from_str::<Value>(&reply).is_ok();
            if let Ok(parsed) = parse(&reply, Wanted::Object) {
                let same = strict && parsed.value == serde_json::from_str::<Value>(&reply).unwrap();
                assert_eq!(parsed.repairs.is_empty(), same, "{path:?}: {:?}", parsed.repairs);
            }
        }
    }
}

#[test]
fn repairs_are_named() {
    let repairs =
        |text: &str| parse(text, Wanted::Object).unwrap().repairs.into_iter().collect::<BTreeSet<_>>();
    assert_eq!(repairs(r#"{"a": 1}"#), BTreeSet::new());
    assert_eq!(repairs(r#"{"a": "x""#), BTreeSet::from([Repair::Closed]));
    assert_eq!(
        repairs("ok: {'a': True,}"),
        [Repair::Surroundings, Repair::Quotes, Repair::Literal, Repair::ExtraComma].into()
    );
}

#[test]
fn the_wanted_kind_decides() {
    assert_eq!(parse("see [1]: {\"a\": 2}", Wanted::Object).unwrap().value, json!({"a": 2}));
    assert_eq!(parse("[1, 2]", Wanted::Array).unwrap().value, json!([1, 2]));
    for literals in [json!([true, false]), json!([null])] {
        assert_eq!(
            parse(&literals.to_string(), Wanted::Array).unwrap().value,
            literals,
            "plain JSON is no prose"
        );
    }
    assert_eq!(parse("[1] {\"a\": 2}", Wanted::Any).unwrap_err().reason, Reason::Several);
    assert_eq!(Wanted::by(&json!({"type": "object"})), Wanted::Object);
}

#[test]
fn a_refusal_says_where() {
    let refused = parse(r#"{"a": 1, "b": maybe}"#, Wanted::Object).unwrap_err();
    assert_eq!(refused.to_string(), r#"a word stands where a JSON value should be at byte 14: "maybe}""#);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[{}\\[\\],:'\"`<>/#\\\\ a-z\\n\\u{8}\\u{c}]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_json_passes_unchanged(value in any_json(), pretty: bool) {
        let object = json!({"v": value});
        let text = if pretty { serde_json::to_string_pretty(&object).unwrap() } else { object.to_string() };
        let want: Value = serde_json::from_str(&text).unwrap();
        let parsed = parse(&text, Wanted::Object).unwrap();
        prop_assert_eq!(parsed.value, want);
        prop_assert_eq!(parsed.repairs, vec![]);
    }

    #[test]
    fn fenced_json_passes_unchanged(value in any_json()) {
        let object = json!({"v": value});
        // Inside a fence, strings that look like repairs are still strings; only control letters differ.
        let text = object.to_string();
        prop_assume!(!text.contains("\\f") && !text.contains("\\b") && !text.contains("\"\"\""));
        let parsed = parse(&format!("```json\n{text}\n```"), Wanted::Object).unwrap();
        prop_assert_eq!(parsed.value, serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn never_panics(text in ".{0,200}") {
        let _ = parse(&text, Wanted::Any);
    }

    #[test]
    fn never_panics_on_near_json(text in "[\\[\\]{}\",:'`<>/#\\\\ a-z0-9“”…\\n.+-]{0,80}") {
        let _ = parse(&text, Wanted::Object);
    }

    /// Cut anywhere, a reply is read whole or refused; never read as something else.
    #[test]
    fn a_cut_reply_is_never_misread(value in any_json(), cut in 0.0..1.0f64) {
        let text = json!({"v": value, "last": "end"}).to_string();
        // In a damaged reply "\\f" before a letter is read as LaTeX, and the repair is named.
        prop_assume!(!text.contains("\\f") && !text.contains("\\b"));
        let mut at = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(at) { at -= 1; }
        if let Ok(parsed) = parse(&text[..at], Wanted::Object) {
            let whole: Value = serde_json::from_str(&text).unwrap();
            // Brackets alone may be missing; then what is there equals the beginning of the whole.
            prop_assert!(parsed.repairs.contains(&Repair::Closed), "{:?}", parsed);
            if parsed.value.get("last").is_some() { prop_assert_eq!(parsed.value, whole); }
        }
    }
}

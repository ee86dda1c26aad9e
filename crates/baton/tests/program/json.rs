//! `--json`: one value on stdout and nothing else, whatever the command and however it ends.

use serde_json::Value;

use crate::support::Home;

#[test]
fn every_command_prints_exactly_one_value() {
    let home = Home::new();
    for (words, code) in [
        ("runs", 0),
        ("start approval release.toml --no-drive", 0),
        ("start approval release.toml", 5),
        ("runs --all", 0),
        ("runs --waiting", 0),
        ("show last", 0),
        ("show last --memory", 0),
        ("watch last", 5),
        ("log last", 0),
        ("log last --follow", 0),
        ("explain last", 0),
        ("files last", 0),
        ("diagram last", 0),
        ("diagram approval --svg", 0),
        ("answer last maybe", 2),
        ("answer last yes --no-drive", 0),
        ("resume last", 0),
        ("resume last", 0),
        ("cancel last", 1),
        ("start approval release.toml", 5),
        ("cancel last", 0),
        ("answer last yes", 0),
        ("doctor", 0),
        ("init", 0),
        ("init", 1),
        ("trust", 0),
        ("trust missing.toml", 1),
        ("ask --list", 0),
        ("ask nothing --input release.toml", 2),
        ("ask summarize --input release.toml", 2),
        ("completions bash", 0),
        ("man", 0),
        ("man --dir pages", 0),
        ("torture nothing", 2),
        ("show nothing", 2),
        ("start nothing release.toml", 2),
        ("start approval missing.toml", 2),
        ("nonsense", 2),
        ("show", 2),
    ] {
        let words: Vec<&str> = words.split(' ').chain(["--json"]).collect();
        let said = home.baton(&words);
        assert_eq!(said.code, Some(code), "{words:?}: {said:?}");
        let value = said.json();
        assert!(value.is_object() || value.is_array(), "{words:?}: {value}");
        let failed = matches!(code, 1 | 2) && !words.contains(&"doctor");
        assert_eq!(value.get("error").is_some(), failed, "{words:?}: {value}");
        if failed {
            assert_eq!(value["error"]["exit"], code, "{words:?}");
            assert!(!said.err.is_empty(), "{words:?}: the message is missing on stderr");
        }
    }
}

#[test]
fn a_run_has_the_same_names_everywhere() {
    let home = Home::new();
    let run = home.waiting();
    let listed = home.baton(&["runs", "--json"]).json();
    let shown = home.baton(&["show", "last", "--json"]).json();
    let listed: &Value = &listed[0];
    for (name, value) in listed.as_object().expect("an object") {
        assert_eq!(shown.get(name), Some(value), "{name}");
    }
    assert_eq!(listed["run"], run);
    let question = &shown["questions"][0];
    assert_eq!(question["commands"][0], format!("baton answer {run} 2/approve yes"));
    assert_eq!(shown["next"][0], question["commands"][0]);
}

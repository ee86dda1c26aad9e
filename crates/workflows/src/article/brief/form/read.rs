//! From the text of a file to its fields, in three languages, and where a field stands in the text.

use std::path::Path;

use saphyr::{LoadableYamlNode, ScalarOwned, YamlOwned};
use serde_json::{Map, Number, Value};

use super::Mistake;

/// The fields of a file; `brief` at the top may hold them all.
pub fn fields(text: &str, name: &str) -> Result<Map<String, Value>, Mistake> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let value = match ending.to_lowercase().as_str() {
        "yaml" | "yml" => yaml(text),
        "json" => json(text),
        "" if text.trim_start().starts_with('{') => json(text),
        _ => toml(text),
    }?;
    match value {
        Value::Object(mut fields) => match fields.remove("brief") {
            Some(Value::Object(inner)) if fields.is_empty() => Ok(inner),
            Some(other) => {
                fields.insert("brief".to_owned(), other);
                Ok(fields)
            }
            None => Ok(fields),
        },
        _ => Err(whole("a brief is a list of fields, such as topic = \"…\"", Some((1, 1)))),
    }
}

fn whole(what: impl Into<String>, place: Option<(usize, usize)>) -> Mistake {
    let (line, column) = place.unzip();
    Mistake { field: String::new(), what: what.into(), line, column }
}

fn toml(text: &str) -> Result<Value, Mistake> {
    toml::from_str(text).map_err(|error| {
        let place = error.span().map(|span| position(text, span.start));
        whole(error.message(), place)
    })
}

fn json(text: &str) -> Result<Value, Mistake> {
    serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        whole(what, Some((error.line(), error.column().max(1))))
    })
}

fn yaml(text: &str) -> Result<Value, Mistake> {
    if let Some(at) = alias(text) {
        let what = "anchors and aliases (& and *) are not taken; write the value out, or put it in quotes";
        return Err(whole(what, Some(position(text, at))));
    }
    let documents = YamlOwned::load_from_str(text).map_err(|error| {
        let marker = error.marker();
        whole(error.info(), Some((marker.line(), marker.col() + 1)))
    })?;
    match documents.as_slice() {
        [one] => Ok(value(one)),
        [] => Ok(Value::Object(Map::new())),
        _ => Err(whole("a brief is one document; there are several", Some((1, 1)))),
    }
}

/// Where an anchor or an alias begins: few lines of them can mean more than a machine holds.
fn alias(text: &str) -> Option<usize> {
    let mut before = '\n';
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (at, &(place, letter)) in letters.iter().enumerate() {
        let next = letters.get(at + 1).map_or(' ', |it| it.1);
        if matches!(letter, '&' | '*')
            && (before.is_whitespace() || "[,{".contains(before))
            && next.is_alphanumeric()
        {
            return Some(place);
        }
        before = letter;
    }
    None
}

fn value(node: &YamlOwned) -> Value {
    match node {
        YamlOwned::Value(scalar) => scalar_value(scalar),
        YamlOwned::Sequence(items) => items.iter().map(value).collect(),
        YamlOwned::Mapping(map) => {
            let entry = |(key, item): (&YamlOwned, &YamlOwned)| {
                let key = match value(key) {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                (key, value(item))
            };
            Value::Object(map.iter().map(entry).collect())
        }
        YamlOwned::Tagged(_, inner) => value(inner),
        _ => Value::Null,
    }
}

fn scalar_value(scalar: &ScalarOwned) -> Value {
    match scalar {
        ScalarOwned::Null => Value::Null,
        ScalarOwned::Boolean(flag) => Value::Bool(*flag),
        ScalarOwned::Integer(number) => Value::from(*number),
        ScalarOwned::FloatingPoint(number) => {
            Number::from_f64(number.into_inner()).map_or(Value::Null, Value::Number)
        }
        ScalarOwned::String(text) => Value::String(text.clone()),
    }
}

/// The line and column of a byte.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// Where a field is set: its name, perhaps in quotes, before `=` or `:`, at the beginning of a line or behind `{` or `,`.
pub fn place(text: &str, key: &str) -> Option<(usize, usize)> {
    let found = text.match_indices(key).find(|(at, _)| {
        let before = text[..*at].trim_end_matches(['"', '\'']);
        let after = text[at + key.len()..].trim_start_matches(['"', '\'']).trim_start();
        let opens = before.trim_end_matches([' ', '\t']);
        let begins = opens.is_empty() || opens.ends_with(['\n', '{', ',', '\u{feff}']);
        begins && after.starts_with(['=', ':'])
    });
    found.map(|(at, _)| position(text, at))
}

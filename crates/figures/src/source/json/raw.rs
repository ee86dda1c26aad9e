//! JSON as it is written: objects in the order of their names, every value as its text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Objects inside objects; what is deeper is no row of a table.
const DEEPEST: usize = 64;

/// An object, name by name.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
                words.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }
        from.deserialize_map(Names).map(Self)
    }
}

fn pairs(object: &RawValue) -> Result<Vec<(String, &RawValue)>, serde_json::Error> {
    serde_json::from_str::<Pairs<'_>>(object.get()).map(|pairs| pairs.0)
}

/// What stands at a pointer such as `/result/items`; `/` is the document itself.
pub(super) fn pointed<'a>(whole: &'a RawValue, path: &str) -> Option<&'a RawValue> {
    let mut here = whole;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let name = part.replace("~1", "/").replace("~0", "~");
        here = pairs(here).ok()?.into_iter().rev().find(|(key, _)| *key == name)?.1;
    }
    Some(here)
}

/// An object as cells. An error is a sentence.
pub(super) fn flat(item: &RawValue) -> Result<Vec<(String, String)>, String> {
    let mut cells = Vec::new();
    let broken = |error: serde_json::Error| format!("no JSON: {error}");
    if item.get().starts_with('{') {
        flatten(item, "", DEEPEST, &mut cells)?;
    } else {
        cells.push(("value".to_owned(), text(item).map_err(broken)?));
    }
    Ok(cells)
}

fn flatten(
    object: &RawValue,
    before: &str,
    deeper: usize,
    cells: &mut Vec<(String, String)>,
) -> Result<(), String> {
    let broken = |error: serde_json::Error| format!("no JSON: {error}");
    for (key, value) in pairs(object).map_err(broken)? {
        let name = if before.is_empty() { key } else { format!("{before}.{key}") };
        if !value.get().starts_with('{') {
            cells.push((name, text(value).map_err(broken)?));
        } else if deeper == 0 {
            return Err(format!("objects inside objects, more than {DEEPEST} deep"));
        } else {
            flatten(value, &name, deeper - 1, cells)?;
        }
    }
    Ok(())
}

/// A text without its quotation marks, nothing for null, and all else as it is written.
fn text(value: &RawValue) -> Result<String, serde_json::Error> {
    match value.get() {
        "null" => Ok(String::new()),
        quoted if quoted.starts_with('"') => serde_json::from_str(quoted),
        other => Ok(other.to_owned()),
    }
}

//! What can be looked up where.

use super::guess::words;
use super::pass::Print;
use super::{Doubt, Join, TableProfile};
use crate::reading::Kind;

/// Pairs of columns of different tables of which one can be looked up in the other.
pub fn joins(tables: &[TableProfile], prints: &[Print]) -> Vec<Join> {
    let mut found = Vec::new();
    for (one, print) in tables.iter().zip(prints) {
        for (other, other_print) in tables.iter().zip(prints) {
            if one.reading.name != other.reading.name {
                found.extend(between(one, print, other, other_print));
            }
        }
    }
    found
}

fn between(one: &TableProfile, print: &Print, other: &TableProfile, other_print: &Print) -> Vec<Join> {
    let mut found = Vec::new();
    for (column, (unique, values)) in one.columns.iter().zip(&print.columns) {
        for (key, (key_unique, key_values)) in other.columns.iter().zip(&other_print.columns) {
            if column.kind != key.kind || !matches!(column.kind, Kind::Text | Kind::Number) {
                continue;
            }
            // Numbers that count are no names: only whole ones under the same name are looked up.
            let alike = same_name(&one.reading.name, &column.name, &other.reading.name, &key.name);
            if !alike && (column.kind == Kind::Number || !*key_unique) {
                continue;
            }
            let (Some(values), Some(key_values)) = (values, key_values) else { continue };
            if values.is_empty() || column.places > 0 || key.places > 0 {
                continue;
            }
            let unmatched = values.iter().filter(|value| key_values.binary_search(value).is_err()).count();
            let enough =
                if alike { unmatched * 2 <= values.len() } else { unmatched == 0 && values.len() >= 3 };
            // Two keys describe the same things: looked up both ways, told once.
            let told = *unique && *key_unique && one.reading.name > other.reading.name;
            if enough && !told && (*key_unique || !*unique) {
                found.push(Join {
                    table: one.reading.name.clone(),
                    column: column.name.clone(),
                    into: other.reading.name.clone(),
                    key: key.name.clone(),
                    unique: *key_unique && key.missing == 0,
                    values: values.len() as u64,
                    unmatched: unmatched as u64,
                });
            }
        }
    }
    found
}

/// `customer_id` and `customer_id`; `customer` and `customers.id`; `customerId` and `CUSTOMER ID`.
fn same_name(table: &str, column: &str, other: &str, key: &str) -> bool {
    let singular = |word: &str| word.trim_end_matches('s').to_owned();
    let full = |table: &str, name: &str| {
        let words = words(name);
        let short: Vec<String> = words.iter().map(|word| singular(word)).collect();
        let last = short.last().cloned().unwrap_or_default();
        if short.len() == 1 && ["id", "key", "code", "name", "no", "nr"].contains(&last.as_str()) {
            format!("{}{last}", singular(&table.to_lowercase()))
        } else {
            short.concat()
        }
    };
    let (one, two) = (full(table, column), full(other, key));
    let bare = |name: &str| {
        let ends = ["id", "key", "code", "no", "nr"];
        ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
    };
    one == two || (!bare(&one).is_empty() && bare(&one) == bare(&two))
}

/// Says what a join would do wrong.
pub fn doubts(joins: &[Join], tables: &mut [TableProfile]) {
    for join in joins {
        let Some(table) = tables.iter_mut().find(|table| table.reading.name == join.table) else { continue };
        let doubt = |text: String| Doubt {
            table: join.table.clone(),
            column: Some(join.column.clone()),
            row: None,
            grave: false,
            text,
        };
        if !join.unique {
            table.doubts.push(doubt(format!(
                "\"{}\" stands several times in \"{}\" of {}: looking it up there would multiply rows, so it is refused.",
                join.column, join.key, join.into
            )));
        } else if join.unmatched > 0 {
            table.doubts.push(doubt(format!(
                "{} of {} values of \"{}\" are not found in \"{}\" of {}.",
                join.unmatched, join.values, join.column, join.key, join.into
            )));
        }
    }
}

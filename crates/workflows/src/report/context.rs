//! The first look: what the tables hold and what the documents say to the query, in the shape of the seed's
//! initial_context.json.

use std::collections::BTreeMap;

use baton_figures::reading::Kind;
use baton_figures::{Profiles, TableProfile};
use serde::{Deserialize, Serialize};

use super::naming::named;
use crate::markup::count;
use crate::retrieval::{FoundFact, SourceCard};

/// Something known before any task is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFact {
    /// The fact.
    pub fact: String,
    /// A table or a document.
    pub source: String,
}

/// Something the query or the data names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// Its name.
    pub name: String,
    /// `table`, `measure`, `category` or `concept`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is, in a line.
    pub brief_description: String,
}

/// What is known after the first look.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// Words the query uses, by domain.
    pub tags: Vec<String>,
    /// What the data and the query name.
    pub entities: Vec<Entity>,
    /// What is known already.
    pub key_facts: Vec<KeyFact>,
    /// What is to be found out, as the query asks it.
    pub preliminary_questions: Vec<String>,
    /// The tables.
    pub profiles: Profiles,
    /// Where the profiles are archived, for those who compute.
    pub kept: Option<String>,
    /// SHA-256 of each file of data that was archived.
    pub hashes: BTreeMap<String, String>,
    /// What was assumed of the tables: the text of tables.toml.
    pub tables_toml: String,
    /// Documents that can be searched.
    pub documents: usize,
    /// Documents the first search read.
    pub sources: Vec<SourceCard>,
    /// What they say.
    pub facts: Vec<FoundFact>,
    /// What a reader of method.md should know.
    pub notes: Vec<String>,
}

impl Context {
    /// What was found, in a line.
    #[must_use]
    pub fn in_a_line(&self) -> String {
        let tables: Vec<String> = self
            .profiles
            .tables
            .iter()
            .map(|table| format!("{} ({})", table.reading.name, count(as_usize(table.rows), "row")))
            .collect();
        let refused = self.profiles.refused.len();
        let mut parts = Vec::new();
        if !tables.is_empty() {
            parts.push(tables.join(", "));
        }
        if refused > 0 {
            parts.push(format!("{} could not be read", count(refused, "file")));
        }
        if self.documents > 0 {
            parts.push(count(self.documents, "document"));
        }
        if parts.is_empty() { "nothing yet".to_owned() } else { parts.join("; ") }
    }

    /// Fills in what the tables say of themselves.
    pub fn look_at_tables(&mut self) {
        for table in &self.profiles.tables {
            let name = &table.reading.name;
            self.entities.push(Entity {
                name: name.clone(),
                kind: "table".to_owned(),
                brief_description: shape(table),
            });
            self.key_facts.push(KeyFact { fact: shape(table), source: file_name(&table.reading.file) });
            for column in &table.columns {
                let kind = match column.kind {
                    Kind::Number => "measure",
                    Kind::Text | Kind::Truth if !column.categories.is_empty() => "category",
                    _ => continue,
                };
                let unit = column.unit.as_deref().map(|unit| format!(" in {unit}")).unwrap_or_default();
                let description = match kind {
                    "measure" => format!("numbers{unit} in {name}"),
                    _ => {
                        let first = column.categories.iter().take(5).map(|it| it.value.as_str());
                        format!("{} …", first.collect::<Vec<_>>().join(", "))
                    }
                };
                self.entities.push(Entity {
                    name: named(&column.name),
                    kind: kind.to_owned(),
                    brief_description: description,
                });
            }
        }
    }
}

fn as_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The last part of a path, for people.
#[must_use]
pub fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// What a table holds, in a line.
fn shape(table: &TableProfile) -> String {
    let time = table.time.as_ref().map(|time| format!(", {} to {}", time.from, time.to)).unwrap_or_default();
    format!(
        "{} has {} and {}{time}",
        table.reading.name,
        count(as_usize(table.rows), "row"),
        count(table.columns.len(), "column")
    )
}

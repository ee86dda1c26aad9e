//! The table as text: what is stored by content hash, pinned by each run, compared and drawn.

use serde::{Deserialize, Serialize};

use crate::{Kind, Row, Source, Target, Word, Workflow};

/// A whole table with every name written out. Two tables are the same if these are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableText {
    /// The workflow's name.
    pub workflow: String,
    /// Where a run begins.
    pub start: String,
    /// The states.
    pub states: Vec<StateText>,
    /// The events.
    pub events: Vec<String>,
    /// The rows, in order.
    pub rows: Vec<RowText>,
}

/// A state by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateText {
    /// Its name.
    pub name: String,
    /// What kind of place it is.
    pub kind: Kind,
    /// The group it is drawn in, if rows name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A row with its names written out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowText {
    /// As written: a state, `any`, or `in GROUP`.
    pub source: String,
    /// The states it covers.
    pub from: Vec<String>,
    /// The event.
    pub on: String,
    /// The guard's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// As written: a state, `same`, `stay` or `back`.
    pub to: String,
    /// How often it may fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u32>,
}

impl StateText {
    /// Whether a run is over here.
    pub fn is_final(&self) -> bool {
        matches!(self.kind, Kind::Ends(_))
    }
}

impl RowText {
    /// Whether the row applies in this state.
    pub fn covers(&self, state: &str) -> bool {
        self.from.iter().any(|from| from == state)
    }

    /// The state it names as its target; none for `same`, `stay` and `back`.
    pub fn target(&self) -> Option<&str> {
        Some(self.to.as_str()).filter(|to| !["same", "stay", "back"].contains(to))
    }

    /// The row as it stands in the source, for messages.
    pub fn line(&self) -> String {
        let guard = self.guard.as_ref().map(|guard| format!(" if {guard}")).unwrap_or_default();
        let most = self.at_most.map(|most| format!(" at most {most}")).unwrap_or_default();
        format!("{} + {}{guard} => {}{most}", self.source, self.on, self.to)
    }
}

/// Writes a workflow's table out.
pub fn describe<W: Workflow>(table: &[Row<W>]) -> TableText {
    TableText {
        workflow: W::NAME.to_owned(),
        start: W::START.name().to_owned(),
        states: W::State::ALL.iter().map(|state| state_text(table, *state)).collect(),
        events: W::On::ALL.iter().map(|on| on.name().to_owned()).collect(),
        rows: table.iter().map(row_text).collect(),
    }
}

fn state_text<W: Workflow>(table: &[Row<W>], state: W::State) -> StateText {
    let group = table.iter().find_map(|row| match row.from {
        Source::In(group) if group.states.contains(&state) => Some(group.name.to_owned()),
        _ => None,
    });
    StateText { name: state.name().to_owned(), kind: W::kind(state), group }
}

fn row_text<W: Workflow>(row: &Row<W>) -> RowText {
    let source = match &row.from {
        Source::Any => "any".to_owned(),
        Source::One(state) => state.name().to_owned(),
        Source::In(group) => format!("in {}", group.name),
    };
    let from =
        W::State::ALL.iter().filter(|state| row.from.covers(**state)).map(|state| state.name().to_owned());
    let to = match &row.to {
        Target::To(state) => state.name(),
        Target::Same => "same",
        Target::Stay => "stay",
        Target::Back => "back",
    };
    RowText {
        source,
        from: from.collect(),
        on: row.on.name().to_owned(),
        guard: row.guard.as_ref().map(|guard| guard.name.to_owned()),
        to: to.to_owned(),
        at_most: row.at_most,
    }
}

//! One task as one line: `- [ ] ID: Type: Description (Status: STATUS, DependsOn: IDs)`. What the line has no
//! place for stands in notes below it, and only where it is not what the line already implies.

use std::collections::BTreeSet;

use baton_engine::dag::{TaskId, TaskStatus};
use baton_machine::Word;

use super::ParseError;
use crate::markup::{marked, plain, unmarked};
use crate::research::plan::{Dimension, Duty, TaskKind};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub id: TaskId,
    pub text: String,
    pub status: TaskStatus,
    /// What it depends on, each with its column.
    pub depends_on: Vec<(TaskId, usize)>,
}

/// A task as its line and the notes below it.
pub fn render(duty: &Duty, status: TaskStatus, dimensions: &[Dimension]) -> String {
    let mark = match status {
        TaskStatus::Completed => 'x',
        TaskStatus::Failed => '!',
        _ => ' ',
    };
    let text = shown(duty);
    let ids: Vec<&str> = duty.depends_on.iter().map(|id| id.0.as_str()).collect();
    let ids = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    let (id, kind) = (&duty.id, duty.kind().name());
    let mut lines =
        format!("- [{mark}] {id}: {kind}: {} (Status: {status}, DependsOn: {ids})\n", marked(&text));
    let implied = implied(&duty.id, &text, &duty.depends_on, dimensions);
    let mut note = |name: &str, value: &str| lines.push_str(&format!("  - {name}: {}\n", marked(value)));
    if plain(&duty.description) != implied.description {
        note("Description", &duty.description);
    }
    if duty.dimension != implied.dimension {
        note("Dimension", &duty.dimension.map_or("none".to_owned(), |index| (index + 1).to_string()));
    }
    // What a query is follows from the dimension, which a note may have set.
    if plain(&duty.query) != query(duty.kind(), duty.dimension, &text, dimensions) {
        note("Query", &duty.query);
    }
    if duty.critical != implied.critical {
        note("Critical", if duty.critical { "yes" } else { "no" });
    }
    if let Some(conflict) = &duty.conflict {
        note("Conflict", conflict);
    }
    if let Some(failed) = &duty.makes_up_for {
        note("MakesUpFor", &failed.0);
    }
    lines
}

/// The description without the kind, which the line says already.
fn shown(duty: &Duty) -> String {
    let text = plain(&duty.description);
    let prefix = format!("{}: ", duty.kind().name());
    match text.strip_prefix(&prefix) {
        Some(rest) if says_kind(duty.kind()) && !rest.is_empty() => rest.to_owned(),
        _ => text,
    }
}

fn says_kind(kind: TaskKind) -> bool {
    matches!(kind, TaskKind::Search | TaskKind::Read)
}

/// The task a line stands for, as far as the line says.
pub fn implied(id: &TaskId, text: &str, depends_on: &BTreeSet<TaskId>, dimensions: &[Dimension]) -> Duty {
    let kind = TaskKind::of(&id.0).unwrap_or(TaskKind::Search);
    let named = dimensions.iter().position(|dimension| plain(&dimension.name) == text);
    let dimension = named.filter(|_| says_kind(kind));
    Duty {
        id: id.clone(),
        description: if says_kind(kind) { format!("{}: {text}", kind.name()) } else { text.to_owned() },
        dimension,
        query: query(kind, dimension, text, dimensions),
        depends_on: depends_on.clone(),
        critical: matches!(kind, TaskKind::Plan | TaskKind::Search),
        conflict: None,
        makes_up_for: None,
    }
}

/// What is searched or read for if nobody says otherwise.
pub fn query(kind: TaskKind, dimension: Option<usize>, text: &str, dimensions: &[Dimension]) -> String {
    match dimension.and_then(|index| dimensions.get(index)) {
        _ if !says_kind(kind) => String::new(),
        Some(dimension) => plain(&dimension.question),
        None => text.to_owned(),
    }
}

/// Reads a task's line.
pub fn parse(line: &str, number: usize) -> Result<Head, ParseError> {
    let mut cursor = Cursor { line, at: 0, number };
    cursor.take("- [")?;
    let mark_at = cursor.at;
    let mark = cursor.until("] ", "the box [ ], [x] or [!]")?;
    let id_at = cursor.at;
    let id = task_id(cursor.until(": ", "an id and a colon")?).map_err(|what| cursor.error(id_at, what))?;
    let kind = TaskKind::of(&id.0).unwrap_or(TaskKind::Search);
    let kind_at = cursor.at;
    let named = cursor.until(": ", "a type and a colon")?;
    if !named.eq_ignore_ascii_case(kind.name()) {
        return Err(cursor.error(kind_at, format!("the type of {id} is {}, not {named}", kind.name())));
    }
    let end = cursor
        .rest()
        .rfind(" (Status: ")
        .ok_or_else(|| cursor.error(line.len(), "\" (Status: STATUS, DependsOn: IDs)\" is missing".into()))?;
    let text = plain(&unmarked(&cursor.rest()[..end]));
    if text.is_empty() {
        return Err(cursor.error(cursor.at, "the description is missing".to_owned()));
    }
    cursor.at += end;
    cursor.take(" (Status: ")?;
    let status_at = cursor.at;
    let name = cursor.until(", DependsOn:", "a status and \", DependsOn:\"")?;
    let status = TaskStatus::named(name.trim()).ok_or_else(|| {
        let known: Vec<&str> = TaskStatus::ALL.iter().map(|status| status.name()).collect();
        cursor.error(status_at, format!("`{name}` is no status; there are {}", known.join(", ")))
    })?;
    let expected = match status {
        TaskStatus::Completed => "x",
        TaskStatus::Failed => "!",
        _ => " ",
    };
    if mark.to_lowercase() != expected {
        return Err(cursor.error(mark_at, format!("the box is [{mark}], but the status is {status}")));
    }
    let depends_on = cursor.ids()?;
    Ok(Head { id, text, status, depends_on })
}

/// An id: its letter and a number. `E` is an older name for `S`.
pub fn task_id(text: &str) -> Result<TaskId, String> {
    let text = text.trim();
    let mut letters = text.chars();
    let letter = letters.next().filter(|letter| TaskKind::of(&letter.to_string()).is_some());
    let number = letters.as_str();
    match letter {
        Some(letter) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(TaskId(format!("{}{number}", if letter == 'E' { 'S' } else { letter })))
        }
        _ => Err(format!("`{text}` is no task id: P, S, R or C and a number")),
    }
}

struct Cursor<'a> {
    line: &'a str,
    at: usize,
    number: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn error(&self, at: usize, what: String) -> ParseError {
        ParseError { line: self.number, column: column(self.line, at), what }
    }

    fn take(&mut self, expected: &str) -> Result<(), ParseError> {
        if !self.rest().starts_with(expected) {
            return Err(self.error(self.at, format!("\"{expected}\" is expected here")));
        }
        self.at += expected.len();
        Ok(())
    }

    fn until(&mut self, end: &str, what: &str) -> Result<&'a str, ParseError> {
        let found =
            self.rest().find(end).ok_or_else(|| self.error(self.at, format!("{what} is expected here")))?;
        let text = &self.rest()[..found];
        self.at += found + end.len();
        Ok(text)
    }

    fn ids(&mut self) -> Result<Vec<(TaskId, usize)>, ParseError> {
        let inner = self.rest().trim_end().strip_suffix(')').ok_or_else(|| {
            self.error(self.line.trim_end().len(), "the closing bracket is missing".to_owned())
        })?;
        if inner.trim().is_empty() || inner.trim().eq_ignore_ascii_case("none") {
            return Ok(Vec::new());
        }
        let mut ids = Vec::new();
        let mut at = self.at;
        for part in inner.split(',') {
            let begins = at + part.len() - part.trim_start().len();
            let id = task_id(part).map_err(|what| self.error(begins, what))?;
            ids.push((id, column(self.line, begins)));
            at += part.len() + 1;
        }
        Ok(ids)
    }
}

/// The column of a byte, from 1, in characters.
pub fn column(line: &str, at: usize) -> usize {
    line.char_indices().take_while(|(index, _)| *index < at).count() + 1
}

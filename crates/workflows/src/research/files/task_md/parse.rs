//! Reads a task file. Sections 1 and 2 and the checkpoints of section 5 are read; facts and sources are not:
//! they live in the archive, not in a file anybody may edit.

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{DagError, TaskId, TaskStatus};

use super::line::{self, column, implied, query, task_id};
use super::{Checkpoint, Front, ParseError, SECTIONS, TaskFile, TaskLine};
use crate::markup::{plain, unmarked};
use crate::research::plan::{Dimension, Plan};

/// Reads a task file, or a plan in the form of one.
pub fn parse(text: &str) -> Result<TaskFile, ParseError> {
    let lines: Vec<&str> = text.lines().collect();
    let (front, mut at) = front(&lines)?;
    let mut reader = Reader::new(front);
    let mut section = 0;
    let mut in_comment = false;
    while let Some(raw) = lines.get(at) {
        let (number, line) = (at + 1, raw.trim_end());
        at += 1;
        if in_comment || line.trim_start().starts_with("<!--") {
            in_comment = !line.contains("-->");
            continue;
        }
        if let Some(found) = heading(line) {
            section = found;
            reader.headings.insert(found, number);
            continue;
        }
        match section {
            1 => reader.objectives(line, number)?,
            2 => reader.task(line, number)?,
            5 => reader.scratchpad(line),
            _ => {}
        }
    }
    reader.finish(lines.len())
}

/// The number of the section a line opens.
fn heading(line: &str) -> Option<usize> {
    let number = line.strip_prefix("# ")?.split('.').next()?.parse::<usize>().ok()?;
    (1..=SECTIONS.len()).contains(&number).then_some(number)
}

fn wrong(line: usize, column: usize, what: impl Into<String>) -> ParseError {
    ParseError { line, column, what: what.into() }
}

/// The head between two lines of dashes, and where the body begins.
fn front(lines: &[&str]) -> Result<(Option<Front>, usize), ParseError> {
    if lines.first().map(|line| line.trim_end()) != Some("---") {
        return Ok((None, 0));
    }
    let Some(end) = lines.iter().skip(1).position(|line| line.trim_end() == "---") else {
        return Err(wrong(1, 1, "the head has no end: a second --- is missing"));
    };
    let mut front = Front::default();
    for (index, line) in lines.iter().enumerate().skip(1).take(end) {
        let number = index + 1;
        let Some((name, value)) = line.split_once(':') else {
            return Err(wrong(number, 1, "a name, a colon and a value are expected here"));
        };
        let begins = column(line, line.len() - value.trim_start().len());
        let text = || scalar(value).map_err(|what| wrong(number, begins, what));
        let amount = || {
            let error = |_| wrong(number, begins, format!("{} is no number from 0 up", value.trim()));
            value.trim().parse::<u32>().map_err(error)
        };
        match name.trim() {
            "mission_id" => front.mission = text()?,
            "created_at" => front.created = text()?,
            "status" => front.status = text()?,
            "topic" => front.topic = text()?,
            "archive" => front.archive = text()?,
            "iteration" => front.iteration = amount()?,
            "max_iterations" => front.max_iterations = Some(amount()?),
            "cost_tracking" | "total_tokens" | "tools_used" => {}
            other => return Err(wrong(number, 1, format!("`{}` is no field of the head", plain(other)))),
        }
    }
    Ok((Some(front), end + 2))
}

fn scalar(value: &str) -> Result<String, String> {
    let value = value.trim();
    if value.starts_with('"') {
        serde_json::from_str(value).map_err(|_| "the quoted text does not end well".to_owned())
    } else {
        Ok(value.to_owned())
    }
}

/// What was read so far.
struct Reader {
    file: TaskFile,
    headings: BTreeMap<usize, usize>,
    heads: Vec<(usize, line::Head)>,
    notes: Vec<(usize, usize, String, String)>,
}

impl Reader {
    fn new(front: Option<Front>) -> Self {
        let file = TaskFile {
            front,
            core_question: String::new(),
            revision: 1,
            by: String::new(),
            dimensions: Vec::new(),
            exclusions: Vec::new(),
            tasks: Vec::new(),
            checkpoints: Vec::new(),
        };
        Self { file, headings: BTreeMap::new(), heads: Vec::new(), notes: Vec::new() }
    }

    fn objectives(&mut self, line: &str, number: usize) -> Result<(), ParseError> {
        if let Some(question) = line.strip_prefix("**Core Question**:") {
            self.file.core_question = plain(&unmarked(question));
        } else if let Some(plan) = line.strip_prefix("**Plan**: revision ") {
            let (revision, by) = plan.split_once(", drafted by").unwrap_or((plan, ""));
            let error = |_| wrong(number, column(line, line.len() - plan.len()), "a revision is a number");
            self.file.revision = revision.trim().parse().map_err(error)?;
            self.file.by = plain(&unmarked(by));
        } else if line.starts_with('|') {
            self.row(line, number)?;
        } else if let Some((index, question)) =
            line.strip_prefix("- D").and_then(|rest| rest.split_once(": "))
        {
            let dimension =
                index.parse::<usize>().ok().and_then(|n| self.file.dimensions.get_mut(n.wrapping_sub(1)));
            let Some(dimension) = dimension else {
                return Err(wrong(number, 3, format!("there is no dimension {}", plain(index))));
            };
            let question = plain(&unmarked(question));
            if !question.is_empty() {
                dimension.question = question;
            }
        }
        Ok(())
    }

    /// A row of the tables: dimensions begin with their number, constraints with their name.
    fn row(&mut self, line: &str, number: usize) -> Result<(), ParseError> {
        let cells = cells(line);
        let cell = |index: usize| cells.get(index).map(|cell| plain(&unmarked(cell))).unwrap_or_default();
        let first = cell(0);
        if first == "Exclusions" {
            self.file.exclusions = list(cells.get(1).map_or("", String::as_str));
        }
        let Ok(position) = first.parse::<usize>() else { return Ok(()) };
        let expected = self.file.dimensions.len() + 1;
        if position != expected {
            return Err(wrong(number, 3, format!("dimension {expected} is expected here, not {position}")));
        }
        if cells.len() != 3 || cell(1).is_empty() {
            return Err(wrong(number, 1, "a dimension has a number, a name and focus areas"));
        }
        let focus = list(cells.get(2).map_or("", String::as_str));
        self.file.dimensions.push(Dimension { name: cell(1), question: cell(1), focus });
        Ok(())
    }

    fn task(&mut self, line: &str, number: usize) -> Result<(), ParseError> {
        if line.trim().is_empty() || line.starts_with("## ") {
            return Ok(());
        }
        if let Some(note) = line.strip_prefix("  - ") {
            // Words that are only marks nobody sees are no value: they would be gone when the plan is written again.
            let said = note.split_once(": ").map(|(name, value)| (name, plain(&unmarked(value))));
            let Some((name, value)) = said.filter(|(_, value)| !value.is_empty()) else {
                return Err(wrong(number, 5, "a name, a colon and a value are expected here"));
            };
            if self.heads.is_empty() {
                return Err(wrong(number, 1, "there is no task above this note"));
            }
            let task = self.heads.len() - 1;
            self.notes.push((task, number, name.to_owned(), value));
            return Ok(());
        }
        let head = line::parse(line, number)?;
        if let Some((first, _)) = self.heads.iter().find(|(_, other)| other.id == head.id) {
            return Err(wrong(number, 7, format!("{} is already in line {first}", head.id)));
        }
        self.heads.push((number, head));
        Ok(())
    }

    /// A checkpoint that cannot be read is passed over: an older one may be whole.
    fn scratchpad(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("- **Iteration ") else { return };
        let Some((iteration, rest)) = rest.split_once("**: ") else { return };
        let map = rest.split_once("checkpoint ").map(|(_, map)| map);
        let statuses = map.and_then(|map| serde_json::from_str::<BTreeMap<TaskId, TaskStatus>>(map).ok());
        if let (Ok(iteration), Some(statuses)) = (iteration.parse(), statuses) {
            self.file.checkpoints.push(Checkpoint { iteration, statuses });
        }
    }

    fn finish(mut self, last: usize) -> Result<TaskFile, ParseError> {
        let directives = self.headings.get(&1).copied();
        let Some(directives) = directives else {
            return Err(wrong(last.max(1), 1, format!("the section \"{}\" is missing", SECTIONS[0])));
        };
        let Some(&plan) = self.headings.get(&2) else {
            return Err(wrong(last.max(1), 1, format!("the section \"{}\" is missing", SECTIONS[1])));
        };
        if self.file.core_question.is_empty() {
            return Err(wrong(directives, 1, "the line **Core Question**: is missing or empty"));
        }
        if self.file.dimensions.is_empty() {
            return Err(wrong(directives, 1, "the table of dimensions is missing or empty"));
        }
        if self.heads.is_empty() {
            return Err(wrong(plan, 1, "there are no tasks"));
        }
        self.check_dependencies()?;
        self.build()?;
        self.check_cycles()?;
        self.file.checkpoints.sort_by_key(|checkpoint| checkpoint.iteration);
        Ok(self.file)
    }

    fn check_dependencies(&self) -> Result<(), ParseError> {
        for (number, head) in &self.heads {
            for (id, column) in &head.depends_on {
                if *id == head.id {
                    return Err(wrong(*number, *column, format!("{id} depends on itself")));
                }
                if !self.heads.iter().any(|(_, other)| other.id == *id) {
                    let what = format!("{} depends on {id}, which does not exist", head.id);
                    return Err(wrong(*number, *column, what));
                }
            }
        }
        Ok(())
    }

    fn build(&mut self) -> Result<(), ParseError> {
        let dimensions = &self.file.dimensions;
        for (at, (number, head)) in self.heads.iter().enumerate() {
            let depends_on: BTreeSet<TaskId> = head.depends_on.iter().map(|(id, _)| id.clone()).collect();
            let mut duty = implied(&head.id, &head.text, &depends_on, dimensions);
            let mut asked = None;
            for (_, number, name, value) in self.notes.iter().filter(|(task, ..)| *task == at) {
                let bad = |what: String| wrong(*number, name.chars().count() + 7, what);
                match name.as_str() {
                    "Description" => duty.description.clone_from(value),
                    "Query" => asked = Some(value.clone()),
                    "Critical" => duty.critical = yes_or_no(value).map_err(bad)?,
                    "Conflict" => duty.conflict = Some(value.clone()),
                    "MakesUpFor" => duty.makes_up_for = Some(task_id(value).map_err(bad)?),
                    "Dimension" => duty.dimension = dimension(value, dimensions.len()).map_err(bad)?,
                    other => {
                        return Err(wrong(
                            *number,
                            5,
                            format!("`{}` says nothing about a task", plain(other)),
                        ));
                    }
                }
            }
            duty.query = asked.unwrap_or_else(|| query(duty.kind(), duty.dimension, &head.text, dimensions));
            self.file.tasks.push(TaskLine { duty, status: head.status, line: *number });
        }
        Ok(())
    }

    fn check_cycles(&self) -> Result<(), ParseError> {
        let plan = Plan { done: BTreeSet::new(), ..self.file.plan() };
        let Err(error) = plan.dag() else { return Ok(()) };
        let edge = match &error {
            DagError::Cycle(ids) => ids.first().zip(ids.get(1)),
            _ => None,
        };
        let stands = |(number, head): &(usize, line::Head)| {
            let (_, to) = edge.filter(|(from, _)| **from == head.id)?;
            let (_, column) = head.depends_on.iter().find(|(id, _)| id == to)?;
            Some((*number, *column))
        };
        let (number, column) = self.heads.iter().find_map(stands).unwrap_or((1, 1));
        Err(wrong(number, column, error.to_string()))
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("yes or no is expected here, not {other}")),
    }
}

fn dimension(value: &str, count: usize) -> Result<Option<usize>, String> {
    if value == "none" {
        return Ok(None);
    }
    let index = value.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    index.filter(|index| *index < count).map(Some).ok_or_else(|| format!("there is no dimension {value}"))
}

/// The cells of a table's row; an escaped bar is not a border.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|');
    let mut parts = split(inner, '|');
    if parts.last().is_some_and(|last| last.trim().is_empty()) {
        parts.pop();
    }
    parts.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// A list as one cell: parts between semicolons, or `none`.
fn list(cell: &str) -> Vec<String> {
    let parts = split(cell, ';').iter().map(|part| plain(&unmarked(part))).collect::<Vec<_>>();
    match parts.as_slice() {
        [only] if only == "none" || only.is_empty() => Vec::new(),
        _ => parts,
    }
}

/// Splits where the letter is not escaped.
fn split(text: &str, at: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == at {
            parts.push(String::new());
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
            if letter == '\\' {
                part.extend(letters.next());
            }
        }
    }
    parts
}

//! The states of a run in a row, the present one lit: where it has been, where it stands, what may still come.

use std::collections::BTreeMap;

use baton_engine::record::{Body, Step};
use baton_machine::{StateText, TableText};

use crate::page::{Ink, Page, Span, inked, plain};

/// As wide as a narrow terminal takes.
const WIDTH: usize = 76;

/// The states of a table and how often a run has entered each.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    states: Vec<StateText>,
    entered: BTreeMap<String, u32>,
}

impl Strip {
    /// A run that begins.
    pub fn of(table: TableText) -> Self {
        Self { entered: BTreeMap::from([(table.start, 1)]), states: table.states }
    }

    /// Follows a record.
    pub fn take(&mut self, body: &Body) {
        if let Body::Event(happened) = body
            && happened.step == Step::Visit
        {
            *self.entered.entry(happened.to.clone()).or_insert(0) += 1;
        }
    }

    /// Draws it. Brackets tell where the run stands, so that nobody needs colours; ends that were not reached are left out.
    pub fn draw(&self, here: &str, page: &mut Page) {
        let mut line: Vec<Span> = Vec::new();
        let mut width = 0;
        for state in &self.states {
            let times = self.entered.get(&state.name).copied().unwrap_or(0);
            let stands = state.name == here;
            if state.is_final() && times == 0 && !stands {
                continue;
            }
            let again = if times > 1 { format!("×{times}") } else { String::new() };
            let (ink, word) = match (stands, times) {
                (true, _) => (Ink::Good, format!("[{}{again}]", state.name)),
                (false, 0) => (Ink::Faint, state.name.clone()),
                (false, _) => (Ink::Plain, format!("{}{again}", state.name)),
            };
            let length = word.chars().count() + 1;
            if width + length > WIDTH && !line.is_empty() {
                page.line(std::mem::take(&mut line));
                width = 0;
            }
            line.push(plain(if line.is_empty() { "  " } else { " " }));
            line.push(inked(ink, word));
            width += length;
        }
        if !line.is_empty() {
            page.line(line);
        }
    }
}

#[cfg(test)]
mod tests;

//! Rows called "Total" and the like. The name only says where to look: a row is left out if its numbers are those of other
//! rows put together, of its block, of its kind or of all; a company called Total stays.

use std::collections::HashMap;
use std::ops::ControlFlow;

use csv::ByteRecord;

use super::heap::{Agreement, Heap, Numeric};
use crate::cell::is_total;
use crate::compute::column::Column;
use crate::error::FiguresError;
use crate::profile::guess::is_part_of_date;
use crate::reading::{Kind, LeaveOut, TableReading};
use crate::source::{self, Context};

/// Rows with such labels that are looked at; the others go the way of these.
const LOOKED_AT: usize = 500;

/// A label, and the column it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The column.
    pub column: String,
    /// What stands in it.
    pub text: String,
}

/// A label whose rows, or one of whose rows, are no sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubted {
    /// The label.
    pub label: Label,
    /// The first row that is no sum.
    pub row: u64,
    /// How many there are.
    pub rows: u64,
    /// Whether its rows are left out all the same, because most of them are sums.
    pub left_out: bool,
}

/// Which labels are those of totals, and what is doubtful about any.
#[derive(Debug, Default)]
pub struct Verified {
    /// Rows to leave out.
    pub leave_out: Vec<LeaveOut>,
    /// What has to be said.
    pub doubted: Vec<Doubted>,
}

/// Holds labels against the numbers beside them.
pub fn verified(table: &TableReading, labels: &[Label], context: &Context) -> Result<Verified, FiguresError> {
    let verdicts = verdicts(table, labels, context)?;
    let mut totals: Vec<Label> = Vec::new();
    let mut open: Vec<(Label, Verdict)> = Vec::new();
    let mut doubted = Vec::new();
    for (label, verdict) in labels.iter().zip(verdicts) {
        if verdict.is_total() {
            doubted.extend(verdict.doubt(label, true));
            totals.push(label.clone());
        } else {
            open.push((label.clone(), verdict));
        }
    }
    // What was taken for a total may be missing in the sum of another.
    for (label, verdict) in open {
        let alone: Vec<Label> = totals.iter().cloned().chain([label.clone()]).collect();
        let again = if labels.len() > 1 { verdicts_of_last(table, &alone, context)? } else { None };
        match again.filter(Verdict::is_total) {
            Some(again) => {
                doubted.extend(again.doubt(&label, true));
                totals.push(label);
            }
            None => doubted.extend(verdict.doubt(&label, false)),
        }
    }
    Ok(Verified { leave_out: gathered(labels, &totals), doubted })
}

/// The labels by column, in the order in which they were found.
fn gathered(labels: &[Label], totals: &[Label]) -> Vec<LeaveOut> {
    let mut found: Vec<LeaveOut> = Vec::new();
    for label in labels.iter().filter(|label| totals.contains(label)) {
        match found.iter_mut().find(|out| out.column == label.column) {
            Some(out) => out.labels.push(label.text.clone()),
            None => {
                found.push(LeaveOut { column: label.column.clone(), labels: vec![label.text.clone()] });
            }
        }
    }
    found
}

/// What the rows of a label are.
#[derive(Debug, Default)]
struct Verdict {
    sums: u64,
    others: u64,
    first_other: Option<u64>,
}

impl Verdict {
    fn is_total(&self) -> bool {
        self.sums > self.others
    }

    fn doubt(&self, label: &Label, left_out: bool) -> Option<Doubted> {
        let row = self.first_other?;
        Some(Doubted { label: label.clone(), row, rows: self.others, left_out })
    }
}

fn verdicts_of_last(
    table: &TableReading,
    labels: &[Label],
    context: &Context,
) -> Result<Option<Verdict>, FiguresError> {
    Ok(verdicts(table, labels, context)?.pop())
}

/// A row with such a label.
struct Marked {
    row: u64,
    labels: Vec<usize>,
    values: Vec<Option<crate::Decimal>>,
    /// Which columns of words and days it fills, and what stands in them.
    key: Option<Key>,
    /// Rows it may be the sum of.
    heaps: Vec<Heap>,
}

/// Places of columns, and the cells in them.
type Key = (Vec<usize>, Vec<Vec<u8>>);

/// The columns of a table as labels, numbers and what tells rows apart.
struct Look {
    labels: Vec<(Column, String)>,
    numbers: Vec<Numeric>,
    keys: Vec<Column>,
}

impl Look {
    fn new(table: &TableReading, labels: &[Label]) -> Self {
        let own = |name: &str| table.column(name).map(|(at, column)| Column::own(at, column));
        let labels: Vec<(Column, String)> =
            labels.iter().filter_map(|label| Some((own(&label.column)?, label.text.clone()))).collect();
        let is_label = |at: usize| labels.iter().any(|(column, _)| column.index == at);
        let columns = || table.columns.iter().enumerate().filter(|(at, _)| !is_label(*at));
        let is_number = |kind: Kind, name: &str| kind == Kind::Number && !is_part_of_date(name);
        let numbers = columns().filter(|(_, it)| is_number(it.kind, &it.name));
        let numbers = numbers.map(|(at, column)| Numeric::of(Column::own(at, column))).collect();
        let keys = table.columns.iter().enumerate();
        let keys = keys.filter(|(_, it)| !is_number(it.kind, &it.name) && it.kind != Kind::Empty);
        let keys = keys.map(|(at, column)| Column::own(at, column)).collect();
        Self { labels, numbers, keys }
    }

    fn marks(&self, record: &ByteRecord) -> Vec<usize> {
        let stands = |(column, text): &(Column, String)| column.bytes(record) == text.as_bytes();
        self.labels.iter().enumerate().filter(|(_, label)| stands(label)).map(|(at, _)| at).collect()
    }

    fn values(&self, record: &ByteRecord) -> Vec<Option<crate::Decimal>> {
        self.numbers.iter().map(|numeric| numeric.column.number(record)).collect()
    }

    /// What a row with a label says of its kind; none where it says nothing, and so means all rows.
    fn key(&self, record: &ByteRecord) -> Option<Key> {
        let says = |column: &&Column| column.text(record).is_some_and(|text| !is_total(&text));
        let own: Vec<&Column> = self.keys.iter().filter(says).collect();
        let cells = own.iter().map(|column| column.bytes(record).to_vec()).collect();
        (!own.is_empty()).then(|| (own.iter().map(|column| column.index).collect(), cells))
    }

    fn cells(places: &[usize], record: &ByteRecord) -> Vec<Vec<u8>> {
        places.iter().map(|at| record.get(*at).unwrap_or_default().trim_ascii().to_vec()).collect()
    }
}

/// What the rows of each label are.
fn verdicts(table: &TableReading, labels: &[Label], context: &Context) -> Result<Vec<Verdict>, FiguresError> {
    let look = Look::new(table, labels);
    let mut marked = marked(&look, table, context)?;
    gather(&look, &mut marked, table, context)?;
    let mut verdicts: Vec<Verdict> = labels.iter().map(|_| Verdict::default()).collect();
    for mark in &marked {
        let agreement = mark.heaps.iter().map(|heap| heap.agrees(&look.numbers, &mark.values)).max();
        for label in &mark.labels {
            let Some(verdict) = verdicts.get_mut(*label) else { continue };
            match agreement.unwrap_or(Agreement::None) {
                Agreement::Sum => verdict.sums += 1,
                // A block of one row has a total that is the row again: it speaks neither for nor against.
                Agreement::Same => {}
                Agreement::None => {
                    verdict.others += 1;
                    verdict.first_other.get_or_insert(mark.row);
                }
            }
        }
    }
    for (verdict, label) in verdicts.iter_mut().zip(0..) {
        let first = marked.iter().find(|mark| mark.labels.contains(&label));
        if verdict.sums == 0 && verdict.others == 0 {
            verdict.others = 1;
            verdict.first_other = first.map(|mark| mark.row);
        }
    }
    Ok(verdicts)
}

fn marked(look: &Look, table: &TableReading, context: &Context) -> Result<Vec<Marked>, FiguresError> {
    let mut marked = Vec::new();
    source::each_row(table, context, &mut |row, record| {
        let labels = look.marks(record);
        if !labels.is_empty() {
            let (values, key) = (look.values(record), look.key(record));
            marked.push(Marked { row, labels, values, key, heaps: Vec::new() });
        }
        let is_enough = marked.len() >= LOOKED_AT;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(marked)
}

/// Gives each row with a label the rows it may be the sum of: those since the last one, those since the last one of its name,
/// all before it, those behind it up to the next, those of its kind, and all.
fn gather(
    look: &Look,
    marked: &mut [Marked],
    table: &TableReading,
    context: &Context,
) -> Result<(), FiguresError> {
    let empty = || Heap::new(look.numbers.len());
    let mut kinds: HashMap<Key, Heap> =
        marked.iter().filter_map(|mark| mark.key.clone()).map(|key| (key, empty())).collect();
    let mut places: Vec<Vec<usize>> = kinds.keys().map(|(places, _)| places.clone()).collect();
    places.sort_unstable();
    places.dedup();
    let (mut all, mut block) = (empty(), empty());
    let mut of_name: Vec<Heap> = look.labels.iter().map(|_| empty()).collect();
    let mut next = 0_usize;
    source::each_row(table, context, &mut |_, record| {
        let labels = look.marks(record);
        if labels.is_empty() {
            let values = look.values(record);
            let kinds_of = places.iter().map(|places| (places.clone(), Look::cells(places, record)));
            for key in kinds_of {
                if let Some(heap) = kinds.get_mut(&key) {
                    heap.add(&values);
                }
            }
            [&mut all, &mut block].into_iter().chain(&mut of_name).for_each(|heap| heap.add(&values));
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(before) = next.checked_sub(1).and_then(|at| marked.get_mut(at)) {
            before.heaps.push(block.clone());
        }
        if let Some(mark) = marked.get_mut(next) {
            mark.heaps.extend([block.clone(), all.clone()]);
            mark.heaps.extend(labels.iter().filter_map(|at| of_name.get(*at).cloned()));
        }
        next += 1;
        block = empty();
        for at in labels {
            of_name[at] = empty();
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if let Some(last) = marked.last_mut().filter(|_| next <= LOOKED_AT) {
        last.heaps.push(block);
    }
    for mark in marked {
        mark.heaps.push(all.clone());
        mark.heaps.extend(mark.key.as_ref().and_then(|key| kinds.get(key).cloned()));
    }
    Ok(())
}

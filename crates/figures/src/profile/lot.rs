//! Rows in lots: one column's cells are counted one after the other before the next column's turn. Going along the rows
//! instead, the processor guesses at every cell what kind of column comes next, and mostly wrongly.

use std::ops::Range;

use csv::ByteRecord;

/// Rows of a lot: enough to pay, few enough to stay near the processor.
const ROWS: usize = 512;

/// Some rows of a table, copied.
#[derive(Debug)]
pub struct Lot {
    width: usize,
    bytes: Vec<u8>,
    /// Where each cell stands in the bytes, row by row.
    cells: Vec<Range<usize>>,
    /// The numbers of the rows.
    rows: Vec<u64>,
}

impl Lot {
    /// An empty lot of a table with so many columns.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, bytes: Vec::new(), cells: Vec::new(), rows: Vec::new() }
    }

    /// Adds a row; cells it does not have are empty.
    pub fn push(&mut self, row: u64, record: &ByteRecord) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(record.as_slice());
        let place = |at| record.range(at).map_or(0..0, |cell| begin + cell.start..begin + cell.end);
        self.cells.extend((0..self.width).map(place));
        self.rows.push(row);
    }

    /// Whether it is time to count it.
    #[must_use]
    pub fn is_full(&self) -> bool {
        // A table of very many columns fills its lot with few rows.
        self.rows.len() >= ROWS || self.cells.len() >= ROWS * 64
    }

    /// The cells of a column with the numbers of their rows.
    pub fn column(&self, at: usize) -> impl Iterator<Item = (u64, &[u8])> {
        let cells = self.cells.iter().skip(at).step_by(self.width.max(1));
        let cells = cells.map(|cell| self.bytes.get(cell.clone()).unwrap_or_default());
        self.rows.iter().copied().zip(cells)
    }

    /// What is in it, leaving it empty.
    pub fn take(&mut self) -> Self {
        let next = Self {
            width: self.width,
            bytes: Vec::with_capacity(self.bytes.len()),
            cells: Vec::with_capacity(self.cells.len()),
            rows: Vec::with_capacity(self.rows.len()),
        };
        std::mem::replace(self, next)
    }
}

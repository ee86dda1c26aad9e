//! The slots of the runs this process drives, laid out as the file has them, so that neighbours are written together
//! and nothing is copied for it.

use std::collections::BTreeMap;

use super::slot::SLOT;
use super::{PAGE, ROWS, page};

/// One side of the pages in which this process has runs.
#[derive(Debug, Default)]
pub struct Pages {
    pages: BTreeMap<u64, Page>,
    /// Pages with slots that are not written yet.
    fresh: Vec<u64>,
}

#[derive(Debug)]
struct Page {
    slots: Box<[u8; PAGE]>,
    /// The rows that are ours, a bit for each.
    held: u32,
    /// Those of them that are not written yet.
    fresh: u32,
}

// A bit for each row of a page.
const _: () = assert!(ROWS == u32::BITS as u64);

impl Pages {
    /// Keeps a slot until it is written.
    pub fn put(&mut self, row: i64, slot: &[u8; SLOT]) {
        let (number, index) = (page(row), index(row));
        let new = || Page { slots: Box::new([0; PAGE]), held: 0, fresh: 0 };
        let page = self.pages.entry(number).or_insert_with(new);
        if page.fresh == 0 {
            self.fresh.push(number);
        }
        page.slots[index * SLOT..][..SLOT].copy_from_slice(slot);
        page.held |= 1 << index;
        page.fresh |= 1 << index;
    }

    /// Hands out what is to be written, as few stretches as can be: the first row, and the slots from there. Slots
    /// between two fresh ones are written again where they are ours, because a call costs more than they do.
    pub fn each_stretch(&mut self, mut write: impl FnMut(i64, &[u8])) {
        for number in self.fresh.drain(..) {
            let Some(page) = self.pages.get_mut(&number) else { continue };
            while page.fresh != 0 {
                let first = page.fresh.trailing_zeros();
                // Our rows from there on, up to the first that is not.
                let ours = (page.held >> first).trailing_ones();
                let reach = page.fresh & (u32::MAX >> (u32::BITS - ours) << first);
                let last = u32::BITS - 1 - reach.leading_zeros();
                page.fresh &= !reach;
                let row = (number * ROWS + 1).cast_signed() + i64::from(first);
                write(row, &page.slots[first as usize * SLOT..(last as usize + 1) * SLOT]);
            }
        }
    }

    /// The row is no longer ours.
    pub fn let_go(&mut self, row: i64) {
        let number = page(row);
        if let Some(page) = self.pages.get_mut(&number) {
            page.held &= !(1 << index(row));
            page.fresh &= page.held;
            if page.held == 0 {
                self.pages.remove(&number);
            }
        }
    }
}

/// Which slot of its page a row has.
fn index(row: i64) -> usize {
    (row.cast_unsigned().saturating_sub(1) % ROWS) as usize
}

#[cfg(test)]
mod tests;

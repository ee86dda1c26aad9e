//! Reading one run alone, from its last record back to its first, along the places the records name.
//!
//! What is wrong with a damaged run is not said here: a walk that does not come through only says so,
//! and the caller reads the run in the order of its numbers instead.

use rusqlite::{Connection, OptionalExtension};

use crate::record::Chained;
use crate::{Hash, Millis, RunId};

/// The most records one statement looks at; a run that was alone finds all of them its own.
const WIDEST: i64 = 256;

/// Hands over a run's records, last one first, until `take` has enough or the first one is reached.
/// False if a record is missing, unreadable or out of order.
pub fn walk(
    connection: &Connection,
    run: &RunId,
    mut take: impl FnMut(Chained) -> bool,
) -> rusqlite::Result<bool> {
    let start = connection
        .query_row("SELECT id, last, records FROM run WHERE name = ?1", [&run.0], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((id, Some(mut place), mut n)) = start else { return Ok(false) };
    let mut statement = connection.prepare_cached(
        "SELECT seq, n, at, body, hash, back FROM record WHERE seq > ?1 AND seq <= ?2 AND run = ?3 ORDER BY seq DESC",
    )?;
    let mut width = 1;
    loop {
        let mut found = 0;
        let mut rows = statement.query((place - width, place, id))?;
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(0)? != place || row.get::<_, i64>(1)? != n {
                return Ok(false);
            }
            let Some(record) = record(row) else { return Ok(false) };
            if !take(record) {
                return Ok(true);
            }
            n -= 1;
            found += 1;
            match row.get(5)? {
                Some(back) => place = back,
                None => return Ok(n == 0),
            }
        }
        if found == 0 {
            return Ok(false);
        }
        width = if found == width { (width * 2).min(WIDEST) } else { 1 };
    }
}

fn record(row: &rusqlite::Row<'_>) -> Option<Chained> {
    let text = std::str::from_utf8(row.get_ref(3).ok()?.as_bytes().ok()?).ok()?.to_owned();
    let hash = Hash::from_slice(row.get_ref(4).ok()?.as_blob().ok()?)?;
    let number = |index| row.get::<_, i64>(index).ok().map(i64::cast_unsigned);
    Some(Chained { n: number(1)?, at: Millis(number(2)?), text, hash })
}

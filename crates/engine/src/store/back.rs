//! Reading one run alone, from its last record back to its first, along the places the records name.
//!
//! What is wrong with a damaged run is not said here: a walk that does not come through only says so,
//! and the caller reads the run in the order of its numbers instead.

use rusqlite::{Connection, OptionalExtension};

use crate::record::Chained;
use crate::{Hash, Millis, RunId};

/// The most records one statement looks at; a run that was alone finds all of them its own.
const WIDEST: i64 = 256;

/// Records of one row of the list of runs that belong to a run: its own, or those it shares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The row.
    pub run: i64,
    /// The last record before them.
    pub after: i64,
    /// The last of them; none where the run still grows.
    pub to: Option<i64>,
}

/// The rows a run's records belong to, its own first, and where it ends.
pub struct Extent {
    /// The rows.
    pub segments: Vec<Segment>,
    /// The place of its last record.
    pub last: Option<i64>,
    /// How many records it has.
    pub records: i64,
}

/// Where a run's records are; none if there is no such run.
pub fn extent(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<Extent>> {
    let start = connection
        .prepare_cached("SELECT id, last, records FROM run JOIN head ON head.run = run.id WHERE name = ?1")?
        .query_row([&run.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((id, last, records)) = start else { return Ok(None) };
    let mut statement = connection.prepare_cached("SELECT origin, shared FROM run WHERE id = ?1")?;
    let mut segments = Vec::new();
    let (mut next, mut to) = (Some(id), None);
    while let Some(id) = next {
        let found = statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (origin, after) = found.unwrap_or((None, 0));
        segments.push(Segment { run: id, after, to });
        // Each shares fewer records than the one before it, so a damaged list ends here too.
        next = origin.filter(|_| to.is_none_or(|to| after < to) && after > 0);
        to = Some(after);
    }
    Ok(Some(Extent { segments, last, records }))
}

/// Hands over a run's records, last one first, until `take` has enough or the first one is reached.
/// False if a record is missing, unreadable or out of order.
pub fn walk(
    connection: &Connection,
    run: &RunId,
    mut take: impl FnMut(Chained) -> bool,
) -> rusqlite::Result<bool> {
    walk_places(connection, run, |_, record| take(record))
}

/// The same, with the place of each record.
pub fn walk_places(
    connection: &Connection,
    run: &RunId,
    mut take: impl FnMut(i64, Chained) -> bool,
) -> rusqlite::Result<bool> {
    let Some(Extent { segments, last: Some(mut place), records: mut n }) = extent(connection, run)? else {
        return Ok(false);
    };
    let mut statement = connection.prepare_cached(
        "SELECT seq, n, at, body, hash, back FROM record WHERE seq > ?1 AND seq <= ?2 AND run = ?3 ORDER BY seq DESC",
    )?;
    for segment in segments {
        let mut width = 1;
        while n > segment.after {
            let mut found = 0;
            let mut rows = statement.query((place - width, place, segment.run))?;
            while n > segment.after
                && let Some(row) = rows.next()?
            {
                if row.get::<_, i64>(0)? != place || row.get::<_, i64>(1)? != n {
                    return Ok(false);
                }
                let Some(record) = record(row) else { return Ok(false) };
                if !take(place, record) {
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
    Ok(false)
}

fn record(row: &rusqlite::Row<'_>) -> Option<Chained> {
    let text = std::str::from_utf8(row.get_ref(3).ok()?.as_bytes().ok()?).ok()?.to_owned();
    let hash = Hash::from_slice(row.get_ref(4).ok()?.as_blob().ok()?)?;
    let number = |index| row.get::<_, i64>(index).ok().map(i64::cast_unsigned);
    Some(Chained { n: number(1)?, at: Millis(number(2)?), text, hash })
}

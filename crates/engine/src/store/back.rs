//! Reading one run alone, from its last record back to its first, along the places the records name.
//!
//! What is wrong with a damaged run is not said here: a walk that does not come through only says so,
//! and the caller reads the run in the order of its numbers instead.

use rusqlite::{Connection, OptionalExtension};

use super::cache;
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
    walk_places(connection, run, None, |_, record| take(record))
}

/// The place of record `n` of a run. What the records say is not read.
pub fn place_of(connection: &Connection, run: &RunId, n: i64) -> rusqlite::Result<Option<i64>> {
    // A place that an outline keeps saves the way to it; one that turns out wrong costs that way.
    if let Some(near) = cache::place_from(connection, run, n)?
        && let Some(place) = place_before(connection, run, n, Some(near))?
    {
        return Ok(Some(place));
    }
    place_before(connection, run, n, None)
}

/// The place of record `n`, looked for from a later record whose place is known or from the last one.
fn place_before(
    connection: &Connection,
    run: &RunId,
    n: i64,
    from: Option<(i64, i64)>,
) -> rusqlite::Result<Option<i64>> {
    let mut found = None;
    let Some(extent) = extent_to(connection, run, from)? else { return Ok(None) };
    walk_rows(connection, extent, "back", |place, at, _| {
        found = (at == n).then_some(place);
        Ok(found.is_none())
    })?;
    Ok(found)
}

/// Where a run's records are up to one whose place is known, or all of them.
fn extent_to(
    connection: &Connection,
    run: &RunId,
    to: Option<(i64, i64)>,
) -> rusqlite::Result<Option<Extent>> {
    let extent = extent(connection, run)?;
    Ok(extent.map(|extent| match to {
        Some((place, n)) => Extent { last: Some(place), records: n, ..extent },
        None => extent,
    }))
}

/// The same as [`walk`], with the place of each record, from a record whose place is known or from the last one.
pub fn walk_places(
    connection: &Connection,
    run: &RunId,
    from: Option<(i64, i64)>,
    mut take: impl FnMut(i64, Chained) -> bool,
) -> rusqlite::Result<bool> {
    let Some(extent) = extent_to(connection, run, from)? else { return Ok(false) };
    let mut readable = true;
    let through = walk_rows(connection, extent, "back, at, body, hash", |place, n, row| {
        let found = record(n, row);
        readable = found.is_some();
        Ok(found.is_some_and(|record| take(place, record)))
    })?;
    Ok(through && readable)
}

/// Hands over rows with these columns, the first of them `back`, behind place and number.
fn walk_rows(
    connection: &Connection,
    extent: Extent,
    columns: &str,
    mut take: impl FnMut(i64, i64, &rusqlite::Row<'_>) -> rusqlite::Result<bool>,
) -> rusqlite::Result<bool> {
    let Extent { segments, last: Some(mut place), records: mut n } = extent else { return Ok(false) };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT seq, n, {columns} FROM record WHERE seq > ?1 AND seq <= ?2 AND run = ?3 ORDER BY seq DESC"
    ))?;
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
                if !take(place, n, row)? {
                    return Ok(true);
                }
                n -= 1;
                found += 1;
                match row.get(2)? {
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

fn record(n: i64, row: &rusqlite::Row<'_>) -> Option<Chained> {
    let at = row.get::<_, i64>(3).ok()?.cast_unsigned();
    let text = std::str::from_utf8(row.get_ref(4).ok()?.as_bytes().ok()?).ok()?.to_owned();
    let hash = Hash::from_slice(row.get_ref(5).ok()?.as_blob().ok()?)?;
    Some(Chained { n: n.cast_unsigned(), at: Millis(at), text, hash })
}

//! What is kept of a run so that its records need not be folded from the first: snapshots, and outlines, which hold all but
//! what the run has learnt. Both are caches: checked when they are read, and thrown away when in doubt.
//!
//! All of them stay. A new snapshot is only written when the records since outweigh the one before it twice, and outlines
//! are small, so together they weigh little more than the records; and a run that goes off from a point, or is shown as
//! it stood there, is folded from the last one before that.

use rusqlite::{Connection, OptionalExtension};

use super::back::{self, Extent, Segment};
use crate::driver::Snapshot;
use crate::runs::RunsError;
use crate::{Hash, RunId};

/// How many are tried before a run is read from its beginning.
const NEWEST: usize = 2;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    Snapshot,
    Outline,
}

impl Cache {
    fn table(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Outline => "outline",
        }
    }

    /// Keeps one that reaches up to and including a record.
    pub fn write(
        self,
        connection: &Connection,
        run: i64,
        (n, hash, text): &(u64, Hash, String),
    ) -> rusqlite::Result<()> {
        let table = self.table();
        connection
            .prepare_cached(&format!(
                "INSERT OR REPLACE INTO {table} (run, n, hash, check_hash, body) VALUES (?1, ?2, ?3, ?4, ?5)"
            ))?
            .execute((run, n.cast_signed(), &hash.0, Hash::of(text.as_bytes()).0, text))?;
        Ok(())
    }
}

/// Keeps where the record stands that an outline reaches up to.
pub fn write_place(connection: &Connection, run: i64, n: u64, place: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("UPDATE outline SET place = ?3 WHERE run = ?1 AND n = ?2")?.execute((
        run,
        n.cast_signed(),
        place,
    ))?;
    Ok(())
}

/// The nearest record from record `n` of a run on whose place an outline keeps, and that place. Unchecked.
pub fn place_from(connection: &Connection, run: &RunId, n: i64) -> rusqlite::Result<Option<(i64, i64)>> {
    let Some(Extent { segments, .. }) = back::extent(connection, run)? else { return Ok(None) };
    let Some(Segment { run, to, .. }) = segments.into_iter().find(|segment| segment.after < n) else {
        return Ok(None);
    };
    connection
        .prepare_cached(
            "SELECT place, n FROM outline WHERE run = ?1 AND n >= ?2 AND n <= ?3 AND place IS NOT NULL
             ORDER BY n LIMIT 1",
        )?
        .query_row((run, n, to.unwrap_or(i64::MAX)), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

impl super::Store {
    /// The newest two up to and including record `to`; the older one is there in case the newest turns out damaged.
    pub(super) fn cached(
        &self,
        cache: Cache,
        run: &RunId,
        to: Option<u64>,
    ) -> Result<Vec<Snapshot>, RunsError> {
        let until = to.map_or(i64::MAX, u64::cast_signed);
        let rows: Vec<(i64, Vec<u8>, Vec<u8>, String)> = self.read(|connection| {
            let Some(Extent { segments, .. }) = back::extent(connection, run)? else { return Ok(Vec::new()) };
            let table = cache.table();
            let sql = format!(
                "SELECT n, hash, check_hash, body FROM {table}
                 WHERE run = ?1 AND n > ?2 AND n <= ?3 ORDER BY n DESC LIMIT ?4"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let mut found = Vec::new();
            for Segment { run, after, to } in segments {
                let (to, more) = (to.unwrap_or(i64::MAX).min(until), NEWEST.saturating_sub(found.len()));
                let rows = statement.query_map((run, after, to, more as i64), |row| {
                    // A damaged body may not even be text; an empty one fails its check below.
                    let body = row.get::<_, String>(3).unwrap_or_default();
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, body))
                })?;
                for row in rows {
                    found.push(row?);
                }
            }
            Ok(found)
        })?;
        let whole = rows
            .into_iter()
            .filter(|(_, _, check, text)| Hash::of(text.as_bytes()).0.as_slice() == check.as_slice());
        Ok(whole
            .filter_map(|(n, hash, _, text)| {
                Some(Snapshot { n: n.cast_unsigned(), hash: Hash::from_slice(&hash)?, text })
            })
            .collect())
    }
}

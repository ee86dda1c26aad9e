//! Which hashes each record names, kept beside the records: what nobody names any more is then found without reading
//! them. A row holds what one record and the long payload it names say, and only records that name something have one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rusqlite::Connection;

use super::Blobs;
use crate::Hash;
use crate::driver::Vault;
use crate::parcel::hashes_in;
use crate::record::Chained;

/// Keeps what a record at this place names. `fresh` are long payloads that are on their way to the folder.
pub fn keep(
    connection: &Connection,
    (place, record): (i64, &Chained),
    fresh: &[(Hash, Vec<u8>)],
    blobs: &Blobs,
) -> rusqlite::Result<()> {
    let mut named = BTreeSet::new();
    hashes_in(record.text.as_bytes(), &mut named);
    if named.is_empty() {
        return Ok(());
    }
    if let Some(payload) = record.long_payload() {
        let held = fresh.iter().find(|(hash, _)| *hash == payload).map(|(_, bytes)| Cow::from(bytes));
        // One that is lost names nothing; `baton doctor` tells of it.
        if let Some(bytes) = held.or_else(|| blobs.fetch(&payload).ok().map(Cow::from)) {
            hashes_in(&bytes, &mut named);
        }
    }
    let row: Vec<u8> = named.iter().flat_map(|hash| hash.0).collect();
    connection
        .prepare_cached("INSERT OR REPLACE INTO named (seq, hashes) VALUES (?1, ?2)")?
        .execute((place, row))?;
    Ok(())
}

/// Every hash that a record of the home names.
pub fn all(connection: &Connection) -> rusqlite::Result<BTreeSet<Hash>> {
    let mut statement = connection.prepare("SELECT hashes FROM named")?;
    let mut rows = statement.query([])?;
    let mut named = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let hashes = row.get_ref(0)?.as_blob().unwrap_or_default();
        named.extend(hashes.chunks_exact(32).filter_map(Hash::from_slice));
    }
    Ok(named)
}

/// Forgets what the records of a run from this number on name; they are about to go.
pub fn forget(connection: &Connection, run: i64, from: i64) -> rusqlite::Result<()> {
    connection.execute(
        "DELETE FROM named WHERE seq IN (SELECT seq FROM record WHERE run = ?1 AND n >= ?2)",
        (run, from),
    )?;
    Ok(())
}

/// Reads every record once, for a home from before this list was kept.
pub fn fill(connection: &Connection, blobs: &Blobs) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT seq, body FROM record")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        // A damaged record names nothing that could be read.
        let Ok(text) = row.get_ref(1)?.as_str() else { continue };
        let record = Chained { n: 0, at: crate::Millis(0), text: text.to_owned(), hash: Hash::ZERO };
        keep(connection, (row.get(0)?, &record), &[], blobs)?;
    }
    Ok(())
}

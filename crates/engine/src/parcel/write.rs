//! Packing: tables, runs with their records, long payloads and archived texts, each kind in the order of its names.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use sha2::{Digest, Sha256};

use super::{FORM, Label, MAGIC, ParcelError, Shelf, Tally, named_in, payloads_of};
use crate::Hash;
use crate::driver::Vault;
use crate::record::Chained;
use crate::runs::RunsError;

/// One run of a family.
#[derive(Clone, Debug)]
pub struct Member {
    /// What is said of it.
    pub label: Label,
    /// Its records from the first on, those it shares with another included.
    pub records: Vec<Chained>,
}

/// What is packed together: a run and everything below it.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// The runs, parents before their children.
    pub members: Vec<Member>,
    /// The tables they are pinned to.
    pub tables: BTreeMap<Hash, String>,
}

/// Writes a family into a parcel.
pub fn write(
    family: &Family,
    vault: &dyn Vault,
    shelf: &dyn Shelf,
    to: &mut dyn Write,
) -> Result<Tally, ParcelError> {
    let mut out = Out { to, hasher: Sha256::new(), bytes: 0 };
    let Family { members, tables } = family;
    out.line(&format!("{MAGIC} {FORM}"))?;
    for (hash, text) in tables {
        out.part("table", hash, text.as_bytes())?;
    }
    let mut named = BTreeSet::new();
    let mut records = 0;
    for Member { label, records: own } in members {
        let label = serde_json::to_string(label).map_err(std::io::Error::other)?;
        out.line(&format!("run {label}"))?;
        for Chained { n, at, text, hash } in own {
            out.line(&format!("record {n} {} {hash} {}", at.0, text.len()))?;
            out.body(text.as_bytes())?;
        }
        named.append(&mut named_in(own.iter().map(|record| record.text.as_bytes())));
        records += own.len() as u64;
    }
    let payloads = payloads_of(members.iter().flat_map(|member| &member.records));
    for hash in &payloads {
        let bytes = vault.fetch(hash).map_err(RunsError::from)?;
        named.append(&mut named_in([bytes.as_slice()]));
        out.part("payload", hash, &bytes)?;
    }
    let mut archived = 0;
    for hash in &named {
        if let Some(bytes) = shelf.get(hash).map_err(ParcelError::Shelf)? {
            out.part("archived", hash, &bytes)?;
            archived += 1;
        }
    }
    let hash = Hash(out.hasher.clone().finalize().into());
    out.line(&format!("end {hash}"))?;
    out.to.flush()?;
    let runs = members.iter().map(|member| member.label.run.clone()).collect();
    Ok(Tally { runs, records, payloads: payloads.len(), archived, bytes: out.bytes, hash })
}

struct Out<'a> {
    to: &'a mut dyn Write,
    hasher: Sha256,
    bytes: u64,
}

impl Out<'_> {
    fn part(&mut self, kind: &str, hash: &Hash, bytes: &[u8]) -> std::io::Result<()> {
        self.line(&format!("{kind} {hash} {}", bytes.len()))?;
        self.body(bytes)
    }

    fn body(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.put(bytes)?;
        self.put(b"\n")
    }

    fn line(&mut self, line: &str) -> std::io::Result<()> {
        self.body(line.as_bytes())
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        self.to.write_all(bytes)
    }
}

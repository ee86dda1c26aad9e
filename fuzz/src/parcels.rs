//! Runs that come in a file: what is taken is exactly what would be written.

use std::collections::BTreeMap;

use baton_engine::Hash;
use baton_engine::driver::{PayloadProblem, Vault, VaultError};
use baton_engine::parcel::{self, Contents, Family, Member, ParcelError, Shelf, Sink};

/// A file of `baton export`, as it is and with its hashes mended: chance cannot find one.
pub fn parcel(bytes: &[u8]) {
    holds(bytes);
    holds(&mended(bytes));
}

/// What is taken in is written again as the same bytes, so that nothing in a parcel goes unseen.
fn holds(bytes: &[u8]) {
    let mut kept = Kept::default();
    let Ok(Contents { runs, tables, tally }) = parcel::read(bytes, &mut kept) else { return };
    let members = runs.into_iter().map(|it| Member { label: it.label, records: it.records }).collect();
    let mut again = Vec::new();
    let written = parcel::write(&Family { members, tables }, &kept, &kept, &mut again).expect("it was read");
    assert_eq!(again, bytes, "it is written as it was read");
    assert_eq!(written, tally);
}

#[derive(Default)]
struct Kept {
    payloads: BTreeMap<Hash, Vec<u8>>,
    archived: BTreeMap<Hash, Vec<u8>>,
}

impl Sink for Kept {
    fn payload(&mut self, hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError> {
        self.payloads.insert(*hash, bytes.to_vec());
        Ok(())
    }
    fn archived(&mut self, hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError> {
        self.archived.insert(*hash, bytes.to_vec());
        Ok(())
    }
}

impl Vault for Kept {
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError> {
        let missing = VaultError { hash: *hash, problem: PayloadProblem::Missing };
        self.payloads.get(hash).cloned().ok_or(missing)
    }
}

impl Shelf for Kept {
    fn get(&self, hash: &Hash) -> Result<Option<Vec<u8>>, String> {
        Ok(self.archived.get(hash).cloned())
    }
    fn put(&self, _bytes: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

/// The same parts, with the lengths and hashes that they have.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut label: Option<(usize, serde_json::Value)> = None;
    let (mut previous, mut count) = (Hash::ZERO, 0_u64);
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, behind) = (&rest[..end], &rest[end + 1..]);
        let words: Vec<&str> = std::str::from_utf8(line).unwrap_or_default().split(' ').collect();
        let length = words.last().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
        let body = &behind[..length.min(behind.len())];
        match words.as_slice() {
            ["end", ..] => break,
            ["run", ..] => {
                close(&mut out, label.take(), previous, count);
                (previous, count) = (Hash::ZERO, 0);
                let value = serde_json::from_slice(&line[4..]).unwrap_or_default();
                label = Some((out.len(), value));
                rest = behind;
                continue;
            }
            ["record", n, at, ..] => {
                let (n, at): (u64, u64) = (n.parse().unwrap_or(0), at.parse().unwrap_or(0));
                let link = [&previous.0[..], &n.to_be_bytes(), &at.to_be_bytes(), body].concat();
                (previous, count) = (Hash::of(&link), n);
                put(&mut out, &format!("record {n} {at} {previous} {}", body.len()), body);
            }
            [kind @ ("table" | "payload" | "archived"), ..] => {
                if *kind != "table" {
                    close(&mut out, label.take(), previous, count);
                }
                put(&mut out, &format!("{kind} {} {}", Hash::of(body), body.len()), body);
            }
            _ => {
                out.extend_from_slice(line);
                out.push(b'\n');
                rest = behind;
                continue;
            }
        }
        rest = behind.get(length + 1..).unwrap_or_default();
    }
    close(&mut out, label.take(), previous, count);
    let end = format!("end {}\n", Hash::of(&out));
    out.extend_from_slice(end.as_bytes());
    out
}

fn put(out: &mut Vec<u8>, line: &str, body: &[u8]) {
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
    out.extend_from_slice(body);
    out.push(b'\n');
}

/// Puts the label of a run before its records, with the head that they have.
fn close(out: &mut Vec<u8>, label: Option<(usize, serde_json::Value)>, head: Hash, records: u64) {
    let Some((at, mut value)) = label else { return };
    if let Some(fields) = value.as_object_mut() {
        fields.insert("records".to_owned(), records.into());
        fields.insert("head".to_owned(), head.to_string().into());
    }
    let line = format!("run {value}\n");
    out.splice(at..at, line.into_bytes());
}

//! Sorting more than memory holds: records are byte strings, sorted in memory, written as runs into the scratch folder
//! beyond a limit, and merged. Runs are removed when they are done with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::FiguresError;
use crate::source::Context;

/// Tells the runs of one process apart.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// Collects records and gives them back in order.
#[derive(Debug)]
pub struct Sorter {
    bytes: Vec<u8>,
    spans: Vec<(u32, u32)>,
    memory: usize,
    scratch: Option<PathBuf>,
    runs: Vec<Run>,
}

/// A sorted run on disk; gone when this is.
#[derive(Debug)]
struct Run(PathBuf);

impl Drop for Run {
    fn drop(&mut self) {
        // A run that cannot be removed is left to whoever owns the scratch folder.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Sorter {
    /// A sorter that keeps at most so many bytes in memory.
    #[must_use]
    pub fn new(context: &Context, memory: usize) -> Self {
        let memory = memory.clamp(1 << 12, 1 << 30);
        Self {
            bytes: Vec::new(),
            spans: Vec::new(),
            memory,
            scratch: context.scratch.clone(),
            runs: Vec::new(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When a run must be written and cannot be.
    pub fn push(&mut self, record: &[u8]) -> Result<(), FiguresError> {
        let (start, length) = (self.bytes.len(), record.len());
        if start + length + (self.spans.len() + 1) * 8 > self.memory && !self.spans.is_empty() {
            self.write_run()?;
            return self.push(record);
        }
        self.bytes.extend_from_slice(record);
        let span = (u32::try_from(start), u32::try_from(length));
        let (Ok(start), Ok(length)) = span else {
            return Err(FiguresError::Refused("a cell of more than 4 GB cannot be sorted".to_owned()));
        };
        self.spans.push((start, length));
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let record = |span: &(u32, u32)| {
            let start = span.0 as usize;
            bytes.get(start..start + span.1 as usize).unwrap_or_default()
        };
        self.spans.sort_unstable_by(|one, two| record(one).cmp(record(two)));
    }

    fn write_run(&mut self) -> Result<(), FiguresError> {
        let Some(folder) = &self.scratch else {
            let megabytes = self.memory >> 20;
            let text = format!(
                "it needs all values at once, more than {megabytes} MB of them, and no scratch folder was given"
            );
            return Err(FiguresError::Refused(text));
        };
        let name = format!("figures-{}-{}.run", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let path = folder.join(name);
        let io = |source: io::Error| FiguresError::Io { file: path.clone(), source };
        let file = File::options().write(true).create_new(true).open(&path).map_err(io)?;
        let run = Run(path.clone());
        self.sort();
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for (start, length) in &self.spans {
            let start = *start as usize;
            let record = self.bytes.get(start..start + *length as usize).unwrap_or_default();
            out.write_all(&length.to_le_bytes()).and_then(|()| out.write_all(record)).map_err(io)?;
        }
        out.flush().map_err(io)?;
        self.runs.push(run);
        self.bytes.clear();
        self.spans.clear();
        Ok(())
    }

    /// All records in order, one after the other; as often as wanted.
    ///
    /// # Errors
    /// When a run cannot be read, or whatever the visitor returns.
    pub fn each(
        &mut self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), FiguresError>,
    ) -> Result<(), FiguresError> {
        if !self.runs.is_empty() && !self.spans.is_empty() {
            self.write_run()?;
        }
        if self.runs.is_empty() {
            self.sort();
            for (start, length) in &self.spans {
                let start = *start as usize;
                visit(self.bytes.get(start..start + *length as usize).unwrap_or_default())?;
            }
            return Ok(());
        }
        self.bytes = Vec::new();
        let mut readers = Vec::new();
        let mut heap = BinaryHeap::new();
        for (at, run) in self.runs.iter().enumerate() {
            let io = |source: io::Error| FiguresError::Io { file: run.0.clone(), source };
            let mut reader = BufReader::with_capacity(1 << 16, File::open(&run.0).map_err(io)?);
            if let Some(first) = next(&mut reader).map_err(io)? {
                heap.push(Reverse((first, at)));
            }
            readers.push(reader);
        }
        while let Some(Reverse((record, at))) = heap.pop() {
            visit(&record)?;
            let (Some(reader), Some(run)) = (readers.get_mut(at), self.runs.get(at)) else { continue };
            let io = |source: io::Error| FiguresError::Io { file: run.0.clone(), source };
            if let Some(following) = next(reader).map_err(io)? {
                heap.push(Reverse((following, at)));
            }
        }
        Ok(())
    }
}

fn next(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match reader.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut record = vec![0; u32::from_le_bytes(length) as usize];
    reader.read_exact(&mut record)?;
    Ok(Some(record))
}

/// An integer as bytes that sort as it does.
#[must_use]
pub fn ordered(value: i128) -> [u8; 16] {
    (value.cast_unsigned() ^ (1 << 127)).to_be_bytes()
}

/// The integer that was written so.
#[must_use]
pub fn unordered(bytes: [u8; 16]) -> i128 {
    (u128::from_be_bytes(bytes) ^ (1 << 127)).cast_signed()
}

#[cfg(test)]
mod tests;

//! CSV and its kin. A record may be as long as the limit and no longer, and bytes that are not of the encoding are
//! refused: a quote that never closes would swallow the file, and a wrong letter would split a category in two.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use csv::ByteRecord;
use encoding_rs::{Decoder, Encoding};

use super::{Context, Visit, open};
use crate::error::FiguresError;
use crate::reading::TableReading;

/// Read at once.
const CHUNK: usize = 1 << 16;

/// What is wrong with the bytes themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Not of the encoding.
    #[error("bytes that are no {0}")]
    Encoding(&'static str),
    /// Longer than a record may be.
    #[error("longer than {} MB: a quotation mark that is never closed, or no table at all", .0 >> 20)]
    Long(usize),
}

/// All records, numbered from 1; lines without any cell are not counted.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_record(
    table: &TableReading,
    context: &Context,
    visit: &mut Visit<'_>,
) -> Result<(), FiguresError> {
    let limit = context.limits.record;
    let file = open(&table.file)?;
    let allowed = Rc::new(Cell::new(0));
    let bytes = Guarded { inner: decoded(file, &table.encoding)?, allowed: Rc::clone(&allowed), limit };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(table.delimiter.and_then(|mark| u8::try_from(mark).ok()).unwrap_or(b','))
        .quoting(table.quote.is_some())
        .quote(table.quote.and_then(|mark| u8::try_from(mark).ok()).unwrap_or(b'"'))
        .buffer_capacity(CHUNK)
        .from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut number = 0;
    loop {
        allowed.set(limit + CHUNK);
        number += 1;
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(FiguresError::at_row(&table.file, number, why(&error))),
        }
        if record.as_slice().len() > limit {
            return Err(FiguresError::at_row(&table.file, number, Trouble::Long(limit).to_string()));
        }
        if record.len() > context.limits.columns {
            let reason = format!("{} cells, at most {} are read", record.len(), context.limits.columns);
            return Err(FiguresError::at_row(&table.file, number, reason));
        }
        if visit(number, &record)? == ControlFlow::Break(()) {
            return Ok(());
        }
    }
}

fn why(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

/// Lets only so many bytes through until somebody allows more, which happens at each record.
struct Guarded<R> {
    inner: R,
    allowed: Rc<Cell<usize>>,
    limit: usize,
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = self.allowed.get();
        if allowed == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, Trouble::Long(self.limit)));
        }
        let most = buffer.len().min(allowed);
        let read = self.inner.read(buffer.get_mut(..most).unwrap_or_default())?;
        self.allowed.set(allowed - read);
        Ok(read)
    }
}

fn decoded(file: File, name: &str) -> Result<Box<dyn Read>, FiguresError> {
    let encoding = Encoding::for_label(name.as_bytes())
        .ok_or_else(|| FiguresError::Assumptions(format!("no encoding is called \"{name}\"")))?;
    if encoding == encoding_rs::UTF_8 {
        return Ok(Box::new(Utf8 { inner: file, carry: Vec::new() }));
    }
    Ok(Box::new(Decoded {
        inner: file,
        decoder: encoding.new_decoder_with_bom_removal(),
        name: encoding.name(),
        raw: vec![0; CHUNK],
        ready: Vec::new(),
        at: 0,
        ended: false,
    }))
}

/// Passes UTF-8 on and nothing else.
struct Utf8 {
    inner: File,
    /// The beginning of a letter whose end is in the next chunk.
    carry: Vec<u8>,
}

impl Read for Utf8 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let bad = || io::Error::new(io::ErrorKind::InvalidData, Trouble::Encoding("UTF-8"));
        if read == 0 {
            return if self.carry.is_empty() { Ok(0) } else { Err(bad()) };
        }
        let mut chunk = buffer.get(..read).unwrap_or_default();
        while !self.carry.is_empty() {
            let Some((first, rest)) = chunk.split_first() else { return Ok(read) };
            self.carry.push(*first);
            chunk = rest;
            match std::str::from_utf8(&self.carry) {
                Ok(_) => self.carry.clear(),
                Err(error) if error.error_len().is_some() || self.carry.len() > 3 => return Err(bad()),
                Err(_) => {}
            }
        }
        if let Err(error) = std::str::from_utf8(chunk) {
            if error.error_len().is_some() {
                return Err(bad());
            }
            self.carry = chunk.get(error.valid_up_to()..).unwrap_or_default().to_vec();
        }
        Ok(read)
    }
}

/// Turns another encoding into UTF-8.
struct Decoded {
    inner: File,
    decoder: Decoder,
    name: &'static str,
    raw: Vec<u8>,
    ready: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() && !self.ended {
            let read = self.inner.read(&mut self.raw)?;
            self.ended = read == 0;
            let source = self.raw.get(..read).unwrap_or_default();
            let room = self.decoder.max_utf8_buffer_length(source.len()).unwrap_or(4 * CHUNK);
            self.ready.resize(room, 0);
            let (_, _, written, wrong) = self.decoder.decode_to_utf8(source, &mut self.ready, self.ended);
            if wrong {
                return Err(io::Error::new(io::ErrorKind::InvalidData, Trouble::Encoding(self.name)));
            }
            self.ready.truncate(written);
            self.at = 0;
        }
        let rest = self.ready.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        Ok(count)
    }
}

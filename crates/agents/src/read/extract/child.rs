//! The child's side: shut ourselves in, then read documents from the pipe until it closes. What that guarantees is said in
//! [`crate::confine`].

use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use super::Header;
use crate::confine::{Confinement, confine};
use crate::read::{Format, ReadError, Reading, docx, html, pdf};

/// Memory when the parent names none.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Body of the hidden `extract` command. The last argument of the process is the memory limit in bytes.
#[must_use]
pub fn child_main() -> ExitCode {
    let memory = std::env::args().next_back().and_then(|last| last.parse().ok()).unwrap_or(DEFAULT_MEMORY);
    if let Err(reason) = confine(&Confinement { memory: Some(memory), ..Confinement::default() }) {
        let refusal: Result<Reading, ReadError> = Err(ReadError::Child(reason));
        return if answer(&refusal).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match serve(&mut BufReader::new(std::io::stdin().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let header: Header = serde_json::from_str(&line)?;
        let mut bytes = Vec::new();
        input.by_ref().take(header.length).read_to_end(&mut bytes)?;
        let parse = AssertUnwindSafe(|| parse(&header, &bytes));
        let result = catch_unwind(parse)
            .unwrap_or_else(|_| Err(ReadError::Child("the parser gave up on a malformed part".to_owned())));
        answer(&result)?;
    }
}

fn parse(header: &Header, bytes: &[u8]) -> Result<Reading, ReadError> {
    match header.format {
        Format::Html => html::read(bytes, header.declared.as_deref()),
        Format::Pdf => pdf::read(bytes),
        Format::Docx => docx::read(bytes, header.unpacked_limit),
        Format::Text | Format::Markdown | Format::Csv => {
            crate::read::plain::read(header.format, bytes, header.unpacked_limit)
        }
    }
}

fn answer(result: &Result<Reading, ReadError>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, result)?;
    out.write_all(b"\n")?;
    out.flush()
}

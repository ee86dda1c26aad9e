//! The child's side: shut ourselves in, then read documents from the pipe until it closes.
//!
//! What is guaranteed where. On every Unix: memory is limited, no core file is written, and no descriptor can be
//! opened beside the pipes the child was given, so no file, folder or socket either. On Linux with landlock (5.13 and
//! later, unless switched off) the kernel also refuses every path by name, which covers renaming and deleting: these
//! need no descriptor. Elsewhere only the time limit of the parent holds.

use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use super::Header;
use crate::read::{Format, ReadError, Reading, docx, html, pdf};

/// Memory when the parent names none.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Body of the hidden `extract` command. The last argument of the process is the memory limit in bytes.
#[must_use]
pub fn child_main() -> ExitCode {
    let memory = std::env::args().next_back().and_then(|last| last.parse().ok()).unwrap_or(DEFAULT_MEMORY);
    if let Err(reason) = shut_in(memory) {
        let refusal: Result<Reading, ReadError> = Err(ReadError::Child(reason));
        return if answer(&refusal).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match serve(&mut BufReader::new(std::io::stdin().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// No more memory than allowed, no core files, and no file system, as far as the system can do it.
fn shut_in(memory: u64) -> Result<(), String> {
    limit_memory(memory)?;
    no_paths()?;
    no_descriptors() // last: the others may need one
}

#[cfg(unix)]
fn limit_memory(memory: u64) -> Result<(), String> {
    rlimit::setrlimit(rlimit::Resource::AS, memory, memory)
        .map_err(|error| format!("memory could not be limited ({error})"))?;
    rlimit::setrlimit(rlimit::Resource::CORE, 0, 0)
        .map_err(|error| format!("core files could not be forbidden ({error})"))
}

/// The limit is on the number of a new descriptor: those that are open stay usable.
#[cfg(unix)]
fn no_descriptors() -> Result<(), String> {
    rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)
        .map_err(|error| format!("open files could not be limited ({error})"))
}

#[cfg(not(unix))]
fn limit_memory(_memory: u64) -> Result<(), String> {
    Ok(())
}

#[cfg(not(unix))]
fn no_descriptors() -> Result<(), String> {
    Ok(())
}

/// Whether the kernel refuses paths; kernels without landlock do not, and that is no failure.
#[cfg(target_os = "linux")]
fn no_paths() -> Result<bool, String> {
    use landlock::{ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetStatus};
    Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))
        .and_then(landlock::Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self)
        .map(|status| status.ruleset != RulesetStatus::NotEnforced)
        .map_err(|error| format!("files could not be shut off ({error})"))
}

#[cfg(not(target_os = "linux"))]
fn no_paths() -> Result<bool, String> {
    Ok(false)
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

#[cfg(test)]
mod tests;

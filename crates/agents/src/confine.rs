//! Shutting a process in: no more memory than allowed, no core files, and of the file system only what is named.
//!
//! What is guaranteed where. On every Unix: memory is limited and no core file is written; where nothing is named no
//! descriptor can be opened beside those the process has, so no file, folder or socket either. On Linux with landlock
//! (5.13 and later, unless switched off) the kernel also refuses every path that is not named, which covers renaming and
//! deleting: these need no descriptor. Elsewhere only the time limit of the parent holds.

use std::path::PathBuf;

/// What a process keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Bytes of address space.
    pub memory: u64,
    /// Files it may read.
    pub readable: Vec<PathBuf>,
    /// Folders in which it may make, change and remove files.
    pub writable: Vec<PathBuf>,
}

/// Shuts this process in, for good.
///
/// # Errors
/// When a limit cannot be set; the process is not to go on then.
pub fn confine(confinement: &Confinement) -> Result<(), String> {
    limit_memory(confinement.memory)?;
    limit_paths(confinement)?;
    // Last: the others may need one.
    if confinement.readable.is_empty() && confinement.writable.is_empty() { no_descriptors() } else { Ok(()) }
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
fn limit_paths(confinement: &Confinement) -> Result<bool, String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
        path_beneath_rules,
    };
    let (all, reading) = (AccessFs::from_all(ABI::V5), AccessFs::from_read(ABI::V5));
    Ruleset::default()
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V5)))
        .and_then(landlock::Ruleset::create)
        // A file that is not there cannot be read either, and its reader says so.
        .and_then(|rules| rules.add_rules(path_beneath_rules(&confinement.readable, reading)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&confinement.writable, all)))
        .and_then(landlock::RulesetCreated::restrict_self)
        .map(|status| status.ruleset != RulesetStatus::NotEnforced)
        .map_err(|error| format!("files could not be shut off ({error})"))
}

#[cfg(not(target_os = "linux"))]
fn limit_paths(_confinement: &Confinement) -> Result<bool, String> {
    Ok(false)
}

#[cfg(test)]
mod tests;

//! Shutting a process in: no more memory than allowed, no core files, of the file system only what is named, and no
//! connection unless it may. What it starts inherits that.
//!
//! What is guaranteed where. On every Unix: memory is limited and no core file is written where a limit is named; where
//! neither a file nor a folder is named no descriptor can be opened beside those the process has, so no file, folder or
//! socket either. On Linux with landlock (5.13 and later for files, 6.7 for connections, unless switched off) the kernel
//! also refuses every path that is not named, which covers renaming and deleting: these need no descriptor. UDP is
//! refused nowhere. Elsewhere only the time limit of the parent holds.

use std::path::PathBuf;

/// What a process keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Bytes of address space; none for as many as there are.
    pub memory: Option<u64>,
    /// What it may read.
    pub readable: Readable,
    /// Folders in which it may make, change and remove files.
    pub writable: Vec<PathBuf>,
    /// Whether it may open and take connections.
    pub network: bool,
    /// Whether a system that cannot refuse paths is a failure.
    pub required: bool,
}

/// What a process may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readable {
    /// Everything its user may.
    Everything,
    /// These files and what it may write.
    Files(Vec<PathBuf>),
}

impl Default for Readable {
    fn default() -> Self {
        Self::Files(Vec::new())
    }
}

/// Shuts this process in, for good.
///
/// # Errors
/// When a limit cannot be set; the process is not to go on then.
pub fn confine(confinement: &Confinement) -> Result<(), String> {
    if let Some(memory) = confinement.memory {
        limit_memory(memory)?;
    }
    let refuses_paths = limit_paths(confinement)?;
    if confinement.required && !refuses_paths {
        return Err("the system cannot refuse files (no Landlock here)".to_owned());
    }
    // Last: the others may need one.
    let nothing = confinement.readable == Readable::default() && confinement.writable.is_empty();
    if nothing { no_descriptors() } else { Ok(()) }
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

/// Whether the kernel refuses paths; kernels without landlock do not, and that is no failure unless it is required.
#[cfg(target_os = "linux")]
fn limit_paths(confinement: &Confinement) -> Result<bool, String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, path_beneath_rules,
    };
    let writing = AccessFs::from_write(ABI::V3);
    let (handled, free, within) = match &confinement.readable {
        // Devices such as /dev/null are files nobody makes.
        Readable::Everything => {
            (writing, vec![PathBuf::from("/dev")], AccessFs::WriteFile | AccessFs::Truncate)
        }
        Readable::Files(files) => (AccessFs::from_all(ABI::V5), files.clone(), AccessFs::from_read(ABI::V5)),
    };
    let level = if confinement.required { CompatLevel::HardRequirement } else { CompatLevel::BestEffort };
    let rules = Ruleset::default().set_compatibility(level).handle_access(handled);
    let rules = match confinement.network {
        true => rules,
        false => rules.and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V5))),
    };
    rules
        .and_then(landlock::Ruleset::create)
        // A file that is not there cannot be used either, and whoever tries says so.
        .and_then(|rules| rules.add_rules(path_beneath_rules(&free, within)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&confinement.writable, handled)))
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

//! Text kept in files beside the tests: diagrams, stored names, printed explanations.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

/// The one switch. Set to anything, it makes tests write what they would compare: snapshots, diagrams, and journals that
/// are missing; review the diff afterwards.
pub(crate) const WRITE: &str = "BATON_WRITE_SNAPSHOTS";

/// Whether tests write instead of comparing.
#[must_use]
pub fn writes() -> bool {
    std::env::var_os(WRITE).is_some()
}

/// Fails unless the file holds exactly this text, and says where they part.
#[track_caller]
pub fn same_as_file(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if writes() {
        let written = fs::write(path, text);
        assert!(written.is_ok(), "cannot write {}: {written:?}", path.display());
        return;
    }
    let difference = compared(path, text).err().unwrap_or_default();
    assert!(difference.is_empty(), "{difference}; {WRITE}=1 writes it");
}

fn compared(path: &Path, made: &str) -> Result<(), String> {
    let kept =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    if kept == made {
        return Ok(());
    }
    Err(format!("{} differs from what the test made{}", path.display(), first_difference(&kept, made)))
}

fn first_difference(kept: &str, made: &str) -> String {
    let mut lines = kept.lines().zip(made.lines()).enumerate();
    match lines.find(|(_, (kept, made))| kept != made) {
        Some((at, (kept, made))) => format!(" in line {}:\n  kept: {kept}\n  made: {made}\n", at + 1),
        None => format!(": {} bytes kept, {} made", kept.len(), made.len()),
    }
}

//! What stands outside the journal: configuration, folder, disk, tables.

use baton_machine::defects;

use super::Check;
use crate::program::Program;
use crate::text::{bytes, count, usd};
use crate::trouble::Trouble;

/// With less than this a run may stop in the middle.
const LEAST_SPACE: u64 = 64 * 1024 * 1024;

/// What is configured, and where.
pub fn config(program: &Program) -> Check {
    let settings = program.config.settings(None, None);
    let files: Vec<String> = program.config.files.iter().map(|file| file.display().to_string()).collect();
    let place = if files.is_empty() {
        "no baton.toml here".to_owned()
    } else {
        format!("from {}", files.join(", then "))
    };
    let budget = settings.limits.micro_usd.map_or("none".to_owned(), usd);
    let what =
        format!("{place}; budget of a run {budget}, {} at once", count(settings.parallel as usize, "step"));
    let held_back = program.config.held_back(false);
    Check { next: (!held_back.is_empty()).then(|| held_back.join("; ")), ..Check::good("config", what) }
}

/// The home folder and its rights.
pub fn home(program: &Program) -> Check {
    let what = format!("{}, {}", program.home.path.display(), program.home.named_by.words());
    match program.home.check() {
        Err(Trouble::Shared { path, why }) => {
            let what = format!("{what}; {why}, so no command opens it and its journal was not looked at");
            Check::bad("home", what, why.next(&path))
        }
        _ => Check::good("home", what),
    }
}

/// The space left on the home's disk.
pub fn space(program: &Program) -> Check {
    match free(&program.home.path) {
        None => Check::good("space", "cannot be told on this system"),
        Some(free) if free < LEAST_SPACE => Check::bad(
            "space",
            format!("only {} left on the home's disk", bytes(free)),
            "make room before runs stop for lack of it",
        ),
        Some(free) => Check::good("space", format!("{} left on the home's disk", bytes(free))),
    }
}

#[cfg(unix)]
fn free(path: &std::path::Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free(_path: &std::path::Path) -> Option<u64> {
    None
}

/// The tables of the workflows.
pub fn tables(program: &Program) -> Vec<Check> {
    let check = |table: baton_machine::TableText| {
        let found = defects(&table);
        let what = format!(
            "{}: {}, {}",
            table.workflow,
            count(table.states.len(), "state"),
            count(table.rows.len(), "row")
        );
        if found.is_empty() {
            return Check::good("table", what);
        }
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        Check::bad(
            "table",
            format!("{what}; {}", found.join("; ")),
            "its runs are refused until the table is corrected",
        )
    };
    program.catalogue.iter().map(|flow| check(flow.table())).collect()
}

//! The crash test as the tests of workflows run it.

use std::path::Path;

use baton_engine::torture::{Rehearse, Report, Rigour, torture};
use tempfile::TempDir;

/// Fails unless the workflow keeps every promise. Where there is a disk in memory the commits cost nothing;
/// what is tested is their order.
pub async fn survives<W: Rehearse>(rigour: Rigour) -> Report {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    #[expect(clippy::panic, reason = "a test fails by panicking")]
    let report = match torture::<W>(folder.as_ref().map_or(memory, TempDir::path), rigour, None).await {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    };
    assert!(report.passes(), "{report:#?}");
    assert!(report.unknown > 0, "some crashes must hit a call in flight: {report:?}");
    assert_eq!(report.crash_points, 2 * report.commits, "{report:?}");
    report
}

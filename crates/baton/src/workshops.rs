//! What builds that are over left in their workshops, for `rm` and `gc`.

use std::path::PathBuf;

use baton_engine::{Engine, RunId, Runs as _, RunsError, Status};
use baton_workflows::git::{Released, WORKSHOPS, release, workshop_of};

use crate::commands::build::order::processes;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// The runs whose workshops nobody works in any more: those that are over, and those that were removed.
pub fn unused(engine: &Engine) -> Result<Vec<RunId>, Trouble> {
    let listed = std::fs::read_dir(engine.home().join(WORKSHOPS)).into_iter().flatten().flatten();
    let mut unused = Vec::new();
    for run in listed.filter_map(|entry| entry.file_name().to_str()?.parse::<RunId>().ok()) {
        match engine.run(&run) {
            Ok(row) if matches!(row.status, Status::Finished(_)) => unused.push(run),
            Ok(_) => {}
            Err(RunsError::NoRun(_)) => unused.push(run),
            Err(error) => return Err(error.into()),
        }
    }
    unused.sort();
    Ok(unused)
}

/// Frees the workshops of these runs; with `plan` it is only said. One that cannot be freed is told and left.
pub fn free<'a>(
    program: &Program,
    engine: &Engine,
    runs: impl IntoIterator<Item = &'a RunId>,
    plan: bool,
) -> Result<Vec<Released>, Trouble> {
    let folders: Vec<PathBuf> = runs.into_iter().filter_map(|run| workshop_of(engine.home(), run)).collect();
    let (runtime, processes) = (program.runtime()?, processes());
    let mut freed = Vec::new();
    for folder in folders {
        match runtime.block_on(release(&processes, &folder, plan)) {
            Ok(released) => freed.push(released),
            Err(error) => program.out.note(format!("{} is left as it is: {error}", folder.display())),
        }
    }
    Ok(freed)
}

/// What went and what stayed, a line each.
pub fn tell(page: &mut Page, freed: &[Released], plan: bool) {
    let verb = if plan { "would free" } else { "freed" };
    for workshop in freed {
        if !workshop.removed.is_empty() {
            let kb = workshop.bytes.div_ceil(1_024);
            page.text(format!("{verb} {kb} kB of worktrees and caches in {}", workshop.workshop.display()));
        }
        for (path, why) in &workshop.kept {
            page.text(format!("kept {}: {why}", path.display()));
        }
        let repository = workshop.workshop.join("repo.git");
        if repository.exists() && !workshop.removed.is_empty() {
            page.text(format!(
                "kept {}: every commit of the build, also of tries that came to nothing",
                repository.display()
            ));
        }
    }
}

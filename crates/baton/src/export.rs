//! The file a person wants the result in (`-o`): checked before the run starts, frozen into it, and written by whichever
//! process brings the run to its end.

use std::path::{Path, PathBuf};

use baton_engine::Runs;
use baton_workflows::profile::{Export, Profile};

use crate::catalogue::row;
use crate::detail::Detail;
use crate::program::Program;
use crate::standing::Standing;
use crate::trouble::Trouble;

/// The absolute path of what was typed, if a run of this workflow can write such a file.
pub fn destination<W: Profile>(typed: &Path) -> Result<PathBuf, Trouble> {
    let path = std::path::absolute(typed).map_err(Trouble::Runtime)?;
    check(W::EXPORTS, &path)?;
    Ok(path)
}

/// Refuses a path that cannot be written when a run ends, wherever it is driven then.
pub fn check(exports: &[Export], path: &Path) -> Result<(), Trouble> {
    let shown = path.display();
    let refuse = |what: String, next: &str| Err(Trouble::Order { what, next: next.to_owned() });
    if !path.is_absolute() {
        return refuse(
            format!("the output {shown} is not an absolute path"),
            "Write the whole path of the file",
        );
    }
    if path.is_dir() {
        return refuse(format!("{shown} is a folder"), "Name a file in it");
    }
    let endings: Vec<&str> = exports.iter().flat_map(|export| export.endings).copied().collect();
    ending(path, &endings).map(drop)
}

/// The ending of a file's name in small letters, if it is one of these or none at all.
pub fn ending(path: &Path, known: &[&str]) -> Result<String, Trouble> {
    let ending = lower_extension(path);
    if ending.is_empty() || known.contains(&ending.as_str()) {
        return Ok(ending);
    }
    let dotted: Vec<String> = known.iter().map(|ending| format!(".{ending}")).collect();
    Err(Trouble::Order {
        what: format!("{} cannot be written: this Baton writes no .{ending} here", path.display()),
        next: format!("Let the name end in one of: {}", dotted.join(", ")),
    })
}

/// Writes the file that was frozen into a run, if one was and the run is over.
pub fn write(
    program: &Program,
    runs: &dyn Runs,
    detail: &Detail,
    wanted: Option<&Path>,
) -> Result<(), Trouble> {
    let Some(path) = wanted else { return Ok(()) };
    if !matches!(detail.run.standing, Standing::Finished(_)) {
        program.out.note(format!("{} is written when the run ends", path.display()));
        return Ok(());
    }
    let exports = row(&detail.run.workflow).map_or(&[][..], |row| row.exports);
    let Some(export) = chosen(exports, path) else { return Ok(()) };
    let files = match &detail.present {
        Some(present) => present.files(runs),
        // It says why the run cannot be read.
        None => program.flow_of(runs, &detail.run.run)?.files(runs, &detail.run.run)?,
    };
    let Some(file) = files.into_iter().find(|file| file.path == export.file) else {
        program.out.note(format!("there is no {}, so {} was not written", export.file, path.display()));
        return Ok(());
    };
    let failed = |why| Trouble::File { what: "write", path: path.to_owned(), why };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, &file.content).map_err(failed)
}

/// The file of a run that a name means.
fn chosen<'a>(exports: &'a [Export], path: &Path) -> Option<&'a Export> {
    match lower_extension(path).as_str() {
        "" => exports.first(),
        ending => exports.iter().find(|export| export.endings.contains(&ending)),
    }
}

fn lower_extension(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests;

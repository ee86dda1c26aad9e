//! Steps that are nothing but files. No path leads out of the worktree, into a repository, or through a link.

use std::path::{Component, Path, PathBuf};

use super::Work;

/// Where a path of a recipe leads.
pub fn place(worktree: &Path, path: &str) -> Result<PathBuf, String> {
    let mut place = worktree.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) if name != ".git" => place.push(name),
            Component::CurDir => continue,
            _ => return Err(format!("`{path}` does not stay in the worktree")),
        }
        let is_link = place.symlink_metadata().is_ok_and(|found| found.file_type().is_symlink());
        if is_link {
            return Err(format!("`{path}` goes through a link"));
        }
    }
    if place == worktree { Err(format!("`{path}` names no file")) } else { Ok(place) }
}

/// Performs a step that is nothing but files; none if it is another.
pub fn perform(worktree: &Path, work: &Work) -> Option<Result<(), String>> {
    let at = |path: &str| place(worktree, path);
    Some(match work {
        Work::Write { path, content, executable } => {
            at(path).and_then(|place| write(&place, content, *executable))
        }
        Work::Append { path, content } => at(path).and_then(|place| {
            let before = if place.exists() { read(&place)? } else { String::new() };
            write(&place, format!("{before}{content}"), false)
        }),
        Work::Replace { path, find, with } => at(path).and_then(|place| {
            let text = read(&place)?;
            if !text.contains(find.as_str()) {
                return Err(format!("`{path}` does not hold the words to be replaced: {}", short(find)));
            }
            write(&place, text.replace(find.as_str(), with), false)
        }),
        Work::Delete { path } => {
            at(path).and_then(|place| std::fs::remove_file(&place).map_err(|error| told(&place, &error)))
        }
        Work::Move { path, to } => at(path).and_then(|from| {
            let to = at(to)?;
            parents(&to)?;
            std::fs::rename(&from, &to).map_err(|error| told(&from, &error))
        }),
        _ => return None,
    })
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

fn told(path: &Path, error: &std::io::Error) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}: {error}")
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| told(path, &error))
}

fn parents(path: &Path) -> Result<(), String> {
    let Some(folder) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| told(folder, &error))
}

/// Writes a file, keeping whether it can be run unless it is said that it can.
pub fn write(path: &Path, content: impl AsRef<[u8]>, executable: bool) -> Result<(), String> {
    parents(path)?;
    std::fs::write(path, content).map_err(|error| told(path, &error))?;
    #[cfg(unix)]
    if executable {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, mode).map_err(|error| told(path, &error))?;
    }
    Ok(())
}

//! The tools an agent has in the context folder: search, list and read, confined to it. What leads out, by dots or
//! by a link, is denied, and so is what is hidden; a tool that fails says so and the debate goes on.

use std::path::{Component, Path, PathBuf};

use async_trait::async_trait;
use baton_agents::read::bounded;
use baton_agents::skill::one_line;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contribution::Type;
use super::memory::Memory;
use super::panel::letter;

/// How much of one file is shown.
const SHOWN: usize = 8000;
/// How many matches and names are shown.
const LISTED: usize = 40;
/// Files larger than this are neither searched nor read.
const LARGE: u64 = 1_000_000;

/// What the folder is called in messages.
const CALLED: &str = "the context directory";

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// Finds lines that hold words.
    Search,
    /// Names the files of a folder.
    List,
    /// Shows a file.
    Read,
    /// Finds words in earlier rounds of the debate.
    History,
}

/// One use of a tool, as a model asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Which tool.
    pub tool: Tool,
    /// The words to find, or the path.
    pub argument: String,
}

/// Uses a tool in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UseTool {
    /// The folder.
    pub folder: String,
    /// What to do there.
    #[serde(flatten)]
    pub call: ToolCall,
}

impl Act for UseTool {
    const KIND: &'static str = "context";
    type Out = String;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }
}

/// Looks into folders of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Folders;

#[async_trait]
impl Perform<UseTool> for Folders {
    async fn perform(&self, act: UseTool, _call: &Call) -> Result<Paid<String>, Failure> {
        let ToolCall { tool, argument } = &act.call;
        let folder = Path::new(&act.folder);
        let done = match tool {
            Tool::Search => search(folder, argument),
            Tool::List => list(folder, argument),
            Tool::Read => read(folder, argument),
            // What was said stands in the run's own memory, not in a folder.
            Tool::History => Err("the history of the debate is not in the folder".to_owned()),
        };
        Ok(Paid::free(done.unwrap_or_else(|why| format!("error: {why}"))))
    }
}

/// Where words stand in what was said before a phase of a round, under letters instead of names.
#[must_use]
pub fn search_history(memory: &Memory, before: (u32, Type), words: &str) -> String {
    let wanted = words.trim().to_lowercase();
    let earlier = memory.contributions.values().filter(|one| (one.round, one.kind) < before);
    let found: Vec<String> = earlier
        .flat_map(|one| {
            let to =
                one.target.as_ref().map_or(String::new(), |target| format!(" of {}", letter(memory, target)));
            // Critics have no letters: who raised something is not to be known.
            let by = if one.kind == Type::Critique {
                String::new()
            } else {
                format!(" {}", letter(memory, &one.agent))
            };
            let place = format!("round {}, {}{by}{to}", one.round, one.kind.name());
            let hit = |line: &&str| !wanted.is_empty() && line.to_lowercase().contains(&wanted);
            let lines: Vec<&str> = one.text.lines().filter(hit).collect();
            lines.into_iter().map(move |line| format!("{place}: {}", cut(line))).collect::<Vec<_>>()
        })
        .take(LISTED)
        .collect();
    let found = if found.is_empty() { "nothing".to_owned() } else { found.join("\n") };
    format!("search for {words:?} in earlier rounds:\n{found}")
}

fn cut(line: &str) -> String {
    line.trim().chars().take(200).collect()
}

/// A path inside the folder, links followed; the error says why not. `called` is what people call the folder.
pub fn confined(folder: &Path, path: &str, called: &str) -> Result<PathBuf, String> {
    let denied = || format!("Access denied: {path} is outside {called}");
    let asked = Path::new(path.trim());
    if !asked.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(denied());
    }
    let home = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let real = home.join(asked).canonicalize().map_err(|error| format!("{path}: {error}"))?;
    if real.starts_with(&home) { Ok(real) } else { Err(denied()) }
}

/// A path that may be shown: inside the folder, and nothing on the way to it is hidden, also behind a link.
fn visible(folder: &Path, path: &str) -> Result<PathBuf, String> {
    let real = confined(folder, path, CALLED)?;
    let home = confined(folder, ".", CALLED)?;
    let below = real.strip_prefix(&home).unwrap_or(&real);
    if Path::new(path).components().chain(below.components()).any(is_hidden) {
        return Err(format!("Access denied: {path} is hidden"));
    }
    Ok(real)
}

fn is_hidden(part: Component<'_>) -> bool {
    matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b"."))
}

fn read(folder: &Path, path: &str) -> Result<String, String> {
    let file = visible(folder, path)?;
    let bytes = bounded::bytes(&file, LARGE).map_err(|refusal| format!("{path}: {refusal}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let shown: String = text.chars().take(SHOWN).collect();
    let cut = if shown.len() < text.len() { "\n[cut here]" } else { "" };
    Ok(format!("{path}:\n{shown}{cut}"))
}

fn list(folder: &Path, path: &str) -> Result<String, String> {
    let within = visible(folder, if path.trim().is_empty() { "." } else { path })?;
    let mut names: Vec<String> =
        files(&within).iter().map(|file| one_line(&relative(&within, file))).collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    Ok(format!("files in {path}:\n{}", names.join("\n")))
}

fn search(folder: &Path, words: &str) -> Result<String, String> {
    let wanted = words.trim().to_lowercase();
    if wanted.is_empty() {
        return Err("there is nothing to search for".to_owned());
    }
    let home = confined(folder, ".", CALLED)?;
    let mut found = Vec::new();
    for file in files(&home) {
        let Ok(text) = bounded::text(&file, LARGE) else { continue };
        let name = one_line(&relative(&home, &file));
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.to_lowercase().contains(&wanted));
        found.extend(lines.map(|(at, line)| format!("{name}:{at}: {}", cut(line))));
        if found.len() >= LISTED {
            break;
        }
    }
    found.truncate(LISTED);
    let found = if found.is_empty() { "nothing".to_owned() } else { found.join("\n") };
    Ok(format!("search for {words:?}:\n{found}"))
}

/// The files below a folder in the order of their names; hidden ones and links are not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let entries = std::fs::read_dir(&next).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn relative(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests;

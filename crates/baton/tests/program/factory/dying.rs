//! Ways to die at a named point, with the program as it is: a library that counts its waits for the disk, and a `git` on its
//! path that counts calls and kills who called. Neither reaches what the program starts: its environment is scrubbed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::support::Home;

/// Where the program dies, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before the Nth call of git.
    BeforeGit(u32),
    /// After it, before anybody hears what it said.
    AfterGit(u32),
    /// Before the Nth wait for the disk: the commit is written and not durable.
    BeforeCommit(u32),
    /// After it: durable, and nobody knows.
    AfterCommit(u32),
}

/// The library, built once.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/factory/dies.c");
        // Tests are processes side by side: each builds its own and puts it in place whole.
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dies.so");
        let own = built.with_extension(std::process::id().to_string());
        let done = Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(&own).arg(source).output();
        let done = done.expect("a C compiler");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        std::fs::rename(&own, &built).expect("in place");
        built
    })
}

/// Puts a `git` before all others on the path of this home's program.
pub fn install(home: &Home) {
    let folder = folder(home);
    std::fs::create_dir(&folder).expect("a folder");
    let path = std::env::var_os("PATH").expect("a path");
    let real = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|file| file.is_file());
    let script = format!(
        "#!/bin/sh\n\
         if [ \"$1\" != --git-dir ]; then exec {real} \"$@\"; fi\n\
         echo >> \"$0.calls\"\n\
         call=$(wc -l < \"$0.calls\")\n\
         read -r when at < \"$0.point\"\n\
         if [ \"$when $at\" = \"before $call\" ]; then kill -9 $PPID; exit 1; fi\n\
         {real} \"$@\"\n\
         code=$?\n\
         if [ \"$when $at\" = \"after $call\" ]; then kill -9 $PPID; fi\n\
         exit $code\n",
        real = real.expect("git").display()
    );
    let file = folder.join("git");
    std::fs::write(&file, script).expect("written");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a program");
}

fn folder(home: &Home) -> PathBuf {
    home.desk().join("bin")
}

/// The program that dies at this point, if it comes to it.
pub fn command(home: &Home, words: &[&str], point: Option<Point>) -> Command {
    let mut command = home.command(words);
    let (mut order, mut variable) = ("never 0".to_owned(), None);
    match point {
        Some(Point::BeforeGit(call)) => order = format!("before {call}"),
        Some(Point::AfterGit(call)) => order = format!("after {call}"),
        Some(Point::BeforeCommit(wait)) => variable = Some(("BATON_DIES_BEFORE", wait)),
        Some(Point::AfterCommit(wait)) => variable = Some(("BATON_DIES_AFTER", wait)),
        None => {}
    }
    let folder = folder(home);
    std::fs::write(folder.join("git.point"), format!("{order}\n")).expect("written");
    std::fs::write(folder.join("git.calls"), "").expect("written");
    let path = std::env::var_os("PATH").expect("a path");
    let path = std::iter::once(folder).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(path).expect("a path"));
    if let Some((name, wait)) = variable {
        command.env("LD_PRELOAD", library()).env(name, wait.to_string());
    }
    command
}

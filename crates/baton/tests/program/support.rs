//! A home, the program in it, and transcripts of what it says.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use rustix::fs::Mode;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A plan of two stages with a yes between them.
pub const RELEASE: &str = r#"
title = "Release 1.4"
[[stages]]
name = "check"
commands = [{ name = "test", run = "echo tested" }]
[[stages]]
name = "publish"
ask = "Publish it?"
commands = [{ name = "upload", run = "echo uploaded" }]
"#;

/// A home that vanishes, with a folder to stand in.
pub struct Home {
    folder: TempDir,
}

/// What one call of the program said.
#[derive(Debug)]
pub struct Output {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Output {
    /// The one JSON value on stdout.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Home {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("desk")).expect("a desk");
        let home = Self { folder };
        home.write("release.toml", RELEASE);
        home
    }

    /// The folder the program stands in.
    pub fn desk(&self) -> PathBuf {
        self.folder.path().join("desk")
    }

    /// The folder that holds the runs.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("kept")
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.desk().join(name), text).expect("written");
    }

    /// The program, with a small environment of its own.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_baton"));
        command.args(words).current_dir(self.desk()).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("USER", "ann").env("BATON_HOME", self.path());
        command
    }

    /// Runs the program to its end.
    pub fn baton(&self, words: &[&str]) -> Output {
        let output = self.command(words).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Output { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Starts the program and lets it run.
    pub fn spawn(&self, words: &[&str]) -> Running {
        let mut child =
            self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let err = BufReader::new(child.stderr.take().expect("a pipe"));
        Running { child, out, err }
    }

    /// The ids of all runs, oldest first.
    pub fn runs(&self) -> Vec<String> {
        let list = self.baton(&["runs", "--all", "--json"]).json();
        let name = |run: &Value| run["run"].as_str().expect("an id").to_owned();
        list.as_array().expect("a list").iter().rev().map(name).collect()
    }

    /// Changes the stored file behind the program's back.
    pub fn tamper(&self, sql: &str) {
        let connection = rusqlite::Connection::open(self.path().join("baton.db")).expect("a database");
        connection.execute_batch(sql).expect("changed");
    }

    /// A run that waits for the yes of the release plan.
    pub fn waiting(&self) -> String {
        let said = self.baton(&["start", "approval", "release.toml"]);
        assert_eq!(said.code, Some(5), "{said:?}");
        self.runs().pop().expect("a run")
    }

    /// What a person would see of these calls, with everything that differs from day to day taken out.
    pub fn transcript(&self, calls: &[&[&str]]) -> String {
        let mut text = String::new();
        for words in calls {
            let Output { code, out, err } = self.baton(words);
            let code = code.map_or("a signal".to_owned(), |code| code.to_string());
            let err: String = err.lines().map(|line| format!("! {line}\n")).collect();
            text.push_str(&format!("$ baton {}\n{out}{err}[{code}]\n\n", words.join(" ")));
        }
        self.plain(&text)
    }

    /// A text without ids, times and places.
    pub fn plain(&self, text: &str) -> String {
        let mut text = text.replace(&self.folder.path().display().to_string(), "TMP");
        for (number, run) in (1..).zip(self.runs()) {
            text = text.replace(&run, &format!("RUN{number}"));
        }
        mask(&text)
    }
}

/// Fails unless the transcript is the one kept under this name.
pub fn same(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/snapshots").join(name);
    baton_testkit::snapshot::same_as_file(path, text);
}

/// Times, spans, processes and hashes, each replaced by a word. `#` in a pattern is a digit.
fn mask(text: &str) -> String {
    let patterns = [
        ("####-##-##T##:##:##.###Z", "TIME"),
        ("####-##-## ##:##:##", "TIME"),
        ("#:##", "M:SS"),
        ("##s ago", "NN ago"),
        ("#s ago", "NN ago"),
        (" ##s ", " NNs"),
        (" #s ", " Ns "),
    ];
    let mut text = text.to_owned();
    for (pattern, word) in patterns {
        text = replace(&text, pattern, word);
    }
    text.split('\n').map(|line| numbered(line, "process ", "N")).collect::<Vec<_>>().join("\n")
}

fn replace(text: &str, pattern: &str, word: &str) -> String {
    let fits = |at: &str| {
        let mut letters = at.chars();
        pattern.chars().all(|wanted| {
            letters
                .next()
                .is_some_and(|letter| if wanted == '#' { letter.is_ascii_digit() } else { letter == wanted })
        })
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if fits(rest) {
            out.push_str(word);
            rest = &rest[pattern.len()..];
        } else {
            out.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    out
}

/// The number after a word, replaced.
fn numbered(line: &str, before: &str, word: &str) -> String {
    let Some((head, tail)) = line.split_once(before) else { return line.to_owned() };
    let rest = tail.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == tail.len() { line.to_owned() } else { format!("{head}{before}{word}{rest}") }
}

/// Asks again and again, a bounded number of times. Each question takes its own time, so nothing sleeps.
pub fn until(what: &str, mut asks: impl FnMut() -> bool) {
    for _ in 0..2_000 {
        if asks() {
            return;
        }
    }
    panic!("never came to pass: {what}");
}

/// The program at work.
pub struct Running {
    child: Child,
    out: BufReader<ChildStdout>,
    err: BufReader<std::process::ChildStderr>,
}

impl Running {
    /// The next line on stdout.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("readable");
        line
    }

    /// The next line on stderr.
    pub fn message(&mut self) -> String {
        let mut line = String::new();
        self.err.read_line(&mut line).expect("readable");
        line
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("signalled");
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its end, and what it printed until then.
    pub fn end(mut self) -> (ExitStatus, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("readable");
        self.err.read_to_string(&mut err).expect("readable");
        (self.child.wait().expect("ended"), out, err)
    }

    /// Its exit code.
    pub fn code(self) -> Option<i32> {
        self.end().0.code()
    }

    /// Ends it without giving it a chance.
    pub fn kill(self) {
        assert!(self.kill_unless_over(), "it was over already");
    }

    /// The same for one that may be over; whether it was not.
    pub fn kill_unless_over(mut self) -> bool {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended").signal() == Some(9)
    }
}

/// A plan whose first command waits at a gate until the test opens it, and whose second stage asks before it begins.
pub struct Gate {
    begun: PathBuf,
    /// Both ends of the pipe: what is written stays there until somebody comes to read it.
    pipe: File,
}

impl Gate {
    /// Makes the gate and writes `gate.toml`, whose command may or may not be repeated after a crash.
    pub fn new(home: &Home, repeatable: bool) -> Self {
        let (path, begun) = (home.desk().join("gate"), home.desk().join("begun"));
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, Mode::RUSR | Mode::WUSR).expect("a gate");
        let pipe = File::options().read(true).write(true).open(path).expect("both ends");
        let run = "touch begun; read line < gate; echo passed";
        home.write(
            "gate.toml",
            &format!(
                "title = \"Gate\"\n[[stages]]\nname = \"pass\"\n\
                 commands = [{{ name = \"wait\", run = \"{run}\", repeatable = {repeatable} }}]\n\
                 [[stages]]\nname = \"after\"\ncommands = []\n"
            ),
        );
        Self { begun, pipe }
    }

    /// Starts a run and returns when its command stands at the gate.
    pub fn start(&self, home: &Home, words: &[&str]) -> Running {
        let mut running = home.spawn(words);
        if !words.contains(&"--json") {
            running.line();
        }
        until("the command begins", || {
            let shown = home.baton(&["show", "last", "--json"]);
            shown.code == Some(0) && shown.json()["steps"][0]["unknown"] == false && self.begun.exists()
        });
        running
    }

    /// Lets everybody through, now and later.
    pub fn open(&self) {
        (&self.pipe).write_all("go\n".repeat(100).as_bytes()).expect("opened");
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        // A command whose program was killed still stands there; it must not outlive the test.
        self.open();
    }
}

//! The one module that prints. Results go to stdout, messages to stderr; with `--json` stdout carries one
//! JSON value and nothing else.

mod lines;

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::json;

use crate::exit::Exit;
use crate::page::{Ink, Page, Span};
use crate::trouble::Trouble;
use lines::{Line, cut_lines, lines};

/// Where and how to print.
#[derive(Clone, Debug)]
pub struct Output {
    json: bool,
    terminal: bool,
    colour: bool,
    /// Whether the one JSON value has been printed.
    given: Arc<AtomicBool>,
    /// How many lines above the cursor may be drawn over.
    drawn: Arc<AtomicUsize>,
}

impl Output {
    /// Looks at the process's own streams.
    pub fn new(json: bool) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            json,
            terminal,
            colour: terminal && !set("NO_COLOR") && !dumb,
            given: Arc::default(),
            drawn: Arc::default(),
        }
    }

    /// Whether stdout carries one JSON value.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a view may be drawn again over itself.
    pub fn is_live(&self) -> bool {
        self.terminal && !self.json && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
    }

    /// The columns of the terminal; none where lines may be as long as they like.
    pub fn columns(&self) -> Option<usize> {
        self.terminal.then(|| columns().unwrap_or(80))
    }

    /// Gives the result of a command: the value to programs, the page to people.
    pub fn give(&self, value: &impl Serialize, page: &Page) -> Result<(), Trouble> {
        if self.json { self.value(value) } else { self.say(page) }
    }

    /// Shows people a part of the result; programs get it later, in their one value.
    pub fn say(&self, page: &Page) -> Result<(), Trouble> {
        if self.json {
            return Ok(());
        }
        self.print(&self.render(page))
    }

    /// Prints a text exactly: scripts and pictures.
    pub fn exact(&self, text: &str) -> Result<(), Trouble> {
        self.print(text)
    }

    /// Draws a page over the one drawn last, unless something was printed since.
    pub fn redraw(&self, page: &Page) -> Result<(), Trouble> {
        let columns = self.columns().unwrap_or(80).saturating_sub(1);
        let lines = cut_lines(&lines(page, Some(columns)), columns);
        let up = match self.drawn.load(Ordering::Relaxed) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A"),
        };
        self.print(&format!("{up}\x1b[J{}", self.paint(&lines)))?;
        self.drawn.store(lines.len(), Ordering::Relaxed);
        Ok(())
    }

    /// Tells people something that is not the result.
    pub fn note(&self, text: impl AsRef<str>) {
        let page = Page::of(text);
        let plain = Self { colour: false, ..self.clone() };
        self.drawn.store(0, Ordering::Relaxed);
        // When nobody listens on stderr there is nobody to tell.
        let _ = std::io::stderr().write_all(plain.render(&page).as_bytes());
    }

    /// Asks on stderr, without ending the line.
    pub fn prompt(&self, text: &str) {
        self.drawn.store(0, Ordering::Relaxed);
        let mut stderr = std::io::stderr();
        let _ = write!(stderr, "{}", crate::text::clean(text));
        let _ = stderr.flush();
    }

    /// A JSON array whose items are printed as they come.
    pub fn array(&self) -> Result<Array<'_>, Trouble> {
        self.given.store(true, Ordering::Relaxed);
        self.print("[")?;
        Ok(Array { out: self, empty: true })
    }

    /// The last word: errors are told, and the exit code is known.
    pub fn leave(&self, done: Result<Exit, Trouble>) -> Exit {
        let trouble = match done {
            Ok(exit) => return exit,
            Err(trouble) => trouble,
        };
        let exit = Exit::of_trouble(&trouble);
        match &trouble {
            Trouble::Typed(error) if !error.use_stderr() => {
                // Help is the result that was asked for; if it cannot be printed nobody reads it.
                let _ = self.print(&error.render().to_string());
                return exit;
            }
            Trouble::Typed(error) => self.note(error.render().to_string().trim_end()),
            trouble => {
                self.note(format!("error: {trouble}"));
                if let Some(next) = trouble.next() {
                    self.note(next);
                }
            }
        }
        if self.json && !self.given.load(Ordering::Relaxed) {
            let what = trouble.to_string();
            let error =
                json!({"error": {"exit": exit.code(), "what": what.trim_end(), "next": trouble.next()}});
            // The message is on stderr already.
            let _ = self.value(&error);
        }
        exit
    }

    fn value(&self, value: &impl Serialize) -> Result<(), Trouble> {
        self.given.store(true, Ordering::Relaxed);
        let text = serde_json::to_string_pretty(value).map_err(|error| Trouble::Print(error.into()))?;
        self.print(&format!("{text}\n"))
    }

    fn print(&self, text: &str) -> Result<(), Trouble> {
        self.drawn.store(0, Ordering::Relaxed);
        let mut stdout = std::io::stdout();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            // The reader has seen enough; a run goes on without being watched.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            done => done.map_err(Trouble::Print),
        }
    }

    fn render(&self, page: &Page) -> String {
        self.paint(&lines(page, self.columns()))
    }

    fn paint(&self, lines: &[Line]) -> String {
        let line = |spans: &Line| {
            let text: String = spans.iter().map(|span| self.painted(span)).collect();
            format!("{}\n", text.trim_end())
        };
        lines.iter().map(line).collect()
    }

    fn painted(&self, span: &Span) -> String {
        let code = match span.ink {
            Ink::Plain => return span.text.clone(),
            Ink::Good => "32",
            Ink::Warn => "33",
            Ink::Bad => "31",
            Ink::Faint => "2",
        };
        if self.colour { format!("\x1b[{code}m{}\x1b[0m", span.text) } else { span.text.clone() }
    }
}

/// A JSON array under way; valid once it is ended.
pub struct Array<'a> {
    out: &'a Output,
    empty: bool,
}

impl Array<'_> {
    /// Prints one item.
    pub fn item(&mut self, value: &impl Serialize) -> Result<(), Trouble> {
        let text = serde_json::to_string(value).map_err(|error| Trouble::Print(error.into()))?;
        let comma = if std::mem::take(&mut self.empty) { "" } else { "," };
        self.out.print(&format!("{comma}\n{text}"))
    }

    /// Ends the array.
    pub fn end(self) -> Result<(), Trouble> {
        self.out.print("\n]\n")
    }
}

#[cfg(unix)]
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(not(unix))]
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}

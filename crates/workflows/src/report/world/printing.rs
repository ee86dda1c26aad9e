//! Printing: an installed browser prints the document, its bytes go into the archive.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::read::bounded;
use baton_engine::{Call, Failure, Paid, Perform};
use baton_pdf::print::{BROWSERS, Kept, arguments, page, wants_keeping};
use baton_pdf::{Document, places};

use super::DataWorld;
use crate::process::{Confinement, ExitKind, Invocation, Processes, Sandbox};
use crate::report::acts::{PrintReport, Printed};

/// Longest time for printing.
const LIMIT: Duration = Duration::from_secs(120);
/// The largest PDF that is kept.
const LARGEST: u64 = 256 << 20;

#[async_trait]
impl Perform<PrintReport> for DataWorld {
    async fn perform(&self, act: PrintReport, _call: &Call) -> Result<Paid<Printed>, Failure> {
        let Some(processes) = &self.processes else { return Err(Failure::lasting(baton_pdf::WITHOUT)) };
        let folder = self.scratch()?;
        let printed = twice(&Printer { processes, folder: &folder }, &act.document).await;
        // What is left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&folder);
        let (bytes, by) = printed?;
        let kept = self.archive().put(&bytes).map_err(|error| Failure::passing(error.to_string()))?;
        Ok(Paid::free(Printed { kept, by }))
    }
}

/// Prints, looks on which pages the headings came to stand, and prints again with those numbers in the contents.
async fn twice(printer: &Printer<'_>, document: &Document) -> Result<(Vec<u8>, String), Failure> {
    let (first, _) = printer.print(document, &BTreeMap::new()).await?;
    printer.print(document, &places::anchors(&first)).await
}

struct Printer<'a> {
    processes: &'a Processes,
    /// A folder of its own: what the browser reads and all it may write.
    folder: &'a Path,
}

impl Printer<'_> {
    /// Lets the first browser there is print. Says which.
    async fn print(
        &self,
        document: &Document,
        known: &BTreeMap<String, usize>,
    ) -> Result<(Vec<u8>, String), Failure> {
        let text = page(document, known).map_err(|error| Failure::lasting(error.to_string()))?;
        std::fs::write(self.folder.join("report.html"), text)
            .map_err(|error| Failure::lasting(format!("the page to print cannot be written ({error})")))?;
        let target = self.folder.join("report.pdf");
        for browser in BROWSERS {
            let Some((exit, told)) = self.start(browser).await else { continue };
            let name = Path::new(browser).file_name().unwrap_or_default().to_string_lossy().into_owned();
            return match (exit.code(), bounded::bytes(&target, LARGEST)) {
                (Some(0), Ok(bytes)) if !bytes.is_empty() => Ok((bytes, name)),
                _ => Err(Failure::lasting(format!("{name} printed nothing{}", complaint(&told)))),
            };
        }
        Err(Failure::lasting(baton_pdf::WITHOUT))
    }

    /// Starts a browser; none if it is not installed. It keeps itself in where it can; where it says that it cannot (for
    /// the administrator, in many containers) the process room does: the page has no script and reaches nothing.
    async fn start(&self, browser: &str) -> Option<(ExitKind, String)> {
        let (exit, told) = self.run(browser, Kept::ByItself).await?;
        if exit.code() != Some(0) && wants_keeping(&told) {
            return self.run(browser, Kept::ByUs).await;
        }
        Some((exit, told))
    }

    /// How it ended and what it complained about.
    async fn run(&self, browser: &str, kept: Kept) -> Option<(ExitKind, String)> {
        let inside = |name: &str| self.folder.join(name);
        let told = arguments(&inside("report.html"), &inside("report.pdf"), &inside("profile"), kept);
        let mut invocation = Invocation::new(browser)
            .args(told)
            .variable("HOME", self.folder)
            .variable("TMPDIR", self.folder)
            .time_limit(LIMIT);
        if kept == Kept::ByUs {
            invocation = invocation.confined(Confinement {
                sandbox: Sandbox::Prefer,
                writable: vec![self.folder.to_owned()],
                network: false,
            });
        }
        // What cannot be started is not installed; a shell in between says 127.
        let output = self.processes.run(&invocation).await.ok()?;
        (output.exit.code() != Some(127)).then(|| (output.exit, output.err.text()))
    }
}

/// The last thing it complained about, for a person.
fn complaint(told: &str) -> String {
    let last = told.lines().rev().map(str::trim).find(|line| !line.is_empty());
    last.map(|line| format!(" and said: {}", line.chars().take(200).collect::<String>())).unwrap_or_default()
}

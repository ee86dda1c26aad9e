//! Printing: an installed browser prints the document, its bytes go into the archive.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::{Call, Failure, Paid, Perform};
use baton_pdf::print::{BROWSERS, arguments, page};

use super::DataWorld;
use crate::process::{Invocation, Processes};
use crate::report::acts::{PrintReport, Printed};

/// Longest time for printing.
const LIMIT: Duration = Duration::from_secs(120);
/// The largest PDF that is kept.
const LARGEST: u64 = 256 << 20;

#[async_trait]
impl Perform<PrintReport> for DataWorld {
    async fn perform(&self, act: PrintReport, _call: &Call) -> Result<Paid<Printed>, Failure> {
        let Some(processes) = &self.processes else { return Err(Failure::lasting(baton_pdf::WITHOUT)) };
        let text = page(&act.document).map_err(|error| Failure::lasting(error.to_string()))?;
        let folder = self.scratch()?;
        let printed = print(processes, &folder, &text).await;
        let bytes = printed.and_then(|()| {
            baton_agents::read::bounded::bytes(&folder.join("report.pdf"), LARGEST)
                .map_err(|_| Failure::lasting("no PDF was written: the browser printed nothing"))
        });
        // What is left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&folder);
        let kept = self.archive().put(&bytes?).map_err(|error| Failure::passing(error.to_string()))?;
        Ok(Paid::free(Printed { kept, by: "an installed Chromium".to_owned() }))
    }
}

/// Lets the first browser there is print.
async fn print(processes: &Processes, folder: &Path, text: &str) -> Result<(), Failure> {
    let (source, target) = (folder.join("report.html"), folder.join("report.pdf"));
    std::fs::write(&source, text).map_err(|error| Failure::lasting(error.to_string()))?;
    for browser in BROWSERS {
        let told = arguments(&source, &target, &folder.join("profile"));
        let invocation = Invocation::new(browser).args(told).time_limit(LIMIT);
        match processes.run(&invocation).await {
            Ok(output) if output.exit.code() == Some(0) => return Ok(()),
            Ok(output) if output.exit.code() == Some(127) => {}
            Ok(_) => return Err(Failure::lasting(format!("no PDF was written: {browser} failed"))),
            // It is not installed.
            Err(_) => {}
        }
    }
    Err(Failure::lasting(baton_pdf::WITHOUT))
}

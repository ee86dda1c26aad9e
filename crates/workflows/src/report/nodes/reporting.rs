//! reporting: computes every figure of the report once more, and prints it if that was asked for. The page and the workbook
//! are rendered from what is known then.

use baton_engine::{Cx, Fault};

use crate::report::acts::{PrintReport, RecomputeFigures};
use crate::report::brief::formats;
use crate::report::files::document;
use crate::report::memory::{Finished, WITHOUT_PDF};
use crate::report::{Event, Format, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let mut finished = Finished { pdf: None, verified: 0, differing: Vec::new(), notes: Vec::new() };
    let act = cx.read(|memory| {
        let tables =
            memory.context.as_ref().map(|context| context.profiles.tables.clone()).unwrap_or_default();
        RecomputeFigures {
            hashes: memory.context.as_ref().map(|context| context.hashes.clone()).unwrap_or_default(),
            tables: tables.into_iter().map(|table| table.reading).collect(),
            figures: memory.shown_figures().into_iter().cloned().collect(),
            series: Vec::new(),
        }
    });
    if !act.figures.is_empty() {
        match cx.step("recompute", &act).await {
            Ok(again) => {
                finished.verified = again.figures.iter().filter(|figure| figure.holds).count();
                finished.differing = again
                    .figures
                    .iter()
                    .filter(|figure| !figure.holds)
                    .map(|figure| format!("{}: {}", figure.id, figure.reason.as_deref().unwrap_or("differs")))
                    .collect();
            }
            Err(Fault::Failed { text, .. }) => {
                finished.notes.push(format!("the figures were not computed again: {text}"));
            }
            Err(fault) => return Err(fault),
        }
    }
    let wanted = cx.read(|memory| formats(&memory.order));
    if wanted.contains(&Format::Pdf) {
        let document = cx.read(document);
        match cx.step("print", &PrintReport { document }).await {
            Ok(printed) => {
                finished.notes.push(format!("report.pdf was printed by {}", printed.by));
                finished.pdf = Some(printed.kept);
            }
            Err(Fault::Failed { text, .. }) => finished.notes.push(format!("{WITHOUT_PDF}{text}")),
            Err(fault) => return Err(fault),
        }
    }
    Ok(Event::Reported { finished })
}

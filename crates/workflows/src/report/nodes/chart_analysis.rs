//! chart_analysis: drafts the charts from series and figures, and says what they show.

use baton_engine::{Cx, Fault};

use crate::report::charting::analyse;
use crate::report::{Event, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    Ok(Event::ChartsAnalyzed { analyzed: Box::new(cx.read(analyse)) })
}

//! story_lining: thesis, arc, order of the sections, places of the charts.

use baton_engine::{Cx, Fault};

use crate::report::skills::tell_story;
use crate::report::{Event, Report, story};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let mut told = cx.read(story::by_rules);
    let notes = tell_story::ask(&cx, &mut told).await?;
    Ok(Event::StoryTold { story: Box::new(told), notes })
}

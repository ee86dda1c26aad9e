//! `baton report charts`: draws the charts of a chart_data.json alone, without a run.

use std::path::{Path, PathBuf};

use baton_agents::read::bounded;
use baton_workflows::report::charts::{ChartData, render};
use serde_json::json;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Draw the charts of a chart_data.json as pages that load nothing
///
/// Series that a chart names by file are read from the series folder. A chart that cannot be drawn is told with
/// its reason and does not keep the others from being drawn. It ends with 1 if the file of charts cannot be used.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The charts: a chart_data.json
    #[arg(long, value_name = "FILE")]
    chart_data: PathBuf,
    /// The folder of the series files
    #[arg(long, value_name = "FOLDER")]
    series_dir: PathBuf,
    /// Where the pages go
    #[arg(long, value_name = "FOLDER")]
    output_dir: PathBuf,
}

/// Draws them.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let data = match read(&args.chart_data).and_then(|text| {
        ChartData::parse(&text).map_err(|error| format!("{}: {error}", args.chart_data.display()))
    }) {
        Ok(data) => data,
        Err(why) => {
            program.out.give(&json!({ "error": why }), &Page::of(format!("error: {why}")))?;
            return Ok(Exit::Failed);
        }
    };
    let rendered = render(&data, &mut |name| series(&args.series_dir, name));
    let unwritten = |path: &Path| {
        let path = path.to_owned();
        move |why| Trouble::File { what: "write", path, why }
    };
    std::fs::create_dir_all(&args.output_dir).map_err(unwritten(&args.output_dir))?;
    for page in &rendered.pages {
        let path = args.output_dir.join(&page.name);
        std::fs::write(&path, &page.text).map_err(unwritten(&path))?;
    }
    let mut page =
        Page::of(format!("{} in {}", count(rendered.pages.len(), "chart"), args.output_dir.display()));
    for chart in &rendered.summary.charts {
        if let Some(why) = &chart.error {
            page.text(format!("{} was not drawn: {why}", chart.chart_id));
        }
    }
    program.out.give(&rendered.summary, &page)?;
    Ok(Exit::Done)
}

fn read(path: &Path) -> Result<String, String> {
    bounded::text(path, LARGEST).map_err(|refusal| {
        let why = std::io::Error::from(refusal);
        format!("{} cannot be read: {why}", path.display())
    })
}

/// A series file by name: only files of the folder itself.
fn series(folder: &Path, name: &str) -> Result<String, String> {
    let is_plain = Path::new(name).file_name().is_some_and(|file| file == name);
    if !is_plain {
        return Err(format!("{name} does not name a file of the series folder"));
    }
    read(&folder.join(name))
}

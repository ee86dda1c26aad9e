//! The picture of a chart as SVG, drawn by us. Every series carries its values and where they are drawn (`data-points`), every
//! line of the grid what it stands for (`data-tick`): what is seen can be read back and checked.

mod axis;
mod bars;
mod dots;
mod label;
mod line;
mod notes;
#[cfg(test)]
mod palette;
mod panels;
mod pen;
mod plot;
mod rows;
mod timeline;

use std::sync::LazyLock;

use self::pen::{Anchor, Area, COLOURS, DARK, Ground, LABEL, LIGHT, Role, SOURCE, SUBTITLE, Sheet, TITLE};
use crate::behind;
use crate::fault::{self, ChartError};
use crate::frame::Frame;
use crate::spec::{Annotation, Chart, Kind, Panels};
use crate::text::{self, clean, escape};
use crate::words::{fill, words};

/// How a picture is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    ground: Ground,
    width: u32,
}

impl Look {
    /// For a page, light or dark: colours are classes that [`style`] explains.
    pub fn adaptive() -> Self {
        Self { ground: Ground::Page, width: 720 }
    }

    /// For paper, or a file of its own: light, colours in the picture.
    pub fn print() -> Self {
        Self { ground: Ground::Paper, width: 720 }
    }

    /// For a phone.
    #[must_use]
    pub fn narrow(self) -> Self {
        Self { width: 380, ..self }
    }
}

/// The colour of a series on paper, as a number.
pub(crate) fn colour(at: usize) -> u32 {
    let hex = LIGHT.get(at % COLOURS).copied().unwrap_or_default();
    u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or_default()
}

/// The style that pictures in a page need, once in each page. A page may set `--chart-1` to `--chart-6`, `--chart-ink`,
/// `--chart-quiet`, `--chart-grid`, `--chart-base`, `--chart-ground` and `--chart-wash` itself.
pub fn style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(written_style);
    &STYLE
}

fn written_style() -> String {
    let roles = |ink: &str,
                 quiet: &str,
                 grid: &str,
                 base: &str,
                 ground: &str,
                 wash: &str,
                 series: &[&str; COLOURS]| {
        let mut rules = format!(
            "--ink:{ink};--quiet:{quiet};--grid:{grid};--base:{base};--ground:{ground};--wash:{wash};"
        );
        for (at, colour) in series.iter().enumerate() {
            rules.push_str(&format!("--c{at}:{colour};"));
        }
        rules
    };
    let host = |name: &str, colour: &str| format!("var(--chart-{name},{colour})");
    let light: Vec<String> = (1..).zip(LIGHT).map(|(at, colour)| host(&at.to_string(), colour)).collect();
    let light: Vec<&str> = light.iter().map(String::as_str).collect();
    let dark: Vec<String> = (1..).zip(DARK).map(|(at, colour)| host(&at.to_string(), colour)).collect();
    let dark: Vec<&str> = dark.iter().map(String::as_str).collect();
    let six = |list: &[&str]| -> [String; COLOURS] {
        std::array::from_fn(|at| list.get(at).copied().unwrap_or_default().to_owned())
    };
    let (light, dark) = (six(&light), six(&dark));
    let light: [&str; COLOURS] = std::array::from_fn(|at| light[at].as_str());
    let dark: [&str; COLOURS] = std::array::from_fn(|at| dark[at].as_str());
    let day = |series: &[&str; COLOURS]| {
        roles(
            &host("ink", "#1d2126"),
            &host("quiet", "#5b6470"),
            &host("grid", "#dfe3e8"),
            &host("base", "#8b949e"),
            &host("ground", "#ffffff"),
            &host("wash", "#eef1f5"),
            series,
        )
    };
    let night = roles(
        &host("ink", "#e4e6e9"),
        &host("quiet", "#a3acb8"),
        &host("grid", "#33383f"),
        &host("base", "#6c7683"),
        &host("ground", "#16181b"),
        &host("wash", "#23272d"),
        &dark,
    );
    let mut style = format!(
        ".chart{{{}max-width:100%;height:auto}}@media (prefers-color-scheme:dark){{.chart{{{night}}}}}@media print{{.chart{{{}}}}}",
        day(&light),
        day(&light)
    );
    style.push_str(".chart .f-none{fill:none}");
    let named = ["ink", "quiet", "grid", "base", "ground", "wash"].into_iter().map(str::to_owned);
    for role in named.chain((0..COLOURS).map(|at| format!("c{at}"))) {
        style.push_str(&format!(
            ".chart .f-{role}{{fill:var(--{role})}}.chart .s-{role}{{stroke:var(--{role})}}"
        ));
    }
    style
}

/// A chart with its frame, and what a plot of it has to know.
struct Stage<'a> {
    chart: &'a Chart,
    frame: Frame,
    /// About how many lines of a grid.
    steps: usize,
}

impl Stage<'_> {
    /// Values that somebody set, which must lie on the axis.
    fn levels(&self) -> impl Iterator<Item = f64> {
        self.chart.annotations.iter().filter_map(|annotation| match annotation {
            Annotation::Level { y, .. } if y.is_finite() => Some(*y),
            _ => None,
        })
    }

    /// The colour of a series. Panels have one: what tells them apart is written above them.
    fn role(&self, at: usize) -> Role {
        Role::Series(if self.in_panels() { 0 } else { at })
    }

    /// The unit of a series.
    fn unit(&self, at: usize) -> &str {
        let secondary = self.frame.traces.get(at).is_some_and(|trace| trace.secondary);
        match &self.chart.y2 {
            Some(axis) if secondary => &axis.unit,
            _ => &self.chart.y.unit,
        }
    }

    /// Whether each series has its own panel.
    fn in_panels(&self) -> bool {
        let many = self.frame.traces.len();
        match self.chart.panels {
            Panels::Never => self.chart.kind == Kind::Histogram && many > 1,
            Panels::Always => many > 1,
            Panels::Auto => many > COLOURS || (self.chart.kind == Kind::Histogram && many > 1),
        }
    }
}

/// Space around everything.
const EDGE: f64 = 4.0;

/// Draws a chart.
pub fn draw(chart: &Chart, look: &Look) -> Result<String, ChartError> {
    let frame = fault::frame(chart)?;
    let stage = Stage { chart, frame, steps: 5 };
    let mut sheet = Sheet::new(f64::from(look.width), look.ground);
    let mut y = head(&mut sheet, chart);
    let mut remarks = Vec::new();
    y = if stage.in_panels() {
        panels::draw(&mut sheet, &stage, y, &mut remarks)
    } else {
        plot::draw(&mut sheet, &stage, y, &mut remarks)
    };
    y = foot(&mut sheet, chart, y, &remarks);
    Ok(finish(chart, look, sheet, y, reading(&stage, look)))
}

/// Title and subtitle; gives where the plot may begin.
fn head(sheet: &mut Sheet, chart: &Chart) -> f64 {
    let room = sheet.width - 2.0 * EDGE;
    let title = pen::Type { size: if sheet.width < 500.0 { 16.0 } else { TITLE.size }, ..TITLE };
    let mut y = EDGE;
    // Bold letters are wider than those we measure by.
    for line in text::wrap(&clean(&chart.title), title.size * 1.22, room, 3) {
        y += title.size * 1.25;
        sheet.words(EDGE, y, Anchor::Start, title, &line);
    }
    for line in text::wrap(&clean(&chart.subtitle), SUBTITLE.size, room, 3) {
        y += 18.0;
        sheet.words(EDGE, y, Anchor::Start, SUBTITLE, &line);
    }
    y + 14.0
}

/// Remarks and the source; gives the height of the whole.
fn foot(sheet: &mut Sheet, chart: &Chart, mut y: f64, remarks: &[String]) -> f64 {
    let room = sheet.width - 2.0 * EDGE;
    let source = clean(&chart.source);
    let source =
        if source.is_empty() { source } else { format!("{}: {source}", words(chart.language).source) };
    let texts = remarks.iter().cloned().chain([source]).filter(|text| !text.is_empty());
    y += 6.0;
    for text in texts {
        for line in text::wrap(&text, SOURCE.size, room, 3) {
            y += 15.0;
            sheet.words(EDGE, y, Anchor::Start, SOURCE, &line);
        }
    }
    y + EDGE + 4.0
}

/// A key to the colours in one or more lines; gives where they end.
fn legend(sheet: &mut Sheet, stage: &Stage<'_>, y: f64) -> f64 {
    let mut x = EDGE;
    let mut y = y;
    for (at, trace) in stage.frame.traces.iter().enumerate() {
        let name = text::fit(&clean(&trace.name), LABEL.size, sheet.width - 2.0 * EDGE - 16.0);
        let width = text::width(&name, LABEL.size) + 16.0;
        if x > EDGE && x + width > sheet.width - EDGE {
            x = EDGE;
            y += 18.0;
        }
        sheet.open(&format!("data-legend=\"{at}\""));
        sheet.rect(Area { left: x, right: x + 11.0, top: y, bottom: y + 11.0 }, Role::Series(at), "");
        sheet.words(x + 16.0, y + 10.0, Anchor::Start, LABEL, &name);
        sheet.close();
        x += width + 18.0;
    }
    y + 24.0
}

/// How a reader's pointer finds values: along the axis, down the rows, or the nearest of all.
fn reading(stage: &Stage<'_>, look: &Look) -> &'static str {
    match stage.chart.kind {
        _ if stage.in_panels() => "near",
        Kind::Scatter => "near",
        Kind::Line | Kind::Histogram => "x",
        Kind::Bar | Kind::GroupedBar | Kind::StackedBar => {
            if bars::upright(stage, &bars::bands(stage), f64::from(look.width)) { "x" } else { "y" }
        }
    }
}

fn finish(chart: &Chart, look: &Look, sheet: Sheet, height: f64, reading: &str) -> String {
    let (width, height) = (look.width, height.ceil());
    let description =
        if chart.description.is_empty() { behind::describe(chart) } else { chart.description.clone() };
    // An id holds no spaces, and the same chart may stand in a page in two widths.
    let id: String =
        chart.id.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let id = format!("chart-{id}-{width}");
    let kind = serde_json::to_value(chart.kind).unwrap_or_default();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-labelledby=\"{id}-t {id}-d\" lang=\"{}\" data-kind={kind} data-read=\"{reading}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif\">\
         <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}</svg>",
        chart.language.code(),
        escape(&clean(&chart.title)),
        escape(&clean(&description)),
        sheet.into_text()
    )
}

/// "The 25 largest of 10,000 are drawn."
fn cut(phrase: &str, drawn: usize, all: usize, chart: &Chart) -> String {
    let shown = |count: usize| crate::number::exact(count as f64, chart.language);
    fill(phrase, &[&shown(drawn), &shown(all)])
}

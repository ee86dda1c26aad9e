//! What is pointed out: moments and stretches named above the plot, levels and points named where there is room.

use super::axis::Scale;
use super::label::best;
use super::pen::{Anchor, Area, LABEL, Role, Sheet, Type, px};
use crate::spec::{Annotation, Chart, Kind};
use crate::text;

/// Height of a line of words above the plot.
const LINE: f64 = 16.0;
const WORDS: Type = Type { size: 11.5, bold: false, role: Role::Ink };

/// Where things of an annotation stand in pixels.
pub(super) struct Places<'a> {
    /// A place by its label.
    pub across: &'a dyn Fn(&str) -> Option<f64>,
    /// A value of the first axis.
    pub up: Scale,
    /// The values drawn, with the name of their series and their label.
    pub marks: &'a [(String, String, f64, f64)],
}

/// A moment or stretch with its words and the line they stand in.
struct Heading<'a> {
    text: &'a str,
    from: f64,
    to: f64,
    left: f64,
    line: usize,
}

fn headings<'a>(chart: &'a Chart, area: Area, across: &dyn Fn(&str) -> Option<f64>) -> Vec<Heading<'a>> {
    let mut headings: Vec<Heading<'a>> = Vec::new();
    let spans = chart.annotations.iter().filter_map(|annotation| match annotation {
        Annotation::Moment { x, text } => across(x).map(|x| (text, x, x)),
        Annotation::Span { from, to, text } => Some((text, across(from)?, across(to)?)),
        _ => None,
    });
    let mut spans: Vec<(&String, f64, f64)> =
        spans.filter(|(_, from, to)| *to >= area.left - 1.0 && *from <= area.right + 1.0).collect();
    spans.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (text, from, to) in spans {
        let (from, to) = (from.max(area.left), to.min(area.right));
        let width = text::width(&text::clean(text), WORDS.size).min(area.width());
        // In the middle of its stretch, or at the right of its line: a later line then begins below it and crosses nothing.
        let left = if to - from >= width { (from + to - width) / 2.0 } else { from + 5.0 };
        let left = left.min(area.right - width).max(area.left);
        let taken = |line: usize| {
            headings.iter().any(|other| {
                let end = other.left + text::width(&text::clean(other.text), WORDS.size);
                other.line == line && left < end + 10.0 && other.left < left + width + 10.0
            })
        };
        let line = (0..).find(|line| !taken(*line)).unwrap_or_default();
        headings.push(Heading { text, from, to, left, line });
    }
    headings
}

/// How much room the words above a plot need.
pub(super) fn room(chart: &Chart, area: Area, across: &dyn Fn(&str) -> Option<f64>) -> f64 {
    let lines =
        headings(chart, area, across).iter().map(|heading| heading.line + 1).max().unwrap_or_default();
    if lines == 0 { 0.0 } else { lines as f64 * LINE + 4.0 }
}

/// Stretches, below everything else.
pub(super) fn below(sheet: &mut Sheet, chart: &Chart, area: Area, across: &dyn Fn(&str) -> Option<f64>) {
    for heading in headings(chart, area, across).iter().filter(|heading| heading.to > heading.from) {
        sheet.rect(Area { left: heading.from, right: heading.to, ..area }, Role::Wash, "");
    }
}

/// Everything else, above the values.
pub(super) fn above(
    sheet: &mut Sheet,
    chart: &Chart,
    area: Area,
    places: &Places<'_>,
    taken: &mut Vec<Area>,
) {
    sheet.open("data-notes=\"\"");
    let headings = headings(chart, area, places.across);
    let lines = headings.iter().map(|heading| heading.line + 1).max().unwrap_or_default();
    for heading in &headings {
        let y = area.top - 6.0 - LINE * (lines - 1 - heading.line) as f64;
        let words = text::fit(&text::clean(heading.text), WORDS.size, area.width());
        sheet.words(heading.left, y, Anchor::Start, WORDS, &words);
        let middle = (heading.from + heading.to) / 2.0;
        if heading.to == heading.from {
            sheet.line((middle, y - 9.0), (middle, area.bottom), Role::Base, "stroke-dasharray=\"3 3\"");
        }
    }
    let points = inked(chart.kind, places.marks);
    for annotation in &chart.annotations {
        match annotation {
            Annotation::Level { y, text } => level(sheet, area, places.up.at(*y), text, taken, &points),
            Annotation::Point { series, x, text } => {
                let found = places
                    .marks
                    .iter()
                    .find(|(name, label, _, _)| label == x && (series.is_empty() || name == series));
                if let Some((_, _, x, y)) = found {
                    point(sheet, area, (*x, *y), text, taken, &points);
                }
            }
            _ => {}
        }
    }
    sheet.close();
}

/// Where values are drawn: the points, and the way between them where a line goes it.
fn inked(kind: Kind, marks: &[(String, String, f64, f64)]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = marks.iter().map(|(_, _, x, y)| (*x, *y)).collect();
    if kind == Kind::Line {
        for two in marks.windows(2).filter(|two| two[0].0 == two[1].0) {
            let ((_, _, x, y), (_, _, to_x, to_y)) = (&two[0], &two[1]);
            let steps = ((to_x - x).hypot(to_y - y) / 6.0).min(200.0) as usize;
            points.extend((1..steps).map(|step| {
                let share = step as f64 / steps as f64;
                (x + share * (to_x - x), y + share * (to_y - y))
            }));
        }
    }
    points
}

fn level(sheet: &mut Sheet, area: Area, y: f64, text: &str, taken: &mut Vec<Area>, points: &[(f64, f64)]) {
    sheet.line((area.left, y), (area.right, y), Role::Ink, "stroke-dasharray=\"5 4\" data-level=\"\"");
    let words = text::fit(&text::clean(text), WORDS.size, area.width() - 8.0);
    let width = text::width(&words, WORDS.size);
    let at = |left: f64, top: f64| Area { left, top, right: left + width, bottom: top + 14.0 };
    let lefts = [area.left + 6.0, area.right - width - 6.0, (area.left + area.right - width) / 2.0];
    let candidates: Vec<Area> =
        lefts.iter().flat_map(|left| [at(*left, y - 17.0), at(*left, y + 3.0)]).collect();
    if let Some(spot) = best(&candidates, area, taken, points).and_then(|at| candidates.get(at)) {
        sheet.words(spot.left, spot.bottom - 3.0, Anchor::Start, WORDS, &words);
        taken.push(*spot);
    }
}

fn point(
    sheet: &mut Sheet,
    area: Area,
    at: (f64, f64),
    text: &str,
    taken: &mut Vec<Area>,
    points: &[(f64, f64)],
) {
    let lines = text::wrap(&text::clean(text), WORDS.size, 180.0_f64.min(area.width() * 0.5), 3);
    let width = lines.iter().map(|line| text::width(line, WORDS.size)).fold(0.0, f64::max);
    let height = 14.0 * lines.len() as f64;
    let (x, y) = at;
    let mut candidates = Vec::new();
    for away in [12.0, 26.0, 44.0, 70.0] {
        for (left, top) in [
            (x - width / 2.0, y - away - height),
            (x + away * 0.7, y - away - height),
            (x - away * 0.7 - width, y - away - height),
            (x - width / 2.0, y + away),
            (x + away * 0.7, y + away),
            (x - away * 0.7 - width, y + away),
            (x + away, y - height / 2.0),
            (x - away - width, y - height / 2.0),
        ] {
            candidates.push(Area { left, top, right: left + width, bottom: top + height });
        }
    }
    sheet.dot(at, 6.0, Role::Ground, Some(Role::Ink), "fill-opacity=\"0\" stroke-width=\"1.5\"");
    let Some(spot) = best(&candidates, area, taken, points).and_then(|at| candidates.get(at)).copied() else {
        return;
    };
    // From the ring to the nearest edge of the words.
    let to = (
        x.clamp(spot.left, spot.right),
        if spot.bottom < y {
            spot.bottom + 2.0
        } else if spot.top > y {
            spot.top - 1.0
        } else {
            y
        },
    );
    let (dx, dy) = (to.0 - x, to.1 - y);
    let length = dx.hypot(dy);
    if length > 14.0 {
        let from = (x + dx / length * 7.0, y + dy / length * 7.0);
        let way = format!("M{} {}L{} {}", px(from.0), px(from.1), px(to.0), px(to.1));
        sheet.path(&way, Role::Base, "stroke-width=\"1\"");
    }
    let centred = (spot.left + width / 2.0 - x).abs() < 1.0;
    for (number, line) in lines.iter().enumerate() {
        let y = spot.top + 11.0 + 14.0 * number as f64;
        if centred {
            sheet.words(x, y, Anchor::Middle, Type { size: WORDS.size, ..LABEL }, line);
        } else {
            sheet.words(spot.left, y, Anchor::Start, Type { size: WORDS.size, ..LABEL }, line);
        }
    }
    taken.push(spot);
}

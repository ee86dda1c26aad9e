//! Axes: what a value measures in pixels, and the lines and numbers to measure it by.

use super::pen::{Anchor, Area, Role, Sheet, TICK, px};
use crate::number::{self, Magnitude};
use crate::scale::{Base, Linear, Ticks};
use crate::spec::{Axis, Language};
use crate::text;

/// Space between an axis and its numbers.
pub(super) const GAP: f64 = 8.0;

/// An axis of values: its magnitude and its round numbers, in that magnitude.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    pub ticks: Ticks,
    pub magnitude: Magnitude,
    percent: bool,
    language: Language,
}

impl Measure {
    pub fn of(
        values: impl Iterator<Item = f64>,
        axis: &Axis,
        steps: usize,
        base: Base,
        language: Language,
    ) -> Self {
        let values: Vec<f64> = values.collect();
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let magnitude = Magnitude::of(largest);
        let whole = magnitude.exponent == 0 && values.iter().all(|value| value.fract() == 0.0);
        let scaled = || values.iter().map(|value| magnitude.apply(*value));
        let (low, high) =
            (scaled().fold(f64::INFINITY, f64::min), scaled().fold(f64::NEG_INFINITY, f64::max));
        let ticks = Ticks::of(low, high, steps, base, whole);
        Self { ticks, magnitude, percent: axis.unit.trim() == "%", language }
    }

    /// Values to pixels.
    pub fn scale(&self, from: f64, to: f64) -> Scale {
        let linear = Linear { from: (self.ticks.low, self.ticks.high), to: (from, to) };
        Scale { linear, magnitude: self.magnitude }
    }

    /// A number of the axis as it is shown.
    pub fn shown(&self, tick: f64) -> String {
        let text = number::fixed(tick, self.ticks.decimals, self.language);
        match (self.percent, self.language) {
            (false, _) => text,
            (true, Language::En) => format!("{text}%"),
            (true, _) => format!("{text}\u{a0}%"),
        }
    }

    /// A value beside its bar or point: short, in the magnitude of the axis.
    pub fn short(&self, value: f64) -> String {
        let text = number::short(self.magnitude.apply(value), self.language);
        match (self.percent, self.language) {
            (false, _) => text,
            (true, Language::En) => format!("{text}%"),
            (true, _) => format!("{text}\u{a0}%"),
        }
    }

    /// Room for its widest number.
    pub fn width(&self) -> f64 {
        let widths = self.ticks.values.iter().map(|tick| text::width(&self.shown(*tick), TICK.size));
        widths.fold(0.0, f64::max)
    }

    /// What it measures: "Exports, million EUR".
    pub fn title(&self, axis: &Axis) -> String {
        let word = self.magnitude.word(self.language);
        let unit = if self.percent { "" } else { axis.unit.as_str() };
        let unit =
            [word.as_str(), unit].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        [axis.label.as_str(), &unit]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The number a tick stands for, in full.
    fn whole(&self, tick: f64) -> f64 {
        tick * 10f64.powi(self.magnitude.exponent)
    }

    /// Horizontal lines across an area, with their numbers at its left; at its right for a second axis.
    pub fn rows(&self, sheet: &mut Sheet, area: Area, numbers: Side) {
        let scale = self.scale(area.bottom, area.top).linear;
        for tick in &self.ticks.values {
            let y = scale.at(*tick);
            if numbers != Side::Second {
                let role = if *tick == 0.0 { Role::Base } else { Role::Grid };
                let mark = format!("data-tick=\"{}\" data-axis=\"y\"", self.whole(*tick));
                sheet.line((area.left, y), (area.right, y), role, &mark);
            }
            let text = self.shown(*tick);
            match numbers {
                Side::None => {}
                Side::First => sheet.words(area.left - GAP, y + 4.0, Anchor::End, TICK, &text),
                Side::Second => {
                    sheet.words(area.right + GAP, y + 4.0, Anchor::Start, TICK, &text);
                    let mark = format!("data-tick=\"{}\" data-axis=\"y2\"", self.whole(*tick));
                    sheet.line((area.right, y), (area.right + 4.0, y), Role::Base, &mark);
                }
            }
        }
    }

    /// Vertical lines across an area, with their numbers below it.
    pub fn columns(&self, sheet: &mut Sheet, area: Area) {
        let scale = self.scale(area.left, area.right).linear;
        for tick in &self.ticks.values {
            let x = scale.at(*tick);
            let role = if *tick == 0.0 { Role::Base } else { Role::Grid };
            let mark = format!("data-tick=\"{}\" data-axis=\"x\"", self.whole(*tick));
            sheet.line((x, area.top), (x, area.bottom), role, &mark);
            sheet.words(x, area.bottom + 18.0, Anchor::Middle, TICK, &self.shown(*tick));
        }
    }

    /// Numbers below an area, with short marks instead of lines.
    pub fn feet(&self, sheet: &mut Sheet, area: Area) {
        let scale = self.scale(area.left, area.right).linear;
        for tick in &self.ticks.values {
            let x = scale.at(*tick);
            let mark = format!("data-tick=\"{}\" data-axis=\"x\"", self.whole(*tick));
            sheet.line((x, area.bottom), (x, area.bottom + 4.0), Role::Base, &mark);
            sheet.words(x, area.bottom + 18.0, Anchor::Middle, TICK, &self.shown(*tick));
        }
    }

    /// So few steps that numbers side by side do not touch.
    pub fn steps_across(values: &[f64], axis: &Axis, width: f64, base: Base, language: Language) -> Self {
        let mut steps = 7;
        loop {
            let measure = Self::of(values.iter().copied(), axis, steps, base, language);
            let needed = (measure.width() + 14.0) * measure.ticks.values.len() as f64;
            if needed <= width || steps <= 1 {
                return measure;
            }
            steps -= 1;
        }
    }
}

/// Where numbers of an axis stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    None,
    First,
    Second,
}

/// Values to pixels, through the magnitude of their axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub linear: Linear,
    magnitude: Magnitude,
}

impl Scale {
    pub fn at(self, value: f64) -> f64 {
        self.linear.at(self.magnitude.apply(value))
    }
}

/// A place with its value and where both are drawn.
#[derive(Clone, Debug)]
pub(super) struct Mark<'a> {
    pub label: &'a str,
    pub value: f64,
    pub x: f64,
    pub y: f64,
}

/// Opens the group of a series; it carries its values, so that they can be read back.
pub(super) fn open_series(sheet: &mut Sheet, at: usize, name: &str, unit: &str, marks: &[Mark<'_>]) {
    let points: Vec<String> = marks
        .iter()
        .map(|mark| {
            let label = serde_json::Value::from(text::clean(mark.label));
            let value = serde_json::Value::from(mark.value);
            format!("[{label},{value},{},{}]", px(mark.x), px(mark.y))
        })
        .collect();
    let points = points.join(",").replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;");
    let name = text::escape(&text::clean(name));
    let unit = text::escape(&text::clean(unit));
    let unit = if unit.is_empty() { unit } else { format!(" data-unit=\"{unit}\"") };
    sheet.open(&format!("data-series=\"{at}\" data-name=\"{name}\"{unit} data-points='[{points}]'"));
}

//! The sheet a picture is drawn on, and the pen that draws it: elements as text, colours by their role.

use std::fmt::Write;

use crate::text::{clean, escape};

/// Where a picture is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// In a page, light or dark: colours are classes, `super::STYLE` says what they are.
    Page,
    /// On paper or alone: colours stand in the picture.
    Paper,
}

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Words.
    Ink,
    /// Words that matter less.
    Quiet,
    /// Lines to measure by.
    Grid,
    /// The line values stand on.
    Base,
    /// The paper.
    Ground,
    /// A stretch that is pointed out.
    Wash,
    /// A series, by its number.
    Series(usize),
}

/// How many series a reader can tell apart by colour.
pub(super) const COLOURS: usize = 6;

/// Told apart by every kind of eye, and in grey by their neighbours; tested in `palette.rs`.
pub(super) const LIGHT: [&str; COLOURS] = ["#1f55b5", "#c8780a", "#0e8a55", "#8c1d6f", "#7f8d9b", "#33282d"];
/// The same on a dark ground.
pub(super) const DARK: [&str; COLOURS] = ["#8fc4f0", "#d08324", "#45dd80", "#b85ad2", "#dfe8dc", "#958a8c"];

/// Strokes that tell lines apart without colour.
pub(super) const DASHES: [&str; COLOURS] = ["", "7 3", "2 3", "10 3 2 3", "4 2", "1 3"];

impl Role {
    fn class(self) -> String {
        match self {
            Self::Ink => "ink".to_owned(),
            Self::Quiet => "quiet".to_owned(),
            Self::Grid => "grid".to_owned(),
            Self::Base => "base".to_owned(),
            Self::Ground => "ground".to_owned(),
            Self::Wash => "wash".to_owned(),
            Self::Series(at) => format!("c{}", at % COLOURS),
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Self::Ink => "#1d2126",
            Self::Quiet => "#5b6470",
            Self::Grid => "#dfe3e8",
            Self::Base => "#8b949e",
            Self::Ground => "#ffffff",
            Self::Wash => "#eef1f5",
            Self::Series(at) => LIGHT.get(at % COLOURS).copied().unwrap_or("#1d2126"),
        }
    }
}

/// Which side of a point its words stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How words look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    pub size: f64,
    pub bold: bool,
    pub role: Role,
}

pub(super) const TITLE: Type = Type { size: 18.0, bold: true, role: Role::Ink };
pub(super) const SUBTITLE: Type = Type { size: 13.0, bold: false, role: Role::Quiet };
pub(super) const LABEL: Type = Type { size: 12.0, bold: false, role: Role::Ink };
pub(super) const TICK: Type = Type { size: 12.0, bold: false, role: Role::Quiet };
pub(super) const SOURCE: Type = Type { size: 11.0, bold: false, role: Role::Quiet };

/// A box on the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    pub fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub fn holds(self, x: f64, y: f64) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }
}

/// The sheet.
pub(super) struct Sheet {
    pub width: f64,
    ground: Ground,
    out: String,
}

/// A length in pixels, to a hundredth.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Sheet {
    pub fn new(width: f64, ground: Ground) -> Self {
        Self { width, ground, out: String::new() }
    }

    pub fn into_text(self) -> String {
        self.out
    }

    /// Attributes for a fill and a stroke.
    pub fn paint(&self, fill: Option<Role>, stroke: Option<Role>) -> String {
        match self.ground {
            Ground::Page => {
                let fill = fill.map_or_else(|| "none".to_owned(), Role::class);
                let stroke = stroke.map(|role| format!(" s-{}", role.class())).unwrap_or_default();
                format!(" class=\"f-{fill}{stroke}\"")
            }
            Ground::Paper => {
                let stroke = stroke.map(|role| format!(" stroke=\"{}\"", role.colour())).unwrap_or_default();
                format!(" fill=\"{}\"{stroke}", fill.map_or("none", Role::colour))
            }
        }
    }

    pub fn open(&mut self, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = write!(self.out, "<g{space}{attributes}>");
    }

    pub fn close(&mut self) {
        self.out.push_str("</g>");
    }

    /// Words of anybody.
    pub fn words(&mut self, x: f64, y: f64, anchor: Anchor, look: Type, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if look.bold { " font-weight=\"600\"" } else { "" };
        let paint = self.paint(Some(look.role), None);
        let _ = write!(
            self.out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{bold}{anchor}{paint}>{}</text>",
            px(x),
            px(y),
            px(look.size),
            escape(&clean(text))
        );
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), role: Role, more: &str) {
        let paint = self.paint(None, Some(role));
        let space = if more.is_empty() { "" } else { " " };
        let _ = write!(
            self.out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{paint}{space}{more}/>",
            px(from.0),
            px(from.1),
            px(to.0),
            px(to.1)
        );
    }

    pub fn rect(&mut self, area: Area, role: Role, more: &str) {
        let paint = self.paint(Some(role), None);
        let space = if more.is_empty() { "" } else { " " };
        let _ = write!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{paint}{space}{more}/>",
            px(area.left),
            px(area.top),
            px(area.width().max(0.0)),
            px(area.height().max(0.0))
        );
    }

    pub fn dot(&mut self, at: (f64, f64), radius: f64, fill: Role, stroke: Option<Role>, more: &str) {
        let paint = self.paint(Some(fill), stroke);
        let space = if more.is_empty() { "" } else { " " };
        let _ = write!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{paint}{space}{more}/>",
            px(at.0),
            px(at.1),
            px(radius)
        );
    }

    pub fn path(&mut self, way: &str, role: Role, more: &str) {
        let paint = self.paint(None, Some(role));
        let _ = write!(self.out, "<path d=\"{way}\"{paint} {more}/>");
    }
}

//! A picture read back: its grid, its series, and the shapes that are drawn.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// A drawn value: label, value, and where the picture says it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub label: String,
    pub value: f64,
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub name: String,
    pub marks: Vec<Mark>,
    /// Corners of the paths, in order.
    pub way: Vec<(f64, f64)>,
    /// left, top, width, height
    pub rects: Vec<[f64; 4]>,
    pub dots: Vec<(f64, f64)>,
}

#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub width: f64,
    pub height: f64,
    pub title: String,
    pub words: Vec<String>,
    pub series: Vec<Shape>,
    /// axis, value, pixel
    pub ticks: Vec<(String, f64, f64)>,
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element
        .attributes()
        .map(|attribute| attribute.unwrap())
        .find(|attribute| attribute.key.as_ref() == name)?;
    Some(found.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap().into_owned())
}

fn length(element: &BytesStart<'_>, name: &str) -> f64 {
    attribute(element, name).unwrap().parse().unwrap()
}

impl Picture {
    /// Reads a picture; fails where it is not well-formed.
    pub fn read(svg: &str) -> Self {
        let mut reader = Reader::from_str(svg);
        reader.config_mut().check_end_names = true;
        let mut picture = Self::default();
        let mut open: Vec<bool> = Vec::new();
        let mut depth = 0;
        let mut text = String::new();
        loop {
            let event = reader.read_event().unwrap();
            match &event {
                Event::Start(element) | Event::Empty(element) => {
                    picture.element(element, open.iter().any(|series| *series));
                    if matches!(event, Event::Start(_)) {
                        depth += 1;
                        open.push(attribute(element, "data-points").is_some());
                        text.clear();
                    }
                }
                Event::Text(words) => text.push_str(&words.xml_content(quick_xml::XmlVersion::Implicit1_0)),
                Event::GeneralRef(entity) => {
                    let name = entity.as_ref();
                    text.push(match name {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        "quot" => '"',
                        "#39" => '\'',
                        other => panic!("an entity nobody wrote: {other}"),
                    });
                }
                Event::End(element) => {
                    depth -= 1;
                    open.pop();
                    match element.name().as_ref() {
                        "text" => picture.words.push(text.clone()),
                        "title" => picture.title.clone_from(&text),
                        _ => {}
                    }
                }
                Event::Eof => break,
                other => panic!("unexpected in a picture: {other:?}"),
            }
        }
        assert_eq!(depth, 0);
        picture
    }

    fn element(&mut self, element: &BytesStart<'_>, inside: bool) {
        match element.name().as_ref() {
            "svg" => (self.width, self.height) = (length(element, "width"), length(element, "height")),
            "g" => {
                if let Some(points) = attribute(element, "data-points") {
                    let points: Vec<(String, f64, f64, f64)> = serde_json::from_str(&points).unwrap();
                    let marks =
                        points.into_iter().map(|(label, value, x, y)| Mark { label, value, x, y }).collect();
                    let name = attribute(element, "data-name").unwrap();
                    self.series.push(Shape { name, marks, ..Shape::default() });
                }
            }
            "line" => {
                if let Some(value) = attribute(element, "data-tick") {
                    let axis = attribute(element, "data-axis").unwrap();
                    let pixel = length(element, if axis == "x" { "x1" } else { "y1" });
                    self.ticks.push((axis, value.parse().unwrap(), pixel));
                }
            }
            "path" if inside => {
                let way = attribute(element, "d").unwrap();
                let series = self.series.last_mut().unwrap();
                for corner in way.split(['M', 'L']).filter(|corner| !corner.is_empty()) {
                    let (x, y) = corner.split_once(' ').unwrap();
                    series.way.push((x.parse().unwrap(), y.parse().unwrap()));
                }
            }
            "rect" if inside => {
                let rect = ["x", "y", "width", "height"].map(|name| length(element, name));
                self.series.last_mut().unwrap().rects.push(rect);
            }
            "circle" if inside => {
                let dot = (length(element, "cx"), length(element, "cy"));
                self.series.last_mut().unwrap().dots.push(dot);
            }
            _ => {}
        }
    }

    /// From values to pixels by the lines of the grid alone: the first and the last.
    pub fn measured(&self, axis: &str) -> impl Fn(f64) -> f64 + use<> {
        let mut ticks: Vec<(f64, f64)> = self
            .ticks
            .iter()
            .filter(|(name, _, _)| name == axis)
            .map(|(_, value, pixel)| (*value, *pixel))
            .collect();
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ((low, from), (high, to)) = (*ticks.first().unwrap(), *ticks.last().unwrap());
        // In halves, so that the largest numbers do not overflow.
        move |value| from + (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) * (to - from)
    }
}

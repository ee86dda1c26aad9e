//! What a page draws, read back from the pictures in it: every series of a picture carries its values (`data-points`).

/// A series as a picture has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its name.
    pub series: String,
    /// Its places and values, in the order they are drawn.
    pub points: Vec<(String, f64)>,
}

/// Every series of every picture of a page.
///
/// # Errors
/// Names the series whose values cannot be read.
pub fn drawn(page: &str) -> Result<Vec<Drawn>, String> {
    let mut found = Vec::new();
    for group in page.split("<g ").skip(1) {
        let head = group.split_once('>').map_or(group, |(head, _)| head);
        let Some(points) = quoted(head, "data-points='", '\'') else { continue };
        let series = quoted(head, "data-name=\"", '"').unwrap_or_default();
        let points = serde_json::from_str::<Vec<(String, f64, f64, f64)>>(&points)
            .map_err(|_| format!("the values of \"{series}\" cannot be read"))?;
        let points = points.into_iter().map(|(label, value, ..)| (label, value)).collect();
        found.push(Drawn { series, points });
    }
    Ok(found)
}

/// The pages of a page's own frames (`srcdoc`).
#[must_use]
pub fn frames(page: &str) -> Vec<String> {
    page.split("<iframe ").skip(1).filter_map(|frame| quoted(frame, "srcdoc=\"", '"')).collect()
}

/// What stands between a beginning and a quote, as it was before it was escaped.
fn quoted(text: &str, begin: &str, end: char) -> Option<String> {
    let (_, rest) = text.split_once(begin)?;
    let (inner, _) = rest.split_once(end)?;
    let bare = inner.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    Some(bare.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chart, Positions, Series, page};

    #[test]
    fn a_page_tells_what_was_drawn_and_notices_what_was_changed() {
        let labels = ["2024-01", "2024-02", "2024-03"].map(str::to_owned).to_vec();
        let series = Series {
            name: "Sales & \"more\" <it's>".to_owned(),
            x: Positions::Labels(labels),
            y: vec![Some(1.5), None, Some(-3.0)],
            secondary: false,
        };
        let chart =
            Chart { title: "Sales fell".to_owned(), series: vec![series.clone()], ..Chart::default() };
        let page = page::write(&chart).unwrap();
        let wanted = vec![("2024-01".to_owned(), 1.5), ("2024-03".to_owned(), -3.0)];
        let found = drawn(&page).unwrap();
        assert_eq!(found.len(), 2, "wide and narrow");
        assert!(found.iter().all(|one| one.series == series.name && one.points == wanted), "{found:?}");
        let framed = format!("<iframe sandbox srcdoc=\"{}\"></iframe>", crate::text::escape(&page));
        assert_eq!(frames(&framed), std::slice::from_ref(&page));
        let changed = drawn(&page.replacen("\"2024-01\",1.5,", "\"2024-01\",2.5,", 1)).unwrap();
        assert_eq!(changed[0].points[0].1, 2.5);
        assert!(drawn(&page.replacen("1.5,", "1.5;", 1)).is_err());
    }
}

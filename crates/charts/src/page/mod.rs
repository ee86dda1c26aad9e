//! A chart as a page of its own: the picture in two widths, one script that reads out its values by pointer and keys, and the
//! table behind it. It works from a disk, inside a frame, and without the script it is still the picture.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::behind::Behind;
use crate::fault::ChartError;
use crate::number;
use crate::spec::Chart;
use crate::svg::{self, Look};
use crate::text::{clean, escape};
use crate::words::{fill, words};

/// The script, the same in every page.
pub const SCRIPT: &str = include_str!("page.js");

/// The rows a page lists at most; a workbook has all.
const MOST_ROWS: usize = 1_000;

/// The style, the same in every page.
pub fn style() -> &'static str {
    static STYLE: LazyLock<String> =
        LazyLock::new(|| format!("{}{}", include_str!("page.css"), svg::style()));
    &STYLE
}

/// The script as a content policy names it: `sha256-…`. A frame by `srcdoc` inherits the policy of its page, so that
/// page must allow it.
pub fn script_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| hash(SCRIPT));
    &HASH
}

/// The style as a content policy names it.
pub fn style_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| hash(style()));
    &HASH
}

fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * at) & 63) as usize).copied().unwrap_or(b'A');
            out.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// The page of a chart.
pub fn write(chart: &Chart) -> Result<String, ChartError> {
    let words = words(chart.language);
    let title = escape(&clean(&chart.title));
    let wide = svg::draw(chart, &Look::adaptive())?;
    let narrow = svg::draw(chart, &Look::adaptive().narrow())?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; script-src '{}'\">\n\
         <title>{title}</title>\n<style>{}</style>\n</head>\n<body>\n<figure>\n\
         <div class=\"stage\" tabindex=\"0\" role=\"group\" aria-label=\"{title}\">\n\
         <div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n\
         <div class=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>\n</div>\n<p class=\"keys\">{}</p>\n\
         <details><summary>{}</summary>\n{}</details>\n</figure>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        chart.language.code(),
        style_hash(),
        script_hash(),
        style(),
        escape(words.keys),
        escape(words.table),
        table(chart, &Behind::of(chart)?),
    ))
}

/// How a page of this chart is sized: the height of its wide picture in pixels, and of its narrow one as part of the width.
/// What holds it in a frame needs both, because a frame does not grow with what is in it.
///
/// # Errors
/// When it cannot be drawn.
pub fn heights(chart: &Chart) -> Result<(f64, f64), ChartError> {
    let (_, high) = size(&svg::draw(chart, &Look::adaptive())?);
    let (wide, narrow) = size(&svg::draw(chart, &Look::adaptive().narrow())?);
    Ok((high, narrow / wide))
}

/// Width and height of a picture, as it says them itself.
fn size(picture: &str) -> (f64, f64) {
    let of = |name: &str| {
        let (_, rest) = picture.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse::<f64>().ok().filter(|it| *it > 0.0)
    };
    (of("width").unwrap_or(720.0), of("height").unwrap_or(450.0))
}

fn table(chart: &Chart, behind: &Behind) -> String {
    let head: String =
        behind.head.iter().map(|name| format!("<th scope=\"col\">{}</th>", escape(&clean(name)))).collect();
    let mut rows = String::new();
    for (at, (label, values)) in behind.rows.iter().take(MOST_ROWS).enumerate() {
        let cells: String = (0..values.len())
            .map(|column| format!("<td>{}</td>", escape(&behind.shown(at, column))))
            .collect();
        rows.push_str(&format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escape(&clean(label))));
    }
    let more = behind.rows.len().saturating_sub(MOST_ROWS);
    let more = if more == 0 {
        String::new()
    } else {
        let count = number::exact(more as f64, chart.language);
        format!("<p>{}</p>\n", escape(&fill(words(chart.language).rest, &[&count])))
    };
    format!(
        "<div class=\"scroll\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>{more}</div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_told_how_high_its_page_is() {
        assert_eq!(
            size("<svg xmlns=\"x\" class=\"chart\" width=\"360\" height=\"432.5\" viewBox"),
            (360.0, 432.5)
        );
    }

    #[test]
    fn hashes_are_those_of_a_content_policy() {
        assert_eq!(base64(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
        assert_eq!(base64(b"any carnal pleasu"), "YW55IGNhcm5hbCBwbGVhc3U=");
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}

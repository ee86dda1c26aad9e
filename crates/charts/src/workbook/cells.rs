//! One cell: its type, its format, and words that stay words.

use rust_xlsxwriter::{
    Color, ExcelDateTime, Format as Style, FormatAlign, FormatBorder, Formula, Url, Worksheet, XlsxError,
};

use super::WorkbookError;
use super::formula;
use super::map::Map;
use super::pack::{Cell, Format};
use crate::text::clean;
use crate::time::{self, Grain};

/// A cell holds no more letters.
const LONGEST: usize = 32_000;

/// The looks of cells.
pub(super) struct Styles {
    pub title: Style,
    pub subtitle: Style,
    pub table: Style,
    pub note: Style,
    pub head: Style,
    pub head_right: Style,
    pub text: Style,
    pub wrapped: Style,
    pub link: Style,
    pub indented: Style,
    pub head_indented: Style,
}

impl Styles {
    pub fn new() -> Self {
        let plain = || Style::new().set_font_name("Calibri").set_font_size(11).set_align(FormatAlign::Top);
        let quiet = Color::RGB(0x005b_6470);
        let head = plain()
            .set_bold()
            .set_background_color(Color::RGB(0x00ee_f1f5))
            .set_border_bottom(FormatBorder::Thin)
            .set_border_bottom_color(Color::RGB(0x008b_949e))
            .set_text_wrap();
        Self {
            title: plain().set_bold().set_font_size(16),
            subtitle: plain().set_font_color(quiet),
            table: plain().set_bold().set_font_size(12),
            note: plain().set_font_color(quiet).set_italic(),
            indented: plain().set_align(FormatAlign::Left).set_indent(1),
            head_indented: head.clone().set_align(FormatAlign::Left).set_indent(1),
            head_right: head.clone().set_align(FormatAlign::Right),
            head,
            text: plain(),
            wrapped: plain().set_text_wrap(),
            link: plain()
                .set_font_color(Color::RGB(0x000b_57a4))
                .set_underline(rust_xlsxwriter::FormatUnderline::Single),
        }
    }

    /// The look of a number in a format.
    pub fn number(&self, format: &Format) -> Style {
        self.text.clone().set_num_format(pattern(format))
    }

    fn date(&self, pattern: &str) -> Style {
        self.text.clone().set_num_format(pattern).set_align(FormatAlign::Left)
    }
}

/// The pattern a workbook shows numbers by; it puts in the signs of the reader's own language.
pub(super) fn pattern(format: &Format) -> String {
    let decimals = |count: u8| match count.min(10) {
        0 => String::new(),
        count => format!(".{}", "0".repeat(usize::from(count))),
    };
    match format {
        Format::Plain => "General".to_owned(),
        Format::Whole => "#,##0".to_owned(),
        Format::Decimal(count) => format!("#,##0{}", decimals(*count)),
        Format::Percent(count) => format!("0{}%", decimals(*count)),
        Format::Money(code, count) => {
            let code: String = code.chars().filter(char::is_ascii_alphabetic).take(5).collect();
            format!("#,##0{} \"{code}\"", decimals(*count))
        }
        Format::Identifier => "0".to_owned(),
    }
}

/// Words of anybody, as long as a cell may be.
pub(super) fn words(text: &str) -> String {
    let clean = clean(text);
    if clean.chars().count() <= LONGEST {
        return clean;
    }
    let kept: String = clean.chars().take(LONGEST).collect();
    format!("{kept}…")
}

/// Writes one cell.
pub(super) fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    format: &Format,
    map: &Map,
    styles: &Styles,
) -> Result<(), WorkbookError> {
    match cell {
        Cell::Empty => {}
        // Written as a string, a text that begins with a sign of a formula is a text.
        Cell::Text(text) => {
            sheet.write_string_with_format(row, column, words(text), &styles.text)?;
        }
        Cell::Number(number) => plain_number(sheet, row, column, *number, &styles.number(format))?,
        Cell::Truth(truth) => {
            sheet.write_boolean_with_format(row, column, *truth, &styles.text)?;
        }
        Cell::Date(date) => write_date(sheet, row, column, date, styles)?,
        Cell::Derived { formula, value } => {
            let style = styles.number(format);
            let text = formula::text(formula, map)?.filter(|_| value.is_finite());
            match text {
                Some(text) => {
                    let formula = Formula::new(format!("={text}")).set_result(value.to_string());
                    sheet.write_formula_with_format(row, column, formula, &style)?;
                }
                None => plain_number(sheet, row, column, *value, &style)?,
            }
        }
        Cell::Link { text, url } => link(sheet, row, column, text, url, styles)?,
    }
    Ok(())
}

fn plain_number(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    number: f64,
    style: &Style,
) -> Result<(), XlsxError> {
    if number.is_finite() {
        sheet.write_number_with_format(row, column, number, style)?;
    }
    Ok(())
}

/// A day or a moment as a date that can be computed with; anything else as words. A workbook knows no day before 1900.
pub(super) fn write_date(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    date: &str,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let moment = time::read(date).filter(|moment| matches!(moment.grain, Grain::Day | Grain::Moment));
    let read = moment.and_then(|moment| {
        let text = date.trim().get(..10)?;
        let day = ExcelDateTime::parse_from_str(text).ok()?;
        let of_day = moment.second.rem_euclid(time::DAY);
        let (hour, minute, second) = (of_day / 3600, of_day % 3600 / 60, of_day % 60);
        if moment.grain == Grain::Day {
            return Some((day, "yyyy-mm-dd"));
        }
        let moment = day.and_hms(hour as u16, minute as u8, second as f64).ok()?;
        Some((moment, "yyyy-mm-dd hh:mm"))
    });
    match read {
        Some((date, pattern)) => {
            sheet.write_datetime_with_format(row, column, &date, &styles.date(pattern))?
        }
        None => sheet.write_string_with_format(row, column, words(date), &styles.text)?,
    };
    Ok(())
}

/// A link where the address is one that a reader may follow, words otherwise.
pub(super) fn link(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    text: &str,
    url: &str,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let url = clean(url);
    let text = words(if text.is_empty() { &url } else { text });
    let safe =
        ["http://", "https://", "mailto:"].iter().any(|scheme| url.starts_with(scheme)) && url.len() <= 2_000;
    if safe && !text.is_empty() {
        let link = Url::new(&url).set_text(&text);
        if sheet.write_url_with_format(row, column, link, &styles.link).is_ok() {
            return Ok(());
        }
    }
    sheet.write_string_with_format(row, column, text, &styles.text)?;
    Ok(())
}

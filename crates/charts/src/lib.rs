//! Charts: one specification ([`Chart`]) in; a picture ([`svg`]), an offline page that reads out its values ([`page`]), a workbook
//! with native charts ([`workbook`]) out. Pure: no files, no clock, no network. Where values come from, and whether they are
//! right, is not known here; that they are drawn as they are is.

mod behind;
mod bins;
mod fault;
mod frame;
pub mod indicator;
pub mod number;
pub mod page;
pub mod readback;
pub mod render;
mod scale;
mod spec;
pub mod svg;
mod text;
mod time;
mod words;
pub mod workbook;

pub use behind::{Behind, describe};
pub use fault::{ChartError, faults};
pub use spec::{Annotation, Axis, Chart, Kind, Language, Order, Panels, Positions, Scale, Series};
pub use text::clean as plain;

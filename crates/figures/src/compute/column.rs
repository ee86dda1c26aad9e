//! Columns as calculations see them: own ones, and those of other tables that are looked up by a key.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use csv::ByteRecord;

use crate::cell::{self, day};
use crate::date::Date;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::Lookup;
use crate::profile::Join;
use crate::profile::column::read_number;
use crate::reading::{ColumnReading, DateForm, Kind, TableReading};
use crate::source::{self, Context};

/// Cells of another table by their key.
type Cells = HashMap<Vec<u8>, Vec<u8>>;

/// A column that cells are taken from.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its place in the own table, or the place of the key that is looked up.
    pub index: usize,
    /// How its cells are read.
    pub reading: ColumnReading,
    /// Cells of another table by the key that stands at the place.
    looked_up: Option<Rc<Cells>>,
    decimal: u8,
}

impl Column {
    pub(crate) fn own(index: usize, reading: &ColumnReading) -> Self {
        let decimal = u8::try_from(reading.decimal).unwrap_or(b'.');
        Self { index, reading: reading.clone(), looked_up: None, decimal }
    }

    /// The cell's bytes, without spaces around.
    #[must_use]
    pub fn bytes<'r>(&'r self, record: &'r ByteRecord) -> &'r [u8] {
        let own = record.get(self.index).unwrap_or_default().trim_ascii();
        match &self.looked_up {
            None => own,
            Some(map) => map.get(own).map(Vec::as_slice).unwrap_or_default(),
        }
    }

    /// The cell's text, where it holds something.
    #[must_use]
    pub fn text<'r>(&'r self, record: &'r ByteRecord) -> Option<Cow<'r, str>> {
        let text = String::from_utf8_lossy(self.bytes(record));
        let missing = cell::is_missing(&text) || self.reading.missing.iter().any(|word| *word == text);
        (!missing).then_some(text)
    }

    /// The cell's number, where it holds one.
    #[must_use]
    pub fn number(&self, record: &ByteRecord) -> Option<Decimal> {
        let bytes = self.bytes(record);
        if let Some((mantissa, scale, _)) = cell::plain(bytes, self.decimal) {
            return Some(Decimal::new(mantissa.into(), scale));
        }
        read_number(&self.text(record)?, &self.reading).map(|number| number.value)
    }

    /// The cell's day, where it holds one.
    #[must_use]
    pub fn day(&self, record: &ByteRecord) -> Option<Date> {
        day::read(&self.text(record)?, self.reading.date.unwrap_or(DateForm::YearFirst))
    }

    /// Whether the cell holds something of its kind.
    #[must_use]
    pub fn holds(&self, record: &ByteRecord) -> bool {
        match self.reading.kind {
            Kind::Number => self.number(record).is_some(),
            Kind::Date => self.day(record).is_some(),
            Kind::Text | Kind::Truth | Kind::Empty => self.text(record).is_some(),
        }
    }
}

/// Where columns of some tables are found.
#[derive(Debug)]
pub struct Columns<'a> {
    tables: Vec<&'a TableReading>,
    context: &'a Context,
    cache: HashMap<Lookup, Rc<Cells>>,
}

impl<'a> Columns<'a> {
    /// Over these tables.
    #[must_use]
    pub fn new(tables: Vec<&'a TableReading>, context: &'a Context) -> Self {
        Self { tables, context, cache: HashMap::new() }
    }

    /// A table by its name.
    ///
    /// # Errors
    /// When there is none.
    pub fn table(&self, name: &str) -> Result<&'a TableReading, FiguresError> {
        let unknown = || {
            let names: Vec<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
            FiguresError::Unknown(format!("there is no table \"{name}\"; there are {}", names.join(", ")))
        };
        self.tables.iter().find(|table| table.name == name).copied().ok_or_else(unknown)
    }

    /// A column by its name or by one of the lookups.
    ///
    /// # Errors
    /// When there is none, or the lookup would multiply rows.
    pub fn column(&mut self, table: &str, name: &str, lookups: &[Lookup]) -> Result<Column, FiguresError> {
        let own = self.table(table)?;
        if let Some((index, reading)) = own.column(name) {
            return Ok(Column::own(index, reading));
        }
        let Some(lookup) = lookups.iter().find(|lookup| lookup.name == name) else {
            let names: Vec<&str> = own.columns.iter().take(40).map(|column| column.name.as_str()).collect();
            return Err(FiguresError::Unknown(format!(
                "{table} has no column \"{name}\"; it has {}",
                names.join(", ")
            )));
        };
        let (index, _) = own
            .column(&lookup.column)
            .ok_or_else(|| FiguresError::Unknown(format!("{table} has no column \"{}\"", lookup.column)))?;
        let other = self.table(&lookup.table)?;
        let (_, reading) = other.column(&lookup.value).ok_or_else(|| {
            FiguresError::Unknown(format!("{} has no column \"{}\"", lookup.table, lookup.value))
        })?;
        let mut column = Column::own(index, reading);
        column.reading.name = name.to_owned();
        column.looked_up = Some(self.load(lookup, other)?);
        Ok(column)
    }

    fn load(&mut self, lookup: &Lookup, other: &TableReading) -> Result<Rc<Cells>, FiguresError> {
        if let Some(map) = self.cache.get(lookup) {
            return Ok(Rc::clone(map));
        }
        let unknown = |name: &str| FiguresError::Unknown(format!("{} has no column \"{name}\"", other.name));
        let (key, _) = other.column(&lookup.key).ok_or_else(|| unknown(&lookup.key))?;
        let (value, _) = other.column(&lookup.value).ok_or_else(|| unknown(&lookup.value))?;
        let mut map = HashMap::new();
        let most = self.context.limits.lookup;
        source::each_row(other, self.context, &mut |row, record| {
            let name = record.get(key).unwrap_or_default().trim_ascii();
            if name.is_empty() {
                return Ok(ControlFlow::Continue(()));
            }
            let cell = record.get(value).unwrap_or_default().trim_ascii();
            if map.insert(name.to_vec(), cell.to_vec()).is_some() {
                let text = format!(
                    "\"{}\" stands more than once in {} (again in row {row}), so looking up \"{}\" would multiply rows",
                    String::from_utf8_lossy(name),
                    other.name,
                    lookup.value
                );
                return Err(FiguresError::Refused(text));
            }
            if map.len() > most {
                return Err(FiguresError::Refused(format!(
                    "{} has more than {most} keys, too many to look up",
                    other.name
                )));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let map = Rc::new(map);
        self.cache.insert(lookup.clone(), Rc::clone(&map));
        Ok(map)
    }
}

/// What a name such as `customers.region` means, by the joins that were found.
///
/// # Errors
/// When no join leads there, or the only one would multiply rows.
pub fn lookup(
    table: &TableReading,
    name: &str,
    joins: &[Join],
    tables: &[&TableReading],
) -> Result<Option<Lookup>, FiguresError> {
    if table.column(name).is_some() {
        return Ok(None);
    }
    for other in tables {
        let Some(value) = name.strip_prefix(other.name.as_str()).and_then(|rest| rest.strip_prefix('.'))
        else {
            continue;
        };
        if other.column(value).is_none() {
            continue;
        }
        let mut ways = joins.iter().filter(|join| join.table == table.name && join.into == other.name);
        if let Some(join) = ways.clone().find(|join| join.unique) {
            return Ok(Some(Lookup {
                name: name.to_owned(),
                column: join.column.clone(),
                table: other.name.clone(),
                key: join.key.clone(),
                value: value.to_owned(),
            }));
        }
        return Err(FiguresError::Refused(match ways.next() {
            Some(join) => format!(
                "\"{}\" stands several times in \"{}\" of {}, so joining it to {} would multiply rows",
                join.column, join.key, join.into, table.name
            ),
            None => format!("nothing in {} can be looked up in {}", table.name, other.name),
        }));
    }
    Ok(None)
}

//! Rows put together, and whether another row says what they come to.

use crate::Decimal;
use crate::compute::column::Column;
use crate::profile::sums::adds_up;

/// A sum may be off by what rounding its parts explains, but never by more than this part of it.
const ROUNDED: f64 = 0.01;
/// What a computer's own numbers may be off by.
const EXACT: f64 = 1e-9;

/// A column of numbers, and whether they can be added up.
pub struct Numeric {
    pub column: Column,
    adds: bool,
}

impl Numeric {
    pub fn of(column: Column) -> Self {
        let adds = adds_up(&column.reading.name, column.reading.unit.as_deref());
        Self { column, adds }
    }
}

/// What a row says of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Something else.
    None,
    /// What the only one of them says.
    Same,
    /// What they come to.
    Sum,
}

/// How a number stands to the rows of a column.
enum Fit {
    /// Their sum, or their mean where nothing can be added up.
    Right,
    /// It may be a mean of another weight.
    Between,
    Wrong,
}

/// Columns by how a row stands to them.
#[derive(Default)]
struct Count {
    all: usize,
    right: usize,
    wrong: usize,
}

/// Rows put together, column by column.
#[derive(Debug, Clone)]
pub struct Heap {
    rows: u64,
    columns: Vec<Pile>,
}

#[derive(Debug, Clone, Default)]
struct Pile {
    count: u64,
    sum: f64,
    low: f64,
    high: f64,
    places: u32,
}

impl Heap {
    pub fn new(columns: usize) -> Self {
        Self { rows: 0, columns: vec![Pile::default(); columns] }
    }

    pub fn add(&mut self, values: &[Option<Decimal>]) {
        self.rows += 1;
        for (pile, value) in self.columns.iter_mut().zip(values) {
            if let Some(value) = value {
                pile.add(*value);
            }
        }
    }

    /// Whether a row with these numbers is the total of these rows.
    pub fn agrees(&self, numbers: &[Numeric], values: &[Option<Decimal>]) -> Agreement {
        let mut adding = Count::default();
        let mut others = Count::default();
        for ((pile, numeric), value) in self.columns.iter().zip(numbers).zip(values) {
            let Some(value) = value.filter(|value| !value.is_zero() || pile.sum != 0.0) else { continue };
            let count = if numeric.adds { &mut adding } else { &mut others };
            count.all += 1;
            match pile.fit(value, numeric.adds) {
                Fit::Right => count.right += 1,
                Fit::Between => {}
                Fit::Wrong => count.wrong += 1,
            }
        }
        // Ranks may add up by chance: where amounts stand beside them the amounts decide.
        let told = if adding.all > 0 { &adding } else { &others };
        // One wrong cell among many is a slip; a column of means that is not called so is told by lying between.
        let slips = (adding.wrong + others.wrong) * 4 <= adding.right + others.right;
        let holds = told.right > 0 && told.right * 2 >= told.all && slips;
        match (holds, self.rows) {
            (false, _) | (_, 0) => Agreement::None,
            (true, 1) => Agreement::Same,
            (true, _) => Agreement::Sum,
        }
    }
}

impl Pile {
    fn add(&mut self, value: Decimal) {
        let number = value.to_f64();
        (self.low, self.high) =
            if self.count == 0 { (number, number) } else { (self.low.min(number), self.high.max(number)) };
        self.count += 1;
        self.sum += number;
        self.places = self.places.max(value.places());
    }

    #[allow(clippy::cast_precision_loss)] // counts of rows
    fn fit(&self, value: Decimal, adds: bool) -> Fit {
        let (own, rows) = (value.to_f64(), self.count as f64);
        let half = |places: u32| 0.5 * 10_f64.powi(-i32::try_from(places).unwrap_or(i32::MAX));
        let off = |rows: f64, whole: f64| {
            let rounding = rows * half(self.places) + half(value.places());
            rounding.min(ROUNDED * whole.abs()).max(EXACT * whole.abs())
        };
        let near = |whole: f64, slack: f64| (own - whole).abs() <= slack;
        let mean = if self.count == 0 { 0.0 } else { self.sum / rows };
        if self.sum != 0.0 && near(self.sum, off(rows, self.sum)) || !adds && near(mean, off(1.0, mean)) {
            return Fit::Right;
        }
        if self.count > 0 && (self.low..=self.high).contains(&own) { Fit::Between } else { Fit::Wrong }
    }
}

//! The profile pass over a large table, beside bare reading of the same file in the same run.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use baton_figures::planted::Chance;
use baton_figures::profile;
use baton_figures::source::Context;

use crate::Arguments;

/// Writes a table of about 100 bytes a row, reads it both ways three times in turn, prints the middle ratio.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let rows: u64 = arguments.value("--rows").map_or(Ok(1_000_000), str::parse)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("orders.csv");
    write(&path, rows)?;
    let context = Context { scratch: Some(folder.path().to_owned()), ..Context::default() };
    let (mut ratios, mut work) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let before = cpu()?;
        let (bare, count) = timed(|| bare(&path))?;
        let between = cpu()?;
        let (ours, found) = timed(|| Ok(profile::of_files(&[PathBuf::from(&path)], &[], &context)?))?;
        work.push((between - before) / (cpu()? - between));
        let seen = found.tables.first().map_or(0, |table| table.rows);
        if seen + 1 != count || seen != rows {
            return Err(format!("{seen} rows were profiled, {count} records read, {rows} written").into());
        }
        ratios.push(bare.as_secs_f64() / ours.as_secs_f64());
        println!("bare {:.3} s, profile {:.3} s", bare.as_secs_f64(), ours.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    work.sort_by(f64::total_cmp);
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "{rows} rows, {} MB: profile at {:.0} % of bare StringRecord reading ({:.0} to {:.0}), by time of the processor {:.0} %; peak memory {} MB",
        bytes / 1_000_000,
        ratios[1] * 100.0,
        ratios[0] * 100.0,
        ratios[2] * 100.0,
        work[1] * 100.0,
        peak()?
    );
    Ok(())
}

#[allow(clippy::disallowed_methods)] // a bench reads the clock
fn timed<T>(work: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<(Duration, T), Box<dyn Error>> {
    let begin = std::time::Instant::now();
    let result = work()?;
    Ok((begin.elapsed(), result))
}

fn bare(path: &Path) -> Result<u64, Box<dyn Error>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path)?;
    let mut record = csv::StringRecord::new();
    let mut count = 0;
    while reader.read_record(&mut record)? {
        count += 1;
    }
    Ok(count)
}

fn write(path: &Path, rows: u64) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    writeln!(out, "order_id,day,region,product,customer,quantity,unit_price,revenue_eur,discount_pct,note")?;
    let mut chance = Chance::new(7);
    for row in 0..rows {
        let day = baton_figures::Date::from_days(19_000 + i32::try_from(row * 730 / rows)?);
        let (region, product) = (chance.below(8), chance.below(400));
        let customer = chance.below(60_000);
        let quantity = 1 + chance.below(12);
        let price = 5.0 + chance.unit() * 400.0;
        writeln!(
            out,
            "A{row:09},{day},region {region},product line {product:04},C{customer:06},{quantity},{price:.2},{:.2},{},delivered as ordered {}",
            price * f64::from(u32::try_from(quantity)?),
            chance.below(30),
            chance.below(50),
        )?;
    }
    out.flush()?;
    Ok(())
}

/// Time that processors spent on this process, in ticks: two threads count twice.
fn cpu() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/stat")?;
    let (_, behind) = status.rsplit_once(')').ok_or("no name")?;
    let fields: Vec<&str> = behind.split_whitespace().collect();
    let ticks = |at: usize| -> Result<f64, Box<dyn Error>> { Ok(fields.get(at).ok_or("no ticks")?.parse()?) };
    Ok(ticks(11)? + ticks(12)?)
}

/// Most memory this process ever had, in MB.
fn peak() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM")).ok_or("no VmHWM")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
    Ok(kilobytes / 1000)
}

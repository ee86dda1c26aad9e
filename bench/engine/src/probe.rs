//! What the machine is like while it is measured: its disk, its neighbours, this process's memory; and the time.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::BenchError;
use crate::spread::quantile;

/// Measures a span of time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures the machine's own time")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Milliseconds since the start.
    pub fn millis(&self) -> f64 {
        self.seconds() * 1e3
    }
}

/// Waits, for those who watch another process.
#[expect(clippy::disallowed_methods, reason = "the other process runs on the machine's own time")]
pub fn pause(span: Duration) {
    std::thread::sleep(span);
}

/// What one durable write of 4 kB costs here, in microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Disk {
    /// Half of them take at most this.
    pub p50_us: f64,
    /// All but one in a hundred take at most this.
    pub p99_us: f64,
}

impl Disk {
    /// Below this a disk is not a disk: memory, or a device that lies.
    const TOO_FAST_US: f64 = 20.0;

    /// Writes and syncs a block of a file in this folder, again and again.
    pub fn probe(folder: &Path) -> Result<Self, BenchError> {
        const TIMES: usize = 300;
        let path = folder.join("probe");
        let mut file = File::create(&path)?;
        let block = [7u8; 4096];
        file.write_all(&block)?;
        file.sync_all()?;
        let mut spans = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            let watch = Stopwatch::start();
            file.write_all_at(&block, 0)?;
            file.sync_data()?;
            spans.push(watch.seconds() * 1e6);
        }
        fs::remove_file(&path)?;
        Ok(Self { p50_us: quantile(&spans, 0.5), p99_us: quantile(&spans, 0.99) })
    }

    /// Whether the ratios mean nothing because syncing costs nothing here.
    pub fn is_memory(&self) -> bool {
        self.p50_us < Self::TOO_FAST_US
    }
}

/// The load average of the last minute, where the system tells it.
pub fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Kilobytes of memory this process has (`VmRSS`) or had at most (`VmHWM`), where the system tells it.
pub fn memory_kb(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().ok()
}

/// How many cores everybody else used meanwhile: a measurement beside a busy neighbour is worth less.
pub struct Neighbours {
    watch: Stopwatch,
    busy: Option<(u64, u64)>,
}

impl Neighbours {
    /// Begins to watch.
    pub fn watch() -> Self {
        Self { watch: Stopwatch::start(), busy: busy() }
    }

    /// Cores used by others since then, on average, where the system tells it.
    pub fn cores(&self) -> Option<f64> {
        /// Linux reports in hundredths of a second whatever the kernel's own tick is.
        const TICKS: f64 = 100.0;
        let (all_before, own_before) = self.busy?;
        let (all, own) = busy()?;
        let others = (all - all_before).saturating_sub(own - own_before);
        #[expect(clippy::cast_precision_loss, reason = "a small number of ticks")]
        Some(others as f64 / TICKS / self.watch.seconds())
    }
}

/// Busy ticks of the whole machine, and of this process with the children it has waited for.
fn busy() -> Option<(u64, u64)> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let numbers: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal: all but idle and iowait.
    let all = numbers
        .iter()
        .take(8)
        .enumerate()
        .filter(|(index, _)| !matches!(index, 3 | 4))
        .map(|(_, ticks)| ticks)
        .sum();
    let own = fs::read_to_string("/proc/self/stat").ok()?;
    // The name may hold spaces; the fields are counted from behind it.
    let fields: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
    let own = fields.get(11..15)?.iter().filter_map(|word| word.parse::<u64>().ok()).sum();
    Some((all, own))
}

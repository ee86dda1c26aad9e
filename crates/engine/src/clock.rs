//! Time and chance, injected. Everything else that wants either takes one of these.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use async_trait::async_trait;

use crate::Millis;

/// Tells the time and waits for it.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Millis;
    /// Time since some moment of the past, which no correction of the clock touches.
    fn steady(&self) -> Duration;
    /// Returns when `now` is at least `at`, or when the time that was left until then has passed: a clock that is
    /// set back holds nobody up, and a machine that slept wakes everybody.
    async fn until(&self, at: Millis);
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Millis {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn steady(&self) -> Duration {
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        BEGAN.get_or_init(Instant::now).elapsed()
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that waits on the machine's clock")]
    async fn until(&self, at: Millis) {
        let end = self.steady().saturating_add(at.since(self.now()));
        // In pieces, because a suspended machine or a corrected clock moves `now` while we wait.
        loop {
            let left = at.since(self.now()).min(end.saturating_sub(self.steady()));
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(Duration::from_secs(30))).await;
        }
    }
}

/// Sixty-four random bits at a time.
pub trait Dice: Send + Sync + 'static {
    /// The next bits.
    fn roll(&self) -> u64;
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDice;

impl Dice for SystemDice {
    fn roll(&self) -> u64 {
        // Failing to read randomness is a broken machine; an all-zero roll then collides and is refused by the store.
        getrandom::u64().unwrap_or(0)
    }
}

/// A repeatable sequence (SplitMix64): the same seed gives the same rolls.
#[derive(Debug)]
pub struct SeededDice(std::sync::atomic::AtomicU64);

impl SeededDice {
    /// Rolls that follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(std::sync::atomic::AtomicU64::new(seed))
    }
}

impl Dice for SeededDice {
    fn roll(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut bits = self.0.fetch_add(STEP, std::sync::atomic::Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }
}

//! Waits between attempts.

use super::*;
use crate::Millis;

#[test]
fn waits_double_and_a_wish_is_honoured_for_an_hour() {
    let retry = Retry::default();
    let cases = [
        (1, None, 2_000),
        (2, None, 4_000),
        (1, Some(30_000), 30_000),
        (3, Some(1), 8_000),
        (1, Some(3_600_001), 3_600_000),
        (1, Some(u64::MAX), 3_600_000),
    ];
    for (failed, asked, wanted) in cases {
        let wait = retry.wait(failed, asked);
        assert_eq!(wait, Duration::from_millis(wanted), "{failed} {asked:?}");
        assert!(Millis(u64::MAX).plus(wait) == Millis(u64::MAX), "a time never wraps around");
    }
    assert_eq!(
        Retry { attempts: 99, wait_ms: u64::MAX }.wait(u32::MAX, None),
        Duration::from_millis(u64::MAX)
    );
}

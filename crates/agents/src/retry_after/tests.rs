//! Wishes as servers write them, and as nobody should.

use proptest::prelude::*;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::*;

/// 1994-11-06 08:49:00, by our own clock.
const NOW: Duration = Duration::from_secs(784_111_740);

fn wish(headers: &[(&str, &str)]) -> Option<u64> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
    }
    retry_after(&map, NOW).map(|wait| u64::try_from(wait.as_millis()).unwrap())
}

#[test]
fn wishes_in_seconds_and_as_dates() {
    let cases = [
        ("7", Some(7_000)),
        (" 1.5 ", Some(1_500)),
        ("0", Some(0)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37_000)),
        ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37_000)),
        ("Sun Nov  6 08:49:37 1994", Some(37_000)),
        // The past asks for nothing more.
        ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
        // Absurd ones.
        ("86400", Some(3_600_000)),
        ("18446744073709551615", Some(3_600_000)),
        ("99999999999999999999999999999999999999999999", Some(3_600_000)),
        ("1e308", Some(3_600_000)),
        ("inf", Some(3_600_000)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", Some(3_600_000)),
        // Nonsense.
        ("-5", None),
        ("NaN", None),
        ("soon", None),
        ("", None),
        ("Sun, 31 Feb 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 25:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49 GMT", None),
        ("Sun, 06 nov 1994 08:49:37 GMT", None),
        ("Mon, 01 Jan 1601 00:00:00 GMT", None),
    ];
    for (text, wanted) in cases {
        assert_eq!(wish(&[("retry-after", text)]), wanted, "{text:?}");
    }
}

#[test]
fn a_date_counts_from_the_servers_own_clock() {
    let until = ("retry-after", "Tue, 03 Jun 2025 08:00:30 GMT");
    assert_eq!(wish(&[("date", "Tue, 03 Jun 2025 08:00:00 GMT"), until]), Some(30_000));
    assert_eq!(wish(&[("date", "some day"), until]), Some(3_600_000));
}

#[test]
fn milliseconds_come_first_if_they_are_any() {
    assert_eq!(wish(&[("retry-after-ms", "250"), ("retry-after", "9")]), Some(250));
    assert_eq!(wish(&[("retry-after-ms", "-1"), ("retry-after", "9")]), Some(9_000));
    assert_eq!(wish(&[("retry-after-ms", "1e300")]), Some(3_600_000));
    assert_eq!(wish(&[]), None);
}

proptest! {
    /// Whatever stands in the headers: no panic, never past the hour, and always addable to a time of day.
    #[test]
    fn no_header_is_waited_for_longer_than_an_hour(
        wished in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "[-+]?[0-9]{1,400}(\\.[0-9]{0,30})?(e[-+]?[0-9]{1,5})?".prop_map(String::into_bytes),
            "[A-Z][a-z]{2}, [0-9]{2} (Jan|Feb|Dec) [0-9]{4,10} [0-9]{2}:[0-9]{2}:[0-9]{2,10} GMT".prop_map(String::into_bytes),
            "[A-Z][a-z]{2} (Jan|Feb|Dec) [0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{2,4}".prop_map(String::into_bytes),
        ],
        name in prop_oneof![Just("retry-after"), Just("retry-after-ms"), Just("date")],
        date in "[A-Z][a-z]{2}, [0-9]{2} (Jan|Feb|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT",
        now in any::<u64>(),
    ) {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_str(&date).unwrap());
        if let Ok(value) = HeaderValue::from_bytes(&wished) {
            headers.insert(HeaderName::from_static(name), value);
        }
        let wait = retry_after(&headers, Duration::from_secs(now));
        prop_assert!(wait.is_none_or(|wait| wait <= LONGEST));
    }
}

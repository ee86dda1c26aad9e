use super::*;

/// Seven hundred values with a turn at 430 and a little regular noise.
fn places() -> Vec<f64> {
    (0..700).map(|at| f64::from(at) / 700.0).collect()
}

fn noise(at: usize) -> f64 {
    0.02 * ((at as f64 * 12.9898).sin() * 43_758.545_3).fract()
}

#[test]
fn a_turn_of_equal_amounts_is_found_where_it_is() {
    let values: Vec<f64> = (0..700)
        .map(|at: usize| {
            let level = 100.0 + 0.2 * at.min(430) as f64 - 0.25 * at.saturating_sub(430) as f64;
            (level * (1.0 + noise(at))).ln()
        })
        .collect();
    let found = place(&values, &places(), true, 70).expect("a place");
    assert!(found.at.abs_diff(430) <= 5, "{found:?}");
    assert!((found.likely.0..=found.likely.1).contains(&430), "{found:?}");
}

#[test]
fn a_turn_of_equal_parts_is_found_where_it_is() {
    let values: Vec<f64> = (0..700)
        .map(|at: usize| 4.0 + 0.003 * at.min(430) as f64 - 0.002 * at.saturating_sub(430) as f64 + noise(at))
        .collect();
    let found = place(&values, &places(), true, 70).expect("a place");
    assert!(found.at.abs_diff(430) <= 5, "{found:?}");
    assert!((found.likely.0..=found.likely.1).contains(&430), "{found:?}");
}

#[test]
fn values_below_zero_have_no_parts() {
    let values: Vec<f64> = (0..700)
        .map(|at: usize| at.min(430) as f64 - 2.0 * at.saturating_sub(430) as f64 + 50.0 * noise(at))
        .collect();
    let found = place(&values, &places(), false, 70).expect("a place");
    assert!(found.at.abs_diff(430) <= 2, "{found:?}");
}

use super::{Spread, quantile};

#[test]
fn the_middle_of_an_odd_and_of_an_even_number() {
    assert_eq!(Spread::of(&[3.0, 1.0, 9.0]), Spread { median: 3.0, low: 1.0, high: 9.0 });
    assert_eq!(Spread::of(&[4.0, 1.0, 2.0, 9.0]), Spread { median: 3.0, low: 1.0, high: 9.0 });
}

#[test]
fn ratios_are_taken_pair_by_pair() {
    // The quotient of the medians would be 1.
    assert_eq!(
        Spread::of_ratios(&[1.0, 2.0, 9.0], &[2.0, 1.0, 3.0]),
        Spread { median: 2.0, low: 0.5, high: 3.0 }
    );
}

#[test]
fn quantiles_of_a_hundred() {
    let samples: Vec<f64> = (1..=101).rev().map(f64::from).collect();
    assert_eq!((quantile(&samples, 0.5), quantile(&samples, 0.99)), (51.0, 100.0));
}

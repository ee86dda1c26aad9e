use super::*;

#[test]
fn an_indicator_is_asked_for_by_its_name_and_not_by_a_part_of_a_word() {
    for (text, expected) in [
        ("Show RSI and MACD for the price", vec![Indicator::Rsi, Indicator::Macd]),
        ("the 30-day moving average of revenue", vec![Indicator::MovingAverage]),
        ("RSI14 and Bollinger bands", vec![Indicator::Rsi, Indicator::Bollinger]),
        ("скользящее среднее за 7 дней", vec![Indicator::MovingAverage]),
        ("University revenue; average moving costs", vec![]),
        ("persistent customers, support costs, resistance of materials", vec![]),
        ("the rsi of the versions", vec![]),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
}

#[test]
fn a_series_that_is_an_indicator_is_recognised_whatever_it_is_called() {
    let price: Vec<f64> = (0..120).map(|at| 100.0 + f64::from(at * 37 % 23) + f64::from(at) * 0.3).collect();
    for (line, expected) in [
        (sliding(&price, 7), Some(Indicator::MovingAverage)),
        (exponential(&price, 20), Some(Indicator::MovingAverage)),
        (band(&price, 20, 2.0), Some(Indicator::Bollinger)),
        (strength(&price, 14, false), Some(Indicator::Rsi)),
        (strength(&price, 14, true), Some(Indicator::Rsi)),
        (price.clone(), None),
        (price.iter().map(|value| value * 2.0).collect(), None),
        (vec![120.0; 120], None),
    ] {
        assert_eq!(recognise(&price, &line), expected);
    }
    let macd: Vec<f64> =
        exponential(&price, 12).iter().zip(exponential(&price, 26)).map(|(a, b)| a - b).collect();
    assert_eq!(recognise(&price, &macd), Some(Indicator::Macd));
}

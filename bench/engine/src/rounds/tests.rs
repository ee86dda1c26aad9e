use super::{Round, choose};

#[test]
fn the_quietest_count_in_the_order_in_which_they_were_measured() {
    let others = [0.9, 0.0, 0.5, 0.05];
    let all = others.iter().enumerate().map(|(index, others)| Round {
        index,
        others: *others,
        found: [f64::from(u8::try_from(index).unwrap()), 7.0],
    });
    let chosen = choose("speed", 3, all.collect());
    assert_eq!(chosen.samples, [vec![1.0, 2.0, 3.0], vec![7.0; 3]]);
    assert_eq!(chosen.note, "speed: the quietest 3 of 4 rounds; others used at most 0.50 cores in them");
}

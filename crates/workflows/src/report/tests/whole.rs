//! A question of which a part is not understood: it is answered as far as it is, is not counted as answered, and the part is named.

use super::support::{run, text, world};
use crate::report::Order;

#[tokio::test]
async fn a_part_that_was_not_read_is_named_and_not_counted() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("packs.csv");
    std::fs::write(&path, "state,year,packs\nKY,1985,190\nUT,1985,70\nKY,1986,150\nUT,1986,40\n").unwrap();
    let mut order = Order::new(
        "Packs (packs) of two states:\n\n- How did packs develop from 1985 to 1986, and which colour do the wrappers have?\n- Which state has the most packs?",
    );
    order.data = vec![path];
    let (_, memory, files) = run(home.path(), world(home.path()), &order).await;
    let half = "How did packs develop from 1985 to 1986, and which colour do the wrappers have?";
    assert_eq!(memory.open_questions(), [half]);
    let coverage = memory.coverage();
    assert!((coverage.overall_coverage - 75.0).abs() < 1e-9, "{coverage:?}");
    assert!(coverage.reason.starts_with("1 of 2 questions are answered, 1 in part"), "{}", coverage.reason);
    let page = text(&files, "output/report.html");
    assert!(page.contains("Not answered: which colour do the wrappers have"), "{page}");
    assert!(page.contains("fell by"), "{page}");
}

#[tokio::test]
async fn no_more_groups_are_drawn_than_a_picture_has_room_for() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("people.csv");
    let towns: Vec<String> = (0..40).map(|at| format!("p{at},town{}", at % 30)).collect();
    std::fs::write(&path, format!("person,town\n{}\n", towns.join("\n"))).unwrap();
    let mut order = Order::new("How many rows does each town have?");
    order.data = vec![path];
    let (_, memory, _) = run(home.path(), world(home.path()), &order).await;
    let chart = &memory.charts()[0].chart;
    assert_eq!(chart.series[0].y.len(), 25, "{chart:?}");
    assert!(chart.subtitle.ends_with(", the 25 largest"), "{}", chart.subtitle);
    let rows = memory.aggregation().unwrap().sections[0].data_tables[0].rows.len();
    assert_eq!(rows, 30);
}

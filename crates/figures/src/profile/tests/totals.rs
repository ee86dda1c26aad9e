//! Rows that sum up others, and rows that are only called so.

use super::*;

#[test]
fn a_name_for_all_is_a_total_where_the_others_add_up_to_it() {
    let rows = |all: i32| {
        format!(
            "kind,year,deaths\nAll disasters,2000,{all}\nFlood,2000,20\nDrought,2000,10\nAll disasters,2001,7\nFlood,2001,3\nDrought,2001,4\n"
        )
    };
    let made = profiled("a.csv", rows(30));
    made.doubts_that("2 rows are totals of other rows by \"All disasters\" (row 2) and left out");
    assert_eq!(made.ask(Aggregate::Sum, "deaths"), "37");
    let made = profiled("a.csv", rows(12));
    assert_eq!(made.ask(Aggregate::Sum, "deaths"), "56", "a kind of its own");
}

#[test]
fn totals_among_the_rows_are_left_out_and_named() {
    let made = profiled("a.csv", "region,revenue\nnorth,10\nsouth,20\nTotal,30\nwest,5\nGrand total,35\n");
    made.doubts_that("2 rows are totals of other rows by \"Total\", \"Grand total\" (row 4) and left out");
    assert_eq!(made.ask(Aggregate::Sum, "revenue"), "35");
    let made = profiled("a.csv", "year,revenue\n2023,10\n2024,20\nTotal,30\n");
    assert_eq!(made.ask(Aggregate::Sum, "revenue"), "30");
}

/// Tables, what is left out of them, and the sum of their last column without it.
const TRUE_TOTALS: [(&str, &str, u64, &str); 9] = [
    ("the last row", "shop,staff,revenue\na,1,10.25\nb,2,19.75\nc,4,5\nTotal,7,35\n", 1, "35"),
    ("the first row", "shop,staff,revenue\nTotal,7,35\na,1,10\nb,2,20\nc,4,5\n", 1, "35"),
    (
        "blocks, and the whole at the end",
        "region,shop,revenue\nnorth,a,10\nnorth,b,20\nnorth,Subtotal,30\nsouth,c,5\nsouth,Subtotal,5\nwest,d,1\nwest,e,2\nwest,Subtotal,3\n,Total,38\n",
        4,
        "38",
    ),
    (
        "empty keys",
        "day,region,shop,revenue\n2024-01-01,north,a,10\n2024-01-02,south,b,20\n,,Total,30\n",
        1,
        "30",
    ),
    (
        "one of each kind",
        "year,kind,deaths\n2000,Total,30\n2000,Flood,20\n2000,Drought,10\n2001,Flood,3\n2001,Total,7\n2001,Drought,4\n",
        2,
        "37",
    ),
    (
        "rounded parts",
        "part,share\na,14.3\nb,14.3\nc,14.3\nd,14.3\ne,14.3\nf,14.3\ng,14.3\nSumme,100\n",
        1,
        "100.1",
    ),
    ("means beside sums", "shop,price,orders\na,2,10\nb,4,30\nc,3,5\nTotal,3.3,45\n", 1, "45"),
    ("means alone", "shop,price\na,2\nb,4\nc,6\nGesamt,4\n", 1, "12"),
    (
        "a company of that name above the total",
        "name,country,sales\nCitigroup,US,94\nTotal,France,131\nShell,UK,7\nGrand total,,232\n",
        1,
        "232",
    ),
];

#[test]
fn true_totals_are_left_out() {
    for (what, text, left_out, sum) in TRUE_TOTALS {
        let made = profiled("a.csv", text);
        let rows = text.lines().count() as u64 - 1;
        assert_eq!(made.table().rows, rows - left_out, "{what}: {:#?}", made.doubts());

        let found = made.table().columns.last().and_then(|it| it.numbers.as_ref()?.sum);
        assert_eq!(found.map(|found| found.to_string()).as_deref(), Some(sum), "{what}");
    }
}

/// Things that are called so, and the doubt that is said.
const NAMES: [(&str, &str, &str); 6] = [
    (
        "a company",
        "rank,name,country,category,sales,profits\n1,Citigroup,US,Banking,94.71,17.85\n2,Shell,UK,Oil,133.5,8.4\n3,Total,France,Oil,131.64,8.84\n4,HSBC,UK,Banking,44.33,6.66\n",
        "Row 4 is called \"Total\", but is no sum of other rows: it is counted.",
    ),
    (
        "a person",
        "name,age,income\nAnn,30,2000\nSum,41,3100\nBob,25,1800\n",
        "Row 3 is called \"Sum\", but is no sum of other rows: it is counted.",
    ),
    (
        "a town",
        "town,people\nUlm,126000\nGesamt,4100\nKiel,247000\n",
        "Row 3 is called \"Gesamt\", but is no sum of other rows: it is counted.",
    ),
    ("a product", "product,price\nElmex,2.95\nMeridol,3.45\nTotal,3.99\nSensodyne,3.79\n", "Row 4 is called"),
    (
        "all of a kind",
        "name,day,sold\nTotal,2024-01-01,3\nCrest,2024-01-01,9\nTotal,2024-01-02,4\nCrest,2024-01-02,8\nAjax,2024-01-02,1\nVim,2024-01-01,2\nVim,2024-01-02,5\n",
        "Row 2 and 1 other are called \"Total\", but are no sums of other rows: they are counted.",
    ),
    ("a row without numbers", "name,sold\nCrest,9\nTotal,\nAjax,1\n", "Row 3 is called"),
];

#[test]
fn what_is_only_called_a_total_is_counted_and_doubted() {
    for (what, text, doubt) in NAMES {
        let made = profiled("a.csv", text);
        assert_eq!(made.table().rows, text.lines().count() as u64 - 1, "{what}: {:#?}", made.doubts());
        assert!(made.table().reading.leave_out.is_empty(), "{what}");
        made.doubts_that(doubt);
    }
}

#[test]
fn a_total_that_is_wrong_among_right_ones_is_left_out_and_told() {
    let made = profiled(
        "a.csv",
        "region,shop,revenue\nn,a,10\nn,b,20\nn,Total,30\ns,c,5\ns,d,8\ns,Total,14\nw,e,1\nw,f,2\nw,Total,3\n",
    );
    assert_eq!(made.ask(Aggregate::Sum, "revenue"), "46");
    made.doubts_that("Row 7 is called \"Total\", but is no sum of other rows, unlike the rest of that name");
}

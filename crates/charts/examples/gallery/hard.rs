//! What charts are given by accident and by strangers.

use baton_charts::{Annotation, Chart, Kind, Language};

use crate::{axis, months, named, wobble};

pub fn one_point() -> Chart {
    named(
        "one-point",
        Chart::of(Kind::Line, &["2024-03-09"], &[("Orders", &[Some(12.0)])]),
        "There is one value",
        "Orders by day",
        axis("Orders", ""),
    )
}

pub fn many() -> Chart {
    let labels: Vec<String> = (0..10_000).map(|at| format!("Customer {at:05}")).collect();
    let values: Vec<Option<f64>> = (0..10_000).map(|at| Some((1e6 / (1.0 + at as f64)).round())).collect();
    named(
        "many",
        Chart::of(Kind::Bar, &labels, &[("Revenue", &values)]),
        "A few customers bring most of the revenue",
        "Revenue by customer",
        axis("Revenue", "EUR"),
    )
}

pub fn negative() -> Chart {
    let labels = [
        "Harlund",
        "Mosby",
        "Vestergate and the surrounding parishes",
        "Port Ellen",
        "Sandnes",
        "Kirkwall",
        "Lyngby",
        "Aldershot",
        "Ferrol",
    ];
    let mut values = [12.0, 5.5, 3.2, 0.4, -0.6, -2.5, -7.7, -11.0, -14.2].map(Some);
    values[4] = None;
    let mut chart = named(
        "negative",
        Chart::of(Kind::Bar, &labels, &[("Change", &values)]),
        "Five towns lost inhabitants",
        "Change of population, 2014 to 2024",
        axis("Change", "%"),
    );
    chart.annotations = vec![Annotation::Point {
        series: String::new(),
        x: "Harlund".to_owned(),
        text: "new university".to_owned(),
    }];
    chart
}

pub fn huge() -> Chart {
    let values = [1.7e308, 9e307, 3e307].map(Some);
    named(
        "huge",
        Chart::of(Kind::Bar, &["A", "B", "C"], &[("x", &values)]),
        "Very large numbers",
        "",
        axis("", "units"),
    )
}

pub fn tiny() -> Chart {
    let values = [2e-9, 3.5e-9, 1e-10, 2.2e-9].map(Some);
    named(
        "tiny",
        Chart::of(Kind::Line, &["2021", "2022", "2023", "2024"], &[("x", &values)]),
        "Very small numbers",
        "",
        axis("", "g"),
    )
}

pub fn gaps() -> Chart {
    let labels = months(24);
    let values: Vec<Option<f64>> = (0..24)
        .map(|at| {
            (!(8..12).contains(&at) && at != 15 && at != 17).then(|| 10.0 + at as f64 + 3.0 * wobble(at, 2))
        })
        .collect();
    named(
        "gaps",
        Chart::of(Kind::Line, &labels, &[("Level", &values)]),
        "The gauge failed in autumn 2023",
        "Level of the river, monthly",
        axis("Level", "cm"),
    )
}

pub fn long_labels() -> Chart {
    let labels = [
        "Manufacture of basic pharmaceutical products and pharmaceutical preparations for human and veterinary use",
        "Repair and installation of machinery and equipment",
        "Short <b>& \"quoted\"</b>",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    ];
    let values = [1_200_000.0, 830_000.0, 400_000.0, 95_000.0].map(Some);
    named(
        "long-labels",
        Chart::of(Kind::Bar, &labels, &[("x", &values)]),
        "A title that is much longer than a title should be, because somebody put a whole paragraph in its place and nobody told them that a finding is said in one sentence, so that it has to be wrapped and in the end cut",
        "Persons by industry",
        axis("Persons", ""),
    )
}

pub fn right_to_left() -> Chart {
    let labels = ["القاهرة", "الإسكندرية", "תל אביב", "ירושלים", "بورسعيد (المنطقة الحرة)"];
    let values = [20.9, 5.4, 4.1, 1.2, 0.8].map(Some);
    named(
        "right-to-left",
        Chart::of(Kind::Bar, &labels, &[("سكان", &values)]),
        "القاهرة أكبر من جميع المدن الأخرى مجتمعة",
        "عدد السكان بالملايين",
        axis("السكان", "million"),
    )
}

pub fn chinese() -> Chart {
    let labels = months(12);
    let values: Vec<Option<f64>> = (0..12).map(|at| Some(1_000_000.0 + 90_000.0 * at as f64)).collect();
    let other: Vec<Option<f64>> = (0..12).map(|at| Some(1_900_000.0 - 40_000.0 * at as f64)).collect();
    let mut chart = named(
        "chinese",
        Chart::of(Kind::Line, &labels, &[("北部地区", &values), ("南部地区", &other)]),
        "北部地区的配送量全年上升，年底超过南部地区",
        "按月配送量",
        axis("配送量", "件"),
    );
    chart.language = Language::En;
    chart
}

pub fn crowd() -> Chart {
    let labels = ["2019", "2020", "2021", "2022", "2023", "2024"];
    let lines: Vec<Vec<Option<f64>>> = (0..6)
        .map(|line| {
            (0..6).map(|at| Some(50.0 + at as f64 * 2.0 + line as f64 * 0.3 + wobble(at, line))).collect()
        })
        .collect();
    let names =
        ["Alpha with a long name that must be cut somewhere", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];
    let series: Vec<(&str, &[Option<f64>])> =
        names.iter().zip(&lines).map(|(name, line)| (*name, line.as_slice())).collect();
    let mut chart = named(
        "crowd",
        Chart::of(Kind::Line, &labels, &series),
        "Шесть рядов идут вместе",
        "Индекс, 2019–2024",
        axis("Индекс", "пунктов"),
    );
    chart.language = Language::Ru;
    chart.annotations = vec![
        Annotation::Moment {
            x: "2020".to_owned(), text: "Первое изменение правил".to_owned()
        },
        Annotation::Moment {
            x: "2021".to_owned(), text: "Второе изменение правил учёта".to_owned()
        },
    ];
    chart
}

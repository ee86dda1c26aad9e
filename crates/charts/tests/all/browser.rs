//! The interactive page in a real browser: from a disk, in a frame under a strict policy, by pointer and by keys.

use baton_charts::{Axis, Chart, Kind, number, page};

use crate::driver::Browser;

const TIP: &str =
    "return document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').innerText";

fn chart(kind: Kind) -> Chart {
    let labels: Vec<String> = match kind {
        Kind::Line => (1..=12).map(|month| format!("2024-{month:02}")).collect(),
        _ => (1..=12).map(|at| format!("A rather long name of town {at}")).collect(),
    };
    let north: Vec<Option<f64>> =
        (0..12).map(|at| (at != 4).then(|| 1000.25 + 137.0 * f64::from(at))).collect();
    let south: Vec<Option<f64>> = (0..12).map(|at| Some(2500.0 - 99.5 * f64::from(at))).collect();
    let mut chart = Chart::of(kind, &labels, &[("North <b>", &north), ("South", &south)]);
    chart.id = "c1".to_owned();
    chart.title = "North overtook South".to_owned();
    chart.y = Axis { label: "Orders".to_owned(), unit: "t".to_owned(), ..Axis::default() };
    chart
}

fn shown(value: f64) -> String {
    format!("{}\u{a0}t", number::exact(value, baton_charts::Language::En))
}

#[test]
fn keys_read_every_value_of_a_line() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.html");
    let chart = chart(Kind::Line);
    std::fs::write(&path, page::write(&chart).unwrap()).unwrap();
    browser.open(&path);
    browser.run("document.querySelector('.stage').focus()");
    for at in 0..12 {
        browser.press("ArrowRight");
        let mut wanted = vec![format!("2024-{:02}", at + 1)];
        for series in &chart.series {
            wanted.extend(series.y[at].map(|value| format!("{}: {}", series.name, shown(value))));
        }
        // A place where one series has no value names the other all the same, once there is more than one to name.
        let read: Vec<String> = browser.text(TIP).lines().map(str::to_owned).collect();
        if at == 4 {
            assert_eq!(read, ["2024-05".to_owned(), shown(chart.series[1].y[4].unwrap())], "{at}");
        } else {
            assert_eq!(read, wanted, "{at}");
        }
    }
    browser.press("Home");
    assert!(browser.text(TIP).starts_with("2024-01"));
    browser.press("End");
    assert!(browser.text(TIP).starts_with("2024-12"));
    browser.press("Escape");
    assert_eq!(browser.text(TIP), "");
    assert_eq!(browser.run("return performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_pointer_reads_what_is_below_it_and_the_legend_toggles() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.html");
    for kind in [Kind::Line, Kind::GroupedBar, Kind::StackedBar] {
        let chart = chart(kind);
        std::fs::write(&path, page::write(&chart).unwrap()).unwrap();
        browser.open(&path);
        let place = |script: &str| {
            let place = browser.run(script);
            (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
        };
        let (x, y) = place(
            "const svg = document.querySelector('.wide svg'), box = svg.getBoundingClientRect(), \
             p = JSON.parse(svg.querySelector('[data-series=\"1\"]').dataset.points)[6]; return [box.left + p[2], box.top + p[3]]",
        );
        browser.point(x, y, false);
        let label = browser.text(
            "return JSON.parse(document.querySelector('.wide [data-series=\"1\"]').dataset.points)[6][0]",
        );
        let at = match &chart.series[1].x {
            baton_charts::Positions::Labels(labels) => labels.iter().position(|it| *it == label).unwrap(),
            baton_charts::Positions::Numbers(_) => panic!("labels"),
        };
        let read = browser.text(TIP);
        assert!(read.starts_with(&label), "{kind:?}: {read:?} {label:?}");
        assert!(
            read.contains(&format!("South: {}", shown(chart.series[1].y[at].unwrap()))),
            "{kind:?}: {read:?}"
        );
        let (x, y) = place(
            "const box = document.querySelector('.wide [data-legend=\"0\"]').getBoundingClientRect(); return [box.left + 4, box.top + box.height / 2]",
        );
        browser.point(x, y, true);
        assert_eq!(
            browser
                .run("return document.querySelector('.wide [data-series=\"0\"]').classList.contains('off')"),
            true
        );
        assert_eq!(
            browser.text(
                "return document.querySelector('.wide [data-legend=\"0\"]').getAttribute('aria-pressed')"
            ),
            "false"
        );
        browser.run("document.querySelector('.stage').focus()");
        browser.press("Home");
        assert!(!browser.text(TIP).contains("North"), "{kind:?}");
        browser.run("document.querySelector('.wide [data-legend=\"0\"]').focus()");
        browser.press("Enter");
        assert_eq!(
            browser
                .run("return document.querySelector('.wide [data-series=\"0\"]').classList.contains('off')"),
            false
        );
    }
}

#[test]
fn a_frame_under_a_strict_policy_works_and_runs_no_other_script() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    let mut chart = chart(Kind::Line);
    chart.title = "<img src=x onerror=alert(1)>".to_owned();
    let inner = page::write(&chart).unwrap().replace('&', "&amp;").replace('"', "&quot;");
    let report = format!(
        "<!doctype html><meta charset=utf-8><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; script-src '{}'\">\
         <iframe sandbox=\"allow-scripts\" width=800 height=560 srcdoc=\"{inner}\"></iframe>",
        page::style_hash(),
        page::script_hash()
    );
    std::fs::write(&path, report).unwrap();
    browser.open(&path);
    browser.enter_frame();
    assert_eq!(browser.run("return document.querySelectorAll('[data-legend][role=button]').length"), 4);
    browser.run("document.querySelector('.stage').focus()");
    browser.press("End");
    assert!(browser.text(TIP).starts_with("2024-12"));
    assert_eq!(browser.run("return document.images.length"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn paper_dark_and_phone_get_what_they_need() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.html");
    std::fs::write(&path, page::write(&chart(Kind::Line)).unwrap()).unwrap();
    browser.open(&path);
    let display = |what: &str| {
        browser.text(&format!("return getComputedStyle(document.querySelector('{what}')).display"))
    };
    let ink = || browser.text("return getComputedStyle(document.querySelector('.wide .f-ink')).fill");
    browser.emulate("screen", "light");
    let light = ink();
    browser.emulate("screen", "dark");
    let dark = ink();
    assert_eq!((light.as_str(), dark.as_str()), ("rgb(29, 33, 38)", "rgb(228, 230, 233)"));
    browser.resize(390, 800);
    assert_eq!((display(".wide"), display(".narrow")), ("none".to_owned(), "block".to_owned()));
    browser.run("document.querySelector('.stage').focus()");
    browser.press("End");
    assert!(browser.text(TIP).starts_with("2024-12"));
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= 390"), true);
    browser.emulate("print", "dark");
    assert_eq!(
        (display(".wide"), display(".narrow"), display(".tip"), display("details")),
        ("block".to_owned(), "none".to_owned(), "none".to_owned(), "none".to_owned())
    );
    assert_eq!(ink(), light);
}

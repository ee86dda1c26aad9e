//! The data pack read by a script in another language, and computed by another program.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_charts::workbook::{Cell, write};
use serde_json::Value;

use crate::workbook::{ATTACKS, pack};

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/workbook-cells")
}

fn cells(book: &Path, more: &[&Path]) -> Value {
    let mut command = Command::new("python3");
    command.arg(script()).arg(book);
    if let Some(out) = more.first() {
        command.arg("--without-values").arg(out);
    }
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

#[test]
fn a_script_in_another_language_reads_the_same_cells() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data_pack.xlsx");
    std::fs::write(&path, write(&pack()).unwrap()).unwrap();
    let cells = cells(&path, &[]);
    let data = &cells["Data"];
    for (row, value) in (6..).zip([1200.5, 300.25, 1100.0, 512.0]) {
        assert_eq!(data[format!("C{row}")]["v"], value);
        assert_eq!(data[format!("I{row}")]["v"], value, "the chart's own cells");
    }
    for (row, words) in (6..).zip(ATTACKS) {
        let cell = &data[format!("E{row}")];
        assert_eq!((&cell["v"], cell.get("f")), (&Value::from(words), None));
    }
    assert_eq!(cells["Summary"]["B6"]["f"], "SUM(Data!$C$6:$C$9)");
    assert_eq!(data["A6"]["v"], 45_292.0);
}

#[test]
fn an_office_program_computes_the_values_that_were_stored() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bare) = (folder.path().join("data_pack.xlsx"), folder.path().join("bare.xlsx"));
    let pack = pack();
    std::fs::write(&path, write(&pack).unwrap()).unwrap();
    cells(&path, &[&bare]);
    let home = format!("-env:UserInstallation=file://{}/office", folder.path().display());
    let out = folder.path().join("out");
    let converted = Command::new("soffice")
        .args([&home, "--headless", "--convert-to", "xlsx", "--outdir"])
        .arg(&out)
        .arg(&bare)
        .output();
    let converted = match converted {
        Ok(converted) => converted,
        Err(error) => {
            eprintln!("skipped: no soffice ({error}); install the package libreoffice-calc");
            return;
        }
    };
    assert!(out.join("bare.xlsx").exists(), "{}", String::from_utf8_lossy(&converted.stderr));
    let computed = cells(&out.join("bare.xlsx"), &[]);
    let mut compared = 0;
    for (row, figure) in (6..).zip(&pack.summary) {
        let Cell::Derived { value, .. } = figure.value else { continue };
        let read = computed["Summary"][format!("B{row}")]["v"].as_f64();
        let read = read.unwrap_or_else(|| panic!("{}: {}", figure.label, computed["Summary"]));
        assert!((read - value).abs() <= 1e-12 * value.abs(), "{}: {read} instead of {value}", figure.label);
        compared += 1;
    }
    assert_eq!(compared, 7);
    assert_eq!(computed["Comparison"]["B6"]["v"], 2300.5);
}

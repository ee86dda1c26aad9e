//! The documents of reviews and recoveries, rendered from what was journaled.

use std::fmt::Write;

use super::data::{Analysis, Assessment, Strategy};
use super::memory::Memory;

/// A wave's or a phase's assessment.
pub fn assessment(it: &Assessment) -> String {
    let what = it
        .wave
        .map_or_else(|| format!("Phase {}", it.phase), |wave| format!("Phase {}, wave {wave}", it.phase));
    let mut page = format!("# {what}: assessment\n\nDecision: {}  \n", it.health.word());
    // Writing to a String cannot fail.
    let _ = writeln!(page, "Commit: {}  \nTree: {}  \nTechnical debt: {}\n", it.commit, it.tree, it.debt);
    if let Some(word) = &it.overruled {
        let _ =
            writeln!(page, "Overruled by {}; it was {}. Reason: {}\n", word.by, word.was.word(), word.reason);
    }
    list(&mut page, "Grounds", &it.grounds);
    list(&mut page, "Not there", &it.missing);
    page
}

/// DEVIATION_ANALYSIS.md
pub fn analysis(it: &Analysis) -> String {
    let mut page = format!("# Deviation analysis {}\n\nTrigger: {}  \n", it.number, it.trigger);
    let _ = writeln!(page, "Deliverables: {} of {}  ", it.complete.0, it.complete.1);
    let _ = writeln!(page, "Files in the tree: {}  \nTechnical debt: {}\n", it.files.0, it.debt);
    list(&mut page, "Missing", &it.missing);
    list(&mut page, "Not merged", &it.unmerged);
    list(&mut page, "Root causes", &it.causes);
    page
}

/// technical_debt_inventory.md
pub fn inventory(it: &Analysis) -> String {
    if it.inventory.is_empty() {
        return format!("# Technical debt\n\nNo finding is open. Sum: {}\n", it.debt);
    }
    let mut page =
        "# Technical debt\n\n| finding | severity | weight | where |\n|---|---|---|---|\n".to_owned();
    for finding in &it.inventory {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let _ = writeln!(
            page,
            "| {}: {} | {} | {} | {} |",
            cell(&finding.rule),
            cell(&finding.what),
            finding.severity.word(),
            finding.severity.weight(),
            cell(&finding.path)
        );
    }
    let _ = writeln!(page, "\nSum: {}", it.debt);
    page
}

/// risk_assessment_matrix.md
pub fn risks(it: &Analysis) -> String {
    if it.risks.is_empty() {
        return "# Risks\n\nRules see none.\n".to_owned();
    }
    let mut page = "# Risks\n\n| risk | how likely | how bad |\n|---|---|---|\n".to_owned();
    for (what, likely, bad) in &it.risks {
        let _ = writeln!(page, "| {what} | {likely} | {bad} |");
    }
    page
}

/// RECOVERY_STRATEGY.md
pub fn strategy(it: &Strategy, memory: &Memory) -> String {
    let mut page = "# Recovery strategy\n\n".to_owned();
    match it.recommended {
        Some(option) => {
            let _ = writeln!(page, "Recommended: {}\n", option.word());
        }
        None => page.push_str("None of these is possible.\n\n"),
    }
    for way in &it.ways {
        let _ = writeln!(page, "## {}\n", way.option.word());
        let _ = writeln!(page, "- effort: {} ({})", way.efforts.len(), way.efforts.join(", "));
        let _ = writeln!(
            page,
            "- for it: {}\n- against it: {}\n- begins at: {}",
            way.benefit, way.risk, way.from
        );
        if !way.obstacle.is_empty() {
            let _ = writeln!(page, "- not possible: {}", way.obstacle);
        }
        page.push('\n');
    }
    list(&mut page, "It has worked when", &it.criteria);
    let _ = writeln!(
        page,
        "## Metrics\n\n- recoveries begun: {}\n- recoveries that worked: {}\n- resets: {}",
        memory.recoveries, memory.recovered, memory.resets
    );
    page
}

fn list(page: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(page, "## {title}\n");
    for item in items {
        let _ = writeln!(page, "- {}", item.replace('\n', "\n  "));
    }
    page.push('\n');
}

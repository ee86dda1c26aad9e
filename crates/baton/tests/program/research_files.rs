//! What a research run leaves behind: the report, its verification, and the task file a run can start from.

use serde_json::{Value, json};

use crate::research::{corpus, research};
use crate::support::{Home, Output};

const QUESTION: &str = "How many buildings were connected to the Harlund network at the end of 2025?";

/// A home with one finished run, and the folder of that run.
fn finished() -> (Home, std::path::PathBuf) {
    let home = Home::new();
    let said = research(&home, QUESTION, &["--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let folder = home.path().join("runs").join(home.runs().pop().expect("a run"));
    assert_eq!(said.json()["report"], json!(folder.join("report.md")));
    (home, folder)
}

fn verify(home: &Home) -> (Option<i32>, Value) {
    let said = home.baton(&["verify", "last", "--json"]);
    (said.code, said.json())
}

#[test]
fn a_finished_report_verifies_offline() {
    let (home, folder) = finished();
    let (code, told) = verify(&home);
    assert_eq!((code, &told["holds"], &told["findings"]), (Some(0), &json!(true), &json!([])));
    assert!(told["citations"].as_u64() >= Some(2), "{told}");
    assert_eq!(told["citations"], told["verified"]);
    let said = home.baton(&["verify", "last"]);
    assert!(said.out.contains(" citations hold, in "), "{said:?}");
    // The folder is for people: without it the report is rendered again from the journal.
    std::fs::remove_dir_all(folder).expect("removed");
    assert_eq!(verify(&home).0, Some(0));
}

#[test]
fn an_edited_report_is_found_out() {
    let (home, folder) = finished();
    let path = folder.join("report.md");
    let text = std::fs::read_to_string(&path).expect("a report");
    assert!(text.contains("4,310"), "{text}");
    std::fs::write(&path, text.replace("4,310", "9,310")).expect("written");
    let (code, told) = verify(&home);
    assert_eq!((code, &told["holds"]), (Some(1), &json!(false)));
    assert!(told["verified"].as_u64() < told["citations"].as_u64(), "{told}");
    let said = home.baton(&["verify", "last"]);
    assert!(said.out.contains("report.md is not the file that was written"), "{said:?}");
    assert!(said.out.contains("was not written there: ") && said.out.contains("9,310"), "{said:?}");
}

#[test]
fn a_damaged_archive_is_found_out() {
    let (home, _) = finished();
    let memory = home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone();
    let cited = memory["report"]["blocks"][0]["lines"][0]["facts"][0].as_str().expect("a fact");
    let source = memory["findings"][cited]["fact"]["source"].as_str().expect("a source");
    let hash = memory["sources"][source]["source"]["text_hash"].as_str().expect("a hash");
    std::fs::write(home.path().join("archive").join(&hash[..2]).join(hash), "other words").expect("damaged");
    let said = home.baton(&["verify", "last"]);
    assert!(said.code == Some(1) && said.out.contains("the archived text of "), "{said:?}");
}

#[test]
fn the_report_is_copied_where_it_is_wanted() {
    let home = Home::new();
    assert_eq!(research(&home, QUESTION, &["-o", "mine.md"]).code, Some(0));
    assert_eq!(research(&home, QUESTION, &["-o", "mine.html"]).code, Some(0));
    let text = |name: &str| std::fs::read_to_string(home.desk().join(name)).expect("a copy");
    assert!(text("mine.md").contains("## Answer") && text("mine.md").contains("[S01]"));
    assert!(text("mine.html").starts_with("<!") && text("mine.html").contains("Content-Security-Policy"));
    assert_eq!(research(&home, QUESTION, &["-o", "a/new/folder/mine.md"]).code, Some(0));
    assert_eq!(text("a/new/folder/mine.md"), text("mine.md"));
    home.write("file", "");
    let said = research(&home, QUESTION, &["-o", "file/mine.md"]);
    assert!(said.code == Some(1) && said.err.contains("file/mine.md: "), "{said:?}");
    assert!(said.err.contains("cannot write ") && said.out.contains("citations verified"), "{said:?}");
}

fn from(home: &Home, file: &str, more: &[&str]) -> Output {
    home.baton(&[&["research", "--from", file, "--yes", "--json"], more].concat())
}

#[test]
fn a_run_starts_from_the_task_file_of_another() {
    let (home, folder) = finished();
    let text = std::fs::read_to_string(folder.join("task.md")).expect("a task file");
    home.write("task.md", &text);
    let said = from(&home, "task.md", &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.json()["title"], QUESTION);
    let memory = home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone();
    assert!(
        memory["plan"]["done"].as_array().is_some_and(|done| done.contains(&json!("R1"))),
        "{}",
        memory["plan"]
    );
    assert!(memory["findings"].as_object().expect("facts").contains_key("K1.1"));
    // In a home that knows nothing of it, the plan is there and the folder must be named.
    let other = Home::new();
    other.write("task.md", &text);
    let said = from(&other, "task.md", &[]);
    assert!(said.code == Some(2) && said.err.contains("there is nothing to search"), "{said:?}");
    let said = from(&other, "task.md", &["--docs", &corpus()]);
    assert!(said.code == Some(0) && said.json()["facts"].as_u64() > Some(0), "{said:?}");
}

#[test]
fn a_task_file_that_makes_no_sense_is_refused_with_its_line() {
    let (home, folder) = finished();
    let text = std::fs::read_to_string(folder.join("task.md")).expect("a task file");
    let (at, line) = text.lines().enumerate().find(|(_, line)| line.contains("] S1: ")).expect("a search");
    let changed = |new: &str| text.replace(line, new);
    let cases = [
        (changed(&line.replace("DependsOn: P1", "DependsOn: P9")), format!("line {}, column ", at + 1)),
        (changed(&line.replace("DependsOn: P1", "DependsOn: R1")), "line ".to_owned()),
        (changed(&line.replace("Status: COMPLETED", "Status: PERHAPS")), format!("line {}, column ", at + 1)),
        (changed("- [x] S1 Search no colon"), format!("line {}, column ", at + 1)),
        (String::new(), "line 1, column 1: ".to_owned()),
    ];
    for (text, wanted) in cases {
        home.write("bad.md", &text);
        let said = from(&home, "bad.md", &["--docs", &corpus()]);
        assert!(said.code == Some(2), "{said:?}");
        let told = said.err.lines().next().unwrap_or_default();
        assert!(told.starts_with(&format!("error: bad.md: {wanted}")), "{wanted}\n{told}");
        assert!(told.contains("nothing was started. Correct bad.md"), "{told}");
    }
    let said = from(&home, "nowhere.md", &[]);
    assert!(said.code == Some(2) && said.err.contains("error: nowhere.md: it cannot be read"), "{said:?}");
    assert_eq!(home.runs().len(), 1);
}

/// A page is opened from the report by a click, from a disk, where its scripts could read what stands beside it.
#[test]
fn a_hostile_page_is_linked_as_plain_text_and_still_verifies() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    let page = "<html><head><title>Limits</title><meta http-equiv=refresh content='0;url=http://evil.test'>\
                <script>steal()</script></head><body onload=steal()><h1>Limits</h1>\
                <p>The widget table allows at most 2000 columns.</p><svg onload=steal()><script>steal()</script></svg>\
                <iframe src='javascript:steal()'></iframe><form action=http://evil.test><input autofocus onfocus=steal()></form>\
                <img src=http://evil.test/pixel onerror=steal()></body></html>";
    home.write("docs/limits.html", page);
    let asked = "How many columns does the widget table allow?";
    let said = home.baton(&["research", asked, "--docs", "docs", "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let folder = home.path().join("runs").join(home.runs().pop().expect("a run"));
    let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
    let links = report.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let local: Vec<&str> = links.filter(|link| !link.starts_with('#')).collect();
    assert!(!local.is_empty(), "{report}");
    for link in local {
        let copy = std::fs::read_to_string(folder.join(link)).expect("what is linked is there");
        assert!(link.ends_with(".txt") && !link.ends_with(".html.txt"), "{link}");
        assert!(
            copy.contains("at most 2000 columns") && !copy.contains("steal") && !copy.contains('<'),
            "{copy}"
        );
    }
    let kept: Vec<_> = std::fs::read_dir(folder.join("assets/web"))
        .expect("copies")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert!(kept.iter().all(|path| path.extension().is_some_and(|end| end == "txt")), "{kept:?}");
    let original = kept.iter().find(|path| path.to_string_lossy().ends_with(".html.txt")).expect("the page");
    assert_eq!(std::fs::read_to_string(original).expect("a page"), page);
    assert_eq!(verify(&home).0, Some(0));
}

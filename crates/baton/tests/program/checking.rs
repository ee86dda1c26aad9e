//! `check`: any text against quotes or documents, the marked page, the pairs, and what must be refused.

use std::io::Write;
use std::process::{Command, Stdio};

use baton_testkit::http_server::HttpServer;
use serde_json::{Value, json};

use crate::research_web::{answer, pages};
use crate::support::{Home, Output};

const TERMS: &str = "# Terms\n\n## Fees\n\nA connection of a house costs 8,400 euros. The fee is paid once.\n\n\
                     ## Supply\n\nThe company guarantees supply in 99.7 percent of the hours of a year.\n\
                     Work that is planned is announced five days before it begins.\n";

fn with_docs() -> Home {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    home.write("docs/terms.md", TERMS);
    home.write("docs/colours.txt", "The vans of the company are blue. Nobody knows why.\n");
    home
}

fn check(home: &Home, words: &[&str]) -> Output {
    home.baton(&[&["check"], words].concat())
}

fn verdicts(said: &Output) -> Vec<(String, String)> {
    let told = said.json();
    let sentences = told["sentences"].as_array().expect("sentences");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    sentences.iter().map(|one| (text(&one["verdict"]), text(&one["sentence"]))).collect()
}

#[test]
fn a_sentence_is_held_against_quotes() {
    let home = Home::new();
    let quote = "A connection of a house costs 8,400 euros.";
    let said =
        check(&home, &["A connection of a house costs 8,400 euros", "--quote", "Blue.", "--quote", quote]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    assert!(said.out.contains("carried") && said.out.contains("held against 2 quotes"), "{said:?}");
    let said = check(&home, &["A connection of a house costs 9,400 euros.", "--quote", quote, "--json"]);
    let told = said.json();
    assert_eq!((said.code, &told["holds"], &told["carried"]), (Some(1), &json!(false), &json!(0)), "{told}");
    // Nothing was indexed or kept, so there is no home.
    assert!(!home.path().exists());
}

#[test]
fn a_carried_sentence_names_its_exact_place() {
    let home = with_docs();
    let said = check(&home, &["The fee is paid once.", "--docs", "docs", "--json"]);
    let told = said.json();
    assert_eq!((said.code, &told["documents"]), (Some(0), &json!(2)), "{told}");
    let quote = &told["sentences"][0]["quotes"][0];
    let at = |name: &str| {
        quote["ranges"][0][name].as_u64().and_then(|at| usize::try_from(at).ok()).expect("an offset")
    };
    assert_eq!(&TERMS[at("start")..at("end")], "The fee is paid once.");
    assert_eq!(
        (&quote["path"], &quote["line"], &quote["heading"]),
        (&json!("terms.md"), &json!(5), &json!("Terms > Fees"))
    );
}

#[test]
fn a_draft_is_judged_sentence_by_sentence() {
    let home = with_docs();
    let draft = "# What it costs\n\nIn this note we look at fees. A connection of a house costs **8,400 euros**. \
                 Is that much? The company is bankrupt and was sold to Norway.\n\n- The vans of the company are blue.\n";
    home.write("draft.md", draft);
    let said = check(&home, &["draft.md", "--docs", "docs", "--json"]);
    let found = verdicts(&said);
    let expected = [
        ("skipped", "# What it costs"),
        ("skipped", "In this note we look at fees."),
        ("carried", "A connection of a house costs 8,400 euros."),
        ("skipped", "Is that much?"),
        ("not_found", "The company is bankrupt and was sold to Norway."),
        ("carried", "The vans of the company are blue."),
    ];
    assert_eq!(found, expected.map(|(verdict, text)| (verdict.to_owned(), text.to_owned())));
    assert_eq!(said.code, Some(1));
    let told = said.json();
    assert_eq!((&told["sentences"][4]["line"], &told["skipped"]), (&json!(3), &json!(3)));
    let people = check(&home, &["draft.md", "--docs", "docs"]);
    assert!(
        people.out.contains("3 sentences: 2 carried, 0 contradicted, 1 not found (3 not judged)"),
        "{people:?}"
    );
    assert!(people.out.contains("terms.md, line 5"), "{people:?}");
}

/// What stands in a folder word for word is found there, however many other documents speak of the same.
#[test]
fn a_document_carries_itself() {
    let home = Home::new();
    let corpus = crate::research::corpus();
    let said = check(&home, &[&format!("{corpus}/annual-report-2025.md"), "--docs", &corpus, "--json"]);
    let lost: Vec<_> = verdicts(&said)
        .into_iter()
        .filter(|(verdict, _)| verdict != "carried" && verdict != "skipped")
        .collect();
    assert_eq!((said.code, lost), (Some(0), Vec::new()));
}

#[test]
fn the_marked_text_is_written_and_nothing_in_it_runs() {
    let home = with_docs();
    let draft = "The vans of the company are blue <script>alert(1)</script> and 3 <img src=x onerror=alert(1)> wide.\n\n\
                 [a](javascript:alert(1)) The fee is paid once. \"><svg onload=alert(1)> The fee is 12 | `x` _ \u{202e}era.\n";
    home.write("draft.md", draft);
    for name in ["page.html", "page.md"] {
        let said = check(&home, &["draft.md", "--docs", "docs", "-o", name]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let page = std::fs::read_to_string(home.desk().join(name)).expect("a page");
        assert!(page.contains("The fee is paid once.") && page.contains("terms.md, line 5"), "{page}");
        assert!(!page.contains('\u{202e}'), "{page}");
        if name == "page.html" {
            assert!(
                page.contains("Content-Security-Policy") && page.contains("class=\"said carried\""),
                "{page}"
            );
            for tag in ["<script", "<img", "<svg", "href=\"javascript"] {
                assert!(!page.contains(tag), "{tag}: {page}");
            }
        } else {
            // A reader of Markdown takes no tag and no link from the draft.
            assert!(
                !page.contains("](javascript")
                    && !page.contains("<svg")
                    && !page.contains("<img")
                    && !page.contains("<script"),
                "{page}"
            );
        }
    }
    let said = check(&home, &["draft.md", "--docs", "docs", "-o", "page.pdf"]);
    assert!(said.code == Some(2) && said.err.contains("writes no .pdf here"), "{said:?}");
}

#[test]
fn pairs_are_judged_line_by_line() {
    let home = Home::new();
    let lines = [
        r#"{"quotes": ["The vans are blue."], "sentence": "The vans are blue.", "kind": "near"}"#,
        "",
        r#"{"quotes": ["The vans are blue."], "sentence": "The vans are not blue."}"#,
        r#"{"quotes": [], "sentence": "The vans are blue."}"#,
    ];
    home.write("pairs.jsonl", &lines.join("\n"));
    let said = check(&home, &["--pairs", "pairs.jsonl"]);
    let judged: Vec<Value> =
        said.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(judged.iter().map(|one| one["carried"] == true).collect::<Vec<_>>(), [true, false, false]);
    assert!(judged[0]["why"] == "" && judged[1]["why"] != "", "{judged:?}");

    home.write("wrong.jsonl", &format!("{}\n{{\"quotes\": 3}}\nnonsense\n", lines[0]));
    let said = check(&home, &["--pairs", "wrong.jsonl"]);
    assert_eq!((said.code, said.out.lines().count()), (Some(2), 3), "{said:?}");
    assert!(said.err.contains("line 2 is no pair") && said.err.contains("line 3 is no pair"), "{said:?}");
    let said = check(&home, &["--pairs", "missing.jsonl"]);
    assert!(said.code == Some(2) && said.err.contains("missing.jsonl cannot be read"), "{said:?}");
    assert_eq!(check(&home, &["--pairs", "pairs.jsonl", "--json"]).json().as_array().map(Vec::len), Some(3));
}

#[test]
fn other_languages_are_judged_near_their_words() {
    let home = Home::new();
    let german = "Im Jahr 2025 waren 4.310 Gebäude an das Netz angeschlossen.";
    let spanish = "En 2025 la red tenía 4310 edificios conectados.";
    for text in [german, spanish] {
        assert_eq!(check(&home, &[text, "--quote", text]).code, Some(0), "{text}");
        let other = text.replace("310", "999");
        assert_eq!(check(&home, &[&other, "--quote", text]).code, Some(1), "{other}");
    }
}

#[test]
fn a_text_may_come_from_stdin() {
    let home = with_docs();
    let mut child = home
        .command(&["check", "-", "--docs", "docs", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"The fee is paid once. The fee is paid once.")
        .expect("written");
    let output = child.wait_with_output().expect("its end");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (output.status.code(), &told["carried"], &told["text"]),
        (Some(0), &json!(2), &json!("stdin"))
    );
}

#[test]
fn pages_beyond_this_machine_are_read_if_somebody_says_so() {
    let documents = pages();
    let server = HttpServer::start(move |request| answer(request, &documents)).expect("a server");
    let home = Home::new();
    let folder = home.desk().parent().expect("a folder").join(".config/baton");
    std::fs::create_dir_all(&folder).expect("a folder");
    let town = format!(
        "[search.town]\nprovider = \"searxng\"\nbase_url = \"{}\"\nper_minute = 60000\n",
        server.url("")
    );
    std::fs::write(folder.join("baton.toml"), town).expect("written");
    let sentence = "At the end of 2025 the Harlund network had 4,310 connected buildings.";
    let host = server.host();
    let there = ["--sources", "town", "--allow-private", &host, "--json"];
    // A text of one's own is sent nowhere without a word.
    home.write("draft.md", sentence);
    let said = check(&home, &[&["draft.md"], &there[..]].concat());
    assert!(said.code == Some(2) && said.err.contains("may not be sent to town"), "{said:?}");
    assert_eq!(server.requests().len(), 0);
    for words in [&[sentence][..], &["draft.md", "--send"]] {
        let said = check(&home, &[words, &there[..]].concat());
        let told = said.json();
        assert_eq!(said.code, Some(0), "{told}");
        let path = told["sentences"][0]["quotes"][0]["path"].as_str().expect("an address");
        assert_eq!(path, server.url("/annual-report-2025.md"));
    }
    let said = check(&home, &["It is so.", "--quote", "It is so.", "--since", "2025"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}

/// True sentences of the texts that rules do not follow yet. They may only fall.
const MARKED_THOUGH_TRUE: usize = 2;
const MORE_MARKED_THOUGH_TRUE: usize = 8;
const THIRD_MARKED_THOUGH_TRUE: usize = 4;

/// Texts about real manuals with errors planted in them: how many true sentences are kept, and which are marked. No error
/// may be let through or left unjudged.
fn planted(folder: &str, texts: [&str; 3]) -> (usize, Vec<String>) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let errors = std::fs::read_to_string(folder.join("errors.txt")).expect("the errors");
    let mut planted: Vec<&str> = errors.lines().collect();
    assert_eq!(planted.len(), 20);
    let (mut let_through, mut kept_out, mut kept) = (Vec::new(), Vec::new(), 0);
    let home = Home::new();
    let manuals = folder.join("manuals").display().to_string();
    for name in texts {
        let text = folder.join(name).display().to_string();
        for (verdict, sentence) in verdicts(&check(&home, &[&text, "--docs", &manuals, "--json"])) {
            let is_error = planted.iter().position(|error| *error == sentence).map(|at| planted.remove(at));
            match (verdict.as_str(), is_error) {
                ("carried", Some(_)) => let_through.push(sentence),
                ("carried", None) => kept += 1,
                ("contradicted" | "not_found", None) => kept_out.push(sentence),
                _ => {}
            }
        }
    }
    assert_eq!(planted, Vec::<&str>::new(), "these were not judged");
    assert_eq!(let_through, Vec::<String>::new());
    (kept, kept_out)
}

#[test]
fn twenty_planted_errors_are_all_marked() {
    let (kept, kept_out) = planted("tests/data/checked", ["installing.md", "compressing.md", "zones.md"]);
    assert!(
        kept_out.len() <= MARKED_THOUGH_TRUE && kept + kept_out.len() == 46,
        "{kept} kept, and these were marked: {kept_out:#?}"
    );
}

#[test]
fn twenty_more_planted_errors_are_all_marked() {
    let (kept, kept_out) = planted("tests/data/checked/second", ["blocksort.md", "agent.md", "copying.md"]);
    assert!(
        kept_out.len() <= MORE_MARKED_THOUGH_TRUE && kept + kept_out.len() == 38,
        "{kept} kept, and these were marked: {kept_out:#?}"
    );
}

/// At first sight one of these errors was let through: an option said to do what the entry of another says.
#[test]
fn twenty_errors_about_options_are_all_marked() {
    let (kept, kept_out) = planted("tests/data/checked/third", ["filetypes.md", "pager.md", "shell.md"]);
    assert!(
        kept_out.len() <= THIRD_MARKED_THOUGH_TRUE && kept + kept_out.len() == 56,
        "{kept} kept, and these were marked: {kept_out:#?}"
    );
}

#[test]
fn what_cannot_be_checked_is_refused_by_name() {
    let home = with_docs();
    let at = |name: &str| home.desk().join(name);
    home.write("empty.md", " \n");
    std::fs::write(at("binary.md"), [0_u8, 159, 146, 150]).expect("written");
    std::fs::write(at("binary"), [0xff_u8, 0xfe, 0xfd]).expect("written");
    std::fs::File::create(at("large.md")).and_then(|file| file.set_len(50 << 20)).expect("a file");
    assert!(Command::new("mkfifo").arg(at("pipe.md")).status().expect("mkfifo runs").success());
    std::fs::create_dir(at("bare")).expect("a folder");
    for (text, docs, code, why) in [
        ("empty.md", "docs", 2, "empty.md has no text"),
        ("binary.md", "docs", 2, "binary.md is not text"),
        ("binary", "docs", 2, "is not UTF-8 text"),
        ("large.md", "docs", 2, "large.md is 52428800 bytes, more than the limit of 4194304"),
        ("pipe.md", "docs", 2, "pipe.md is a named pipe, not a regular file"),
        ("docs", "docs", 2, "docs is a folder, not a regular file"),
        ("missing.md", "docs", 2, "there is no file missing.md"),
        ("", "docs", 2, "holds no sentence"),
        ("...", "docs", 2, "holds no sentence"),
        ("It is so.", "nowhere", 1, "nowhere cannot be read"),
        ("It is so.", "bare", 7, "holds no document that can be read"),
    ] {
        let said = check(&home, &[text, "--docs", docs]);
        assert!(said.code == Some(code) && said.err.contains(why), "{text}: {why} is not in {said:?}");
    }
    let said = check(&home, &["It is so."]);
    assert!(said.code == Some(2) && said.err.contains("nothing says what to hold it against"), "{said:?}");
    assert_eq!(check(&home, &[]).code, Some(2));
    // What states nothing is not carried.
    assert_eq!(check(&home, &["Is it so?", "--quote", "It is so."]).code, Some(1));
}

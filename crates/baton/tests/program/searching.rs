//! `search` and `read`: documents as a person meets them, and the bad ones that must be survived.

use baton_testkit::http_server::{HttpServer, Response};
use serde_json::json;

use crate::support::{Home, Output};

const LIMITS: &str = "# Limits\n\n## Columns\n\nThe widget table allows at most 2000 columns by default.\n\n\
                      ## Rows\n\nRows have no limit.\n";

/// A home whose desk holds a folder of documents.
fn with_docs(files: &[(&str, &str)]) -> Home {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    for (name, text) in files {
        home.write(&format!("docs/{name}"), text);
    }
    home
}

fn search(home: &Home, words: &str) -> Output {
    home.baton(&["search", words, "--docs", "docs"])
}

#[test]
fn the_answer_is_quoted_with_its_place() {
    let page = "<title>Colours</title><p>The widget comes in red and blue.</p>";
    let home = with_docs(&[("limits.md", LIMITS), ("page.html", page)]);
    let said = search(&home, "How many columns does the widget table allow?");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let first =
        "limits.md\n  Limits > Columns\n  “The widget table allows at most 2000 columns by default.”\n";
    assert!(said.out.starts_with(first), "{}", said.out);
    // HTML is parsed by the child, so that its words are found shows that the child works.
    let said = search(&home, "Which colours does the widget come in?");
    assert!(said.out.contains("page.html\n") && said.out.contains("red and blue"), "{said:?}");
}

#[test]
fn a_folder_is_searched_whole() {
    let home = with_docs(&[("limits.md", LIMITS)]);
    for choice in
        [["--since", "2025"], ["--language", "en"], ["--block-site", "example.org"], ["--tier", "1"]]
    {
        let said = home.baton(&[&["search", "columns", "--docs", "docs"], &choice[..]].concat());
        assert!(
            said.code == Some(2) && said.err.contains("everything in the folder is searched"),
            "{said:?}"
        );
    }
}

#[test]
fn a_quote_is_given_to_programs_with_its_exact_place() {
    let home = with_docs(&[("limits.md", LIMITS)]);
    let found =
        home.baton(&["search", "How many columns?", "--docs", "docs", "--limit", "1", "--json"]).json();
    assert_eq!((&found["documents"], &found["left_out"]), (&json!(1), &json!([])));
    assert_eq!(found["quotes"].as_array().map(Vec::len), Some(1));
    let (start, end) = (&found["quotes"][0]["ranges"][0]["start"], &found["quotes"][0]["ranges"][0]["end"]);
    let at = |offset: &serde_json::Value| usize::try_from(offset.as_u64().expect("an offset")).expect("fits");
    assert_eq!(LIMITS.get(at(start)..at(end)), found["quotes"][0]["text"].as_str());
}

#[test]
fn a_question_the_documents_do_not_address_has_its_own_exit_code() {
    let home = with_docs(&[("limits.md", LIMITS)]);
    let said = search(&home, "What is the population of Lisbon?");
    let words =
        "No document mentions \"Lisbon\".\nNo evidence: nothing in 1 document addresses the question.\n";
    assert_eq!((said.code, said.out.as_str()), (Some(7), words));
}

#[test]
fn changed_and_removed_files_are_noticed() {
    let home = with_docs(&[("a.txt", "The gadget weighs 30 grams.\n"), ("b.txt", "Nothing here.\n")]);
    let weigh = || search(&home, "How much does the gadget weigh?");
    assert!(weigh().out.contains("30 grams"));
    home.write("docs/a.txt", "The gadget weighs 55 grams now.\n");
    let said = weigh();
    assert!(said.out.contains("55 grams") && !said.out.contains("30 grams"), "{said:?}");
    std::fs::remove_file(home.desk().join("docs/a.txt")).expect("removed");
    assert_eq!(weigh().code, Some(7));
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_searched() {
    let home = with_docs(&[
        ("good.txt", "The gadget weighs 30 grams.\n"),
        ("program.txt", "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0"),
        ("broken.pdf", "%PDF-1.4 nothing else"),
        ("broken.docx", "PK nothing else"),
    ]);
    let said = search(&home, "How much does the gadget weigh?");
    assert!(said.code == Some(0) && said.out.contains("30 grams"), "{said:?}");
    for line in [
        "left out: program.txt is not text: byte 7 is a zero byte\n",
        "left out: broken.pdf is not a readable PDF: ",
        "left out: broken.docx is not a readable Word document: ",
    ] {
        assert!(said.err.contains(line), "{line}\n{}", said.err);
    }
}

#[test]
fn folders_that_cannot_be_used_say_so() {
    let home = with_docs(&[]);
    let empty = search(&home, "x");
    assert_eq!(empty.code, Some(7));
    assert!(empty.err.starts_with("error: the folder docs holds no document that can be read"), "{empty:?}");
    let missing = home.baton(&["search", "x", "--docs", "nowhere"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.err.starts_with("error: the folder nowhere cannot be read: No such file"), "{missing:?}");
}

#[test]
fn reading_prints_the_text_and_archives_it() {
    let home = Home::new();
    home.write(
        "page.html",
        "<html lang=en><title>Hello</title><body><h1>Hi</h1><p>Some words.</p></body></html>",
    );
    let said = home.baton(&["read", "page.html"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "# Hi\n\nSome words.\n"));
    assert!(said.err.starts_with("title: Hello\n"), "{said:?}");
    let told = home.baton(&["read", "page.html", "--json"]).json();
    let hash = told["text_hash"].as_str().expect("a hash");
    assert!(said.err.contains(hash), "{said:?}");
    let archived = home.path().join("archive").join(hash.get(..2).expect("long")).join(hash);
    assert_eq!(std::fs::read_to_string(archived).expect("archived"), said.out);
}

#[test]
fn what_holds_no_text_and_what_is_not_there_differ() {
    let home = Home::new();
    home.write("broken.pdf", "%PDF-1.4 nothing else");
    for (file, code) in [("broken.pdf", 7), ("release.toml", 7), ("gone.txt", 1)] {
        let said = home.baton(&["read", file]);
        assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{said:?}");
        assert!(said.err.starts_with(&format!("error: {file} ")), "{said:?}");
    }
}

#[test]
fn a_private_address_is_refused_unless_it_is_named() {
    let page = ("/a", Response::html("<p>Some words.</p>"));
    let away = ("/b", Response::redirect("http://192.168.1.1/"));
    let site = HttpServer::site([page, away]).expect("a site");
    let home = Home::new();
    let refused = home.baton(&["read", &site.url("/a")]);
    assert_eq!(refused.code, Some(4));
    assert!(refused.err.contains("was not fetched: 127.0.0.1 is a private or local address"), "{refused:?}");
    assert_eq!(site.paths(), Vec::<String>::new());
    let named = |path: &str| home.baton(&["read", &site.url(path), "--allow-private", &site.host()]);
    assert_eq!(named("/a").out, "Some words.\n");
    let led_away = named("/b");
    assert_eq!(led_away.code, Some(4));
    assert!(led_away.err.contains("192.168.1.1 is a private or local address"), "{led_away:?}");
    assert_eq!(named("/gone").code, Some(1));
}

#[test]
fn the_word_of_the_child_alone_is_no_command() {
    let home = Home::new();
    for words in [&["extract"][..], &["extract", "page.html"]] {
        assert_eq!(home.baton(words).code, Some(2), "{words:?}");
    }
}

/// What is archived is named by evidence, so its name must be on the disk, too, before anything goes on.
#[cfg(target_os = "linux")]
#[test]
fn the_archive_syncs_each_name_with_its_folder() {
    let home = Home::new();
    home.write("note.md", "# Note\n\nThe widget table allows at most 2000 columns.\n");
    let (trace, command) = (home.desk().join("trace.txt"), home.command(&["read", "note.md"]));
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-y", "-qq", "-e", "trace=rename,renameat,renameat2,fsync", "-o"]).arg(&trace);
    strace.arg(command.get_program()).args(command.get_args()).current_dir(home.desk()).env_clear();
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.output().expect("strace is installed (./check installs it)");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(trace).expect("a trace");
    let mut calls = text.lines().filter(|line| line.contains("/archive"));
    let mut renamed = 0;
    while let Some(call) = calls.next() {
        if call.contains("rename") {
            let name = call.rsplit('"').nth(1).expect("the new name");
            let folder = name.rsplit_once('/').expect("a folder").0;
            let next = calls.next().unwrap_or_default();
            assert!(next.contains("fsync(") && next.contains(&format!("{folder}>")), "{call}\n{next}");
            renamed += 1;
        }
    }
    assert!(renamed > 0, "{text}");
}

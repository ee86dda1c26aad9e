use super::*;
use crate::page::Page;
use crate::presenter::{Choice, Sentence};

fn dialog(file: &Path, editor: Option<&str>) -> Dialog {
    let read =
        |text: &str| if text == "good\n" { Ok(json!({ "text": text })) } else { Err("it is bad".to_owned()) };
    let draft = Draft { what: "plan", file: file.to_owned(), text: "draft\n".to_owned(), read };
    let choices = vec![
        Choice { words: &["yes", "y"], then: Then::Answer(json!("yes")) },
        Choice { words: &["edit"], then: Then::Edit(draft) },
        Choice { words: &["modify"], then: Then::Ask },
    ];
    let sentence = Sentence { name: "modify", says: "what to change", example: "Such as: less." };
    Dialog::new(Interview { page: Page::default(), choices, sentence }, editor.map(str::to_owned))
}

fn again(reply: Reply) -> String {
    match reply {
        Reply::AskAgain(why) => why,
        Reply::Answer(answer) => panic!("taken for an answer: {answer}"),
    }
}

#[test]
fn a_line_is_a_choice_json_or_a_sentence() {
    let mut dialog = dialog(Path::new("unused"), None);
    assert_eq!(dialog.hint(), "yes, edit, or what to change");
    let answers = [
        (" Y ", json!("yes")),
        ("also the costs", json!({ "modify": "also the costs" })),
        ("{\"plan\": 1}", json!({ "plan": 1 })),
    ];
    for (line, answer) in answers {
        assert_eq!(dialog.read(line).expect("read"), Reply::Answer(answer), "{line}");
    }
    assert_eq!(again(dialog.read("yess").expect("read")), "`yess` is none of: yes, edit, modify");
    assert!(again(dialog.read("{").expect("read")).starts_with("this is not JSON"));
    assert_eq!(again(dialog.read("modify").expect("read")), "Such as: less.");
    assert_eq!(dialog.hint(), "what to change, in a sentence");
    // Now any word is a sentence, once.
    assert_eq!(dialog.read("yes").expect("read"), Reply::Answer(json!({ "modify": "yes" })));
    assert_eq!(dialog.read("yes").expect("read"), Reply::Answer(json!("yes")));
}

#[cfg(unix)]
#[test]
fn an_edited_text_stays_until_it_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("edits/plan.md");
    let read = |editor: Option<&str>| dialog(&file, editor).read("edit").expect("read");
    assert_eq!(again(read(None)), "set VISUAL or EDITOR to the editor you want");
    assert!(again(read(Some("false"))).contains("could not edit the plan"));
    let bad = again(read(Some("true")));
    assert!(bad.starts_with("it is bad. The plan was not changed; your text is kept in "), "{bad}");
    assert_eq!(std::fs::read_to_string(&file).expect("kept"), "draft\n");
    assert_eq!(read(Some("sed -i s/draft/good/")), Reply::Answer(json!({ "text": "good\n" })));
    assert!(!file.exists());
}

use baton_workflows::approval::Approval;
use baton_workflows::debate::Debate;
use baton_workflows::research::Research;

use super::*;

/// The file of a run that a name means, or why it is refused.
fn file<W: Profile>(name: &str) -> Result<&'static str, String> {
    let path = destination::<W>(Path::new(name)).map_err(|trouble| trouble.to_string())?;
    assert!(path.is_absolute() && path.ends_with(name), "{path:?}");
    chosen(W::EXPORTS, &path).map(|export| export.file).ok_or_else(|| "nothing to write".to_owned())
}

#[test]
fn the_ending_of_a_name_chooses_the_file() {
    for (name, expected) in
        [("a.md", "report.md"), ("a", "report.md"), ("b/a.HTML", "report.html"), ("a.txt", "report.md")]
    {
        assert_eq!(file::<Research>(name), Ok(expected), "{name}");
    }
    assert_eq!(file::<Debate>("a.json"), Ok("debate.json"));
    assert_eq!(file::<Debate>("a.md"), Ok("decision.md"));
}

#[test]
fn an_ending_that_cannot_be_written_is_refused_with_those_that_can() {
    let refused = file::<Research>("a.pdf").expect_err("no such file");
    assert!(refused.contains("this Baton writes no .pdf here; nothing was started"), "{refused}");
    assert!(refused.contains("one of: .md, .markdown, .txt, .html, .htm"), "{refused}");
    assert!(file::<Debate>("a.html").is_err() && file::<Approval>("a.md").is_err());
    assert!(file::<Debate>(".").expect_err("a folder").contains("is a folder"));
    let relative = check(Debate::EXPORTS, Path::new("a.md")).expect_err("relative").to_string();
    assert!(relative.contains("is not an absolute path"), "{relative}");
}

//! `baton article score`: measures a text somebody else wrote with the same supervisor. Its sentences are held against what
//! the documents say; without documents nothing is verified, and the score says so.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use baton_agents::evidence::{Verdict, judge};
use baton_agents::read::Format;
use baton_agents::read::encoding::language;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::content_stems;
use baton_agents::search::Location;
use baton_workflows::article::{
    Brief, Evaluation, Form, MarkdownText, Measure, ScoreInput, SourceText, Terms, evaluate, kind_of,
};
use serde_json::json;

use super::order::wrong;
use crate::commands::research::documents;
use crate::commands::start::text;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// Measure a text as articles are measured
///
/// Ends with 0 if it is as good as the brief asks for, and with 6 if it is not.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The text, as Markdown, or `-` for stdin
    #[arg(value_name = "FILE")]
    draft: String,
    /// What it should be: a brief in TOML, YAML or JSON
    #[arg(long, value_name = "BRIEF")]
    brief: Option<String>,
    /// A folder with its sources; may be given several times
    #[arg(long, value_name = "FOLDER")]
    docs: Vec<PathBuf>,
}

/// Sentences of the documents that one sentence is held against.
const NEAREST: usize = 5;

/// Scores.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let draft = text(&args.draft)?;
    let read = MarkdownText::parse(&draft);
    let brief = brief(args, &read)?;
    let mut sources = Vec::new();
    for folder in &args.docs {
        sources.extend(read_all(&documents(folder)?)?);
    }
    for source in &mut sources {
        source.cited = draft.contains(&source.name) || draft.contains(&source.file);
    }
    let known: Vec<(HashSet<String>, &str)> = sources
        .iter()
        .flat_map(|source| sentences(&source.text).into_iter().map(|range| source.text[range].trim()))
        .map(|sentence| (content_stems(sentence), sentence))
        .collect();
    let claims: Vec<(String, Verdict)> = read
        .sentences()
        .into_iter()
        .filter(|sentence| !sentence.starts_with("This article"))
        .map(|sentence| (sentence.clone(), held(&claim(&sentence), &known)))
        .collect();
    let cited = sources.iter().filter(|source| source.cited).count();
    let input = ScoreInput {
        brief: &brief,
        text: &draft,
        claims,
        good_citations: cited,
        all_citations: cited.max(usize::from(!sources.is_empty())),
        english: language(&read.all()).is_none_or(|language| language == "eng"),
        sources: sources.into_iter().map(Document::source).collect(),
    };
    let evaluation = evaluate(&input);
    let not_carried: Vec<&(String, Verdict)> =
        input.claims.iter().filter(|(_, verdict)| !matches!(verdict, Verdict::Carried { .. })).collect();
    let value = json!({
        "evaluation": evaluation,
        "feedback": evaluation.demand.feedback(),
        "not_carried": not_carried,
    });
    program.out.give(&value, &page(&evaluation, &brief, &not_carried))?;
    Ok(if evaluation.overall + 1e-9 >= brief.min_quality_score { Exit::Done } else { Exit::Partial })
}

/// The brief it is measured against; without one it is measured against itself.
fn brief(args: &Args, read: &MarkdownText) -> Result<Brief, Trouble> {
    let (form, name) = match &args.brief {
        Some(name) => {
            (Form::read(&text(name)?, name).map_err(|mistakes| wrong(name, &mistakes))?, name.as_str())
        }
        None => {
            let mut form = Form::default();
            let title = if read.title.chars().count() < 3 { "a text without a title" } else { &read.title };
            form.set("topic", title.chars().take(500).collect::<String>());
            form.set("target_length", read.words().clamp(100, 10_000));
            form.set("min_sources", 3);
            (form, "what was typed")
        }
    };
    form.settle(&Terms::default()).map_err(|mistakes| wrong(name, &mistakes))
}

/// A document of the folders.
struct Document {
    name: String,
    file: String,
    location: Location,
    title: String,
    text: String,
    cited: bool,
}

impl Document {
    fn source(self) -> SourceText {
        let kind = kind_of(&self.location, &self.title);
        SourceText { name: self.name, kind, cited: self.cited, text: self.text }
    }
}

/// Every document below a folder that can be read; the others are left out, as by a search.
fn read_all(folder: &Path) -> Result<Vec<Document>, Trouble> {
    let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
    let mut reader = FileReader::new(Limits::default(), child);
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(Trouble::Runtime)?;
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        paths.sort();
        for path in paths {
            let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
            if hidden || path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if Format::of_path(&path).is_some()
                && let Ok(document) = reader.read(&path)
            {
                let reading = document.reading;
                let file =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let author =
                    reading.author.as_deref().and_then(|author| author.split(", ").next()).map(str::to_owned);
                let title = reading.title.clone().unwrap_or_else(|| file.clone());
                let name = author.unwrap_or_else(|| title.clone());
                found.push(Document {
                    name,
                    file,
                    location: Location::Path(path),
                    title,
                    text: reading.text,
                    cited: false,
                });
            }
        }
    }
    Ok(found)
}

/// What a sentence claims, without its citations and without whoever it says it for.
fn claim(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some(at) = rest.find('(') {
        let end = rest[at..].find(')').map_or(rest.len(), |end| at + end + 1);
        let inner = &rest[at..end];
        let dated =
            inner.contains("n.d.") || inner.split(|it: char| !it.is_ascii_digit()).any(|it| it.len() == 4);
        text.push_str(if dated { rest[..at].trim_end() } else { &rest[..end] });
        rest = &rest[end..];
    }
    text.push_str(rest);
    let said = match text.strip_prefix("According to ").and_then(|after| after.split_once(", ")) {
        Some((_, said)) => said.to_owned(),
        None => [" reports that ", " adds that ", " notes that ", " writes: "]
            .iter()
            .find_map(|verb| text.split_once(verb).map(|(_, said)| said.to_owned()))
            .unwrap_or(text),
    };
    said.trim_matches(['“', '”', ' ']).to_owned()
}

/// What the nearest sentences of the documents say of a sentence.
fn held(sentence: &str, known: &[(HashSet<String>, &str)]) -> Verdict {
    let own = content_stems(sentence);
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|(stems, text)| (stems.intersection(&own).count(), *text))
        .filter(|(shared, _)| *shared * 3 >= own.len())
        .collect();
    near.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    let mut last = Verdict::NotCarried { why: "no document says it".to_owned() };
    for (_, quote) in near.into_iter().take(NEAREST) {
        match judge(sentence, &[quote]) {
            carried @ Verdict::Carried { .. } => return carried,
            other => last = other,
        }
    }
    // What another sentence denies may only be another thing; it is not carried, and that is all that is known.
    match last {
        Verdict::Contradicted { why, .. } => Verdict::NotCarried { why },
        other => other,
    }
}

fn page(evaluation: &Evaluation, brief: &Brief, not_carried: &[&(String, Verdict)]) -> Page {
    let mut page = Page::default();
    let ink = if evaluation.overall >= brief.min_quality_score { Ink::Good } else { Ink::Warn };
    page.field("quality", inked(ink, format!("{:.2} of {:.2}", evaluation.overall, brief.min_quality_score)));
    let measures: [(&str, &Measure); 4] = [
        ("article", &evaluation.article),
        ("sources", &evaluation.source),
        ("facts", &evaluation.factual),
        ("writing", &evaluation.writing),
    ];
    for (name, measure) in measures {
        page.field(name, plain(format!("{:.2}", measure.score)));
        for part in &measure.parts {
            page.line([inked(
                Ink::Faint,
                format!("  {} {:.2}: {}", part.name, part.value, part.measured_on),
            )]);
        }
        if !measure.factor_on.is_empty() {
            page.line([inked(Ink::Faint, format!("  times {:.2}: {}", measure.factor, measure.factor_on))]);
        }
    }
    for unmeasured in &evaluation.unmeasured {
        page.text(format!("not measured: {unmeasured}"));
    }
    for need in &evaluation.demand.needs {
        page.text(format!("would help: {}", need.words()));
    }
    for (sentence, verdict) in not_carried.iter().take(10) {
        let why = match verdict {
            Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => why.as_str(),
            Verdict::Carried { .. } => "",
        };
        page.text(format!("not carried: {sentence} ({why})"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::claim;

    #[test]
    fn a_claim_is_what_is_left_without_names_and_citations() {
        for (sentence, left) in [
            ("Nine leaks were found (Leila Haddad, 2026).", "Nine leaks were found."),
            ("According to Harlund Heat (2026a), the fee fell.", "the fee fell."),
            ("Harlund Heat (2026) adds that the fee (in euros) fell.", "the fee (in euros) fell."),
            ("Ann (2020) writes: “We were cold.”", "We were cold."),
        ] {
            assert_eq!(claim(sentence), left);
        }
    }
}

//! SeoOptimizer: what helps a page to be found: title and description of the right length, keywords used and not
//! overused, headings, links, a slug.
//!
//! Given the text; brings a score, proposals and what would raise it. A model, if there is one, may add advice.

use super::output::Check;
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::files::article_text;
use crate::article::score::MarkdownText;
use crate::article::skills::review;

/// Characters of a title that a list of results shows.
const TITLE: std::ops::RangeInclusive<usize> = 20..=65;
/// Characters of a description that a list of results shows.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 70..=160;

/// Optimises.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    let (check, by) = review::ask(job, "being found by search engines", check).await?;
    Ok(WorkerResult::Checked { check, by })
}

/// What helps and what does not.
pub fn check(memory: &Memory) -> Option<Check> {
    let markdown = article_text(memory)?;
    let text = MarkdownText::parse(&markdown);
    let all = text.all().to_lowercase();
    let words = text.words().max(1) as f64;
    let mut advice = Vec::new();
    let title = text.title.clone();
    let description = description(&text.all());
    let mut points: Vec<f64> = Vec::new();
    let mut judged = |good: bool, what: String| {
        points.push(f64::from(u8::from(good)));
        if !good {
            advice.push(what);
        }
    };
    let length = title.chars().count();
    judged(
        TITLE.contains(&length),
        format!("the title has {length} characters; {} to {} are shown whole", TITLE.start(), TITLE.end()),
    );
    let length = description.chars().count();
    judged(
        DESCRIPTION.contains(&length),
        format!(
            "the description has {length} characters; {} to {} are shown whole",
            DESCRIPTION.start(),
            DESCRIPTION.end()
        ),
    );
    judged(text.headings().count() >= 3, "three headings or more help to find a part".to_owned());
    judged(markdown.contains("](") || markdown.contains("<http"), "no link leads to a source".to_owned());
    let mut densities = Vec::new();
    for keyword in &memory.assignment.brief.keywords {
        let key = keyword.to_lowercase();
        let count = all.matches(&key).count() as f64;
        let density = count * keyword.split_whitespace().count() as f64 / words * 100.0;
        densities.push((keyword.clone(), density));
        judged(count > 0.0, format!("the keyword \"{keyword}\" is not used"));
        judged(
            density <= 3.0,
            format!("the keyword \"{keyword}\" is {density:.1} percent of the text; 3 are enough"),
        );
        let headed =
            title.to_lowercase().contains(&key) || text.headings().any(|it| it.to_lowercase().contains(&key));
        judged(headed, format!("the keyword \"{keyword}\" stands in no heading"));
    }
    let score = points.iter().sum::<f64>() / points.len().max(1) as f64;
    let mut check = Check::of(score);
    for (keyword, density) in densities {
        check = check.with(&format!("density of {keyword}"), density);
    }
    check.texts.insert("optimized_title".to_owned(), title.chars().take(*TITLE.end()).collect());
    check.texts.insert("slug".to_owned(), slug(&title));
    check.texts.insert("meta_description".to_owned(), description);
    check.recommendations = advice;
    Some(check)
}

/// The first sentences, as far as a list of results shows them.
pub fn description(text: &str) -> String {
    let mut found = String::new();
    for word in text.split_whitespace() {
        if found.chars().count() + word.chars().count() + 1 > *DESCRIPTION.end() - 1 {
            found.push('…');
            break;
        }
        if !found.is_empty() {
            found.push(' ');
        }
        found.push_str(word);
    }
    found
}

/// A title as part of an address.
pub fn slug(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
    words.take(10).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

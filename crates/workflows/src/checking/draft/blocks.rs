//! Blocks of a text in which nobody states anything: front matter, code, comments, headings. By lines, as Markdown is.

use std::ops::Range;

use super::Skip;

/// What is left out of the prose, and what to call it; definitions of links have no name.
pub fn skipped_blocks(text: &str) -> Vec<(Range<usize>, Option<Skip>)> {
    let lines = lines(text);
    let mut found = Vec::new();
    let mut at = front_matter(text, &lines, &mut found);
    while let Some((range, line)) = lines.get(at) {
        if let Some(fence) = fence(line) {
            let end =
                (at + 1..lines.len()).find(|&end| closes(lines[end].1, fence)).unwrap_or(lines.len() - 1);
            found.push((range.start..lines[end].0.end, Some(Skip::Code)));
            at = end + 1;
            continue;
        }
        let underlined = lines.get(at + 1).is_some_and(|(_, next)| is_underline(next));
        let opens = at == 0 || lines[at - 1].1.trim().is_empty();
        if is_heading(line) {
            found.push((range.clone(), Some(Skip::Heading)));
        } else if underlined && opens && !line.trim().is_empty() && !is_table_row(line) {
            found.push((range.start..lines[at + 1].0.end, Some(Skip::Heading)));
            at += 1;
        } else if is_definition(line) {
            found.push((range.clone(), None));
        }
        at += 1;
    }
    found.extend(markup(text));
    apart(found)
}

/// Whether a line is a row of a table.
pub fn is_table_row(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') || line.contains(" | ") || line.contains('\t')
}

fn lines(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|piece| {
            let line = piece.trim_end_matches(['\n', '\r']);
            let range = start..start + line.len();
            start += piece.len();
            (range, line)
        })
        .collect()
}

/// The line behind the front matter.
fn front_matter(
    text: &str,
    lines: &[(Range<usize>, &str)],
    found: &mut Vec<(Range<usize>, Option<Skip>)>,
) -> usize {
    if !text.starts_with("---\n") && !text.starts_with("---\r\n") {
        return 0;
    }
    match lines.iter().skip(1).position(|(_, line)| line.trim_end() == "---") {
        Some(end) => {
            found.push((0..lines[end + 1].0.end, Some(Skip::FrontMatter)));
            end + 2
        }
        None => 0,
    }
}

/// The fence that a line opens.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.chars().take_while(|letter| *letter == mark).count();
    (length >= 3 && !line[length..].contains('`')).then(|| &line[..length])
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.starts_with(fence) && line.chars().all(|letter| fence.starts_with(letter))
}

fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with(' ')
}

fn is_underline(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// `[name]: address`.
fn is_definition(line: &str) -> bool {
    let inner = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: "));
    inner
        .is_some_and(|(name, target)| !name.is_empty() && !name.contains(']') && !target.trim().contains(' '))
}

/// Comments, scripts and style sheets. One that never ends takes the rest: it would in a browser, too.
fn markup(text: &str) -> Vec<(Range<usize>, Option<Skip>)> {
    const ENDS: [(&str, &str); 3] = [("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>")];
    // Only ASCII letters change, so that every byte keeps its place.
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, close)) =
        ENDS.iter().filter_map(|(open, close)| Some((at + lower[at..].find(open)?, *close))).min()
    {
        let end = lower[start..].find(close).map_or(text.len(), |end| start + end + close.len());
        found.push((start..end, Some(Skip::Markup)));
        at = end;
    }
    found
}

/// In order, what lies in another left out.
fn apart(mut blocks: Vec<(Range<usize>, Option<Skip>)>) -> Vec<(Range<usize>, Option<Skip>)> {
    blocks.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut kept: Vec<(Range<usize>, Option<Skip>)> = Vec::new();
    for (range, skip) in blocks {
        let end = kept.last().map_or(0, |(last, _)| last.end);
        if range.end > end {
            kept.push((range.start.max(end)..range.end, skip));
        }
    }
    kept
}

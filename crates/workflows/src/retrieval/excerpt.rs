//! What a model is shown of a document: a short one whole; of a longer one its head and the passages around what the
//! search found, cut between sentences, with a mark where something was left out.

#[cfg(test)]
mod tests;

use std::ops::Range;

use baton_agents::rules::sentences::sentences;

use super::source::Candidate;

/// Text on each side of a candidate.
const AROUND: usize = 700;
/// The head of a document: title, date, whose it is.
const HEAD: usize = 600;
/// Stands where text was left out.
pub const GAP: &str = "[…]";

/// At most about `most` bytes of a text, whole sentences only.
#[must_use]
pub fn excerpt(text: &str, candidates: &[Candidate], most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    if text.len() <= most {
        return text.trim().to_owned();
    }
    let head = 0..HEAD.min(most);
    let mut spans: Vec<Range<usize>> = vec![head];
    let mut room = most.saturating_sub(HEAD);
    // Best first, as long as there is room.
    for candidate in candidates {
        let (Some(first), Some(last)) = (candidate.ranges.first(), candidate.ranges.last()) else { continue };
        let span = first.start.saturating_sub(AROUND)..(last.end + AROUND).min(text.len());
        let new = span.len() - spans.iter().map(|taken| shared(taken, &span)).max().unwrap_or(0);
        if new <= room {
            room -= new;
            spans.push(span);
        }
    }
    spans.sort_by_key(|span| span.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    shown(text, &joined)
}

fn shared(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// The sentences that lie within the spans, with a mark between spans and where the document goes on.
fn shown(text: &str, spans: &[Range<usize>]) -> String {
    let all = sentences(text);
    let mut parts: Vec<&str> = Vec::new();
    let mut end = 0;
    for span in spans {
        let inside: Vec<&Range<usize>> =
            all.iter().filter(|one| one.start >= span.start && one.end <= span.end).collect();
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else { continue };
        if !text[end..first.start].trim().is_empty() {
            parts.push(GAP);
        }
        parts.push(text[first.start..last.end].trim());
        end = last.end;
    }
    if !text[end..].trim().is_empty() {
        parts.push(GAP);
    }
    parts.join("\n\n")
}

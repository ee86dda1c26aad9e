//! Quotes with the name of the document they stand in, so that a sentence may say whose word it is: "Under the Apache License
//! you may …", "4,310 by the annual report". What names a source is held against the quotes of that source alone.

mod frames;
mod names;
mod subject;
#[cfg(test)]
mod tests;

use self::names::{Mention, Name, mentions};
use super::carry::{Verdict, judge};

/// A quote and the title of the document it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cited<'a> {
    /// The words.
    pub quote: &'a str,
    /// What their document is called.
    pub title: &'a str,
}

/// Whether quotes carry a sentence that may name their documents. An error says what is missing.
pub fn carries_cited(sentence: &str, cited: &[Cited<'_>]) -> Result<(), String> {
    match judge_cited(sentence, cited) {
        Verdict::Carried { .. } => Ok(()),
        Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => Err(why),
    }
}

/// Holds a sentence against quotes and the names of their documents.
#[must_use]
pub fn judge_cited(sentence: &str, cited: &[Cited<'_>]) -> Verdict {
    let names: Vec<Name> = cited.iter().map(|one| Name::of(one.title)).collect();
    let mentions = mentions(sentence, &names);
    let names_source = !mentions.is_empty();
    match judge_mentioning(sentence, cited, mentions) {
        carried @ Verdict::Carried { .. } => carried,
        refused if names_source => refused,
        refused => subject::judge_named(sentence, cited).unwrap_or(refused),
    }
}

fn judge_mentioning(sentence: &str, cited: &[Cited<'_>], mentions: Vec<Mention>) -> Verdict {
    let quotes: Vec<&str> = cited.iter().map(|one| one.quote).collect();
    let plain = judge(sentence, &quotes);
    if mentions.is_empty() {
        return match (plain, frames::said_by_it(sentence)) {
            (carried @ Verdict::Carried { .. }, _) => carried,
            (_, Some(said)) if cited.windows(2).all(|pair| pair[0].title == pair[1].title) => {
                judge(&said, &quotes)
            }
            (refused, _) => refused,
        };
    }
    let named = Named { sentence, cited, mentions };
    match (plain, named.judge()) {
        (_, carried @ Verdict::Carried { .. }) => carried,
        (Verdict::Carried { by }, _) if named.names_who_says(&by) => Verdict::Carried { by },
        (Verdict::Carried { .. }, _) => {
            Verdict::NotCarried { why: "another source says this than the one it names".to_owned() }
        }
        (_, refused) => refused,
    }
}

/// Ways to cut a sentence that are tried, at most: nobody can make the gate slow.
const MOST_WAYS: usize = 24;

/// A sentence that names documents it is held against.
struct Named<'a> {
    sentence: &'a str,
    cited: &'a [Cited<'a>],
    mentions: Vec<Mention>,
}

impl Named<'_> {
    /// Each part of the sentence against the quotes of the source it names.
    fn judge(&self) -> Verdict {
        let mut refused = None;
        for parts in self.splits() {
            match self.parts(&parts) {
                Ok(by) => return Verdict::Carried { by },
                Err(verdict) => {
                    refused.get_or_insert(verdict);
                }
            }
        }
        refused.unwrap_or_else(|| Verdict::NotCarried {
            why: "it is not clear which source says what".to_owned(),
        })
    }

    /// The quotes that carry the parts, each its own. A part may leave unsaid what the one before it said.
    fn parts(&self, parts: &[(String, Vec<Mention>)]) -> Result<Vec<usize>, Verdict> {
        let mut by = Vec::new();
        let mut before: Option<String> = None;
        for (text, mentions) in parts {
            let bare = frames::without_names(text, mentions).unwrap_or_else(|| text.clone());
            let whole = before.iter().flat_map(|before| frames::completed(&bare, before));
            let shorter = Some(bare.clone()).filter(|bare| bare != text);
            let readings = std::iter::once(text.clone()).chain(shorter).chain(whole);
            let mut last = Verdict::NotCarried { why: "it says nothing".to_owned() };
            let mut carried = None;
            for reading in readings {
                match self.part(&reading, text, mentions) {
                    Verdict::Carried { by } => {
                        carried = Some(by);
                        break;
                    }
                    refused => last = refused,
                }
            }
            match carried {
                Some(own) => {
                    by.extend(own);
                    before = Some(bare);
                }
                None => return Err(last),
            }
        }
        by.sort_unstable();
        by.dedup();
        Ok(by)
    }

    /// The sentence cut so that no part names two sources: each way to cut it, as parts with what they name.
    fn splits(&self) -> Vec<Vec<(String, Vec<Mention>)>> {
        let mut ways = vec![vec![0]];
        for pair in self.mentions.windows(2).filter(|pair| !pair[0].shares_source(&pair[1])) {
            let between = pair[0].range.end..pair[1].range.start;
            let cuts = frames::joints(&self.sentence[between.clone()]);
            ways = ways
                .iter()
                .flat_map(|way| cuts.iter().map(|cut| [way.as_slice(), &[between.start + cut]].concat()))
                .take(MOST_WAYS)
                .collect();
        }
        ways.into_iter().map(|way| self.cut(&way)).collect()
    }

    fn cut(&self, starts: &[usize]) -> Vec<(String, Vec<Mention>)> {
        let ends = starts.iter().skip(1).copied().chain([self.sentence.len()]);
        let parts = starts.iter().copied().zip(ends);
        parts
            .map(|(start, end)| {
                let inside =
                    self.mentions.iter().filter(|one| one.range.start >= start && one.range.end <= end);
                let (trimmed, from) = frames::trimmed(&self.sentence[start..end]);
                (trimmed.to_owned(), inside.map(|one| one.moved_back(start + from)).collect())
            })
            .collect()
    }

    /// One reading of a part against the quotes of what the part names, as they stand and with "this report" called by name.
    fn part(&self, reading: &str, text: &str, mentions: &[Mention]) -> Verdict {
        let Some(first) = mentions.first() else {
            let quotes: Vec<&str> = self.cited.iter().map(|one| one.quote).collect();
            return judge(reading, &quotes);
        };
        let name = &text[first.range.clone()];
        let own: Vec<usize> = (0..self.cited.len()).filter(|at| first.sources.contains(at)).collect();
        let spelled: Vec<String> = own
            .iter()
            .map(|at| names::spelled_out(self.cited[*at].quote, self.cited[*at].title, name))
            .collect();
        let quoted: Vec<&str> = own.iter().map(|at| self.cited[*at].quote).collect();
        let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
        let verdict = match judge(reading, &spelled) {
            Verdict::Carried { by } => Verdict::Carried { by },
            _ => judge(reading, &quoted),
        };
        match verdict {
            Verdict::Carried { by } => Verdict::Carried { by: by.iter().map(|at| own[*at]).collect() },
            Verdict::Contradicted { by, why } => Verdict::Contradicted { by: own[by], why },
            refused @ Verdict::NotCarried { .. } => refused,
        }
    }

    /// Whether what carries the sentence is of the sources it names, or itself names them.
    fn names_who_says(&self, by: &[usize]) -> bool {
        let says = |mention: &Mention| {
            let words = &self.sentence[mention.range.clone()];
            by.iter().any(|at| mention.sources.contains(at) || names::has_words(self.cited[*at].quote, words))
        };
        let is_one = self.mentions.iter().all(|one| one.shares_source(&self.mentions[0]));
        self.mentions.iter().all(says)
            && (is_one || self.splits().iter().any(|parts| self.are_at_home(parts)))
    }

    /// Whether each part of a sentence about several sources is nearest to the words of the one it names: a part may leave
    /// unsaid what the one before it said, so it is not held against them alone.
    fn are_at_home(&self, parts: &[(String, Vec<Mention>)]) -> bool {
        parts.iter().all(|(text, mentions)| {
            let Some(first) = mentions.first() else { return true };
            let shared = |at: usize| names::shared(text, self.cited[at].quote);
            let (own, others): (Vec<usize>, Vec<usize>) =
                (0..self.cited.len()).partition(|at| first.sources.contains(at));
            let best = |sources: &[usize]| sources.iter().map(|at| shared(*at)).max().unwrap_or_default();
            best(&own) > best(&others)
        })
    }
}

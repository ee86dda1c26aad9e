//! Foreign text that must fit into what a model can read: the least important goes first, and what went is
//! said.

use serde::{Deserialize, Serialize};

use super::vars::tag;

/// A piece of foreign text. Its name stands outside the fence, so it is the program's own: what a document says of
/// itself, its title too, belongs into the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    name: String,
    /// The text.
    pub text: String,
    /// 0 is the most important.
    pub priority: u8,
}

impl Piece {
    /// A text under a name of ours.
    #[must_use]
    pub fn new(name: &'static str, text: impl Into<String>, priority: u8) -> Self {
        Self { name: name.to_owned(), text: text.into(), priority }
    }

    /// One of several: the name, and the id or number by which this program tells them apart.
    #[must_use]
    pub fn tagged(name: &'static str, id: &impl ToString, text: impl Into<String>, priority: u8) -> Self {
        Self { name: format!("{name} {}", tag(&id.to_string())), text: text.into(), priority }
    }

    /// What it is, for the model and for the report of what was cut.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A piece that was shortened or left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Which piece.
    pub piece: String,
    /// Bytes shown.
    pub shown: usize,
    /// Bytes it has.
    pub of: usize,
}

/// Less than this of a piece is not worth showing.
const LEAST: usize = 200;
/// Bytes the fence adds to each piece.
const FENCE: usize = 160;

/// The pieces that fit into `room` bytes, in their own order, and what was cut. `None` if nothing fits.
pub(super) fn fit(pieces: Vec<Piece>, room: usize) -> Option<(Vec<Piece>, Vec<Cut>)> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|i| (pieces[*i].priority, *i));
    let mut shown = vec![0; pieces.len()];
    let mut left = room;
    for index in order {
        let of = pieces[index].text.len();
        let can = left.saturating_sub(FENCE).min(of);
        let take = if can == of { of } else { boundary(&pieces[index].text, can) };
        if take == of || take >= LEAST {
            shown[index] = take;
            left -= take + FENCE;
        }
    }
    let cut = |(piece, shown): (&Piece, &usize)| {
        let of = piece.text.len();
        (*shown < of).then(|| Cut { piece: piece.name.clone(), shown: *shown, of })
    };
    let cuts: Vec<Cut> = pieces.iter().zip(&shown).filter_map(cut).collect();
    let had_text = pieces.iter().any(|p| !p.text.is_empty());
    let keep = |(mut piece, shown): (Piece, usize)| {
        piece.text.truncate(shown);
        (shown > 0).then_some(piece)
    };
    let kept: Vec<Piece> = pieces.into_iter().zip(shown).filter_map(keep).collect();
    (!kept.is_empty() || !had_text).then_some((kept, cuts))
}

/// The last good place to cut at or before `most`: after a line, else after a sentence, a word, or between letters.
fn boundary(text: &str, most: usize) -> usize {
    let mut at = most.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let near = at - at / 10;
    let after = |c: char| text[..at].rfind(c).map(|i| i + c.len_utf8()).filter(|i| *i >= near);
    let sentence = || text[..at].rfind(". ").map(|i| i + 2).filter(|i| *i >= near);
    after('\n').or_else(sentence).or_else(|| after(' ')).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &'static str, bytes: usize, priority: u8) -> Piece {
        Piece::new(name, "word ".repeat(bytes / 5), priority)
    }

    #[test]
    fn what_fits_is_untouched() {
        let pieces = vec![piece("a", 1000, 1), piece("b", 1000, 0)];
        assert_eq!(fit(pieces.clone(), 4000), Some((pieces, vec![])));
    }

    #[test]
    fn the_least_important_goes_first_and_it_is_said() {
        let pieces = vec![piece("low", 1000, 9), piece("high", 1000, 0), piece("mid", 1000, 5)];
        let (kept, cuts) = fit(pieces, 1900).unwrap();
        assert_eq!(kept.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["high", "mid"]);
        assert_eq!(cuts[0], Cut { piece: "low".into(), shown: 0, of: 1000 });
        assert!(cuts[1].shown >= 500 && cuts[1].shown < 700, "{cuts:?}");
    }

    #[test]
    fn no_room_at_all_is_no_answer() {
        assert_eq!(fit(vec![piece("a", 1000, 0)], 100), None);
        assert_eq!(fit(vec![], 0), Some((vec![], vec![])));
    }

    #[test]
    fn cuts_between_letters_of_any_size() {
        for most in 0..12 {
            assert!("äöü€🙂".is_char_boundary(boundary("äöü€🙂", most)));
        }
    }
}

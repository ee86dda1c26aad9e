//! Two things of a quote that changed places: put back where the other one stands, the sentence is the quote's words in the
//! quote's order. Clauses are not asked, so it is seen where they are cut wrongly and where a name stands twice.

use super::clause::{Sentence, is_participle};
use super::lexicon;
use super::token::Token;

/// Words of one thing, at most.
const LONGEST: usize = 4;
/// A sentence of more words is not turned round for the sake of a lie.
const MOST: usize = 30;

/// Does a sentence say of one thing what its quote says of another?
pub(super) fn exchanged(own: &Sentence, quote: &[Sentence]) -> bool {
    let said = Told::of(own);
    let theirs: Vec<Told<'_>> = quote.iter().map(Told::of).collect();
    if said.places.len() < 3
        || said.places.len() > MOST
        || theirs.iter().any(|quote| quote.has(&said.places, &said))
    {
        return false;
    }
    theirs
        .iter()
        .any(|quote| said.opening() == quote.opening() && !quote.gives_name() && said.is_exchanged(quote))
}

/// The words of a sentence that say something.
struct Told<'a> {
    tokens: &'a [Token],
    verbs: Vec<usize>,
    places: Vec<usize>,
}

impl<'a> Told<'a> {
    fn of(sentence: &'a Sentence) -> Self {
        let person = |token: &Token| matches!(token.word.as_str(), "you" | "we" | "he" | "she" | "they");
        let tokens = &sentence.tokens[..];
        let says = |at: &usize| {
            let token = &tokens[*at];
            !token.skip && ((token.is_content() && !lexicon::is_adverb(&token.word)) || person(token))
        };
        let verbs = sentence.clauses.iter().filter_map(|clause| clause.verb).collect();
        Self { tokens, verbs, places: (0..tokens.len()).filter(says).collect() }
    }

    /// The word with which a phrase or a condition opens the sentence: where only one has it in front, it was moved.
    fn opening(&self) -> &str {
        let opens = |token: &&Token| {
            token.operator.is_some()
                || lexicon::is_preposition(&token.word)
                || matches!(token.word.as_str(), "when" | "while" | "once" | "every" | "each")
        };
        let connects = |token: &&Token| {
            token.is_mark()
                || matches!(token.word.as_str(), "thus" | "hence" | "so" | "therefore" | "however" | "then")
        };
        self.tokens
            .iter()
            .find(|token| !connects(token))
            .filter(opens)
            .map_or("", |token| token.word.as_str())
    }

    fn gives_name(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token.word.as_str(), "called" | "named" | "known"))
    }

    fn is_verb(&self, at: usize) -> bool {
        self.verbs.contains(&at) || lexicon::irregular(&self.tokens[at].word).is_some_and(|(_, past, _)| past)
    }

    /// Where the words at these places of another sentence stand in this one, in their order.
    fn matched(&self, places: &[usize], other: &Told<'_>) -> Option<Vec<usize>> {
        let mut rest = self.places.iter();
        let same = |one: &Token, other: &Token| key(one) == key(other);
        places
            .iter()
            .map(|at| rest.find(|own| same(&self.tokens[**own], &other.tokens[*at])).copied())
            .collect()
    }

    fn has(&self, places: &[usize], other: &Told<'_>) -> bool {
        self.matched(places, other).is_some()
    }

    fn is_exchanged(&self, quote: &Told<'_>) -> bool {
        let known = |at: &usize| {
            quote.places.iter().any(|other| key(&quote.tokens[*other]) == key(&self.tokens[*at]))
        };
        if !self.places.iter().all(known) {
            return false;
        }
        let own = &self.places;
        for first in 0..own.len() {
            for end in first + 1..=own.len().min(first + LONGEST) {
                for second in end + 1..own.len() {
                    for last in second + 1..=own.len().min(second + LONGEST) {
                        let [one, middle, other] = [&own[first..end], &own[end..second], &own[second..last]];
                        let back = [&own[..first], other, middle, one, &own[last..]].concat();
                        let Some(found) = quote.matched(&back, self) else { continue };
                        let theirs = [found[first], found[first + other.len() + middle.len()]];
                        if self.stand_alike([one[0], other[0]], quote, theirs)
                            && (self.is_said_alike(middle, quote)
                                || self.belong_elsewhere([one, other], middle))
                            && !one.iter().chain(other).any(|at| self.is_verb(*at))
                            && !found[first..found.len() - (own.len() - last)].iter().enumerate().any(
                                |(index, at)| {
                                    let between = index >= other.len() && index < other.len() + middle.len();
                                    !between && quote.is_verb(*at)
                                },
                            )
                        {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Does each stand where the other one stood, behind the same preposition? Two phrases with their own are only moved.
    fn stand_alike(&self, own: [usize; 2], quote: &Told<'_>, theirs: [usize; 2]) -> bool {
        let behind = |token: &Token| if token.preposition == "of" { "" } else { token.preposition };
        let person = |tokens: &[Token], at: usize| !tokens[at].is_content();
        let any = |at: usize| person(self.tokens, own[at]) || person(quote.tokens, theirs[at]);
        let alike = |at: usize| behind(&self.tokens[own[at]]) == behind(&quote.tokens[theirs[at]]) || any(at);
        let [first, second] = own.map(|at| behind(&self.tokens[at]));
        alike(0) && alike(1) && (first != second || first.is_empty())
    }

    /// "an interval of 64 s and a constant of 2048 s": two amounts, or two names, each with words of its own between them.
    fn belong_elsewhere(&self, things: [&[usize]; 2], middle: &[usize]) -> bool {
        let listed = |at: &usize| self.tokens[*at].is_amount() || self.tokens[*at].name;
        let all = |kind: fn(&Token) -> bool| {
            things.iter().all(|thing| thing.iter().all(|at| kind(&self.tokens[*at])))
        };
        (all(Token::is_amount) || all(|token| token.name)) && !middle.iter().all(listed)
    }

    /// Is what stands between them a statement, in the same voice on both sides?
    fn is_said_alike(&self, middle: &[usize], quote: &Told<'_>) -> bool {
        let within = middle[0].saturating_sub(3)..=middle[middle.len() - 1] + 1;
        let contrast = within.clone().any(|at| {
            self.tokens
                .get(at)
                .is_some_and(|token| matches!(token.word.as_str(), "rather" | "instead" | "called"))
        });
        let turned = |at: &usize| {
            let stem = key(&self.tokens[*at]);
            let theirs = quote.places.iter().filter(|at| key(&quote.tokens[**at]) == stem);
            is_passive(self.tokens, *at) != theirs.into_iter().any(|at| is_passive(quote.tokens, *at))
        };
        within.into_iter().any(|at| at < self.tokens.len() && self.is_verb(at))
            && !contrast
            && !middle.iter().any(turned)
    }
}

/// "is not read", "read by".
fn is_passive(tokens: &[Token], at: usize) -> bool {
    let helped = tokens[at.saturating_sub(4)..at]
        .iter()
        .rev()
        .take_while(|token| !token.is_content() || lexicon::is_adverb(&token.word))
        .any(|token| lexicon::is_be(&token.word));
    is_participle(&tokens[at]) && (helped || tokens.get(at + 1).is_some_and(|next| next.word == "by"))
}

fn key(token: &Token) -> &str {
    if token.is_word() { &token.stem } else { &token.shown }
}

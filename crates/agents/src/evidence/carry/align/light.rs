//! Words that say little: verbs that only hold a subject and an object together, nouns that only restate a measure, and
//! verbs that say the same with and without a doer. What is left unmatched of these is no claim of its own.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::*;
use crate::rules::words::stem;

/// That something is there, or belongs to something, and no more.
const HAVING: &str = "experience have contain include comprise consist feature house count number total amount see record register get be";
/// What also says that something is there, but how.
const HOLDING: &str = "occur happen appear write place locate situate experience have contain include comprise consist feature house hold cover count number total amount offer provide record register show see \
carry handle serve employ seat operate run use own keep post attract draw welcome accommodate span boast reach give make list find call mean cost stand \
come get be form sit lie spread extend maintain bring need last measure weigh default account represent constitute";
/// What a noun needs to become a predicate: "received a fine", "made a decision", "took place".
const CARRYING: &str = "make take give receive get have obtain see experience undergo suffer record register report post face put set hold carry occur \
happen come do show pay be amount stand apply await";
/// Names of measures, which a number says already.
const RESTATING: &str = "number figure value level amount total quantity count sum rate share proportion percentage size area length height width depth weight \
distance duration period time volume";
/// Verbs whose subject is what changes, whether or not somebody changes it: "raised the rate" and "the rate rose".
const TURNING: &str = "rise raise increase grow fall drop decrease decline reduce close open reopen start begin end stop change move sell double triple halve \
improve worsen widen narrow shrink expand run operate continue resume finish return break split merge spread slow shut develop reset restart turn";
/// Changes after which something stands at the amount they lead to.
const CHANGING: &str = "rise raise increase grow fall drop decrease decline reduce widen narrow shrink expand climb sink slip jump surge improve cut lower lift \
double triple halve advance slide soar plunge edge ease";

fn stems(words: &'static str) -> HashSet<String> {
    words.split_whitespace().map(stem).collect()
}

static HAVING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(HAVING));
static HOLDING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(HOLDING));
static CARRYING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(CARRYING));
static RESTATING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(RESTATING));
static TURNING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(TURNING));
static CHANGING_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(CHANGING));

fn first(token: &Token) -> &str {
    token.stem.split(' ').next().unwrap_or_default()
}

pub(super) fn is_having(token: &Token) -> bool {
    HAVING_STEMS.contains(first(token))
}

pub(super) fn is_holding(token: &Token) -> bool {
    HOLDING_STEMS.contains(first(token))
}

pub(super) fn is_turning(token: &Token) -> bool {
    TURNING_STEMS.contains(first(token))
}

pub(super) fn is_changing(token: &Token) -> bool {
    CHANGING_STEMS.contains(first(token))
}

pub(super) fn is_restating(token: &Token) -> bool {
    token.is_word() && !token.name && RESTATING_STEMS.contains(token.stem.as_str())
}

impl Alignment<'_> {
    /// Is a word of the unit, for which nothing of the quote stands, no claim of its own?
    pub(super) fn is_excused(&self, at: usize) -> bool {
        let own = self.unit.token(at);
        if !own.is_word() || own.name || own.rate {
            return false;
        }
        if self.unit.clause.main == Some(at) {
            return self.is_empty_verb(own);
        }
        let beside = |other: usize| self.found.iter().any(|(found, _)| *found == other);
        let counts = |other: usize| beside(other) && self.unit.token(other).is_amount();
        let people = matches!(own.word.as_str(), "people" | "persons")
            && at > 0
            && (counts(at - 1) || (at > 1 && counts(at - 2)));
        // "the -f flag" where the quote has "-f" alone.
        let flag = matches!(own.stem.as_str(), "option" | "flag" | "switch") && at > 0 && beside(at - 1);
        if flag {
            return true;
        }
        let placed = matches!(own.preposition, "in" | "at" | "on" | "for" | "from" | "within");
        people || (is_restating(own) && !placed)
    }

    /// "received a fine": an empty verb whose subject is what something is done to.
    pub(super) fn undergoes(&self) -> bool {
        self.unit.clause.main.is_some_and(|main| {
            let own = self.unit.token(main);
            self.places(main).is_empty()
                && matches!(first(own), "receiv" | "get" | "undergo" | "suffer" | "face" | "experienc")
                && self.is_excused(main)
        })
    }

    /// A verb that adds nothing to what the verb of the quote says.
    fn is_empty_verb(&self, own: &Token) -> bool {
        let Some(theirs) = self.anchor.main else { return false };
        let other = &self.quote[self.at].tokens[theirs];
        let taken =
            self.found.iter().any(|(_, places)| places.iter().any(|(place, _)| *place == (self.at, theirs)));
        if taken {
            return CARRYING_STEMS.contains(first(own));
        }
        (is_having(own) && is_holding(other))
            || (is_holding(own) && (is_having(other) || !other.is_content()))
    }
}

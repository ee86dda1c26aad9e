//! Words that make a thing another one, or a claim one for a purpose, and may not be left out.

use super::dropped::is_definite;
use super::*;

impl Alignment<'_> {
    /// "To apply, you need …": what must be done is told for a purpose.
    pub(super) fn dropped_purpose(&self, tokens: &[Token]) -> Checked {
        let must = self
            .their_operators()
            .iter()
            .any(|(_, operator, _)| matches!(operator, Operator::Must | Operator::Should))
            || self.has_stem(MUST);
        let fronted: Vec<usize> =
            self.anchor.tokens.iter().copied().take_while(|at| Some(*at) < self.anchor.verb).collect();
        let opens = fronted.first().is_some_and(|first| tokens[*first].word == "to");
        let said = fronted.iter().any(|at| {
            tokens[*at].is_content() && tokens[*at].preposition == "to" && self.is_taken((self.at, *at))
        });
        if must && opens && !said {
            return Err(self.miss(false, "it leaves out what it is needed for".to_owned()));
        }
        Ok(())
    }

    /// "the directory" for "the current working directory": two words that say which one.
    pub(super) fn dropped_name(&self, tokens: &[Token]) -> Checked {
        let verb = self.anchor.verb.unwrap_or(usize::MAX);
        let word =
            |at: usize| tokens.get(at).filter(|token| token.is_word() && token.is_content() && !token.name);
        for at in self.anchor.tokens.iter().copied().filter(|at| *at > verb) {
            let both = word(at).is_some()
                && word(at + 1).is_some()
                && word(at + 2).is_some()
                && is_definite(tokens, at);
            let open = !self.is_taken((self.at, at)) && !self.is_taken((self.at, at + 1));
            if both && open && self.is_taken((self.at, at + 2)) && self.anchor.main != Some(at) {
                return Err(self.miss(
                    false,
                    format!("it leaves out \"{} {}\"", tokens[at].shown, tokens[at + 1].shown),
                ));
            }
        }
        Ok(())
    }

    /// "15 percent of the goods in the industrialised world": a share is of the very thing it is of.
    pub(super) fn dropped_kind(&self, tokens: &[Token]) -> Checked {
        let counted = self.unit.content().into_iter().any(|at| {
            is_measured(self.unit.token(at)) && matches!(self.unit.token(at).kind, Kind::Number(_))
        });
        if !counted {
            return Ok(());
        }
        for at in self.anchor.tokens.iter().copied() {
            let Some(next) = tokens.get(at + 1) else { continue };
            let plain = |token: &Token| token.is_word() && token.is_content() && !token.rate;
            let narrows = plain(&tokens[at])
                && plain(next)
                && matches!(tokens[at].preposition, "of" | "in" | "for" | "among" | "per")
                && next.preposition == tokens[at].preposition
                && !tokens[at].name
                && !tokens[at].word.ends_with("ly")
                && !is_restating(&tokens[at])
                && self.anchor.main != Some(at)
                && self.anchor.main != Some(at + 1);
            let alone = |(_, places): &(usize, Vec<(Place, Zone)>)| matches!(places.as_slice(), [(place, _)] if *place == (self.at, at + 1));
            if narrows && !self.is_taken((self.at, at)) && self.found.iter().any(alone) {
                return Err(self.miss(false, format!("it leaves out \"{}\"", tokens[at].shown)));
            }
        }
        Ok(())
    }

    /// "Setting it to 0 disables compression": what must be done first is a condition.
    pub(super) fn dropped_act(&self, tokens: &[Token]) -> Checked {
        let Some(act) = self.act() else { return Ok(()) };
        if act.clone().any(|at| tokens[at].is_content() && self.is_taken((self.at, at))) {
            return Ok(());
        }
        Err(self.miss(false, format!("it leaves out what it takes (\"{}\")", written(&tokens[act]))))
    }

    /// "former", "so-called", "deputy": without them the thing is another one. Under a denial every word before a noun
    /// narrows it.
    pub(super) fn dropped_doubt(&self, tokens: &[Token]) -> Checked {
        const DOUBT: &[&str] = &[
            "former",
            "fake",
            "false",
            "mock",
            "simulated",
            "virtual",
            "attempted",
            "failed",
            "called",
            "deputy",
            "assistant",
            "vice",
            "acting",
            "draft",
            "potential",
            "ex",
            "pseudo",
            "partial",
            "apparent",
            "would",
            "experimental",
            "preliminary",
            "provisional",
            "optional",
        ];
        let denied =
            self.their_operators().iter().any(|(_, operator, active)| *active && *operator == Operator::Not);
        let verb = self.anchor.verb.unwrap_or(0);
        let content: Vec<usize> =
            self.anchor.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
        for pair in content.windows(2) {
            let [at, next] = pair else { continue };
            let beside =
                *next == at + 1 && tokens[*next].is_word() && tokens[*at].is_word() && !tokens[*at].name;
            let open = !self.is_taken((self.at, *at))
                && self.is_taken((self.at, *next))
                && Some(*at) != self.anchor.main
                && Some(*next) != self.anchor.main;
            let word = tokens[*at].word.as_str();
            let narrows = DOUBT.contains(&word)
                || (denied && *at > verb && !word.ends_with("ly") && !lexicon::names_no_subset(word));
            if beside && open && narrows {
                return Err(self.miss(false, format!("it leaves out \"{}\"", tokens[*at].shown)));
            }
        }
        Ok(())
    }
}

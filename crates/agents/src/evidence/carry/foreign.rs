//! Sentences in other languages: their grammar is not known here, so only what is nearly word for word is carried, and no
//! word that can turn a meaning round may be added or left out.

use crate::rules::words::{fold, word_ranges};

/// Frequent words of English that other languages of its script do not have.
const ENGLISH: &str = "the of and to is are was were for that with this from by it be has have which not on as at or an may must can will \
if all their they its you your been when than only each no there these should would under about between";

/// Words that change what is claimed, in the languages most often met.
const TURNING: &str = "nicht kein keine keinen keinem keiner keines nie niemals nirgends weder ohne kaum nur ausschliesslich alle jeder jede jedes \
immer manche einige viele wenige meist meistens kann konnen konnte konnten darf durfen soll sollen sollte sollten muss mussen etwa rund \
ungefahr circa ca fast mindestens hochstens bis maximal minimal wenn falls sofern ausser weil geplant voraussichtlich vielleicht moglich \
ne n pas jamais aucun aucune sans rien ni guere seulement uniquement tous toutes chaque toujours certains certaines quelques plusieurs peut peuvent \
pourrait pourraient doit doivent devrait devraient environ presque jusqu moins plus si sauf parce prevu probablement peut-etre \
no nunca jamas ningun ninguna nada nadie sin ni tampoco solo solamente unicamente todos todas cada siempre algunos algunas varios puede pueden podria \
debe deben deberia aproximadamente casi hasta menos mas excepto salvo porque previsto probablemente quiza \
non mai nessun nessuno nessuna senza soltanto tutti tutte ogni sempre alcuni alcune puo possono potrebbe deve devono dovrebbe circa quasi fino meno \
se tranne perche previsto nao nem nenhum nenhuma sem apenas todos sempre alguns algumas pode podem deve quase ate \
niet geen nooit zonder alleen alle elke altijd sommige enkele kan kunnen mag moet moeten zou ongeveer bijna tot als tenzij omdat gepland \
inte ej aldrig utan bara endast alla varje alltid nagra kan maste ska skulle ungefar nastan om eftersom ikke aldri aldrig uden uten kun alle hver \
nie nigdy bez tylko wszystkie kazdy zawsze niektore moze musi okolo prawie jesli";

/// Words that may come and go.
const LIGHT: &str = "der die das den dem des ein eine einen einem einer und le la les l d un une des du de et el los las y il lo gli i e o os as um \
uma het een en och den det ett og";

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Is this text in a language whose grammar is not known here?
pub(super) fn is_foreign(text: &str) -> bool {
    let words: Vec<String> = word_ranges(text).map(|range| fold(&text[range])).collect();
    let letters = words.iter().filter(|word| word.chars().any(char::is_alphabetic)).count();
    let other_script = text.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
    if other_script * 3 > text.chars().filter(|c| c.is_alphabetic()).count() {
        return true;
    }
    let english = words.iter().filter(|word| listed(ENGLISH, word)).count();
    let foreign = words
        .iter()
        .filter(|word| {
            (listed(LIGHT, word) && word.len() > 1 && !matches!(word.as_str(), "as" | "die" | "i" | "den"))
                || listed(TURNING, word)
                    && !matches!(
                        word.as_str(),
                        "no" | "solo"
                            | "se"
                            | "plus"
                            | "n"
                            | "circa"
                            | "minimal"
                            | "kind"
                            | "mag"
                            | "per"
                            | "tot"
                            | "pas"
                            | "ca"
                            | "nada"
                            | "mas"
                            | "bis"
                            | "maximal"
                            | "rund"
                            | "ska"
                            | "as"
                    )
        })
        .count();
    letters >= 3 && foreign > english
}

fn is_latin(letter: char) -> bool {
    letter.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&letter)
}

/// The words and numbers of a text; numbers with their separators as one.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut end = 0;
    for range in word_ranges(text) {
        let gap = &text[end..range.start];
        let digits = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let word = fold(&text[range.clone()]);
        end = range.end;
        let joined = matches!(gap, "." | "," | "\u{a0}" | "\u{202f}" | "'" | "’") && digits(&word);
        match found.last_mut() {
            Some(last) if joined && last.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',') => {
                last.push_str(if gap == "," { "," } else { "." });
                last.push_str(&word);
            }
            _ => found.push(word),
        }
    }
    found
}

/// Two words of one language that are forms of one word: they begin alike, and little follows.
fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if a.chars().any(|c| c.is_ascii_digit()) || b.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longer = a.chars().count().max(b.chars().count());
    shared >= 4 && longer - shared <= 2
}

/// Does a quote carry a sentence nearly word for word?
pub(super) fn carried(sentence: &str, quote: &str) -> Result<(), String> {
    let own = words(sentence);
    let theirs = words(quote);
    let number = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let mut from = 0;
    let mut places = Vec::new();
    for word in &own {
        let exact = number(word) || listed(TURNING, word);
        let found =
            theirs[from..].iter().position(|other| if exact { other == word } else { alike(word, other) });
        match found {
            Some(at) => {
                places.push(from + at);
                from += at + 1;
            }
            None if listed(LIGHT, word) => {}
            None if theirs.contains(word) => {
                return Err(format!("the quote says \"{word}\" in another place"));
            }
            None => return Err(format!("the quote does not say \"{word}\"")),
        }
    }
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Err("it says nothing".to_owned());
    };
    // A part of a sentence may not lose what turns it round, nor numbers between its words.
    let near = first.saturating_sub(3)..(last + 3).min(theirs.len());
    for at in near {
        let word = &theirs[at];
        let inside = (*first..=*last).contains(&at);
        if !places.contains(&at) && (listed(TURNING, word) || (inside && number(word))) {
            return Err(format!("it leaves out \"{word}\""));
        }
    }
    let left_out = (*first..=*last).filter(|at| !places.contains(at) && !listed(LIGHT, &theirs[*at])).count();
    if left_out * 4 > places.len() {
        return Err("it is not close enough to the words of its quote".to_owned());
    }
    Ok(())
}

//! The Porter stemmer, byte for byte as SQLite's FTS5 applies it, so that a word stemmed here equals the
//! term in the index. The test beside it compares the two over a word list.

/// FTS5 leaves words outside these lengths (in bytes) alone.
const SHORTEST: usize = 3;
const LONGEST: usize = 64;

/// Step 2 endings and what replaces them when the stem before has at least one vowel-consonant pair.
const STEP_2: &[(&[u8], &[u8])] = &[
    (b"ational", b"ate"),
    (b"tional", b"tion"),
    (b"enci", b"ence"),
    (b"anci", b"ance"),
    (b"izer", b"ize"),
    (b"logi", b"log"),
    (b"bli", b"ble"),
    (b"alli", b"al"),
    (b"entli", b"ent"),
    (b"eli", b"e"),
    (b"ousli", b"ous"),
    (b"ization", b"ize"),
    (b"ation", b"ate"),
    (b"ator", b"ate"),
    (b"alism", b"al"),
    (b"iveness", b"ive"),
    (b"fulness", b"ful"),
    (b"ousness", b"ous"),
    (b"aliti", b"al"),
    (b"iviti", b"ive"),
    (b"biliti", b"ble"),
];

const STEP_3: &[(&[u8], &[u8])] = &[
    (b"icate", b"ic"),
    (b"ative", b""),
    (b"alize", b"al"),
    (b"iciti", b"ic"),
    (b"ical", b"ic"),
    (b"ful", b""),
    (b"ness", b""),
];

/// Step 4 endings, dropped when the stem before has more than one pair. Longer ones stand first.
const STEP_4: &[&[u8]] = &[
    b"ement", b"ance", b"ence", b"able", b"ible", b"ment", b"ant", b"ent", b"ism", b"ate", b"iti", b"ous",
    b"ive", b"ize", b"al", b"er", b"ic", b"ou",
];

/// The stem of one lower-case word.
#[must_use]
pub fn stem(word: &str) -> String {
    if word.len() < SHORTEST || word.len() > LONGEST {
        return word.to_owned();
    }
    let mut bytes = word.as_bytes().to_vec();
    plurals(&mut bytes);
    if past_and_gerund(&mut bytes) {
        repair_after_step_1b(&mut bytes);
    }
    if bytes.last() == Some(&b'y') && has_vowel(&bytes[..bytes.len() - 1]) {
        replace_last(&mut bytes, b'i');
    }
    replace_ending(&mut bytes, STEP_2);
    replace_ending(&mut bytes, STEP_3);
    drop_step_4(&mut bytes);
    drop_final_e(&mut bytes);
    if bytes.ends_with(b"ll") && pairs(&bytes[..bytes.len() - 1]) > 1 {
        bytes.pop();
    }
    // Only ASCII endings are ever cut, so what is left is still UTF-8.
    String::from_utf8(bytes).unwrap_or_else(|_| word.to_owned())
}

fn replace_last(bytes: &mut [u8], with: u8) {
    if let Some(last) = bytes.last_mut() {
        *last = with;
    }
}

fn is_vowel(byte: u8, y_is_vowel: bool) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u') || (y_is_vowel && byte == b'y')
}

fn has_vowel(stem: &[u8]) -> bool {
    stem.iter().enumerate().any(|(i, &b)| is_vowel(b, i > 0))
}

/// Porter's m, counted up to 2: how often a vowel run is followed by a consonant run.
fn pairs(stem: &[u8]) -> usize {
    let mut count = 0;
    let mut consonant = false;
    let mut in_vowels = false;
    for &byte in stem {
        consonant = !is_vowel(byte, consonant);
        if consonant && in_vowels {
            count += 1;
        }
        in_vowels = !consonant;
    }
    count
}

/// Porter's *o: ends consonant-vowel-consonant, the last not w, x or y.
fn ends_cvc(stem: &[u8]) -> bool {
    if matches!(stem.last(), None | Some(b'w' | b'x' | b'y')) {
        return false;
    }
    let mut mask = 0_u8;
    let mut consonant = false;
    for &byte in stem {
        consonant = !is_vowel(byte, consonant);
        mask = (mask << 1) | u8::from(consonant);
    }
    mask & 0b111 == 0b101
}

fn plurals(bytes: &mut Vec<u8>) {
    let len = bytes.len();
    if !bytes.ends_with(b"s") {
        return;
    }
    if len > 1 && bytes[len - 2] == b'e' {
        let cut =
            if (len > 4 && bytes.ends_with(b"sses")) || (len > 3 && bytes.ends_with(b"ies")) { 2 } else { 1 };
        bytes.truncate(len - cut);
    } else if len > 1 && bytes[len - 2] != b's' {
        bytes.truncate(len - 1);
    }
}

/// Step 1b; true when "ed" or "ing" was cut and the stem may need repair.
fn past_and_gerund(bytes: &mut Vec<u8>) -> bool {
    let len = bytes.len();
    if len > 3 && bytes.ends_with(b"eed") {
        if pairs(&bytes[..len - 3]) > 0 {
            bytes.truncate(len - 1);
        }
        return false;
    }
    for ending in [&b"ed"[..], b"ing"] {
        if len > ending.len() && bytes.ends_with(ending) && has_vowel(&bytes[..len - ending.len()]) {
            bytes.truncate(len - ending.len());
            return true;
        }
    }
    false
}

fn repair_after_step_1b(bytes: &mut Vec<u8>) {
    let len = bytes.len();
    if [&b"at"[..], b"bl", b"iz"].iter().any(|end| len > 2 && bytes.ends_with(end)) {
        bytes.push(b'e');
        return;
    }
    let Some(&last) = bytes.last() else { return };
    let double = len > 1 && bytes[len - 2] == last && !is_vowel(last, false);
    if double && !matches!(last, b'l' | b's' | b'z') {
        bytes.pop();
    } else if pairs(bytes) == 1 && ends_cvc(bytes) {
        bytes.push(b'e');
    }
}

fn replace_ending(bytes: &mut Vec<u8>, rules: &[(&[u8], &[u8])]) {
    for (ending, with) in rules {
        if bytes.len() > ending.len() && bytes.ends_with(ending) {
            let keep = bytes.len() - ending.len();
            if pairs(&bytes[..keep]) > 0 {
                bytes.truncate(keep);
                bytes.extend_from_slice(with);
            }
            return;
        }
    }
}

fn drop_step_4(bytes: &mut Vec<u8>) {
    for ending in STEP_4 {
        if bytes.len() > ending.len() && bytes.ends_with(ending) {
            let keep = bytes.len() - ending.len();
            if pairs(&bytes[..keep]) > 1 {
                bytes.truncate(keep);
            }
            return;
        }
    }
    if bytes.len() > 3 && bytes.ends_with(b"ion") {
        let stem = &bytes[..bytes.len() - 3];
        if matches!(stem.last(), Some(b's' | b't')) && pairs(stem) > 1 {
            bytes.truncate(bytes.len() - 3);
        }
    }
}

fn drop_final_e(bytes: &mut Vec<u8>) {
    if bytes.last() != Some(&b'e') {
        return;
    }
    let stem = &bytes[..bytes.len() - 1];
    let m = pairs(stem);
    if m > 1 || (m == 1 && !ends_cvc(stem)) {
        bytes.pop();
    }
}

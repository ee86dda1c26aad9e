//! Keys in every dress, and words that are no keys.

use super::*;

fn secret(key: &str) -> SecretString {
    SecretString::from(key.to_owned())
}

/// What an echo of `ab"+/key~9` looks like in the usual notations.
#[test]
fn a_key_is_known_however_it_is_written() {
    let key = secret("ab\"+/key~9");
    let scrub = Scrub::of([&key]);
    let cases = [
        ("it is ab\"+/key~9.", "it is [key]."),
        (r#"{"model": "ab\"+/key~9"}"#, r#"{"model": "[key]"}"#),
        ("?key=ab%22%2B%2Fkey~9&x", "?key=[key]&x"),
        ("?key=ab%22%2b%2fkey~9&x", "?key=[key]&x"),
        ("6162222 6162222b2f6b65797e39", "6162222 [key]"),
        // base64 of the key alone, of `a:` and `ab:` before it, and without padding.
        ("Basic YWIiKy9rZXl+OQ==", "Basic [key]Q=="),
        ("Basic YTphYiIrL2tleX45", "Basic YTp[key]"),
        ("Basic YWI6YWIiKy9rZXl+OQ", "Basic YWI6[key]Q"),
        ("url-safe YWIiKy9rZXl-OQ", "url-safe [key]Q"),
        ("nothing of ours", "nothing of ours"),
    ];
    for (text, clean) in cases {
        assert_eq!(scrub.answer(text), clean);
        assert_eq!(scrub.label(text), clean);
    }
}

#[test]
fn keys_used_for_others_are_known_too() {
    let (ours, theirs) = (secret("sk-for-one-provider"), secret("sk-for-one-provider-and-more"));
    drop(Scrub::of([&theirs]));
    let scrub = Scrub::of([&ours]);
    assert_eq!(scrub.answer("sk-for-one-provider-and-more sk-for-one-provider"), "[key] [key]");
    assert_eq!(Scrub::of([]).answer("sk-for-one-provider"), "[key]");
}

#[test]
fn a_short_key_goes_from_names_and_errors_where_it_stands_alone() {
    let scrub = Scrub::of([&secret("oll"), &secret("k")]);
    assert_eq!(scrub.label("bad key: oll; a roll of oll, k"), "bad key: [key]; a roll of [key], [key]");
    assert_eq!(scrub.label("Bearer oll"), "Bearer [key]");
    assert_eq!(scrub.answer("oll is said to be k"), "oll is said to be k");
}

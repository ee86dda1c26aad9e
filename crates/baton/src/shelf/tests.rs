//! A key is seen wherever it stands, also across two writes.

use super::*;

fn guarded(keys: &[(&str, &str)]) -> Guarded<Vec<u8>> {
    let keys = keys.iter().map(|(name, key)| ((*name).to_owned(), key.as_bytes().to_vec())).collect();
    Guarded { to: Vec::new(), keys, met: None, tail: Vec::new() }
}

#[test]
fn a_key_is_met_whole_and_in_pieces_and_nothing_else_is() {
    let mut clean = guarded(&[("A_KEY", "sk-123456789012")]);
    clean.write_all(b"sk-12345678901 sk-").expect("written");
    clean.write_all(b"and so on sk-1234").expect("written");
    assert_eq!(clean.met(), None);
    for cut in 0..15 {
        let mut seen = guarded(&[("OTHER_TOKEN", "zzzzzzzzzzzzzzzz"), ("A_KEY", "sk-123456789012")]);
        let (one, two) = b"sk-123456789012".split_at(cut);
        seen.write_all(&[b"before ", one].concat()).expect("written");
        seen.write_all(&[two, b" behind"].concat()).expect("written");
        assert_eq!(seen.met(), Some("A_KEY"), "{cut}");
        assert_eq!(seen.into_inner(), b"before sk-123456789012 behind");
    }
}

//! From bytes to text: byte-order marks, declared encodings, detection; and telling text from binary.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::ReadError;

/// Bytes decoded to text with line feeds only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Name of the encoding it was in.
    pub encoding: &'static str,
}

/// Decodes text. `declared` is what a header or a page says of itself; valid UTF-8 always wins over it, for
/// pages that declare wrongly are common and other encodings almost never look like UTF-8.
#[must_use]
pub fn decode(bytes: &[u8], declared: Option<&str>) -> Decoded {
    let (text, encoding) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            (encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned(), encoding)
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), UTF_8),
            Err(_) => {
                let encoding = declared.and_then(usable).unwrap_or_else(|| guess(bytes));
                (encoding.decode_without_bom_handling(bytes).0.into_owned(), encoding)
            }
        },
    };
    Decoded { text: line_feeds(text), encoding: encoding.name() }
}

/// A declared encoding, unless it says UTF-8 for bytes that are not.
fn usable(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim().as_bytes()).filter(|encoding| *encoding != UTF_8)
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, chardetng::Utf8Detection::Allow);
    // Mostly UTF-8 with a few broken bytes: keep the rest readable.
    if encoding == UTF_8 { WINDOWS_1252 } else { encoding }
}

/// Turns CR LF and lone CR into LF.
pub(super) fn line_feeds(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// Refuses bytes that cannot be text: a zero byte, or many control characters, in the first 64 kB.
pub fn require_text(bytes: &[u8]) -> Result<(), ReadError> {
    if Encoding::for_bom(bytes).is_some() {
        return Ok(());
    }
    let head = &bytes[..bytes.len().min(65_536)];
    if let Some(offset) = head.iter().position(|&b| b == 0) {
        return Err(ReadError::Binary { offset, found: "a zero byte".to_owned() });
    }
    let is_control = |b: &u8| *b < 32 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x0c | 0x08 | 0x1b);
    let controls = head.iter().filter(|b| is_control(b)).count();
    match head.iter().position(is_control) {
        Some(offset) if controls * 20 > head.len() => {
            let found = format!("a control character (0x{:02x})", head[offset]);
            Err(ReadError::Binary { offset, found })
        }
        _ => Ok(()),
    }
}

/// Language of a text (ISO 639-3), if it is long enough and the guess is reliable.
#[must_use]
pub fn language(text: &str) -> Option<String> {
    let sample = &text[..text.floor_char_boundary(4096)];
    whatlang::detect(sample).filter(whatlang::Info::is_reliable).map(|info| info.lang().code().to_owned())
}

//! Documents and what sites say of them: HTML, Word, PDF, CSV, plain text, robots.txt.

use baton_agents::read::{
    Format, ReadError, Reading, docx as word, fetch, html as page, pdf as pages, plain as flat,
};

/// What a document may unpack to here. Real limits are larger, and would only make the machine slow.
const LIMIT: u64 = 64 * 1024;
const MOST: usize = 64 * 1024;

/// HTML. Every element stands for a mark of a few bytes, and a byte of another encoding for three.
pub fn html(bytes: &[u8]) {
    holds(&page::read(bytes, None), 16 * bytes.len() + 64);
}

/// Word. Bytes that are no archive are taken as the document part itself: chance cannot mend the sums of an archive.
pub fn docx(bytes: &[u8]) {
    holds(&word::read(bytes, LIMIT), 16 * MOST);
    if let Ok(xml) = std::str::from_utf8(bytes)
        && let Ok(text) = word::body_text(xml)
    {
        holds(&Ok(Reading { text, ..Reading::default() }), 4 * bytes.len() + 64);
    }
}

/// PDF.
pub fn pdf(bytes: &[u8]) {
    holds(&pages::read(bytes), usize::MAX);
}

/// CSV: every row repeats the names of the first one, so only the limit bounds it.
pub fn csv(bytes: &[u8]) {
    holds(&flat::read(Format::Csv, bytes, LIMIT), MOST.max(4 * bytes.len()));
}

/// Plain text and Markdown.
pub fn plain(bytes: &[u8]) {
    for format in [Format::Text, Format::Markdown] {
        holds(&flat::read(format, bytes, LIMIT), 3 * bytes.len());
    }
}

/// robots.txt: a remark at its end changes nothing.
pub fn robots(bytes: &[u8]) {
    let remarked = [bytes, b"\n# a remark\n"].concat();
    for address in
        ["http://example.org/", "http://example.org/a/b.html?c=d", "http://example.org/%7Ea/%C3%BC"]
    {
        let url = address.parse().expect("an address");
        let said = fetch::robots_say(bytes, "baton", &url);
        assert_eq!(
            said,
            fetch::robots_say(&remarked, "baton", &url),
            "a remark changes what is said of {address}"
        );
    }
}

/// What every reading promises: bounded, line feeds only, offsets between characters and in order.
fn holds(read: &Result<Reading, ReadError>, most: usize) {
    let Ok(reading) = read else { return };
    let text = &reading.text;
    assert!(text.len() <= most, "{} bytes of text, at most {most}", text.len());
    assert!(!text.contains('\r'), "a carriage return is left");
    let contents = reading.contents.iter().flat_map(|range| [range.start, range.end]);
    for offsets in [reading.pages.clone(), contents.collect()] {
        assert!(offsets.is_sorted(), "offsets out of order");
        assert!(
            offsets.iter().all(|at| text.is_char_boundary(*at)),
            "an offset inside a character or past the end"
        );
    }
}

//! Formats from bytes, and a web site that misbehaves.

use std::io::Write;
use std::net::IpAddr;
use std::time::Duration;

use baton_testkit::http_server::{HttpServer, Response};

use super::archive::Archive;
use super::fetch::{FetchSettings, Fetcher};
use super::guard::is_public;
use super::{Format, ReadError, docx, encoding, html, plain};

fn settings(site: &HttpServer) -> FetchSettings {
    FetchSettings {
        idle: Duration::from_millis(1500),
        total: Duration::from_secs(20),
        max_bytes: 100_000,
        max_unpacked: 200_000,
        allowed_private: vec![site.host()],
        ..FetchSettings::default()
    }
}

/// Fetches a path of a site and shows the outcome as a person would see it, the site's address left out.
fn outcome(site: &HttpServer, path: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fetcher = Fetcher::new(settings(site)).unwrap();
    let shown = match runtime.block_on(fetcher.fetch(&site.url(path))) {
        Ok(page) => match page.format {
            Format::Html => html::read(&page.body, page.charset.as_deref())
                .map_or_else(|e| e.to_string(), |reading| reading.text),
            _ => String::from_utf8_lossy(&page.body).into_owned(),
        },
        Err(error) => error.to_string(),
    };
    shown.trim().replace(&site.url(""), "SITE")
}

#[test]
fn an_ordinary_page_is_fetched_and_read() {
    let page = "<html><head><title>T</title></head><body><nav>menu</nav><h1>Head</h1><p>Some <b>text</b>.</p></body></html>";
    let site = HttpServer::site([
        ("/a", Response::html(page)),
        ("/b", Response::redirect("/a")),
        ("/c", Response::gzip(page)),
    ])
    .unwrap();
    for path in ["/a", "/b", "/c"] {
        assert_eq!(outcome(&site, path), "# Head\n\nSome text.");
    }
}

#[test]
fn redirects_end_and_are_checked() {
    let site = HttpServer::site([
        ("/loop", Response::redirect("/loop")),
        ("/inside", Response::redirect("http://10.0.0.7/secret")),
        ("/meta", Response::redirect("http://169.254.169.254/latest")),
        ("/local", Response::redirect("http://127.0.0.1:1/")),
        ("/file", Response::redirect("file:///etc/passwd")),
        ("/named", Response::redirect("http://localhost:1/")),
    ])
    .unwrap();
    assert_eq!(outcome(&site, "/loop"), "SITE/loop redirects more than 5 times");
    let refused = |address: &str, ip: &str, port: u16| {
        format!(
            "{address} was not fetched: {ip} is a private or local address; if it is meant, allow it with \
             --allow-private {ip}:{port}"
        )
    };
    assert_eq!(outcome(&site, "/inside"), refused("http://10.0.0.7/secret", "10.0.0.7", 80));
    assert_eq!(outcome(&site, "/meta"), refused("http://169.254.169.254/latest", "169.254.169.254", 80));
    assert_eq!(outcome(&site, "/local"), refused("http://127.0.0.1:1/", "127.0.0.1", 1));
    assert_eq!(outcome(&site, "/file"), "file:///etc/passwd was not fetched: file addresses are not fetched");
    let named = outcome(&site, "/named");
    assert!(named.contains("localhost leads to") && named.contains("a private or local address"), "{named}");
}

#[test]
fn size_and_time_have_limits() {
    let site = HttpServer::site([
        ("/huge", Response::Huge(3_000_000_000)),
        ("/endless", Response::Flood("text/plain".to_owned())),
        ("/stalls", Response::Stalls),
        ("/silent", Response::Silence),
        ("/bomb", Response::gzip_bomb(5_000_000)),
    ])
    .unwrap();
    assert_eq!(outcome(&site, "/huge"), "SITE/huge is 3000000000 bytes, more than the limit of 100000");
    assert!(outcome(&site, "/endless").ends_with("more than the limit of 100000"));
    assert_eq!(outcome(&site, "/stalls"), "SITE/stalls took too long");
    assert_eq!(outcome(&site, "/silent"), "SITE/silent took too long");
    assert_eq!(outcome(&site, "/bomb"), "SITE/bomb unpacks to more than the limit of 200000 bytes");
}

#[test]
fn robots_txt_is_obeyed_and_asked_once() {
    let robots = Response::ok("text/plain", "User-agent: *\nDisallow: /private\n");
    let site = HttpServer::site([
        ("/robots.txt", robots),
        ("/private/x", Response::html("x")),
        ("/open", Response::html("<p>open page</p>")),
    ])
    .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fetcher = Fetcher::new(settings(&site)).unwrap();
    let refused = runtime.block_on(fetcher.fetch(&site.url("/private/x"))).unwrap_err();
    assert!(refused.to_string().ends_with("/private/x was not fetched: the site's robots.txt forbids it"));
    assert!(runtime.block_on(fetcher.fetch(&site.url("/open"))).is_ok());
    assert_eq!(site.paths(), ["/robots.txt", "/open"]);
}

#[test]
fn pages_without_text_say_why() {
    let login = "<body><form><input type=password></form><p>Please sign in to continue.</p></body>";
    let script = "<body><div id=app></div><script>render()</script></body>";
    let site = HttpServer::site([
        ("/login", Response::html(login)),
        ("/script", Response::html(script)),
        ("/gone", Response::status(410)),
        ("/zip", Response::ok("application/zip", vec![1])),
    ])
    .unwrap();
    assert_eq!(outcome(&site, "/login"), "has no text: the page asks for a login");
    assert_eq!(outcome(&site, "/script"), "has no text: the page is made by scripts, which are not run");
    assert_eq!(outcome(&site, "/gone"), "SITE/gone answered 410");
    assert_eq!(
        outcome(&site, "/zip"),
        "SITE/zip is of a kind that cannot be read (known: txt, md, rst, adoc, org, html, pdf, docx, csv)"
    );
}

#[test]
fn wrong_encodings_are_put_right() {
    let latin: Vec<u8> =
        "<p>Größe und Länge müssen für später übrig bleiben</p>".chars().map(|c| c as u8).collect();
    let wrong = Response::ok("text/html; charset=utf-8", latin);
    let claims_latin = Response::ok("text/html; charset=iso-8859-1", "<p>Größe</p>");
    let site = HttpServer::site([("/wrong", wrong), ("/claims", claims_latin)]).unwrap();
    assert_eq!(outcome(&site, "/wrong"), "Größe und Länge müssen für später übrig bleiben");
    assert_eq!(outcome(&site, "/claims"), "Größe");
}

#[test]
fn private_and_special_addresses_are_told_from_public_ones() {
    let public = ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8"];
    let private = [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "224.0.0.1",
        "255.255.255.255",
    ];
    for address in public {
        assert!(is_public(address.parse::<IpAddr>().unwrap()), "{address}");
    }
    for address in private {
        assert!(!is_public(address.parse::<IpAddr>().unwrap()), "{address}");
    }
}

#[test]
fn text_is_told_from_binary() {
    let refused = plain::read(Format::Text, b"\x7fELF\x02\x01\x00\x00", 10_000).unwrap_err();
    assert_eq!(refused.to_string(), "is not text: byte 6 is a zero byte");
    assert_eq!(
        plain::read(Format::Text, b" \n", 10_000).unwrap_err().to_string(),
        "has no text: the file holds only white space"
    );
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("Hi there".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(plain::read(Format::Text, &utf16, 10_000).unwrap().text, "Hi there");
    assert_eq!(
        encoding::language(
            "This is a plain English sentence about nothing in particular, and here is another one."
        )
        .as_deref(),
        Some("eng")
    );
}

#[test]
fn tables_become_lines_that_can_be_quoted() {
    let reading =
        plain::read(Format::Csv, b"city;people\nLisbon;545000\n\"Vila Real\";49000\n", 10_000).unwrap();
    assert_eq!(
        reading.text,
        "city | people\ncity: Lisbon | people: 545000\ncity: Vila Real | people: 49000\n"
    );
}

#[test]
fn a_table_whose_names_repeat_beyond_all_bounds_is_refused() {
    let bomb = format!("{}\n{}", "n".repeat(2_000), "1\n".repeat(2_000));
    assert_eq!(
        plain::read(Format::Csv, bomb.as_bytes(), 1_000_000).unwrap_err().to_string(),
        "unpacks to more than the limit of 1000000 bytes"
    );
}

#[test]
fn no_carriage_return_is_left_in_a_text() {
    let page = "<pre>a&#13;\nb</pre>";
    assert_eq!(html::read(page.as_bytes(), None).unwrap().text, "    a\n    b\n");
    let cell = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>c\r\nd&#13;e</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let body = format!("<w:p><w:r><w:t>a\r\nb</w:t></w:r></w:p>{cell}");
    assert_eq!(docx::read(&word_file(&body), 10_000).unwrap().text, "a\nb\n\n| c d e |\n\n");
}

#[test]
fn html_keeps_structure_and_metadata() {
    let page = r#"<html lang="en"><head><title>The page</title><meta name="author" content="A. Writer"><meta property="article:published_time" content="2021-03-04T10:00:00Z"></head>
        <body><div class="sidebar">skip</div><main><h2>Options</h2><dl><dt>--depth n</dt><dd>How deep.</dd></dl><ul><li>one</li><li>two</li></ul>
        <pre>a  b
  c</pre><table><tr><th>x</th><td>1</td></tr></table></main><footer>skip</footer></body></html>"#;
    let reading = html::read(page.as_bytes(), None).unwrap();
    assert_eq!(
        reading.text,
        "## Options\n\n--depth n\n  How deep.\n\n- one\n\n- two\n\n    a  b\n      c\n\n| x | 1\n"
    );
    assert_eq!(
        (reading.title.as_deref(), reading.author.as_deref(), reading.date.as_deref()),
        (Some("The page"), Some("A. Writer"), Some("2021-03-04"))
    );
}

#[test]
fn a_box_beside_the_text_is_kept_when_it_holds_sentences() {
    let prose = "The sticky bit on a directory restricts the deletion of files to their owner and to the owner of the directory, \
                 which is why shared folders for temporary files carry it on nearly every system.";
    let links: String = (0..40).map(|n| format!("<li><a href=\"/{n}\">page {n}</a></li>")).collect();
    let page = |element: &str, inner: &str| {
        let html = format!(
            "<body><p>Main text.</p><{element}>{inner}</{}></body>",
            element.split(' ').next().unwrap()
        );
        html::read(html.as_bytes(), None).unwrap().text
    };
    for element in ["div class=\"sidebar\"", "aside"] {
        assert!(page(element, prose).contains("restricts the deletion"), "{element}");
        assert!(!page(element, &links).contains("page 7"), "{element}");
    }
}

#[test]
fn paragraphs_inside_cells_do_not_break_a_row() {
    let page = "<table><tr><td><p>type</p></td><td><p>default</p></td></tr><tr><td><p>word</p></td><td><p>none</p></td></tr></table>\
                <table><tr><td><p>A page laid out in a table.</p><pre>run it</pre></td></tr></table>";
    let text = html::read(page.as_bytes(), None).unwrap().text;
    assert!(text.contains("| type | default\n| word | none\n"), "{text}");
    assert!(text.contains("A page laid out in a table.\n\n    run it"), "{text}");
}

#[test]
fn a_table_of_contents_is_kept_and_marked() {
    let page = "<body><h1>Book</h1><div class=toc><ul><li>One</li><li>Two</li></ul></div><h2>One</h2><p>First words.</p></body>";
    let reading = html::read(page.as_bytes(), None).unwrap();
    assert_eq!(reading.text, "# Book\n\n- One\n\n- Two\n\n## One\n\nFirst words.\n");
    assert_eq!(reading.text[reading.contents[0].clone()].trim(), "- One\n\n- Two");
}

#[test]
fn a_page_that_names_its_table_of_contents_in_its_body_is_no_table_of_contents() {
    let page = "<body class='article toc2 toc-left'><div id=toc class=toc2><ul><li>Limits</li></ul></div>\
                <div class=sect1><h2>Limits</h2><p>Files of two gigabytes are read.</p></div></body>";
    let reading = html::read(page.as_bytes(), None).unwrap();
    let words = "Files of two gigabytes are read.";
    assert!(reading.contents.iter().all(|range| !reading.text[range.clone()].contains(words)));
    assert!(reading.text.contains(words));
}

#[test]
fn a_link_back_to_the_table_of_contents_holds_its_heading() {
    let page = "<body><div class='contents topic'><ul><li><a class=reference href='#a'>Limits</a></li></ul></div>\
                <h2><a class=toc-backref href='#id1'>Limits of <code>size</code></a></h2><p>It is small.</p></body>";
    let reading = html::read(page.as_bytes(), None).unwrap();
    assert_eq!(reading.text, "- Limits\n\n## Limits of size\n\nIt is small.\n");
    assert_eq!(reading.contents.len(), 1);
}

#[test]
fn what_a_page_does_not_show_is_not_read() {
    let page =
        "<body><p>Seen.</p><p style='color:red; display: none'>Unseen.</p><p hidden>Unseen.</p></body>";
    assert_eq!(html::read(page.as_bytes(), None).unwrap().text, "Seen.\n");
}

#[test]
fn the_meaning_of_a_term_stands_deeper_than_the_term() {
    let page = "<dl><dt>depth</dt><dd><p>How far.</p><dl><dt>full</dt><dd>All of it.</dd></dl></dd>\
                <dt>bare</dt><dd>No files.</dd></dl><p>That is all.</p>";
    let text = html::read(page.as_bytes(), None).unwrap().text;
    assert_eq!(text, "depth\n\n  How far.\n\n  full\n    All of it.\n\nbare\n  No files.\n\nThat is all.\n");
}

#[test]
fn what_is_raised_changes_no_number() {
    for (page, text) in [
        ("at most 2<sup>32</sup>-1 rows", "at most 2^32-1 rows\n"),
        ("since 2004<a href='#n'><sup>3</sup></a> only", "since 2004[3] only\n"),
        ("the 5<sup>th</sup> of them", "the 5th of them\n"),
        ("a mark<sup>1</sup> of a note", "a mark1 of a note\n"),
    ] {
        assert_eq!(html::read(format!("<p>{page}</p>").as_bytes(), None).unwrap().text, text);
    }
}

#[test]
fn deep_html_does_not_exhaust_the_stack() {
    let page = format!("{}<p>deep</p>{}", "<div>".repeat(4_000), "</div>".repeat(4_000));
    assert_eq!(html::read(page.as_bytes(), None).unwrap().text.trim(), "deep");
}

pub(crate) fn word_file(body: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("word/document.xml", options).unwrap();
    archive
        .write_all(format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>").as_bytes())
        .unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn word_documents_are_read() {
    let body = r#"<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p><w:p><w:r><w:t>Fish &amp; chips</w:t></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"#;
    assert_eq!(docx::read(&word_file(body), 10_000).unwrap().text, "# Head\n\nFish & chips\n\n| a | b |\n\n");
}

#[test]
fn a_word_document_that_is_a_bomb_is_refused() {
    let bomb = word_file(&" ".repeat(2_000_000));
    assert!(bomb.len() < 10_000);
    assert_eq!(
        docx::read(&bomb, 1_000_000).unwrap_err().to_string(),
        "unpacks to more than the limit of 1000000 bytes"
    );
    assert_eq!(docx::read(&[0xd0, 0xcf, 0x11, 0xe0, 0, 0], 10).unwrap_err(), ReadError::Password);
}

#[test]
fn the_archive_gives_back_what_was_put_in() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::new(folder.path());
    let hash = archive.put(b"some bytes").unwrap();
    assert_eq!(
        (archive.put(b"some bytes").unwrap(), archive.get(&hash).unwrap()),
        (hash.clone(), b"some bytes".to_vec())
    );
    assert_eq!(hash, crate::hash::sha256_hex(b"some bytes"));
    assert_eq!(
        archive.get("../../etc/passwd").unwrap_err().to_string(),
        "nothing is archived under ../../etc/passwd"
    );
}

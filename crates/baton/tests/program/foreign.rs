//! Foreign and hostile documents, read by the real child: what it refuses, and that its end costs one document.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use baton_agents::read::extract::{CHILD_ARGUMENT, ChildCommand, Extractor};
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::{Format, ReadError};

use crate::support::{Home, Output};

fn child() -> ChildCommand {
    ChildCommand { program: env!("CARGO_BIN_EXE_baton").into(), arguments: vec![CHILD_ARGUMENT.to_owned()] }
}

/// Puts a document below the desk's folder of documents.
fn put(home: &Home, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
    let path = home.desk().join("docs").join(name.as_ref());
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, bytes).expect("written");
}

fn search(home: &Home, words: &str) -> Output {
    home.baton(&["search", words, "--docs", "docs"])
}

#[test]
fn links_are_followed_inside_only_and_never_twice() {
    let home = Home::new();
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("secret.txt"), "The secret gadget weighs 99 grams.").expect("written");
    put(&home, "sub/a.txt", "The gadget weighs 30 grams.\n");
    put(&home, ".hidden.txt", "The hidden gadget weighs 77 grams.\n");
    let docs = home.desk().join("docs");
    symlink(outside.path(), docs.join("out")).expect("linked");
    symlink(outside.path().join("secret.txt"), docs.join("secret.txt")).expect("linked");
    symlink(&docs, docs.join("sub/loop")).expect("linked");
    let said = search(&home, "How much does the gadget weigh?");
    assert!(said.code == Some(0) && said.out.contains("30 grams"), "{said:?}");
    assert!(!said.out.contains("99 grams") && !said.out.contains("77 grams"), "{said:?}");
    assert_eq!(
        said.err,
        "left out: out a link that leads out of the folder\n\
         left out: secret.txt a link that leads out of the folder\n\
         left out: sub/loop a link back to a folder already read\n"
    );
}

#[test]
fn names_that_are_no_text_and_files_that_are_too_large_are_survived() {
    let home = Home::new();
    put(&home, OsStr::from_bytes(b"caf\xe9.txt"), "The saucer weighs 12 grams.\n");
    put(&home, "large.txt", "");
    let large = std::fs::File::options().write(true).open(home.desk().join("docs/large.txt")).expect("open");
    large.set_len(2_000_000_000).expect("made large");
    let said = search(&home, "How much does the saucer weigh?");
    assert!(said.code == Some(0) && said.out.contains("12 grams"), "{said:?}");
    assert_eq!(said.err, "left out: large.txt is 2000000000 bytes, more than the limit of 67108864\n");
}

#[test]
fn gzip_files_are_read_and_bombs_are_not() {
    let home = Home::new();
    let pack = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).expect("packed");
        packer.finish().expect("packed")
    };
    put(&home, "a.txt.gz", pack(b"The gadget weighs 30 grams.\n"));
    put(&home, "bomb.txt.gz", pack(&vec![b' '; 140_000_000]));
    let said = search(&home, "How much does the gadget weigh?");
    assert!(said.out.contains("30 grams"), "{said:?}");
    assert_eq!(said.err, "left out: bomb.txt.gz unpacks to more than the limit of 134217728 bytes\n");
}

/// A one-page PDF with one line of text.
fn pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    assemble(&objects, "")
}

/// The same, but encrypted with a password nobody gave (the key bytes are arbitrary).
fn locked_pdf() -> Vec<u8> {
    let key = "A".repeat(64);
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>".to_owned(),
        format!("<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <{key}> /U <{key}> >>"),
    ];
    assemble(
        &objects,
        "/Encrypt 4 0 R /ID [<0123456789abcdef0123456789abcdef> <0123456789abcdef0123456789abcdef>] ",
    )
}

fn assemble(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut out = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let table = out.len();
    out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        out.push_str(&format!("{offset:010} 00000 n \n"));
    }
    out.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R {trailer}>>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    ));
    out.into_bytes()
}

#[test]
fn a_pdf_is_read_with_its_pages() {
    let mut extractor = Extractor::new(child(), &Limits::default());
    let reading = extractor.extract(Format::Pdf, &pdf("The gadget weighs 30 grams."), None).expect("fine");
    assert_eq!((reading.text.trim(), reading.pages.as_slice()), ("The gadget weighs 30 grams.", &[0][..]));
    assert_eq!(reading.pages_of(&(4..10)), Some((1, 1)));
}

#[test]
fn a_pdf_with_a_password_says_so() {
    let mut extractor = Extractor::new(child(), &Limits::default());
    let refused = extractor.extract(Format::Pdf, &locked_pdf(), None).expect_err("refused");
    assert_eq!(refused.to_string(), "is protected by a password");
}

#[test]
fn a_child_that_dies_takes_one_document_with_it() {
    // So little memory that a large page cannot be held: the child aborts on it and is replaced.
    let limits = Limits { child_memory: 150 << 20, child_seconds: 60, ..Limits::default() };
    let mut extractor = Extractor::new(child(), &limits);
    let small = b"<p>Some words.</p>";
    assert_eq!(extractor.extract(Format::Html, small, None).expect("fine").text, "Some words.\n");
    let large = "<p>word</p>".repeat(3_000_000);
    let died = extractor.extract(Format::Html, large.as_bytes(), None).expect_err("refused");
    assert!(
        matches!(&died, ReadError::Child(reason) if reason.starts_with("the reading process ended")),
        "{died:?}"
    );
    assert_eq!(extractor.extract(Format::Html, small, None).expect("fine").text, "Some words.\n");
}

#[test]
fn a_document_that_takes_too_long_is_given_up() {
    let limits = Limits { child_seconds: 0, ..Limits::default() };
    let refused =
        Extractor::new(child(), &limits).extract(Format::Html, b"<p>x</p>", None).expect_err("refused");
    assert_eq!(refused.to_string(), "could not be parsed safely: it took longer than 0 s");
}

#[test]
fn a_file_that_keeps_changing_is_not_read_half() {
    let home = Home::new();
    home.write("growing.txt", "start\n");
    let path = home.desk().join("growing.txt");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let mut reader = FileReader::new(Limits::default(), child());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("fine");
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                file.write_all(&[b'x'; 100]).expect("fine");
                // Never so large that its size alone is a reason.
                if file.metadata().expect("fine").len() > 1 << 20 {
                    file.set_len(6).expect("fine");
                }
            }
        });
        let mut refused = None;
        for _ in 0..2000 {
            match reader.read(&path) {
                Err(error) => {
                    refused = Some(error.to_string());
                    break;
                }
                Ok(document) => {
                    assert_eq!(document.raw_hash, baton_agents::hash::sha256_hex(&document.raw));
                }
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(
            refused.as_deref(),
            Some("kept changing while it was read; read it again when nothing writes to it")
        );
    });
}

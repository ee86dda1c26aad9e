//! Questions to small folders, where counting words says little.

use std::path::Path;
use std::time::SystemTime;

use super::{LocalIndex, Verdict};
use crate::read::extract::ChildCommand;
use crate::read::files::Limits;

const HANDBOOK: [(&str, &str); 5] = [
    (
        "leave.md",
        "# Annual leave\n\nEvery employee has 25 days of paid leave a year. Up to 5 unused days move to the next year and lapse on 31 March.\n",
    ),
    (
        "travel.md",
        "# Travel\n\nTrains are booked in second class. A flight needs the approval of the head of department. Hotels are paid up to 120 euros a night.\n",
    ),
    (
        "sickness.md",
        "# Sick leave\n\nTell your manager before 9:00 on the first day. A doctor's note is needed from the third day on.\n",
    ),
    (
        "laptops.md",
        "# Laptops\n\nA laptop is replaced after four years. Disks are encrypted; the recovery key is kept by the help desk.\n",
    ),
    (
        "office.md",
        "# Office\n\nThe building is open from 7:00 to 20:00. Visitors sign in at the desk and wear a badge.\n",
    ),
];
const ADDRESSED: [&str; 11] = [
    "How many days of paid leave does an employee have?",
    "When do unused days of leave lapse?",
    "Who must approve a flight?",
    "How much may a hotel cost per night?",
    "From which day is a doctor's note needed?",
    "After how many years is a laptop replaced?",
    "Who keeps the recovery key of an encrypted disk?",
    "When is the building open?",
    "Do visitors have to wear a badge?",
    "Which class is booked for trains?",
    "What does the text say about hotels at night?",
];
const NOT_ADDRESSED: [&str; 8] = [
    "What is the boiling point of ethanol?",
    "How do I configure the firewall of a Kubernetes cluster?",
    "Which pension fund does the company pay into?",
    "How is overtime on public holidays compensated?",
    "Who won the chess championship in 1972?",
    "What does a parking permit cost for electric cars?",
    "Which vaccine is recommended for travel to the tropics?",
    "How many parental allowance months can a father claim?",
];

fn index(folder: &Path, files: &[(&str, &str)]) -> LocalIndex {
    let docs = folder.join("docs");
    std::fs::create_dir(&docs).unwrap();
    for (name, text) in files {
        std::fs::write(docs.join(name), text).unwrap();
    }
    let mut index = LocalIndex::open(&folder.join("index.db")).unwrap();
    // Markdown is no foreign format: no child is ever started.
    let child = ChildCommand { program: "none".into(), arguments: Vec::new() };
    index.update(&docs, &Limits::default(), &child, SystemTime::UNIX_EPOCH, &mut |_| {}).unwrap();
    index
}

fn wrong(index: &LocalIndex, questions: &[&str], addressed: bool) -> Vec<String> {
    let verdict = |question: &&str| {
        let answer = index.answer(question, 3).unwrap();
        ((answer.verdict != Verdict::NoEvidence) != addressed)
            .then(|| format!("{question} ({:.2})", answer.coverage))
    };
    questions.iter().filter_map(verdict).collect()
}

#[test]
fn a_folder_of_five_documents_answers_what_it_addresses_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let index = index(folder.path(), &HANDBOOK);
    assert_eq!(wrong(&index, &ADDRESSED, true), Vec::<String>::new());
    assert_eq!(wrong(&index, &NOT_ADDRESSED, false), Vec::<String>::new());
}

#[test]
fn a_folder_of_one_document_does_too() {
    for (at, question) in
        [(0, ADDRESSED[0]), (1, ADDRESSED[2]), (2, ADDRESSED[4]), (3, ADDRESSED[5]), (4, ADDRESSED[8])]
    {
        let folder = tempfile::tempdir().unwrap();
        let index = index(folder.path(), &HANDBOOK[at..=at]);
        assert_eq!(wrong(&index, &[question], true), Vec::<String>::new());
        assert_eq!(wrong(&index, &NOT_ADDRESSED, false), Vec::<String>::new());
    }
}

#[test]
fn a_folder_of_thirty_documents_that_share_their_words_does_too() {
    let notes: Vec<(String, String)> = (1..=30)
        .map(|n| {
            (
                format!("note{n}.txt"),
                format!(
                    "Release note {n} of the Heron server. The Heron server now listens on port {}.\n",
                    8000 + n
                ),
            )
        })
        .chain([(
            "backup.txt".to_owned(),
            "The Heron server writes a backup to the archive folder every six hours.\n".to_owned(),
        )])
        .collect();
    let files: Vec<(&str, &str)> = notes.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = tempfile::tempdir().unwrap();
    let index = index(folder.path(), &files);
    let addressed =
        ["How often does the Heron server write a backup?", "On which port does the Heron server listen?"];
    assert_eq!(wrong(&index, &addressed, true), Vec::<String>::new());
    let not = [
        "Which database does the Heron server use for sessions?",
        "How are certificates of the Heron server renewed?",
    ];
    assert_eq!(wrong(&index, &not, false), Vec::<String>::new());
}

#[test]
fn texts_that_were_read_are_ranked_like_documents() {
    let mut index = LocalIndex::in_memory().unwrap();
    let page = |name: &str, text: &str| {
        let reading = crate::read::Reading { text: text.to_owned(), ..Default::default() };
        (name.to_owned(), reading)
    };
    index
        .shelve([
            page("https://a.example/mill", "# The mill\n\nThe Lode mill grinds 40 tonnes of wheat a day.\n"),
            page("https://b.example/bread", "# Bread\n\nThe bakery sells rye bread on Fridays.\n"),
        ])
        .unwrap();
    let answer = index.answer("How much wheat does the Lode mill grind a day?", 3).unwrap();
    let first = &answer.quotes[0];
    assert_eq!(first.path, Path::new("https://a.example/mill"));
    assert_eq!(first.text, "The Lode mill grinds 40 tonnes of wheat a day.");
    let none = index.answer("Who discovered penicillin in London?", 3).unwrap();
    assert_eq!(none.verdict, Verdict::NoEvidence);
}

#[test]
fn a_name_is_quoted_with_what_it_names_and_a_value_with_its_row() {
    let mut index = LocalIndex::in_memory().unwrap();
    let text = "# Settings\n\nclient_connection_count_limit_of_service (default: 50)\n\nHow many connections one client \
                may make to this service at the same time.\n\n# Queue size\n\n| type | default | mandatory\n\
                | integer | 3000 | no\n\nThe queue holds messages that wait.\n";
    let reading = crate::read::Reading { text: text.to_owned(), ..Default::default() };
    index.shelve([("manual".to_owned(), reading)]).unwrap();
    let first = |question: &str| index.answer(question, 4).unwrap().quotes.into_iter().map(|q| q.text);
    let limit: Vec<String> = first("How many connections may one client make at the same time?").collect();
    assert!(limit[0].contains("(default: 50)") && limit[0].contains("How many connections"), "{limit:?}");
    let size: Vec<String> = first("What is the default size of the queue?").collect();
    assert!(size.iter().any(|text| text.contains("default") && text.contains("3000")), "{size:?}");
}

#[test]
fn many_may_search_a_new_folder_at_once() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("leave.md"), HANDBOOK[0].1).unwrap();
        let home = tempfile::tempdir().unwrap();
        let search = || {
            let mut index = LocalIndex::for_folder(home.path(), folder.path())?;
            let child = ChildCommand { program: "none".into(), arguments: Vec::new() };
            index.update(folder.path(), &Limits::default(), &child, SystemTime::UNIX_EPOCH, &mut |_| {})?;
            index.answer("How many days of paid leave are there?", 3)
        };
        std::thread::scope(|scope| {
            let searching: Vec<_> = (0..6).map(|_| scope.spawn(search)).collect();
            for done in searching {
                assert_eq!(done.join().unwrap().unwrap().verdict, Verdict::Addressed);
            }
        });
    }
}

/// SQLite is given so many pages and no more, which is what a full disk looks like to it.
#[test]
fn a_full_disk_is_called_that_and_what_was_indexed_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = index(folder.path(), &HANDBOOK);
    let pages: i64 = index.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let _: i64 =
        index.connection.pragma_update_and_check(None, "max_page_count", pages, |row| row.get(0)).unwrap();
    let docs = folder.path().join("docs");
    std::fs::write(docs.join("long.md"), "Many words about laptops and leave. ".repeat(20_000)).unwrap();
    let child = ChildCommand { program: "none".into(), arguments: Vec::new() };
    let error =
        index.update(&docs, &Limits::default(), &child, SystemTime::UNIX_EPOCH, &mut |_| {}).unwrap_err();
    assert!(matches!(error, super::IndexError::Disk(_)), "{error:?}");
    let told = error.to_string();
    assert!(told.starts_with("the disk is full") && told.contains("free space"), "{told}");
    assert_eq!(wrong(&index, &ADDRESSED, true), Vec::<String>::new());
}

#[test]
fn questions_are_answered_in_the_language_of_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "miete.md",
            "# Mietrecht\n\nDie Kündigungsfristen des Mieters betragen drei Monate. Der Vermieter muss die Kündigung schriftlich begründen. Kleine Reparaturen zahlt der Mieter bis zu 100 Euro im Jahr.\n",
        ),
        (
            "location.md",
            "# Bail d'habitation\n\nLe locataire peut donner congé à tout moment. Le délai de préavis est de trois mois pour les logements vides. Le dépôt de garantie est rendu dans les deux mois.\n",
        ),
        (
            "arrendamiento.md",
            "# Arrendamientos urbanos\n\nEl arrendatario deberá comunicar su decisión con treinta días de antelación. La fianza equivale a una mensualidad de renta.\n",
        ),
        (
            "server.md",
            "# Anforderungen\n\nServer benötigen zwei Netzwerkkarten im Standardnetz. Für Arbeitsplätze werden 2048 MiB RAM empfohlen.\n",
        ),
        ("battery.md", "# 電池\n\nこの電池の寿命は十年です。充電には二時間かかります。\n"),
        ("ondo.md", "# 温度\n\n最高温度は摂氏八十度である。夜間の騒音は四十五デシベルを超えてはならない。\n"),
    ];
    let index = index(folder.path(), &files);
    for (question, path, wanted) in [
        ("Wie lange ist die Kündigungsfrist des Mieters?", "miete.md", "drei Monate"),
        ("Bis zu welchem Betrag zahlt der Mieter kleine Reparaturen?", "miete.md", "100 Euro"),
        ("Quel est le délai de préavis du locataire ?", "location.md", "trois mois"),
        (
            "¿Con cuántos días de antelación debe comunicar el arrendatario su decisión?",
            "arrendamiento.md",
            "treinta",
        ),
        // Verbs that fit any subject, a compound and a related word: none of them stands in the document.
        ("Wie viele Netzwerkkarten brauchen Server?", "server.md", "zwei Netzwerkkarten"),
        ("Wie viel Arbeitsspeicher wird für Arbeitsplätze empfohlen?", "server.md", "2048 MiB"),
        ("電池の寿命は何年ですか", "battery.md", "十年"),
        ("最高温度は何度ですか", "ondo.md", "八十度"),
    ] {
        let answer = index.answer(question, 3).unwrap();
        assert_ne!(answer.verdict, Verdict::NoEvidence, "{question}: {:.2}", answer.evidence);
        let first = &answer.quotes[0];
        assert_eq!(first.path, Path::new(path), "{question}");
        assert!(answer.quotes.iter().any(|quote| quote.text.contains(wanted)), "{question}: {answer:?}");
    }
    for question in [
        "Wie viele Gäste dürfen im Hotel rauchen?",
        "Quelle est la capitale de la Mongolie ?",
        "¿Cuántos planetas tiene el sistema solar?",
        "富士山の高さはどれくらいですか",
    ] {
        let answer = index.answer(question, 3).unwrap();
        assert_eq!(answer.verdict, Verdict::NoEvidence, "{question}: {:.2}", answer.evidence);
    }
}

#[test]
fn files_that_are_not_read_are_counted_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    for name in ["a.xlsx", "b.xlsx", "book.epub", "data.json"] {
        std::fs::write(docs.join(name), "x").unwrap();
    }
    std::fs::write(docs.join("guide.rst"), "Guide\n=====\n\nThe mill grinds 40 tonnes of wheat a day.\n")
        .unwrap();
    std::fs::write(docs.join("README"), "The mill was built in 1898.\n").unwrap();
    let mut index = LocalIndex::open(&folder.path().join("index.db")).unwrap();
    let child = ChildCommand { program: "none".into(), arguments: Vec::new() };
    let update =
        index.update(&docs, &Limits::default(), &child, SystemTime::UNIX_EPOCH, &mut |_| {}).unwrap();
    assert_eq!(update.documents, 2);
    let told: Vec<String> =
        update.skipped.iter().map(|it| format!("{} {}", it.path.display(), it.reason)).collect();
    assert_eq!(
        told,
        [
            "book.epub is of a kind that is not read (.epub)",
            "data.json is of a kind that is not read (.json)",
            "a.xlsx and 1 more are of a kind that is not read (.xlsx)",
        ]
    );
    let answer = index.answer("How many tonnes of wheat does the mill grind a day?", 2).unwrap();
    assert!(answer.quotes[0].text.contains("40 tonnes"), "{answer:?}");
}

#[test]
fn a_head_line_takes_no_sentence_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let files =
        [("mill.txt", "The Lode mill\nDate: 2025-01-10\nThe Lode mill grinds 40 tonnes of wheat a day.\n")];
    let index = index(folder.path(), &files);
    let answer = index.answer("How much wheat does the Lode mill grind a day?", 2).unwrap();
    let quote = &answer.quotes[0];
    assert_eq!(quote.text, "The Lode mill grinds 40 tonnes of wheat a day.");
    assert_eq!((quote.title.as_str(), quote.date.as_deref()), ("The Lode mill", Some("2025-01-10")));
}

#[test]
fn a_sentence_is_quoted_with_what_it_leans_on() {
    let folder = tempfile::tempdir().unwrap();
    let files = [(
        "grant.md",
        "# Funding\n\nThe national grant covers 15 percent of the total. It must be paid back in part if fewer than 8,000 buildings are connected by the end of 2032.\n",
    )];
    let index = index(folder.path(), &files);
    let answer = index.answer("When must the grant be paid back?", 1).unwrap();
    let quote = &answer.quotes[0];
    assert!(quote.text.starts_with("The national grant"), "{quote:?}");
    assert!(quote.text[quote.lead..].trim_start().starts_with("It must be paid back"), "{quote:?}");
}

#[test]
fn near_misses_over_the_example_documents_are_refused() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpus");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        // What needs a child to be read is left out here.
        if path.extension().is_some_and(|end| end == "md" || end == "txt" || end == "csv") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = tempfile::tempdir().unwrap();
    let index = index(folder.path(), &files);
    let refused = [
        "How many people work at the data centre in Eastfield?",
        "Boiling point of mercury",
        "How deep are the pipe trenches in the old town?",
        "Who won the chess championship in 1972?",
    ];
    assert_eq!(wrong(&index, &refused, false), Vec::<String>::new());
    let answered = [
        "How many buildings are connected to Harlund's heat-pump network?",
        "What does a connection cost?",
        "How reliable is the heat?",
        "What is the boiling point of propane?",
        "How often are the reserve boilers tested?",
    ];
    assert_eq!(wrong(&index, &answered, true), Vec::<String>::new());
}

#[test]
fn a_name_that_a_document_has_is_not_called_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let index = index(folder.path(), &[("levels.txt", "The limit in Rope Walk is 45 decibels.\n")]);
    let unknown = |question: &str| index.answer(question, 3).unwrap().unknown;
    // A row of a table in words is easily taken for a text of another language.
    let row = "M1 Rope Walk 4, 2nd floor: 65 m (Distance), 41 dB(A) (Level), 45 dB(A) (Limit).";
    let unknown_of_row = unknown(row);
    assert!(!unknown_of_row.iter().any(|name| name == "Rope" || name == "Limit"), "{unknown_of_row:?}");
    assert_eq!(unknown("What is the limit in Eastfield?"), ["Eastfield"]);
}

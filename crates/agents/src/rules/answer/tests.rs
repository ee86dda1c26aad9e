//! What questions want, and which sentences have it.

use super::{Candidate, Kind, Reason, asked, parts};

#[test]
fn a_question_shows_the_kind_of_answer_it_wants() {
    for (kind, questions) in [
        (
            Kind::Number,
            &[
                "How many buildings are connected to the network?",
                "What is the maximum size of a table?",
                "Boiling point of mercury",
                "How reliable is the heat?",
                "Wie viele Gebäude sind angeschlossen?",
                "Combien d'habitants compte la commune ?",
                "¿Cuántos artículos tiene la ley?",
            ][..],
        ),
        (
            Kind::Money,
            &[
                "What does a connection cost?",
                "How much do residents pay for a kWh?",
                "What is the connection fee for a house?",
                "Was kostet ein Anschluss?",
                "Combien coûte un raccordement ?",
                "¿Cuánto cuesta la conexión?",
            ],
        ),
        (
            Kind::Share,
            &["What share of the heat comes from gas boilers?", "Wie viel Prozent sind zufrieden?"],
        ),
        (
            Kind::Date,
            &["When was the plant opened?", "In which year did it start?", "Wann beginnt die Frist?"],
        ),
        (
            Kind::Duration,
            &[
                "How long did the interruption last?",
                "How often does it check for mail?",
                "Wie lange gilt sie?",
            ],
        ),
        (Kind::Person, &["Who approves a flight?", "Quién nombra a los jueces?"]),
        (Kind::Place, &["Where are the logs kept?", "In which directory does it look?"]),
        (Kind::YesNo, &["Can a tenant refuse the connection?", "Darf der Vermieter kündigen?"]),
        (Kind::Definition, &["What is a transfer station?", "Was ist eine Wärmepumpe?"]),
        (Kind::Steps, &["How do I undo a commit?", "How can an owner apply?"]),
        (Kind::Reason, &["Why did the factor rise?", "Pourquoi le prix baisse-t-il ?"]),
        (Kind::Comparison, &["What is the difference between COP and SPF?"]),
        (Kind::Name, &["Which option sets the port?", "Which refrigerant do the plants use?"]),
        (Kind::List, &["What are the duties of the customer?", "Cuáles son los derechos del arrendatario?"]),
        (Kind::Free, &["Refrigerants in Europe", "Tell me about the old town"]),
    ] {
        for question in questions {
            assert_eq!(asked(question).kind, kind, "{question}");
        }
    }
}

#[test]
fn every_thing_asked_is_a_part_complete_in_itself() {
    assert_eq!(
        parts(
            "How many buildings are connected to Harlund's heat-pump network, what does a connection cost, and how reliable is the heat?"
        ),
        [
            "How many buildings are connected to Harlund's heat-pump network?",
            "what does a connection cost (Harlund)?",
            "how reliable is the heat (Harlund)?"
        ]
    );
    assert_eq!(parts("What is a heat pump?"), ["What is a heat pump?"]);
    assert_eq!(parts("Boiling point of mercury"), ["Boiling point of mercury"]);
    let two = parts("When was the Quayside plant opened? What did it cost?");
    assert_eq!(two[0], "When was the Quayside plant opened?");
    assert!(two[1].contains("Quayside"), "{two:?}");
    assert_eq!(parts("¿Qué es una ley y cuándo entra en vigor?").len(), 2);
    assert_eq!(parts("").len(), 1);
}

fn fit(question: &str, sentence: &str, heading: &str) -> super::Fit {
    asked(question).answers(&Candidate { sentence, heading, ..Candidate::default() })
}

#[test]
fn a_value_of_the_neighbour_is_no_answer() {
    let question = "What is the default of max_connections?";
    let right = fit(question, "The default is typically 100 connections.", "max_connections (integer)");
    let wrong = fit(question, "The default is 3 connections.", "reserved_connections (integer)");
    assert!(right.answers(), "{right:?}");
    assert!(!wrong.answers() && wrong.reasons.contains(&Reason::OtherName), "{wrong:?}");
    assert!(right.score > wrong.score);
    let plants = "How many heat pumps does the Northgate plant have?";
    let other = fit(plants, "The Quayside plant has three heat pumps of 6 MW each.", "Plants");
    assert!(!other.answers(), "{other:?}");
    let own = fit(plants, "The Northgate plant has two heat pumps of 12 MW each.", "Plants");
    assert!(own.answers() && own.score > other.score, "{own:?}");
}

#[test]
fn what_is_counted_must_be_what_was_asked_for() {
    let question = "How many people work at the data centre in Eastfield?";
    let hours = fit(question, "The Eastfield data centre delivers heat for 8,000 hours a year.", "Eastfield");
    assert!(!hours.answers(), "{hours:?}");
    let people = fit(question, "In Eastfield 40 people work at the data centre.", "");
    assert!(people.answers() && people.value.is_some(), "{people:?}");
}

#[test]
fn a_section_number_is_no_value() {
    let question = "How much time does work on the owner's land take?";
    let fit = fit(question, "2.3 Work on the owner's land is announced.", "");
    assert_eq!(fit.value, None);
}

#[test]
fn a_sentence_of_the_wanted_kind_beats_one_about_the_same_thing() {
    for (question, right, wrong) in [
        (
            "What does a connection cost?",
            "The connection fee for a single-family house is 4,800 euros including tax.",
            "The connection is made by the fitters of the company within a week.",
        ),
        (
            "When was the Quayside plant opened?",
            "The Quayside plant has been in operation since 14 November 2024.",
            "The Quayside plant takes heat from the River Venna.",
        ),
        (
            "What share of the heat comes from gas boilers?",
            "Gas boilers produced 9 percent of the heat.",
            "Gas boilers produce heat on cold days.",
        ),
        (
            "Wie lange gilt die Erlaubnis?",
            "Die Erlaubnis gilt 12 Monate.",
            "Die Erlaubnis gilt im ganzen Land.",
        ),
    ] {
        let (right, wrong) = (fit(question, right, ""), fit(question, wrong, ""));
        assert!(right.score > wrong.score, "{question}: {right:?} {wrong:?}");
        assert!(right.answers(), "{question}: {right:?}");
    }
}

#[test]
fn a_sentence_that_says_what_something_is_defines_it() {
    for (question, defining, near) in [
        (
            "What is a Larger Work under the Mozilla license?",
            "\"Larger Work\" means a work that combines Covered Software with other material.",
            "You may create and distribute a Larger Work under terms of Your choice.",
        ),
        (
            "What is the source code of a work?",
            "The \"source code\" for a work means the preferred form of the work.",
            "Convey the object code of the work with its source code.",
        ),
        (
            "What does the licence call a copying fee?",
            "\"Copying fee\" is whatever you can justify.",
            "No copying fee is charged for the licence.",
        ),
        (
            "Was ist ein Darlehensnehmer?",
            "Darlehensnehmer - die Person oder Firma, die die Darlehenssumme bekommt.",
            "Auszahlung - ist der Betrag, der an den Darlehensnehmer ausgezahlt wird.",
        ),
        (
            "Qu'est-ce qu'une pompe à chaleur ?",
            "Une pompe à chaleur est un appareil qui prend la chaleur dehors.",
            "Il faut entretenir une pompe à chaleur tous les ans.",
        ),
    ] {
        let question = asked(question).question;
        assert!(question.defines(defining) >= 0.7, "{defining} {:?}", question.subject);
        assert!(question.defines(near) < 0.7, "{near}");
    }
}

#[test]
fn an_occasion_answers_when_something_is_done() {
    let saves = asked("When does it make a backup copy of the file?");
    let kind = |sentence: &str| saves.answers(&Candidate { sentence, ..Candidate::default() }).kind;
    assert!(kind("Each time you save the file, a backup copy is made.") > 0.9);
    assert!(kind("A backup copy of the file is a complete one.") < 0.5);
}

#[test]
fn numbers_in_the_words_of_other_languages_are_numbers() {
    for (question, sentence) in [
        ("Combien de livres un lecteur peut-il emprunter ?", "Chaque lecteur peut emprunter huit livres."),
        ("Wie lange ist die Frist?", "Die Frist beträgt drei Monate."),
        ("¿Cuánto tiempo dura el préstamo?", "El préstamo dura cuatro semanas."),
    ] {
        let fit = asked(question).answers(&Candidate { sentence, ..Candidate::default() });
        assert!(fit.kind >= 0.8 && fit.value.is_some(), "{sentence} {fit:?}");
    }
}

#[test]
fn what_is_counted_is_known_in_each_language() {
    for (question, head) in [
        ("How many network cards does a server need?", "cards"),
        ("Wie viele Netzwerkkarten brauchen LTSP-Server?", "netzwerkkarten"),
        ("Combien de langues sont prises en compte ?", "langues"),
        ("Combien d'élèves compte l'école ?", "eleves"),
        ("¿Cuántos idiomas conoce?", "idiomas"),
        ("Wie viel Arbeitsspeicher wird empfohlen?", ""),
        ("Combien de mémoire faut-il ?", ""),
        ("¿Cuánta memoria necesitan las estaciones?", ""),
    ] {
        assert_eq!(asked(question).head, head, "{question}");
    }
    for (question, sentence) in [
        ("Wie viele Hauptserver gibt es?", "Das Netz setzt genau einen Hauptserver voraus."),
        ("¿Cuánta memoria hace falta?", "Se recomiendan 1024 Mb de memoria."),
        ("Combien de serveurs principaux faut-il ?", "Il ne faut qu'un seul serveur principal."),
        ("How long does it wait?", "The number of seconds to wait. Default: 10"),
    ] {
        let fit = asked(question).answers(&Candidate { sentence, ..Candidate::default() });
        assert!(fit.kind >= 0.5 && fit.value.is_some(), "{sentence} {fit:?}");
    }
}

#[test]
fn a_measure_or_the_number_of_a_note_counts_nothing() {
    for (question, sentence) in [
        (
            "How many heat pumps does the plant have?",
            "The boilers of the plant with its heat pumps have 60 MW.",
        ),
        ("How many packages can it manage?", "It manages packages and much else[2]."),
        ("How many packages can it manage?", "Packages are installed in one place of their own."),
        ("Wie viele Schulen benutzen es?", "Eine Schule darf nur einen Hauptserver haben."),
    ] {
        let fit = asked(question).answers(&Candidate { sentence, ..Candidate::default() });
        assert!(fit.kind <= 0.5, "{sentence} {fit:?}");
    }
}

#[test]
fn subject_and_property_must_both_be_met() {
    let asked = asked("How much gold does a Samurai carry?");
    let meets = |sentence: &str| asked.meets(&[(sentence, 1.0)]);
    assert!(meets("A Samurai carries no gold.") > 0.9);
    assert!(meets("A Samurai wears two swords.") < 0.1);
    assert!(meets("Tourists carry lots of gold.") < 0.1);
}

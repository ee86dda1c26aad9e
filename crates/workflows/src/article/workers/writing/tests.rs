//! Which lines of documents can stand in an article, which need the one before, and whose words they are.

use std::collections::HashSet;

use super::headings::{is_telling, names_something};
use super::sentence::is_personal;
use super::{Said, Turn, alone, is_of, lowers, points_back, sentence_of};
use crate::article::draft::Voice;

#[test]
fn sentences_stand_and_fragments_do_not() {
    for whole in [
        "The heat pumps produced 82 percent of the heat, and gas boilers produced 9 percent.",
        "The city builds a district heating network supplied mainly by heat pumps.",
        "- The audit office reviews costs and reliability every year.",
        "Two winters of operation showed that most buildings need less.",
        "BorgBackup (short: Borg) is a deduplicating backup program.",
        "Small files under a threshold (default: 512 KiB) are stored in one chunk.",
        "borg info shows how large existing archives are.",
        "The --stats option causes Borg to output statistics.",
        "The pumps stop when the river falls below 2 °C.",
        "The pipes lie 80 cm below the road.",
        "The plant was closed in the following year.",
        "The shop is open on Sundays from ten to four.",
        "The button was pressed on Thursday, 14 November 2024.",
        "The machines are made in Sweden and cost 4 million euros.",
        "During the night the pumps are switched off.",
        "When set to zero, the limit is not used.",
        "Disabling the service is quite simple.",
    ] {
        assert!(sentence_of(whole).is_some(), "{whole}");
    }
    for part in [
        "Adopted by 38 votes to 19, with 4 abstentions.",
        "A network supplied by a new wood-fired plant.",
        "A network supplied by large heat pumps that draw heat from the river.",
        "For the management of Harlund Heat. Internal, released on request.",
        "| heat delivered, GWh | 143 | 186 |",
        "Date: 27 March 2026 is when it was sent.",
        "See (below for what is said there.",
        "The fee",
        "District heating Supplying many buildings with heat is done from common plants.",
        "title of the thing is Decision 2021/118",
        "and the plant is old.",
        "Advantages include:; the log is significantly faster in most scenarios.",
        "The options are described below.",
        "The table below shows the cost of each plant.",
        "The plant needs the following parts in winter.",
        "The second plant went into operation on Thursday.",
        "Refrigerant made of nitrogen and hydrogen.",
        "Can be specified multiple times to allow access to several repositories.",
        "Checkpoint as many frames as possible without waiting for any readers.",
        "Look at the manual for a more detailed explanation.",
        "This command allows one to backup this essential key.",
        "Whether requests to its pages can be blocked or redirected.",
        "Lock-wait to allow the client to control how long to wait when another process is holding a lock.",
        "Used in large heat pumps and in cold stores for more than a hundred years.",
        "Edit the file and restart the service at once.",
        "For containers, consider a snapshot that was made before.",
        "Making them accessible at the interfaces they need.",
        "Where XX is a number that determines the order.",
        "When set to a value, instructs the program to wait.",
        "Protocol 2 Disable the first version, since it has flaws.",
        "The register is explained in the upcoming section.",
        "Section 2.9, “Transactions” goes more in depth.",
        "The command controls the mail sys- tem and is old.",
        "Cit., p. 227] and did not allow the collectives to grow.",
        "All locally submitted mail and a pair of instances that receive it.",
    ] {
        assert_eq!(sentence_of(part), None, "{part}");
    }
}

#[test]
fn what_points_at_other_places_is_cut_out_of_a_sentence() {
    let said = |text: &str| sentence_of(text).unwrap_or_default();
    assert_eq!(said("The fee (see Section 4) is 12 euros."), "The fee is 12 euros.");
    assert_eq!(said("The agents [37] of the town are old."), "The agents of the town are old.");
    assert_eq!(said("The town (a port) has old agents [1]."), "The town (a port) has old agents.");
}

#[test]
fn what_points_back_is_seen() {
    for back in [
        "It holds about 560 MWh.",
        "This was rejected.",
        "The lower figure is due to it.",
        "But it rose.",
        "If it closes, nothing is left.",
        "9 percent were neither.",
        "Together they can replace the largest plant.",
        "A further 6,100 buildings had a heat pump of their own.",
        "The limits given above apply to every plant.",
        "The examples above use the restrict directive.",
        "SQLite will automatically take care of it.",
        "Internet access is not necessary either.",
        "Indeed, the plant was sold.",
        "While a vast improvement, it is hardly the best.",
        "The importer then matches the accounts.",
        "There are several different methods.",
        "Three causes can be told apart.",
        "Other purchases would be the same.",
    ] {
        assert!(points_back(back), "{back}");
    }
    for alone in [
        "The plant holds 560 MWh.",
        "2025 was the first full year.",
        "Harlund has 148,000 residents.",
        "If the plant closes, nothing is left.",
        "The flow stays above 70 °C in winter.",
        "When the founder left the town, he named another.",
        "The plant takes heat from the river and then stores it.",
    ] {
        assert!(!points_back(alone), "{alone}");
    }
}

#[test]
fn who_wrote_it_and_when_is_no_heading() {
    assert!(is_telling("Why the council decided") && is_telling("Outlook for 2027"));
    assert!(names_something("WAL file") && !names_something("provides direct access"));
    assert!(!names_something("especially higher zlib") && !names_something("directory containing"));
    assert!(!is_telling("By Clara Dunmore, 15 November 2024") && !is_telling("15 November 2024"));
}

#[test]
fn whoever_speaks_is_quoted_and_long_runs_are_named() {
    let long = "The network had more than sixty kilometres of pipe trench at the end of the year.";
    let names = HashSet::new();
    let voice = |claim: &str| alone(claim, "f1", &names, &mut Turn::default()).voice;
    assert_eq!(voice("We had expected a factor of 3.4."), Voice::Writes);
    assert_eq!(voice("Nine leaks were found."), Voice::Plain);
    assert_eq!(voice(long), Voice::States);
    let mut turn = Turn::default();
    let voices = [(); 3].map(|()| alone(long, "f1", &names, &mut turn).voice);
    assert_eq!(voices, [Voice::States, Voice::Trailing, Voice::According]);
    let example = alone("As an example, a rule keeps seven.", "f1", &names, &mut turn);
    assert_eq!(example.claim, "A rule keeps seven.");
    assert!(is_personal("The fee is due when you sign.") && !is_personal("The fee is due."));
}

#[test]
fn a_name_stays_large_inside_a_sentence() {
    let names: HashSet<String> = ["Harlund", "Quayside"].map(str::to_owned).into();
    for small in [
        "The plant runs.",
        "Unlike Harlund, towns pay.",
        "Maintenance cost 3 euros.",
        "Essentially, Harlund pays.",
    ] {
        assert!(lowers(small, &names), "{small}");
    }
    for large in ["Harlund has residents.", "River Venna is cold.", "NA12 units are loud.", "Quayside ran."] {
        assert!(!lowers(large, &names), "{large}");
    }
}

#[test]
fn nothing_is_said_twice() {
    let mut said = Said::default();
    said.say("A typical house with a heat use of 14,000 kWh paid 1,628 euros for the year.");
    assert!(!said.is_new("A typical single-family house with a heat use of 14,000 kWh paid 1,628 euros."));
    assert!(said.is_new("A typical house with a heat use of 14,000 kWh paid 2,046 euros for gas."));
    assert!(said.is_new("Nine leaks were found in 2025."));
}

#[test]
fn only_the_words_of_a_source_may_stand_in_quotation_marks() {
    let source =
        "You can move it without causing the binaries or other files\nto get rebuilt. Most software can.";
    assert!(is_of("You can move it without causing the binaries or other files to get rebuilt.", source));
    assert!(!is_of(
        "You can move it without causing the binaries to get rebuilt; most software can.",
        source
    ));
}

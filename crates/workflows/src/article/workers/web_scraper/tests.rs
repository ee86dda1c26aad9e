//! Which parts of a text are read in full.

use baton_agents::rules::words::content_stems;

use super::{Wanted, spoken};

const TEXT: &str = "# The mill\n\nThe mill makes flour of wheat for the town. It was built in 1911 by the town.\n\n\
## Visitors\n\nVisitors can enter the mill on Sundays from ten to four. The mill shows how wheat is ground.\n\n\
# Canteen\n\nThe canteen serves soup on Mondays and fish on Fridays.\n";

#[test]
fn parts_that_speak_of_the_topic_are_read_whole_and_others_are_not() {
    let wanted = Wanted { topic: content_stems("wheat mill"), wishes: Vec::new() };
    let said: Vec<String> = spoken(TEXT, "", &wanted, 100).into_iter().map(|one| one.text).collect();
    assert_eq!(
        said,
        [
            "The mill makes flour of wheat for the town.",
            "It was built in 1911 by the town.",
            "Visitors can enter the mill on Sundays from ten to four.",
            "The mill shows how wheat is ground.",
        ]
    );
    // Where there is little room, the part that speaks of it most comes first, and of the next what leads into it.
    let few: Vec<String> = spoken(TEXT, "", &wanted, 3).into_iter().map(|one| one.text).collect();
    assert_eq!(few, said[..3]);
}

#[test]
fn parts_that_speak_of_a_wish_are_read_beside_those_that_speak_of_the_topic() {
    let wanted = Wanted { topic: content_stems("wheat mill"), wishes: vec![content_stems("soup and fish")] };
    let said: Vec<String> = spoken(TEXT, "", &wanted, 3).into_iter().map(|one| one.text).collect();
    assert_eq!(
        said.last().map(String::as_str),
        Some("The canteen serves soup on Mondays and fish on Fridays.")
    );
}

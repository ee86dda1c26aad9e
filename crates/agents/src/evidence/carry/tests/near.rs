//! Sentences near their quotes, and the lies beside them.

use super::carries;

/// A sentence near its quote, and the lie beside it.
type Near = (&'static str, &'static [&'static str], &'static [&'static str]);

fn told_apart(cases: &[Near]) {
    for (quote, honest, lies) in cases {
        for sentence in *honest {
            assert_eq!(carries(sentence, &[quote]), Ok(()), "{sentence}");
        }
        for sentence in *lies {
            assert!(carries(sentence, &[quote]).is_err(), "{sentence}");
        }
    }
}

#[test]
fn short_forms_and_dashes_are_ways_of_writing() {
    told_apart(&[
        (
            "Within family records, you are not allowed to use 0 FAM lines.",
            &["You aren't allowed to use 0 FAM lines within family records."],
            &["You are allowed to use 0 FAM lines within family records."],
        ),
        (
            "When a pool is converted between two levels an intermediate layout is used.",
            &["When a pool's converted between two levels, an intermediate layout is used."],
            &["When a pool's converted between two levels, no intermediate layout is used."],
        ),
        (
            "Borg does not support unauthenticated encryption -- only authenticated encryption schemes are supported.",
            &["Only authenticated encryption schemes are supported."],
            &[
                "Authenticated encryption schemes are supported and Borg supports unauthenticated encryption.",
                "Authenticated encryption schemes are not supported.",
                "Only unauthenticated encryption is supported.",
            ],
        ),
        (
            "The amount that is lent out is called the principal.",
            &["The amount lent out is called the principal."],
            &["The amount lent out is not called the principal."],
        ),
        (
            "If it is found, the client will not be able to read any of the data.",
            &["If it is found, the client cannot read any of the data."],
            &[
                "If it is found, the client can read any of the data.",
                "The client cannot read any of the data.",
            ],
        ),
        (
            "On 2 April 1993, a day that traders call Marlboro Friday, the company cut its price by 40 cents.",
            &["On 2 April 1993, which traders call Marlboro Friday, the company cut its price by 40 cents."],
            &[
                "On 2 April 1993, which traders call Marlboro Friday, the company raised its price by 40 cents.",
            ],
        ),
    ]);
}

#[test]
fn clauses_and_alternatives_change_places_as_wholes() {
    told_apart(&[
        (
            "When FontForge creates a TrueType font it will round all coordinates to integers.",
            &["FontForge rounds all coordinates to integers when it creates a TrueType font."],
            &[
                "FontForge rounds all coordinates to integers.",
                "FontForge creates a TrueType font when it rounds all coordinates to integers.",
                "A TrueType font rounds all coordinates to integers when it creates FontForge.",
            ],
        ),
        (
            "If you do not want to encrypt your backups, but still want to detect tampering use the authenticated mode.",
            &[
                "Use the authenticated mode if you still want to detect tampering but do not want to encrypt your backups.",
            ],
            &[
                "Use the authenticated mode if you do not want to detect tampering but still want to encrypt your backups.",
                "Use the authenticated mode if you still want to detect tampering.",
                "Do not use the authenticated mode if you still want to detect tampering but want to encrypt your backups.",
            ],
        ),
        (
            "As data is only appended, and nothing removed, commands like prune or delete won’t free disk space, they merely tag data as deleted.",
            &[
                "Commands like prune or delete won't free disk space, as data is only appended and nothing is removed; they merely tag data as deleted.",
            ],
            &[
                "Commands like prune or delete won't free disk space, as data is only removed and nothing is appended; they merely tag data as deleted.",
            ],
        ),
        (
            "The spell does not affect spells which are cast on the same turn nor does it affect monsters.",
            &["The spell affects neither monsters nor spells that are cast on the same turn."],
            &[
                "The spell affects monsters and does not affect spells that are cast on the same turn.",
                "The spell affects neither monsters nor spells.",
            ],
        ),
        (
            "Auxiliary attacks (such as the sting's slap or the horn of a bull) are not affected by the skill.",
            &[
                "Auxiliary attacks, such as a bull's horn or the slap of the sting, aren't affected by the skill.",
            ],
            &[
                "Auxiliary attacks, such as a sting's horn or the slap of the bull, aren't affected by the skill.",
                "The skill isn't affected by auxiliary attacks, such as a bull's horn.",
            ],
        ),
        (
            "The project claims no authority over an organisation that holds assets for it.",
            &["The project doesn't claim any authority over an organisation that holds assets for it."],
            &["The project claims any authority over an organisation that holds assets for it."],
        ),
    ]);
}

#[test]
fn statements_are_told_apart_however_they_are_joined() {
    told_apart(&[
        (
            "Also keep in mind that Borg will keep an exclusive lock on the repository while deleting archives, which may make simultaneous backups fail.",
            &[
                "Borg will keep an exclusive lock on the repository while deleting archives, and the lock may make simultaneous backups fail.",
            ],
            &[
                "Borg will keep an exclusive lock on the repository while deleting archives, and the repository may make simultaneous backups fail.",
                "Borg will keep an exclusive lock on the repository while deleting archives, and the lock will make simultaneous backups fail.",
            ],
        ),
        (
            "If you run borg prune, it will also care for deleting unneeded checkpoints.",
            &["Running borg prune will also care for deleting unneeded checkpoints."],
            &[
                "Borg prune will not care for deleting unneeded checkpoints.",
                "Deleting unneeded checkpoints will also care for borg prune.",
            ],
        ),
        (
            "NULL (nodata) cells are ignored, zero and negative values are valid elevation data.",
            &["Zero and negative values are valid elevation data, whereas NULL cells are ignored."],
            &["NULL cells are valid elevation data, whereas zero and negative values are ignored."],
        ),
        (
            "A repository does not hide the size of the chunks it stores (size information is needed to operate the repository).",
            &[
                "A repository does not hide the size of the chunks it stores; the size information is needed to operate the repository.",
            ],
            &[
                "A repository hides the size of the chunks it stores; the size information is needed to operate the repository.",
            ],
        ),
        (
            "A size of 0 means automatic, so the size will be computed according to the content.",
            &["A size of 0 means automatic: the size is computed according to the content."],
            &["A size of 0 means automatic: the content is computed according to the size."],
        ),
        (
            "Because sales are counted where the pack is sold, a state with cheap cigarettes can show a consumption that its own residents never reach.",
            &[
                "Sales are counted where the pack is sold, so a state with cheap cigarettes can show a consumption that its own residents never reach.",
            ],
            &[
                "A state with cheap cigarettes can show a consumption that its own residents never reach, so sales are counted where the pack is sold.",
            ],
        ),
        (
            "Kentucky sold about 173 packs per head in 1995, more than any other state. Utah sold 49 packs per head in the same year.",
            &["Utah sold 49 packs per head in 1995."],
            &["Utah sold 173 packs per head in 1995.", "Utah sold 49 packs per head in 1996."],
        ),
        (
            "On 2 April 1993 Philip Morris cut the price by 40 cents. Its rivals followed within weeks.",
            &["The rivals of Philip Morris followed within weeks."],
            &["Philip Morris followed within weeks."],
        ),
    ]);
}

#[test]
fn what_is_told_in_another_frame_is_the_same() {
    told_apart(&[
        (
            "To remove an unwanted message, click on the message and then on Delete.",
            &["An unwanted message can be removed by clicking on the message and then on Delete."],
            &[
                "An unwanted message can be removed by clicking on Delete and then on Restore.",
                "An unwanted message can be restored by clicking on the message and then on Delete.",
                "A message can be clicked by removing Delete.",
            ],
        ),
        (
            "To quickly remove all user-defined defaults use the reset function.",
            &["All user-defined defaults can be removed quickly with the reset function."],
            &["All user-defined defaults can be added quickly with the reset function."],
        ),
        (
            "If it detects that a repository has been modified it will need to rebuild the cache. This rebuild can be quite time consuming.",
            &[
                "If it detects that a repository has been modified, it will need to rebuild the cache, which can be quite time consuming.",
            ],
            &[
                "If it detects that a repository has been modified, it will need to rebuild the cache, which is not time consuming.",
                "It will need to rebuild the cache, which can be quite time consuming.",
            ],
        ),
        (
            "An attacker who manages to compromise the host cannot read the data.",
            &["An attacker who compromises the host cannot read the data."],
            &["An attacker cannot read the data.", "An attacker who compromises the host can read the data."],
        ),
    ]);
    let quotes = [
        "The Hunter is a type of fighter who specialises in missile weapons.",
        "A Hunter starts with a short sword and a set of leathers.",
        "The Mage starts with a staff.",
    ];
    let honest = "The Hunter, a type of fighter who specialises in missile weapons, starts with a short sword and a set of leathers.";
    assert_eq!(carries(honest, &quotes), Ok(()));
    let lie = "The Mage, a type of fighter who specialises in missile weapons, starts with a staff.";
    assert!(carries(lie, &quotes).is_err());
}

#[test]
fn what_is_said_twice_or_beside_is_said_once() {
    told_apart(&[
        (
            "A response file may contain options and commands --which are preloaded--, but no references to further response files.",
            &[
                "A response file may contain options and commands (which are preloaded), but it may not contain references to further response files.",
            ],
            &[
                "A response file may contain options and commands (which are preloaded), and it may contain references to further response files.",
                "A response file may not contain options, but it may contain references to further response files.",
            ],
        ),
        (
            "Each Contributor disclaims any liability for claims brought by others based on infringement.",
            &[
                "Any liability for claims brought by others, based on infringement, is disclaimed by each Contributor.",
            ],
            &[
                "Each Contributor is disclaimed by any liability for claims brought by others, based on infringement.",
            ],
        ),
        (
            "The subject of this spell is hit by a ball of fire and sustains damage unless he is resistant to fire.",
            &[
                "A ball of fire hits the subject of this spell, who sustains damage unless he is resistant to fire.",
            ],
            &[
                "A ball of fire hits the subject of this spell, who sustains damage.",
                "The subject of this spell hits a ball of fire, which sustains damage unless he is resistant to fire.",
            ],
        ),
        (
            "The tree consists of all groups that occurred often, the rest of the groups being ignored.",
            &["The tree consists of all groups that occurred often; the rest of the groups is ignored."],
            &["The rest of the groups occurred often; the tree is ignored."],
        ),
        (
            "Fighters start with a shield and a potion of might.",
            &["Fighters start with a shield."],
            &["Fighters might start with a shield."],
        ),
    ]);
}

#[test]
fn of_two_things_denied_none_is_affirmed() {
    told_apart(&[
        (
            "The pump does not move water nor does it move oil.",
            &["The pump moves neither water nor oil."],
            &["The pump moves oil but not water.", "The pump moves oil, not water."],
        ),
        (
            "The pump does not move water or oil.",
            &["The pump does not move oil."],
            &["The pump moves oil but not water."],
        ),
        ("The pump does not move water, but it moves oil.", &["The pump moves oil but not water."], &[]),
    ]);
}

#[test]
fn what_stands_around_a_statement_is_not_left_out() {
    told_apart(&[
        (
            "The eighty-column mind was thought by most hackers to dominate IBM's customer base and its thinking.",
            &["The eighty-column mind was thought by most hackers to dominate IBM's customer base."],
            &["The eighty-column mind dominated IBM's customer base and its thinking."],
        ),
        (
            "The ear is allegedly the width of the earhole in the side of the football helmet.",
            &["The ear is allegedly the width of the earhole in the side of the football helmet."],
            &["The ear is the width of the earhole in the side of the football helmet."],
        ),
        (
            "This object is historically one of the first complex 3D models to be rendered in computer graphics.",
            &[
                "This object is historically one of the first complex 3D models to be rendered in computer graphics.",
            ],
            &[
                "This object is historically the first complex 3D model to have been rendered in computer graphics.",
            ],
        ),
        (
            "The remaining runtime is calculated by the UPS and monitored by the daemon.",
            &["The remaining runtime is calculated by the UPS and monitored by the daemon."],
            &["The remaining runtime is calculated by the daemon and monitored by the UPS."],
        ),
        (
            "This new tab allows you to record important information about your beer during brewing.",
            &["This new tab allows you to record important information about your beer during brewing."],
            &[
                "This new tab allows you to record important information about your beer once brewing is over.",
            ],
        ),
    ]);
}

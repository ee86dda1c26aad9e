//! Questions whose numbers stand side by side: one for each value of a column.

use super::{Draft, compare};
use crate::compute::build::{Leaf, Maker, PERCENT_PLACES};
use crate::compute::pass::Groups;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::FigureKind;

/// Groups a share or a comparison lists at most.
const SHOWN_GROUPS: usize = 50;

fn leaves(maker: &Maker<'_>, groups: &Groups) -> Result<Vec<(String, Leaf)>, FiguresError> {
    let mut found = Vec::new();
    for (key, group) in &groups.groups {
        if let (Some(name), Some(leaf)) = (&key.0, maker.leaf(key, group, 0)?) {
            found.push((name.clone(), leaf));
        }
    }
    Ok(found)
}

fn sorted(mut leaves: Vec<(String, Leaf)>, ascending: bool) -> Vec<(String, Leaf)> {
    leaves.sort_by(|one, two| {
        let order = one.1.value.cmp(&two.1.value);
        (if ascending { order } else { order.reverse() }).then_with(|| one.0.cmp(&two.0))
    });
    leaves
}

fn by_name<'m>(maker: &'m Maker<'_>) -> &'m str {
    maker.plan.by.as_ref().map(|column| column.reading.name.as_str()).unwrap_or_default()
}

pub(super) fn share(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    of: &[String],
    whole: &Leaf,
) -> Result<(), FiguresError> {
    let leaves = sorted(leaves(maker, groups)?, false);
    if leaves.iter().any(|(_, leaf)| leaf.value.is_negative()) {
        draft.doubt("Some parts are negative, so shares can exceed 100 %.".to_owned());
    }
    let by = by_name(maker);
    let wanted: Vec<&(String, Leaf)> = if of.is_empty() {
        leaves.iter().take(SHOWN_GROUPS).collect()
    } else {
        let mut found = Vec::new();
        for name in of {
            found.push(leaves.iter().find(|(value, _)| value == name).ok_or_else(|| absent(by, name))?);
        }
        found
    };
    if of.is_empty() && leaves.len() > SHOWN_GROUPS {
        draft.doubt(format!("\"{by}\" has {} values; the {SHOWN_GROUPS} largest are listed.", leaves.len()));
    }
    draft.understood = format!("The share of {} by {by}.", whole.words);
    let mut parts = Vec::new();
    for (rank, (_, leaf)) in (1..).zip(&wanted) {
        let mut figure = leaf.over(whole, Decimal::HUNDRED, PERCENT_PLACES, Some("%".to_owned()))?.figure();
        figure.kind = FigureKind::Share;
        figure.label = format!("share of {}", leaf.figure().label);
        figure.rank = of.is_empty().then_some(rank);
        draft.add(figure);
        parts.push(leaf.figure());
    }
    draft.figures.extend(parts);
    draft.add(whole.figure());
    Ok(())
}

fn absent(by: &str, name: &str) -> FiguresError {
    FiguresError::Refused(format!("\"{by}\" is nowhere \"{name}\" in the rows that are left"))
}

pub(super) fn ranking(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    top: usize,
    ascending: bool,
) -> Result<(), FiguresError> {
    let leaves = sorted(leaves(maker, groups)?, ascending);
    let Some((_, first)) = leaves.first() else {
        return Err(FiguresError::Refused(format!("\"{}\" holds nothing to rank", by_name(maker))));
    };
    let top = top.clamp(1, 1000);
    let end = if ascending { "smallest" } else { "largest" };
    draft.understood = format!(
        "The {} of {} by {}, of {} in all.",
        if top == 1 { end.to_owned() } else { format!("{top} {end}") },
        first.measure,
        by_name(maker),
        leaves.len()
    );
    let mut rank = 0;
    let mut last = None;
    for (place, (_, leaf)) in (1_u32..).zip(leaves.iter().take(top)) {
        if last != Some(leaf.value) {
            rank = place;
        }
        last = Some(leaf.value);
        let mut figure = leaf.figure();
        figure.rank = Some(rank);
        draft.add(figure);
    }
    let tied = leaves.iter().skip(top).take_while(|(_, leaf)| Some(leaf.value) == last).count();
    if tied > 0 {
        draft.doubt(format!("{tied} more have the same value as the last one listed."));
    }
    Ok(())
}

pub(super) fn comparison(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    wanted: &[String],
) -> Result<(), FiguresError> {
    let all = sorted(leaves(maker, groups)?, false);
    let by = by_name(maker);
    let chosen: Vec<Leaf> = if wanted.is_empty() {
        all.iter().take(SHOWN_GROUPS).map(|(_, leaf)| leaf.clone()).collect()
    } else {
        let mut found = Vec::new();
        for name in wanted {
            found.push(
                all.iter()
                    .find(|(value, _)| value == name)
                    .map(|(_, leaf)| leaf.clone())
                    .ok_or_else(|| absent(by, name))?,
            );
        }
        found
    };
    let (Some(first), Some(second)) = (chosen.first(), chosen.get(1)) else {
        return Err(FiguresError::Refused(format!("\"{by}\" has fewer than two groups to compare")));
    };
    draft.understood = format!(
        "The {} of {}.",
        first.measure,
        chosen.iter().take(5).flat_map(|leaf| leaf.group.values().cloned()).collect::<Vec<_>>().join(", ")
    );
    compare(draft, second, first)?;
    // The values come first: they are what was asked for.
    let changes = std::mem::take(&mut draft.figures);
    draft.figures.extend(chosen.iter().map(Leaf::figure));
    draft.figures.extend(changes);
    Ok(())
}

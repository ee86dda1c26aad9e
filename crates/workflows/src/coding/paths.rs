//! Which paths a pattern of a plan means. `*` stands for part of a name, `**` for any folders; a pattern that names a
//! folder means all below it.

/// Whether a pattern means this path.
pub fn covers(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if pattern.is_empty() || pattern == "." {
        return true;
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    let names: Vec<&str> = path.split('/').collect();
    fits(&parts, &names)
}

/// Whether one of these patterns means this path.
pub fn any_covers(patterns: &[String], path: &str) -> bool {
    patterns.iter().any(|pattern| covers(pattern, path))
}

/// Whether two patterns can mean the same path. Says yes where it cannot be sure: what overlaps may conflict.
pub fn overlap(one: &str, other: &str) -> bool {
    let literal = |pattern: &str| {
        let fixed: Vec<String> =
            pattern.split('/').take_while(|part| !part.contains('*')).map(str::to_owned).collect();
        (fixed, pattern.contains('*'))
    };
    let clean = |pattern: &str| pattern.trim_start_matches("./").trim_end_matches('/').to_owned();
    let (one, other) = (clean(one), clean(other));
    match (literal(&one), literal(&other)) {
        ((_, false), (_, false)) => covers(&one, &other) || covers(&other, &one),
        ((_, false), (_, true)) => covers(&other, &one) || starts(&one, &other),
        ((_, true), (_, false)) => covers(&one, &other) || starts(&other, &one),
        ((one, true), (other, true)) => {
            let shorter = one.len().min(other.len());
            one[..shorter] == other[..shorter]
        }
    }
}

/// Whether a plain path is a folder in which a pattern lies.
fn starts(folder: &str, pattern: &str) -> bool {
    pattern.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Patterns are short; trying every place of `**` is quick enough.
fn fits(parts: &[&str], names: &[&str]) -> bool {
    match (parts.split_first(), names.split_first()) {
        // The pattern is used up: it named the path, or a folder above it.
        (None, _) => true,
        (Some((&"**", [])), _) => !names.is_empty(),
        (Some((&"**", rest)), _) => (0..=names.len()).any(|skipped| fits(rest, &names[skipped..])),
        (Some(_), None) => false,
        (Some((part, rest)), Some((name, below))) => {
            name_fits(part.as_bytes(), name.as_bytes()) && fits(rest, below)
        }
    }
}

fn name_fits(part: &[u8], name: &[u8]) -> bool {
    match (part.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|skipped| name_fits(rest, &name[skipped..])),
        (Some((b'?', rest)), Some((_, more))) => name_fits(rest, more),
        (Some((letter, rest)), Some((other, more))) if letter == other => name_fits(rest, more),
        _ => false,
    }
}

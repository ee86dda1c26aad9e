//! Many questions to one process of git, and many refs moved as one: a process costs more than what it is asked.

use std::collections::BTreeMap;

use super::{Git, GitError};

impl Git {
    /// Where refs lead, by their full names: those that are one of these or lie below one of them.
    pub async fn refs(&self, below: &[&str]) -> Result<BTreeMap<String, String>, GitError> {
        let mut args = vec!["for-each-ref", "--format=%(refname) %(objectname)"];
        args.extend(below);
        let listed = self.line(&args).await?;
        let pair = |line: &str| line.split_once(' ').map(|(name, at)| (name.to_owned(), at.to_owned()));
        Ok(listed.lines().filter_map(pair).collect())
    }

    /// The commits these names lead to, in their order, asked of one process; none for what leads to no commit.
    pub async fn commits(&self, names: &[&str]) -> Result<Vec<Option<String>>, GitError> {
        let asked: String = names.iter().map(|name| format!("{name}^{{commit}}\0")).collect();
        let check = ["cat-file", "--batch-check=%(objectname) found", "-z"];
        let said = self.fed(&check, Some(asked.into_bytes())).await?;
        let text = String::from_utf8_lossy(&said);
        Ok(text.lines().map(|line| line.strip_suffix(" found").map(str::to_owned)).collect())
    }

    /// The contents of blobs, in their order, read by one process; none for what is not there.
    pub async fn blobs(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let asked: String = names.iter().map(|name| format!("{name}\0")).collect();
        let said =
            self.fed(&["cat-file", "--batch=%(objectsize) found", "-z"], Some(asked.into_bytes())).await?;
        let (mut rest, mut found) = (said.as_slice(), Vec::new());
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let head = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
            rest = rest.get(end + 1..).unwrap_or_default();
            let size = head.strip_suffix(" found").and_then(|size| size.parse::<usize>().ok());
            let Some(size) = size else {
                found.push(None);
                continue;
            };
            found.push(Some(rest.get(..size).unwrap_or_default().to_vec()));
            rest = rest.get(size + 1..).unwrap_or_default();
        }
        Ok(found)
    }

    /// Moves a ref from the value we know; an empty one means that it must not exist.
    pub async fn move_ref(&self, reference: &str, new: &str, old: &str) -> Result<(), GitError> {
        self.move_refs(&[(reference, new, old)]).await
    }

    /// Moves refs from the values we know, all of them or none. Refs that stand there already are no failure.
    pub async fn move_refs(&self, moves: &[(&str, &str, &str)]) -> Result<(), GitError> {
        if moves.is_empty() {
            return Ok(());
        }
        let line = |(reference, new, old): &(&str, &str, &str)| {
            let nothing = "0".repeat(new.len());
            format!("update {reference}\0{new}\0{}\0", if old.is_empty() { &nothing } else { *old })
        };
        let orders: String = moves.iter().map(line).collect();
        let said =
            self.ask(&["update-ref", "--create-reflog", "--stdin", "-z"], Some(orders.into_bytes())).await?;
        if said.code == Some(0) {
            return Ok(());
        }
        let names: Vec<&str> = moves.iter().map(|(reference, ..)| *reference).collect();
        let there = self.refs(&names).await?;
        let at = |reference: &str| there.get(reference).map_or("", String::as_str);
        if moves.iter().all(|(reference, new, _)| at(reference) == *new) {
            return Ok(());
        }
        let moved = moves.iter().find(|(reference, _, old)| at(reference) != *old);
        let named = |commit: &str| if commit.is_empty() { "nothing".to_owned() } else { commit.to_owned() };
        Err(match moved {
            Some((reference, _, old)) => GitError::Moved {
                reference: (*reference).to_owned(),
                found: named(at(reference)),
                known: named(old),
            },
            None => GitError::said(format!("update-ref {}", names.join(" ")), said.code, &said.err),
        })
    }
}

//! The size by git and the size by the text of the patch.

use super::*;

/// A sequence of its own, so that a failure can be made again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, many: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % many
    }
}

fn lines(chance: &mut Chance, most: u64) -> String {
    (0..chance.below(most))
        .map(|_| ["alpha", "+ beta", "-- gamma", "@@ delta", "", "\\ epsilon"][chance.below(6) as usize])
        .map(|line| format!("{line}\n"))
        .collect()
}

#[tokio::test]
async fn fifty_random_changes_are_counted_alike() {
    let mut chance = Chance(7);
    let bench = Bench::new().await;
    let mut tip = bench.provision("x", 1).await.tip;
    let worktree = bench.shop().join("trees/x");
    for number in 0..50 {
        for _ in 0..=chance.below(4) {
            let file = format!("f{}.txt", chance.below(8));
            match chance.below(6) {
                0 if worktree.join(&file).exists() => std::fs::remove_file(worktree.join(&file)).unwrap(),
                1 if worktree.join(&file).exists() => {
                    std::fs::rename(worktree.join(&file), worktree.join(format!("r{number}-{file}")))
                        .unwrap();
                }
                2 => write(&worktree, &file, &format!("{}no end", lines(&mut chance, 30))),
                3 => std::fs::write(worktree.join("bin"), [0, 1, 2, chance.below(255) as u8]).unwrap(),
                _ => write(&worktree, &file, &lines(&mut chance, 60)),
            }
        }
        let old = tip.clone();
        tip = bench.snapshot("x", &old).await.tip;
        let act =
            Measure { workshop: bench.shop(), base: old.clone(), tip: tip.clone(), exclude: Vec::new() };
        let size = size::measure(&bench.hand, act).await.unwrap();
        let patch = git(&bench.store(), &["diff", "-M", "--no-color", &old, &tip]);
        assert_eq!(size.lines, count_patch(&patch), "change {number}:\n{patch}");
        let parsed: usize = parse_diff(&patch).files.iter().map(|file| file.added().count()).sum();
        assert_eq!(size.lines, parsed as u64, "change {number}");
    }
}

#[test]
fn excluded_paths_and_renames_are_read() {
    let numstat = b"3\t1\tsrc/a.rs\x0010\t0\tCargo.lock\x005\t2\t\0old.rs\0new.rs\0-\t-\tpic.png\0";
    let size = count_size(numstat, &["*.lock".to_owned()]);
    assert_eq!(size.lines, 8);
    assert_eq!(size.files[2].path, "new.rs");
    assert!(size.files[3].binary);
}

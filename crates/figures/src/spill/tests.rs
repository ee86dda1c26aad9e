use super::*;

fn sorted(
    memory: usize,
    scratch: Option<PathBuf>,
    records: &[Vec<u8>],
) -> Result<Vec<Vec<u8>>, FiguresError> {
    let context = Context { scratch, ..Context::default() };
    let mut sorter = Sorter::new(&context, memory);
    for record in records {
        sorter.push(record)?;
    }
    let mut found = Vec::new();
    sorter.each(&mut |record| {
        found.push(record.to_vec());
        Ok(())
    })?;
    Ok(found)
}

#[test]
fn what_does_not_fit_is_sorted_on_disk_and_the_runs_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let records: Vec<Vec<u8>> =
        (0_u64..20_000).map(|n| ordered(i128::from(n * 7919 % 20_011) - 9_000).to_vec()).collect();
    let mut expected = records.clone();
    expected.sort();
    let found = sorted(1 << 14, Some(folder.path().to_owned()), &records).expect("sorted");
    assert_eq!(found, expected);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn without_a_scratch_folder_it_is_refused_in_words() {
    let records = vec![vec![1; 100]; 1000];
    let error = sorted(1 << 12, None, &records).expect_err("too much");
    assert!(error.to_string().contains("no scratch folder"), "{error}");
}

#[test]
fn integers_keep_their_order_as_bytes() {
    let values = [i128::MIN, -1, 0, 1, 255, 256, i128::MAX];
    for pair in values.windows(2) {
        assert!(ordered(pair[0]) < ordered(pair[1]));
        assert_eq!(unordered(ordered(pair[0])), pair[0]);
    }
}

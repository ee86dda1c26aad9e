use super::*;

async fn ran(line: &str) -> CommandResult {
    Shell::default().run(RunCommand::repeatable(line)).await.unwrap()
}

#[tokio::test]
async fn what_a_command_prints_is_kept_in_order_and_whole() {
    let done = ran("echo out; echo err >&2; exit 3").await;
    assert_eq!(done, CommandResult { code: Some(3), output: "out\nerr\n".to_owned() });
}

/// A hundred megabytes on both pipes at once: neither fills memory, neither holds the command up.
#[tokio::test]
async fn of_a_flood_the_end_is_kept_and_the_rest_is_told() {
    let flood = "(yes flood | head -c 100000000; echo last) & (yes error | head -c 100000000 >&2); wait";
    let done = ran(flood).await;
    assert_eq!(done.code, Some(0));
    let (first, rest) = done.output.split_once('\n').unwrap();
    assert_eq!(first, format!("[{} bytes before this are left out]", 200_000_005 - KEPT));
    assert_eq!(rest.len(), KEPT);
}

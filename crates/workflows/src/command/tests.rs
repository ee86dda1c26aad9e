use super::*;

async fn ran(line: &str) -> CommandResult {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).stdin(Stdio::null());
    let (status, [mut out, err]) = run(command).await.unwrap();
    out.append(err);
    CommandResult { code: status.code(), output: out.text() }
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

/// A command that never ends by itself takes no more memory than one that does.
#[tokio::test]
async fn an_endless_stream_keeps_its_size() {
    let endless = tokio::io::repeat(b'x').take(1 << 30);
    let tail = Tail::of(Some(endless), 1000).await.unwrap();
    assert!(tail.kept.capacity() < 100_000 && tail.is_cut());
}

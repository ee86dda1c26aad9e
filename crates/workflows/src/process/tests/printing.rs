//! How much of what is printed is kept.

use tokio::io::AsyncReadExt as _;

use super::*;

async fn captured(limit: CaptureLimit, text: &[u8]) -> Capture {
    let mut captured = Capture::new(limit);
    captured.read(Some(text)).await.unwrap();
    captured
}

#[tokio::test]
async fn head_and_tail_are_kept_and_the_rest_is_counted() {
    let cases = [
        (CaptureLimit { head: 3, tail: 3 }, "abc\n[4 bytes are left out here]\nhij"),
        (CaptureLimit::head(4), "abcd\n[6 bytes are left out here]\n"),
        (CaptureLimit::tail(4), "[6 bytes before this are left out]\nghij"),
        (CaptureLimit { head: 5, tail: 5 }, "abcdefghij"),
        (CaptureLimit::head(10), "abcdefghij"),
    ];
    for (limit, text) in cases {
        assert_eq!(captured(limit, b"abcdefghij").await.text(), text, "{limit:?}");
    }
}

#[tokio::test]
async fn what_is_cut_is_never_taken_for_whole() {
    assert_eq!(captured(CaptureLimit::tail(3), b"abc").await.whole(), Ok(b"abc".to_vec()));
    let cut = captured(CaptureLimit { head: 1, tail: 1 }, b"abc").await.whole();
    assert_eq!(cut, Err(Truncated { kept: 2, left_out: 1 }));
}

#[tokio::test]
async fn one_output_behind_another_stays_within_its_limit() {
    let mut out = captured(CaptureLimit::tail(4), b"abcdef").await;
    out.append(captured(CaptureLimit::tail(4), b"12").await);
    assert_eq!(out.text(), "[4 bytes before this are left out]\nef12");
}

/// A process that never ends by itself takes no more memory than one that does.
#[tokio::test]
async fn an_endless_stream_keeps_its_size() {
    let mut captured = Capture::new(CaptureLimit { head: 1000, tail: 1000 });
    captured.read(Some(tokio::io::repeat(b'x').take(1 << 30))).await.unwrap();
    assert_eq!(captured.left_out(), (1 << 30) - 2000);
    assert_eq!(captured.whole(), Err(Truncated { kept: 2000, left_out: (1 << 30) - 2000 }));
}

/// The most memory this process ever had, in kilobytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn three_hundred_megabytes_cost_kilobytes_of_ours() {
    const PRINTED: u64 = 300_000_000;
    for processes in both() {
        let printing = |line: &str| {
            Invocation::shell(line).capture(CaptureLimit { head: 1024, tail: 1024 }, CaptureLimit::tail(1024))
        };
        // The first process brings in the code that starts them; that is no memory of what is printed.
        processes.run(&printing("echo")).await.unwrap();
        let before = peak();
        let finished = processes.run(&printing(&format!("yes | head -c {PRINTED}"))).await.unwrap();
        assert_eq!(finished.exit, ExitKind::Code(0));
        let cut = finished.out.whole().unwrap_err();
        assert!(cut.kept == 2048 && cut.left_out >= PRINTED - 2048, "{cut:?}");
        let grown = peak() - before;
        assert!(grown < 2_000, "{grown} kB");
    }
}

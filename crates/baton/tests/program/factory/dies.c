/* Loaded into the program: ends it before or after its Nth wait for the disk, which is what a crash around a commit is. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long waits;

static void die_at(const char *when, long wait) {
    const char *at = getenv(when);
    if (at && atol(at) == wait) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

static int wait_for_disk(long call, int file) {
    long wait = ++waits;
    die_at("BATON_DIES_BEFORE", wait);
    int done = (int)syscall(call, file);
    die_at("BATON_DIES_AFTER", wait);
    return done;
}

int fsync(int file) { return wait_for_disk(SYS_fsync, file); }
int fdatasync(int file) { return wait_for_disk(SYS_fdatasync, file); }

# shellcheck shell=bash disable=SC2034  # what is set here is read by those who source it
# What the live checks of web sources share: a folder of their own, servers that end with the script, checks that are
# counted. Sourced, never run. Every server listens on 127.0.0.1 and is ended by its process id.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
cache=${BATON_LIVE_CACHE:-$root/target/live}
baton=$root/target/debug/baton
passed=0
failed=0
servers=()

# stop_all: ends every server that still runs and removes the folder; a failed check keeps it, to be looked at.
stop_all() {
    local status=$?
    trap - EXIT
    local server
    for server in ${servers[@]+"${servers[@]}"}; do
        stop "$server"
    done
    if [[ $status -eq 0 && $failed -eq 0 ]]; then
        rm -rf "$folder"
    else
        echo "what the servers and baton said is kept in $folder"
    fi
    exit "$status"
}

# begin PROGRAMS...: makes the folder and sees to it that nothing outlives the script, which needs these programs.
begin() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || give_up "$program is missing; install it and run this again"
    done
    mkdir -p "$cache"
    folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-live.XXXXXX")
    trap stop_all EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # Loopback is never asked for through a proxy.
    export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
    (cd "$root" && cargo build --quiet --locked --workspace --bin baton) || give_up "baton does not build"
}

# finish: the last line, and the exit code.
finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [[ $failed -eq 0 ]]
}

# give_up WHY: nothing can be checked.
give_up() {
    echo "live: $1" >&2
    exit 1
}

# check WHAT COMMAND...: one check, one line.
check() {
    local what=$1
    shift
    if "$@" >>"$folder/checks.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok    $what"
    else
        failed=$((failed + 1))
        echo "FAIL  $what"
    fi
}

# is ACTUAL EXPECTED, has PATH PATTERN, lacks PATH PATTERN: what a check can ask of a value, or of a file or folder.
is() {
    [[ $1 == "$2" ]] || { echo "is $1, not $2"; return 1; }
}
has() {
    grep -Eqr -- "$2" "$1" || { echo "no $2 in $1"; return 1; }
}
lacks() {
    [[ -e $1 ]] || { echo "there is no $1"; return 1; }
    ! grep -Eqr -- "$2" "$1" || { echo "$2 in $1"; return 1; }
}

# field FILE PATH: a value of a JSON file, by dots; nothing if it is not there.
field() {
    python3 -c '
import json, sys
value = json.load(open(sys.argv[1], encoding="utf-8"))
for key in sys.argv[2].split("."):
    value = value[int(key) if isinstance(value, list) else key]
print(value if isinstance(value, str) else json.dumps(value))' "$1" "$2"
}

# free_port: a port nobody listens on now. Somebody may take it before we do, so whoever uses it tries again.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start LOG COMMAND...: a server in the background; its process id is in $started.
start() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null &
    started=$!
    servers+=("$started")
}

# stop PID [SIGNAL]: ends a server of ours, once: later its number may be another's.
stop() {
    local others=() server
    for server in ${servers[@]+"${servers[@]}"}; do
        [[ $server == "$1" ]] || others+=("$server")
    done
    servers=(${others[@]+"${others[@]}"})
    kill "-${2:-TERM}" "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

# answers URL PID: waits until a server answers; fails when it ended or half a minute is over.
answers() {
    local _
    for _ in $(seq 1 150); do
        kill -0 "$2" 2>/dev/null || return 1
        curl --silent --fail --noproxy '*' --max-time 5 --output /dev/null "$1" && return 0
        sleep 0.2
    done
    return 1
}

# waits_for SECONDS COMMAND...: whether the command succeeds in that time.
waits_for() {
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [[ $SECONDS -lt $until ]] || return 1
        sleep 0.1
    done
}

# run_baton NAME ARGUMENTS...: runs baton in the folder. What it prints is in NAME.json and NAME.err, both in NAME.all; its
# exit code is in $code.
run_baton() {
    local name=$1
    shift
    code=0
    (cd "$folder" && "$baton" "$@") >"$folder/$name.json" 2>"$folder/$name.err" </dev/null || code=$?
    cat "$folder/$name.json" "$folder/$name.err" >"$folder/$name.all"
}

# start_baton NAME ARGUMENTS...: the same in the background, to be waited for; its process id is in $started.
start_baton() {
    local name=$1
    shift
    (cd "$folder" && exec "$baton" "$@") >"$folder/$name.json" 2>"$folder/$name.err" </dev/null &
    started=$!
    servers+=("$started")
}

# folder_of NAME: the folder of the run that NAME.json tells of.
folder_of() {
    field "$folder/$1.json" folder || echo "$folder/no-run-of-$1"
}

# only_found_by ADDRESS RUN_FOLDER PROVIDERS...: whether every source is a page below the address, found by these alone.
only_found_by() {
    python3 - "$@" <<'PY'
import json, sys
address, run, *providers = sys.argv[1:]
sources = json.load(open(f"{run}/evidence.json", encoding="utf-8"))["sources"]
for source in sources:
    assert source["place"].startswith(address), source
    assert {found["provider"] for found in source["references"]} == set(providers), source
assert len(sources) > 2, len(sources)
PY
}

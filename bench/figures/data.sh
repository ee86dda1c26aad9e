#!/bin/sh
# Fetches real tables from the npm registry: bench/figures/data.sh OUT [FILE...]
set -eu
out=$1
shift
[ $# -gt 0 ] || set -- seattle-weather.csv iowa-electricity.csv penguins.json
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent vega-datasets@3.2.1 >/dev/null && tar xzf vega-datasets-3.2.1.tgz)
for file in "$@"; do
    cp "$work/package/data/$file" "$out/$file"
done
ls -l "$out"

#!/bin/sh
# Fetches the tables of questions-third.jsonl from the Python package registry: bench/figures/data-third.sh OUT
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
pip download --quiet --no-deps lifelines==0.30.0 plotly==5.24.1
unzip -qj lifelines-0.30.0-*.whl lifelines/datasets/dd.csv lifelines/datasets/gbsg2.csv -d "$out"
unzip -p plotly-5.24.1-*.whl plotly/package_data/datasets/tips.csv.gz | gunzip > "$out/tips.csv"
ls -l "$out"

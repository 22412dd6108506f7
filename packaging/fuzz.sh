#!/bin/sh
# Runs every fuzz target of the module for a while, one after another: go test
# itself takes one target of one package at a time.
#
#   packaging/fuzz.sh [time per target, such as 10s]
set -eu
GO=${GO:-go}
TAGS=${TAGS:-ci}
time=${1:-10s}

"$GO" list -tags "$TAGS" -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./... |
	while read -r pkg dir; do
		grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go 2>/dev/null | cut -d' ' -f2 | sort -u |
			while read -r target; do
				echo "== $pkg $target"
				"$GO" test -tags "$TAGS" -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$pkg" </dev/null
			done
	done
